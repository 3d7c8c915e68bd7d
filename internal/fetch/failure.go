package fetch

import (
	"errors"
	"time"
)

// Failure is how a request ended that got no final answer. It is recorded so that a replayed run meets the same failure
// and not the lack of a recording; a resumed run never reads it and asks again.
type Failure struct {
	Kind     Kind          `json:"kind"`
	Attempts int           `json:"attempts,omitempty"`
	After    time.Duration `json:"after,omitempty"`
	Hint     string        `json:"hint,omitempty"`
	Message  string        `json:"message,omitempty"` // of the cause, redacted
}

// failureSuffix follows the request's hash in the name of a recorded failure.
const failureSuffix = "-failed"

// keepable tells whether a failure is the service's or the network's, and not the caller's.
func keepable(fail *Error) bool {
	switch fail.Kind {
	case Throttled, Refused, Broken, Down:
		return true
	}
	return false
}

// saveFailure records how the request failed. A recorder that fails here is no reason to fail the call twice.
func (c *call) saveFailure(recorder Recorder, fail *Error) {
	rec := &Recording{
		Version: RecordingVersion, Service: c.id.Service, Method: c.id.Method, Host: c.id.Host, Path: c.id.Path, Query: c.id.Query,
		Status: fail.Status, Body: fail.Body, Raw: sha256Hex(fail.Body),
		Failure: &Failure{Kind: fail.Kind, Attempts: c.sent, After: fail.After, Hint: fail.Hint},
	}
	if fail.Err != nil {
		rec.Failure.Message = fail.Err.Error()
	}
	_ = recorder.Save(c.hash+failureSuffix, rec)
}

// recallFailure returns the recorded failure of the request, nil if there is none that can be used.
func (c *call) recallFailure(recorder Recorder) *Error {
	kept, found, err := recorder.Load(c.hash + failureSuffix)
	if err != nil || !found || kept.usable() != nil || kept.Failure == nil {
		return nil
	}
	f := kept.Failure
	fail := &Error{Kind: f.Kind, Final: true, Status: kept.Status, After: f.After, Hint: f.Hint, Body: kept.Body}
	if f.Message != "" {
		fail.Err = errors.New(f.Message)
	}
	c.sent, c.fromRecording = f.Attempts, true
	return fail
}
