package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/config"
)

// streams are the program's input and output: the answer goes to out,
// everything else to err.
type streams struct {
	in       io.Reader
	out, err io.Writer
	json     bool
	set      []string
}

func newRoot(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "optimistresearch",
		Short: "From one question to a cited literature review and the evidence it rests on",
		Long: `optimistresearch searches literature services, removes duplicates, screens,
chases citations, reads, and writes a review in which every statement leads back
to a quoted source. The run stays on disk as a corpus that can be browsed, kept
in git, and resumed.

Try it without a key and without a network:

  optimistresearch run --sandbox "recent research in AI agent memory"` + exitHelp(0, 1, 2, 3, 4, 5, 6, 130),
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       app.Version,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			msg := fmt.Sprintf("%q is not a command", args[0])
			c.SuggestionsMinimumDistance = 2
			if near := c.SuggestionsFor(args[0]); len(near) > 0 {
				msg += "; did you mean " + strings.Join(near, " or ") + "?"
			}
			return usage(fmt.Errorf("%s (see `optimistresearch --help`)", msg))
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.PersistentFlags().BoolVar(&s.json, "json", false, "machine-readable output: the answer on stdout, events on stderr")
	root.PersistentFlags().StringArrayVar(&s.set, "set", nil, "a setting as KEY=VALUE, above every settings file (repeatable; config show lists them)")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w; see `%s --help`", err, c.CommandPath()))
	})
	root.AddCommand(newRun(s), newResume(s), newSearch(s), newSandbox(s), newLog(s), newWhy(s), newConfig(s))
	return root
}

// exactly asks for n arguments and says what to type when there are others.
func exactly(n int, example string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return usage(fmt.Errorf("%s takes %d argument(s) and got %d; for example: %s", c.Name(), n, len(args), example))
	}
}

// load reads the settings; flags set above every file.
func (s *streams) load(flags map[string]string) (*config.Config, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, kv := range s.set {
		k, v, ok := strings.Cut(kv, "=")
		if !ok {
			return nil, usage(fmt.Errorf("--set %q is not KEY=VALUE; for example: --set budgets.documents=20", kv))
		}
		all[k] = v
	}
	for k, v := range flags {
		all[k] = v
	}
	c, err := config.Load(config.Options{Dir: dir, Env: os.Environ(), Flags: all, Sources: app.SourceNames(), Roles: app.RoleNames()})
	if err != nil {
		return nil, usage(err)
	}
	for _, w := range c.Warnings {
		fmt.Fprintf(s.err, "warning: %s\n", w)
	}
	return c, nil
}

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

var errQuestion = errors.New(`the question is empty; for example: optimistresearch run "recent research in AI agent memory"`)
