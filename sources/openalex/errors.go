package openalex

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// keySetting names where the key is set.
const keySetting = "OPTIMISTRESEARCH_SOURCE_OPENALEX_KEY or source.openalex.key"

// verdict tells the kinds of refusal apart that share a status. All come as
// {"error":…,"message":…} (server source, August 2026).
func verdict(status int, h http.Header, body []byte) error {
	var e struct {
		Error      scalar `json:"error"`
		Reason     scalar `json:"reason"`
		RetryAfter scalar `json:"retryAfter"`
		Required   scalar `json:"creditsRequired"`
		Remaining  scalar `json:"creditsRemaining"`
	}
	if _, err := wire.Lenient(body, &e); err != nil {
		return nil
	}
	switch {
	case status == http.StatusTooManyRequests && e.Error == "Plan upgrade required":
		// filter=from_created_date:… is a wrong request in disguise.
		return &fetch.Error{Kind: fetch.BadRequest, Final: true}
	case status == http.StatusGatewayTimeout && e.Reason == "query_timeout":
		// Too broad; not charged, and the same query would time out again.
		return &fetch.Error{Kind: fetch.BadRequest, Final: true, Hint: "use fewer alternatives, or narrower ones"}
	case status == http.StatusTooManyRequests:
		wait := seconds(h.Get("Retry-After"))
		if wait == 0 {
			wait = seconds(string(e.RetryAfter))
		}
		required, asked := e.Required.Int()
		remaining, left := e.Remaining.Int()
		if wait > longWait || asked && left && remaining < required {
			return &fetch.Error{Kind: fetch.Throttled, Final: true, After: wait,
				Hint: "the credit of the day is used up until midnight UTC; a free key gives ten times as much: set " + keySetting}
		}
	}
	return nil
}

func seconds(s string) time.Duration {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || !(n > 0 && n < 1e6) { // NaN is neither
		return 0
	}
	return time.Duration(n * float64(time.Second))
}

// spent reports whether the day's credit is used up.
func spent(err error) bool {
	f, ok := errors.AsType[*fetch.Error](err)
	return ok && f.Kind == fetch.Throttled && f.Final
}

// fail words a failed operation and gives it the outcome that the method knows.
func (j *job) fail(err error) (sources.Result, error) {
	e, kind := wire.Fail(Name, j.op, err)
	f, _ := errors.AsType[*fetch.Error](err)
	switch {
	case kind == fetch.Refused:
		e.Hint = "set " + keySetting + " to a valid key, or to nothing: OpenAlex also answers without one"
	case kind == fetch.Down && f.Status == http.StatusServiceUnavailable && j.s.cfg.Key == "":
		// "Anonymous search is paused while the search cluster recovers"
		// (503 with Retry-After: 60, August 2026).
		e.Hint = "searches without a key are switched off at times: set " + keySetting + ", which is free"
	}
	return sources.Result{}, e
}

func (j *job) noList(format string, args ...any) (sources.Result, error) {
	return sources.Result{}, wire.NoList(Name, j.op, fmt.Sprintf(format, args...))
}

// pageFault says what is wrong with the answer to a list call. The first page
// of a list that counts works but holds none is no empty result.
func pageFault(query url.Values) func([]byte) error {
	first := query.Get("cursor") == "*"
	return func(body []byte) error {
		var p struct {
			Meta *struct {
				Count scalar `json:"count"`
			} `json:"meta"`
			Results *[]json.RawMessage `json:"results"`
		}
		if _, err := wire.Lenient(body, &p); err != nil {
			return err
		}
		if p.Meta == nil || p.Results == nil {
			return errors.New("the answer has no meta or no results")
		}
		if n, _ := p.Meta.Count.Int(); first && n > 0 && len(*p.Results) == 0 {
			return fmt.Errorf("the answer counts %d works and holds none", n)
		}
		return nil
	}
}

// recordFault says what is wrong with the answer to a call for one work.
func recordFault(body []byte) error {
	var w struct {
		ID scalar `json:"id"`
	}
	if _, err := wire.Lenient(body, &w); err != nil {
		return err
	}
	if state.NormalizeOpenAlex(string(w.ID)) == "" {
		return errors.New("the answer is no work record: it has no OpenAlex id")
	}
	return nil
}
