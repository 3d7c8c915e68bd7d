package crossref

import (
	"slices"
	"strings"
	"testing"

	"optimistresearch/sources"
)

// What Crossref cannot say is told, and only that.
func TestLoosened(t *testing.T) {
	s := New(nil, Config{})
	for _, c := range []struct {
		e    sources.Expr
		want []string // words of the clauses
	}{
		{sources.Expr{All: [][]string{{"memory"}}}, nil},
		{sources.Expr{All: [][]string{{"memory"}}, Field: sources.Title}, nil},
		{sources.Expr{All: [][]string{{"memory"}}, Not: []string{"mice", "rats"}}, []string{"mice”, “rats"}},
		{sources.Expr{All: [][]string{{"memory", "recall"}, {"agent"}}, Field: sources.TitleAbstract}, []string{"no AND", "titles and abstracts"}},
	} {
		got := s.Loosened(c.e)
		if len(got) != len(c.want) {
			t.Errorf("%+v: %q, want %q", c.e, got, c.want)
			continue
		}
		for i, w := range c.want {
			if !strings.Contains(got[i], w) {
				t.Errorf("%+v: %q does not say %q", c.e, got[i], w)
			}
		}
	}
	var _ sources.Loosener = s
	if q := s.Write(sources.Expr{All: [][]string{{"memory"}}, Not: []string{"mice"}}); slices.Contains(strings.Fields(q), "mice") {
		t.Errorf("the excluded word is searched for: %q", q)
	}
}
