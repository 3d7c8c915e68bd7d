package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
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
	var version bool
	root := &cobra.Command{
		Use:   "optimistresearch",
		Short: "From one question to a cited literature review and the evidence it rests on",
		Long: `optimistresearch searches literature services, removes duplicates, screens,
chases citations, reads, and writes a review in which every statement leads back
to a quoted source. The run stays on disk as a corpus that can be browsed, kept
in git, and resumed.

Try it without a key and without a network:

  optimistresearch run --sandbox "recent research in AI agent memory"

` + jsonHelp + exitHelp(0, 1, 2, 3, 4, 5, 6, 130),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          parents,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case version && s.json:
				return s.answer(map[string]string{"version": app.Version})
			case version:
				fmt.Fprintf(s.out, "optimistresearch version %s\n", app.Version)
				return nil
			}
			return c.Help()
		},
	}
	root.Flags().BoolVarP(&version, "version", "v", false, "print the version")
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.PersistentFlags().BoolVar(&s.json, "json", false, "machine-readable output: the answer on stdout, all else on stderr, a JSON object a line")
	root.PersistentFlags().StringArrayVar(&s.set, "set", nil, "a setting as `KEY=VALUE`, above every settings file (repeatable; config show lists them)")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(s.help)
	root.SetHelpCommand(newHelp(root))
	root.AddCommand(newRun(s), newResume(s), newSearch(s), newImport(s), newDedupe(s), newCheck(s), newSandbox(s), newLog(s), newWhy(s), newConfig(s), newScreen(s), newBench(s))
	root.AddCommand(newSnowball(s))
	s.completion(root)
	return root
}

// completion makes the command that cobra brings along as strict as the others.
func (s *streams) completion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	shells, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	shells.Args = parents
	shells.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	for _, c := range shells.Commands() {
		script := c.RunE
		c.Args = exactly(0, c.CommandPath())
		c.RunE = func(c *cobra.Command, args []string) error {
			if s.json {
				return misuse("leave out --json", "%s prints a shell script, not JSON", c.CommandPath())
			}
			return script(c, args)
		}
	}
}

// parents complain about a subcommand that does not exist.
func parents(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2
	next := fmt.Sprintf("see `%s --help`", c.CommandPath())
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		next = "did you mean " + strings.Join(near, " or ") + "? " + next
	}
	of := ""
	if c.HasParent() {
		of = " of " + c.CommandPath()
	}
	return misuse(next, "%q is not a command%s", args[0], of)
}

// exactly asks for n arguments and says what to type when there are others.
func exactly(n int, example string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		next := "for example: " + example
		_, names, _ := strings.Cut(c.Use, " ")
		if need := strings.Fields(names); len(args) < n && len(need) >= n {
			return misuse(next, "%s is missing: %s %s", strings.Join(need[len(args):n], " and "), c.CommandPath(), names)
		}
		if n > 0 {
			next = "put words that belong together into quotation marks; " + next
		}
		return misuse(next, "%s takes %s and got %d", c.CommandPath(), []string{"no argument", "one argument", "two arguments"}[n], len(args))
	}
}

// flagError words what is wrong with a flag.
func flagError(c *cobra.Command, err error) error {
	what := err.Error()
	if cause := errors.Unwrap(err); cause != nil {
		what = strings.TrimSuffix(what, ": "+cause.Error())
		var number *strconv.NumError
		switch {
		case errors.As(cause, &number) && number.Func == "ParseBool":
			what += ": it must be true or false"
		case errors.As(cause, &number):
			what += ": it must be a whole number"
		}
	}
	return misuse(fmt.Sprintf("see `%s --help`", c.CommandPath()), "%s", what)
}

// help prints the help of a command, which always tells its exit codes.
func (s *streams) help(c *cobra.Command, _ []string) {
	about := c.Long
	if about == "" {
		about = c.Short
	}
	about = strings.TrimSpace(about)
	if !strings.Contains(about, exitTitle) {
		about += exitHelp(exitFinished, exitUnexpected, exitUsage)
	}
	about += "\n\n" + strings.TrimRight(c.UsageString(), "\n")
	if s.json {
		_ = s.answer(map[string]string{"help": about})
		return
	}
	fmt.Fprintln(s.out, about)
}

// newHelp is the command help.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				if err := parents(root, args); err != nil {
					return err
				}
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
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
			return nil, misuse("for example: --set budgets.documents=20", "--set %q is not KEY=VALUE", kv)
		}
		all[k] = v
	}
	for k, v := range flags {
		all[k] = v
	}
	c, err := config.Load(config.Options{Dir: dir, Env: os.Environ(), Flags: all, Sources: app.SourceNames(), Roles: app.RoleNames(), Bases: app.SourceBases()})
	if err != nil {
		return nil, usage(err)
	}
	for _, w := range c.Warnings {
		s.warn("%s", w)
	}
	return c, nil
}
