package local

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"optimistresearch/engine"
	"optimistresearch/flow"
	"optimistresearch/state"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memory is a Store in memory.
type memory struct {
	mu        sync.Mutex
	deltas    []state.Delta
	snapshots int
	full      func(state.Delta) error // asked before each Append
}

func (m *memory) Append(d state.Delta) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.full != nil {
		if err := m.full(d); err != nil {
			return err
		}
	}
	m.deltas = append(m.deltas, d)
	return nil
}

func (m *memory) Snapshot(*state.State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.snapshots++
	return nil
}

func (m *memory) ids() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []string
	for _, d := range m.deltas {
		out = append(out, d.Task.ID)
	}
	return out
}

func (m *memory) stored(id string) bool {
	for _, s := range m.ids() {
		if s == id {
			return true
		}
	}
	return false
}

func (m *memory) fold() *state.State {
	s := start()
	for _, d := range m.deltas {
		s.Apply(d)
	}
	return s
}

const searches = 6

func start() *state.State {
	set := state.DefaultSettings()
	set.Budgets.SnowballRounds, set.Budgets.Iterations = 0, 1
	return state.New(state.Question{Text: "memory of agents", Year: 2026}, set)
}

// machine runs a short review whose one wide wave is six searches; onSearch
// runs in each of them.
func machine(t *testing.T, onSearch func(ctx context.Context, s *state.State, task state.Task) error) *engine.Machine {
	t.Helper()
	idle := func(context.Context, *state.State, state.Task) (state.State, error) { return state.State{}, nil }
	steps := map[string]engine.Node{}
	for _, name := range flow.Steps() {
		steps[name] = idle
	}
	steps[flow.Plan] = func(context.Context, *state.State, state.Task) (state.State, error) {
		return state.State{Subquestions: map[string]state.Subquestion{"RQ1": {ID: "RQ1", Text: "Which?", Priority: 1, Status: state.Open}}}, nil
	}
	steps[flow.Queries] = func(context.Context, *state.State, state.Task) (state.State, error) {
		part := state.State{Queries: map[string]state.Query{}}
		for i := range searches {
			id := fmt.Sprintf("Q%d", i+1)
			part.Queries[id] = state.Query{ID: id, Iteration: 1, Source: "arxiv"}
		}
		return part, nil
	}
	steps[flow.Search] = func(ctx context.Context, s *state.State, task state.Task) (state.State, error) {
		if onSearch != nil {
			if err := onSearch(ctx, s, task); err != nil {
				return state.State{}, err
			}
		}
		q := s.Queries[task.Args[0]]
		q.Revision, q.Outcome = 1, state.Hits
		r := state.Record{Key: "arxiv:" + q.ID, Source: "arxiv", Title: "A study of " + q.ID}
		return state.State{Queries: map[string]state.Query{q.ID: q}, Records: map[string]state.Record{r.Key: r},
			Calls: map[string]state.SourceCall{q.ID: {ID: q.ID, Outcome: state.Hits}}}, nil
	}
	m, err := engine.New(steps)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func encoded(t *testing.T, s *state.State) string {
	t.Helper()
	b, err := s.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// whole is the state of an uninterrupted run.
func whole(t *testing.T) string {
	t.Helper()
	s := start()
	if err := Run(context.Background(), machine(t, nil), &memory{}, s, Options{Parallel: 4}); err != nil {
		t.Fatal(err)
	}
	return encoded(t, s)
}

// However many tasks run at a time and in whatever order they end, the state
// is the same, and the journal folds to it.
func TestTheResultDoesNotDependOnTheSchedule(t *testing.T) {
	want := whole(t)
	for _, parallel := range []int{-1, 0, 1, 3, 100} {
		s, store := start(), &memory{}
		m := machine(t, func(_ context.Context, s *state.State, task state.Task) error {
			if len(s.Records) > 0 {
				return errors.New("the task sees what its siblings found")
			}
			time.Sleep(time.Duration('7'-task.ID[len(task.ID)-1]) * time.Millisecond) // the first is the slowest
			return nil
		})
		if err := Run(context.Background(), m, store, s, Options{Parallel: parallel}); err != nil {
			t.Fatal(err)
		}
		if got := encoded(t, s); got != want {
			t.Errorf("%d at a time: the state differs", parallel)
		}
		if got := encoded(t, store.fold()); got != want {
			t.Errorf("%d at a time: the journal folds to another state", parallel)
		}
		if store.snapshots != 2 {
			t.Errorf("%d snapshots, want one an iteration and one at the end", store.snapshots)
		}
		if s.Stop == nil || s.Stop.Exit != 3 {
			t.Errorf("stop = %+v", s.Stop)
		}
	}
}

func TestParallelIsALimit(t *testing.T) {
	for _, limit := range []int{1, 3} {
		var now, most atomic.Int32
		m := machine(t, func(context.Context, *state.State, state.Task) error {
			n := now.Add(1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			time.Sleep(3 * time.Millisecond)
			now.Add(-1)
			return nil
		})
		if err := Run(context.Background(), m, &memory{}, start(), Options{Parallel: limit}); err != nil {
			t.Fatal(err)
		}
		if got := int(most.Load()); got != limit {
			t.Errorf("%d tasks ran at a time, want %d", got, limit)
		}
	}
}

// A delta is safe before anybody hears that its task is done, and before the
// slower tasks of its wave are.
func TestDeltasAreStoredAtOnce(t *testing.T) {
	store := &memory{}
	free := make(chan struct{})
	m := machine(t, func(_ context.Context, _ *state.State, task state.Task) error {
		if strings.HasSuffix(task.ID, "Q1") {
			select {
			case <-free:
			case <-time.After(2 * time.Second):
				return errors.New("the siblings' deltas were not stored while this task ran")
			}
		}
		return nil
	})
	var others atomic.Int32
	observe := func(e Event) {
		if e.Kind != TaskFinished || e.Task.Node != flow.Search {
			return
		}
		if !store.stored(e.Task.ID) {
			t.Errorf("%s is said to be finished before it is stored", e.Task.ID)
		}
		if _, merged := e.State.Done[e.Task.ID]; merged {
			t.Errorf("%s is merged before its wave is done", e.Task.ID)
		}
		if others.Add(1) == searches-1 {
			close(free) // five are stored while the first still runs
		}
	}
	s := start()
	if err := Run(context.Background(), m, store, s, Options{Parallel: searches, Observe: observe}); err != nil {
		t.Fatal(err)
	}
	if encoded(t, s) != whole(t) {
		t.Error("the state differs")
	}
}

// A run that is interrupted in the middle of a wave keeps what was stored, and
// going on gives what an uninterrupted run gives, paying for nothing twice.
func TestInterruptedInTheMiddleOfAWave(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var sent sync.Map
	m := machine(t, func(ctx context.Context, _ *state.State, task state.Task) error {
		n, _ := sent.LoadOrStore(task.ID, new(atomic.Int32))
		n.(*atomic.Int32).Add(1)
		if task.ID >= "it1/search/Q4" && ctx.Err() == nil && ctx.Done() != nil {
			if task.ID == "it1/search/Q4" {
				cancel()
			}
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	})
	s, store := start(), &memory{}
	err := Run(ctx, m, store, s, Options{Parallel: 1})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error = %v, want the context's", err)
	}
	for i := range searches {
		id := fmt.Sprintf("it1/search/Q%d", i+1)
		if _, done := s.Done[id]; done != (i < 3) || store.stored(id) != (i < 3) {
			t.Errorf("%s: stored %v, merged %v; the first three were finished", id, store.stored(id), done)
		}
	}
	if store.snapshots != 1 {
		t.Errorf("%d snapshots, want one for readers", store.snapshots)
	}
	if encoded(t, s) != encoded(t, store.fold()) {
		t.Error("the state is not what the journal says")
	}
	again := machine(t, func(_ context.Context, _ *state.State, task state.Task) error {
		if task.ID < "it1/search/Q4" {
			t.Errorf("%s runs twice", task.ID)
		}
		return nil
	})
	if err := Run(context.Background(), again, store, s, Options{Parallel: 2}); err != nil {
		t.Fatal(err)
	}
	if encoded(t, s) != whole(t) {
		t.Error("the resumed run ends otherwise")
	}
}

// One broken task ends the run: its siblings are told to stop, what they
// finished stays, and the error names the task.
func TestAnErrorOfOneTaskEndsTheRun(t *testing.T) {
	broken := errors.New("the reply makes no sense")
	store := &memory{}
	m := machine(t, func(ctx context.Context, _ *state.State, task state.Task) error {
		switch {
		case strings.HasSuffix(task.ID, "Q1"):
			return nil
		case strings.HasSuffix(task.ID, "Q2"):
			for range 2000 {
				if store.stored("it1/search/Q1") {
					return broken
				}
				time.Sleep(time.Millisecond)
			}
			return errors.New("the sibling's delta was not stored while this task ran")
		}
		<-ctx.Done()
		return ctx.Err()
	})
	var failed atomic.Int32
	s := start()
	err := Run(context.Background(), m, store, s, Options{Parallel: 3, Observe: func(e Event) {
		if e.Kind == TaskFinished && errors.Is(e.Err, broken) {
			failed.Add(1)
		}
	}})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "it1/search/Q2") {
		t.Errorf("error = %v, want the cause and the task", err)
	}
	if _, done := s.Done["it1/search/Q1"]; !done {
		t.Error("the finished sibling was lost")
	}
	if _, done := s.Done["it1/search/Q2"]; done {
		t.Error("the broken task counts as done")
	}
	if failed.Load() != 1 {
		t.Errorf("the observer heard of the failure %d times", failed.Load())
	}
}

// A full disk stops the run cleanly: nothing counts as done that is not
// stored (SPEC 4.3).
func TestAFullStoreStopsTheRun(t *testing.T) {
	full := errors.New("no space left on device")
	store := &memory{full: func(d state.Delta) error {
		if d.Task.ID == "it1/search/Q3" {
			return full
		}
		return nil
	}}
	s := start()
	err := Run(context.Background(), machine(t, nil), store, s, Options{Parallel: 1})
	if !errors.Is(err, full) || !strings.Contains(err.Error(), "storing task it1/search/Q3") {
		t.Errorf("error = %v", err)
	}
	if encoded(t, s) != encoded(t, store.fold()) {
		t.Error("the state holds what the journal does not")
	}
	store.full = nil
	if err := Run(context.Background(), machine(t, nil), store, s, Options{Parallel: 1}); err != nil || encoded(t, s) != whole(t) {
		t.Errorf("going on with room on the disk: %v", err)
	}
}

func TestNothingStartsOnAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, store := start(), &memory{}
	if err := Run(ctx, machine(t, nil), store, s, Options{}); !errors.Is(err, context.Canceled) || len(store.ids()) != 0 {
		t.Errorf("error = %v, stored %v", err, store.ids())
	}
}

// The deadline is told apart from an interruption.
func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	m := machine(t, func(ctx context.Context, _ *state.State, _ state.Task) error { <-ctx.Done(); return ctx.Err() })
	if err := Run(ctx, m, &memory{}, start(), Options{Parallel: 2}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error = %v, want the deadline's", err)
	}
}

