// Package critic carries out what a critique asks for, and decides when the
// search ends. A critic, be it a model or the built-in rules, proposes typed
// edits; this package validates and applies them deterministically, so a bad
// proposal is refused with its reason and can never corrupt the plan.
//
// The package must never call a model or judge evidence itself. Start with
// Apply and Terminate.
package critic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Apply carries out the edits of a critique in order and returns the part of
// the state that they change. Every edit leaves an AppliedEdit that says what
// came of it; several edits of one item compose.
func Apply(s *state.State, c state.Critique) state.State {
	e := &editor{s: s, c: c, subquestions: map[string]state.Subquestion{}, intents: map[string]state.Intent{},
		reviews: map[string]state.Review{}, contradictions: map[string]state.Contradiction{}}
	part := state.State{Applied: map[string]state.AppliedEdit{}}
	for i, edit := range c.Edits {
		result, err := e.apply(edit)
		a := state.AppliedEdit{Iteration: c.Iteration, Edit: edit, Applied: err == nil, Result: result}
		if err != nil {
			a.Result = "refused: " + err.Error()
		}
		part.Applied[fmt.Sprintf("it%d/%d", c.Iteration, i)] = a
	}
	for i, gap := range c.Gaps {
		edit := state.Edit{Op: state.EditNote, Text: gap}
		result, err := e.apply(edit)
		a := state.AppliedEdit{Iteration: c.Iteration, Edit: edit, Applied: err == nil, Result: result}
		if err != nil {
			a.Result = "refused: " + err.Error()
		}
		part.Applied[fmt.Sprintf("it%d/%d", c.Iteration, len(c.Edits)+i)] = a
	}
	e.renumber()
	part.Subquestions, part.Intents = e.subquestions, e.intents
	part.Reviews, part.Contradictions = e.reviews, e.contradictions
	return part
}

// editor holds the plan as it is after the edits so far.
type editor struct {
	s              *state.State
	c              state.Critique
	subquestions   map[string]state.Subquestion // changed or new
	intents        map[string]state.Intent
	reviews        map[string]state.Review
	contradictions map[string]state.Contradiction
}

func (e *editor) apply(ed state.Edit) (string, error) {
	ops := map[string]func(state.Edit) (string, error){
		state.EditAdd: e.add, state.EditSplit: e.split, state.EditMerge: e.merge, state.EditRephrase: e.rephrase,
		state.EditRaise: e.raise, state.EditLower: e.lower, state.EditClose: e.close, state.EditReopen: e.reopen,
		state.EditAddIntent: e.addIntent, state.EditCloseIntent: e.closeIntent, state.EditRewordIntent: e.rewordIntent,
		state.EditSnowball: e.snowball, state.EditContradiction: e.contradiction, state.EditNote: e.gap,
	}
	op := ops[ed.Op]
	if op == nil {
		return "", fmt.Errorf("%q is not an edit; the edits are %s", ed.Op, strings.Join(state.Keys(ops), ", "))
	}
	return op(ed)
}

func (e *editor) subquestion(id string) (state.Subquestion, error) {
	if q, ok := e.subquestions[id]; ok {
		return q, nil
	}
	if q, ok := e.s.Subquestions[id]; ok {
		return q, nil
	}
	return state.Subquestion{}, fmt.Errorf("there is no subquestion %q", id)
}

func (e *editor) active(id string) (state.Subquestion, error) {
	q, err := e.subquestion(id)
	if err == nil && !q.Status.Active() {
		err = fmt.Errorf("%s is %s", id, q.Status)
	}
	return q, err
}

func (e *editor) put(q state.Subquestion) {
	q.Revision = e.c.Iteration
	e.subquestions[q.ID] = q
}

// all lists every subquestion as it stands now, in id order.
func (e *editor) all() []state.Subquestion {
	ids := map[string]bool{}
	for id := range e.s.Subquestions {
		ids[id] = true
	}
	for id := range e.subquestions {
		ids[id] = true
	}
	var out []state.Subquestion
	for _, id := range state.SortedIDs(ids) {
		q, _ := e.subquestion(id)
		out = append(out, q)
	}
	return out
}

// wording checks that a text can be a new or changed subquestion.
func (e *editor) wording(t, except string) (string, error) {
	t = text.OneLine(t)
	key := text.TitleKey(t)
	if key == "" {
		return "", fmt.Errorf("the text is empty")
	}
	for _, q := range e.all() {
		if q.ID != except && q.Status.Active() && text.TitleKey(q.Text) == key {
			return "", fmt.Errorf("%s asks the same", q.ID)
		}
	}
	return text.Truncate(t, 500), nil
}

func (e *editor) fresh(t string, ed state.Edit, parent string) (state.Subquestion, error) {
	t, err := e.wording(t, "")
	if err != nil {
		return state.Subquestion{}, err
	}
	n, low := 0, 0
	for _, q := range e.all() {
		if k, err := strconv.Atoi(strings.TrimPrefix(q.ID, "RQ")); err == nil {
			n = max(n, k)
		}
		low = max(low, q.Priority)
	}
	q := state.Subquestion{ID: "RQ" + strconv.Itoa(n+1), Text: t, Rationale: text.OneLine(ed.Rationale), Focus: ed.Focus,
		Priority: low + 1, Status: state.Open, Origin: state.FromCritic, Parent: parent, By: e.c.By}
	e.put(q)
	return q, nil
}

