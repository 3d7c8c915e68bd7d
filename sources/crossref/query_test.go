package crossref

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
		{`("deep learning" OR 'neural networks') AND survey`, "deep learning neural networks survey"},
		{"Properties of two’s complement floating point notations", "Properties of two's complement floating point notations"},
		{"cats NOT dogs", "cats"},
		{"cats AND NOT (dogs OR wolves) behaviour", "cats behaviour"},
		{`cats NOT "guide dogs" behaviour`, "cats behaviour"},
		{"what is and is not known", "what is and is not known"},
		{"title:(graph networks) ti:survey", "graph networks survey"},
		{"R&D in A/B tests 50% C++", "R&D in A/B tests 50% C++"},
		{"café 深層学習 التعلم", "café 深層学習 التعلم"},
		{"??? AND ()", ""},
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
		{[][]string{{"retrieval augmented generation", "RAG"}, {"hallucination"}}, "retrieval augmented generation hallucination RAG"},
		{[][]string{{"graph AND tree", "tree graph"}, {"AND"}}, "graph and tree"},
		{[][]string{{"AND"}, {"or"}}, ""},
		{nil, ""},
	} {
		if got := s.Write(sources.Expr{All: c.all}); got != c.want {
			t.Errorf("Write(%q) = %q, want %q", c.all, got, c.want)
		}
	}
	long := s.Write(sources.Expr{All: [][]string{{strings.Repeat("a long word list ", 10) + strings.Repeat("x", 1000), "tail " + strings.Repeat("yz ", 3)}}})
	if n := utf8.RuneCountInString(long); n > longQuery || !strings.HasPrefix(long, "a long word list ") {
		t.Errorf("%d characters: %s", n, long)
	}
	if got := s.Clean(strings.Repeat("abcdefghi ", 100)); utf8.RuneCountInString(got) != longQuery-1 {
		t.Errorf("Clean gave %d characters, want %d", utf8.RuneCountInString(got), longQuery-1)
	}
}
