package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"optimistresearch/flow"
	"optimistresearch/state"
)

func idle(context.Context, *state.State, state.Task) (state.State, error) { return state.State{}, nil }

func steps() map[string]Node {
	m := map[string]Node{}
	for _, name := range flow.Steps() {
		m[name] = idle
	}
	return m
}

func TestNewWantsEveryNodeOnce(t *testing.T) {
	if _, err := New(steps()); err != nil {
		t.Fatalf("a complete machine: %v", err)
	}
	for _, c := range []struct {
		name   string
		change func(map[string]Node)
		want   string
	}{
		{"one is missing", func(m map[string]Node) { delete(m, flow.Screen) }, `node "screen" has no implementation`},
		{"one is nil", func(m map[string]Node) { m[flow.Write] = nil }, `node "write" has no implementation`},
		{"one is pure already", func(m map[string]Node) { m[flow.Canon] = idle }, `node "canon" is given twice`},
	} {
		m := steps()
		c.change(m)
		if _, err := New(m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error = %v, want %q", c.name, err, c.want)
		}
	}
}

func TestRunTask(t *testing.T) {
	broken := errors.New("the shelf is empty")
	m := steps()
	m[flow.Search] = func(context.Context, *state.State, state.Task) (state.State, error) {
		return state.State{Format: 9}, broken
	}
	m[flow.Plan] = func(_ context.Context, s *state.State, task state.Task) (state.State, error) {
		return state.State{Subquestions: map[string]state.Subquestion{"RQ1": {ID: "RQ1", Text: s.Question.Text + " " + task.ID}}}, nil
	}
	machine, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	s := state.New(state.Question{Text: "Why?"}, state.DefaultSettings())
	task := state.Task{ID: "plan", Node: flow.Plan}
	d, err := machine.RunTask(context.Background(), s, task)
	if err != nil || d.Task.ID != "plan" || d.Part.Subquestions["RQ1"].Text != "Why? plan" {
		t.Errorf("delta = %+v, %v", d, err)
	}
	// An error means that the task did not happen.
	d, err = machine.RunTask(context.Background(), s, state.Task{ID: "it1/search/Q1", Node: flow.Search})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "it1/search/Q1") || d.Task.ID != "" || d.Part.Format != 0 {
		t.Errorf("delta = %+v, error = %v; want an empty delta and the task's name", d, err)
	}
	if _, err = machine.RunTask(context.Background(), s, state.Task{ID: "x", Node: "divine"}); err == nil || !strings.Contains(err.Error(), `unknown node "divine"`) {
		t.Errorf("error = %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = machine.RunTask(ctx, s, task); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want the context's: no work starts on an ended one", err)
	}
}

func TestAdvanceAsksFlow(t *testing.T) {
	m, err := New(steps())
	if err != nil {
		t.Fatal(err)
	}
	s := state.New(state.Question{Text: "Why?"}, state.DefaultSettings())
	if got := m.Advance(s, flow.Runtime{}); len(got) != 1 || got[0].Node != flow.Plan {
		t.Errorf("tasks = %v, want the plan", got)
	}
}