// A finished run is left as it is.
func TestAFinishedRunRunsNothing(t *testing.T) {
	s, store := start(), &memory{}
	if err := Run(context.Background(), machine(t, nil), store, s, Options{}); err != nil {
		t.Fatal(err)
	}
	want, n := encoded(t, s), len(store.ids())
	err := Run(context.Background(), machine(t, func(context.Context, *state.State, state.Task) error { return errors.New("it ran") }), store, s, Options{})
	if err != nil || encoded(t, s) != want || len(store.ids()) != n {
		t.Errorf("error = %v, %d more deltas", err, len(store.ids())-n)
	}
}

// The clock of the program reaches flow before every wave.
func TestRuntimeIsAskedBeforeEveryWave(t *testing.T) {
	asked := 0
	s := start()
	s.Settings.Budgets.Minutes = 1
	err := Run(context.Background(), machine(t, nil), &memory{}, s, Options{Runtime: func() flow.Runtime {
		asked++
		return flow.Runtime{WallUsed: asked > 3}
	}})
	if err != nil || s.Halt == nil || len(s.Queries) != searches || s.Queries["Q1"].Revision != 0 {
		t.Errorf("error = %v, halt = %+v after plan, intents and queries; Q1 = %+v", err, s.Halt, s.Queries["Q1"])
	}
}
