package state

import "testing"

func ptr(n int) *int { return &n }

// A preprint and its published version are one document; year, venue and DOI
// of the version to cite come from one record (case R28).
func TestVersionsAreNotBlended(t *testing.T) {
	preprint := Record{Key: "arxiv:2406.14302", Source: "arxiv", Kind: Preprint, Title: "A", Year: 2024, IDs: IDs{ArXiv: "2406.14302"}, Venue: "arXiv"}
	published := Record{Key: "crossref:10.1/x", Source: "crossref", Kind: Published, Title: "A", Year: 2025, Venue: "ICLR", IDs: IDs{DOI: "10.1234/x"}, Citations: ptr(3)}
	d := JoinDocuments(DocumentFrom(preprint), DocumentFrom(published))
	best := d.Best()
	if best.Year != 2025 || best.Venue != "ICLR" || best.DOI != "10.1234/x" || best.ArXiv != "" {
		t.Errorf("the version to cite is blended: %+v", best)
	}
	if d.FirstYear() != 2024 || d.ID1(ArXiv) != "2406.14302" || d.ID1(DOI) != "10.1234/x" {
		t.Errorf("a version was lost: %+v", d)
	}
	if n, ok := d.CitationCount(); !ok || n != 3 {
		t.Errorf("citations = %d, %v", n, ok)
	}
}

func TestStatusNeverMovesBackward(t *testing.T) {
	s := new(State)
	for _, st := range []DocStatus{Read, Selected, Found} {
		s.Merge(&State{Documents: map[string]Document{"doc_0001": {ID: "doc_0001", Status: st}}})
	}
	if got := s.Documents["doc_0001"].Status; got != Read {
		t.Errorf("status = %s, want read", got)
	}
}

func TestTwentyReadersAdvanceTheBudgetByTwenty(t *testing.T) {
	s := new(State)
	for i := range 20 {
		d := Delta{Task: Task{ID: "it1/read/" + itoa(i)}, Part: State{Ledger: map[string]Spend{"it1/read/" + itoa(i): {Documents: 1}}}}
		s.Apply(d)
		s.Apply(d) // a retried task counts once
	}
	if got := s.Spent().Documents; got != 20 {
		t.Errorf("documents read = %d, want 20", got)
	}
}

// Screening the corpus again for a new subquestion must not inflate yields
// (the paper's case study found 18 relevant of 15 found).
func TestYieldCountsDistinctDocuments(t *testing.T) {
	set := DefaultSettings()
	s := New(Question{Text: "q"}, set)
	s.Merge(&State{
		Intents: map[string]Intent{"I1": {ID: "I1", Subquestion: "RQ1"}},
		Records: map[string]Record{
			"a:1": {Key: "a:1", Source: "a", Seen: map[string]Provenance{"a|Q1": {Intent: "I1", Query: "Q1"}, "a|Q2": {Intent: "I1", Query: "Q2"}}},
			"b:1": {Key: "b:1", Source: "b", Seen: map[string]Provenance{"b|Q3": {Intent: "I1", Query: "Q3"}}},
		},
		Documents: map[string]Document{"doc_0001": {ID: "doc_0001", Records: []string{"a:1", "b:1"}, Relevance: map[string]Relevance{"RQ1": {Score: 0.9}, "RQ2": {Score: 0.9}}}},
	})
	if found, relevant := s.Yield("I1"); found != 1 || relevant != 1 {
		t.Errorf("yield = %d found, %d relevant; want 1, 1", found, relevant)
	}
}

func TestLessID(t *testing.T) {
	for _, c := range []struct {
		a, b string
		less bool
	}{{"RQ2", "RQ10", true}, {"RQ10", "RQ2", false}, {"I1", "Q1", true}, {"doc_0009", "doc_0010", true}, {"RQ1", "RQ1", false}} {
		if got := LessID(c.a, c.b); got != c.less {
			t.Errorf("LessID(%q, %q) = %v", c.a, c.b, got)
		}
	}
}

// A run that is interrupted before its first critique is in iteration 1.
func TestIterationFollowsAppliedCritiques(t *testing.T) {
	s := new(State)
	if s.Iteration() != 1 {
		t.Errorf("iteration = %d, want 1", s.Iteration())
	}
	s.Apply(Delta{Task: Task{ID: "it1/apply", Node: NodeApply, Iteration: 1}})
	if s.Iteration() != 2 {
		t.Errorf("iteration = %d, want 2", s.Iteration())
	}
}
