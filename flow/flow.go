// Package flow is the deterministic loop of the method: which tasks may run
// now, the nodes that need no model and no network, and the rules by which the
// loop ends. It is a function of the state alone; two machines with the same
// state ask for the same tasks.
//
//	plan → intents → queries → search → canon → batch → screen → close
//	     → (seeds → expand → canon → batch → screen → close)*
//	     → allocate → read → verify → cluster → answer → synthesise
//	     → critique → decide → apply → intents …
//	decide → write
//
// The package must never look at a clock, a disk or the network. Start with
// Next.
package flow

import (
	"fmt"
	"slices"
	"sort"
	"strconv"

	"optimistresearch/critic"
	"optimistresearch/snowball"
	"optimistresearch/state"
)

// Names of the nodes.
const (
	Plan       = "plan"
	Intents    = "intents"
	Queries    = "queries"
	Search     = "search"
	Canon      = "canon"
	Batch      = "batch"
	Screen     = "screen"
	Close      = "close"
	Seeds      = "seeds"
	Expand     = "expand"
	Allocate   = "allocate"
	Read       = "read"
	Verify     = "verify"
	Cluster    = "cluster"
	Answer     = "answer"
	Synthesise = "synthesise"
	Critique   = "critique"
	Decide     = "decide"
	Apply      = state.NodeApply
	Halt       = "halt"
	Gate       = "gate"
	Write      = "write"
)

// Steps are the nodes that need a model or the network.
func Steps() []string {
	return []string{Plan, Intents, Queries, Search, Screen, Expand, Read, Verify, Answer, Synthesise, Critique, Write}
}

// Runtime is what the loop must know of the world.
type Runtime struct {
	WallUsed bool // the wall-time budget is used up
}

// chunk is how many calls go out between two looks at the budgets of tokens,
// money, time and credit.
const chunk = 8

// Next returns the tasks that may run now, the most valuable first; none when
// the run is finished. A wave that was begun is finished before budgets and
// failures are looked at again, so that a run that was interrupted in the
// middle of one goes on as if it had not been.
func Next(s *state.State, rt Runtime) []state.Task {
	if s.Stop != nil {
		return writing(s)
	}
	l := &loop{s: s}
	tasks := l.next()
	if l.begun {
		return tasks
	}
	if critic.Failure(s) != nil {
		return []state.Task{task("gate", Gate, s.Iteration())}
	}
	if s.Halt == nil && done(s, "plan") {
		if reason := critic.Exhausted(s, rt.WallUsed); reason != "" {
			return []state.Task{task("halt", Halt, s.Iteration(), reason)}
		}
	}
	return tasks
}

// loop looks for the next wave of a state.
type loop struct {
	s     *state.State
	begun bool // some tasks of the wave that was found are done
}

// wave returns those of the tasks that are not done.
func (l *loop) wave(tasks ...state.Task) []state.Task {
	open := undone(l.s, tasks...)
	l.begun = len(open) > 0 && len(open) < len(tasks)
	return open
}

// limited is wave in portions, so that budgets are looked at between calls.
// The tasks must be the same whichever of them are done.
func (l *loop) limited(tasks ...state.Task) []state.Task {
	if b := l.s.Settings.Budgets; b.Tokens <= 0 && b.Dollars <= 0 && b.Minutes <= 0 && len(b.Credits) == 0 {
		return l.wave(tasks...)
	}
	for portion := range slices.Chunk(tasks, chunk) {
		if open := l.wave(portion...); len(open) > 0 {
			return open
		}
	}
	return nil
}

func (l *loop) next() []state.Task {
	if t := l.wave(task("plan", Plan, 0)); len(t) > 0 {
		return t
	}
	return l.iteration(l.s.Iteration())
}

// iteration returns the next tasks of one turn of the outer loop.
func (l *loop) iteration(it int) []state.Task {
	s := l.s
	id := func(parts ...string) string { return taskID(it, parts...) }
	if s.Halt == nil {
		if t := l.gather(it); len(t) > 0 {
			return t
		}
	}
	if t := l.verification(it); len(t) > 0 {
		return t
	}
	if t := l.wave(task(id(Cluster), Cluster, it)); len(t) > 0 {
		return t
	}
	var answers []state.Task
	for _, q := range s.ActiveSubquestions() {
		answers = append(answers, task(id(Answer, q.ID), Answer, it, q.ID))
	}
	// Edits of this turn's critique must not add answers to a turn that has
	// its critique already.
	if !done(s, id(Synthesise)) {
		if t := l.wave(answers...); len(t) > 0 {
			return t
		}
	}
	for _, node := range []string{Synthesise, Critique, Decide} {
		if t := l.wave(task(id(node), node, it)); len(t) > 0 {
			return t
		}
	}
	return l.wave(task(id(Apply), Apply, it))
}

