package semanticscholar

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
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
func serve(t *testing.T, key string, h http.HandlerFunc) *Source {
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
	return New(client, Config{Base: server.URL + "/graph/v1", Key: key})
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}

type object = map[string]any

func paperObject(n int) object {
	return object{"paperId": fmt.Sprintf("%040x", n), "title": fmt.Sprint("Paper ", n)}
}

// graph answers searches and lists over count papers.
func graph(count int, asked *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/search") && !strings.HasSuffix(r.URL.Path, "/citations") && !strings.HasSuffix(r.URL.Path, "/references") {
			answer(w, object{"paperId": hex, "title": "The seed", "citationCount": count, "referenceCount": count})
			return
		}
		q := r.URL.Query()
		*asked = append(*asked, q.Get("offset")+"+"+q.Get("limit"))
		offset, _ := strconv.Atoi(q.Get("offset"))
		limit, _ := strconv.Atoi(q.Get("limit"))
		data := []object{}
		for n := offset; n < min(offset+limit, count); n++ {
			p := paperObject(n + 1)
			if strings.HasSuffix(r.URL.Path, "/citations") {
				p = object{"citingPaper": p}
			} else if strings.HasSuffix(r.URL.Path, "/references") {
				p = object{"citedPaper": p}
			}
			data = append(data, p)
		}
		out := object{"total": count, "offset": offset, "data": data}
		if offset+limit < count {
			out["next"] = offset + limit
		}
		answer(w, out)
	}
}

func TestSearchPages(t *testing.T) {
	for _, c := range []struct {
		count, limit, records int
		asked                 string
	}{
		{250, 10, 10, "[0+10]"},
		{250, 150, 150, "[0+100 100+100]"},
		{250, 1000, 250, "[0+100 100+100 200+100]"},
		{5000, 1000, 1000, "[0+100 100+100 200+100 300+100 400+100 500+100 600+100 700+100 800+100 900+100]"},
	} {
		var asked []string
		r, err := serve(t, "", graph(c.count, &asked)).Search(t.Context(), sources.Request{Query: "x", Limit: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Records) != c.records || r.Total != c.count || fmt.Sprint(asked) != c.asked {
			t.Errorf("%d of %d: %d records, total %d, asked %v; want %d and %s", c.limit, c.count, len(r.Records), r.Total, asked, c.records, c.asked)
		}
	}
}

func TestListPages(t *testing.T) {
	for _, c := range []struct {
		count, limit, records, notes int
		asked                        string
	}{
		{3, 100, 3, 0, "[0+100]"},
		{1200, 700, 700, 0, "[0+500 500+500]"},
		{1200, 5000, 1200, 0, "[0+500 500+500 1000+500]"},
		{20_000, 10_000, 9_500, 0, ""},
	} {
		var asked []string
		s := serve(t, "", graph(c.count, &asked))
		for name, list := range map[string]func(context.Context, sources.Seed, int) (sources.Result, error){"references": s.References, "citing": s.Citing} {
			asked = nil
			r, err := list(t.Context(), sources.Seed{IDs: map[string][]string{state.S2: {hex}}}, c.limit)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Records) != c.records || r.Total != c.count || len(r.Notes) != c.notes || (r.Capped == "") != (c.records == min(c.limit, c.count)) || c.asked != "" && fmt.Sprint(asked) != c.asked {
				t.Errorf("%s, %d of %d: %d records, total %d, notes %q, asked %v", name, c.limit, c.count, len(r.Records), r.Total, r.Notes, asked)
			}
			if r.Verified == nil || r.Verified.Title != "The seed" {
				t.Errorf("%s: Verified is %+v", name, r.Verified)
			}
		}
	}
}

