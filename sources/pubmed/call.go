package pubmed

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// longestAddress is the length of a query string from which a request is sent
// as a form instead.
const longestAddress = 4000

// largestAnswer is the cap on one answer: 200 records with their reference
// lists can pass the usual one.
const largestAnswer = 96 << 20

// answers collects what the requests of one operation give.
type answers struct {
	wire.Job
	source *Source
	op     string
	came   map[string]bool // PMIDs of the entries so far, also of those that were skipped
}

func (s *Source) begin(op string) *answers {
	return &answers{Job: wire.NewJob(), source: s, op: op, came: map[string]bool{}}
}

// send asks one E-utility and notes the hashes. form makes it a form in any
// case.
func (a *answers) send(ctx context.Context, utility string, q url.Values, form bool, ok func([]byte) error) (*fetch.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, a.fail(err)
	}
	cfg := a.source.cfg
	q = maps.Clone(q)
	q.Set("db", "pubmed")
	q.Set("tool", cfg.Tool)
	req := fetch.Request{Service: Name, Op: a.op, Base: cfg.Base, Path: "/" + utility + ".fcgi", Query: q, MaxBytes: largestAnswer, OK: verdict(ok)}
	if cfg.Contact != "" {
		q.Set("email", cfg.Contact)
	}
	if cfg.Key != "" {
		q.Set("api_key", cfg.Key)
		req.Secrets = []string{cfg.Key}
	}
	if text := q.Encode(); form || len(text) > longestAddress {
		req.Method, req.Query, req.Body = http.MethodPost, nil, []byte(text)
		req.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	}
	resp, err := a.source.do.Do(ctx, req)
	if err != nil {
		return nil, a.fail(err)
	}
	a.Answered(resp)
	return resp, nil
}

// search is one esearch. Hits without an id are an error on the first page.
func (a *answers) search(ctx context.Context, q url.Values) (found, error) {
	q.Set("retmode", "json")
	resp, err := a.send(ctx, "esearch", q, false, func(body []byte) error {
		f, err := decodeSearch(body)
		if err == nil && f.Count > 0 && len(f.IDs) == 0 && q.Get("retstart") == "0" {
			err = fmt.Errorf("it reports %d hits but sent no id", f.Count)
		}
		return err
	})
	if err != nil {
		return found{}, err
	}
	f, err := decodeSearch(resp.Body)
	if err != nil {
		return found{}, a.fail(err)
	}
	return f, nil
}

// named finds the PMIDs of works by queries for single identifiers, as far as
// PubMed has them.
func (a *answers) named(ctx context.Context, terms []string) ([]string, error) {
	var pmids []string
	for batch := range slices.Chunk(terms, nameBatch) {
		f, err := a.search(ctx, url.Values{"term": {strings.Join(batch, " OR ")}, "retstart": {"0"}, "retmax": {strconv.Itoa(2 * nameBatch)}})
		if err != nil {
			return nil, err
		}
		pmids = append(pmids, f.IDs...)
	}
	return pmids, nil
}

var plainDOI = regexp.MustCompile(`^[a-z0-9./_-]+$`)

// doiTerm is the query for a DOI. Characters with a meaning in the dialect,
// such as the parentheses of 10.1016/s0140-6736(00)02799-9, need quotation
// marks.
func doiTerm(doi string) string {
	if plainDOI.MatchString(doi) {
		return doi + "[doi]"
	}
	return `"` + strings.NewReplacer(`"`, "", "[", "", "]", "").Replace(doi) + `"[doi]`
}

// links is one elink: the PMIDs at the other end of one kind of link. Each id
// is a parameter of its own, else PubMed merges their answers into one set.
func (a *answers) links(ctx context.Context, pmids []string, link string) ([]string, error) {
	q := url.Values{"dbfrom": {"pubmed"}, "cmd": {"neighbor"}, "linkname": {link}, "retmode": {"json"}, "id": pmids}
	resp, err := a.send(ctx, "elink", q, false, func(body []byte) error {
		_, err := decodeLinks(body, link)
		return err
	})
	if err != nil {
		return nil, err
	}
	ids, err := decodeLinks(resp.Body, link)
	if err != nil {
		return nil, a.fail(err)
	}
	own := map[string]bool{}
	for _, id := range pmids {
		own[id] = true
	}
	kept := ids[:0]
	for _, id := range ids {
		if !own[id] {
			kept = append(kept, id)
		}
	}
	return kept, nil
}

