package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/internal/shape"
	"optimistresearch/sources/check"
	"optimistresearch/state"
)

func newCheck(s *streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "check",
		Short: "Check that services still are what the program takes them for",
		Args:  parents,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newCheckSources(s), newCheckModels(s))
	return c
}

func newCheckSources(s *streams) *cobra.Command {
	var names, faults []string
	var library string
	var sandbox bool
	c := &cobra.Command{
		Use:   "sources",
		Short: "Ask every operation of every source once, and compare the answers with their known shapes",
		Long: `Sends one real request for each operation of each source, and compares every raw
answer, field by field, with what the service is known to send. A run tolerates
much; this command names it: a field that is gone or renamed or of another type
(broken), a field that is new (changed), records that could not be used.` + exitHelp(0, 1, 2, 5, 6, asQuery),
		Example: "  optimistresearch check sources\n  optimistresearch check sources --source openalex --source crossref",
		Args:    exactly(0, "optimistresearch check sources"),
		RunE: func(c *cobra.Command, _ []string) error {
			if len(names) == 0 {
				names = app.SourceNames()
			}
			for _, n := range names {
				if !slices.Contains(app.SourceNames(), n) {
					return usage(fmt.Errorf("--source is %q and must be one of %s", n, strings.Join(app.SourceNames(), ", ")))
				}
			}
			cfg, err := s.load(nil)
			if err != nil {
				return err
			}
			switch {
			case library != "":
				if library, err = filepath.Abs(library); err != nil {
					return err
				}
			case sandbox:
				library = app.Builtin
			case len(faults) > 0:
				return usage(fmt.Errorf("--fault is for the simulated services; add --sandbox"))
			}
			o := app.CheckOptions{Sources: names, Library: library, Faults: faults}
			if !s.json {
				fmt.Fprintf(s.out, "%-16s %-22s %-9s %7s  %s\n", "Source", "Operation", "Verdict", "Records", "Detail")
				o.Row = func(r check.Row) { printCheck(s, r) }
				o.Waiting = func(service string, seconds int) {
					if seconds >= 2 {
						fmt.Fprintf(s.err, "%s: next request in %d s\n", service, seconds)
					}
				}
			}
			rows, err := app.CheckSources(c.Context(), cfg, o)
			if err != nil {
				return err
			}
			if s.json {
				if err := s.answer(rows); err != nil {
					return err
				}
			}
			return checked(rows)
		},
	}
	c.Flags().StringArrayVar(&names, "source", nil, "a source to check (repeatable; all by default): "+strings.Join(app.SourceNames(), ", "))
	c.Flags().BoolVar(&sandbox, "sandbox", false, "check the simulated services over the built-in library")
	c.Flags().StringVar(&library, "library", "", "check the simulated services over this library (JSONL)")
	c.Flags().StringArrayVar(&faults, "fault", nil, "a fault of a simulated service, as `optimistresearch sandbox --help` lists them (repeatable)")
	return c
}

func printCheck(s *streams, r check.Row) {
	records := ""
	if r.Records > 0 {
		records = fmt.Sprint(r.Records)
	}
	fmt.Fprintf(s.out, "%-16s %-22s %-9s %7s  %s\n", r.Source, r.Operation, r.Verdict, records, r.Detail)
	var unseen []string
	for _, d := range r.Differences {
		if d.Kind == shape.Unseen {
			unseen = append(unseen, d.Path[strings.LastIndexAny(d.Path, "./ ")+1:])
			continue
		}
		fmt.Fprintf(s.out, "%-16s   %s\n", "", d)
	}
	if len(unseen) > 0 {
		fmt.Fprintf(s.out, "%-16s   not seen in these answers: %s\n", "", strings.Join(unseen, ", "))
	}
}

// checked chooses the exit code of a check.
func checked(rows []check.Row) error {
	var broken, failed []string
	add := func(to *[]string, r check.Row) {
		if !slices.Contains(*to, r.Source) {
			*to = append(*to, r.Source)
		}
	}
	for _, r := range rows {
		switch r.Verdict {
		case check.Broken:
			add(&broken, r)
		case check.Failed:
			if r.Outcome == state.Broken {
				add(&broken, r)
			} else {
				add(&failed, r)
			}
		}
	}
	switch {
	case len(broken) > 0:
		return &coded{exitUnverified, fmt.Errorf("%s no longer answers as this version expects; a run would lose records or fields of it: update the program, or leave the source out with --sources", strings.Join(broken, ", "))}
	case len(failed) > 0:
		return &coded{exitUnreachable, fmt.Errorf("%s did not answer; the table says why", strings.Join(failed, ", "))}
	}
	return nil
}
