package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestStartRefuses(t *testing.T) {
	cases := []struct {
		opts Options
		want string
	}{
		{Options{Addr: "0.0.0.0:0"}, "not a loopback address"},
		{Options{Addr: "192.168.1.1:80"}, "not a loopback address"},
		{Options{Addr: "example.org:80"}, "not a loopback address"},
		{Options{Addr: "127.0.0.1"}, "write it as 127.0.0.1:8080"},
		{Options{Faults: Faults{"scopus": {{Kind: Slow}}}}, `the service "scopus"`},
		{Options{Faults: Faults{ArXiv: {{Kind: "fire"}}}}, `of the kind "fire"; the kinds are`},
		{Options{Faults: Faults{ArXiv: {{Kind: ServerError, Status: 200}}}}, "status 200"},
		{Options{Faults: Faults{ArXiv: {{Kind: Slow, Wait: -1}}}}, "negative"},
		{Options{Limits: map[string]Limit{"x": {}}}, `the limits name the service "x"`},
		{Options{Keys: map[string][]string{"x": {}}}, `the keys name the service "x"`},
	}
	for _, c := range cases {
		if s, err := Start(c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v gives %v, %q expected", c.opts, err, c.want)
			if s != nil {
				s.Close()
			}
		}
	}
	s := start(t, Options{})
	if _, err := Start(Options{Addr: strings.TrimPrefix(strings.TrimSuffix(s.URL(ArXiv), "/arxiv"), "http://")}); err == nil || !strings.Contains(err.Error(), "cannot listen") {
		t.Errorf("a port in use gives %v", err)
	}
}

