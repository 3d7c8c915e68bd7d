package semanticscholar

import (
	"strings"
	"testing"
	"unicode/utf8"

	"optimistresearch/sources"
)

func TestClean(t *testing.T) {
	s := New(nil, Config{})
	for _, c := range []struct{ in, want string }{
		{"does aspirin prevent cancer?", "does aspirin prevent cancer"},
		{"COVID-19 long‐term follow–up", "COVID 19 long term follow up"},
		{`("deep learning" OR 'neural networks') AND survey`, `("deep learning" | "neural networks") + survey`},
		{"COVID-19 OR flu", `"COVID 19" | flu`},
		{`"unbalanced phrase AND y`, `"unbalanced phrase" + y`},
		{"ＷＨＡＴ？！", "WHAT"},
		{"a AND b", "a b"},
		{"a + b", "a b"},
		{"immun* response", "immun* response"},
		{"(a", "a"},
		{"a -(b c)", "a -(b c)"},
		{"a -- b", "a b"},
		{"C++ AND C#", "C C#"},
		{"two’s complement", "two's complement"},
		{"cats NOT dogs", "cats -dogs"},
		{"cats AND NOT (dogs OR wolves) behaviour", "cats + -(dogs | wolves) behaviour"},
		{"title:graph", "graph"},
		{"café 深層学習", "café 深層学習"},
		{"-- AND ()", ""},
	} {
		if got := s.Clean(c.in); got != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestWrite(t *testing.T) {
	s := New(nil, Config{})
	for _, c := range []struct {
		all  [][]string
		want string
	}{
		{[][]string{{"retrieval-augmented generation", "RAG"}, {"hallucination"}}, `("retrieval augmented generation" | RAG) + hallucination`},
		{[][]string{{"retrieval-augmented generation"}, {"hallucination"}}, "retrieval augmented generation hallucination"},
		{[][]string{{"memory", "graph", "agent"}}, "memory | graph | agent"},
		{[][]string{{"immun*"}}, "immun*"},
		{[][]string{{"???", "AND", "second"}, {}, {"second AND third"}}, "second and third"},
		{[][]string{{"AND"}, {"or"}}, "and or"},
		{nil, ""},
	} {
		if got := s.Write(sources.Expr{All: c.all}); got != c.want {
			t.Errorf("Write(%q) = %q, want %q", c.all, got, c.want)
		}
	}
	if got, want := s.Write(sources.Expr{All: [][]string{{"dowsing"}}, Not: []string{"in vitro", "animals"}, Field: sources.Title}), `dowsing -("in vitro" | animals)`; got != want {
		t.Errorf("an exclusion is %s, want %s", got, want)
	}
	if got := s.Clean(strings.Repeat("abcdefghi ", 100)); utf8.RuneCountInString(got) != longQuery-1 {
		t.Errorf("Clean gave %d characters, want %d", utf8.RuneCountInString(got), longQuery-1)
	}
}