func TestRequest(t *testing.T) {
	var got http.Request
	s := serve(t, "the-key", func(w http.ResponseWriter, r *http.Request) {
		got = *r
		answer(w, object{"total": 0, "offset": 0})
	})
	for _, c := range []struct {
		since, until int
		want         string
	}{{2016, 2020, "2016-2020"}, {2016, 0, "2016-"}, {0, 2020, "-2020"}, {0, 0, ""}} {
		r, err := s.Search(t.Context(), sources.Request{Query: s.Clean("long-term effects?"), Types: []string{"review", "preprint"}, Languages: []string{"de"}, SinceYear: c.since, UntilYear: c.until, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		q := got.URL.Query()
		if len(r.Notes) != 2 || q.Get("publicationTypes") != "Review" || !strings.HasSuffix(r.Filters, "publicationTypes=Review") {
			t.Errorf("types sent %q, filters %q, notes %q", q.Get("publicationTypes"), r.Filters, r.Notes)
		}
		if q.Get("year") != c.want || strings.TrimPrefix(strings.TrimSuffix(strings.TrimSuffix(r.Filters, "publicationTypes=Review"), "&"), "year=") != c.want {
			t.Errorf("year sent %q, noted %q, want %q", q.Get("year"), r.Filters, c.want)
		}
		if q.Get("query") != "long term effects" || r.Sent != "long term effects" || got.Header.Get("X-Api-Key") != "the-key" || got.URL.Path != "/graph/v1/paper/search" {
			t.Errorf("sent %s with key %q, noted %q", got.URL, got.Header.Get("X-Api-Key"), r.Sent)
		}
	}
}

func TestLookup(t *testing.T) {
	var asked []string
	s := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, r.Method+" "+strings.TrimPrefix(r.URL.EscapedPath(), "/graph/v1/paper/")+" "+string(body))
		switch {
		case strings.Contains(string(body), "DOI:10.5555/a"):
			answer(w, []any{nil, nil, object{"paperId": hex, "title": "A", "externalIds": object{"DOI": "10.5555/A"}}}) // not in its place
		case strings.Contains(string(body), "PMID:"):
			// A batch without a known id is refused as a whole (2026).
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"error":"No valid paper ids given"}`)
		case strings.HasSuffix(r.URL.Path, "ACL:P18-1001"):
			answer(w, paperObject(2))
		default:
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"error":"Paper with id x not found"}`)
		}
	})
	r, err := s.Lookup(t.Context(), []state.IDs{
		{state.DOI: "10.5555/a"}, {state.DOI: "10.5555/b", state.PMID: "7"}, {state.DOI: "10.5555/C", state.PMID: "8"},
		{state.DOI: "10.5555/a"}, {state.ArXiv: "2106.09685"}, {state.ACL: "P18-1001"}, {"isbn": "1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`POST batch {"ids":["DOI:10.5555/a","DOI:10.5555/b","DOI:10.5555/c"]}`,
		`GET ARXIV:2106.09685 `,
		`POST batch {"ids":["PMID:7","PMID:8"]}`,
		`GET ACL:P18-1001 `,
	}
	if strings.Join(asked, "\n") != strings.Join(want, "\n") {
		t.Errorf("asked\n%s\nwant\n%s", strings.Join(asked, "\n"), strings.Join(want, "\n"))
	}
	if notes := strings.Join(r.Notes, "; "); !strings.Contains(notes, "doi 10.5555/b, doi 10.5555/C, arxiv 2106.09685") || !strings.Contains(notes, "1 works have no identifier") {
		t.Errorf("what is absent is not named: %q", notes)
	}
	if len(r.Records) != 2 || r.Total != -1 || len(r.Requests) != 4 {
		t.Errorf("%d records, total %d, %d requests", len(r.Records), r.Total, len(r.Requests))
	}
}

// A batch answered by null is no batch without hits.
func TestNullBatch(t *testing.T) {
	s := serve(t, "", func(w http.ResponseWriter, r *http.Request) { answer(w, nil) })
	_, err := s.Lookup(t.Context(), []state.IDs{{state.PMID: "7"}, {state.PMID: "8"}})
	if sources.OutcomeOf(err) != state.Broken {
		t.Errorf("a null batch: %v", err)
	}
}

// A DOI keeps its slashes in the path; the rest is escaped.
func TestPathOfADOI(t *testing.T) {
	var path string
	s := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		path = r.URL.EscapedPath()
		http.NotFound(w, r)
	})
	_, err := s.References(t.Context(), sources.Seed{IDs: map[string][]string{state.DOI: {"10.1002/(sici)1099-0771(199806)11:2<107::aid-bdm292>3.0.co;2-y"}}}, 5)
	if want := "/graph/v1/paper/DOI:10.1002/%28sici%291099-0771%28199806%2911:2%3C107::aid-bdm292%3E3.0.co%3B2-y"; path != want {
		t.Errorf("asked %s, want %s", path, want)
	}
	if sources.OutcomeOf(err) != state.NoList {
		t.Errorf("an unknown seed: %v", err)
	}
}

