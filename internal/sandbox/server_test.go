package sandbox

import (
	"context"
	"net/http"
	"net/url"
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
	if spent := time.Since(began); spent > 20*time.Second {
		t.Errorf("closing took %v", spent)
	}
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

func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		s, err := Start(Options{})
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

func BenchmarkSearch(b *testing.B) {
	s := start(b, Options{})
	for source, path := range map[string]string{
		ArXiv: "/query?search_query=" + url.QueryEscape(`(all:memory OR all:"language model") AND all:agents`) + "&max_results=50", OpenAlex: "/works?search=memory+AND+agents&per_page=25",
		Crossref: "/works?query.bibliographic=memory+of+agents", PubMed: "/esearch.fcgi?term=memory+AND+hippocampus", SemanticScholar: "/paper/search?query=memory+agents&fields=title,abstract,authors",
	} {
		b.Run(source, func(b *testing.B) {
			for b.Loop() {
				fetch(b, "GET", s.URL(source)+path, "", "")
			}
		})
	}
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