func TestServerURLAndClose(t *testing.T) {
	s := start(t, Options{})
	if u := s.URL(OpenAlex); !strings.HasPrefix(u, "http://127.0.0.1:") || !strings.HasSuffix(u, "/openalex") {
		t.Errorf("the address is %q", u)
	}
	if u := s.URL("scopus"); u != "" {
		t.Errorf("an unknown service has the address %q", u)
	}
	if a := fetch(t, "GET", strings.TrimSuffix(s.URL(ArXiv), "arxiv")+"scopus/x", "", ""); a.status != 404 || !strings.Contains(a.body, "/openalex") {
		t.Errorf("an unknown path gives %d %s", a.status, a.body)
	}
	for _, source := range Sources() {
		if a := get(t, s, source, "/nothing/here"); a.status != 404 {
			t.Errorf("%s: an unknown path gives %d", source, a.status)
		}
		if a := fetch(t, http.MethodDelete, s.URL(source)+"/works", "", ""); a.status != 405 {
			t.Errorf("%s: DELETE gives %d", source, a.status)
		}
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := client.Get(s.URL(ArXiv)); err == nil {
		t.Error("the server still answers")
	}
}

// TestCloseCutsDelays closes while an answer is being delayed.
func TestCloseCutsDelays(t *testing.T) {
	s := start(t, Options{Faults: Faults{Crossref: {{Kind: Slow, Wait: time.Hour}}}})
	done := make(chan struct{})
	go func() {
		defer close(done)
		if resp, err := client.Get(s.URL(Crossref) + "/works"); err == nil {
			resp.Body.Close()
		}
	}()
	time.Sleep(20 * time.Millisecond)
	began := time.Now()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-done
	if spent := time.Since(began); spent > 2*time.Second {
		t.Errorf("closing took %v", spent)
	}
}

// TestPagingToTheEnd pages through each list and wants each record once.
func TestPagingToTheEnd(t *testing.T) {
	s := start(t, Options{})
	type pageOf func(state string) (ids []string, next string, total int)
	openAlex := func(params ...string) pageOf {
		return func(cursor string) ([]string, string, int) {
			var v struct {
				Meta struct {
					Count int
					Next  string `json:"next_cursor"`
				}
				Results []struct{ ID string }
			}
			decode(t, get(t, s, OpenAlex, "/works", append(params, "per_page", "37", "cursor", cursor)...).body, &v)
			var ids []string
			for _, r := range v.Results {
				ids = append(ids, r.ID)
			}
			return ids, v.Meta.Next, v.Meta.Count
		}
	}
	cases := map[string]struct {
		first string
		page  pageOf
	}{
		"arXiv": {"0", func(start string) ([]string, string, int) {
			var v struct {
				Total   int `xml:"totalResults"`
				Entries []struct {
					ID string `xml:"id"`
				} `xml:"entry"`
			}
			decodeXML(t, get(t, s, ArXiv, "/api/query", "search_query", "all:memory", "start", start, "max_results", "37").body, &v)
			var ids []string
			for _, e := range v.Entries {
				ids = append(ids, e.ID)
			}
			return ids, nextNumber(start, len(ids), 37), v.Total
		}},
		"OpenAlex, search":     {"*", openAlex("search", "memory")},
		"OpenAlex, everything": {"*", openAlex()},
		"OpenAlex, by page": {"1", func(number string) ([]string, string, int) {
			var v struct {
				Meta    struct{ Count int }
				Results []struct{ ID string }
			}
			decode(t, get(t, s, OpenAlex, "/works", "filter", "publication_year:2025", "per_page", "20", "page", number).body, &v)
			var ids []string
			for _, r := range v.Results {
				ids = append(ids, r.ID)
			}
			if len(ids) == 0 {
				return nil, "", v.Meta.Count
			}
			var n int
			fmt.Sscan(number, &n)
			return ids, itoa(n + 1), v.Meta.Count
		}},
		"Crossref, cursor": {"*", func(cursor string) ([]string, string, int) {
			var v struct {
				Message struct {
					Total int    `json:"total-results"`
					Next  string `json:"next-cursor"`
					Items []struct{ DOI string }
				}
			}
			decode(t, get(t, s, Crossref, "/works", "query", "memory", "rows", "11", "cursor", cursor).body, &v)
			var ids []string
			for _, i := range v.Message.Items {
				ids = append(ids, i.DOI)
			}
			if v.Message.Next == "" {
				t.Error("a page has no cursor")
			}
			if len(ids) == 0 {
				return nil, "", v.Message.Total
			}
			return ids, v.Message.Next, v.Message.Total
		}},
		"Crossref, offset": {"0", func(offset string) ([]string, string, int) {
			var v struct {
				Message struct {
					Total int `json:"total-results"`
					Items []struct{ DOI string }
				}
			}
			decode(t, get(t, s, Crossref, "/works", "query", "memory", "rows", "11", "offset", offset).body, &v)
			var ids []string
			for _, i := range v.Message.Items {
				ids = append(ids, i.DOI)
			}
			return ids, nextNumber(offset, len(ids), 11), v.Message.Total
		}},
		"PubMed": {"0", func(start string) ([]string, string, int) {
			var v struct {
				EsearchResult struct {
					Count  string
					IDList []string
				}
			}
			decode(t, get(t, s, PubMed, "/esearch.fcgi", "term", "memory", "retstart", start, "retmax", "7", "retmode", "json").body, &v)
			var total int
			fmt.Sscan(v.EsearchResult.Count, &total)
			return v.EsearchResult.IDList, nextNumber(start, len(v.EsearchResult.IDList), 7), total
		}},
		"Semantic Scholar": {"0", func(offset string) ([]string, string, int) {
			var v struct {
				Total, Next int
				Data        []struct{ PaperID string }
			}
			decode(t, get(t, s, SemanticScholar, "/paper/search", "query", "memory", "offset", offset, "limit", "37").body, &v)
			var ids []string
			for _, d := range v.Data {
				ids = append(ids, d.PaperID)
			}
			if v.Next == 0 {
				return ids, "", v.Total
			}
			return ids, itoa(v.Next), v.Total
		}},
		"Semantic Scholar, references": {"0", func(offset string) ([]string, string, int) {
			var v struct {
				Next int
				Data []struct{ CitedPaper struct{ Title string } }
			}
			decode(t, get(t, s, SemanticScholar, "/paper/ARXIV:2512.13564/references", "offset", offset, "limit", "50").body, &v)
			var ids []string
			for _, d := range v.Data {
				ids = append(ids, d.CitedPaper.Title)
			}
			if v.Next == 0 {
				return ids, "", 137
			}
			return ids, itoa(v.Next), 137
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			seen, total := map[string]bool{}, -1
			at, pages := c.first, 0
			for ; at != "" && pages < 100; pages++ {
				ids, next, of := c.page(at)
				if total >= 0 && of != total {
					t.Errorf("the total changed from %d to %d", total, of)
				}
				total = of
				for _, id := range ids {
					if seen[id] {
						t.Errorf("%s came twice", id)
					}
					seen[id] = true
				}
				at = next
			}
			if len(seen) != total || total < 8 {
				t.Errorf("%d records of %d on %d pages", len(seen), total, pages)
			}
		})
	}
}

func nextNumber(at string, got, size int) string {
	if got < size {
		return ""
	}
	var n int
	fmt.Sscan(at, &n)
	return itoa(n + got)
}

// TestAnswersAreStable asks the same of two servers, in another order and at
// once.
func TestAnswersAreStable(t *testing.T) {
	requests := []struct {
		source, path string
		params       []string
	}{
		{ArXiv, "/query", []string{"search_query", "all:memory"}}, {OpenAlex, "/works", []string{"search", "memory"}},
		{OpenAlex, "/works", []string{"sample", "10", "seed", "4"}}, {Crossref, "/works", []string{"sample", "10"}},
		{Crossref, "/works", []string{"query", "memory"}}, {PubMed, "/esearch.fcgi", []string{"term", "memory", "usehistory", "y", "retmode", "json"}},
		{PubMed, "/esearch.fcgi", []string{"term", "rats", "usehistory", "y", "retmode", "json"}}, {SemanticScholar, "/paper/search", []string{"query", "memory", "fields", "title,abstract"}},
		{SemanticScholar, "/paper/search/bulk", []string{"query", "memory"}},
	}
	one, other := start(t, Options{}), start(t, Options{Now: func() time.Time { return time.Date(2031, 5, 5, 5, 5, 5, 0, time.UTC) }})
	bodies := make([]string, len(requests))
	for i, r := range requests {
		bodies[i] = get(t, one, r.source, r.path, r.params...).body
	}
	var all sync.WaitGroup
	for i := len(requests) - 1; i >= 0; i-- {
		all.Go(func() {
			if got := get(t, other, requests[i].source, requests[i].path, requests[i].params...).body; got != bodies[i] {
				t.Errorf("%v gives another answer the second time", requests[i])
			}
		})
	}
	all.Wait()
}

func TestLimits(t *testing.T) {
	now := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	clock := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	limits := map[string]Limit{}
	for _, s := range Sources() {
		limits[s] = Limit{PerSecond: 2}
	}
	limits[OpenAlex] = Limit{PerSecond: 3, Credits: 25}
	s := start(t, Options{Limits: limits, Now: clock})
	ask := map[string]func() answer{
		ArXiv:           func() answer { return get(t, s, ArXiv, "/query", "search_query", "all:x") },
		Crossref:        func() answer { return get(t, s, Crossref, "/works/10.1038/nature04533") },
		PubMed:          func() answer { return get(t, s, PubMed, "/esearch.fcgi", "term", "x") },
		SemanticScholar: func() answer { return get(t, s, SemanticScholar, "/paper/search", "query", "x") },
	}
	for source, try := range ask {
		for i := range 3 {
			a := try()
			if want := map[bool]int{true: 200, false: 429}[i < 2]; a.status != want {
				t.Errorf("%s: request %d gives %d", source, i+1, a.status)
			}
			if a.status == 429 && a.header.Get("Retry-After") != "" {
				t.Errorf("%s says how long to wait, which it does not in life", source)
			}
		}
	}
	if l, i := get(t, s, Crossref, "/works").header.Get("x-rate-limit-limit"), get(t, s, PubMed, "/esearch.fcgi", "term", "x").header.Get("X-RateLimit-Limit"); l != "" && l != "2" || i != "2" {
		t.Errorf("the announced limits are %q and %q", l, i)
	}
	search := func() answer { return get(t, s, OpenAlex, "/works", "search", "memory", "per_page", "1") }
	if a := search(); a.status != 200 || a.header.Get("X-RateLimit-Remaining") != "15" {
		t.Errorf("%d, %s credits left", a.status, a.header.Get("X-RateLimit-Remaining"))
	}
	search()
	gone := search()
	var v struct {
		Error                               string
		RetryAfter, CreditsRequired, Credit int
	}
	decode(t, gone.body, &v)
	if gone.status != 429 || gone.header.Get("Retry-After") != "3600" || v.Error != "Rate limit exceeded" || v.CreditsRequired != 10 {
		t.Errorf("without credit: %d, Retry-After %s, %s", gone.status, gone.header.Get("Retry-After"), gone.body)
	}
	within(t, jsonPaths(t, []byte(gone.body)), jsonPaths(t, recorded(t, "openalex/error_429_daily_budget_anon.json")))
	if a := get(t, s, OpenAlex, "/works/W2024032885"); a.status != 200 {
		t.Errorf("a free call without credit gives %d", a.status)
	}
	mu.Lock()
	now = now.Add(2 * time.Hour)
	mu.Unlock()
	if a := search(); a.status != 200 {
		t.Errorf("the next day gives %d", a.status)
	}
	for range 2 {
		get(t, s, OpenAlex, "/works/W2024032885")
	}
	hasty := get(t, s, OpenAlex, "/works/W2024032885")
	if hasty.status != 429 || hasty.header.Get("Retry-After") != "1" || !strings.Contains(hasty.body, "3 requests per second") {
		t.Errorf("in haste: %d %s", hasty.status, hasty.body)
	}
	within(t, jsonPaths(t, []byte(hasty.body)), jsonPaths(t, recorded(t, "openalex/error_429_per_second.json")))
}

func TestKeys(t *testing.T) {
	s := start(t, Options{Keys: map[string][]string{OpenAlex: {"good"}, PubMed: {"good"}, SemanticScholar: {"good"}}})
	cases := []struct {
		source, path string
		params       []string
		want         int
	}{
		{OpenAlex, "/works", nil, 200}, {OpenAlex, "/works", []string{"api_key", "good"}, 200}, {OpenAlex, "/works", []string{"api_key", "bad"}, 401},
		{PubMed, "/esearch.fcgi", []string{"term", "x", "api_key", "good"}, 200}, {PubMed, "/esearch.fcgi", []string{"term", "x", "api_key", "bad"}, 400},
	}
	for _, c := range cases {
		if a := get(t, s, c.source, c.path, c.params...); a.status != c.want {
			t.Errorf("%s %v gives %d", c.source, c.params, a.status)
		}
	}
	bad := get(t, s, OpenAlex, "/works", "api_key", "bad")
	if want := recorded(t, "openalex/error_401_bad_key.json"); strings.TrimSpace(bad.body) != strings.TrimSpace(string(want)) {
		t.Errorf("got %s, want %s", bad.body, want)
	}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL(SemanticScholar)+"/paper/search?query=x", nil)
	req.Header.Set("x-api-key", "bad")
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if want := recorded(t, "semanticscholar/error_403_bad_key.json"); resp.StatusCode != 403 || string(body) != strings.TrimSpace(string(want)) || resp.Header.Get("x-amzn-ErrorType") != "ForbiddenException" {
		t.Errorf("a bad key gives %d %s", resp.StatusCode, body)
	}
}