// gather returns the next tasks that widen or read the corpus.
func (l *loop) gather(it int) []state.Task {
	s := l.s
	id := func(parts ...string) string { return taskID(it, parts...) }
	if t := l.wave(task(id(Intents), Intents, it)); len(t) > 0 {
		return t
	}
	spent := s.Spent()
	b := s.Settings.Budgets
	limit := Quota(b.Searches-spent.Searches, it, b.Iterations)
	if t := l.wave(task(id(Queries), Queries, it, strconv.Itoa(limit))); len(t) > 0 {
		return t
	}
	var searches []state.Task
	for _, q := range state.SortedIDs(s.Queries) {
		if s.Queries[q].Iteration == it {
			searches = append(searches, task(id(Search, q), Search, it, q))
		}
	}
	if t := l.limited(searches...); len(t) > 0 {
		return t
	}
	if t := l.assess(it, 0); len(t) > 0 {
		return t
	}
	if t := l.chase(it); len(t) > 0 {
		return t
	}
	budget := Quota(b.Documents-spent.Documents, it, b.Iterations)
	if t := l.wave(task(id(Allocate), Allocate, it, strconv.Itoa(budget))); len(t) > 0 {
		return t
	}
	var reads []state.Task
	for _, item := range queue(s.Work[state.WorkRead], it) {
		reads = append(reads, task(id(Read, item.IDs[0]), Read, it, append([]string{item.IDs[0]}, item.Subquestions...)...))
	}
	return l.limited(reads...)
}

// assess returns the tasks that turn the records of a round into screened
// documents: canon, batch, screen, close.
func (l *loop) assess(it, k int) []state.Task {
	s := l.s
	number := state.RoundNumber(it, k)
	id := func(parts ...string) string { return taskID(it, append(parts, strconv.Itoa(k))...) }
	for _, node := range []string{Canon, Batch} {
		if t := l.wave(task(id(node), node, it, strconv.Itoa(number))); len(t) > 0 {
			return t
		}
	}
	if done(s, id(Close)) {
		return nil
	}
	work := s.Work[state.WorkScreen]
	var screens []state.Task
	if work.Round == number {
		for _, b := range state.SortedIDs(work.Items) {
			screens = append(screens, task(id(Screen, b), Screen, it, b))
		}
	}
	if t := l.limited(screens...); len(t) > 0 {
		return t
	}
	return []state.Task{task(id(Close), Close, it, strconv.Itoa(number))}
}

// chase returns the next tasks of the inner loop.
func (l *loop) chase(it int) []state.Task {
	s := l.s
	for k := 1; k < 100; k++ {
		id := taskID(it, Seeds, strconv.Itoa(k))
		number := state.RoundNumber(it, k)
		if !done(s, id) {
			// A saturated chase stays over, but for what the critic asked for:
			// see seeds.
			saturated, _ := snowball.Saturated(s)
			if saturated && k > 1 || s.Spent().Rounds >= s.Settings.Budgets.SnowballRounds || done(s, taskID(it, Allocate)) {
				return nil
			}
			return []state.Task{task(id, Seeds, it, strconv.Itoa(number))}
		}
		round, ok := s.Rounds[state.RoundKey(number)]
		if !ok || len(round.Seeds) == 0 {
			return nil
		}
		var expands []state.Task
		for _, seed := range round.Seeds {
			expands = append(expands, task(taskID(it, Expand, strconv.Itoa(k), seed), Expand, it, seed, strconv.Itoa(number)))
		}
		if t := l.limited(expands...); len(t) > 0 {
			return t
		}
		if t := l.assess(it, k); len(t) > 0 {
			return t
		}
	}
	return nil
}

// verification returns one task per document with evidence that has no
// verdict, or a stale one.
func (l *loop) verification(it int) []state.Task {
	s := l.s
	if done(s, taskID(it, Cluster)) {
		return nil
	}
	docs := map[string]bool{}
	for id, e := range s.Evidence {
		if r, ok := s.Reviews[id]; !ok || r.Stale != "" || done(s, taskID(it, Verify, e.Document)) {
			docs[e.Document] = true
		}
	}
	var tasks []state.Task
	for _, doc := range state.SortedIDs(docs) {
		tasks = append(tasks, task(taskID(it, Verify, doc), Verify, it, doc))
	}
	return l.limited(tasks...)
}

// writing returns the tasks that write the report's findings sections.
func writing(s *state.State) []state.Task {
	if s.Synthesis == nil {
		return nil
	}
	var tasks []state.Task
	for _, sec := range s.Synthesis.Outline {
		tasks = append(tasks, task(Write+"/"+sec.ID, Write, s.Stop.Iteration, sec.ID))
	}
	return undone(s, tasks...)
}

// Quota is what one iteration may use of the remaining budget: half of it,
// rounded up, and all of it in the last iteration, so that what the critic
// asks for can still be searched and read.
func Quota(remaining, iteration, iterations int) int {
	if remaining <= 0 {
		return 0
	}
	if iteration >= iterations {
		return remaining
	}
	return (remaining + 1) / 2
}

// queue returns the items of a work list in order, if the list is of that
// round.
func queue(w state.WorkList, round int) []state.WorkItem {
	if w.Round != round {
		return nil
	}
	items := make([]state.WorkItem, 0, len(w.Items))
	for _, k := range state.SortedIDs(w.Items) {
		items = append(items, w.Items[k])
	}
	sort.SliceStable(items, func(i, j int) bool { return items[i].Order < items[j].Order })
	return items
}

func task(id, node string, iteration int, args ...string) state.Task {
	return state.Task{ID: id, Node: node, Iteration: iteration, Args: args}
}

func taskID(iteration int, parts ...string) string {
	id := fmt.Sprintf("it%d", iteration)
	for _, p := range parts {
		id += "/" + p
	}
	return id
}

func done(s *state.State, id string) bool {
	_, ok := s.Done[id]
	return ok
}

func undone(s *state.State, tasks ...state.Task) []state.Task {
	var out []state.Task
	for _, t := range tasks {
		if !done(s, t.ID) {
			out = append(out, t)
		}
	}
	return out
}
