package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
)

func newBenchSearch(s *streams) *cobra.Command {
	var write string
	c := &cobra.Command{
		Use:   "search DIR",
		Short: "Measure the built-in search on queries with gold papers",
		Long: `Searches the papers of every set of queries below DIR (a folder each, with
queries.jsonl.gz and docs.jsonl.gz, or gold papers by title in title_pool) with the
built-in method, and prints recall and nDCG, what each part of the method is worth,
and what the reading queue is worth when subquestions take turns.

No model and no network is used. With --write the tables go into a section of a
Markdown file, and a chart beside it.` + exitHelp(0, 1, 2, 130),
		Example: "  optimistresearch bench search data/search --write doc/evaluation.md",
		Args:    exactly(1, "optimistresearch bench search data/search"),
		RunE: func(c *cobra.Command, args []string) error {
			cfg, err := s.load(nil)
			if err != nil {
				return err
			}
			b, err := app.BenchSearch(c.Context(), cfg, args[0], func(set string) { s.note("%s is measured", set) })
			if err != nil {
				return err
			}
			table := searchTable(b)
			if write != "" {
				if err := writeChart(write, "search", searchChart(b), &table); err != nil {
					return err
				}
				if err := writeSection(write, "bench search", table); err != nil {
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
	c.Flags().StringVar(&write, "write", "", "put the tables into their section of this Markdown `FILE`, and a chart beside it")
	return c
}

// searchTable words a measurement as Markdown.
func searchTable(b app.SearchBench) string {
	var w strings.Builder
	w.WriteString(`## Search

Written by ` + "`optimistresearch bench search DIR --write doc/evaluation.md`" + `. No model and no network: the built-in
search over the papers of each set, one configuration for all. Means over the queries; a gold paper that is not among
the papers counts as missed.
`)
	for _, s := range b.Sets {
		fmt.Fprintf(&w, "\n### %s: %d queries over %d papers\n\n| variant | recall@5 | recall@20 | recall@50 | recall@100 | nDCG@10 | MAP |\n|---|---:|---:|---:|---:|---:|---:|\n", s.Name, s.Queries, s.Papers)
		for _, r := range s.Results {
			fmt.Fprintf(&w, "| %s | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f |\n", r.Name, r.Recall5, r.Recall20, r.Recall50, r.Recall100, r.NDCG10, r.MAP)
		}
	}
	if len(b.Allocation) > 0 {
		w.WriteString(`
### What the allocation is worth

All queries of the first set with papers of its own, as the subquestions of one review, its papers screened by the
built-in method. Served are the subquestions for which a gold paper is read; the worse served half has the lowest
shares of gold papers read.

| the queue is filled by | documents read | subquestions served | gold papers read | of the worse served half | documents that are gold |
|---|---:|---:|---:|---:|---:|
`)
		for _, v := range b.Allocation {
			fmt.Fprintf(&w, "| %s | %d | %.3f | %.3f | %.3f | %.3f |\n", v.Name, v.Budget, v.Served, v.Gold, v.Least, v.Right)
		}
	}
	return w.String()
}

// searchChart draws recall against the number of hits looked at.
func searchChart(b app.SearchBench) string {
	c := bars{title: "nDCG@10 by set and way to search"}
	for _, s := range b.Sets {
		c.groups = append(c.groups, s.Name)
	}
	for i := range b.Sets[0].Results {
		x := bar{name: b.Sets[0].Results[i].Name}
		for _, s := range b.Sets {
			x.values = append(x.values, s.Results[i].NDCG10)
		}
		c.bars = append(c.bars, x)
	}
	return c.svg()
}
