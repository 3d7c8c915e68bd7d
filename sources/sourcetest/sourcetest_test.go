package sourcetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// toy is a complete source for an imaginary service, and wrong in the ways
// that its defects name.
type toy struct {
	do      Doer
	defects map[string]bool
}

func (s toy) Name() string { return "toy" }

func (s toy) Write(e sources.Expr) string {
	var words []string
	for _, group := range e.All {
		words = append(words, group...)
	}
	if s.defects["asks for what it should exclude"] {
		words = append(words, e.Not...)
	}
	return s.Clean(strings.Join(words, " "))
}

func (s toy) Clean(q string) string {
	q = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"()“”„«»`, r) || r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(q, " "))
	return strings.Join(strings.Fields(q), " ")
}

func (s toy) Search(ctx context.Context, req sources.Request) (sources.Result, error) {
	q := req.Query
	if s.defects["changes what was typed"] {
		q = s.Clean(q)
	}
	if strings.TrimSpace(q) == "" && !s.defects["sends nothing as a query"] {
		return sources.Result{}, &sources.Error{Source: "toy", Op: req.Op, Outcome: state.Skipped, Err: errors.New("the query is empty")}
	}
	result, err := s.get(ctx, req.Op, "/search", url.Values{"q": {q}}, min(req.Limit, toyMost))
	if err != nil {
		return result, err
	}
	result.Sent = q
	if len(result.Records) == toyMost && result.Total > toyMost && req.Limit > toyMost && !s.defects["hides its depth"] {
		result.Capped = "the toy gives no more than 600"
	}
	if !s.defects["drops a limit"] {
		for _, limit := range append(req.Types[:len(req.Types):len(req.Types)], req.Languages...) {
			result.Notes = append(result.Notes, "the toy cannot limit to "+limit)
		}
	}
	return result, nil
}

const toyMost, toyPage = 600, 100

func (s toy) Schemes() []string { return []string{"doi"} }

func (s toy) Lookup(ctx context.Context, ids []state.IDs) (sources.Result, error) {
	var dois []string
	for _, id := range ids {
		if doi := id["doi"]; doi != "" {
			dois = append(dois, doi)
		}
	}
	if len(dois) == 0 {
		return sources.Result{}, nil
	}
	result, err := s.get(ctx, "look up", "/works", url.Values{"doi": dois}, len(dois))
	if err == nil && !s.defects["drops an id"] {
		result.Notes = append(result.Notes, "asked for "+strings.Join(dois, ", "))
	}
	return result, err
}

func (s toy) Cites() (references, citing bool) { return true, false }

func (s toy) References(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	noList := &sources.Error{Source: "toy", Op: "references", Outcome: state.NoList, Err: errors.New("there is no list")}
	dois := seed.IDs["doi"]
	if len(dois) == 0 {
		return sources.Result{}, &sources.Error{Source: "toy", Op: "references", Outcome: state.Skipped, Err: errors.New("the work has no DOI")}
	}
	result, err := s.get(ctx, "references", "/references", url.Values{"doi": dois}, limit)
	if err == nil && len(result.Records) == 0 && !s.defects["shows a missing list as an empty one"] {
		return sources.Result{}, noList
	}
	return result, err
}

func (s toy) Citing(context.Context, sources.Seed, int) (sources.Result, error) {
	return sources.Result{}, nil
}

