package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
)

func newCheckModels(s *streams) *cobra.Command {
	var roles []string
	var model string
	slow := app.DefaultSlow
	c := &cobra.Command{
		Use:   "models",
		Short: "Check that the models fit their roles, on material whose right answers are known",
		Long: `Gives every role that a model does the prompts and schemas of a run, on built-in
material, and judges the answers: does it keep a study of another field, reject
one that answers the question, copy its instructions, invent quotes or citations,
break the schema, lose the beginning of a long prompt, follow an instruction that
is hidden in an abstract, call nothing enough, or take too long? The calls are
real and cost what they cost; each model is asked for a few thousand tokens a
role. A model that is unfit for a role spoils what that role does.` + exitHelp(0, 1, 2, 5, 6, asQuery),
		Example: "  optimistresearch check models\n  optimistresearch check models --role screener --model ollama:qwen3:8b",
		Args:    exactly(0, "optimistresearch check models"),
		RunE: func(c *cobra.Command, _ []string) error {
			for _, r := range roles {
				if !slices.Contains(app.RoleNames(), r) {
					return usage(fmt.Errorf("--role is %q and must be one of %s", r, strings.Join(app.RoleNames(), ", ")))
				}
			}
			if slow <= 0 {
				return usage(fmt.Errorf("--slow is %s and must be a time such as 30s or 2m", slow))
			}
			cfg, err := s.load(nil)
			if err != nil {
				return err
			}
			o := app.ModelCheckOptions{Roles: roles, Model: model, Slow: slow}
			if !s.json {
				fmt.Fprintf(s.out, "%-12s %-32s %-12s %5s %9s %8s %10s %8s\n", "Role", "Model", "Verdict", "Calls", "Tokens in", "out", "Cost", "Slowest")
				o.Row = func(r app.ModelRow) { printModel(s, r) }
				o.Waiting = func(service string, seconds int) {
					if seconds >= 2 {
						fmt.Fprintf(s.err, "%s: next request in %d s\n", service, seconds)
					}
				}
			}
			rows, err := app.CheckModels(c.Context(), cfg, o)
			if err != nil {
				return err
			}
			if s.json {
				if err := s.answer(rows); err != nil {
					return err
				}
			}
			return checkedModels(rows)
		},
	}
	c.Flags().StringArrayVar(&roles, "role", nil, "a role to check (repeatable; all by default): "+strings.Join(app.RoleNames(), ", "))
	c.Flags().StringVar(&model, "model", "", "check this model (provider:model) instead of the one that the settings name")
	c.Flags().DurationVar(&slow, "slow", slow, "the longest time that one call may take")
	return c
}

func printModel(s *streams, r app.ModelRow) {
	cost := fmt.Sprintf("$%.4f", r.Dollars)
	switch {
	case r.Calls == 0:
		cost = ""
	case !r.Priced:
		cost = "unknown"
	}
	calls, in, out, slowest := "", "", "", ""
	if r.Calls > 0 {
		calls, in, out = fmt.Sprint(r.Calls), fmt.Sprint(r.Prompt), fmt.Sprint(r.Output)
		slowest = (time.Duration(r.Slowest*1000) * time.Millisecond).Round(10 * time.Millisecond).String()
	}
	fmt.Fprintf(s.out, "%-12s %-32s %-12s %5s %9s %8s %10s %8s\n", r.Role, r.Model, r.Verdict, calls, in, out, cost, slowest)
	for _, f := range r.Findings {
		fmt.Fprintf(s.out, "%-12s   it %s: %s\n", "", f.Vice, f.Detail)
	}
	if r.Reason != "" && r.Verdict == app.ModelUnreachable {
		fmt.Fprintf(s.out, "%-12s   %s\n", "", r.Reason)
	}
	if r.Calls > 0 && r.PriceOf != "" {
		fmt.Fprintf(s.out, "%-12s   price from %s\n", "", r.PriceOf)
	}
}

// checkedModels chooses the exit code of a check.
func checkedModels(rows []app.ModelRow) error {
	var unfit, down []string
	asked := false
	for _, r := range rows {
		switch r.Verdict {
		case app.ModelUnfit:
			unfit = append(unfit, r.Role+" ("+r.Model+")")
		case app.ModelUnreachable:
			down = append(down, r.Role+" ("+r.Model+")")
		case app.ModelBuiltin:
			continue
		}
		asked = true
	}
	switch {
	case len(unfit) > 0:
		return &coded{exitUnverified, fmt.Errorf("unfit for the role: %s; route it to another model or to builtin (models.ROLE)", strings.Join(unfit, ", "))}
	case len(down) > 0:
		return &coded{exitUnreachable, fmt.Errorf("could not be asked: %s; the table says why", strings.Join(down, ", "))}
	case !asked:
		return misuse("name one with --model provider:model, or in the settings with models.default or profile", "no model does any of these roles: there is nothing to check")
	}
	return nil
}
