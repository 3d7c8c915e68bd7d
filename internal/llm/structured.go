package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Result is the account of one structured call.
type Result struct {
	Usage         Usage    // of all attempts, failed ones included
	Repairs       int      // answers put right: by us, or by asking again
	Notes         []string // what was put right or looked wrong, in order
	PromptHash    string   // see Prompt.Hash
	Model         string   // "provider:model"
	Request, Raw  []string // hashes of the requests and raw responses
	FromRecording bool     // every answer came from a recording
}

const (
	repairShown  = 4000 // runes of a bad answer that the model is shown again
	noteRepaired = "repaired after schema error"
	noteGuessed  = "the server reported no token counts: estimated"
	noteAtLimit  = "the answer used up its length limit but is complete"
)

// Structured asks the role's model for a T and returns only what the schema
// accepts.
//
// Reasoning blocks, code fences and text around the JSON are stripped,
// properties and enum values in another spelling and numbers in strings
// repaired, unknown properties dropped, each with a note. If the schema
// still refuses the answer, the model is asked once more with the validator's
// message; a second refusal is Invalid. A refusal to answer is Invalid at once. An
// answer cut at its length limit is Truncated unless it is complete all the
// same, and so is every answer to a prompt that the server seems not to have read
// whole. A prompt that cannot fit the route's context window is ContextLength
// and is not sent. NotConfigured is returned at once when no model does the
// role's work; the caller's built-in method is next.
//
// Errors are *Error. T is its zero value beside an error, Result is filled
// as far as things went. The temperature is 0 where the server allows it.
func Structured[T any](ctx context.Context, r *Router, role Role, p Prompt) (T, Result, error) {
	return StructuredChecked[T](ctx, r, role, p, nil)
}

// StructuredChecked is Structured with a check of what a schema cannot say, such
// as whether ids exist. What it refuses is refused like an answer that the
// schema refuses: the model is shown the words of its error and asked once
// more. nil = no check.
func StructuredChecked[T any](ctx context.Context, r *Router, role Role, p Prompt, check func(T) error) (T, Result, error) {
	var value, zero T
	if p.Schema.JSON == nil && p.Schema.err == nil {
		p.Schema = SchemaFor[T](p.Name)
	}
	into := func(raw []byte) error {
		var v T
		if err := json.Unmarshal(raw, &v); err != nil {
			return err
		}
		if check != nil {
			if err := check(v); err != nil {
				return err
			}
		}
		value = v
		return nil
	}
	res, err := ask(ctx, r, role, p, into)
	if err != nil {
		return zero, res, err
	}
	return value, res, nil
}

// exchange is one structured call on its way.
type exchange struct {
	route Route
	role  Role
	valid *validator
	res   Result
	sent  int // completions received
	taped int // of these from recordings
}

func ask(ctx context.Context, r *Router, role Role, p Prompt, into func([]byte) error) (Result, error) {
	x := exchange{role: role, res: Result{PromptHash: p.Hash(), Model: Builtin}}
	route, ok := r.route(role)
	if !ok {
		return x.res, &Error{Kind: NotConfigured, Role: role, Err: errors.New("no model is configured for this role"),
			Hint: "its built-in method does the work; route the role to provider:model to use one"}
	}
	x.route, x.res.Model = route, route.Spec
	valid, err := compile(p.Schema, into)
	if err != nil {
		return x.res, x.fail(BadRequest, fmt.Errorf("prompt %s: %w", p.Name, err), "")
	}
	x.valid = valid

	user, stable := p.user()
	zero := 0.0
	call := Call{
		Role: role, Prompt: p.Name,
		Model: route.Model, System: p.system(), User: user, StablePrefix: stable,
		Schema: p.Schema, Mode: route.Mode,
		MaxOutput: p.MaxOutput, Context: route.Context, Temperature: &zero,
	}
	if err := x.fits(call); err != nil {
		return x.res, err
	}
	v, text, err := x.try(ctx, call)
	if err != nil || v.ok {
		return x.res, err
	}
	again, ok := x.repairCall(call, text, v.problem)
	if !ok {
		return x.res, x.fail(Invalid, errors.New(v.problem), "the context window leaves no room to ask again")
	}
	v2, _, err := x.try(ctx, again)
	if err != nil {
		return x.res, err
	}
	if !v2.ok {
		return x.res, x.fail(Invalid, fmt.Errorf("the answer was refused twice: %s", v2.problem), x.modelHint())
	}
	x.res.Repairs++
	x.res.Notes = append(x.res.Notes, noteRepaired)
	return x.res, nil
}

