// Package local runs a review on one machine: goroutines, a limit on how many,
// the journal after every task. Start with Run.
package local

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"optimistresearch/engine"
	"optimistresearch/flow"
	"optimistresearch/state"
)

// Event tells an observer how the run goes on.
type Event struct {
	Kind  EventKind
	Task  state.Task   // of a wave its first
	Wave  int          // tasks in this wave
	State *state.State // not to be changed, nor read after Observe has returned
	Err   error        // why the task of a TaskFinished did not happen
}

// EventKind is what happened.
type EventKind int

const (
	WaveStarted EventKind = iota
	TaskStarted
	TaskFinished
	WaveFinished
)

// Options of a run.
type Options struct {
	Parallel int                 // tasks at a time, at least 1
	Runtime  func() flow.Runtime // asked before every wave; nil = zero
	Observe  func(Event)         // called from many goroutines; nil = nobody
}

// Run drives the machine until flow has no task left. Tasks of one wave run in
// parallel against the same state; each delta is stored as soon as its task is
// done and merged when the wave is, so that what a task sees never depends on
// which of its siblings was faster. s is changed in place.
//
// When ctx ends, tasks in flight are abandoned, what was stored stays, and the
// context's error is returned; running again goes on from there. An error of
// the store or of a node ends the run the same way.
func Run(ctx context.Context, m *engine.Machine, store engine.Store, s *state.State, opt Options) error {
	observe := opt.Observe
	if observe == nil {
		observe = func(Event) {}
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var rt flow.Runtime
		if opt.Runtime != nil {
			rt = opt.Runtime()
		}
		tasks := m.Advance(s, rt)
		if len(tasks) == 0 {
			return store.Snapshot(s)
		}
		observe(Event{Kind: WaveStarted, Task: tasks[0], Wave: len(tasks), State: s})
		deltas, err := wave(ctx, m, store, s, tasks, max(opt.Parallel, 1), observe)
		for _, d := range deltas {
			s.Apply(d)
		}
		if err != nil {
			// The snapshot is for readers; the journal has it all already.
			return errors.Join(err, store.Snapshot(s))
		}
		if tasks[0].Node == flow.Decide { // once an iteration; the journal has everything meanwhile
			if err := store.Snapshot(s); err != nil {
				return err
			}
		}
		observe(Event{Kind: WaveFinished, Task: tasks[0], Wave: len(tasks), State: s})
	}
}

// wave runs tasks in order of priority and returns the deltas that were
// stored, in task order.
func wave(ctx context.Context, m *engine.Machine, store engine.Store, s *state.State, tasks []state.Task, parallel int, observe func(Event)) ([]state.Delta, error) {
	var (
		mu   sync.Mutex
		done = make([]*state.Delta, len(tasks))
	)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for i, t := range tasks {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error {
			observe(Event{Kind: TaskStarted, Task: t, Wave: len(tasks), State: s})
			d, err := m.RunTask(ctx, s, t)
			if err == nil {
				if err = store.Append(d); err != nil {
					err = fmt.Errorf("storing task %s: %w", t.ID, err)
				}
			}
			observe(Event{Kind: TaskFinished, Task: t, Wave: len(tasks), State: s, Err: err})
			if err != nil {
				return err
			}
			mu.Lock()
			done[i] = &d
			mu.Unlock()
			return nil
		})
	}
	err := g.Wait()
	var deltas []state.Delta
	for _, d := range done {
		if d != nil {
			deltas = append(deltas, *d)
		}
	}
	if err == nil {
		err = ctx.Err() // cancelled before all were started
	}
	if len(deltas) == len(tasks) {
		return deltas, nil
	}
	return deltas, err
}
