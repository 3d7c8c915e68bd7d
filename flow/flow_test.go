package flow

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"optimistresearch/snowball"
	"optimistresearch/state"
)

// One question, two turns of the outer loop, each node in its place.
func TestARunToItsEnd(t *testing.T) {
	w := newWorld()
	s := w.start()
	h := w.run(t, s)
	round := "canon batch screen close"
	want := strings.Fields("plan intents queries search×12 canon batch screen×4 close" +
		strings.Repeat(" seeds expand×2 "+round, 3) + " seeds expand×2 canon batch close" + // the last chase brings only known works
		" allocate read×7 verify×7 cluster answer×2 synthesise critique decide apply" +
		" intents queries search×6 canon batch close allocate read×4 verify×9 cluster answer×2 synthesise critique decide write×2")
	if got := h.waves(); !slices.Equal(got, want) {
		t.Errorf("the waves are\n%v\nwant\n%v", got, want)
	}
	if s.Stop == nil || s.Stop.Reason != state.StopSufficient || s.Stop.Exit != 0 || s.Stop.Iteration != 2 {
		t.Errorf("stop = %+v, want sufficient evidence in iteration 2", s.Stop)
	}
	spent := s.Spent()
	if b := s.Settings.Budgets; spent.Documents > b.Documents || spent.Searches > b.Searches || spent.Rounds > b.SnowballRounds {
		t.Errorf("spent %+v of %+v", spent, b)
	}
	if len(s.Sections) != len(s.Synthesis.Outline) || len(s.Sections) == 0 {
		t.Errorf("%d sections written for an outline of %d", len(s.Sections), len(s.Synthesis.Outline))
	}
	// RQ1 was rephrased: its verdicts were given again in iteration 2.
	for id, r := range s.Reviews {
		if s.Evidence[id].Subquestion == "RQ1" && (r.Revision != 2 || r.Stale != "") {
			t.Errorf("the verdict on %s is %+v, want one of iteration 2", id, r)
		}
	}
}

// variants of the world in which what Next looks at changes in the middle of
// a wave.
var variants = []struct {
	name string
	make func(*testing.T) *world
}{
	{"no budget in reach", func(*testing.T) *world { return newWorld() }},
	{"a budget that is never reached", func(t *testing.T) *world {
		w := newWorld()
		w.settings.Budgets.Tokens = 1 << 30
		return w
	}},
	{"tokens run out while screening", func(t *testing.T) *world {
		w := newWorld()
		w.settings.Screening.Batch, w.settings.Budgets.Tokens = 1, 1000
		return w
	}},
	{"tokens run out while reading", func(t *testing.T) *world {
		w := newWorld()
		w.settings.Budgets.Tokens = 1500
		return w
	}},
	{"credit runs out while searching", func(t *testing.T) *world {
		w := newWorld()
		w.settings.Budgets.Credits = map[string]int{"arxiv": 20}
		return w
	}},
	{"the first reading fails, the others do not", func(t *testing.T) *world {
		w := newWorld()
		s := w.start()
		for _, wave := range w.run(t, s) {
			if wave[0].Task.Node == Read {
				w.deafTask = map[string]bool{wave[0].Task.ID: true}
				break
			}
		}
		return w
	}},
	{"the critic asks for a chase", func(t *testing.T) *world {
		w := newWorld()
		w.chases = []state.Edit{{Op: state.EditSnowball, Target: "doc_0002", Direction: state.Backward}, {Op: state.EditSnowball, Target: "doc_0003", Direction: state.Forward}}
		return w
	}},
	{"every source is down", func(t *testing.T) *world {
		w := newWorld()
		w.down = map[string]bool{"arxiv": true, "openalex": true, "crossref": true}
		return w
	}},
}

// Whichever tasks of a wave are stored when a run dies, it asks for the others
// and for nothing else, and so goes on to the same end (SPEC 4.3).
func TestEveryPrefixContinuesAlike(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			w := v.make(t)
			whole := w.start()
			h := w.run(t, whole)
			before := w.start()
			for i, wave := range h {
				for mask := range subsets(len(wave)) {
					s := new(state.State)
					s.Merge(before)
					var rest []state.Task
					for j, d := range wave {
						if mask(j) {
							s.Apply(d)
						} else {
							rest = append(rest, d.Task)
						}
					}
					if got := Next(s, Runtime{}); !slices.Equal(describe(got), describe(rest)) {
						t.Fatalf("died in wave %d (%s) with %d of %d tasks stored: goes on with %v, want %v",
							i, wave[0].Task.Node, len(wave)-len(rest), len(wave), describe(got), describe(rest))
					}
				}
				for _, d := range wave {
					before.Apply(d)
				}
			}
			if encoded(t, before) != encoded(t, whole) {
				t.Error("the deltas do not fold to the state")
			}
		})
	}
}

