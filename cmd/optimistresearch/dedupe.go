package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/internal/advice"
	"optimistresearch/internal/biblio"
)

func newDedupe(s *streams) *cobra.Command {
	var o app.DedupeOptions
	var format, from, policy string
	c := &cobra.Command{
		Use:   "dedupe FILE… --out DIR",
		Short: "Find the records that describe one work, and say why",
		Long: `Reads the files of reference managers and databases, finds the records that describe
one work, and writes into DIR: the unique records (of every field the best value),
clusters.csv (which record belongs to which work), links.csv (why), uncertain.csv
(pairs that a person should look at) and summary.json. No record is joined to
another on a guess: what is not sure stays apart and is listed.

Pairs are decided with "dedupe review DIR"; decisions are kept in DIR and hold when
the files are read again.

--policy says what counts as one work:
  versions   a preprint and its publication; copies of one publication (the default)
  works      also a conference and its journal version, the updates of a Cochrane
             review, an article and its erratum
  strict     copies of one publication alone` + exitHelp(0, 1, 2, 130),
		Example: "  optimistresearch dedupe scopus.csv pubmed.nbib embase.ris --out unique\n  optimistresearch dedupe review unique",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("for example: optimistresearch dedupe export.ris --out unique", "FILE is missing: %s FILE… --out DIR", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if o.Out == "" {
				return misuse("for example: --out unique", "--out is missing: the folder to write to")
			}
			var err error
			if format != "" {
				if o.Format, err = formatFlag("--format", format); err != nil {
					return err
				}
			}
			if from != "" {
				if o.From, err = formatFlag("--from", from); err != nil {
					return err
				}
			}
			if o.Policy, err = app.DedupePolicy(policy); err != nil {
				return misuse("use versions, works or strict", "%v", err)
			}
			o.Files, o.In = args, s.in
			res, err := app.Dedupe(o)
			if err != nil {
				return err
			}
			for _, sum := range res.Files {
				s.summarise(sum)
			}
			return s.deduped(res)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Out, "out", "", "write to this `DIR`: a new one, or that of an earlier dedupe")
	f.StringVar(&o.Clusters, "clusters", "", "write clusters.csv to this `FILE` too")
	f.StringVar(&policy, "policy", "versions", "what counts as one work: `POLICY` is versions, works or strict")
	f.StringVar(&format, "format", "", "write the unique records in this `FORMAT` (that of the first file by default): "+formatNames(biblio.Writable()))
	f.StringVar(&from, "from", "", "read every file in this `FORMAT`, whatever it looks like")
	f.StringArrayVar(&o.Decisions, "decisions", nil, "keep to the decisions in this `FILE`, the decisions.jsonl of another result (repeatable)")
	c.AddCommand(newDedupeReview(s))
	return c
}

// deduped prints what dedupe did.
func (s *streams) deduped(res app.DedupeResult) error {
	if s.json {
		return s.answer(res)
	}
	w := s.out
	fmt.Fprintf(w, "%s → %s; %s removed (policy: %s)\n", many(res.Records, "record"), many(res.Works, "work"), many(res.Removed, "duplicate"), res.Policy)
	if len(res.Sources) > 0 {
		fmt.Fprintf(w, "\n%-32s %8s %11s\n", "Source", "Records", "Duplicates")
		for _, c := range res.Sources {
			fmt.Fprintf(w, "%-32s %8d %11d\n", c.Source, c.Records, c.Duplicates)
		}
	}
	ruleTable(w, "Joined by", res.Rules)
	ruleTable(w, "Left for a person", res.Doubts)
	if res.Decided > 0 {
		fmt.Fprintf(w, "\nKept to %s of a person\n", many(res.Decided, "decision"))
	}
	fmt.Fprintf(w, "\nUnique records   %s\nWhy joined       %s\n", filepath.Join(res.Out, res.Unique), filepath.Join(res.Out, app.DedupeLinks))
	if res.Uncertain > 0 {
		fmt.Fprintf(w, "Decide %s:  optimistresearch dedupe review %s\n", many(res.Uncertain, "pair"), advice.Arg(res.Out))
	}
	return nil
}

func ruleTable(w io.Writer, title string, rules []app.RuleCount) {
	if len(rules) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	for _, r := range rules {
		fmt.Fprintf(w, "  %6d  %-22s %s\n", r.Count, strings.ReplaceAll(r.Rule, "_", " "), r.Reason)
	}
}