func TestHints(t *testing.T) {
	for _, c := range []struct {
		status int
		want   state.Outcome
	}{{http.StatusForbidden, state.Refused}, {http.StatusTooManyRequests, state.Throttled}} {
		s := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(c.status)
			io.WriteString(w, `{"message":"Forbidden"}`)
		})
		_, err := s.Search(t.Context(), sources.Request{Query: "x", Limit: 1})
		if sources.OutcomeOf(err) != c.want || !strings.Contains(err.Error(), "OPTIMISTRESEARCH_SOURCE_SEMANTICSCHOLAR_KEY") {
			t.Errorf("%d: %v", c.status, err)
		}
	}
}

// Beyond the ranked search the Boolean one gives the rest, each paper once.
func TestDeepSearch(t *testing.T) {
	var asked []string
	s := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		start, _ := strconv.Atoi(q.Get("offset") + q.Get("token"))
		size, _ := strconv.Atoi(q.Get("limit"))
		if strings.HasSuffix(r.URL.Path, "/bulk") {
			size = 1000
			asked = append(asked, fmt.Sprint("bulk ", start, " ", q.Get("sort"), " ", q.Get("query")))
		}
		data := []object{}
		for n := start; n < min(start+size, 2600); n++ {
			data = append(data, paperObject(n+1))
		}
		out := object{"total": 2600, "data": data}
		if start+size < 2600 {
			out["next"], out["token"] = start+size, strconv.Itoa(start+size)
		}
		answer(w, out)
	})
	r, err := s.Search(t.Context(), sources.Request{Query: "graph tree", Limit: 2500})
	if err != nil || len(r.Records) != 2500 || r.Total != 2600 || r.Capped != "" || len(r.Notes) != 1 {
		t.Fatalf("%d records of %d, capped %q, notes %q, error %v", len(r.Records), r.Total, r.Capped, r.Notes, err)
	}
	if want := "bulk 0 citationCount:desc graph tree|bulk 1000 citationCount:desc graph tree|bulk 2000 citationCount:desc graph tree"; strings.Join(asked, "|") != want {
		t.Errorf("asked %q", asked)
	}
	asked = nil
	r, err = s.Search(t.Context(), sources.Request{Query: `"graph tree" | bush`, Limit: 100})
	if err != nil || len(r.Records) != 100 || len(asked) != 1 || !strings.Contains(strings.Join(r.Notes, " "), "no order of relevance") {
		t.Errorf("%d records, asked %q, notes %q, error %v", len(r.Records), asked, r.Notes, err)
	}
}

// A batch whose answer would be over 10 MB is asked for in halves.
func TestLargeBatch(t *testing.T) {
	var sizes []int
	s := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		var body struct{ IDs []string }
		json.NewDecoder(r.Body).Decode(&body)
		sizes = append(sizes, len(body.IDs))
		if len(body.IDs) > 300 {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"error":"Response would exceed maximum size...."}`)
			return
		}
		var papers []object
		for _, id := range body.IDs {
			n, _ := strconv.Atoi(strings.TrimPrefix(id, "PMID:"))
			p := paperObject(n)
			p["externalIds"] = object{"PubMed": strings.TrimPrefix(id, "PMID:")}
			papers = append(papers, p)
		}
		answer(w, papers)
	})
	var works []state.IDs
	for n := range 700 {
		works = append(works, state.IDs{state.PMID: strconv.Itoa(n + 1)})
	}
	r, err := s.Lookup(t.Context(), works)
	if err != nil || len(r.Records) != 700 || fmt.Sprint(sizes) != "[500 250 250 200]" || len(r.Notes) != 0 {
		t.Errorf("%d records, batches %v, notes %q, error %v", len(r.Records), sizes, r.Notes, err)
	}
}

// What was not asked is skipped, what is not there is no list.
func TestNotAskedIsNoList(t *testing.T) {
	s := serve(t, "", func(w http.ResponseWriter, r *http.Request) { t.Errorf("asked %s", r.URL) })
	_, err := s.References(t.Context(), sources.Seed{IDs: map[string][]string{state.OpenAlex: {"W7"}}}, 5)
	if sources.OutcomeOf(err) != state.Skipped || !strings.Contains(err.Error(), "no identifier that Semantic Scholar understands") {
		t.Errorf("a seed with a foreign id: %v", err)
	}
}
