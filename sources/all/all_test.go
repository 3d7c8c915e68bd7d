package all

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
)

// refuser is an HTTP path that notes requests and answers none.
type refuser struct{ asked []fetch.Request }

func (r *refuser) Do(_ context.Context, req fetch.Request) (*fetch.Response, error) {
	r.asked = append(r.asked, req)
	return nil, &fetch.Error{Kind: fetch.Down, Err: errors.New("not in a test")}
}

func TestEverySource(t *testing.T) {
	if !slices.IsSorted(Names()) {
		t.Errorf("the names are not sorted: %v", Names())
	}
	for _, name := range Names() {
		if u, err := url.Parse(DefaultBase(name)); err != nil || u.Scheme != "https" || u.Host == "" {
			t.Errorf("%s: the live address is %q", name, DefaultBase(name))
		}
		for _, base := range []string{"", "http://127.0.0.1:9/" + name} {
			do := &refuser{}
			s, err := Build(do, name, Config{Base: base, Key: "k", Contact: "librarian@example.org"})
			if err != nil || s.Name() != name {
				t.Fatalf("%s: built %v, error %v", name, s, err)
			}
			if len(do.asked) > 0 {
				t.Errorf("%s: building a source sends %+v", name, do.asked)
			}
			_, err = s.Search(t.Context(), sources.Request{Query: s.Write(sources.Expr{All: [][]string{{"dowsing"}}}), Limit: 1, Op: "search Q1"})
			if err == nil || len(do.asked) == 0 {
				t.Fatalf("%s: a search sends nothing, error %v", name, err)
			}
			want := base
			if base == "" {
				want = DefaultBase(name)
			}
			if got := do.asked[0]; got.Base != want || got.Service != name || got.Op != "search Q1" {
				t.Errorf("%s: asked %q as service %q for %q, want %q", name, got.Base, got.Service, got.Op, want)
			}
		}
	}
}

// What each service can do, as the documentation says.
func TestAbilities(t *testing.T) {
	for name, want := range map[string]string{
		"arxiv": "lookup", "crossref": "lookup references", "europepmc": "lookup references citing", "openalex": "lookup references citing",
		"pubmed": "lookup references citing", "semanticscholar": "lookup references citing",
	} {
		s, err := Build(&refuser{}, name, Config{})
		if err != nil {
			t.Fatal(err)
		}
		var can []string
		if _, ok := s.(sources.Resolver); ok {
			can = append(can, "lookup")
		}
		if c, ok := s.(sources.Citer); ok {
			references, citing := c.Cites()
			if references {
				can = append(can, "references")
			}
			if citing {
				can = append(can, "citing")
			}
		}
		if got := strings.Join(can, " "); got != want {
			t.Errorf("%s can do %q, want %q", name, got, want)
		}
	}
}

func TestUnknownName(t *testing.T) {
	_, err := Build(&refuser{}, "opnalex", Config{})
	if err == nil || !strings.Contains(err.Error(), `"opnalex"`) || !strings.Contains(err.Error(), "openalex") {
		t.Errorf("error is %v; want the name and the choice", err)
	}
	if DefaultBase("opnalex") != "" {
		t.Error("an unknown name has an address")
	}
}

func TestLimits(t *testing.T) {
	none := Limits(nil)
	if len(none) != len(Names()) {
		t.Errorf("%d limits for %d sources", len(none), len(Names()))
	}
	for _, c := range []struct {
		name, key string
		slowest   time.Duration // between two requests, what the service permits
	}{
		{"arxiv", "", 3 * time.Second}, {"crossref", "", time.Second}, {"crossref", "librarian@example.org", time.Second / 3},
		{"europepmc", "", time.Second / 10},
		{"openalex", "", time.Second / 10}, {"openalex", "k", time.Second / 30}, {"pubmed", "", time.Second / 3},
		{"pubmed", "k", time.Second / 10}, {"semanticscholar", "", time.Second}, {"semanticscholar", "k", time.Second},
	} {
		l := Limits(map[string]string{c.name: c.key})[c.name]
		if l.Every < c.slowest || l.Every > 4*c.slowest || l.Burst > 1 {
			t.Errorf("%s with key %q: every %s, want at least %s", c.name, c.key, l.Every, c.slowest)
		}
	}
}
