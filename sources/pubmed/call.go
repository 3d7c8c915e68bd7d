package pubmed

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
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
	source *Source
	op     string
	lookup bool // an id without a record is unknown, not lost
	result sources.Result
}

func (s *Source) begin(op string) *answers {
	return &answers{source: s, op: op, result: sources.Result{Total: -1, CreditsLeft: -1}}
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
	a.result.Raw = resp.Raw
	a.result.Requests = append(a.result.Requests, resp.Request)
	return resp, nil
}

// search is one esearch.
func (a *answers) search(ctx context.Context, q url.Values) (found, error) {
	q.Set("retmode", "json")
	resp, err := a.send(ctx, "esearch", q, false, func(body []byte) error {
		f, err := decodeSearch(body)
		if err == nil && f.Count > 0 && len(f.IDs) == 0 {
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

// byDOI finds the PMIDs of DOIs, as far as PubMed has them.
func (a *answers) byDOI(ctx context.Context, dois []string) ([]string, error) {
	var pmids []string
	for len(dois) > 0 {
		batch := dois[:min(doiBatch, len(dois))]
		dois = dois[len(batch):]
		terms := make([]string, len(batch))
		for i, doi := range batch {
			terms[i] = doiTerm(doi)
		}
		f, err := a.search(ctx, url.Values{"term": {strings.Join(terms, " OR ")}, "retmax": {fmt.Sprint(2 * doiBatch)}})
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

// distinct normalises PMIDs and counts what cannot be asked for; at most
// limit are returned.
func (a *answers) distinct(ids []string, limit int) []string {
	var out []string
	seen := map[string]bool{}
	for _, raw := range ids {
		id := state.NormalizePMID(raw)
		switch {
		case id == "":
			a.result.AddSkip("not a PMID", raw)
		case seen[id]:
			if !a.lookup { // where a PMID and a DOI may mean the same work
				a.result.AddSkip("named twice", id)
			}
		case len(out) < limit:
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// records fetches the records of PMIDs, in the order of the ids, and returns
// the result.
func (a *answers) records(ctx context.Context, ids []string) (sources.Result, error) {
	records, missing, err := a.articles(ctx, ids)
	if err != nil {
		return sources.Result{}, err
	}
	a.result.Records = records
	for _, id := range missing {
		if a.lookup {
			a.note("PubMed has no record for PMID %s", id)
		} else {
			a.result.AddSkip("not returned by efetch", id)
		}
	}
	return a.result, nil
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
				a.note("asked again for %d records that efetch left out, got %d", again, again-len(lost))
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
		switch {
		case twice && form: // it came with the first answer
		case !wanted[id]:
			a.result.AddSkip("sent without being asked for", orElse(r.Title, id))
		case twice:
			a.result.AddSkip("sent twice", id)
		case why != "":
			a.result.AddSkip(why, "PMID "+id)
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

func (a *answers) note(format string, args ...any) {
	a.result.Notes = append(a.result.Notes, fmt.Sprintf(format, args...))
}
