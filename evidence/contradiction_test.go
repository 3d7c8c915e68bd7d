package evidence

import (
	"strings"
	"testing"
)

func TestContradictionPairs(t *testing.T) {
	cases := []struct {
		name, a, b string
		kind       string // "" = none
	}{
		{"direction", "Summaries increase recall of early facts", "Summaries decrease recall of early facts", "direction"},
		{"no effect", "ART substantially reduces infectiveness of HIV-positive people", "ART has no effect on the infectiveness of HIV-positive people", "direction"},
		{"denial", "Episodic memory helps agents on short dialogues", "Episodic memory does not help agents on short dialogues", "direction"},
		{"opposite ranking", "BM25 outperforms dense retrieval on code search", "Dense retrieval outperforms BM25 on code search", "direction"},
		{"numbers", "A-MEM reaches an accuracy of 85 % on LoCoMo", "A-MEM reaches an accuracy of 62% on LoCoMo", "numbers"},
		{"numbers that are close", "A-MEM reaches an accuracy of 85 % on LoCoMo", "A-MEM reaches an accuracy of 83% on LoCoMo", ""},
		{"numbers of two data sets", "A-MEM reaches an accuracy of 85 % on LoCoMo", "A-MEM reaches an accuracy of 62% on LongMemEval", ""},
		{"agreement", "Summaries increase recall of early facts", "Summaries improve recall of early facts", ""},
		{"one relation, mirrored", "Higher vitamin D intake is associated with lower mortality", "Lower vitamin D intake is associated with higher mortality", ""},
		{"wanted and unwanted outcome", "Memory reduces hallucination", "Memory improves hallucination", ""},
		{"other population", "Memory training improves recall in children", "Memory training does not improve recall in older adults", ""},
		{"other system", "A-MEM improves recall on LoCoMo", "MemGPT does not improve recall on LoCoMo", ""},
		{"other outcome", "Bariatric surgery increases rates of colorectal cancer", "Bariatric surgery decreases rates of breast cancer", ""},
		{"qualified", "Memory improves recall but not latency of agents", "Memory improves recall of agents", ""},
		{"unrelated", "Memory improves recall", "Caching decreases cost", ""},
	}
	for _, c := range cases {
		s, items := corpus(c.a, c.b)
		got := Contradictions(s, items)
		switch {
		case c.kind == "" && len(got) > 0:
			t.Errorf("%s: %+v", c.name, got[0])
		case c.kind != "" && (len(got) != 1 || got[0].Kind != c.kind):
			t.Errorf("%s: got %+v, want %s", c.name, got, c.kind)
		case c.kind != "":
			x := got[0]
			if x.A != "ev_0001" || x.B != "ev_0002" || !strings.HasPrefix(x.ID, "x_") || x.By != "rule" ||
				!strings.Contains(x.Explanation, "doc_0001") || !strings.Contains(x.Explanation, "doc_0002") || strings.Contains(x.Explanation, "%!") {
				t.Errorf("%s: %+v", c.name, x)
			}
		}
	}
}

// A document that reports both sides is not a contradiction between works.
func TestNoContradictionWithinADocument(t *testing.T) {
	s, items := corpus("Summaries increase recall of early facts", "Summaries decrease recall of early facts")
	items[1].Document = items[0].Document
	if got := Contradictions(s, items); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}
