package pubmed

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/text"
	"optimistresearch/sources/internal/wire"
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
				return &fetch.Error{Kind: fetch.Throttled, Err: errors.New(text.Truncate(text.OneLine(gateway.Error), 300))}
			}
			return &fetch.Error{Kind: fetch.Refused, Final: true, Err: errors.New(text.Truncate(text.OneLine(gateway.Error), 300))}
		}
		if status != http.StatusOK {
			return nil
		}
		return ok(body)
	}
}

const (
	refusedHint = "check the key: set OPTIMISTRESEARCH_SOURCE_PUBMED_KEY or source.pubmed.key, or leave it empty to go without"
	keyHint     = "wait a minute, then try again; a key raises the pace: set OPTIMISTRESEARCH_SOURCE_PUBMED_KEY or source.pubmed.key"
	againHint   = "try again later"
)

// fail words an error as the contract wants it.
func (a *answers) fail(err error) error {
	out, kind := wire.Fail(Name, a.op, err)
	switch {
	case kind == fetch.Refused:
		out.Hint = refusedHint
	case kind == fetch.Throttled && a.source.cfg.Key == "":
		out.Hint = keyHint
	case kind == "" && out.Outcome == state.Broken && out.Hint == "":
		out.Hint = againHint
	}
	return out
}

// noList is the error for a work without a list.
func (a *answers) noList(format string, args ...any) error {
	err := wire.NoList(Name, a.op, fmt.Sprintf(format, args...))
	err.Hint = "ask another source; this says nothing about what the work cites"
	return err
}
