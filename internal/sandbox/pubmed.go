package sandbox

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"optimistresearch/state"
)

const (
	xmlType     = "text/xml; charset=UTF-8"
	ncbiJSON    = "application/json; charset=UTF-8"
	mostUIDs    = 10_000
	deepestHit  = 9_998
	mostSummary = 500
	xmlHead     = `<?xml version="1.0" encoding="UTF-8" ?>` + "\n"
)

// pubMed answers the E-utilities: esearch, efetch, esummary, elink and epost,
// by GET or POST. Most errors come with status 200.
func (s *Server) pubMed(c *call) reply {
	var out reply
	switch c.path {
	case "/esearch.fcgi":
		out = s.esearch(c)
	case "/efetch.fcgi":
		out = s.efetch(c)
	case "/esummary.fcgi":
		out = s.esummary(c)
	case "/elink.fcgi":
		out = s.elink(c)
	case "/epost.fcgi":
		out = s.epost(c)
	default:
		return reply{status: 404, kind: htmlType, body: []byte("<html><body><h1>404 Not Found</h1></body></html>\n")}
	}
	left, limit := s.budget.perSecond(PubMed)
	out.set("X-RateLimit-Limit", itoa(limit))
	out.set("X-RateLimit-Remaining", itoa(left))
	return out
}

// wantsJSON tells the format; XML is the default.
func wantsJSON(c *call) bool { return strings.EqualFold(c.param("retmode"), "json") }

func ncbi(tool string, body ...member) reply {
	header := member{"header", object{{"type", tool}, {"version", "0.3"}}}
	return reply{kind: ncbiJSON, body: append(style{}.encode(append(object{header}, body...)), '\n')}
}

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

// esearch finds ids.
func (s *Server) esearch(c *call) reply {
	f := s.finders[PubMed]
	failed := func(message string) reply {
		if wantsJSON(c) {
			// Some messages hold a line break that is not escaped.
			body := `{"header":{"type":"esearch","version":"0.3"},"esearchresult":{"ERROR":"` + message + `"}}` + "\n"
			return reply{kind: ncbiJSON, body: []byte(body)}
		}
		return reply{kind: xmlType, body: []byte(xmlHead + searchDoctype + "<eSearchResult><ERROR>" + escapeText(message) + "</ERROR></eSearchResult>\n")}
	}
	if db := c.param("db"); db != "" && db != "pubmed" {
		return failed("Invalid db name specified: " + strings.Map(plainASCII, db))
	}
	term := c.param("term")
	if strings.TrimSpace(term) == "" {
		return failed("Empty term and query_key - nothing todo")
	}
	start, _ := strconv.Atoi(c.param("retstart"))
	if start > deepestHit {
		return failed("Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. For PubMed, ESearch can only retrieve the first 9,999 " +
			"records matching the query. To obtain more than 9,999 PubMed records, consider using EDirect that contains additional logic to batch " +
			"PubMed search results automatically so that an arbitrary number can be retrieved. For details see https://www.ncbi.nlm.nih.gov/books/NBK25499/")
	}
	size := 20
	if n, err := strconv.Atoi(c.param("retmax")); err == nil {
		size = min(max(n, 0), mostUIDs)
	}
	q := parsePubMed(term, f)
	if q.broken {
		return failed("Search Backend failed: Query syntax error")
	}
	results := f.expand(f.eval(q.node), f.pubMedDates(c))
	f.sortPubMed(results, c.param("sort"))
	total := len(results)
	if total == 0 {
		q.messages = append(q.messages, "No items found.")
	}
	start = min(max(start, 0), total)
	shown := page(c, results[start:min(start+size, total)])
	answer := searchAnswer{q: q, count: total, max: len(shown), start: start}
	for _, r := range shown {
		answer.ids = append(answer.ids, f.records[r.record].id)
	}
	if strings.EqualFold(c.param("usehistory"), "y") {
		all := make([]int32, len(results))
		for i, r := range results {
			all[i] = r.record
		}
		env, key := s.history.keep(c.param("WebEnv"), canonical(c), all)
		answer.env, answer.key = env, itoa(key)
	}
	if wantsJSON(c) {
		return answer.json()
	}
	return answer.xml()
}

func plainASCII(r rune) rune {
	if r < 0x20 || r > 0x7e || r == '"' || r == '\\' {
		return -1
	}
	return r
}

