package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/config"
	"optimistresearch/internal/text"
	"optimistresearch/report"
)

func newRun(s *streams) *cobra.Command {
	var (
		scope, out, library, replay, model string
		sandbox, retracted                 bool
		since, until                       int
		iterations, documents, searches    int
		rounds                             int
		sources                            []string
	)
	c := &cobra.Command{
		Use:   "run QUESTION",
		Short: "Research a question and write a cited review with its corpus",
		Long: `Researches a question from plan to report. The run's directory holds the report,
the documents with their provenance, the evidence with its quotes, every query
as it was sent, and a journal from which the run can be resumed or replayed.

Without a configured model the built-in method does every step: no key, no
network but the literature services. --sandbox replaces those services with a
simulation over a library of real works, so that the whole road can be tried
offline.` + exitHelp(0, 1, 2, 3, 4, 5, 130),
		Example: `  optimistresearch run "recent research in AI agent memory" --since 2023
  optimistresearch run --sandbox "recent research in AI agent memory" --scope "focus on empirical evaluations"
  optimistresearch run --replay optimistresearch-runs/RUN`,
		Args: func(c *cobra.Command, args []string) error {
			if replay != "" {
				return exactly(0, "optimistresearch run --replay RUN")(c, args)
			}
			return exactly(1, `optimistresearch run "recent research in AI agent memory"`)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			flags := map[string]string{}
			number := func(flag, key string, v int) {
				if c.Flags().Changed(flag) {
					flags[key] = strconv.Itoa(v)
				}
			}
			number("since", "since_year", since)
			number("until", "until_year", until)
			number("iterations", "budgets.iterations", iterations)
			number("documents", "budgets.documents", documents)
			number("searches", "budgets.searches", searches)
			number("rounds", "budgets.snowball_rounds", rounds)
			if c.Flags().Changed("sources") {
				flags["sources"] = strings.Join(sources, ",")
			}
			if c.Flags().Changed("model") {
				flags["models.default"] = model
			}
			if retracted {
				flags["reading.include_retracted"] = "true"
			}
			if replay != "" {
				if sandbox || library != "" || len(flags) > 0 || scope != "" {
					return usage(errors.New("--replay takes question, scope and settings from the run; leave the other flags out, except --out"))
				}
				cfg, err := s.load(nil)
				if err != nil {
					return err
				}
				return s.replay(c.Context(), cfg, replay, out)
			}
			question := text.OneLine(args[0])
			if question == "" || text.TitleKey(question) == "" {
				return usage(errQuestion)
			}
			cfg, err := s.load(flags)
			if err != nil {
				return err
			}
			req := app.Request{Question: question, Scope: text.OneLine(scope), Dir: out}
			switch {
			case library != "":
				if req.Sandbox, err = filepath.Abs(library); err != nil {
					return err
				}
			case sandbox:
				req.Sandbox = app.Builtin
			}
			if req.Dir == "" {
				if req.Dir, err = freeDir("optimistresearch-runs", slug(question)); err != nil {
					return err
				}
			}
			p := s.progress(req.Dir)
			res, err := app.Start(c.Context(), app.Options{Config: cfg, Now: app.Now(), Observe: p.observe, Waiting: p.waiting}, req)
			p.close()
			return s.finish(c.Context(), res, err)
		},
	}
	f := c.Flags()
	f.StringVar(&scope, "scope", "", "a note that narrows the question; it steers the plan and excludes nothing by itself")
	f.IntVar(&since, "since", 0, "exclude works published before this year")
	f.IntVar(&until, "until", 0, "exclude works published after this year")
	f.StringSliceVar(&sources, "sources", nil, "sources to search, separated by commas")
	f.StringVar(&out, "out", "", "directory of the run (default: a new one below optimistresearch-runs)")
	f.BoolVar(&sandbox, "sandbox", false, "search simulated services over the built-in demonstration library")
	f.StringVar(&library, "library", "", "search simulated services over this library (JSONL)")
	f.StringVar(&replay, "replay", "", "derive this run again from its recordings, without network")
	f.StringVar(&model, "model", "", "model for every role, as provider:model (default: the built-in method)")
	f.IntVar(&iterations, "iterations", 0, "turns of the outer loop, at most")
	f.IntVar(&documents, "documents", 0, "documents to read, at most")
	f.IntVar(&searches, "searches", 0, "search operations, at most")
	f.IntVar(&rounds, "rounds", 0, "rounds of citation chasing, at most (0 = none)")
	f.BoolVar(&retracted, "include-retracted", false, "use claims of retracted works, marked as such")
	return c
}

