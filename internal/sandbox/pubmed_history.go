package sandbox

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"optimistresearch/state"
)

// history keeps result lists under a WebEnv and a query key. Its names follow
// from what is kept, so that answers do not depend on the order of requests.
type history struct {
	mu   sync.Mutex
	envs map[string][][]int32
}

// mostEnvs is how many are kept; then the oldest run out, all at once.
const mostEnvs = 1000

func (h *history) keep(env, what string, records []int32) (string, int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.envs == nil || len(h.envs) >= mostEnvs {
		h.envs = map[string][][]int32{}
	}
	if env == "" {
		env = fmt.Sprintf("MCID_%08x%08x%08x", hash(what, "a"), hash(what, "b"), hash(what, "c"))
		h.envs[env] = nil
	}
	h.envs[env] = append(h.envs[env], records)
	return env, len(h.envs[env])
}

func (h *history) find(env, key string) ([]int32, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n, err := strconv.Atoi(key)
	if lists := h.envs[env]; err == nil && n >= 1 && n <= len(lists) {
		return lists[n-1], true
	}
	return nil, false
}

// uids are the records that a call names, by ids or from the history, and the
// ids that no record has. fault is the service's message.
func (s *Server) uids(c *call) (records []int32, unknown []string, fault string) {
	f := s.finders[PubMed]
	if env := c.param("WebEnv"); env != "" && c.param("query_key") != "" {
		kept, ok := s.history.find(env, c.param("query_key"))
		if !ok {
			return nil, nil, "Unable to obtain query #" + c.param("query_key")
		}
		start, _ := strconv.Atoi(c.param("retstart"))
		size := len(kept)
		if n, err := strconv.Atoi(c.param("retmax")); err == nil {
			size = max(n, 0)
		}
		start = min(max(start, 0), len(kept))
		return kept[start:min(start+size, len(kept))], nil, ""
	}
	if len(c.form["id"]) == 0 {
		return nil, nil, "Neither query_key nor id specified"
	}
	seen := map[int32]bool{}
	for _, id := range strings.FieldsFunc(strings.Join(c.form["id"], ","), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
		switch r := f.find("pmid", state.NormalizePMID(id)); {
		case r < 0:
			unknown = append(unknown, id)
		case !seen[r]:
			seen[r] = true
			records = append(records, r)
		}
	}
	return records, unknown, ""
}

// epost puts ids into the history.
func (s *Server) epost(c *call) reply {
	head := xmlHead + `<!DOCTYPE ePostResult PUBLIC "-//NLM//DTD epost 20090526//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20090526/epost.dtd"><ePostResult>` + "\n"
	records, _, fault := s.uids(c)
	if fault != "" || len(records) == 0 {
		return reply{kind: xmlType, body: []byte(head + "\t<ERROR>Empty ID list; Nothing to store</ERROR></ePostResult>\n")}
	}
	env, key := s.history.keep(c.param("WebEnv"), canonical(c), records)
	return reply{kind: xmlType, body: fmt.Appendf(nil, "%s\t<QueryKey>%d</QueryKey>\n\t<WebEnv>%s</WebEnv>\n</ePostResult>\n", head, key, env)}
}
