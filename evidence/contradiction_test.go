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
		{"a size against a denial", "MemoryX improved the recall of dialogue agents by 24%.", "MemoryX did not improve the recall of dialogue agents over 12 sessions.", "direction"},
		{"a denial with a test", "Statins reduced cardiovascular mortality by 24% in patients with diabetes.", "Statins did not reduce cardiovascular mortality in patients with diabetes (HR 0.98, 95% CI 0.9 to 1.1).", "direction"},
		{"never", "Reflection improves success rates by 22%.", "Reflection never improved success rates in our 5 runs.", "direction"},
		{"a worse size", "Graph memory outperforms vector memory by 5 points on LoCoMo", "Graph memory performs worse than vector memory on LoCoMo by 3 points", "direction"},
		{"other dose", "Aspirin 100 mg reduced stroke", "Aspirin 50 mg did not reduce stroke", ""},
		{"other time", "Training improved recall at 6 months", "Training did not improve recall at 12 months", ""},
		{"other type", "Drug X improved survival in type 2 diabetes", "Drug X did not improve survival in type 1 diabetes", ""},
		{"prevalence in two samples", "The prevalence of diabetes was 2% in adults", "The prevalence of diabetes was 3% in adults", ""},
		{"rates of two studies", "The relapse rate was 2% after surgery", "The relapse rate was 3% after surgery", ""},
		{"gains of unnamed systems", "Memory raised accuracy by 2%", "Memory raised accuracy by 3%", ""},
		{"gains over unnamed baselines", "Mem0 improves recall on LoCoMo by 2 percent", "Mem0 improves recall on LoCoMo by 3 percent", ""},
		{"gains over one baseline", "Mem0 improves recall on LoCoMo by 2 percent over MemGPT", "Mem0 improves recall on LoCoMo by 30 percent over MemGPT", "numbers"},
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
