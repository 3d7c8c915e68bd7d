package llm

import (
	"context"
	"errors"
	"strings"
)

// Kind says why a call gave no usable answer.
type Kind string

// The kinds of failure. MissingKey, Refused, Quota, Unreachable and Offline
// will meet the next call of the same role as well; ContextLength and Truncated
// go away when less is sent or asked for at once.
const (
	NotConfigured Kind = "not configured" // the role is builtin: no model was asked
	MissingKey    Kind = "missing key"    // the provider needs a key and has none; nothing was sent
	Unreachable   Kind = "unreachable"    // no connection, a server error that outlasted its retries, or no model server behind the address
	Refused       Kind = "refused"        // the server refused the key or the account (401, 403)
	Throttled     Kind = "throttled"      // too many requests, after every retry
	Quota         Kind = "quota"          // the account has no credit left; waiting does not help
	BadRequest    Kind = "bad request"    // the server does not accept the request: model name, mode, parameter
	ContextLength Kind = "context length" // the prompt does not fit the context window
	Truncated     Kind = "truncated"      // the answer was cut off, or the server dropped a part of the prompt
	Invalid       Kind = "invalid"        // the answer does not match the schema, also after one repair; or the model declined
	Cancelled     Kind = "cancelled"      // the caller's context ended
	Offline       Kind = "offline"        // no network allowed and no recording of this request
)

// Error is a failed call. A Provider fills Kind, Err and, where it knows what
// the user can do, Hint; Structured adds Role and Model.
type Error struct {
	Kind  Kind
	Role  Role
	Model string // "provider:model"
	Err   error  // what happened, as a clause without a full stop
	Hint  string // what to do next, as a clause without a full stop
}

// Error reads "screener with openai:gpt-5-mini: what happened; what to do next".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Role))
	if e.Model != "" {
		if e.Role != "" {
			b.WriteString(" with ")
		}
		b.WriteString(e.Model)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if e.Err != nil {
		b.WriteString(e.Err.Error())
	} else {
		b.WriteString(string(e.Kind))
	}
	if e.Hint != "" {
		b.WriteString("; ")
		b.WriteString(e.Hint)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the first *Error in err's chain. A bare context
// error is Cancelled; nil and foreign errors have the empty kind.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Kind
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Cancelled
	}
	return ""
}

// locate gives a provider's error its role and model, and a kind when it has
// none: an error of unknown make counts as Unreachable, unless ctx has ended.
func locate(ctx context.Context, err error, role Role, spec string) *Error {
	out := Error{Kind: Unreachable, Err: err}
	var e *Error
	switch {
	case errors.As(err, &e):
		out = *e
	case ctx.Err() != nil, KindOf(err) == Cancelled:
		out.Kind = Cancelled
	}
	out.Role, out.Model = role, spec
	return &out
}
