package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"optimistresearch/internal/advice"
	"optimistresearch/sources"
)

// jsonHelp is the contract of --json.
const jsonHelp = `With --json, stdout holds one JSON document, the answer, or nothing if there is
none; stderr holds one JSON object a line: {"event": …} for progress,
{"note": …} and {"warning": …}, and, when the command fails, as the last line
{"error": …, "hint": what to do next, "exit": the exit code}.`

// answer prints v as indented JSON on stdout.
func (s *streams) answer(v any) error {
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// note tells the user something that is no mistake, warn something that may be
// one.
func (s *streams) note(format string, args ...any) { s.tell("note", fmt.Sprintf(format, args...)) }
func (s *streams) warn(format string, args ...any) { s.tell("warning", fmt.Sprintf(format, args...)) }

func (s *streams) tell(kind, msg string) {
	if s.json {
		s.line(map[string]string{kind: msg})
		return
	}
	fmt.Fprintf(s.err, "%s: %s\n", kind, msg)
}

// line writes one JSON object on stderr.
func (s *streams) line(v any) {
	e := json.NewEncoder(s.err)
	e.SetEscapeHTML(false)
	e.Encode(v)
}

// failure is the last word of a command that fails.
type failure struct {
	Error string `json:"error"`
	Hint  string `json:"hint"`
	Exit  int    `json:"exit"`
}

// fail says why a command ended with a code that is not 0.
func (s *streams) fail(err error, code int) {
	if !s.json {
		if msg := err.Error(); msg != "" {
			fmt.Fprintf(s.err, "optimistresearch: %s\n", msg)
		}
		return
	}
	what, hint := split(err)
	if what == "" {
		what = meaning(code)
	}
	if hint == "" && code == exitUsage {
		hint = "see `optimistresearch --help`"
	}
	s.line(failure{what, hint, code})
}

// split takes the advice out of an error.
func split(err error) (what, hint string) {
	if what, hint = advice.Split(err); hint != "" {
		return what, hint
	}
	if e, ok := errors.AsType[*sources.Error](err); ok && e.Hint != "" {
		bare := *e
		bare.Hint = ""
		return bare.Error(), e.Hint
	}
	return what, ""
}

// meaning is what a code means for any command.
func meaning(code int) string {
	for _, e := range exits {
		if e.code == code {
			return e.meaning
		}
	}
	return ""
}

// wantsJSON looks for --json before the flags are parsed, for an error that
// keeps them from being parsed.
func wantsJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// many counts things: "1 record", "2 records", "1 query", "3 queries".
func many(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
