package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/internal/atomicfile"
)

func newBenchSnowball(s *streams) *cobra.Command {
	var records, label, write string
	c := &cobra.Command{
		Use:   "snowball DIR",
		Short: "Measure citation chasing on labelled reviews",
		Long: `Chases citations in the citation graph of every review below DIR (a folder each, with
graph.jsonl.gz and review.json), from each of its seed sets, once with a screener
that decides as the labels do and once with the built-in one, and prints recall and
cost, what each part of the chase is worth, and what each term of the rank score is.
Abstracts and criteria come from the folder of the same name below --records.

No model and no network is used. With --write the tables go into a section of a
Markdown file, and a chart beside it.` + exitHelp(0, 1, 2, 130),
		Example: "  optimistresearch bench snowball data/snowball --write doc/evaluation.md",
		Args:    exactly(1, "optimistresearch bench snowball data/snowball"),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := s.load(nil)
			if err != nil {
				return err
			}
			if records == "" {
				records = filepath.Join(args[0], "..", "screening")
			}
			b, err := app.BenchSnowball(c.Context(), cfg, args[0], records, label, func(review string) { s.note("%s is measured", review) })
			if err != nil {
				return err
			}
			table := snowballTable(b)
			if write != "" {
				if err := writeChart(write, "snowball", snowballChart(b), &table); err != nil {
					return err
				}
				if err := writeSection(write, "bench snowball", table); err != nil {
					return err
				}
			}
			if s.json {
				return s.answer(b)
			}
			_, err = fmt.Fprint(s.out, table)
			return err
		},
	}
	c.Flags().StringVar(&records, "records", "", "the `DIR` of abstracts and criteria (default: screening, beside DIR)")
	c.Flags().StringVar(&label, "label", "label_included", "the `FIELD` of a record that is 1 if it was included")
	c.Flags().StringVar(&write, "write", "", "put the tables into their section of this Markdown `FILE`, and a chart beside it")
	return c
}

// writeChart writes a chart beside a file of figures and shows it at the end of
// the table.
func writeChart(file, name, svg string, table *string) error {
	base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + "-" + name + ".svg"
	*table = strings.TrimRight(*table, "\n") + fmt.Sprintf("\n\n![%s](%s)\n", name, base)
	return atomicfile.Write(filepath.Join(filepath.Dir(file), base), []byte(svg), 0o644)
}

// snowballTable words a measurement as Markdown.
func snowballTable(b app.SnowballBench) string {
	var w strings.Builder
	records := 0
	for _, r := range b.Reviews {
		records += r.Records
	}
	fmt.Fprintf(&w, `## Snowballing

Written by `+"`optimistresearch bench snowball DIR --write doc/evaluation.md`"+` on %d reviews with %d records, label %s; means
over the seed sets of each review, then over the reviews. No model and no network. One configuration for all; labels
decide where the oracle screens and measure elsewhere.

Recall is the share of the included records that are not seeds among what was screened, precision that of what was
screened, the share screened is of all records of the review. Of what the built-in screener kept, recall and precision
are given too.

What limits it: only links that the graphs have can be followed, and 10 to 40 %% of the records have no references there;
in Menon_2022 the included studies hardly cite each other, so that all depends on what they cite together. The share that
the built-in screener keeps (0.3 of what is known) and the weight of links against words (0.5) were chosen on these reviews,
from three and five values; 50 in a round is the middle of the three below. Both directions without works in between end
where the included studies do not cite each other; works that a single kept one cites lead further, at more cost.

### By review

| review | records | included | oracle: recall | share screened | precision | rounds | built in: recall | share screened | rounds | recall of kept | precision of kept |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`, len(b.Reviews), records, b.Label)
	for _, r := range b.Reviews {
		fmt.Fprintf(&w, "| %s | %d | %d | %s |\n", r.ID, r.Records, r.Included, chasedRow(r.Oracle, r.Words))
	}
	if len(b.Variants) > 0 {
		fmt.Fprintf(&w, "| **macro mean** | | | %s |\n", chasedRow(b.Variants[0].Oracle, b.Variants[0].Words))
	}
	w.WriteString(`
### What each part is worth: the chase

| variant | oracle: recall | share screened | precision | rounds | built in: recall | share screened | rounds | recall of kept | precision of kept |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`)
	for _, v := range b.Variants {
		fmt.Fprintf(&w, "| %s | %s |\n", v.Name, chasedRow(v.Oracle, v.Words))
	}
	w.WriteString(`
### What each part is worth: the terms of the rank score

All records of each review in the order of the rank score (relevance as the built-in screening scores it), the year being
that of the newest record. Corroboration cannot be measured here: each record comes from one source.

| variant | average precision | precision of the first 40 | recall of the first 40 |
|---|---:|---:|---:|
`)
	for _, v := range b.Ranking {
		fmt.Fprintf(&w, "| %s | %.3f | %.3f | %.3f |\n", v.Name, v.AP, v.First40, v.Recall)
	}
	return w.String()
}

func chasedRow(o, b app.Chased) string {
	return fmt.Sprintf("%.3f | %.3f | %.3f | %.1f | %.3f | %.3f | %.1f | %.3f | %.3f",
		o.Recall, o.Share, o.Precision, o.Rounds, b.Recall, b.Share, b.Rounds, b.KeptRecall, b.KeptPrecision)
}

// snowballChart draws recall against the share screened, with the oracle.
func snowballChart(b app.SnowballBench) string {
	c := chart{title: "Recall against the share of records screened, oracle screener", x: "share of the records screened", y: "recall of the included records"}
	for i, v := range b.Variants {
		if i <= 5 && v.Name != "no snowballing" {
			c.lines = append(c.lines, curve{v.Name, v.Oracle.Curve})
		}
	}
	return c.svg()
}
