// Package steps holds what the nodes of the method share that need a model:
// asking a role, falling back to the built-in method, and leaving a trace of
// both. Each node has a package below this one, its prompts beside it as
// files.
//
// A step reads the state and returns a part of it; it must never change the
// state that it was given, import a concrete client, or fail because a model
// did: see Ask.
package steps

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"optimistresearch/internal/llm"
	"optimistresearch/state"
)

// Models is what a step needs to know about models.
type Models struct {
	Router *llm.Router
	// Observe is told of every model call and its result, for the call log.
	// It may be nil and must be safe for concurrent use.
	Observe func(Call)
}

// Call is one structured model call as the log keeps it.
type Call struct {
	Task     state.Task
	Role     llm.Role
	Prompt   string // name and version
	Result   llm.Result
	Err      error
	Fallback bool
}

// Trail collects what the role calls of one task used and where they fell
// back. It is safe for concurrent use; the zero value is ready.
type Trail struct {
	mu    sync.Mutex
	use   map[string]state.ModelUse
	marks []state.Degradation
}

// Job is one call of a role: the prompt, the built-in method that replaces it,
// and a check of what the schema cannot say.
type Job[T any] struct {
	Role    llm.Role
	Prompt  llm.Prompt
	Builtin func() T
	Check   func(T) error // nil = what the schema accepts is fine; a model is told what it refuses, once
	Subject string        // what it is about, for the degradation note
}

// Ask runs a job: by the role's model if it is routed to one, else by the
// built-in method. When the model fails, the built-in method does the job and
// the trail says so. by is "builtin" or "provider:model". The only error is
// the context's.
func Ask[T any](ctx context.Context, m Models, t state.Task, trail *Trail, job Job[T]) (value T, by string, err error) {
	a, err := attempt(ctx, m, t, trail, job, false)
	return a.Value, a.By, err
}

// Answered is what a job said about some items.
type Answered[I, T any] struct {
	Items []I
	Value T
	By    string // "builtin" or "provider:model"
}

// AskBatch is Ask about many items at once. When they are too many, because the
// prompt does not fit the context window (which is measured before anything is
// sent, and else the server's word) or because the answer was cut at its limit,
// it asks about each half, and so on down to single items; only an item that is
// too long by itself falls back. The parts keep the order of the items.
func AskBatch[I, T any](ctx context.Context, m Models, t state.Task, trail *Trail, items []I, job func([]I) Job[T]) ([]Answered[I, T], error) {
	if len(items) == 0 {
		return nil, nil
	}
	a, err := attempt(ctx, m, t, trail, job(items), len(items) > 1)
	if err != nil {
		return nil, err
	}
	if !a.tooMuch {
		return []Answered[I, T]{{Items: items, Value: a.Value, By: a.By}}, nil
	}
	var out []Answered[I, T]
	for _, half := range [][]I{items[:len(items)/2], items[len(items)/2:]} {
		parts, err := AskBatch(ctx, m, t, trail, half, job)
		if err != nil {
			return nil, err
		}
		out = append(out, parts...)
	}
	return out, nil
}

// outcome of one attempt. tooMuch says that less should be asked at once, and
// there is no value.
type outcome[T any] struct {
	Value   T
	By      string
	tooMuch bool
}

func attempt[T any](ctx context.Context, m Models, t state.Task, trail *Trail, job Job[T], divisible bool) (outcome[T], error) {
	if !m.Router.Configured(job.Role) {
		return outcome[T]{Value: job.Builtin(), By: llm.Builtin}, nil
	}
	value, res, err := llm.StructuredChecked(ctx, m.Router, job.Role, job.Prompt, job.Check)
	if ctx.Err() != nil {
		return outcome[T]{Value: value}, ctx.Err()
	}
	kind := llm.KindOf(err)
	tooMuch := divisible && (kind == llm.ContextLength || kind == llm.Truncated)
	if !tooMuch || res.Usage.Calls > 0 { // what was only measured was no call
		trail.add(job.Role, res, err)
		if m.Observe != nil {
			m.Observe(Call{Task: t, Role: job.Role, Prompt: job.Prompt.Name + "@" + job.Prompt.Version, Result: res, Err: err, Fallback: err != nil && !tooMuch})
		}
	}
	switch {
	case err == nil:
		return outcome[T]{Value: value, By: m.Router.Spec(job.Role)}, nil
	case tooMuch:
		return outcome[T]{tooMuch: true}, nil
	}
	trail.Note(state.Degradation{
		Iteration: t.Iteration, Step: t.Node, Subject: job.Subject, Role: string(job.Role),
		Kind: strings.ReplaceAll(string(kind), " ", "_"), Reason: err.Error(), Fallback: "the built-in method did this step",
	})
	return outcome[T]{Value: job.Builtin(), By: llm.Builtin}, nil
}

// hopeless tells whether the next call would meet the failure as well. Such calls
// count as failed; a role with nothing but failed calls ends the run.
func hopeless(k llm.Kind) bool {
	switch k {
	case llm.MissingKey, llm.Unreachable, llm.Refused, llm.Throttled, llm.Quota, llm.BadRequest, llm.Offline:
		return true
	}
	return false
}

func (tr *Trail) add(role llm.Role, res llm.Result, err error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if tr.use == nil {
		tr.use = map[string]state.ModelUse{}
	}
	// One job counts as one call here, whatever retries and repairs it took.
	u := state.ModelUse{Calls: 1, Prompt: res.Usage.Prompt, Cached: res.Usage.Cached, Output: res.Usage.Output,
		Micros: res.Usage.Micros, Repairs: res.Repairs}
	if !res.Usage.PriceKnown && res.Usage.Prompt+res.Usage.Output > 0 {
		u.Unpriced = 1
	}
	switch {
	case err == nil:
	case hopeless(llm.KindOf(err)):
		u.Failed = 1
	default:
		u.Unusable = 1
	}
	tr.use[string(role)] = tr.use[string(role)].Add(u)
}

// Note records a degradation.
func (tr *Trail) Note(d state.Degradation) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.marks = append(tr.marks, state.NewDegradation(d))
}

// Into adds what the trail collected to the part that the task returns. The
// ledger entry of the task is completed, not replaced.
func (tr *Trail) Into(part *state.State, t state.Task) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, d := range tr.marks {
		if part.Degradations == nil {
			part.Degradations = map[string]state.Degradation{}
		}
		part.Degradations[d.ID] = d
	}
	if len(tr.use) == 0 {
		return
	}
	if part.Ledger == nil {
		part.Ledger = map[string]state.Spend{}
	}
	sp := part.Ledger[t.ID]
	sp.Models = tr.use
	part.Ledger[t.ID] = sp
}

// Arg returns the n-th argument of a task, or an error that names the task: a
// task without it was not made by flow.
func Arg(t state.Task, n int) (string, error) {
	if n >= len(t.Args) {
		return "", fmt.Errorf("task %s: argument %d is missing; the run was written by another version of the program", t.ID, n+1)
	}
	return t.Args[n], nil
}