// try sends one call and judges the answer. An error ends the exchange; a verdict
// that is not ok may be repaired.
func (x *exchange) try(ctx context.Context, call Call) (verdict, string, error) {
	if err := ctx.Err(); err != nil {
		return verdict{}, "", x.fail(Cancelled, fmt.Errorf("the call was not sent: %w", context.Cause(ctx)), "")
	}
	done, err := x.route.Provider.Complete(ctx, call)
	x.account(done, call, err)
	if err != nil {
		return verdict{}, "", x.settle(locate(ctx, err, x.role, x.route.Spec))
	}
	if how, cut := promptCut(leastTokens(sentText(call)), x.route.Context, done.Usage); cut {
		x.note("prompt cut: " + how)
		return verdict{}, "", x.fail(Truncated, fmt.Errorf("the prompt was cut: %s", how),
			"send less at once, or raise the context window of the server and of the route")
	}
	switch done.Finish {
	case FinishRefusal:
		return verdict{}, "", x.fail(Invalid, fmt.Errorf("the model declined to answer: %q", clip(done.Text, 300)), "")
	case FinishFilter:
		return verdict{}, "", x.fail(Invalid, errors.New("the server's content filter withheld the answer"), "")
	}
	atLimit := done.Finish == FinishLength
	v := x.valid.judge(done.Text, atLimit)
	if len(v.notes) > 0 {
		if v.ok {
			x.res.Repairs++
		}
		for _, n := range v.notes {
			x.note(n)
		}
	}
	if atLimit && v.ok {
		x.note(noteAtLimit)
	}
	if atLimit && !v.ok {
		return verdict{}, "", x.fail(Truncated,
			fmt.Errorf("the answer was cut off at its length limit after %d tokens (%d allowed)", done.Usage.Output, call.MaxOutput),
			"ask for less at once, or allow a longer answer; a reasoning model spends the same allowance on its reasoning")
	}
	return v, done.Text, nil
}

// account adds a call to the result.
func (x *exchange) account(done Completion, call Call, err error) {
	u := done.Usage
	switch kind := KindOf(err); {
	case kind == MissingKey || kind == Offline: // nothing was sent
		return
	case err == nil && u.Prompt == 0 && u.Output == 0:
		u = Tokens(EstimateTokens(sentText(call)), 0, EstimateTokens(done.Text))
		x.note(noteGuessed)
	}
	u.Calls = 1
	if !u.PriceKnown {
		u = x.route.Price.Cost(u)
	}
	x.res.Usage = x.res.Usage.Add(u)
	if done.Request != "" {
		x.res.Request = append(x.res.Request, done.Request)
	}
	if done.Raw != "" {
		x.res.Raw = append(x.res.Raw, done.Raw)
	}
	x.sent++
	if done.FromRecording {
		x.taped++
	}
	x.res.FromRecording = x.taped == x.sent
}

// repairCall repeats the call with the bad answer as data and what is wrong with
// it. ok is false when not even the message alone fits the context window.
func (x *exchange) repairCall(call Call, answer, problem string) (Call, bool) {
	ask := "\n\nYour previous answer was refused. What is wrong with it:\n" + FenceN("validator message", problem, maxProblem) +
		"\nAnswer the whole task again, as JSON that matches the schema, with no other text."
	shown := "\n\n" + FenceN("previous answer", answer, repairShown)
	for _, part := range []string{shown + ask, ask} {
		again := call
		again.User += part
		if x.fits(again) == nil {
			return again, true
		}
	}
	return call, false
}

// fits refuses a call whose estimate exceeds the context window.
func (x *exchange) fits(call Call) error {
	if x.route.Context <= 0 {
		return nil
	}
	need, room := EstimateTokens(sentText(call)), x.route.Context-answerRoom(call, x.route.Context)
	if need <= room {
		return nil
	}
	return x.fail(ContextLength,
		fmt.Errorf("the prompt of about %d tokens does not fit: the context window of %d leaves %d beside an answer of %d", need, x.route.Context, max(room, 0), answerRoom(call, x.route.Context)),
		"send less at once, or route the role to a model with a larger window")
}

// answerRoom is the part of a context window that is kept for the answer: what
// the call allows, else a quarter, at most 4,096 tokens.
func answerRoom(call Call, context int) int {
	if call.MaxOutput > 0 {
		return call.MaxOutput
	}
	return min(context/4, 4096)
}

// sentText is what of a call counts as prompt text: the schema only where it is
// sent as text.
func sentText(c Call) string {
	text := c.System + "\n" + c.User
	if c.Mode == ModeObject || c.Mode == ModePrompt {
		text += "\n" + c.Schema.Demand()
	}
	return text
}

func (x *exchange) note(n string) {
	x.res.Notes = append(x.res.Notes, n)
}

func (x *exchange) fail(kind Kind, err error, hint string) error {
	return &Error{Kind: kind, Role: x.role, Model: x.res.Model, Err: err, Hint: hint}
}

// settle completes a provider's hint with the setting that chose the model.
func (x *exchange) settle(e *Error) error {
	if x.route.Setting == "" {
		return e
	}
	switch e.Kind {
	case MissingKey, Refused, Quota, BadRequest, Unreachable:
		e.Hint = joinHints(e.Hint, fmt.Sprintf("the model was chosen by %s", x.route.Setting))
	}
	return e
}

func (x *exchange) modelHint() string {
	if x.route.Setting == "" {
		return "try a stronger model, or another mode of structured output"
	}
	return fmt.Sprintf("try a stronger model or another mode of structured output in %s", x.route.Setting)
}

func joinHints(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}