// ids collects PMIDs, each once, up to a limit.
type ids struct {
	list  []string
	seen  map[string]bool
	limit int
}

// take adds the PMIDs of one answer, counts what cannot be asked for, and
// reports whether there was any that had not come with an earlier answer.
func (a *answers) take(u *ids, answer []string) (fresh bool) {
	if u.seen == nil {
		u.seen = map[string]bool{}
	}
	here := map[string]bool{}
	for _, raw := range answer {
		id := state.NormalizePMID(raw)
		switch {
		case id == "":
			a.Result.AddSkip("not a PMID", raw)
		case here[id]:
			a.Result.AddSkip("named twice", id)
		case !u.seen[id]:
			fresh = true
			if len(u.list) < u.limit {
				u.seen[id] = true
				u.list = append(u.list, id)
			}
		}
		here[id] = true
	}
	return fresh
}

// records fetches the records of PMIDs that PubMed named, in the order of the
// ids, and returns the result. An id without a record is counted.
func (a *answers) records(ctx context.Context, pmids []string) (sources.Result, error) {
	records, missing, err := a.articles(ctx, pmids)
	if err != nil {
		return sources.Result{}, err
	}
	a.Result.Records = records
	for _, id := range missing {
		a.Result.AddSkip("not returned by efetch", id)
	}
	return a.Result, nil
}

// articles fetches records batch by batch. Under load efetch leaves records
// out (RISmed issue 12, biopython 1944); those are asked for once more, as a
// form, so that the second request is another one in a recorded run.
func (a *answers) articles(ctx context.Context, ids []string) (records []state.Record, missing []string, err error) {
	for len(ids) > 0 {
		batch := ids[:min(fetchBatch, len(ids))]
		ids = ids[len(batch):]
		got := map[string]state.Record{}
		lost, err := a.fetch(ctx, batch, false, got)
		if err != nil {
			return nil, nil, err
		}
		if len(lost) > 0 {
			again := len(lost)
			if lost, err = a.fetch(ctx, lost, true, got); err != nil {
				return nil, nil, err
			}
			if len(lost) < again {
				a.Note("asked again for %d records that efetch left out, got %d", again, again-len(lost))
			}
		}
		missing = append(missing, lost...)
		for _, id := range batch {
			if r, ok := got[id]; ok && r.Key != "" {
				records = append(records, r)
			}
		}
	}
	return records, missing, nil
}

// fetch is one efetch. It puts the records into got, an empty one for an
// entry that was skipped, and returns the ids that did not come.
func (a *answers) fetch(ctx context.Context, ids []string, form bool, got map[string]state.Record) (lost []string, err error) {
	q := url.Values{"id": {strings.Join(ids, ",")}, "rettype": {"abstract"}, "retmode": {"xml"}}
	resp, err := a.send(ctx, "efetch", q, form, checkArticles)
	if err != nil {
		return nil, err
	}
	entries, err := decodeArticles(resp.Body)
	if err != nil {
		return nil, a.fail(err)
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	for _, e := range entries {
		r, why := e.record()
		id := r.IDs[state.PMID]
		_, twice := got[id]
		a.came[id] = true
		switch {
		case twice && form: // it came with the first answer
		case !wanted[id]:
			a.Result.AddSkip("sent without being asked for", cmp.Or(r.Title, id))
		case twice:
			a.Result.AddSkip("sent twice", id)
		case why != "":
			a.Result.AddSkip(why, "PMID "+id)
			got[id] = state.Record{}
		default:
			got[id] = r
		}
	}
	for _, id := range ids {
		if _, ok := got[id]; !ok {
			lost = append(lost, id)
		}
	}
	return lost, nil
}
