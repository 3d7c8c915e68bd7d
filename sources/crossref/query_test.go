package crossref

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/sources/sourcetest"
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
		{"ＷＨＡＴ？！", "WHAT"},
		{"query.title=(graph OR tree) NOT leaf", "query.title=graph tree"},
		{"query.title=???", ""},
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

// Write gives the words of all alternatives and nothing else: no syntax, and
// no word that is only excluded.
func TestWriteIsWords(t *testing.T) {
	s := New(nil, Config{})
	term := rapid.OneOf(rapid.StringMatching(`[a-z(":'?*&-]{1,6}( [A-Za-z:!^~\\\[\]]{1,6}){0,2}`), rapid.StringN(0, 12, 40), rapid.SampledFrom([]string{"NOT", "and", "a OR b", "x*", "COVID-19"}))
	rapid.Check(t, func(t *rapid.T) {
		e := sources.Expr{
			All:   rapid.SliceOfN(rapid.SliceOfN(term, 0, 3), 0, 3).Draw(t, "all"),
			Not:   []string{"unwanted words"},
			Field: rapid.SampledFrom([]sources.Field{sources.Anywhere, sources.Title, sources.TitleAbstract}).Draw(t, "field"),
		}
		q := s.Write(e)
		value, inTitle := strings.CutPrefix(q, "query.title=")
		if inTitle != (e.Field == sources.Title && q != "") {
			t.Fatalf("Write(%+v) = %q: another field", e, q)
		}
		if strings.ContainsAny(value, `"()[]{}*?!^|<>~:;,`) || strings.Contains(value, "unwanted") {
			t.Fatalf("Write(%+v) = %q", e, q)
		}
		for w := range strings.FieldsSeq(value) {
			if wire.OperatorOf(w) != "" {
				t.Fatalf("Write(%+v) = %q: %s is an operator", e, q, w)
			}
		}
		if q == "" {
			return
		}
		kept := sourcetest.Dialect{Parse: func(string) (*sourcetest.Clause, error) { return nil, nil }, Fold: text.Fold}
		for _, group := range e.All {
			for _, term := range group {
				// The words of a term are kept as those of a typed query are.
				kept.CheckClean(t, written{s, q}, strings.NewReplacer("AND", "and", "OR", "or", "NOT", "not").Replace(term))
			}
		}
	})
}

// written is a source whose Clean gives the query that was written.
type written struct {
	*Source
	query string
}

func (w written) Clean(string) string { return w.query }