// subsets gives the subsets of n tasks that leave something to do, for large n
// those of one, of all but one, and of every other.
func subsets(n int) iter.Seq[func(int) bool] {
	return func(yield func(func(int) bool) bool) {
		if n <= 3 {
			for bits := range 1<<n - 1 {
				if !yield(func(i int) bool { return bits>>i&1 == 1 }) {
					return
				}
			}
			return
		}
		for k := range n {
			if !yield(func(i int) bool { return i == k }) || !yield(func(i int) bool { return i != k }) {
				return
			}
		}
		yield(func(i int) bool { return i%2 == 0 })
	}
}

// A run that dies and goes on, again and again, ends in the same bytes.
func TestDyingInEveryWave(t *testing.T) {
	w := newWorld()
	w.settings.Budgets.Tokens = 2400
	whole := w.start()
	w.run(t, whole)
	s, nodes := w.start(), w.nodes()
	for deaths := 0; ; deaths++ {
		tasks := Next(s, Runtime{})
		if len(tasks) == 0 {
			break
		}
		part, err := nodes[tasks[len(tasks)-1].Node](s, tasks[len(tasks)-1])
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(state.Delta{Task: tasks[len(tasks)-1], Part: part}) // one task of the wave, then the process dies
	}
	if got, want := encoded(t, s), encoded(t, whole); got != want {
		t.Errorf("%d bytes, want the %d of the uninterrupted run; stop = %+v, want %+v", len(got), len(want), s.Stop, whole.Stop)
	}
}

func describe(tasks []state.Task) []string {
	out := make([]string, len(tasks))
	for i, t := range tasks {
		out[i] = fmt.Sprint(t)
	}
	return out
}

// The most valuable tasks come first, so that what a budget cuts off is worth
// least.
func TestTasksAreSortedByValue(t *testing.T) {
	w := newWorld()
	s := w.start()
	for _, wave := range w.run(t, s) {
		var ids []string
		for _, d := range wave {
			ids = append(ids, d.Task.Args...)
		}
		switch wave[0].Task.Node {
		case Search:
			if !slices.IsSortedFunc(ids, compareIDs) {
				t.Errorf("searches in the order %v, want Q2 before Q10", ids)
			}
		case Answer:
			if !slices.Equal(ids, []string{"RQ1", "RQ2"}) {
				t.Errorf("answers in the order %v, want that of the priorities", ids)
			}
		}
	}
	last := -1
	for _, item := range queue(s.Work[state.WorkRead], 2) {
		if item.Order != last+1 {
			t.Errorf("the reading queue jumps from %d to %d", last, item.Order)
		}
		last = item.Order
	}
}

// A budget of tokens ends the gathering within a portion of calls; what was
// gathered is verified, synthesised and written.
func TestHaltedByTokens(t *testing.T) {
	w := newWorld()
	w.settings.Budgets.Tokens, w.settings.Budgets.Documents = 1700, 40 // the plan, seven batches and eight readings are 1600
	s := w.start()
	h := w.run(t, s)
	at := slices.Index(h.waves(), Halt)
	if at < 0 {
		t.Fatalf("no halt in %v", h.waves())
	}
	if unread := len(queue(s.Work[state.WorkRead], 1)) - h.count(Read); h.count(Read) != chunk || unread == 0 {
		t.Errorf("%d documents were read and %d were not; want the first %d", h.count(Read), unread, chunk)
	}
	nothingGathered(t, h[at:])
	for _, node := range []string{Verify, Cluster, Answer, Synthesise, Critique, Decide, Write} {
		if h[at:].count(node) == 0 {
			t.Errorf("no %s after the halt", node)
		}
	}
	if s.Stop == nil || s.Stop.Reason != state.StopBudget || s.Stop.Exit != 4 || !strings.Contains(s.Stop.Detail, "budgets.tokens") {
		t.Errorf("stop = %+v, want the token budget with exit code 4", s.Stop)
	}
	if len(s.Sections) == 0 || len(s.Admitted("")) == 0 {
		t.Errorf("%d sections from %d claims; what was gathered must be written up", len(s.Sections), len(s.Admitted("")))
	}
}

