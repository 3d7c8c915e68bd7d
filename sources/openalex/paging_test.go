package openalex

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// serve plays the service and returns a source that asks it.
func serve(t *testing.T, h http.HandlerFunc) *Source {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	client, err := fetch.New(fetch.Options{
		MaxRetries: -1, AllowPrivate: true,
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return New(client, Config{Base: server.URL})
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

type object = map[string]any

func workObject(n int) object {
	return object{"id": fmt.Sprintf("https://openalex.org/W%d", n), "title": fmt.Sprintf("Work number %d", n)}
}

// library answers list calls for works W1 to Wcount.
func library(count int, asked *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		*asked = append(*asked, q.Get("cursor")+" "+q.Get("per_page"))
		start := 0
		if c := q.Get("cursor"); c != "*" {
			start, _ = strconv.Atoi(c)
		}
		per, _ := strconv.Atoi(q.Get("per_page"))
		results := []object{}
		for n := start + 1; n <= min(start+per, count); n++ {
			results = append(results, workObject(n))
		}
		var next any
		if start+per < count {
			next = strconv.Itoa(start + per)
		}
		w.Header().Set("X-RateLimit-Credits-Used", "10")
		w.Header().Set("X-RateLimit-Remaining", strconv.Itoa(1000-10*len(*asked)))
		answer(w, object{"meta": object{"count": count, "next_cursor": next, "cost_usd": 0.001}, "results": results})
	}
}

func TestSearchPages(t *testing.T) {
	for _, c := range []struct {
		count, limit, records int
		asked                 string
	}{
		{250, 10, 10, "[* 10]"},
		{250, 150, 150, "[* 100 100 100]"},
		{250, 1000, 250, "[* 100 100 100 200 100]"},
		{200, 1000, 200, "[* 100 100 100]"},
		{3, 0, 1, "[* 1]"},
		{0, 25, 0, "[* 25]"},
	} {
		var asked []string
		s := serve(t, library(c.count, &asked))
		r, err := s.Search(t.Context(), sources.Request{Query: "x", Limit: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Records) != c.records || r.Total != c.count || fmt.Sprint(asked) != c.asked {
			t.Errorf("%d of %d: %d records, total %d, asked %v; want %d and %s", c.limit, c.count, len(r.Records), r.Total, asked, c.records, c.asked)
		}
		if r.Credits != 10*len(asked) || r.CreditsLeft != 1000-10*len(asked) {
			t.Errorf("%d credits, %d left after %d calls of 10", r.Credits, r.CreditsLeft, len(asked))
		}
	}
}

func TestSearchSendsFiltersAndKey(t *testing.T) {
	var got http.Request
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = *r
		answer(w, object{"meta": object{"count": 0, "cost_usd": 0.001}, "results": []object{}})
	})
	s.cfg.Key = "secret-key"
	r, err := s.Search(t.Context(), sources.Request{Query: s.Clean("what works?"), Types: []string{"article", "trial", "conference"}, Languages: []string{"en", "Dutch"}, SinceYear: 2016, UntilYear: 2020, Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	q := got.URL.Query()
	if want := "from_publication_date:2016-01-01,to_publication_date:2020-12-31,type:article,language:en"; q.Get("filter") != want || r.Filters != want {
		t.Errorf("filter sent %q, noted %q, want %q", q.Get("filter"), r.Filters, want)
	}
	if q.Get("search") != "what works" || r.Sent != "what works" || q.Get("api_key") != "secret-key" {
		t.Errorf("sent %v, noted %q", q, r.Sent)
	}
	if notes := strings.Join(r.Notes, "; "); len(r.Notes) != 3 || !strings.Contains(notes, "trial") || !strings.Contains(notes, "Dutch") {
		t.Errorf("notes are %q", notes)
	}
	if r.Credits != 10 || r.CreditsLeft != -1 {
		t.Errorf("credits %d, left %d; want 10 by the price in the answer, and unknown", r.Credits, r.CreditsLeft)
	}
}

// A page that fails after good pages costs the whole result: nothing half.
func TestLaterPageFails(t *testing.T) {
	var asked []string
	healthy := library(300, &asked)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if len(asked) == 1 {
			http.Error(w, "overloaded", http.StatusServiceUnavailable)
			return
		}
		healthy(w, r)
	})
	r, err := s.Search(t.Context(), sources.Request{Query: "x", Limit: 300})
	if sources.OutcomeOf(err) != state.Down || len(r.Records) != 0 {
		t.Errorf("%d records, error %v; want none and down", len(r.Records), err)
	}
}

func TestLookup(t *testing.T) {
	var asked []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		filter := r.URL.Query().Get("filter")
		asked = append(asked, strings.TrimPrefix(r.URL.EscapedPath(), "/works")+filter)
		switch filter {
		case "doi:10.1000/a|10.1000/b|10.1000/c":
			answer(w, object{"meta": object{"count": 1}, "results": []object{{"id": "W1", "doi": "https://doi.org/10.1000/A", "title": "A"}}})
		case "pmid:7|8|9":
			answer(w, object{"meta": object{"count": 1}, "results": []object{
				{"id": "W2", "title": "B", "ids": object{"pmid": "https://pubmed.ncbi.nlm.nih.gov/7"}},
			}})
		default:
			http.Error(w, "<!doctype html><title>404 Not Found</title>", http.StatusNotFound)
		}
	})
	r, err := s.Lookup(t.Context(), []state.IDs{
		{state.DOI: "10.1000/a"}, {state.DOI: "10.1000/b", state.PMID: "7"}, {state.DOI: "10.1000/c", state.PMID: "8"}, {state.PMID: "9"},
		{state.DOI: "10.1000/a"}, {state.ArXiv: "2106.09685"}, {state.DOI: "10.1000/x,y<1::aid>3.0.co;2-1"}, {"acl": "P18-1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/doi:10.1000%2Fx%2Cy%3C1::aid%3E3.0.co%3B2-1",
		"doi:10.1000/a|10.1000/b|10.1000/c",
		"/doi:10.48550%2Farxiv.2106.09685",
		"pmid:7|8|9",
	}
	if strings.Join(asked, "\n") != strings.Join(want, "\n") {
		t.Errorf("asked\n%s\nwant\n%s", strings.Join(asked, "\n"), strings.Join(want, "\n"))
	}
	if len(r.Records) != 2 || r.Records[0].Key != "openalex:W1" || r.Records[1].Key != "openalex:W2" || r.Total != -1 {
		t.Errorf("records are %+v, total %d", r.Records, r.Total)
	}
	for _, absent := range []string{"10.1000/c", "10.1000/x,y<1::aid>3.0.co;2-1", "arxiv 2106.09685", "pmid 9", "1 works have no identifier"} {
		if !strings.Contains(strings.Join(r.Notes, "\n"), absent) {
			t.Errorf("the notes %q do not name %s", r.Notes, absent)
		}
	}
	if len(r.Requests) != 4 {
		t.Errorf("%d request hashes, want 4: what is absent was asked for too", len(r.Requests))
	}
}

// 250 references in batches of 100; the order is that of the list.
func TestReferencesInBatches(t *testing.T) {
	var batches []int
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/works/doi:10.1000/seed") {
			var listed []string
			for n := 250; n > 0; n-- {
				listed = append(listed, fmt.Sprintf("https://openalex.org/W%d", n))
			}
			answer(w, object{"id": "W999", "title": "The seed", "referenced_works": listed})
			return
		}
		ids := strings.Split(strings.TrimPrefix(r.URL.Query().Get("filter"), "openalex:"), "|")
		batches = append(batches, len(ids))
		results := []object{}
		for i := len(ids) - 1; i >= 0; i-- { // another order than asked
			n, _ := strconv.Atoi(ids[i][1:])
			results = append(results, workObject(n))
		}
		answer(w, object{"meta": object{"count": len(ids)}, "results": results})
	})
	seed := sources.Seed{IDs: map[string][]string{state.ArXiv: {"2106.09685"}, state.DOI: {"no doi", "https://doi.org/10.1000/SEED"}}}
	r, err := s.References(t.Context(), seed, 500)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(batches) != "[100 100 50]" || len(r.Records) != 250 || r.Total != 250 {
		t.Errorf("batches %v, %d records, total %d", batches, len(r.Records), r.Total)
	}
	if r.Records[0].Title != "Work number 250" || r.Records[249].Title != "Work number 1" {
		t.Errorf("first %q, last %q", r.Records[0].Title, r.Records[249].Title)
	}
	if r.Verified == nil || r.Verified.Title != "The seed" {
		t.Errorf("Verified is %+v", r.Verified)
	}
	batches = nil
	r, err = s.References(t.Context(), seed, 120)
	if err != nil || len(r.Records) != 120 || fmt.Sprint(batches) != "[100 20]" || len(r.Notes) != 1 {
		t.Errorf("%d records in batches %v, notes %q, error %v", len(r.Records), batches, r.Notes, err)
	}
}

