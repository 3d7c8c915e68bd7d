package sandbox

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFaultsInTurn checks that a request meets the faults in order, and that
// each request is counted for itself.
func TestFaultsInTurn(t *testing.T) {
	s := start(t, Options{Faults: Faults{Crossref: {{Kind: Throttle, Times: 2}, {Kind: ServerError, Status: 502}, {Kind: Refuse, Path: "/works/", Times: 1}}}})
	statuses := func(path string, n int) (out []int) {
		for range n {
			out = append(out, get(t, s, Crossref, path).status)
		}
		return out
	}
	if got := statuses("/works", 5); !slices.Equal(got, []int{429, 429, 502, 200, 200}) {
		t.Errorf("a list meets %v", got)
	}
	if got := statuses("/works/10.1038/nature04533", 5); !slices.Equal(got, []int{429, 429, 502, 403, 200}) {
		t.Errorf("a single work meets %v", got)
	}
	if a := get(t, s, OpenAlex, "/works"); a.status != 200 {
		t.Errorf("another service answers %d", a.status)
	}
}

func TestSameRequest(t *testing.T) {
	s := start(t, Options{Faults: Faults{
		OpenAlex: {{Kind: ServerError}}, ArXiv: {{Kind: EmptyPage}}, PubMed: {{Kind: ServerError}}, SemanticScholar: {{Kind: ServerError}},
	}})
	if a := get(t, s, OpenAlex, "/works", "search", "x", "per_page", "5"); a.status != 503 {
		t.Errorf("the first request gives %d", a.status)
	}
	if a := get(t, s, OpenAlex, "/works", "per_page", "5", "search", "x", "api_key", "k", "mailto", "m@example.org"); a.status != 200 {
		t.Errorf("the same in another order, with identity, gives %d", a.status)
	}
	if a := get(t, s, OpenAlex, "/works", "search", "x", "per_page", "6"); a.status != 503 {
		t.Errorf("another request gives %d", a.status)
	}
	entries := func(size string) int {
		return strings.Count(get(t, s, ArXiv, "/query", "search_query", "all:memory", "max_results", size).body, "<entry>")
	}
	if first, second := entries("5"), entries("6"); first != 0 || second != 6 {
		t.Errorf("arXiv shows %d, then %d entries", first, second)
	}
	if !strings.Contains(get(t, s, ArXiv, "/query", "search_query", "all:agents", "max_results", "5").body, "<opensearch:totalResults>") {
		t.Error("an empty page has no total")
	}
	post := func(body string) int {
		return fetch(t, http.MethodPost, s.URL(SemanticScholar)+"/paper/batch", "application/json", body).status
	}
	if a, b, c := post(`{"ids":["ARXIV:2310.08560"]}`), post(`{"ids":["ARXIV:2310.08560"]}`), post(`{"ids":["ARXIV:2210.03629"]}`); a != 503 || b != 200 || c != 503 {
		t.Errorf("batches give %d, %d, %d", a, b, c)
	}
	form := func(term string) int {
		return fetch(t, http.MethodPost, s.URL(PubMed)+"/esearch.fcgi", "application/x-www-form-urlencoded", "term="+term).status
	}
	if a, b, c := form("x"), form("x"), form("y"); a != 503 || b != 200 || c != 503 {
		t.Errorf("forms give %d, %d, %d", a, b, c)
	}
}

