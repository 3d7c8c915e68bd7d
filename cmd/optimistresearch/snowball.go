package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/internal/biblio"
	"optimistresearch/state"
)

// snowballFlags are the flags of snowball.
type snowballFlags struct {
	graph, records, library   string
	sandbox                   bool
	question, title, criteria string
	review, oracle            string
	direction, through        string
	rounds, perRound          int
	share                     float64
	out, export               string
}

func newSnowball(s *streams) *cobra.Command {
	var f snowballFlags
	c := &cobra.Command{
		Use:   "snowball SEED…",
		Short: "Chase citations from works that you know",
		Long: `Follows references and citing works from a few seeds, round by round, and writes
every candidate that was screened as round,record_id,kept. A SEED is a DOI, PMID,
PMCID, arXiv, OpenAlex or Semantic Scholar id, or a file with one id a line or with
records (RIS, BibTeX, …). Lists are only asked for works whose identity a source
confirms.

A round takes the best --per-round candidates, by how they hang together with what
was kept (cites it, is cited by it, cites the same works) and by their words, keeps
what the screener keeps, and goes on from there. Works that two or more kept ones
cite are asked who else cites them, whether they were kept or not; --through says
otherwise. The chase ends when two rounds in a row are low-yield (the settings
snowball.low_yield_…), nothing is left, or --rounds are over. Unless
--review or --question says what is looked for, the seeds alone do.

The screener is built in, the model of the role screener if one is set, or the
labels of --oracle. --library chases in a frozen citation library instead of the
services: JSON lines with record_id, title, year, cited_by_count, references.` + exitHelp(0, 1, 2, 5, asQuery),
		Example: `  optimistresearch snowball 10.1145/3586183.3606763 2303.11366 --question "memory of language agents" --out run.csv
  optimistresearch snowball seeds.ris --library graph.jsonl.gz --records records.jsonl.gz --review review.json --out run.csv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("for example: optimistresearch snowball 10.1145/3586183.3606763", "SEED is missing: %s SEED…", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return s.snowball(c, args, f) },
	}
	l := c.Flags()
	l.StringVar(&f.graph, "library", "", "chase in the frozen citation library in this `FILE`")
	l.StringVar(&f.records, "records", "", "a `FILE` with abstracts and identifiers of the works of --library, in any format that import reads")
	l.BoolVar(&f.sandbox, "sandbox", false, "ask the simulated services over the built-in library")
	l.StringVar(&f.library, "sandbox-library", "", "ask the simulated services over the library in this `FILE` (JSON Lines)")
	l.StringVar(&f.question, "question", "", "what is looked for")
	l.StringVar(&f.title, "title", "", "the title of the review")
	l.StringVar(&f.criteria, "criteria", "", "a text `FILE` with criteria, one a line, below the headings Inclusion and Exclusion")
	l.StringVar(&f.review, "review", "", "a JSON `FILE` with title, question, inclusion_criteria, exclusion_criteria")
	l.StringVar(&f.oracle, "oracle", "", "a CSV `FILE` with record_id,label that decides in the screener's place")
	l.StringVar(&f.direction, "direction", "both", "`WAY` to go: backward, forward or both")
	l.StringVar(&f.through, "through", "any", "ask who else cites works cited by: `any` kept work, cocited ones (by two or more) alone, or none")
	l.IntVar(&f.rounds, "rounds", 0, "make at most `N` rounds (default: until saturation)")
	l.IntVar(&f.perRound, "per-round", app.PerRound, "screen at most `N` candidates in a round")
	l.Float64Var(&f.share, "keep", 0, "the `SHARE` of the known works that the built-in screener keeps, best first (default 0.3)")
	l.StringVar(&f.out, "out", "", "write the table to this `FILE` instead of standard output")
	l.StringVar(&f.export, "export", "", "write the records that were kept to this `FILE`; its ending tells the format (.ris, .bib, .csv …)")
	return c
}

func (s *streams) snowball(c *cobra.Command, args []string, f snowballFlags) error {
	o := app.SnowballOptions{Seeds: args, Now: app.Now(), Graph: f.graph, Records: f.records, Rounds: f.rounds, PerRound: f.perRound, Share: f.share, Observe: s.snowballRound, Waiting: s.waitNote}
	if err := f.read(&o); err != nil {
		return err
	}
	to := biblio.Format("")
	var err error
	if f.export != "" {
		if to, err = formatFlag("--export", strings.TrimPrefix(filepath.Ext(f.export), ".")); err != nil {
			return err
		}
	}
	if o.Config, err = s.load(nil); err != nil {
		return err
	}
	if f.graph == "" {
		if err := s.library(o.Library); err != nil {
			return err
		}
	}
	res, err := app.Snowball(c.Context(), o)
	for _, n := range res.Notices {
		s.warn("%s", n)
	}
	for _, u := range res.Unknown {
		s.warn("the seed %s is left out: %s", u.Seed, u.Reason)
	}
	if err != nil {
		return err
	}
	s.snowballEnd(res)
	if f.export != "" {
		if err := s.exportKept(f.export, to, res); err != nil {
			return err
		}
	}
	if s.json && f.out == "" {
		return s.answer(res)
	}
	return writeRows(&streams{out: s.out, err: s.err}, f.out, res.Rows, []string{"round", "record_id", "kept"}, func(r app.SnowballRow) []string {
		return []string{fmt.Sprint(r.Round), r.ID, map[bool]string{true: "1", false: "0"}[r.Kept]}
	})
}

// read checks the flags and turns them into options.
func (f snowballFlags) read(o *app.SnowballOptions) error {
	switch f.direction {
	case "both":
		o.Backward, o.Forward = true, true
	case state.Backward:
		o.Backward = true
	case state.Forward:
		o.Forward = true
	default:
		return misuse("write backward, forward or both", "--direction is %q", f.direction)
	}
	switch f.through {
	case "any":
		o.Through, o.Single = true, true
	case "cocited":
		o.Through = true
	case "none":
	default:
		return misuse("write any, cocited or none", "--through is %q", f.through)
	}
	if o.Through && f.direction != "both" {
		o.Through = false // it goes back and then forward
	}
	switch {
	case f.rounds < 0:
		return misuse("leave it out to go on until saturation", "--rounds is %d", f.rounds)
	case f.perRound < 1:
		return misuse("for example: --per-round 50", "--per-round is %d and must be at least 1", f.perRound)
	case f.share < 0 || f.share > 1:
		return misuse("for example: --keep 0.3", "--keep is %v and must be between 0 and 1", f.share)
	case f.graph == "" && f.records != "":
		return misuse("name it with --library", "--records describes the works of a frozen citation library, and none is named")
	case f.graph != "" && (f.sandbox || f.library != ""):
		return misuse("leave one of them out", "--library takes the place of the services, and --sandbox simulates them")
	}
	if f.library != "" {
		path, err := filepath.Abs(f.library)
		if err != nil {
			return err
		}
		o.Library = path
	} else if f.sandbox {
		o.Library = app.Builtin
	}
	if f.question != "" || f.review != "" || f.title != "" {
		rv, err := reviewOf(screenFlags{question: f.question, title: f.title, criteria: f.criteria, review: f.review})
		if err != nil {
			return err
		}
		o.Review = rv
	} else if f.criteria != "" {
		return misuse("add --question", "--criteria needs a question")
	}
	if f.oracle != "" {
		data, err := os.ReadFile(f.oracle)
		if err != nil {
			return misuse("name a file that exists and can be read", "--oracle: %v", err)
		}
		if o.Included, err = app.ReadLabels(data, f.oracle); err != nil {
			return err
		}
	}
	return nil
}

// snowballRound tells of a round that is over.
func (s *streams) snowballRound(r app.SnowballRound) {
	if s.json {
		s.line(map[string]any{"event": "round", "round": r})
		return
	}
	low := ""
	if r.LowYield {
		low = ", low-yield"
	}
	fmt.Fprintf(s.err, "round %d: %s expanded, %d asked who else cites them, %s known; %d screened, %d kept (%.0f %%)%s\n",
		r.Number, many(r.Expanded, "work"), r.Followed, many(r.Known, "candidate"), r.Screened, r.Kept, 100*float64(r.Kept)/float64(max(r.Screened, 1)), low)
}

// snowballEnd tells what became of the seeds and why the chase ended.
func (s *streams) snowballEnd(res app.Snowballed) {
	for _, seed := range res.Seeds {
		if seed.NoList {
			s.warn("the seed %s (%s) counts for nothing: no source has a list of what it cites or what cites it%s", seed.ID, seed.Title, otherwise(seed.Outcomes))
		}
	}
	if res.FailureCount > 0 {
		s.warn("%d lists could not be had; the first: %s", res.FailureCount, res.Failures[0].Reason)
	}
	if s.json {
		return
	}
	kept := 0
	for _, r := range res.Rows {
		if r.Kept {
			kept++
		}
	}
	fmt.Fprintf(s.err, "%d screened, %d kept; %s\n", len(res.Rows), kept, res.Stop)
}

// otherwise names the outcomes of a seed's lists that are not "no list".
func otherwise(outcomes map[string]string) string {
	var parts []string
	for _, k := range state.Keys(outcomes) {
		if v := outcomes[k]; v != string(state.NoList) {
			parts = append(parts, k+" "+strings.ReplaceAll(v, "_", " "))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// exportKept writes the kept records.
func (s *streams) exportKept(name string, to biblio.Format, res app.Snowballed) error {
	w, done, err := s.output(name)
	if err != nil {
		return err
	}
	var records []state.Record
	for _, r := range res.Rows {
		if r.Kept {
			records = append(records, r.Record)
		}
	}
	err = writeRecords(w, to, records)
	return errors.Join(err, done(err == nil))
}