// A seed that one identifier does not find is asked for by the next.
func TestSeedByTheNextIdentifier(t *testing.T) {
	var paths []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		switch r.URL.Path {
		case "/works/doi:10.48550/arxiv.2106.09685":
			answer(w, object{"id": "W5", "title": "A work"})
		case "/works":
			answer(w, object{"meta": object{"count": 1}, "results": []object{workObject(9)}})
		default:
			http.NotFound(w, r)
		}
	})
	r, err := s.Citing(t.Context(), sources.Seed{IDs: map[string][]string{state.DOI: {"10.1000/gone"}, state.ArXiv: {"2106.09685v2"}}}, 10)
	if err != nil || len(r.Records) != 1 || r.Filters != "cites:W5" || len(paths) != 3 {
		t.Errorf("%d records, filters %q, asked %v, error %v", len(r.Records), r.Filters, paths, err)
	}
	_, err = s.References(t.Context(), sources.Seed{IDs: map[string][]string{state.DOI: {"10.1000/gone"}}}, 10)
	if sources.OutcomeOf(err) != state.NoList || !strings.Contains(err.Error(), "10.1000/gone") {
		t.Errorf("references of an unknown work: %v", err)
	}
}

// Without credit for another page the search ends there and says so.
func TestCreditEndsSearch(t *testing.T) {
	var asked []string
	healthy := library(5000, &asked)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for len(asked) < 97 {
			asked = append(asked, "spent before")
		}
		healthy(w, r)
	})
	r, err := s.Search(t.Context(), sources.Request{Query: "x", Limit: 1000})
	if err != nil || len(r.Records) != 300 || !strings.Contains(r.Capped, "midnight UTC") || r.CreditsLeft != 0 {
		t.Errorf("%d records, capped %q, %d credits left, error %v", len(r.Records), r.Capped, r.CreditsLeft, err)
	}
}