// TestSpeed holds the start below 300 ms and a search below 5 ms, with room
// for a busy machine: the best of several counts.
func TestSpeed(t *testing.T) {
	best := time.Hour
	for range 3 {
		began := time.Now()
		s, err := Start(Options{})
		if err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(began))
		s.Close()
	}
	if best > 300*time.Millisecond {
		t.Errorf("starting takes %v", best)
	}
	s := start(t, Options{})
	for source, path := range map[string]string{
		ArXiv: "/query?search_query=" + url.QueryEscape(`(all:memory OR all:"language model") AND all:agents`) + "&max_results=50", OpenAlex: "/works?search=memory+AND+agents&per_page=25",
		Crossref: "/works?query.bibliographic=memory+of+agents", PubMed: "/esearch.fcgi?term=memory+AND+hippocampus", SemanticScholar: "/paper/search?query=memory+agents&fields=title,abstract,authors",
	} {
		best := time.Hour
		for range 5 {
			began := time.Now()
			fetch(t, "GET", s.URL(source)+path, "", "")
			best = min(best, time.Since(began))
		}
		if best > 5*time.Millisecond {
			t.Errorf("%s: a search takes %v", source, best)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	s := start(b, Options{})
	for b.Loop() {
		get(b, s, OpenAlex, "/works", "search", "memory AND agents", "per_page", "100")
	}
}

// FuzzQueries throws strings at every query language: no service may fail to
// answer, or answer with something that its format does not allow.
func FuzzQueries(f *testing.F) {
	lib, err := shared()
	if err != nil {
		f.Fatal(err)
	}
	for _, q := range []string{"memory", `"a b"~5 (`, "((", `ti:"x AND (`, "a-b", "NOT -x | +", "[dp] : 2020", `"2020"[dp] : "2021"[dp]`, "日本語 ’", "a*", "*", "\x00\xff", "))((", "OR OR", "AND NOT OR",
		"submittedDate:[1 TO 2]", "x[tiab:~9]", "-(", "id:v", "cat:", "au:_", strings.Repeat("(", 300), `""`, "x:y:z"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		s := &Server{lib: lib, finders: lib.prepare(), budget: newBudget(Options{}), history: &history{}, faults: newFaultState(nil)}
		ask := func(source, path string, params url.Values) reply {
			c := &call{source: source, method: "GET", path: path, query: params, form: params, header: http.Header{}, now: time.Unix(0, 0)}
			handler := map[string]func(*call) reply{ArXiv: s.arXiv, OpenAlex: s.openAlex, Crossref: s.crossref, PubMed: s.pubMed, SemanticScholar: s.semanticScholar}[source]
			out := handler(c)
			if out.status >= 500 && !(source == ArXiv && (strings.Contains(q, "/?") || strings.Contains(q, "?/"))) {
				t.Errorf("%s answers %q with %d", source, q, out.status)
			}
			return out
		}
		var v struct {
			XMLName struct{}
		}
		decodeXML(t, string(ask(ArXiv, "/query", url.Values{"search_query": {q}}).body), &v)
		decodeXML(t, string(ask(ArXiv, "/query", url.Values{"id_list": {q}}).body), &v)
		decodeXML(t, string(ask(PubMed, "/esearch.fcgi", url.Values{"term": {q}}).body), &v)
		for _, r := range []reply{
			ask(OpenAlex, "/works", url.Values{"search": {q}}), ask(OpenAlex, "/works", url.Values{"search.exact": {q}}), ask(OpenAlex, "/works", url.Values{"filter": {q}}),
			ask(OpenAlex, "/works", url.Values{"cursor": {q}}), ask(Crossref, "/works", url.Values{"query": {q}}), ask(Crossref, "/works", url.Values{"filter": {q}}),
			ask(PubMed, "/esearch.fcgi", url.Values{"term": {q}, "retmode": {"json"}}), ask(PubMed, "/esummary.fcgi", url.Values{"id": {q}, "retmode": {"json"}}),
			ask(SemanticScholar, "/paper/search", url.Values{"query": {q}}), ask(SemanticScholar, "/paper/search/bulk", url.Values{"query": {q}}),
			ask(SemanticScholar, "/paper/search/match", url.Values{"query": {q}}), ask(SemanticScholar, "/paper/search", url.Values{"query": {"memory"}, "fields": {q}}),
		} {
			if !json.Valid(r.body) && !slices.Contains([]int{404}, r.status) {
				t.Errorf("%q gives no JSON: %.300s", q, r.body)
			}
		}
		ask(OpenAlex, "/works/"+q, url.Values{})
		ask(Crossref, "/works/"+q, url.Values{})
		ask(SemanticScholar, "/paper/"+q, url.Values{})
	})
}

// TestSlowIsCancelled lets the client go away during a delay.
func TestSlowIsCancelled(t *testing.T) {
	s := start(t, Options{Faults: Faults{ArXiv: {{Kind: Slow, Wait: time.Hour, Times: -1}}}})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, s.URL(ArXiv)+"/query", nil)
	if resp, err := client.Do(req); err == nil {
		resp.Body.Close()
		t.Error("the delayed answer came")
	}
}
