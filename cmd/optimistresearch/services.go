package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/internal/biblio"
	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/state"
)

func newSearch(s *streams) *cobra.Command {
	q := query{limit: 10}
	var terms []string
	var field, format, out string
	c := &cobra.Command{
		Use:   "search [QUERY] --source SOURCE",
		Short: "Send one query to one source",
		Long: `Sends one query to one source, and prints the string as it was sent, the total that
the source reports, and the records. QUERY is in the dialect of the source: what
breaks the service is cleaned out of it, unless --raw sends it untouched. With
--term, the query is written in the source's dialect: the works that match every
--term, each a word, a "phrase" or alternatives in the form A | B, and none of
--not.` + exitHelp(0, 1, 2, 5, asQuery),
		Example: `  optimistresearch search 'all:"agent memory"' --source arxiv --limit 5
  optimistresearch search --source pubmed --term "sleep | insomnia" --term adolescents --not mice --type review
  optimistresearch search "agent memory" --source openalex --limit 2000 --format ris --out agent-memory.ris`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if err := q.read(args, terms, field); err != nil {
				return err
			}
			to := biblio.Format("")
			if format != "" {
				var err error
				if to, err = formatFlag("--format", format); err != nil {
					return err
				}
			}
			if out != "" && to == "" {
				return misuse("for example: --format ris", "--out needs a format")
			}
			cfg, err := s.load(nil)
			if err != nil {
				return err
			}
			if q.library != "" && q.library != app.Builtin {
				if q.library, err = filepath.Abs(q.library); err != nil {
					return err
				}
			}
			if err := s.library(q.library); err != nil {
				return err
			}
			res, err := app.Search(c.Context(), cfg, q.Query, s.waiting())
			if err != nil {
				return err
			}
			if to == "" {
				return s.hits(q.Source, res)
			}
			w, done, err := s.output(out)
			if err != nil {
				return err
			}
			err = writeRecords(w, to, res.Records)
			s.hitsHead(s.err, res)
			return errors.Join(err, done(err == nil))
		},
	}
	f := c.Flags()
	f.StringVar(&q.Source, "source", "", "the `SOURCE`: "+strings.Join(app.SourceNames(), ", "))
	f.IntVar(&q.limit, "limit", 10, "fetch and print at most `N` records, paging as far as the source allows")
	f.BoolVar(&q.Raw, "raw", false, "send QUERY exactly as it is")
	f.StringArrayVar(&terms, "term", nil, "a `TERM` that must occur, or alternatives in the form A | B (repeatable)")
	f.StringArrayVar(&q.Expr.Not, "not", nil, "a `TERM` that must not occur (repeatable)")
	f.StringVar(&field, "field", "", "where the terms must occur: title, title_abstract; anywhere by default")
	f.IntVar(&q.Since, "since", 0, "only works of this `YEAR` or later")
	f.IntVar(&q.Until, "until", 0, "only works of this `YEAR` or earlier")
	f.StringSliceVar(&q.Types, "type", nil, "only works of these `TYPES`: "+strings.Join(workTypes, ", "))
	f.StringSliceVar(&q.Languages, "language", nil, "only works in these `LANGUAGES`, two letters each, such as en, zh")
	f.StringVar(&format, "format", "", "write the records in this `FORMAT`: "+formatNames(biblio.Writable()))
	f.StringVar(&out, "out", "", "write them to this `FILE`")
	f.BoolVar(&q.sandbox, "sandbox", false, "ask the simulated service over the built-in library")
	f.StringVar(&q.library, "library", "", "ask the simulated service over the library in this `FILE` (JSON Lines)")
	return c
}

var workTypes = []string{sources.TypeArticle, sources.TypeReview, sources.TypePreprint, sources.TypeConference, sources.TypeBook, sources.TypeChapter,
	sources.TypeThesis, sources.TypeDataset, sources.TypeTrial}

// query is what the flags of search say.
type query struct {
	app.Query
	limit   int
	sandbox bool
	library string
}

