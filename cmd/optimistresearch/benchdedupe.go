package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
)

func newBenchDedupe(s *streams) *cobra.Command {
	var policy, write string
	c := &cobra.Command{
		Use:   "dedupe DIR",
		Short: "Measure de-duplication on labelled sets",
		Long: `De-duplicates the records of every set below DIR (a folder each, with
records.jsonl.gz and gold.csv or pairs.csv), by automatic decisions alone and with
one configuration, and prints how many works were lost, how many pairs were found,
wrong and missed, and what it cost. With --write the table goes into a section of a
Markdown file.` + exitHelp(0, 1, 2, 130),
		Example: "  optimistresearch bench dedupe data/dedup --write doc/evaluation.md",
		Args:    exactly(1, "optimistresearch bench dedupe data/dedup"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := app.DedupePolicy(policy)
			if err != nil {
				return misuse("use versions, works or strict", "%v", err)
			}
			scores, err := app.BenchDedupe(c.Context(), args[0], p, func(set string) { s.note("%s is measured", set) })
			if err != nil {
				return err
			}
			table := dedupeTable(scores, policy)
			if write != "" {
				if err := writeSection(write, "bench dedupe", table); err != nil {
					return err
				}
			}
			if s.json {
				return s.answer(scores)
			}
			fmt.Fprint(s.out, table)
			return nil
		},
	}
	c.Flags().StringVar(&policy, "policy", "versions", "what counts as one work: `POLICY` is versions, works or strict")
	c.Flags().StringVar(&write, "write", "", "write the table into this Markdown `FILE`")
	return c
}

func dedupeTable(scores []app.DedupeScore, policy string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## De-duplication, by the command\n\nWritten by `optimistresearch bench dedupe`: automatic decisions, policy `%s`, one configuration for all sets. Lost: works that no record is left of. Left: copies that were not recognised. CPU: reading and comparing.\n\n", policy)
	b.WriteString("| Set | Records | Works lost | Copies left | Pair precision | Pair recall | Pairs wrong | Pairs missed | For a person | CPU s |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, x := range scores {
		lost, left := fmt.Sprint(x.Lost), fmt.Sprint(x.Left)
		if x.Lost < 0 {
			lost, left = "–", "–"
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %.4f | %.4f | %d | %d | %d | %.2f |\n", x.Set, x.Records, lost, left, x.Precision, x.Recall, x.False, x.Missed, x.Uncertain, x.CPU)
	}
	return b.String()
}
