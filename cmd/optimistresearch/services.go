package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/internal/text"
	"optimistresearch/state"
)

func newSearch(s *streams) *cobra.Command {
	var source, library string
	var limit int
	var sandbox bool
	c := &cobra.Command{
		Use:   "search QUERY --source SOURCE",
		Short: "Send one query to one source",
		Long: `Sends one query, written in the dialect of the source, and prints the string as it
was sent, the total that the source reports, and the records.` + exitHelp(0, 1, 2, 5, 130),
		Example: `  optimistresearch search 'all:"agent memory"' --source arxiv --limit 5`,
		Args:    exactly(1, `optimistresearch search "agent memory" --source openalex`),
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains(app.SourceNames(), source) {
				return usage(fmt.Errorf("--source is %q and must be one of %s", source, strings.Join(app.SourceNames(), ", ")))
			}
			if strings.TrimSpace(args[0]) == "" {
				return usage(errors.New(`the query is empty; for example: optimistresearch search "agent memory" --source openalex`))
			}
			if limit < 1 || limit > 1000 {
				return usage(fmt.Errorf("--limit is %d and must be between 1 and 1000", limit))
			}
			cfg, err := s.load(nil)
			if err != nil {
				return err
			}
			if library == "" && sandbox {
				library = app.Builtin
			} else if library != "" {
				if library, err = filepath.Abs(library); err != nil {
					return err
				}
			}
			res, err := app.Search(c.Context(), cfg, source, args[0], library, limit, nil)
			if err != nil {
				return err
			}
			if s.json {
				if res.Records == nil {
					res.Records = []state.Record{}
				}
				return s.answer(map[string]any{"source": source, "sent": res.Sent, "filters": res.Filters, "total": res.Total, "records": res.Records, "skipped": res.Skips, "notes": res.Notes})
			}
			fmt.Fprintf(s.out, "Sent     %s\n", res.Sent)
			if res.Filters != "" {
				fmt.Fprintf(s.out, "Filters  %s\n", res.Filters)
			}
			total := "not reported"
			if res.Total >= 0 {
				total = fmt.Sprint(res.Total)
			}
			fmt.Fprintf(s.out, "Total    %s, %d records here\n", total, len(res.Records))
			for _, skip := range res.Skips {
				fmt.Fprintf(s.out, "Skipped  %d: %s\n", skip.Count, skip.Reason)
			}
			for _, n := range res.Notes {
				fmt.Fprintf(s.out, "Note     %s\n", n)
			}
			for i, r := range res.Records {
				fmt.Fprintf(s.out, "\n%3d  %s\n     %s%s\n     %s\n", i+1, text.OneLine(r.Title), names(r.Authors), year(r.Year), place(r))
			}
			return nil
		},
	}
	c.Flags().StringVar(&source, "source", "", "the source: "+strings.Join(app.SourceNames(), ", "))
	c.Flags().IntVar(&limit, "limit", 10, "records to print, at most")
	c.Flags().BoolVar(&sandbox, "sandbox", false, "ask the simulated service over the built-in library")
	c.Flags().StringVar(&library, "library", "", "ask the simulated service over this library (JSONL)")
	return c
}

func names(a []state.Author) string {
	if len(a) == 0 {
		return "no authors given"
	}
	var out []string
	for i, x := range a {
		if i == 3 {
			out = append(out, "et al.")
			break
		}
		out = append(out, x.Name)
	}
	return strings.Join(out, ", ")
}

func year(y int) string {
	if y == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d)", y)
}

func place(r state.Record) string {
	var out []string
	if r.Venue != "" {
		out = append(out, text.OneLine(r.Venue))
	}
	for _, scheme := range state.Keys(r.IDs) {
		out = append(out, scheme+":"+r.IDs[scheme])
	}
	return strings.Join(out, " · ")
}

func newSandbox(s *streams) *cobra.Command {
	var addr, library string
	var faults []string
	c := &cobra.Command{
		Use:   "sandbox",
		Short: "Serve the five literature APIs on loopback over a library",
		Long: `Serves simulations of arXiv, OpenAlex, Crossref, PubMed and Semantic Scholar over a
library of works, until it is interrupted. Any client of these services can be
pointed at the printed addresses. --fault makes a service misbehave, to see what
a client does about it.` + exitHelp(1, 2, 130),
		Args: exactly(0, "optimistresearch sandbox"),
		RunE: func(c *cobra.Command, _ []string) error {
			lib := app.Builtin
			if library != "" {
				lib = library
			}
			urls, stop, err := app.Sandbox(lib, addr, faults)
			if err != nil {
				return err
			}
			if s.json {
				err = s.answer(urls)
			} else {
				fmt.Fprintln(s.out, "# these addresses, as settings for optimistresearch.yaml")
				fmt.Fprintln(s.out, "source:")
				for _, name := range state.Keys(urls) {
					fmt.Fprintf(s.out, "  %s: {base: %q}\n", name, urls[name])
				}
			}
			if err != nil {
				return errors.Join(err, stop())
			}
			<-c.Context().Done()
			if err := stop(); err != nil {
				return err
			}
			return &coded{exitInterrupted, nil}
		},
	}
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "loopback address to listen on; port 0 takes a free one")
	c.Flags().StringVar(&library, "library", "", "serve this library (JSONL) instead of the built-in one")
	c.Flags().StringArrayVar(&faults, "fault", nil, "a fault such as openalex:throttle,times=3,retry-after=30s (repeatable)")
	return c
}
