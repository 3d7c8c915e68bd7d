// Package advice keeps what to type next apart from what went wrong, so that a
// person reads both as one sentence and a script gets them as two fields.
//
// It must never decide what kind of error something is. Start with New, and
// with Split where an error is shown.
package advice

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Error is an error with its advice.
type Error struct {
	Err  error
	Next string // what to type or to do next, as a clause without a full stop
}

// New words an error as fmt.Errorf does and gives it an advice.
func New(next, format string, args ...any) error {
	return &Error{Err: fmt.Errorf(format, args...), Next: next}
}

// Error is the whole sentence.
func (e *Error) Error() string {
	if e.Next == "" {
		return e.Err.Error()
	}
	return e.Err.Error() + "; " + e.Next
}

func (e *Error) Unwrap() error { return e.Err }

// Split takes all advice of an error out of its words; next has it in the order
// of the sentence, and is "" if there is none.
func Split(err error) (what, next string) {
	what = err.Error()
	for {
		e, ok := errors.AsType[*Error](err)
		if !ok {
			return what, next
		}
		if e.Next != "" {
			what = strings.Replace(what, e.Error(), e.Err.Error(), 1)
			if next != "" {
				next = "; " + next
			}
			next = e.Next + next
		}
		err = e.Err
	}
}

// Arg is a word of a command as it has to be typed into a shell.
func Arg(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@%+,=", r) || r > 0x7f && unicode.IsLetter(r)
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
