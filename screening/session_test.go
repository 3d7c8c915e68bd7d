package screening

import (
	"slices"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func score(x float64) *float64 { return &x }

func TestSession(t *testing.T) {
	var s Session
	if _, ok := s.Of("a"); ok || len(s.Found()) != 0 {
		t.Error("an empty session has decisions")
	}
	for _, d := range []Decision{
		{Record: "a", Verdict: Include, By: "p"},
		{Record: "b", Verdict: Exclude, Reason: "outcome", By: "p"},
		{Record: "b", Verdict: Include, By: "ollama:m", Model: true, Score: score(0.9)},
		{Record: "c", Verdict: Include, By: "ollama:m", Model: true, Score: score(0.8)},
		{Record: "d", Verdict: Maybe, By: "p"},
		{Record: "a", Verdict: Exclude, By: "p"}, // changed her mind
	} {
		d.At = noon
		s.Apply(d)
	}
	for id, want := range map[string]Verdict{"a": Exclude, "b": Exclude, "c": Include, "d": Maybe} {
		if d, ok := s.Of(id); !ok || d.Verdict != want {
			t.Errorf("%s: %+v, want %s", id, d, want)
		}
	}
	if got := s.Found(); !slices.Equal(got, []bool{false, true, false}) {
		t.Errorf("found: %v", got)
	}
	if last, _ := s.Last(); last.Record != "a" || s.Count(Exclude) != 2 {
		t.Errorf("last %+v, %d excluded", last, s.Count(Exclude))
	}
	// Taken back, the model's decision holds again.
	s.Apply(Decision{Record: "b", By: "p", At: noon})
	if d, ok := s.Of("b"); !ok || !d.Model || d.Verdict != Include {
		t.Errorf("b: %+v", d)
	}
	if _, ok := s.ByPerson("b"); ok || len(s.Read()) != 2 {
		t.Errorf("read: %+v", s.Read())
	}
}
