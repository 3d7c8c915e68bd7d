package report

import (
	"fmt"
	"strings"
	"testing"

	"optimistresearch/state"
)

// An intent without a query does not look like one that found nothing: the
// plan says that it was not searched, and why.
func TestNotSearched(t *testing.T) {
	s := state.New(state.Question{Text: "memory", Scope: "since 2023, peer-reviewed", Year: 2026,
		Understood: "published in 2023 or later", NotUsed: "“peer-reviewed”"}, state.DefaultSettings())
	part := state.State{
		Subquestions: map[string]state.Subquestion{"RQ1": {ID: "RQ1", Text: "Which?", Priority: 1, Status: state.Open}, "RQ2": {ID: "RQ2", Text: "Why?", Priority: 2, Status: state.Merged}},
		Intents:      map[string]state.Intent{}, Queries: map[string]state.Query{},
		Applied: map[string]state.AppliedEdit{"it1/0": {Iteration: 1, Applied: true, Edit: state.Edit{Op: state.EditCloseIntent, Target: "I12"}}},
	}
	for i := 1; i <= 13; i++ {
		in := state.Intent{ID: fmt.Sprintf("I%d", i), Subquestion: "RQ1", Description: "studies", Iteration: 1, Status: state.Open}
		switch i {
		case 10:
			in.Subquestion = "RQ2"
		case 11, 12:
			in.Status = state.Closed
		}
		part.Intents[in.ID] = in
		if i <= 8 {
			q := fmt.Sprintf("Q%d", i)
			part.Queries[q] = state.Query{ID: q, Revision: 1, Iteration: 1, Intent: in.ID, Source: "arxiv", Outcome: state.ZeroHits}
		}
	}
	s.Merge(&part)
	line := func(id string) string {
		_, after, _ := strings.Cut(string(Plan(s)), "**"+id+"**")
		_, after, _ = strings.Cut(after, "\n")
		line, _, _ := strings.Cut(after, "\n")
		return line
	}
	if l := line("I9"); !strings.HasSuffix(l, "; not searched yet") {
		t.Errorf("while the run goes on: %q", l)
	}
	s.Stop = &state.Stop{Reason: state.StopBudget}
	for id, want := range map[string]string{
		"I8":  "; 0 found, 0 of them relevant",
		"I9":  "; not searched (the search budget went to I1, I2, I3, I4, I5, I6 and 2 others)",
		"I10": "; not searched (its subquestion is merged)",
		"I11": "; not searched (its queries had been sent already)",
		"I12": "; not searched (a critique closed it before its turn)",
	} {
		if l := line(id); !strings.HasSuffix(l, want) {
			t.Errorf("%s: %q, want %q", id, l, want)
		}
	}
	in := s.Intents["I13"]
	in.Iteration = 2
	s.Intents["I13"] = in
	if l := line("I13"); !strings.HasSuffix(l, "; not searched (the search ended before its turn)") {
		t.Errorf("an intent of a turn that never came: %q", l)
	}
	if p := string(Plan(s)); !strings.Contains(p, "**Scope note** understood as: published in 2023 or later; not used: “peer-reviewed”.") {
		t.Errorf("the plan does not say how the scope note was taken:\n%.600s", p)
	}
}