func newResume(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "resume RUN",
		Short: "Go on with a run where it stopped",
		Long: `Goes on with a run that was interrupted, killed, or stopped by an error. What it
had stored is not done again, and responses that it had received come from its
recordings. A finished run only gets its report written anew.` + exitHelp(0, 1, 2, 3, 4, 5, 130),
		Example: "  optimistresearch resume optimistresearch-runs/RUN",
		Args:    exactly(1, "optimistresearch resume optimistresearch-runs/RUN"),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := s.load(nil)
			if err != nil {
				return err
			}
			p := s.progress(args[0])
			res, err := app.Resume(c.Context(), app.Options{Config: cfg, Observe: p.observe, Waiting: p.waiting}, args[0])
			p.close()
			return s.finish(c.Context(), res, err)
		},
	}
}

func (s *streams) replay(ctx context.Context, cfg *config.Config, original, out string) error {
	original = filepath.Clean(original)
	if out == "" {
		var err error
		if out, err = freeDir(filepath.Dir(original), filepath.Base(original)+"-replay"); err != nil {
			return err
		}
	}
	p := s.progress(out)
	res, err := app.Replay(ctx, app.Options{Config: cfg, Observe: p.observe, Waiting: p.waiting}, original, out)
	p.close()
	return s.finish(ctx, res, err)
}

// finish prints what came of a run and chooses the exit code.
func (s *streams) finish(ctx context.Context, res app.Result, err error) error {
	for _, n := range res.Notices {
		fmt.Fprintf(s.err, "note: %s\n", n)
	}
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			if res.Dir == "" {
				return &coded{exitInterrupted, errors.New("interrupted before anything was stored")}
			}
			return &coded{exitInterrupted, fmt.Errorf("interrupted; go on with: optimistresearch resume %s", res.Dir)}
		}
		if res.Dir != "" {
			return fmt.Errorf("%w\nwhat was stored is kept; go on with: optimistresearch resume %s", err, res.Dir)
		}
		return err
	}
	sum := summarise(res)
	if s.json {
		if err := s.answer(sum); err != nil {
			return err
		}
	} else {
		sum.print(s.out)
	}
	if res.Same != nil && !*res.Same {
		return &coded{exitUnverified, fmt.Errorf("the replay differs from the run it was made from; compare the two state.json files")}
	}
	if res.Stop.Exit != 0 {
		return &coded{res.Stop.Exit, errors.New(report.StopText(res.Stop))}
	}
	return nil
}

// freeDir returns a directory name below parent that is not taken.
func freeDir(parent, name string) (string, error) {
	for n := 1; n < 10_000; n++ {
		dir := filepath.Join(parent, name)
		if n > 1 {
			dir = fmt.Sprintf("%s-%d", dir, n)
		}
		if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
			return dir, nil
		} else if err != nil {
			return "", fmt.Errorf("choosing a directory: %w; name one with --out", err)
		}
	}
	return "", usage(fmt.Errorf("%s is full of runs of this name; name a directory with --out", parent))
}

// slug makes a directory name of a question.
func slug(question string) string {
	s := strings.ReplaceAll(text.TitleKey(question), " ", "-")
	if r := []rune(s); len(r) > 60 {
		s = strings.Trim(string(r[:60]), "-")
	}
	return s
}