func (e *editor) add(ed state.Edit) (string, error) {
	q, err := e.fresh(ed.Text, ed, "")
	if err != nil {
		return "", err
	}
	return "added " + q.ID, nil
}

func (e *editor) split(ed state.Edit) (string, error) {
	q, err := e.active(ed.Target)
	if err != nil {
		return "", err
	}
	if len(ed.Texts) < 2 {
		return "", fmt.Errorf("a split needs at least two texts, %d given", len(ed.Texts))
	}
	before := e.subquestions
	e.subquestions = map[string]state.Subquestion{}
	for k, v := range before {
		e.subquestions[k] = v
	}
	// The parent gives way first, so that a part may keep its wording.
	q.Status = state.Split
	e.put(q)
	var ids []string
	for _, t := range ed.Texts {
		part, err := e.fresh(t, state.Edit{Rationale: ed.Rationale}, q.ID)
		if err != nil {
			e.subquestions = before
			return "", fmt.Errorf("part %q: %w", text.Truncate(t, 60), err)
		}
		part.Priority = q.Priority
		e.put(part)
		ids = append(ids, part.ID)
	}
	e.stale(q.ID, "split into "+strings.Join(ids, " and "))
	return "split " + q.ID + " into " + strings.Join(ids, " and "), nil
}

func (e *editor) merge(ed state.Edit) (string, error) {
	q, err := e.active(ed.Target)
	if err != nil {
		return "", err
	}
	into, err := e.active(ed.Into)
	if err != nil {
		return "", err
	}
	if q.ID == into.ID {
		return "", fmt.Errorf("%s cannot be merged into itself", q.ID)
	}
	q.Status, q.MergedInto = state.Merged, into.ID
	into.Priority = min(into.Priority, q.Priority)
	into.Focus = state.Union(into.Focus, q.Focus)
	e.put(q)
	e.put(into)
	e.stale(q.ID, "merged into "+into.ID)
	return "merged " + q.ID + " into " + into.ID, nil
}

func (e *editor) rephrase(ed state.Edit) (string, error) {
	q, err := e.active(ed.Target)
	if err != nil {
		return "", err
	}
	t, err := e.wording(ed.Text, q.ID)
	if err != nil {
		return "", err
	}
	if t == q.Text {
		return "", fmt.Errorf("%s has this text already", q.ID)
	}
	q.Text = t
	if len(ed.Focus) > 0 {
		q.Focus = ed.Focus
	}
	e.put(q)
	e.stale(q.ID, q.ID+" was rephrased")
	return "rephrased " + q.ID, nil
}

func (e *editor) raise(ed state.Edit) (string, error) { return e.move(ed.Target, -1) }
func (e *editor) lower(ed state.Edit) (string, error) { return e.move(ed.Target, +1) }

// move swaps the places of a subquestion and its neighbour.
func (e *editor) move(id string, by int) (string, error) {
	q, err := e.active(id)
	if err != nil {
		return "", err
	}
	order := e.order()
	i := slices.IndexFunc(order, func(o state.Subquestion) bool { return o.ID == id })
	j := i + by
	if j < 0 || j >= len(order) {
		return "", fmt.Errorf("%s is at that end of the list already", id)
	}
	order[i], order[j] = order[j], order[i]
	for n, o := range order {
		if o.Priority != n+1 {
			o.Priority = n + 1
			e.put(o)
		}
	}
	word := "raised"
	if by > 0 {
		word = "lowered"
	}
	return word + " " + q.ID, nil
}

// order lists the active subquestions by priority.
func (e *editor) order() []state.Subquestion {
	var out []state.Subquestion
	for _, q := range e.all() {
		if q.Status.Active() {
			out = append(out, q)
		}
	}
	slices.SortStableFunc(out, func(a, b state.Subquestion) int { return a.Priority - b.Priority })
	return out
}

// renumber closes gaps and breaks ties in the priorities of a changed plan.
func (e *editor) renumber() {
	if len(e.subquestions) == 0 {
		return
	}
	for n, q := range e.order() {
		if q.Priority != n+1 {
			q.Priority = n + 1
			e.put(q)
		}
	}
}

func (e *editor) close(ed state.Edit) (string, error) {
	q, err := e.active(ed.Target)
	if err != nil {
		return "", err
	}
	if len(e.order()) == 1 {
		return "", fmt.Errorf("%s is the only active subquestion", q.ID)
	}
	q.Status = state.Closed
	e.put(q)
	return "closed " + q.ID, nil
}

func (e *editor) reopen(ed state.Edit) (string, error) {
	q, err := e.subquestion(ed.Target)
	if err != nil {
		return "", err
	}
	if q.Status.Active() {
		return "", fmt.Errorf("%s is %s already", q.ID, q.Status)
	}
	if q.Status == state.Merged {
		return "", fmt.Errorf("%s was merged into %s; reopen or split that one", q.ID, q.MergedInto)
	}
	q.Status = state.Open
	e.put(q)
	return "reopened " + q.ID, nil
}

// stale withdraws the verdicts that rest on a subquestion until they are given
// again.
func (e *editor) stale(id, cause string) {
	for _, k := range state.Keys(e.s.Reviews) {
		r := e.s.Reviews[k]
		if e.s.Evidence[k].Subquestion == id && r.Admitted {
			r.Revision, r.Stale = e.c.Iteration, cause
			e.reviews[k] = r
		}
	}
}