// get is the one kind of request of the toy, page by page.
func (s toy) get(ctx context.Context, op, path string, q url.Values, limit int) (sources.Result, error) {
	var all sources.Result
	seen := map[string]bool{}
	for start := 0; ; {
		q.Set("start", itoa(start))
		page, err := s.page(ctx, op, path, q, limit-len(all.Records))
		if err != nil {
			return sources.Result{}, err
		}
		records, fresh := page.Records, 0
		page.Records, page.Requests, page.Skips = all.Records, append(all.Requests, page.Requests...), append(all.Skips, page.Skips...)
		for _, r := range records {
			if !seen[r.Key] || s.defects["repeats a key"] {
				seen[r.Key] = true
				page.Records = append(page.Records, r)
				fresh++
			}
		}
		all, start = page, start+len(records)
		if len(all.Records) >= limit || start >= all.Total || len(records) < toyPage {
			if start < all.Total && len(all.Records) < limit && !s.defects["believes the total"] {
				all.Notes = append(all.Notes, "the toy gave fewer than it said")
			}
			return all, nil
		}
		if fresh == 0 && !s.defects["pages for ever"] {
			all.Notes = append(all.Notes, "the toy repeats itself")
			return all, nil
		}
	}
}

func (s toy) page(ctx context.Context, op, path string, q url.Values, limit int) (sources.Result, error) {
	if s.defects["starts on a context that is done"] {
		ctx = context.Background()
	}
	fail := func(outcome state.Outcome, err error) (sources.Result, error) {
		hint := ""
		if outcome == state.Refused {
			hint = "set the key"
		}
		return sources.Result{}, &sources.Error{Source: "toy", Op: op, Outcome: outcome, Err: err, Hint: hint}
	}
	request := fetch.Request{Service: "toy", Op: op, Base: "https://toy.example", Path: path, Query: q, Secrets: []string{Key}}
	if s.defects["hides the key from the HTTP path"] {
		q.Set("mine", Key)
		request.Secrets = nil
	} else {
		q.Set("api_key", Key)
	}
	if s.defects["leaves the pace to others"] {
		request.Service = "another"
	}
	resp, err := s.do.Do(ctx, request)
	switch kind := fetch.KindOf(err); kind {
	case "":
	case fetch.Cancelled:
		return fail(state.Skipped, err)
	case fetch.Refused:
		if s.defects["shows a refusal as no hits"] {
			return sources.Result{}, nil
		}
		if s.defects["shows the key"] {
			err = fmt.Errorf("key %s: %w", Key, err)
		}
		return fail(state.Refused, err)
	case fetch.Throttled, fetch.Down:
		if s.defects["mixes up the outcomes"] {
			return fail(state.Broken, err)
		}
		return fail(map[fetch.Kind]state.Outcome{fetch.Throttled: state.Throttled, fetch.Down: state.Down}[kind], err)
	default:
		return fail(state.Broken, err)
	}
	var w struct {
		Total *int
		Works []struct{ ID, Title string }
	}
	if err := json.Unmarshal(resp.Body, &w); (err != nil || w.Total == nil) && !s.defects["shows a broken reply as no hits"] {
		return fail(state.Broken, errors.New("the reply is no list of works"))
	}
	result := sources.Result{Raw: resp.Raw, Requests: []string{resp.Request}}
	if w.Total != nil {
		result.Total = *w.Total
	}
	for _, work := range w.Works {
		if work.Title == "" {
			if !s.defects["loses an entry"] {
				result.AddSkip("no title", work.ID)
			}
			continue
		}
		if len(result.Records) == limit && !s.defects["exceeds the limit"] {
			break
		}
		r := state.Record{Source: "toy", Title: work.Title, Kind: state.Other}
		r.Key = state.RecordKey("toy", work.ID, r)
		if s.defects["repeats a key"] {
			r.Key = "toy:same"
		}
		result.Records = append(result.Records, r)
	}
	return result, nil
}