// nothingGathered checks what happens from a halt on.
func nothingGathered(t *testing.T, h history) {
	t.Helper()
	for _, node := range []string{Intents, Queries, Search, Canon, Batch, Screen, Close, Seeds, Expand, Allocate, Read} {
		if h.count(node) > 0 {
			t.Errorf("%s after the halt: %v", node, h.waves())
		}
	}
}

// With a budget to keep, no more than chunk calls go out between two looks at
// it; without one, a wave is whole.
func TestWavesAreCutWhenABudgetMustBeKept(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*state.Budgets)
		most int
	}{
		{"none", func(*state.Budgets) {}, 12},
		{"tokens", func(b *state.Budgets) { b.Tokens = 1 << 30 }, chunk},
		{"money", func(b *state.Budgets) { b.Dollars = 1000 }, chunk},
		{"time", func(b *state.Budgets) { b.Minutes = 1000 }, chunk},
		{"credit", func(b *state.Budgets) { b.Credits = map[string]int{"openalex": 1 << 30} }, chunk},
	} {
		w := newWorld()
		c.set(&w.settings.Budgets)
		largest := 0
		for _, wave := range w.run(t, w.start()) {
			largest = max(largest, len(wave))
		}
		if largest != c.most {
			t.Errorf("%s: the largest wave has %d tasks, want %d", c.name, largest, c.most)
		}
	}
}

// The wall clock can end the gathering at any time; there is always a report
// of what there is, and never more reading.
func TestHaltedByTheClock(t *testing.T) {
	w := newWorld()
	whole := len(w.run(t, w.start()))
	for after := 0; after < whole; after += 5 {
		w := newWorld()
		w.settings.Budgets.Minutes = 5
		w.runtime = func(_ *state.State, waves int) Runtime { return Runtime{WallUsed: waves >= after} }
		s := w.start()
		h := w.run(t, s)
		switch {
		case s.Stop == nil:
			t.Fatalf("after %d waves: no stop", after)
		case len(s.Admitted("")) == 0:
			if s.Stop.Exit != 4 || s.Stop.Reason != state.StopBudget || !strings.Contains(s.Stop.Detail, "wall time of 5 minutes") {
				t.Errorf("after %d waves, nothing read: stop = %+v, want the wall time, exit code 4", after, s.Stop)
			}
		case s.Halt != nil && s.Stop.Reason == state.StopBudget:
			if s.Stop.Exit != 4 || !strings.Contains(s.Stop.Detail, "wall time of 5 minutes") {
				t.Errorf("after %d waves: stop = %+v, want the wall time", after, s.Stop)
			}
			if len(s.Sections) == 0 {
				t.Errorf("after %d waves: %d claims and no section", after, len(s.Admitted("")))
			}
		}
		if at := slices.Index(h.waves(), Halt); at >= 0 {
			nothingGathered(t, h[at:])
		}
		if h.count(Halt) > 1 || h.count(Plan) != 1 {
			t.Errorf("after %d waves: %v", after, h.waves())
		}
	}
}

