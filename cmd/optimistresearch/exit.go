package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/internal/advice"
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

// What a code means for some commands in particular; exitHelp takes these in
// the place of the code.
const (
	asReplay = exitUnverified + 1000
	asServer = exitInterrupted + 1000
	asQuery  = exitInterrupted + 2000
)

// exits is the one table of exit codes. All help comes from it, and the README
// has the rows without a command.
var exits = []struct {
	code    int // modulo 1000
	meaning string
}{
	{exitFinished, "finished"},
	{exitUnexpected, "unexpected error"},
	{exitUsage, "wrong usage or settings"},
	{exitNoEvidence, "finished without evidence"},
	{exitBudget, "stopped by a budget; the report is written"},
	{exitUnreachable, "a required source or model could not be reached, or gave nothing usable"},
	{exitUnverified, "verification failed"},
	{asReplay, "verification failed: the replay differs from its run"},
	{exitInterrupted, "interrupted; the run can be resumed"},
	{asServer, "interrupted, which is how it ends"},
	{asQuery, "interrupted"},
}

// exitHelp lists the exit codes that a command can end with.
func exitHelp(codes ...int) string {
	var b strings.Builder
	b.WriteString("\n\n" + exitTitle + "\n")
	for _, e := range exits {
		if slices.Contains(codes, e.code) {
			fmt.Fprintf(&b, "  %3d  %s\n", e.code%1000, e.meaning)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

const exitTitle = "Exit codes:"

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

// misuse is wrong usage with what to type instead.
func misuse(next, format string, args ...any) error {
	return usage(advice.New(next, format, args...))
}

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
	case errors.As(err, &input), errors.Is(err, corpus.ErrNotARun), errors.Is(err, corpus.ErrExists), errors.Is(err, corpus.ErrLocked),
		errors.Is(err, corpus.ErrPlace), errors.Is(err, corpus.ErrNewer):
		return exitUsage
	}
	if e, ok := errors.AsType[*sources.Error](err); ok {
		switch e.Outcome {
		case state.Throttled, state.Refused, state.Down, state.Broken:
			return exitUnreachable
		}
	}
	return exitUnexpected
}