var toyCases = func() Cases {
	works := `{"total":9,"works":[{"id":"1","title":"One"},{"id":"2","title":"Two"},{"id":"3"}]}`
	at := func(path, body string) []Answer {
		return []Answer{{Method: "GET", Path: path, Body: body}}
	}
	seed := sources.Seed{IDs: map[string][]string{"doi": {"10.5555/1"}}}
	return Cases{
		Search: Scenario{Request: sources.Request{Query: "rods", Limit: 5, Op: "search Q1"}, Answers: at("/search", works), Total: 9, Records: 2, Skips: 1},
		Zero:   Scenario{Request: sources.Request{Query: "rods", Limit: 5, Op: "search Q1"}, Answers: at("/search", `{"total":0}`)},
		Limit:  fetch.Limit{Every: time.Second, Burst: 1, Concurrent: 2},
		Pager: &Pager{Most: toyMost, Answer: func(_ string, q url.Values, l Library) string {
			start, _ := strconv.Atoi(q.Get("start"))
			var works []string
			first, last := l.Page(start, toyPage)
			for i := first; i <= last; i++ {
				works = append(works, fmt.Sprintf(`{"id":"%d","title":"Work %d"}`, i, i))
			}
			return fmt.Sprintf(`{"total":%d,"works":[%s]}`, l.Total, strings.Join(works, ","))
		}},
		Lookup:       &Scenario{IDs: []state.IDs{{"doi": "10.5555/1"}, {"doi": "10.5555/2"}}, Answers: at("/works", works), Records: 2, Skips: 1},
		References:   &Scenario{Seed: seed, Answers: at("/references", works), Records: 2, Skips: 1},
		NoReferences: &Scenario{Seed: seed, Answers: at("/references", `{"total":0}`)},
	}
}()

func TestToyConforms(t *testing.T) {
	Run(t, func(_ *testing.T, do Doer) sources.Source { return toy{do: do} }, toyCases)
}

// spy takes what a check reports instead of failing.
type spy struct {
	testing.TB
	mu    sync.Mutex
	words []string
}

func (s *spy) Errorf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.words = append(s.words, fmt.Sprintf(format, args...))
}

func (s *spy) Error(args ...any) { s.Errorf("%s", fmt.Sprint(args...)) }

func TestSuiteFindsDefects(t *testing.T) {
	for _, c := range []struct{ defect, check, says string }{
		{"shows a refusal as no hits", "faults", "want outcome refused"},
		{"shows a broken reply as no hits", "faults", "want outcome broken_reply"},
		{"mixes up the outcomes", "faults", "want throttled"},
		{"shows the key", "faults", "the error shows the key"},
		{"loses an entry", "healthy", "0 entries skipped, want 1"},
		{"repeats a key", "healthy", "two records have the key"},
		{"exceeds the limit", "limit", "search with limit 1: 2 records"},
		{"starts on a context that is done", "cancelled", "requests were sent"},
		{"shows a missing list as an empty one", "no list", "want outcome no_list"},
		{"sends nothing as a query", "nothing to send", "unexpected request"},
		{"drops an id", "healthy", "10.5555/2 was asked for, did not come back"},
		{"drops a limit", "limits", "no note names review"},
		{"changes what was typed", "untouched", "no request carries it"},
		{"hides its depth", "depth", "the reason why there are no more"},
		{"believes the total", "depth", "neither Capped nor a note says why"},
		{"pages for ever", "depth", "requests were sent, want at most 60"},
		{"hides the key from the HTTP path", "secrets", "show the key"},
		{"asks for what it should exclude", "queries", "asks for what is to be excluded"},
		{"leaves the pace to others", "pace", "want 1s at least"},
	} {
		t.Run(c.defect, func(t *testing.T) {
			for _, check := range checks {
				if check.name != c.check {
					continue
				}
				report := &spy{TB: t}
				s := suite{t, func(_ *testing.T, do Doer) sources.Source {
					return toy{do: do, defects: map[string]bool{c.defect: true}}
				}, toyCases}
				check.run(s, report)
				if all := strings.Join(report.words, "\n"); !strings.Contains(all, c.says) {
					t.Errorf("the check %q reports %q, want %q in it", c.check, all, c.says)
				}
			}
		})
	}
}

func TestGlobalsAreWatched(t *testing.T) {
	before := processWide()
	http.DefaultClient.Timeout = time.Second
	after := processWide()
	http.DefaultClient.Timeout = 0
	if before == after || processWide() != before {
		t.Error("a change of http.DefaultClient goes unseen")
	}
}

