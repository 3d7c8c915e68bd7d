package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Kind says in one word why a request gave no usable answer. A Kind is itself an error, so that
// errors.Is(err, fetch.Throttled) works; the empty Kind means success.
type Kind string

const (
	Throttled  Kind = "throttled"   // the service, or our own pace, has no turn for us in reasonable time
	Refused    Kind = "refused"     // 401, 402, 403, 407: the key, the account or the client is not accepted
	BadRequest Kind = "bad_request" // the request itself is wrong: any other 4xx, or it could not be built or is not allowed
	NotFound   Kind = "not_found"   // 404, 410
	Broken     Kind = "broken"      // an answer that cannot be used: empty, cut, oversized, wrong content type, stray redirect
	Down       Kind = "down"        // 5xx for good, no connection, no such host, TLS failure, time-out
	Offline    Kind = "offline"     // replay only, and there is no recording
	Cancelled  Kind = "cancelled"   // the caller's context ended
	Unsaved    Kind = "unsaved"     // the answer came, but the recorder could not keep it (disk full, no permission)
)

// Error is the word itself, so that a Kind can be the target of errors.Is.
func (k Kind) Error() string { return string(k) }

// phrases are the words of Error.Error for each kind.
var phrases = map[Kind]string{
	Throttled:  "throttled",
	Refused:    "refused",
	BadRequest: "request rejected",
	NotFound:   "not found",
	Broken:     "unusable answer",
	Down:       "down",
	Offline:    "no recording of this request",
	Cancelled:  "cancelled",
	Unsaved:    "the answer could not be saved",
}

// Error tells why one Do failed. No field and no text of it holds a secret, a base URL or an address.
//
// An adapter's Request.OK returns an *Error to overrule the verdict of the status; of it Kind, After, Final, Hint and
// Err are used, the rest is filled in here.
type Error struct {
	Kind        Kind
	Service, Op string
	Status      int           // HTTP status, 0 if there was no answer
	Attempts    int           // requests sent, 0 if none
	Waited      time.Duration // time spent on waiting for a turn and between attempts
	After       time.Duration // how long the service asked to wait, 0 if it did not say
	Final       bool          // never retry, whatever the kind
	Body        []byte        // at most the first 4 KiB of the answer, redacted
	Header      http.Header   // redacted
	Hint        string        // what to type next
	Err         error         // the cause, redacted; may be nil
}

// Error is a sentence: what was attempted, how it failed, why, and what to type next.
func (e *Error) Error() string {
	var b strings.Builder
	for _, part := range []string{e.Service, e.Op} {
		if part != "" {
			b.WriteString(part + ": ")
		}
	}
	phrase := phrases[e.Kind]
	if phrase == "" {
		phrase = "failed"
	}
	b.WriteString(phrase)
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " after %d attempts", e.Attempts)
	}
	if why := e.why(); why != "" {
		b.WriteString(": " + why)
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// why is the status, the cause and what the answer says, as far as there are such.
func (e *Error) why() string {
	var why []string
	if e.Status != 0 {
		why = append(why, fmt.Sprintf("HTTP %d", e.Status))
	}
	if e.Err != nil {
		why = append(why, e.Err.Error())
	}
	if msg := message(e.Body); msg != "" && (e.Status >= 300 || e.Err == nil) { // else Err speaks about the body
		why = append(why, "it says: "+msg)
	}
	return strings.Join(why, ", ")
}

// Unwrap gives the cause, so that errors.Is finds context.Canceled, syscall.ENOSPC and the like.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is this error's Kind.
func (e *Error) Is(target error) bool {
	k, ok := target.(Kind)
	return ok && k == e.Kind
}

// KindOf returns the kind of an error from this room, wrapped or not: "" for nil and for errors that are not from
// here, Cancelled for a bare context error.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Cancelled
	}
	return ""
}

// retryable says whether another attempt may help: a passing state of the service, a status that may change, and
// nobody said "final".
func (e *Error) retryable() bool {
	if e.Final || neverRetried[e.Status] {
		return false
	}
	return e.Kind == Throttled || e.Kind == Down || e.Kind == Broken
}

// hint is the default advice for a kind; an own one set earlier wins. It must hold
// with and without a run: a search on its own has none that could be resumed.
func (e *Error) hint() string {
	switch e.Kind {
	case Throttled:
		if e.After > 0 {
			return fmt.Sprintf("%s asks to wait %s: wait, then try again", e.Service, e.After.Round(time.Second))
		}
		return "wait a little, then try again (an own key, where " + e.Service + " gives one, helps)"
	case Refused:
		return "check the key of " + e.Service + ": optimistresearch config show"
	case BadRequest:
		return "correct what was asked; a run lists its calls as sent: optimistresearch log RUN"
	case NotFound:
		return "check the identifier or name asked for, and the base URL of " + e.Service + ": optimistresearch config show"
	case Broken:
		return "try again later; if it stays, look at the answers (a run lists its calls: optimistresearch log RUN --failed)"
	case Down:
		return "check the network and the base URL of " + e.Service + " (optimistresearch config show), then try again"
	case Offline:
		return "run it without --replay to ask " + e.Service
	case Cancelled:
		return "try again"
	case Unsaved:
		return "free space or fix the run directory, then type: optimistresearch resume RUN"
	}
	return ""
}
