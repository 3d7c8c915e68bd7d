package critic

import (
	"fmt"
	"slices"
	"strings"

	"optimistresearch/state"
)

// Exit codes that a stop can carry (see the table in cmd/optimistresearch).
const (
	exitFinished    = 0
	exitNoEvidence  = 3
	exitBudget      = 4
	exitUnreachable = 5
)

// Terminate decides whether the search ends after a critique, and why, in this
// order: no critique; evidence judged sufficient; a budget used up; nothing
// actionable proposed. nil means: apply the critique and go on. halted says
// that a budget ended the gathering of evidence already (State.Halt).
//
// The last iteration of the plan is a regular end with exit code 0; every
// other budget ends the run with code 4, whether or not anything was admitted
// by then. Of the regular ends, one after most searches failed has code 5, and
// one without any admitted evidence code 3: what was not answered cannot be
// held against the literature.
func Terminate(s *state.State, c *state.Critique, halted bool) *state.Stop {
	stop := terminate(s, c, halted)
	if stop == nil {
		return nil
	}
	stop.Iteration = s.Iteration()
	none := len(s.Admitted("")) == 0
	switch failed := searchesFailed(s); {
	case stop.Exit == exitBudget && none:
		stop.Detail += "; no claim had been admitted by then"
	case stop.Exit == exitBudget:
	case failed != "":
		stop.Reason, stop.Exit, stop.Detail = state.StopUnreachable, exitUnreachable, failed+"; what was found before is reported"
	case none:
		stop.Reason, stop.Exit = state.StopNoEvidence, exitNoEvidence
	}
	return stop
}

// searchesFailed says so when more than two thirds of the searches that were
// sent failed: such a review rests on what happened to answer. "" otherwise.
func searchesFailed(s *state.State) string {
	sent, failed := 0, 0
	bySource := map[string]int{}
	for _, q := range s.Queries {
		switch {
		case q.Revision == 0 || q.Outcome == state.Skipped:
			continue
		case q.Outcome.Failed():
			failed++
			bySource[q.Source]++
		}
		sent++
	}
	if 3*failed <= 2*sent {
		return ""
	}
	var which []string
	for _, src := range state.Keys(bySource) {
		which = append(which, fmt.Sprintf("%s %d", src, bySource[src]))
	}
	return fmt.Sprintf("%d of %d searches failed (%s)", failed, sent, strings.Join(which, ", "))
}

func terminate(s *state.State, c *state.Critique, halted bool) *state.Stop {
	if c == nil {
		return &state.Stop{Reason: state.StopNoCritique, Detail: "no critique was produced"}
	}
	if c.Sufficient {
		return &state.Stop{Reason: state.StopSufficient, Detail: "the critic judged the evidence sufficient: " + c.Summary}
	}
	if halted && s.Halt != nil {
		return &state.Stop{Reason: state.StopBudget, Detail: s.Halt.Detail, Exit: exitBudget}
	}
	b, spent := s.Settings.Budgets, s.Spent()
	switch {
	case c.Iteration >= b.Iterations:
		return &state.Stop{Reason: state.StopIterations, Exit: exitFinished,
			Detail: fmt.Sprintf("%d of %d (budgets.iterations)", c.Iteration, b.Iterations)}
	case spent.Documents >= b.Documents:
		return used("documents read", spent.Documents, b.Documents, "budgets.documents")
	case spent.Searches >= b.Searches:
		return used("search operations", spent.Searches, b.Searches, "budgets.searches")
	}
	if Actionable(s, *c) == 0 {
		return &state.Stop{Reason: state.StopNothingToDo, Detail: "the critic asked to go on but proposed nothing that could be carried out"}
	}
	return nil
}

func used(what string, n, most int, setting string) *state.Stop {
	return &state.Stop{Reason: state.StopBudget, Exit: exitBudget, Detail: fmt.Sprintf("%d of %d %s are used up (%s)", n, most, what, setting)}
}

// Actionable counts the edits of a critique that would be accepted and lead to
// new work.
func Actionable(s *state.State, c state.Critique) int {
	n := 0
	for _, a := range Apply(s, c).Applied {
		if !a.Applied {
			continue
		}
		switch a.Edit.Op {
		case state.EditAdd, state.EditSplit, state.EditReopen, state.EditRephrase, state.EditAddIntent, state.EditRewordIntent, state.EditSnowball, state.EditNote:
			n++
		}
	}
	return n
}

