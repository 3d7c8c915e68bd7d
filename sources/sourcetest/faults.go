package sourcetest

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"optimistresearch/sources"
	"optimistresearch/state"
)

// A failing service, and what the caller must be told.
var faults = []struct {
	name       string
	fault      fault
	outcome    state.Outcome
	once       bool // asking again would be wrong
	searchOnly bool // other operations may read it as an answer
}{
	{"401", always(401, "application/json", `{"error":"invalid key `+Key+`"}`), state.Refused, true, false},
	{"403 with a page", always(403, "text/html", `<html><body>Forbidden for `+Key+`</body></html>`), state.Refused, true, false},
	{"429 for ever", always(429, "application/json", `{"error":"API rate limit exceeded","api-key":"`+Key+`","count":"4","limit":"3"}`), state.Throttled, false, false},
	{"429 for ever, with a page", always(429, "text/html", "Rate exceeded."), state.Throttled, false, false},
	{"500 for ever", always(500, "text/html", "<html><body>Internal error "+Key+"</body></html>"), state.Down, false, false},
	{"503 for ever", always(503, "text/plain", "Service unavailable"), state.Down, false, false},
	{"400", always(400, "application/json", `{"error":"cannot do this with `+Key+`","message":"cannot do this with `+Key+`"}`), state.Broken, true, false},
	{"the connection breaks", func(reply) reply {
		return reply{err: errors.New("connection reset by peer")}
	}, state.Down, false, false},
	{"200 with a page", always(200, "text/html; charset=utf-8", "<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body><p>Back soon.</p></body></html>"), state.Broken, false, false},
	{"200 with a page under a wrong type", func(healthy reply) reply {
		healthy.body = "<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body><p>Back soon.</p></body></html>"
		return healthy
	}, state.Broken, false, false},
	{"200 with nothing", func(healthy reply) reply {
		healthy.body = ""
		return healthy
	}, state.Broken, false, false},
	{"200 with half a body", func(healthy reply) reply {
		healthy.body = healthy.body[:len(healthy.body)/2]
		return healthy
	}, state.Broken, false, false},
	{"200 with an empty object", always(200, "application/json", "{}"), state.Broken, false, true},
}

func always(status int, contentType, body string) fault {
	return func(reply) reply {
		return reply{status: status, header: http.Header{"Content-Type": {contentType}}, body: body}
	}
}

func withoutKey(f fault) fault {
	return func(healthy reply) reply {
		r := f(healthy)
		r.body = strings.ReplaceAll(r.body, Key, "of another client")
		return r
	}
}

// faults plays every failure at every request of every operation.
func (s suite) faults(t testing.TB) {
	for _, op := range s.operations(t) {
		probe := NewService(t, op.scenario.Answers)
		if _, err := op.call(t.Context(), s.source(probe.Doer()), op.scenario); err != nil {
			t.Errorf("%s: the healthy call failed: %v", op.name, err)
			continue
		}
		for _, f := range faults {
			if f.searchOnly && op.name != "search" {
				continue
			}
			for n := 1; n <= probe.requests(); n++ {
				sc := NewService(t, op.scenario.Answers)
				sc.failFrom, sc.fault = n, f.fault
				if !probe.sawKey { // what was never sent cannot be echoed
					sc.fault = withoutKey(f.fault)
				}
				source := s.source(sc.Doer())
				result, err := op.call(t.Context(), source, op.scenario)
				name := op.name + ", request " + itoa(n) + ": " + f.name
				checkError(t, name, source.Name(), result, err, f.outcome)
				if f.once && sc.requests() != n {
					t.Errorf("%s: the service was asked %d times, want %d: asking again is wrong here", name, sc.requests(), n)
				}
			}
		}
	}
}

// ownFailures plays the failures that only this service has.
func (s suite) ownFailures(t testing.TB) {
	for _, f := range s.cases.Failures {
		source := s.source(NewService(t, f.Answers).Doer())
		result, err := source.Search(t.Context(), s.cases.Search.Request)
		checkError(t, f.Name, source.Name(), result, err, f.Outcome)
		if err != nil && !strings.Contains(err.Error(), f.Says) {
			t.Errorf("%s: the error %q does not say %q", f.Name, err, f.Says)
		}
	}
}

// checkError checks that a failure is told as the contract wants.
func checkError(t testing.TB, name, source string, result sources.Result, err error, want state.Outcome) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, but a result with %d records; want outcome %s", name, len(result.Records), want)
		return
	}
	var e *sources.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: the error is a %T, want a *sources.Error: %v", name, err, err)
		return
	}
	for _, fault := range ErrorFaults(e, source, want) {
		t.Errorf("%s: %s: %v", name, fault, err)
	}
	if len(result.Records) > 0 {
		t.Errorf("%s: %d records beside an error; a failed call gives nothing half", name, len(result.Records))
	}
}

// ErrorFaults lists what is wrong with an error of a source that should have
// the given outcome; nothing is wrong when it is empty.
func ErrorFaults(e *sources.Error, source string, want state.Outcome) []string {
	var faults []string
	if e.Outcome != want {
		faults = append(faults, "the outcome is "+string(e.Outcome)+", want "+string(want))
	}
	if e.Source != source {
		faults = append(faults, "the error names the source "+e.Source+", want "+source)
	}
	if e.Op == "" {
		faults = append(faults, "the error does not say what was attempted")
	}
	if want == state.Refused && e.Hint == "" {
		faults = append(faults, "a refusal has no hint on what to set")
	}
	msg := e.Error()
	for _, secret := range []string{Key, url.QueryEscape(Key), url.PathEscape(Key)} {
		if strings.Contains(msg, secret) {
			faults = append(faults, "the error shows the key")
			break
		}
	}
	if strings.ContainsAny(msg, "\n\r") || !utf8.ValidString(msg) {
		faults = append(faults, "the error is not one line of text")
	}
	if n := utf8.RuneCountInString(msg); n > 1000 {
		faults = append(faults, "the error has "+itoa(n)+" characters, want at most 1000")
	}
	return faults
}
