// Package wire is what the adapters share: how a failure is worded, how JSON
// is read that does not keep to its types, how a query is read and rendered,
// and how the books of a look-up are kept. It knows no service and must never
// grow a special case for one. Start with Fail and Lenient.
package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// outcomes of the ways in which a request can fail; any other is a broken
// reply.
var outcomes = map[fetch.Kind]state.Outcome{
	fetch.Throttled: state.Throttled,
	fetch.Refused:   state.Refused,
	fetch.Down:      state.Down,
	fetch.Offline:   state.Down,
	fetch.Unsaved:   state.Down,
	fetch.Cancelled: state.Skipped,
}

// Fail words a failed operation and gives it the outcome that the method
// knows. Source and operation are said once. The kind is that of the request's
// failure, "" when none was sent, its answer made no sense, or the error was
// worded before; the adapter adds its own hint.
func Fail(source, op string, err error) (*sources.Error, fetch.Kind) {
	if worded, ok := errors.AsType[*sources.Error](err); ok {
		return worded, ""
	}
	out := &sources.Error{Source: source, Op: op, Outcome: state.Broken, Err: err}
	if f, ok := errors.AsType[*fetch.Error](err); ok {
		bare := *f
		bare.Service, bare.Op, bare.Hint = "", "", ""
		if bare.Err != nil {
			bare.Body = nil // its words are in Err, or are none
		}
		out.Err, out.Hint = &bare, f.Hint
	}
	kind := fetch.KindOf(err)
	if outcome, ok := outcomes[kind]; ok {
		out.Outcome = outcome
	}
	return out, kind
}

// NoList is the error for a work that a source has no list for.
func NoList(source, op, why string) *sources.Error {
	return &sources.Error{Source: source, Op: op, Outcome: state.NoList, Err: errors.New(why)}
}

// NothingToSend refuses a search without a word in it.
func NothingToSend(source, op, query string) *sources.Error {
	return &sources.Error{Source: source, Op: op, Outcome: state.Skipped,
		Err:  fmt.Errorf("the query %q holds no word that can be searched for", text.Truncate(text.OneLine(query), 100)),
		Hint: "write the words to look for"}
}

// Lenient decodes a JSON object. A field of another type than expected is left
// out and named in the note; the error is for what is no JSON object at all.
func Lenient(raw []byte, into any) (note string, err error) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		return "", errors.New("the answer is no JSON object")
	}
	err = json.Unmarshal(raw, into)
	if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && t.Field != "" {
		return "the field " + t.Field + " came as " + t.Value, nil
	}
	if err != nil {
		return "", fmt.Errorf("the answer cannot be decoded: %w", err)
	}
	return "", nil
}

// Scalar is a JSON string, number or boolean as text. null, objects and arrays
// are "", so that a retyped field costs nothing but itself.
type Scalar string

// UnmarshalJSON never fails.
func (s *Scalar) UnmarshalJSON(b []byte) error {
	*s = ""
	switch b[0] {
	case '"':
		var v string
		if json.Unmarshal(b, &v) == nil {
			*s = Scalar(v)
		}
	case '{', '[', 'n':
	default:
		*s = Scalar(b)
	}
	return nil
}

// Int reads a whole number, also one written as "12" or 12.0.
func (s Scalar) Int() (int, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(string(s)), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1e15 {
		return 0, false
	}
	return int(f), true
}
