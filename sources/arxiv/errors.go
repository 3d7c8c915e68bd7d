package arxiv

import (
	"context"
	"errors"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// outcomes of the ways in which a request can fail.
var outcomes = map[fetch.Kind]state.Outcome{
	fetch.Throttled:  state.Throttled,
	fetch.Refused:    state.Refused,
	fetch.BadRequest: state.Broken,
	fetch.NotFound:   state.Broken,
	fetch.Broken:     state.Broken,
	fetch.Down:       state.Down,
	fetch.Offline:    state.Down,
	fetch.Unsaved:    state.Down,
	fetch.Cancelled:  state.Skipped,
}

const (
	againHint     = "try later: optimistresearch resume RUN"
	throttledHint = "arXiv does not say for how long: wait some minutes, then type: optimistresearch resume RUN"
	refusedHint   = "arXiv has no keys; it shuts out addresses that ask too often: wait an hour, then type: optimistresearch resume RUN"
)

// fail words an error as the contract wants it. The source and the operation
// are said once, so the cause loses them.
func (a *answers) fail(err error) error {
	var already *sources.Error
	if errors.As(err, &already) {
		return err
	}
	out := &sources.Error{Source: Name, Op: a.op, Outcome: state.Broken, Err: err}
	var cause *fetch.Error
	switch {
	case errors.As(err, &cause):
		c := *cause
		out.Hint, c.Hint, c.Service, c.Op = c.Hint, "", "", ""
		if c.Err != nil {
			c.Body = nil // its words are in Err, or it has none worth repeating
		}
		out.Err = &c
		if outcome, ok := outcomes[c.Kind]; ok {
			out.Outcome = outcome
		}
		if c.Kind == fetch.Refused {
			out.Hint = refusedHint
		}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		out.Outcome = state.Skipped
	default:
		out.Hint = againHint
	}
	return out
}