// Look-ups go on without credit, one by one; a search cannot.
func TestLookupWithoutCredit(t *testing.T) {
	calls := 0
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		calls++
		if id, one := strings.CutPrefix(r.URL.Path, "/works/pmid:"); one {
			answer(w, object{"id": "W" + id, "title": "Work " + id, "ids": object{"pmid": "https://pubmed.ncbi.nlm.nih.gov/" + id}})
			return
		}
		w.Header().Set("Retry-After", "40447")
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":"Rate limit exceeded","message":"Insufficient budget.","retryAfter":40447,"creditsRequired":1,"creditsRemaining":0}`)
	})
	r, err := s.Lookup(t.Context(), []state.IDs{{state.PMID: "1"}, {state.PMID: "2"}, {state.PMID: "3"}})
	if err != nil || len(r.Records) != 3 || calls != 4 || !strings.Contains(strings.Join(r.Notes, " "), "one by one") {
		t.Errorf("%d records after %d calls, notes %q, error %v", len(r.Records), calls, r.Notes, err)
	}
	if _, err := s.Search(t.Context(), sources.Request{Query: "x", Limit: 1}); sources.OutcomeOf(err) != state.Throttled || calls != 5 {
		t.Errorf("after %d calls: %v", calls, err)
	}
}

// A merged work answers 301 at its old id; the new one is the work.
func TestMergedWork(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/works/W5" {
			http.Redirect(w, r, "/works/W6?"+r.URL.RawQuery, http.StatusMovedPermanently)
			return
		}
		answer(w, object{"id": "https://openalex.org/W6", "title": "The work that it became"})
	})
	r, err := s.Lookup(t.Context(), []state.IDs{{state.OpenAlex: "W5"}})
	if err != nil || len(r.Records) != 1 || r.Records[0].IDs[state.OpenAlex] != "W6" || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "W5") {
		t.Errorf("%+v, error %v", r, err)
	}
}

// A field is searched by a parameter of its own.
func TestFieldsAreParameters(t *testing.T) {
	var got string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		got = q.Get("search") + "|" + q.Get("search.title") + "|" + q.Get("search.title_and_abstract") + "|" + q.Get("search.exact")
		answer(w, object{"meta": object{"count": 0}, "results": []object{}})
	})
	for query, want := range map[string]string{
		s.Write(sources.Expr{All: [][]string{{"a", "b c"}}, Field: sources.Title, Not: []string{"d"}}): `|(a OR "b c") NOT d||`,
		s.Write(sources.Expr{All: [][]string{{"a"}}, Field: sources.TitleAbstract}):                    "||a|",
		"search.exact=immun*": "|||immun*",
		"title.search:(a":     "title.search:(a|||",
	} {
		r, err := s.Search(t.Context(), sources.Request{Query: query, Limit: 1})
		if err != nil || got != want || r.Sent != query {
			t.Errorf("%s: asked %q, want %q; sent %q, error %v", query, got, want, r.Sent, err)
		}
	}
}