func TestFaultBodies(t *testing.T) {
	healthy := start(t, Options{})
	path := map[string]string{ArXiv: "/query?search_query=all:memory", OpenAlex: "/works?search=memory", Crossref: "/works?query=memory", PubMed: "/esearch.fcgi?term=memory&retmode=json",
		SemanticScholar: "/paper/search?query=memory", EuropePMC: "/search?query=memory&format=json"}
	for _, source := range Sources() {
		ask := func(f Fault) answer {
			f.Times = -1
			s := start(t, Options{Faults: Faults{source: {f}}})
			return fetch(t, "GET", s.URL(source)+path[source], "", "")
		}
		good := fetch(t, "GET", healthy.URL(source)+path[source], "", "")
		if a := ask(Fault{Kind: Throttle}); a.status != 429 || a.header.Get("Retry-After") != "" {
			t.Errorf("%s: throttled %d, Retry-After %q", source, a.status, a.header.Get("Retry-After"))
		}
		if a := ask(Fault{Kind: Throttle, RetryAfter: 90 * time.Second}); a.status != 429 || a.header.Get("Retry-After") != "90" {
			t.Errorf("%s: throttled %d, Retry-After %q", source, a.status, a.header.Get("Retry-After"))
		}
		if a := ask(Fault{Kind: Refuse, Status: 401}); a.status != 401 {
			t.Errorf("%s: refused %d", source, a.status)
		}
		if a := ask(Fault{Kind: ServerError}); a.status != 503 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || !strings.Contains(a.body, "<html>") {
			t.Errorf("%s: %d %s", source, a.status, a.body)
		}
		if a := ask(Fault{Kind: EmptyBody}); a.status != 200 || a.body != "" || a.header.Get("Content-Type") != good.header.Get("Content-Type") {
			t.Errorf("%s: an empty body is %d %q", source, a.status, a.body)
		}
		if a := ask(Fault{Kind: WrongType}); a.status != 200 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || !strings.Contains(a.body, "Sign in") {
			t.Errorf("%s: a login page is %d %q", source, a.status, a.body)
		}
		if a := ask(Fault{Kind: Slow, Wait: time.Millisecond}); a.body != good.body {
			t.Errorf("%s: a slow answer is another one", source)
		}
		if a := ask(Fault{Kind: Shuffle}); a.body == good.body || len(a.body) != len(good.body) {
			t.Errorf("%s: a shuffled page has %d bytes instead of %d", source, len(a.body), len(good.body))
		}
		if a, b := ask(Fault{Kind: DropRecords, Drop: 2}), ask(Fault{Kind: EmptyPage}); len(b.body) >= len(a.body) || len(a.body) >= len(good.body) {
			t.Errorf("%s: %d bytes, %d without two records, %d without any", source, len(good.body), len(a.body), len(b.body))
		}
		s := start(t, Options{Faults: Faults{source: {{Kind: CutBody}}}})
		req, _ := http.NewRequestWithContext(t.Context(), "GET", s.URL(source)+path[source], nil)
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil || len(body) == 0 || len(body) > len(good.body)/2+1 {
			t.Errorf("%s: a cut body has %d of %d bytes, error %v", source, len(body), len(good.body), err)
		}
	}
}

// TestThrottledBodies compares the refusals with the recorded ones.
func TestThrottledBodies(t *testing.T) {
	for source, name := range map[string]string{ArXiv: "arxiv/rate_exceeded.txt", Crossref: "crossref/error_429_html.html", SemanticScholar: "semanticscholar/error_429_no_key.json"} {
		s := start(t, Options{Faults: Faults{source: {{Kind: Throttle}}}})
		if a, want := get(t, s, source, "/works"), recorded(t, name); strings.TrimSpace(a.body) != strings.TrimSpace(string(want)) {
			t.Errorf("%s: %q, recorded %q", source, a.body, want)
		}
	}
	s := start(t, Options{Faults: Faults{PubMed: {{Kind: Throttle}}}, Limits: map[string]Limit{PubMed: {PerSecond: 3}}})
	a := get(t, s, PubMed, "/efetch.fcgi", "id", "1", "retmode", "xml")
	if want := strings.Replace(string(recorded(t, "pubmed/error_429_no_key.json")), "203.0.113.7", "127.0.0.1", 1); strings.TrimSpace(a.body) != strings.TrimSpace(want) {
		t.Errorf("PubMed: %q, recorded %q", a.body, want)
	}
}