// Exhausted names the budget that leaves no room for gathering more: wall
// time, tokens, money or a source's credit. Tokens and money count as used up
// when only the share kept for synthesis and report is left. "" means that
// there is room. Iterations, documents, searches and rounds are counted where
// they are spent.
func Exhausted(s *state.State, wall bool) string {
	b, spent := s.Settings.Budgets, s.Spent()
	if wall {
		return fmt.Sprintf("the wall time of %g minutes is used up (budgets.minutes)", b.Minutes)
	}
	tokens, micros, unpriced := 0, int64(0), 0
	for _, u := range spent.Models {
		tokens += u.Prompt + u.Output
		micros += u.Micros
		unpriced += u.Unpriced
	}
	gather := 1 - state.Clamp(b.WritingShare)
	if b.Tokens > 0 && float64(tokens) >= gather*float64(b.Tokens) {
		return fmt.Sprintf("%d of %d model tokens are used up, the rest is kept for writing (budgets.tokens)", tokens, b.Tokens)
	}
	if b.Dollars > 0 && float64(micros) >= gather*b.Dollars*1e6 {
		return fmt.Sprintf("$%.2f of $%.2f are spent, the rest is kept for writing (budgets.dollars)", float64(micros)/1e6, b.Dollars)
	}
	if b.Dollars > 0 && unpriced > 0 {
		// A price that is not known is not 0: a money cap cannot be kept blind.
		return fmt.Sprintf("%d model calls have no known price, so the cap of $%.2f cannot be kept (add the model to prices, or drop budgets.dollars)", unpriced, b.Dollars)
	}
	for _, src := range state.Keys(b.Credits) {
		if most := b.Credits[src]; most > 0 && spent.Credits[src] >= most {
			return fmt.Sprintf("%d of %d credits of %s are used up (budgets.credits.%s)", spent.Credits[src], most, src, src)
		}
	}
	return ""
}

// Failure says whether the run cannot go on because what it needs does not
// answer: every source call so far failed and there is no document, or a model
// gave a role nothing but failed calls, or nothing but answers that could not
// be used. nil = it can go on.
func Failure(s *state.State) *state.Stop {
	if stop := modelFailure(s); stop != nil {
		return stop
	}
	if len(s.Records) > 0 || len(s.Calls) == 0 {
		return nil
	}
	var why []string
	seen := map[string]bool{}
	for _, k := range state.SortedIDs(s.Calls) {
		c := s.Calls[k]
		switch {
		case c.Outcome == state.Skipped:
		case !c.Outcome.Failed():
			return nil
		case !seen[c.Source]:
			seen[c.Source] = true
			why = append(why, c.Reason)
		}
	}
	if pendingSearches(s) {
		return nil
	}
	if len(why) == 0 {
		why = []string{"every source was skipped"}
	}
	return &state.Stop{Iteration: s.Iteration(), Reason: state.StopUnreachable, Exit: exitUnreachable,
		Detail: "no source answered: " + strings.Join(why, "; ")}
}

// pendingSearches tells whether queries of the plan have not been sent yet.
func pendingSearches(s *state.State) bool {
	for _, q := range s.Queries {
		if q.Revision == 0 {
			return true
		}
	}
	return false
}

// unusableEnough answers that could not be used, and none that could, show that
// a model is not up to its work; one or two may be bad luck.
const unusableEnough = 3

// forGood are the kinds of failed model calls that waiting does not mend.
var forGood = map[string]bool{"quota": true, "refused": true, "missing_key": true}

// modelFailure looks at each role by itself, and at each model over all the
// roles that it was given.
func modelFailure(s *state.State) *state.Stop {
	spent := s.Spent()
	// A key that is not accepted, or a quota that is used up, ends the run also
	// when calls before it succeeded: every further one would fail.
	for _, k := range state.Keys(s.Degradations) {
		d := s.Degradations[k]
		if spec := s.Settings.Models[d.Role]; spec != "" && spec != "builtin" && forGood[d.Kind] {
			return &state.Stop{Iteration: s.Iteration(), Exit: exitUnreachable, Reason: state.StopModelFailed,
				Detail: fmt.Sprintf("the model %s for the role %s takes no more calls: %s", spec, d.Role, d.Reason)}
		}
	}
	roles := map[string][]string{} // model → roles that asked it
	for _, role := range state.Keys(s.Settings.Models) {
		spec := s.Settings.Models[role]
		if spec == "" || spec == "builtin" || spent.Models[role].Calls == 0 {
			continue
		}
		roles[spec] = append(roles[spec], role)
		if stop := useless(s, spec, []string{role}, spent.Models[role]); stop != nil {
			return stop
		}
	}
	for _, spec := range state.Keys(roles) {
		var all state.ModelUse
		for _, role := range roles[spec] {
			all = all.Add(spent.Models[role])
		}
		if stop := useless(s, spec, roles[spec], all); stop != nil {
			return stop
		}
	}
	return nil
}

// useless judges what a model gave to some roles. nil = it is of use, or it is
// too early to tell.
func useless(s *state.State, spec string, roles []string, u state.ModelUse) *state.Stop {
	stop := &state.Stop{Iteration: s.Iteration(), Exit: exitUnreachable}
	who := fmt.Sprintf("the model %s for the role %s", spec, strings.Join(roles, ", "))
	switch {
	case u.Failed+u.Unusable < u.Calls:
		return nil
	case u.Failed == u.Calls:
		stop.Reason = state.StopModelFailed
		stop.Detail = fmt.Sprintf("%s never answered (%d of %d calls failed)", who, u.Failed, u.Calls)
	case u.Calls >= unusableEnough:
		stop.Reason = state.StopModelUseless
		stop.Detail = fmt.Sprintf("%s gave no answer that could be used in %d calls", who, u.Calls)
	default:
		return nil
	}
	for _, k := range state.Keys(s.Degradations) {
		if d := s.Degradations[k]; slices.Contains(roles, d.Role) {
			stop.Detail += ": " + d.Reason
			break
		}
	}
	return stop
}
