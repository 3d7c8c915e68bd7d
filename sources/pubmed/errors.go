package pubmed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// verdict judges a whole answer before it is kept. The gateway in front of
// E-utilities answers in JSON whatever was asked for, a rate limit at times
// with status 200 (rentrez issue 132) and a bad key with 400; the utility
// itself reports errors with 200, which ok has to find.
func verdict(ok func(body []byte) error) func(int, http.Header, []byte) error {
	return func(status int, _ http.Header, body []byte) error {
		var gateway struct {
			Error string           `json:"error"`
			Key   *json.RawMessage `json:"api-key"`
			Limit *json.RawMessage `json:"limit"`
		}
		if json.Unmarshal(body, &gateway) == nil && gateway.Error != "" && gateway.Key != nil {
			if gateway.Limit != nil {
				return &fetch.Error{Kind: fetch.Throttled, Err: errors.New(cut(fold(gateway.Error), 300))}
			}
			return &fetch.Error{Kind: fetch.Refused, Final: true, Err: errors.New(cut(fold(gateway.Error), 300))}
		}
		if status != http.StatusOK {
			return nil
		}
		return ok(body)
	}
}

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
	refusedHint = "check the key: set OPTIMISTRESEARCH_SOURCE_PUBMED_KEY or source.pubmed.key, or leave it empty to go without"
	keyHint     = "wait a minute, then type: optimistresearch resume RUN; a key raises the pace: set OPTIMISTRESEARCH_SOURCE_PUBMED_KEY or source.pubmed.key"
	againHint   = "try later: optimistresearch resume RUN"
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
		switch {
		case c.Kind == fetch.Refused:
			out.Hint = refusedHint
		case c.Kind == fetch.Throttled && a.source.cfg.Key == "":
			out.Hint = keyHint
		}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		out.Outcome = state.Skipped
	default:
		out.Hint = againHint
	}
	return out
}

// noList is the error for a work without a list.
func (a *answers) noList(format string, args ...any) error {
	return &sources.Error{Source: Name, Op: a.op, Outcome: state.NoList, Err: fmt.Errorf(format, args...),
		Hint: "ask another source; this says nothing about what the work cites"}
}
