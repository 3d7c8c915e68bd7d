package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"optimistresearch/internal/corpus"
	"optimistresearch/internal/text"
	"optimistresearch/report"
)

func newLog(s *streams) *cobra.Command {
	var kind, service string
	var failed bool
	c := &cobra.Command{
		Use:   "log RUN",
		Short: "List every source and model call of a run",
		Long: `Lists every call of a run, oldest first: when, to whom, what came of it, what it
cost, and whether the answer came from a recording.` + exitHelp(0, 1, 2),
		Example: "  optimistresearch log optimistresearch-runs/RUN --failed",
		Args:    exactly(1, "optimistresearch log optimistresearch-runs/RUN"),
		RunE: func(_ *cobra.Command, args []string) error {
			if kind != "" && kind != "http" && kind != "model" {
				return usage(fmt.Errorf("--kind is %q and must be http or model", kind))
			}
			run, err := corpus.OpenReadOnly(args[0])
			if err != nil {
				return err
			}
			entries, bad, err := run.ReadLog()
			if err != nil {
				return err
			}
			if bad > 0 {
				s.note("%d lines of the call log could not be read", bad)
			}
			var out []corpus.LogEntry
			for _, e := range entries {
				if kind != "" && e.Kind != kind || service != "" && e.Service != service && e.Role != service || failed && (e.Outcome == "ok" || e.Outcome == "not_found") {
					continue
				}
				out = append(out, e)
			}
			if s.json {
				if out == nil {
					out = []corpus.LogEntry{}
				}
				return s.answer(out)
			}
			return printLog(s, out)
		},
	}
	c.Flags().StringVar(&kind, "kind", "", "only calls of this `KIND`: http or model")
	c.Flags().StringVar(&service, "service", "", "only calls of this `SOURCE` or model role")
	c.Flags().BoolVar(&failed, "failed", false, "only calls that failed")
	return c
}

func printLog(s *streams, entries []corpus.LogEntry) error {
	w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "TIME\tKIND\tSERVICE\tWHAT\tOUTCOME\tTRIES\tMS\tCOST")
	for _, e := range entries {
		what, cost := e.Operation, ""
		if e.Role != "" {
			what = e.Role + " " + e.Task
		}
		if t := e.Tokens; t != nil {
			cost = fmt.Sprintf("%d in, %d out", t.Prompt, t.Output)
			if t.Priced {
				cost += fmt.Sprintf(", $%.4f", float64(t.Micros)/1e6)
			} else {
				cost += ", price unknown"
			}
		}
		outcome := e.Outcome
		if e.Recorded {
			outcome += " (recorded)"
		}
		if e.Fallback {
			outcome += " → built-in"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%s\n", e.Time.Format("15:04:05"), e.Kind, e.Service, text.Truncate(what, 50), outcome, e.Attempts, e.ElapsedMS, cost)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing the log: %w", err)
	}
	fmt.Fprintf(s.out, "%d calls\n", len(entries))
	return nil
}

func newWhy(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "why RUN ID",
		Short: "Show the road of a claim, document, query or record back to the raw bytes",
		Long: `Walks backward from something that the report shows to the response it came from:
claim → quote → record → rule that merged it → query as sent → recording. Each
recording is compared with the checksum that was noted when it was received.` + exitHelp(0, 1, 2),
		Example: "  optimistresearch why optimistresearch-runs/RUN doc_0012",
		Args:    exactly(2, "optimistresearch why optimistresearch-runs/RUN doc_0012"),
		RunE: func(_ *cobra.Command, args []string) error {
			run, err := corpus.OpenReadOnly(args[0])
			if err != nil {
				return err
			}
			road, err := report.Why(run.State(), strings.Trim(args[1], "[] "), run.Recorder().Check)
			if err != nil {
				return usage(err)
			}
			if s.json {
				return s.answer(map[string]string{"id": args[1], "road": road})
			}
			fmt.Fprint(s.out, road)
			return nil
		},
	}
}

func newConfig(s *streams) *cobra.Command {
	c := &cobra.Command{
		Use: "config", Short: "Show the settings and where they come from",
		Args: parents, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(&cobra.Command{
		Use:   "show",
		Short: "Print each effective setting and the layer it came from",
		Long: `Prints each effective setting and where it was set: default, settings file with
line, .env, environment, or flag. Keys are masked. Any of them can be set in
optimistresearch.yaml, in the environment (budgets.documents as
OPTIMISTRESEARCH_BUDGETS_DOCUMENTS), or for one command with --set KEY=VALUE.` + exitHelp(0, 1, 2),
		Args: exactly(0, "optimistresearch config show"),
		RunE: func(*cobra.Command, []string) error {
			cfg, err := s.load(nil)
			if err != nil {
				return err
			}
			if s.json {
				return s.answer(cfg.Entries())
			}
			w := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
			for _, e := range cfg.Entries() {
				value := e.Value
				if value == "" {
					value = "(not set)"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\n", e.Key, value, e.Origin)
			}
			return w.Flush()
		},
	})
	return c
}