func TestPageFaults(t *testing.T) {
	records := []int{1, 2, 3, 4, 5}
	c := func(f Fault) *call { return &call{fault: f} }
	if got := page(c(Fault{}), records); !slices.Equal(got, records) {
		t.Errorf("healthy: %v", got)
	}
	if got := page(c(Fault{Kind: EmptyPage}), records); len(got) != 0 {
		t.Errorf("empty: %v", got)
	}
	for drop, want := range map[int]int{0: 4, 2: 3, 9: 0} {
		if got := page(c(Fault{Kind: DropRecords, Drop: drop}), records); len(got) != want || len(got) > 0 && got[0] != 1 {
			t.Errorf("%d dropped: %v", drop, got)
		}
	}
	for n := range len(records) + 1 {
		got := page(c(Fault{Kind: Shuffle}), records[:n])
		sorted := slices.Sorted(slices.Values(got))
		if !slices.Equal(sorted, records[:n]) || n > 1 && slices.Equal(got, records[:n]) {
			t.Errorf("%d shuffled: %v", n, got)
		}
	}
	if !slices.Equal(records, []int{1, 2, 3, 4, 5}) {
		t.Errorf("the records were changed: %v", records)
	}
}

func TestParseFault(t *testing.T) {
	cases := []struct {
		spec, source string
		want         Fault
		fault        string
	}{
		{"arxiv:empty-page", ArXiv, Fault{Kind: EmptyPage}, ""},
		{" openalex:throttle, times=3, retry-after=30s", OpenAlex, Fault{Kind: Throttle, Times: 3, RetryAfter: 30 * time.Second}, ""},
		{"crossref:server-error,status=502,path=/works/,times=always", Crossref, Fault{Kind: ServerError, Status: 502, Path: "/works/", Times: -1}, ""},
		{"pubmed:drop-records,drop=4", PubMed, Fault{Kind: DropRecords, Drop: 4}, ""},
		{"semanticscholar:slow,wait=1500ms", SemanticScholar, Fault{Kind: Slow, Wait: 1500 * time.Millisecond}, ""},
		{"scopus:throttle", "", Fault{}, "the services are arxiv"},
		{"throttle", "", Fault{}, "does not begin with a service"},
		{"arxiv:fire", "", Fault{}, "the kinds are"},
		{"arxiv:throttle,speed=3", "", Fault{}, "the settings are times"},
		{"arxiv:throttle,times=often", "", Fault{}, "write a number"},
		{"arxiv:slow,wait=3", "", Fault{}, "such as 30s"},
		{"arxiv:refuse,status=200", "", Fault{}, "use one from 400 to 599"},
		{"pubmed:body-error:0.2", PubMed, Fault{Kind: BodyError, Rate: 0.2}, ""},
		{"europepmc:throttle:1, times=2", EuropePMC, Fault{Kind: Throttle, Rate: 1, Times: 2}, ""},
		{"openalex:rename-field,field=title", OpenAlex, Fault{Kind: RenameField, Field: "title"}, ""},
		{"openalex:daily-budget,retry-after=11h", OpenAlex, Fault{Kind: DailyBudget, RetryAfter: 11 * time.Hour}, ""},
		{"pubmed:slow:often", "", Fault{}, "a number above 0"},
		{"pubmed:slow:1.5", "", Fault{}, "a number above 0"},
		{"pubmed:slow:0", "", Fault{}, "a number above 0"},
		{"pubmed:drop-field", "", Fault{}, "field=NAME"},
		{"pubmed:slow,field=title", "", Fault{}, "and with them only"},
	}
	for _, c := range cases {
		source, got, err := ParseFault(c.spec)
		switch {
		case c.fault == "" && (err != nil || source != c.source || got != c.want):
			t.Errorf("%q gives %s %+v, %v", c.spec, source, got, err)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%q gives %v, %q expected", c.spec, err, c.fault)
		}
	}
}