// read checks the flags and completes the query.
func (q *query) read(args, terms []string, field string) error {
	example := `for example: optimistresearch search "agent memory" --source openalex`
	names := app.SourceNames()
	switch {
	case q.Source == "":
		return misuse("for example: --source openalex; the sources are "+strings.Join(names, ", "), "the source is missing")
	case !slices.Contains(names, q.Source):
		return usage(fmt.Errorf("--source is %q and must be one of %s", q.Source, strings.Join(names, ", ")))
	case len(args) > 1:
		return misuse("put words that belong together into quotation marks; "+example, "search takes one query and got %d", len(args))
	case len(args) == 1 && len(terms) > 0:
		return misuse("leave one of them out", "QUERY and --term are two ways to say what to search")
	case len(args) == 1 && (len(q.Expr.Not) > 0 || field != ""):
		return misuse("use --term instead of QUERY", "--not and --field belong to --term: in QUERY they are said in the dialect of the source")
	case len(terms) > 0 && q.Raw:
		return misuse("leave it out", "--raw is for QUERY; what --term says is written by the program")
	case len(terms) == 0 && (len(args) == 0 || strings.TrimSpace(args[0]) == ""):
		return misuse(example, "the query is empty")
	case q.limit < 1 || q.limit > sources.MostRecords:
		return usage(fmt.Errorf("--limit is %d and must be between 1 and %d", q.limit, sources.MostRecords))
	case q.Since != 0 && q.Until != 0 && q.Since > q.Until:
		return usage(fmt.Errorf("--since is %d and must not be after --until, %d", q.Since, q.Until))
	}
	for _, t := range q.Types {
		if !slices.Contains(workTypes, t) {
			return usage(fmt.Errorf("--type is %q and must be one of %s", t, strings.Join(workTypes, ", ")))
		}
	}
	for _, l := range q.Languages {
		if len(l) != 2 || strings.ToLower(l) != l {
			return usage(fmt.Errorf("--language is %q and must be two small letters, such as en or zh", l))
		}
	}
	switch sources.Field(field) {
	case sources.Anywhere, sources.Title, sources.TitleAbstract:
		q.Expr.Field = sources.Field(field)
	default:
		return usage(fmt.Errorf("--field is %q and must be title or title_abstract", field))
	}
	if len(args) == 1 {
		q.Text = args[0]
	}
	for _, t := range terms {
		var group []string
		for _, alternative := range strings.Split(t, "|") {
			if alternative = strings.Trim(strings.TrimSpace(alternative), `"`); alternative != "" {
				group = append(group, alternative)
			}
		}
		if len(group) == 0 {
			return misuse(`for example: --term "sleep | insomnia"`, "a --term is empty")
		}
		q.Expr.All = append(q.Expr.All, group)
	}
	if q.sandbox && q.library == "" {
		q.library = app.Builtin
	}
	q.Limit, q.Library = q.limit, q.library
	return nil
}

// waiting tells of waits that a person would notice.
func (s *streams) waiting() func(service string, d time.Duration, retry bool) {
	return func(service string, d time.Duration, retry bool) {
		if d >= 2*time.Second {
			s.note("%s", waits(service, d, retry))
		}
	}
}

// hits prints what a query gave.
func (s *streams) hits(source string, res sources.Result) error {
	if s.json {
		if res.Records == nil {
			res.Records = []state.Record{}
		}
		return s.answer(map[string]any{"source": source, "sent": res.Sent, "filters": res.Filters, "total": res.Total, "records": res.Records,
			"skipped": res.Skips, "capped": res.Capped, "notes": res.Notes, "credits": res.Credits, "credits_left": res.CreditsLeft})
	}
	s.hitsHead(s.out, res)
	for i, r := range res.Records {
		fmt.Fprintf(s.out, "\n%3d  %s\n     %s%s\n     %s\n", i+1, text.OneLine(r.Title), names(r.Authors), year(r.Year), place(r))
	}
	return nil
}

// hitsHead prints what a query gave but for the records.
func (s *streams) hitsHead(w io.Writer, res sources.Result) {
	fmt.Fprintf(w, "Sent     %s\n", res.Sent)
	if res.Filters != "" {
		fmt.Fprintf(w, "Filters  %s\n", res.Filters)
	}
	total := "not reported"
	if res.Total >= 0 {
		total = fmt.Sprint(res.Total)
	}
	fmt.Fprintf(w, "Total    %s, %d records here\n", total, len(res.Records))
	if res.Credits > 0 {
		left := ""
		if res.CreditsLeft >= 0 {
			left = fmt.Sprintf(", %d left today", res.CreditsLeft)
		}
		fmt.Fprintf(w, "Credits  %d spent%s\n", res.Credits, left)
	}
	if res.Capped != "" {
		fmt.Fprintf(w, "Cut off  %s\n", res.Capped)
	}
	for _, skip := range res.Skips {
		fmt.Fprintf(w, "Skipped  %d: %s\n", skip.Count, skip.Reason)
	}
	for _, n := range res.Notes {
		fmt.Fprintf(w, "Note     %s\n", n)
	}
}

