package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/screening"
)

func newBenchScreen(s *streams) *cobra.Command {
	var label, write string
	c := &cobra.Command{
		Use:   "screen DIR",
		Short: "Measure screening on labelled reviews",
		Long: `Ranks the records of every review below DIR (a folder each, with records.jsonl.gz
and review.json) by the built-in method, without a label and with the feedback of
a person who decides as the labels do, and prints the measures, what each part of
the method is worth, and where the advice to stop would have ended the reading.

No model and no network is used. With --write the tables go into a section of a
Markdown file.` + exitHelp(0, 1, 2, 130),
		Example: "  optimistresearch bench screen data/screening --write doc/evaluation.md",
		Args:    exactly(1, "optimistresearch bench screen data/screening"),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := s.load(nil)
			if err != nil {
				return err
			}
			b, err := app.BenchScreen(c.Context(), args[0], label, cfg.Runtime.Parallel, func(review string) { s.note("%s is measured", review) })
			if err != nil {
				return err
			}
			table := screenTable(b)
			if write != "" {
				if err := writeSection(write, "bench screen", table); err != nil {
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
	c.Flags().StringVar(&label, "label", "label_included", "the `FIELD` of a record that is 1 if it was included")
	c.Flags().StringVar(&write, "write", "", "put the tables into their section of this Markdown `FILE`")
	return c
}

// screenTable words a measurement as Markdown.
func screenTable(b app.ScreenBench) string {
	var w strings.Builder
	records := 0
	for _, r := range b.Reviews {
		records += r.Rank.Records
	}
	fmt.Fprintf(&w, `## Screening

Written by `+"`optimistresearch bench screen DIR --write doc/evaluation.md`"+` on %d reviews with %d records, label %s.
No model and no network. One set of constants for all reviews; no label is read but to measure and, with feedback, as
the decision on the record that was just read.

WSS@95 is the work saved over sampling at 95 %% recall (Cohen et al. 2006), TNR@95 the share of the excluded records
that need not be read for it, recall@10 %% the share of the included records among the first tenth, AP average precision.

`, len(b.Reviews), records, b.Label)
	fmt.Fprintf(&w, "### By review\n\n| review | records | included | without a label: WSS@95 | TNR@95 | recall@10 %% | AP | with feedback: WSS@95 | TNR@95 | recall@10 %% | AP |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	var rank, loop []screening.Measures
	for _, r := range b.Reviews {
		rank, loop = append(rank, r.Rank), append(loop, r.Loop)
		fmt.Fprintf(&w, "| %s | %d | %d | %s | %s |\n", r.ID, r.Rank.Records, r.Rank.Included, four(r.Rank), four(r.Loop))
	}
	fmt.Fprintf(&w, "| **macro mean** | | | %s | %s |\n\n", four(screening.Mean(rank)), four(screening.Mean(loop)))

	variants := func(title, about string, list []app.BenchedVariant) {
		fmt.Fprintf(&w, "### %s\n\n%s\n\n| variant | WSS@95 | WSS@100 | TNR@95 | recall@10 %% | recall@20 %% | AP |\n|---|---:|---:|---:|---:|---:|---:|\n", title, about)
		for _, v := range list {
			m := v.Mean
			fmt.Fprintf(&w, "| %s | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |\n", v.Name, m.WSS95, m.WSS100, m.TNR95, m.Recall10, m.Recall20, m.AP)
		}
		w.WriteString("\n")
	}
	variants("What each part is worth: the order without a label", "Macro means over the reviews.", b.Rank)
	variants("What each part is worth: the order with feedback", "The order is learned anew after every record; macro means over the reviews.", b.Loop)

	fmt.Fprintf(&w, `### When to stop

Share of the records read, and of the included ones found, when the advice came first. "enough" is given when the
decisions speak against more than 5 %% being left, with 95 %% confidence; "probably" when the likely number says so and
nothing was found for a while. 1.00 / 1.00: the advice never came. At %.1f %% of the checkpoints (one for each hundredth
read, from the first estimate on) no more was left than the upper bound allows for.

| review | probably: read | found | enough: read | found |
|---|---:|---:|---:|---:|
`, 100*b.Covered)
	var p, e app.Stopped
	for _, r := range b.Reviews {
		n := float64(len(b.Reviews))
		p.Read, p.Recall = p.Read+r.Probably.Read/n, p.Recall+r.Probably.Recall/n
		e.Read, e.Recall = e.Read+r.Enough.Read/n, e.Recall+r.Enough.Recall/n
		fmt.Fprintf(&w, "| %s | %.2f | %.2f | %.2f | %.2f |\n", r.ID, r.Probably.Read, r.Probably.Recall, r.Enough.Read, r.Enough.Recall)
	}
	fmt.Fprintf(&w, "| **macro mean** | %.2f | %.2f | %.2f | %.2f |\n\n", p.Read, p.Recall, e.Read, e.Recall)
	fmt.Fprintf(&w, "### Speed\n\nAll %d records as one review: %s to index and rank them, then %s for each decision (the slowest %s) until the next record is chosen from the new order.\n",
		b.Speed.Records, b.Speed.Index.Round(100*time.Millisecond), b.Speed.Mean.Round(100*time.Microsecond), b.Speed.Slowest.Round(100*time.Microsecond))
	return w.String()
}

func four(m screening.Measures) string {
	return fmt.Sprintf("%.3f | %.3f | %.3f | %.3f", m.WSS95, m.TNR95, m.Recall10, m.AP)
}
