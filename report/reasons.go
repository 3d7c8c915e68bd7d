package report

import "optimistresearch/state"

var exclusionTexts = map[string]string{
	state.ExcludeOffTopic: "not relevant", state.ExcludeYear: "outside the years asked for", state.ExcludeLanguage: "in another language",
	state.ExcludeType: "another type of publication", state.ExcludeRetracted: "retracted", state.ExcludeNoText: "no text available", state.ExcludePerson: "excluded by a person",
}

func exclusionText(x state.Exclusion) string {
	if t, ok := exclusionTexts[x.Reason]; ok {
		return t
	}
	return orDash(words(x.Reason))
}

// overBudget is the reason for a relevant work that the reading budget left
// out.
const overBudget = "outside the reading budget"

// unread says why a relevant work with a text was not chosen for reading. Only
// the budget keeps one from being chosen in the last iteration, which may use
// all that is left of it; earlier ones leave works for later.
func (v *view) unread() string {
	budget, stop := v.set.Budgets, v.s.Stop
	switch {
	case stop == nil:
	case v.s.Spent().Documents >= budget.Documents, v.s.Halt == nil && stop.Iteration >= budget.Iterations && v.s.Work[state.WorkRead].Round == stop.Iteration:
		return overBudget
	}
	return v.cameFirst()
}

// cameFirst says what came before the turn of a work that was left where it
// was.
func (v *view) cameFirst() string {
	switch stop := v.s.Stop; {
	case stop == nil:
		return "its turn has not come yet"
	case v.s.Halt != nil:
		return "a budget ended the run first"
	case endings[stop.Reason] != "":
		return endings[stop.Reason]
	}
	return "the run ended first"
}

// endings say, by the reason of a stop, what kept a work from its turn.
var endings = map[string]string{
	state.StopSufficient: "the evidence was judged sufficient first", state.StopIterations: "the planned iterations were done first",
	state.StopBudget: "a budget ended the run first", state.StopNoCritique: "the run ended first, without a critique", state.StopNothingToDo: "the run ended first, with nothing left to do",
	state.StopUnreachable: "the run ended first, since searches failed", state.StopModelFailed: "the run ended first, since a model failed", state.StopModelUseless: "the run ended first, since a model failed",
}