// writeRecords writes records in a bibliographic format.
func writeRecords(w io.Writer, to biblio.Format, records []state.Record) error {
	entries := make([]biblio.Entry, len(records))
	for i, r := range records {
		entries[i] = biblio.FromRecord(r)
	}
	return biblio.Write(w, to, entries)
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

// library warns about what in a library is not read.
func (s *streams) library(path string) error {
	warnings, err := app.LibraryWarnings(path)
	for _, w := range warnings {
		s.warn("%s", w)
	}
	return err
}

func newSandbox(s *streams) *cobra.Command {
	var addr, library string
	var faults []string
	var pace, models bool
	var script string
	c := &cobra.Command{
		Use:   "sandbox",
		Short: "Serve the literature APIs on loopback over a library",
		Long: `Serves simulations of arXiv, Crossref, Europe PMC, OpenAlex, PubMed and Semantic
Scholar over a library of works, until it is interrupted. Any client of these
services can be pointed at the printed addresses.

--fault SOURCE:KIND[:RATE][,SETTING=VALUE…] makes a service misbehave, to see what a
client does about it. RATE is the share of the requests, from 0 to 1, that meet the
fault. The settings are times (a number in a row, or always), status, retry-after,
wait, drop, path, field.

--models serves simulated models on the wires of Anthropic, Google, Ollama and OpenAI
too: they answer every role of the method in the right form, without any judgement,
or as a script says. The kinds of faults are ` + "\n" + wrapped(app.FaultKinds()) + exitHelp(1, 2, asServer),
		Args: exactly(0, "optimistresearch sandbox"),
		RunE: func(c *cobra.Command, _ []string) error {
			lib := app.Builtin
			if library != "" {
				lib = library
			}
			if err := s.library(lib); err != nil {
				return err
			}
			urls, stop, err := app.Sandbox(lib, addr, faults, pace)
			if err != nil {
				return err
			}
			providers := map[string]string{}
			if models || script != "" {
				bases, stopModels, err := app.SandboxModels("127.0.0.1:0", script)
				if err != nil {
					return errors.Join(err, stop())
				}
				providers = bases
				defer stopModels()
			}
			if s.json {
				all := map[string]string{}
				maps.Copy(all, urls)
				for name, base := range providers {
					all["model "+name] = base
				}
				err = s.answer(all)
			} else {
				fmt.Fprintln(s.out, "# these addresses, as settings for optimistresearch.yaml")
				if len(providers) > 0 {
					fmt.Fprintln(s.out, "provider:")
					for _, name := range state.Keys(providers) {
						fmt.Fprintf(s.out, "  %s: {base: %q, key: sandbox}\n", name, providers[name])
					}
				}
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
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:0", "loopback `HOST:PORT` to listen on; port 0 takes a free one")
	c.Flags().StringVar(&library, "library", "", "serve the library in this `FILE` (JSON Lines) instead of the built-in one")
	c.Flags().BoolVar(&models, "models", false, "serve simulated models too")
	c.Flags().StringVar(&script, "script", "", "let the models answer as the rules in this `FILE` say (JSON Lines); implies --models")
	c.Flags().BoolVar(&pace, "pace", false, "keep the limits of the live services: refuse haste, count credits")
	c.Flags().StringArrayVar(&faults, "fault", nil, "a `FAULT` such as openalex:throttle,times=3,retry-after=30s (repeatable)")
	return c
}

// wrapped sets words into lines of a help text.
func wrapped(words []string) string {
	var lines []string
	line := ""
	for i, w := range words {
		if i < len(words)-1 {
			w += ","
		} else {
			w += "."
		}
		if len(line)+1+len(w) > 84 {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + w)
	}
	return strings.Join(append(lines, line), "\n")
}
