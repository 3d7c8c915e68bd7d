package critic

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"optimistresearch/state"
)

func plan() *state.State {
	s := state.New(state.Question{Text: "memory of agents", Year: 2026}, state.DefaultSettings())
	s.Merge(&state.State{
		Subquestions: map[string]state.Subquestion{
			"RQ1": {ID: "RQ1", Text: "Which storage designs are there?", Priority: 1, Status: state.Open},
			"RQ2": {ID: "RQ2", Text: "How is memory evaluated on benchmarks?", Priority: 2, Status: state.Open},
			"RQ3": {ID: "RQ3", Text: "Which limits are reported?", Priority: 3, Status: state.Closed},
		},
		Intents:   map[string]state.Intent{"I1": {ID: "I1", Subquestion: "RQ1", Description: "surveys", Status: state.Open, Iteration: 1}},
		Documents: map[string]state.Document{"doc_0001": {ID: "doc_0001"}},
		Expanded:  map[string]state.Expansion{"doc_0001|backward": {}},
		Evidence: map[string]state.Evidence{"ev_a": {ID: "ev_a", Document: "doc_0001", Subquestion: "RQ1", Claim: "x"},
			"ev_b": {ID: "ev_b", Document: "doc_0001", Subquestion: "RQ2", Claim: "y"}},
		Reviews: map[string]state.Review{"ev_a": {Evidence: "ev_a", Admitted: true}, "ev_b": {Evidence: "ev_b", Admitted: true}},
		Answers: map[string]state.Answer{"RQ1": {Subquestion: "RQ1", Coverage: 0.8}, "RQ2": {Subquestion: "RQ2", Coverage: 0.2}},
	})
	return s
}

func critique(edits ...state.Edit) state.Critique {
	return state.Critique{Iteration: 1, Edits: edits, By: "rule"}
}

