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
	"optimistresearch/internal/advice"
	"optimistresearch/internal/text"
	"optimistresearch/report"
	"optimistresearch/state"
)

func newRun(s *streams) *cobra.Command {
	var (
		scope, out, library, replay, model string
		sandbox, retracted                 bool
		since, until                       int
		iterations, documents, searches    int
		rounds                             int
		sources, records                   []string
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
offline. --replay derives a finished run again from its recordings, without any
network, and says whether it came out the same.

What you change by hand in the files of a run is kept: see the README in its
directory.` + exitHelp(0, 1, 2, 3, 4, 5, asReplay, 130),
		Example: `  optimistresearch run "recent research in AI agent memory" --since 2023
  optimistresearch run --sandbox "recent research in AI agent memory" --scope "focus on empirical evaluations"
  optimistresearch run --replay optimistresearch-runs/RUN`,
		Args: func(c *cobra.Command, args []string) error {
			if replay != "" {
				return exactly(0, "optimistresearch run --replay RUN")(c, args)
			}
			if len(args) > 1 {
				return misuse(fmt.Sprintf("put it into quotation marks: optimistresearch run %q", text.Truncate(strings.Join(args, " "), 80)), "the question came as %d words", len(args))
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
			offline := len(sources) == 1 && sources[0] == "none"
			switch {
			case offline && len(records) == 0:
				return misuse("name files with --records, or leave --sources out", "--sources none leaves nothing to review")
			case offline && (sandbox || library != ""):
				return misuse("leave one of them out", "--sources none and --sandbox contradict each other")
			case c.Flags().Changed("sources") && !offline:
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
					return misuse("leave the other flags out, except --out", "--replay takes question, scope and settings from the run")
				}
				cfg, err := s.load(nil)
				if err != nil {
					return err
				}
				return s.replay(c.Context(), cfg, replay, out)
			}
			question := text.OneLine(args[0])
			if question == "" || text.TitleKey(question) == "" {
				return misuse(`for example: optimistresearch run "recent research in AI agent memory"`, "the question is empty")
			}
			if err := app.CheckQuestion(question); err != nil {
				return err
			}
			cfg, err := s.load(flags)
			if err != nil {
				return err
			}
			req := app.Request{Question: question, Scope: text.OneLine(scope), Dir: out, Records: records, Offline: offline}
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
				defer dropEmpty(req.Dir)
			}
			if err := s.library(req.Sandbox); err != nil {
				return err
			}
			p := s.progress(req.Dir)
			res, err := app.Start(c.Context(), app.Options{Config: cfg, Now: app.Now(), Observe: p.observe, Waiting: p.waiting}, req)
			p.close()
			return s.finish(c.Context(), res, err, "optimistresearch resume "+advice.Arg(req.Dir))
		},
	}
	f := c.Flags()
	f.StringVar(&scope, "scope", "", "a note, as `TEXT`, that narrows the question: years in it limit the search; kinds of study, subjects and what to leave out steer plan and screening")
	f.IntVar(&since, "since", 0, "exclude works published before this `YEAR`")
	f.IntVar(&until, "until", 0, "exclude works published after this `YEAR`")
	f.StringSliceVar(&sources, "sources", nil, "the `SOURCES` to search, separated by commas: "+strings.Join(app.SourceNames(), ", "))
	f.StringArrayVar(&records, "records", nil, "screen and read the records of this `FILE` too, an export of a database or reference manager, or a folder of PDF files (repeatable; with --sources none, nothing else)")
	f.StringVar(&out, "out", "", "`DIR` of the run (default: a new one below optimistresearch-runs)")
	f.BoolVar(&sandbox, "sandbox", false, "search simulated services over the built-in demonstration library")
	f.StringVar(&library, "library", "", "search simulated services over the library in this `FILE` (JSON Lines, one work a line)")
	f.StringVar(&replay, "replay", "", "derive this `RUN` again from its recordings, without network")
	f.StringVar(&model, "model", "", "`PROVIDER:MODEL` for every role (default: the built-in method)")
	b := state.DefaultSettings().Budgets
	f.IntVar(&iterations, "iterations", 0, fmt.Sprintf("at most `N` rounds of searching, reading and criticising (default %d)", b.Iterations))
	f.IntVar(&documents, "documents", 0, fmt.Sprintf("read at most `N` documents (default %d)", b.Documents))
	f.IntVar(&searches, "searches", 0, fmt.Sprintf("send at most `N` queries; one to one source counts as one (default %d)", b.Searches))
	f.IntVar(&rounds, "rounds", 0, fmt.Sprintf("at most `N` rounds of citation chasing, 0 for none (default %d)", b.SnowballRounds))
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
			return s.finish(c.Context(), res, err, "optimistresearch resume "+advice.Arg(args[0]))
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
		defer dropEmpty(out)
	}
	p := s.progress(out)
	res, err := app.Replay(ctx, app.Options{Config: cfg, Observe: p.observe, Waiting: p.waiting}, original, out)
	p.close()
	return s.finish(ctx, res, err, fmt.Sprintf("optimistresearch run --replay %s --out ANOTHER", advice.Arg(original)))
}

// finish prints what came of a run and chooses the exit code. again is the
// command that goes on with it when it did not end.
func (s *streams) finish(ctx context.Context, res app.Result, err error, again string) error {
	for _, n := range res.Notices {
		s.note("%s", n)
	}
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			if res.Dir == "" {
				return &coded{exitInterrupted, errors.New("interrupted before anything was stored")}
			}
			return &coded{exitInterrupted, advice.New("go on with: "+again, "interrupted")}
		}
		if res.Dir != "" {
			return advice.New("what was stored is kept, go on with: "+again, "%w", err)
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
		return &coded{exitUnverified, advice.New("compare the two state.json files", "the replay differs from the run it was made from")}
	}
	if res.Stop.Exit != 0 {
		return &coded{res.Stop.Exit, advice.New("what can be done next stands in "+filepath.Join(res.Dir, "report.md"), "%s", report.StopText(res.Stop))}
	}
	return nil
}

// freeDir makes a directory below parent whose name is not taken, so that
// another process that looks for one at the same time takes another.
func freeDir(parent, name string) (string, error) {
	err := os.MkdirAll(parent, 0o755)
	for n := 1; err == nil && n < 10_000; n++ {
		dir := filepath.Join(parent, name)
		if n > 1 {
			dir = fmt.Sprintf("%s-%d", dir, n)
		}
		if err = os.Mkdir(dir, 0o755); err == nil {
			return dir, nil
		}
		if errors.Is(err, os.ErrExist) {
			err = nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%s is full of runs of this name", parent)
	}
	return "", misuse("name a directory with --out", "choosing a directory: %w", err)
}

// dropEmpty removes the directory of a run that did not come about.
func dropEmpty(dir string) {
	if os.Remove(dir) == nil {
		_ = os.Remove(filepath.Dir(dir))
	}
}

// slug makes a directory name of a question.
func slug(question string) string {
	s := strings.ReplaceAll(text.TitleKey(question), " ", "-")
	if r := []rune(s); len(r) > 60 {
		s = strings.Trim(string(r[:60]), "-")
	}
	return s
}