// pubMedDates is the test that mindate, maxdate and reldate make.
func (f finder) pubMedDates(c *call) func(int32) bool {
	year := func(v string) int {
		if len(v) < 4 {
			return 0
		}
		n, _ := strconv.Atoi(v[:4])
		return n
	}
	entered := year(day)
	from, to := year(c.param("mindate")), year(c.param("maxdate"))
	if n, err := strconv.Atoi(c.param("reldate")); err == nil && n > 0 {
		from, to = entered-(n+364)/365, entered
	} else if from == 0 || to == 0 {
		return nil // both are needed
	}
	return func(r int32) bool {
		y := f.records[r].year
		if d := c.param("datetype"); d != "" && d != "pdat" {
			y = entered
		}
		return y != 0 && from <= y && y <= to
	}
}

// sortPubMed orders results; the default is the newest first.
func (f finder) sortPubMed(results []found, by string) {
	number := func(r int32) int {
		n, _ := strconv.Atoi(f.records[r].id)
		return n
	}
	first := func(r int32) string {
		if w := f.of(r); len(w.Authors) > 0 {
			return split(w.Authors[0]).family
		}
		return ""
	}
	slices.SortStableFunc(results, func(a, b found) int {
		newest := cmp.Or(cmp.Compare(f.records[b.record].year, f.records[a.record].year), cmp.Compare(number(b.record), number(a.record)))
		switch strings.ToLower(by) {
		case "relevance":
			return cmp.Compare(b.score, a.score)
		case "author", "first author":
			return cmp.Or(strings.Compare(first(a.record), first(b.record)), newest)
		case "journalname", "journal":
			return cmp.Or(strings.Compare(f.of(a.record).Venue, f.of(b.record).Venue), newest)
		}
		return newest
	})
}

// searchAnswer is what esearch tells.
type searchAnswer struct {
	q                 *pubMedQuery
	count, max, start int
	ids               []string
	env, key          string
}

func (a searchAnswer) faulty() bool {
	return len(a.q.notFound)+len(a.q.noField)+len(a.q.ignored)+len(a.q.noPhrase)+len(a.q.messages) > 0
}

func (a searchAnswer) json() reply {
	result := object{{"count", itoa(a.count)}, {"retmax", itoa(a.max)}, {"retstart", itoa(a.start)}}
	if a.env != "" {
		result = append(result, member{"querykey", a.key}, member{"webenv", a.env})
	}
	translations := list{}
	for _, t := range a.q.translations {
		translations = append(translations, object{{"from", t[0]}, {"to", t[1]}})
	}
	result = append(result, member{"idlist", filled(a.ids)}, member{"translationset", translations}, member{"querytranslation", a.q.translation})
	if a.faulty() {
		result = append(result,
			member{"errorlist", object{{"phrasesnotfound", filled(a.q.notFound)}, {"fieldsnotfound", filled(a.q.noField)}}},
			member{"warninglist", object{{"phrasesignored", filled(a.q.ignored)}, {"quotedphrasesnotfound", filled(a.q.noPhrase)},
				{"outputmessages", filled(a.q.messages)}}})
	}
	return ncbi("esearch", member{"esearchresult", result})
}