func TestEditsAreValidated(t *testing.T) {
	for _, c := range []struct {
		name string
		edit state.Edit
		ok   bool
		says string
	}{
		{"add", state.Edit{Op: state.EditAdd, Text: "What do users think?"}, true, "added RQ4"},
		{"add nothing", state.Edit{Op: state.EditAdd, Text: " … "}, false, "empty"},
		{"add what is there", state.Edit{Op: state.EditAdd, Text: "which STORAGE designs are there"}, false, "RQ1 asks the same"},
		{"add what was closed", state.Edit{Op: state.EditAdd, Text: "Which limits are reported?"}, true, "added RQ4"},
		{"split", state.Edit{Op: state.EditSplit, Target: "RQ1", Texts: []string{"Which read?", "Which write?"}}, true, "split RQ1 into RQ4 and RQ5"},
		{"split in one", state.Edit{Op: state.EditSplit, Target: "RQ1", Texts: []string{"Which read?"}}, false, "at least two"},
		{"split into what is there", state.Edit{Op: state.EditSplit, Target: "RQ1", Texts: []string{"Which read?", "How is memory evaluated on benchmarks?"}}, false, "RQ2 asks the same"},
		{"merge", state.Edit{Op: state.EditMerge, Target: "RQ1", Into: "RQ2"}, true, "merged RQ1 into RQ2"},
		{"merge into itself", state.Edit{Op: state.EditMerge, Target: "RQ1", Into: "RQ1"}, false, "itself"},
		{"merge into a closed one", state.Edit{Op: state.EditMerge, Target: "RQ1", Into: "RQ3"}, false, "RQ3 is closed"},
		{"rephrase", state.Edit{Op: state.EditRephrase, Target: "RQ1", Text: "Which methods exist?"}, true, "rephrased RQ1"},
		{"rephrase as it is", state.Edit{Op: state.EditRephrase, Target: "RQ1", Text: "Which storage designs are there?"}, false, "already"},
		{"raise", state.Edit{Op: state.EditRaise, Target: "RQ2"}, true, "raised RQ2"},
		{"raise the first", state.Edit{Op: state.EditRaise, Target: "RQ1"}, false, "end of the list"},
		{"lower the last", state.Edit{Op: state.EditLower, Target: "RQ2"}, false, "end of the list"},
		{"close", state.Edit{Op: state.EditClose, Target: "RQ2"}, true, "closed RQ2"},
		{"reopen", state.Edit{Op: state.EditReopen, Target: "RQ3"}, true, "reopened RQ3"},
		{"reopen an open one", state.Edit{Op: state.EditReopen, Target: "RQ1"}, false, "already"},
		{"unknown id", state.Edit{Op: state.EditClose, Target: "RQ9"}, false, `no subquestion "RQ9"`},
		{"unknown op", state.Edit{Op: "delete", Target: "RQ1"}, false, "not an edit"},
		{"intent", state.Edit{Op: state.EditAddIntent, Target: "RQ2", Text: "user studies"}, true, "added I2 to RQ2"},
		{"intent for a closed one", state.Edit{Op: state.EditAddIntent, Target: "RQ3", Text: "user studies"}, false, "RQ3 is closed"},
		{"intent that is there", state.Edit{Op: state.EditAddIntent, Target: "RQ1", Text: "Surveys"}, false, "I1 looks for the same"},
		{"close intent", state.Edit{Op: state.EditCloseIntent, Target: "I1"}, true, "closed I1"},
		{"reword intent", state.Edit{Op: state.EditRewordIntent, Target: "I1", Text: "systematic reviews"}, true, "closed I1, added I2"},
		{"unknown intent", state.Edit{Op: state.EditCloseIntent, Target: "I7"}, false, `no intent "I7"`},
		{"snowball", state.Edit{Op: state.EditSnowball, Target: "doc_0001", Direction: state.Forward}, true, "will chase"},
		{"snowball again", state.Edit{Op: state.EditSnowball, Target: "doc_0001", Direction: state.Backward}, false, "already"},
		{"snowball sideways", state.Edit{Op: state.EditSnowball, Target: "doc_0001", Direction: "up"}, false, "neither"},
		{"contradiction", state.Edit{Op: state.EditContradiction, A: "ev_b", B: "ev_a"}, true, "recorded"},
		{"contradiction with itself", state.Edit{Op: state.EditContradiction, A: "ev_a", B: "ev_a"}, false, "itself"},
		{"contradiction with nothing", state.Edit{Op: state.EditContradiction, A: "ev_a", B: "ev_z"}, false, `no evidence "ev_z"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := Apply(plan(), critique(c.edit)).Applied["it1/0"]
			if a.Applied != c.ok || !strings.Contains(a.Result, c.says) {
				t.Errorf("applied %v: %q; want %v with %q", a.Applied, a.Result, c.ok, c.says)
			}
		})
	}
}

func after(s *state.State, c state.Critique) *state.State {
	part := Apply(s, c)
	s.Merge(&part)
	return s
}

func TestEditsCompose(t *testing.T) {
	s := after(plan(), critique(
		state.Edit{Op: state.EditAdd, Text: "What do users think?"},
		state.Edit{Op: state.EditRaise, Target: "RQ4"},
		state.Edit{Op: state.EditRaise, Target: "RQ4"},
		state.Edit{Op: state.EditRephrase, Target: "RQ4", Text: "How far do users trust it?"},
	))
	var order []string
	for _, q := range s.ActiveSubquestions() {
		order = append(order, fmt.Sprintf("%d:%s", q.Priority, q.ID))
	}
	if strings.Join(order, " ") != "1:RQ4 2:RQ1 3:RQ2" || s.Subquestions["RQ4"].Text != "How far do users trust it?" {
		t.Errorf("order %v, RQ4 = %q", order, s.Subquestions["RQ4"].Text)
	}
}

// A changed subquestion withdraws the verdicts that rest on it, and no others.
func TestRephrasingMakesVerdictsStale(t *testing.T) {
	s := after(plan(), critique(state.Edit{Op: state.EditRephrase, Target: "RQ1", Text: "Which methods exist?"}))
	if r := s.Reviews["ev_a"]; r.Stale == "" || r.Revision != 1 {
		t.Errorf("the verdict on RQ1 is %+v, want it stale", r)
	}
	if r := s.Reviews["ev_b"]; r.Stale != "" {
		t.Errorf("the verdict on RQ2 is %+v, want it untouched", r)
	}
	if got := s.Admitted("RQ1"); len(got) != 0 {
		t.Errorf("stale evidence is still admitted: %v", got)
	}
}

func TestGapsAttachByWords(t *testing.T) {
	s := plan()
	qs := s.ActiveSubquestions()
	for _, c := range []struct {
		gap  string
		weak []string
		want string
	}{
		{"no benchmark covers evaluated forgetting", nil, "RQ2"},
		{"which storage designs forget", nil, "RQ1"},
		{"something else entirely", []string{"RQ1"}, "RQ1"}, // tie: flagged weak
		{"something else entirely", nil, "RQ2"},             // tie: lowest coverage
	} {
		if got := Attach(s, qs, c.weak, c.gap); got != c.want {
			t.Errorf("%q with weak %v goes to %s, want %s", c.gap, c.weak, got, c.want)
		}
	}
	if got := Attach(s, nil, nil, "x"); got != "" {
		t.Errorf("without subquestions the gap goes to %q", got)
	}
}

func TestTerminate(t *testing.T) {
	further := critique(state.Edit{Op: state.EditAdd, Text: "What do users think?"})
	for _, c := range []struct {
		name   string
		change func(*state.State)
		c      *state.Critique
		halted bool
		reason string
		exit   int
	}{
		{"no critique", nil, nil, false, state.StopNoCritique, 0},
		{"sufficient", nil, &state.Critique{Iteration: 1, Sufficient: true}, false, state.StopSufficient, 0},
		{"goes on", nil, &further, false, "", 0},
		{"documents", func(s *state.State) { s.Ledger = map[string]state.Spend{"a": {Documents: 40}} }, &further, false, state.StopBudget, 4},
		{"searches", func(s *state.State) { s.Ledger = map[string]state.Spend{"a": {Searches: 60}} }, &further, false, state.StopBudget, 4},
		{"iterations", func(s *state.State) { s.Settings.Budgets.Iterations = 1 }, &further, false, state.StopIterations, 0},
		{"nothing actionable", nil, &state.Critique{Iteration: 1, Edits: []state.Edit{{Op: state.EditRaise, Target: "RQ2"}, {Op: state.EditAdd, Text: ""}}}, false, state.StopNothingToDo, 0},
		{"halted", func(s *state.State) { s.Halt = &state.Stop{Detail: "wall time"} }, &further, true, state.StopBudget, 4},
		{"a budget, no evidence", func(s *state.State) { s.Halt, s.Reviews = &state.Stop{Detail: "wall time"}, nil }, &further, true, state.StopBudget, 4},
		{"most searches failed", func(s *state.State) { s.Queries = searched(7, 3) }, &state.Critique{Iteration: 1, Sufficient: true}, false, state.StopUnreachable, 5},
		{"most searches failed, no evidence", func(s *state.State) { s.Queries, s.Reviews = searched(7, 3), nil }, nil, false, state.StopUnreachable, 5},
		{"most searches failed, a budget", func(s *state.State) { s.Queries, s.Halt = searched(7, 3), &state.Stop{Detail: "wall time"} }, &further, true, state.StopBudget, 4},
		{"some searches failed", func(s *state.State) { s.Queries = searched(6, 3) }, &state.Critique{Iteration: 1, Sufficient: true}, false, state.StopSufficient, 0},
		{"no evidence", func(s *state.State) { s.Reviews = nil }, &state.Critique{Iteration: 1, Sufficient: true}, false, state.StopNoEvidence, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := plan()
			if c.change != nil {
				c.change(s)
			}
			stop := Terminate(s, c.c, c.halted)
			if c.reason == "" {
				if stop != nil {
					t.Fatalf("stop = %+v, want none", stop)
				}
				return
			}
			if stop == nil || stop.Reason != c.reason || stop.Exit != c.exit || stop.Detail == "" {
				t.Errorf("stop = %+v, want %s with exit code %d", stop, c.reason, c.exit)
			}
		})
	}
}

// searched makes queries of which some failed and some answered.
func searched(failed, answered int) map[string]state.Query {
	out := map[string]state.Query{"Q0": {ID: "Q0", Revision: 1, Outcome: state.Skipped}, "Q00": {ID: "Q00"}}
	for i := range failed + answered {
		id := fmt.Sprintf("Q%d", i+1)
		out[id] = state.Query{ID: id, Source: "arxiv", Revision: 1, Outcome: state.Hits}
		if i < failed {
			out[id] = state.Query{ID: id, Source: "arxiv", Revision: 1, Outcome: state.Down}
		}
	}
	return out
}

func TestExhausted(t *testing.T) {
	for _, c := range []struct {
		name   string
		budget func(*state.Budgets)
		use    state.ModelUse
		wall   bool
		want   string
	}{
		{"room", func(b *state.Budgets) { b.Tokens = 1000 }, state.ModelUse{Prompt: 800, Output: 99}, false, ""},
		{"tokens, the writing share kept", func(b *state.Budgets) { b.Tokens = 1000 }, state.ModelUse{Prompt: 800, Output: 100}, false, "budgets.tokens"},
		{"money", func(b *state.Budgets) { b.Dollars = 1 }, state.ModelUse{Micros: 900_000}, false, "budgets.dollars"},
		{"unknown price", func(b *state.Budgets) { b.Dollars = 1 }, state.ModelUse{Calls: 1, Unpriced: 1}, false, "no known price"},
		{"no money cap, unknown price", nil, state.ModelUse{Calls: 1, Unpriced: 1}, false, ""},
		{"wall", func(b *state.Budgets) { b.Minutes = 5 }, state.ModelUse{}, true, "budgets.minutes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := plan()
			if c.budget != nil {
				c.budget(&s.Settings.Budgets)
			}
			s.Ledger = map[string]state.Spend{"t": {Models: map[string]state.ModelUse{"reader": c.use}}}
			got := Exhausted(s, c.wall)
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("exhausted = %q, want %q", got, c.want)
			}
		})
	}
}

func TestFailure(t *testing.T) {
	down := state.SourceCall{Source: "arxiv", Outcome: state.Down, Reason: "arxiv: search Q1: could not be reached"}
	for _, c := range []struct {
		name   string
		part   state.State
		reason string
	}{
		{"nothing asked yet", state.State{}, ""},
		{"every source down", state.State{Calls: map[string]state.SourceCall{"a": down}}, state.StopUnreachable},
		{"one answered with nothing", state.State{Calls: map[string]state.SourceCall{"a": down, "b": {Source: "openalex", Outcome: state.ZeroHits}}}, ""},
		{"a query is still to be sent", state.State{Calls: map[string]state.SourceCall{"a": down}, Queries: map[string]state.Query{"Q2": {ID: "Q2"}}}, ""},
		{"records came before", state.State{Calls: map[string]state.SourceCall{"a": down}, Records: map[string]state.Record{"x": {}}}, ""},
		{"every model call failed", state.State{Ledger: map[string]state.Spend{"t": {Models: map[string]state.ModelUse{"planner": {Calls: 2, Failed: 2}}}}}, state.StopModelFailed},
		{"a model call succeeded", state.State{Ledger: map[string]state.Spend{"t": {Models: map[string]state.ModelUse{"planner": {Calls: 2, Failed: 1}}}}}, ""},
		{"answers are of no use", uses("planner", state.ModelUse{Calls: 3, Unusable: 3}), state.StopModelUseless},
		{"two answers are of no use", uses("planner", state.ModelUse{Calls: 2, Unusable: 2}), ""},
		{"one answer of many was of use", uses("planner", state.ModelUse{Calls: 30, Unusable: 29}), ""},
		{"failed and of no use", uses("planner", state.ModelUse{Calls: 4, Unusable: 1, Failed: 3}), state.StopModelUseless},
		{"one model, of no use to two roles", uses("planner", state.ModelUse{Calls: 1, Unusable: 1}, "critic", state.ModelUse{Calls: 2, Unusable: 2}), state.StopModelUseless},
		{"the quota is used up after many calls", state.State{Degradations: map[string]state.Degradation{"d": {ID: "d", Role: "planner", Kind: "quota", Reason: "HTTP 402"}},
			Ledger: map[string]state.Spend{"t": {Models: map[string]state.ModelUse{"planner": {Calls: 30, Failed: 1}}}}}, state.StopModelFailed},
		{"a built-in role met a quota before", state.State{Degradations: map[string]state.Degradation{"d": {ID: "d", Role: "reader", Kind: "quota", Reason: "HTTP 402"}}}, ""},
		{"one model, of use to one of two roles", uses("planner", state.ModelUse{Calls: 2, Unusable: 2}, "critic", state.ModelUse{Calls: 2, Unusable: 1}), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := state.New(state.Question{Text: "q"}, state.DefaultSettings())
			s.Settings.Models = map[string]string{"planner": "openai:m", "critic": "openai:m", "reader": "builtin"}
			s.Merge(&c.part)
			stop := Failure(s)
			switch {
			case c.reason == "" && stop != nil:
				t.Errorf("stop = %+v, want none", stop)
			case c.reason != "" && (stop == nil || stop.Reason != c.reason || stop.Exit != 5):
				t.Errorf("stop = %+v, want %s with exit code 5", stop, c.reason)
			}
		})
	}
}

func uses(pairs ...any) state.State {
	m := map[string]state.ModelUse{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1].(state.ModelUse)
	}
	return state.State{Ledger: map[string]state.Spend{"t": {Models: m}}}
}

// Whatever a critic proposes, the plan stays sound: priorities are 1…n, at
// least one subquestion is active, and the same edits give the same plan.
func TestAnyEditsLeaveASoundPlan(t *testing.T) {
	ops := []string{state.EditAdd, state.EditSplit, state.EditMerge, state.EditRephrase, state.EditRaise, state.EditLower, state.EditClose, state.EditReopen,
		state.EditAddIntent, state.EditCloseIntent, state.EditRewordIntent, state.EditSnowball, state.EditNote, "nonsense"}
	rapid.Check(t, func(t *rapid.T) {
		var edits []state.Edit
		for range rapid.IntRange(0, 10).Draw(t, "n") {
			edits = append(edits, state.Edit{
				Op:     rapid.SampledFrom(ops).Draw(t, "op"),
				Target: rapid.SampledFrom([]string{"RQ1", "RQ2", "RQ3", "RQ4", "I1", "I2", "doc_0001", ""}).Draw(t, "target"),
				Into:   rapid.SampledFrom([]string{"RQ1", "RQ2", "RQ4"}).Draw(t, "into"),
				Text:   rapid.SampledFrom([]string{"", "a new one", "Which storage designs are there?", "日本語の質問"}).Draw(t, "text"),
				Texts:  rapid.SliceOfN(rapid.SampledFrom([]string{"", "part one", "part two"}), 0, 3).Draw(t, "texts"),
			})
		}
		s := after(plan(), critique(edits...))
		active := s.ActiveSubquestions()
		if len(active) == 0 {
			t.Fatal("no subquestion is active")
		}
		if len(Apply(plan(), critique(edits...)).Subquestions) > 0 {
			for i, q := range active {
				if q.Priority != i+1 {
					t.Fatalf("%s has priority %d at place %d", q.ID, q.Priority, i+1)
				}
			}
		}
		for _, in := range s.Intents {
			if _, ok := s.Subquestions[in.Subquestion]; !ok {
				t.Fatalf("%s belongs to %q, which does not exist", in.ID, in.Subquestion)
			}
		}
		x, err1 := s.JSON()
		y, err2 := after(plan(), critique(edits...)).JSON()
		if err1 != nil || err2 != nil || string(x) != string(y) {
			t.Fatal("the same edits gave two plans")
		}
	})
}