func TestQueryFaults(t *testing.T) {
	for q, faulty := range map[string]bool{
		"": false, "a": false, `"a b" OR (c)`: false, `"(" a`: false,
		`"a`: true, "(a": true, "a)": true, ")(": true, "a\nb": true, "a\xff": true, "“a”": true, " a": true,
	} {
		if got := len(QueryFaults(q)) > 0; got != faulty {
			t.Errorf("QueryFaults(%q) is %v", q, QueryFaults(q))
		}
	}
}

func TestRecordFaults(t *testing.T) {
	minus := -1
	good := func() state.Record {
		return state.Record{
			Key: "toy:1", Source: "toy", Title: "One", Kind: state.Published, Year: 2001, Date: "2001-02", Authors: []state.Author{{Name: "A"}},
			IDs: state.IDs{"doi": "10.5555/1"}, Links: []state.OALink{{URL: "https://a.example/1.pdf", Kind: "pdf"}},
			Related: []state.Related{{Type: "comment-on", ID: "doi:10.5555/2"}}, Retraction: &state.Retract{Status: state.RetractNone},
			Abstract: "p < 0.05 & n > 30", ISSN: []string{"1234-567X"}, Keywords: []string{"rods"}, Subjects: []string{"*Water/analysis"},
			Funding: []state.Grant{{Funder: "A Fund"}},
		}
	}
	if faults := RecordFaults("toy", good()); len(faults) != 0 {
		t.Fatalf("a good record has faults: %v", faults)
	}
	for name, spoil := range map[string]func(*state.Record){
		"foreign source":  func(r *state.Record) { r.Source = "other" },
		"foreign key":     func(r *state.Record) { r.Key = "other:1" },
		"empty key":       func(r *state.Record) { r.Key = "toy:" },
		"no title":        func(r *state.Record) { r.Title = "" },
		"no kind":         func(r *state.Record) { r.Kind = "" },
		"impossible year": func(r *state.Record) { r.Year, r.Date = 20011, "" },
		"date and year":   func(r *state.Record) { r.Date = "2002" },
		"month 13":        func(r *state.Record) { r.Date = "2001-13" },
		"seen":            func(r *state.Record) { r.Seen = map[string]state.Provenance{"a": {}} },
		"synopsis mark":   func(r *state.Record) { r.Abstract = state.SynopsisMark + "x" },
		"citations":       func(r *state.Record) { r.Citations = &minus },
		"retraction":      func(r *state.Record) { r.Retraction.Status = "perhaps" },
		"relation":        func(r *state.Record) { r.Related[0].ID = "10.5555/2" },
		"link":            func(r *state.Record) { r.Links[0].URL = "a.example" },
		"link kind":       func(r *state.Record) { r.Links[0].Kind = "doc" },
		"upper-case DOI":  func(r *state.Record) { r.IDs["doi"] = "10.5555/A" },
		"arXiv DOI":       func(r *state.Record) { r.IDs["doi"] = "10.48550/arxiv.2001.00001" },
		"markup":          func(r *state.Record) { r.Title = "<i>One</i>" },
		"entity":          func(r *state.Record) { r.Abstract = "a &amp; b" },
		"two spaces":      func(r *state.Record) { r.Title = "One  two" },
		"control":         func(r *state.Record) { r.Venue = "a\x02b" },
		"ISSN":            func(r *state.Record) { r.ISSN[0] = "1234567X" },
		"empty keyword":   func(r *state.Record) { r.Keywords[0] = "" },
		"subject twice":   func(r *state.Record) { r.Subjects = append(r.Subjects, r.Subjects[0]) },
		"empty grant":     func(r *state.Record) { r.Funding[0].Funder = "" },
		"nameless":        func(r *state.Record) { r.Authors[0].Name = "" },
		"upper-case type": func(r *state.Record) { r.Type = "Article" },
	} {
		r := good()
		spoil(&r)
		if len(RecordFaults("toy", r)) == 0 {
			t.Errorf("%s: no fault found", name)
		}
	}
}
