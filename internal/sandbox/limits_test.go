package sandbox

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

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
