// Package engine runs the method: it asks flow what may run now, runs those
// nodes, and merges what they return. It decides nothing of the method itself.
// engine/local schedules on one machine; another engine makes the same two
// calls, Advance and RunTask, from elsewhere.
//
// The package must never look into what a node returns. Start with Machine.
package engine

import (
	"context"
	"fmt"

	"optimistresearch/flow"
	"optimistresearch/state"
)

// Node is a function from state to a part of the state. It must not change
// the state it is given, and gives the same part for the same state, task and
// recorded responses. It must not depend on what the other tasks of its wave
// give: a task that runs after an interruption sees what was stored of them. An
// error means that the task did not happen: nothing of it enters the state.
type Node func(ctx context.Context, s *state.State, t state.Task) (state.State, error)

// Store keeps deltas. When Append returns, the delta survives a crash.
type Store interface {
	Append(state.Delta) error
	// Snapshot writes the whole state for readers; the truth is the journal.
	Snapshot(*state.State) error
}

// Machine binds node names to nodes. It is not changed after it is made.
type Machine struct {
	nodes map[string]Node
}

// New makes a machine of the pure nodes of flow and the given steps. A step
// with the name of a pure node is an error of assembly, and so is a node of
// flow that nobody provides.
func New(steps map[string]Node) (*Machine, error) {
	m := &Machine{nodes: map[string]Node{}}
	for name, pure := range flow.Pure() {
		m.nodes[name] = func(_ context.Context, s *state.State, t state.Task) (state.State, error) { return pure(s, t) }
	}
	for name, n := range steps {
		if _, twice := m.nodes[name]; twice {
			return nil, fmt.Errorf("assembling the engine: node %q is given twice", name)
		}
		m.nodes[name] = n
	}
	for _, name := range flow.Steps() {
		if m.nodes[name] == nil {
			return nil, fmt.Errorf("assembling the engine: node %q has no implementation", name)
		}
	}
	return m, nil
}

// Advance returns the tasks that may run now, the most valuable first; none
// when the run is finished.
func (m *Machine) Advance(s *state.State, rt flow.Runtime) []state.Task { return flow.Next(s, rt) }

// RunTask runs one task against a state that nobody changes meanwhile.
func (m *Machine) RunTask(ctx context.Context, s *state.State, t state.Task) (state.Delta, error) {
	n := m.nodes[t.Node]
	if n == nil {
		return state.Delta{}, fmt.Errorf("task %s: unknown node %q; the run was written by another version of the program", t.ID, t.Node)
	}
	if err := ctx.Err(); err != nil {
		return state.Delta{}, err
	}
	part, err := n(ctx, s, t)
	if err != nil {
		return state.Delta{}, fmt.Errorf("task %s: %w", t.ID, err)
	}
	return state.Delta{Task: t, Part: part}, nil
}