// filled is a list that is not null.
func filled(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

const searchDoctype = `<!DOCTYPE eSearchResult PUBLIC "-//NLM//DTD esearch 20060628//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd">` + "\n"

func (a searchAnswer) xml() reply {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s<eSearchResult><Count>%d</Count><RetMax>%d</RetMax><RetStart>%d</RetStart>", xmlHead, searchDoctype, a.count, a.max, a.start)
	if a.env != "" {
		fmt.Fprintf(&b, "<QueryKey>%s</QueryKey><WebEnv>%s</WebEnv>", a.key, a.env)
	}
	if len(a.ids) == 0 {
		b.WriteString("<IdList/>")
	} else {
		b.WriteString("<IdList>\n")
		for _, id := range a.ids {
			b.WriteString("<Id>" + id + "</Id>\n")
		}
		b.WriteString("</IdList>")
	}
	if len(a.q.translations) == 0 {
		b.WriteString("<TranslationSet/>")
	} else {
		b.WriteString("<TranslationSet>")
		for _, t := range a.q.translations {
			fmt.Fprintf(&b, "<Translation>     <From>%s</From>     <To>%s</To>    </Translation>", escapeText(t[0]), escapeText(t[1]))
		}
		b.WriteString("</TranslationSet>")
	}
	fmt.Fprintf(&b, "<QueryTranslation>%s</QueryTranslation>", escapeText(a.q.translation))
	group := func(name string, parts ...any) {
		inner := ""
		for i := 0; i+1 < len(parts); i += 2 {
			for _, v := range parts[i+1].([]string) {
				inner += fmt.Sprintf("<%s>%s</%[1]s>", parts[i], escapeText(v))
			}
		}
		if inner != "" {
			fmt.Fprintf(&b, "<%s>%s</%[1]s>", name, inner)
		}
	}
	group("ErrorList", "PhraseNotFound", a.q.notFound, "FieldNotFound", a.q.noField)
	group("WarningList", "PhraseIgnored", a.q.ignored, "QuotedPhraseNotFound", a.q.noPhrase, "OutputMessage", a.q.messages)
	b.WriteString("</eSearchResult>\n")
	return reply{kind: xmlType, body: []byte(b.String())}
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

// elinkKinds are the links within PubMed.
var elinkKinds = []string{"pubmed_pubmed_citedin", "pubmed_pubmed_refs"}

var elinkID = regexp.MustCompile(`^[0-9]+$`)

// elink gives the works that a work cites and that cite it. Each id parameter
// has an answer of its own; ids in one parameter share one.
func (s *Server) elink(c *call) reply {
	f := s.finders[PubMed]
	type set struct {
		ids   []string
		links map[string][]string
	}
	var sets []set
	scored := c.param("cmd") == "neighbor_score"
	wanted := elinkKinds
	if name := c.param("linkname"); name != "" {
		wanted = strings.Split(name, ",")
	}
	if len(c.form["id"]) == 0 {
		if wantsJSON(c) {
			return ncbi("elink", member{"linksets", list{}}, member{"ERROR", "Empty id list - nothing todo"})
		}
		return reply{kind: xmlType, body: []byte(xmlHead + linkDoctype + "<eLinkResult>\n\t<ERROR>Empty id list - nothing todo</ERROR>\n</eLinkResult>\n")}
	}
	for _, param := range c.form["id"] {
		one := set{links: map[string][]string{}}
		for _, id := range strings.Split(param, ",") {
			id = strings.TrimSpace(id)
			if !elinkID.MatchString(id) {
				continue
			}
			one.ids = append(one.ids, id)
			r := f.find("pmid", state.NormalizePMID(id))
			if r < 0 {
				continue // an unknown id looks like one without links
			}
			work := int(f.records[r].work)
			for name, linked := range map[string][]int32{"pubmed_pubmed_refs": f.lib.Cites(work), "pubmed_pubmed_citedin": f.lib.CitedBy(work)} {
				for _, to := range linked {
					if m := f.main(to); m >= 0 && !slices.Contains(one.links[name], f.records[m].id) {
						one.links[name] = append(one.links[name], f.records[m].id)
					}
				}
			}
		}
		sets = append(sets, one)
	}
	if wantsJSON(c) {
		all := list{}
		for _, one := range sets {
			o := object{{"dbfrom", "pubmed"}, {"ids", filled(one.ids)}}
			dbs := list{}
			for _, name := range wanted {
				if links := page(c, one.links[name]); len(links) > 0 {
					dbs = append(dbs, object{{"dbto", "pubmed"}, {"linkname", name}, {"links", linkItems(links, scored)}})
				}
			}
			if len(dbs) > 0 {
				o = append(o, member{"linksetdbs", dbs})
			}
			all = append(all, o)
		}
		return ncbi("elink", member{"linksets", all})
	}
	var b strings.Builder
	b.WriteString(xmlHead + linkDoctype + "<eLinkResult>\n\n")
	for _, one := range sets {
		b.WriteString("  <LinkSet>\n    <DbFrom>pubmed</DbFrom>\n    <IdList>\n")
		for _, id := range one.ids {
			b.WriteString("      <Id>" + id + "</Id>\n")
		}
		b.WriteString("    </IdList>\n")
		for _, name := range wanted {
			links := page(c, one.links[name])
			if len(links) == 0 {
				continue
			}
			fmt.Fprintf(&b, "    <LinkSetDb>\n      <DbTo>pubmed</DbTo>\n      <LinkName>%s</LinkName>\n      \n", name)
			for _, id := range links {
				b.WriteString("        <Link>\n\t\t\t\t<Id>" + id + "</Id>\n")
				if scored {
					b.WriteString("\t\t\t\t<Score>0</Score>\n")
				}
				b.WriteString("\t\t\t</Link>\n")
			}
			b.WriteString("    </LinkSetDb>\n")
		}
		b.WriteString("  </LinkSet>\n")
	}
	b.WriteString("</eLinkResult>\n")
	return reply{kind: xmlType, body: []byte(b.String())}
}

const linkDoctype = `<!DOCTYPE eLinkResult PUBLIC "-//NLM//DTD elink 20101123//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20101123/elink.dtd">` + "\n"

func linkItems(links []string, scored bool) any {
	if !scored {
		return links
	}
	out := list{}
	for _, id := range links {
		out = append(out, object{{"id", id}, {"score", 0}})
	}
	return out
}