// R19 and R20: what cannot go on stops within one round, says why, and cites
// nothing; a part that fails does not end the run.
func TestFailuresStopTheRun(t *testing.T) {
	all := map[string]bool{"arxiv": true, "openalex": true, "crossref": true}
	for _, c := range []struct {
		name   string
		change func(*world)
		reason string
		exit   int
		never  []string // nodes that must not run
		detail string
	}{
		{"the planner's model never answers", func(w *world) { w.deaf = map[string]bool{"planner": true} },
			state.StopModelFailed, 5, []string{Intents, Search, Write}, "scripted:test for the role planner never answered (1 of 1 calls failed)"},
		{"the screener's model never answers", func(w *world) { w.deaf = map[string]bool{"screener": true} },
			state.StopModelFailed, 5, []string{Seeds, Read, Write}, "role screener"},
		{"the reader's model never answers", func(w *world) { w.deaf = map[string]bool{"reader": true} },
			state.StopModelFailed, 5, []string{Verify, Answer, Write}, "role reader never answered (7 of 7 calls failed)"},
		{"a model fails in a role that is not routed to it", func(w *world) { w.deaf = map[string]bool{"verifier": true} },
			state.StopSufficient, 0, []string{Gate}, ""},
		{"every source is down", func(w *world) { w.down = all }, state.StopUnreachable, 5, []string{Canon, Read, Write}, "crossref is down"},
		{"two of three sources are down", func(w *world) { w.down = map[string]bool{"arxiv": true, "crossref": true} },
			state.StopSufficient, 0, []string{Gate}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			c.change(w)
			s := w.start()
			h := w.run(t, s)
			if s.Stop == nil || s.Stop.Reason != c.reason || s.Stop.Exit != c.exit || !strings.Contains(s.Stop.Detail, c.detail) {
				t.Fatalf("stop = %+v, want %s with exit code %d and %q", s.Stop, c.reason, c.exit, c.detail)
			}
			for _, node := range c.never {
				if h.count(node) > 0 {
					t.Errorf("%s ran: %v", node, h.waves())
				}
			}
			if c.exit == 5 && len(s.Sections) > 0 {
				t.Errorf("sections were written: %v", state.Keys(s.Sections))
			}
		})
	}
}

// What a critic asked to be chased is chased, also after saturation, and
// nothing else is.
func TestTheCriticsChasesSurviveSaturation(t *testing.T) {
	w := newWorld()
	w.settings.Snowball.LowYieldMinimum, w.settings.Budgets.SnowballRounds = 50, 9 // every round is low-yield
	w.chases = []state.Edit{{Op: state.EditSnowball, Target: "doc_0002", Direction: state.Backward}}
	s := w.start()
	h := w.run(t, s)
	if ok, why := snowball.Saturated(s); !ok {
		t.Fatalf("not saturated: %s", why)
	}
	if got := s.Spent().Rounds; got != 3 {
		t.Errorf("%d rounds; want two until saturation and the one that the critic asked for: %v", got, h.waves())
	}
	x, ok := s.Expanded["doc_0002|backward"]
	if !ok || x.Round != state.RoundNumber(2, 1) {
		t.Errorf("the critic's chase = %+v, %v; want it in the first round of iteration 2", x, ok)
	}
	for key, x := range s.Expanded {
		if x.Round > 200 && key != "doc_0002|backward" {
			t.Errorf("%s was chased after saturation", key)
		}
	}
}

// Snowballing can be switched off.
func TestNoSnowballRounds(t *testing.T) {
	w := newWorld()
	w.settings.Budgets.SnowballRounds = 0
	s := w.start()
	if h := w.run(t, s); h.count(Seeds)+h.count(Expand) > 0 {
		t.Errorf("citations were chased: %v", h.waves())
	}
	if s.Stop == nil || s.Stop.Reason != state.StopSufficient {
		t.Errorf("stop = %+v", s.Stop)
	}
}

func TestWriting(t *testing.T) {
	s := newWorld().start()
	s.Stop = &state.Stop{Iteration: 2, Reason: state.StopSufficient}
	if got := Next(s, Runtime{}); len(got) != 0 {
		t.Errorf("without an outline there is nothing to write, got %v", got)
	}
	s.Synthesis = &state.Synthesis{Outline: []state.OutlineSection{{ID: "S1"}, {ID: "S2"}, {ID: "S3"}}}
	s.Done = map[string]state.Done{"write/S2": {Node: Write}}
	want := []state.Task{{ID: "write/S1", Node: Write, Iteration: 2, Args: []string{"S1"}}, {ID: "write/S3", Node: Write, Iteration: 2, Args: []string{"S3"}}}
	if got := Next(s, Runtime{WallUsed: true}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("tasks = %v, want %v, also when the time is used up", got, want)
	}
}

func TestQuota(t *testing.T) {
	for _, c := range []struct{ remaining, iteration, iterations, want int }{
		{40, 1, 3, 20}, {20, 2, 3, 10}, {10, 3, 3, 10}, {7, 1, 2, 4}, {1, 1, 3, 1}, {0, 1, 3, 0}, {-5, 3, 3, 0}, {5, 9, 3, 5},
	} {
		if got := Quota(c.remaining, c.iteration, c.iterations); got != c.want {
			t.Errorf("Quota(%d, %d, %d) = %d, want %d", c.remaining, c.iteration, c.iterations, got, c.want)
		}
	}
}
