package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/internal/corpus"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// Exit codes of the program.
const (
	exitFinished    = 0
	exitUnexpected  = 1
	exitUsage       = 2
	exitNoEvidence  = 3
	exitBudget      = 4
	exitUnreachable = 5
	exitUnverified  = 6
	exitInterrupted = 130
)

// exits is the one table of exit codes; help prints it.
var exits = []struct {
	code    int
	meaning string
}{
	{exitFinished, "finished"},
	{exitUnexpected, "unexpected error"},
	{exitUsage, "wrong usage or settings"},
	{exitNoEvidence, "finished without evidence"},
	{exitBudget, "stopped by a budget; the report is written"},
	{exitUnreachable, "a required source or model could not be reached"},
	{exitUnverified, "verification failed"},
	{exitInterrupted, "interrupted; the run can be resumed"},
}

// exitHelp lists the exit codes that a command can end with.
func exitHelp(codes ...int) string {
	var b strings.Builder
	b.WriteString("\n\nExit codes:\n")
	for _, e := range exits {
		for _, c := range codes {
			if c == e.code {
				fmt.Fprintf(&b, "  %3d  %s\n", e.code, e.meaning)
			}
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// coded is an error that carries its exit code. An empty message prints
// nothing: the command has said what there is to say.
type coded struct {
	code int
	err  error
}

func (e *coded) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *coded) Unwrap() error { return e.err }

// usage marks an error as wrong usage.
func usage(err error) error { return &coded{exitUsage, err} }

// exitCode is the one place where errors become exit codes.
func exitCode(ctx context.Context, err error) int {
	var c *coded
	var input *app.InputError
	switch {
	case errors.As(err, &c):
		return c.code
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, app.ErrUnreachable):
		return exitUnreachable
	case errors.As(err, &input), errors.Is(err, corpus.ErrNotARun), errors.Is(err, corpus.ErrExists), errors.Is(err, corpus.ErrLocked):
		return exitUsage
	}
	switch sources.OutcomeOf(err) {
	case state.Throttled, state.Refused:
		return exitUnreachable
	case state.Down:
		var e *sources.Error
		if errors.As(err, &e) {
			return exitUnreachable
		}
	}
	return exitUnexpected
}
