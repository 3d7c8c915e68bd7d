package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/flow"
	"optimistresearch/internal/advice"
	"optimistresearch/report"
	"optimistresearch/state"
)

// summary is what a person or a script learns when a run has ended.
type summary struct {
	Run           string         `json:"run"`
	Report        string         `json:"report"`
	Demonstration string         `json:"demonstration,omitempty"`
	Library       string         `json:"library,omitempty"`    // a file of the user's own, searched in a simulation
	Unanswered    string         `json:"unanswered,omitempty"` // a large part of the searches failed
	Sources       []sourceLine   `json:"sources"`
	Imports       []importLine   `json:"imports,omitempty"`
	Iterations    int            `json:"iterations"`
	Records       int            `json:"records"`
	Documents     int            `json:"documents"`
	Merged        int            `json:"merged"` // records that joined an existing document
	Relevant      int            `json:"relevant"`
	Unscreened    int            `json:"unscreened"`      // documents and records without a verdict on relevance
	Rounds        map[string]int `json:"snowball_rounds"` // by direction
	Read          int            `json:"read"`
	Claims        int            `json:"claims"`
	Admitted      int            `json:"admitted"`
	Edits         int            `json:"edits_applied"`
	Degradations  int            `json:"degradations"`
	Stop          string         `json:"stop"`
	StopReason    string         `json:"stop_reason"`
	Exit          int            `json:"exit"`
	Identical     *bool          `json:"identical,omitempty"`
	Next          string         `json:"next"`
}

type sourceLine struct {
	Source  string         `json:"source"`
	Queries map[string]int `json:"queries"` // by outcome
	Hits    int            `json:"hits"`
}

type importLine struct {
	File    string `json:"file"`
	Records int    `json:"records"`
	Skipped int    `json:"skipped"`
}

func summarise(res app.Result) summary {
	s := res.State
	sum := summary{
		Run: res.Dir, Report: filepath.Join(res.Dir, "report.md"), Records: len(s.Records), Documents: len(s.Documents),
		Merged: len(s.Links) - len(s.Documents), Claims: len(s.Evidence), Admitted: len(s.Admitted("")), Read: s.Spent().Documents,
		Rounds: map[string]int{}, Stop: report.StopText(res.Stop), StopReason: res.Stop.Reason, Exit: res.Stop.Exit, Degradations: len(s.Degradations), Identical: res.Same,
	}
	if s.Question != nil {
		sum.Demonstration, sum.Library = s.Question.Demonstration, s.Question.Library
	}
	sum.Unanswered = report.Unanswered(s)
	records := report.PRISMA(s)
	for _, c := range []report.Column{records.Search, records.Chasing} {
		sum.Unscreened += c.Unlinked + c.Unscored + c.Unscreened
	}
	bySource := map[string]*sourceLine{}
	for _, id := range state.SortedIDs(s.Calls) {
		c := s.Calls[id]
		if c.Operation == "import" {
			l := importLine{File: c.Source, Records: c.Records}
			for _, skip := range c.Skipped {
				l.Skipped += skip.Count
			}
			sum.Imports = append(sum.Imports, l)
		}
		if c.Operation != "search" {
			continue
		}
		l := bySource[c.Source]
		if l == nil {
			l = &sourceLine{Source: c.Source, Queries: map[string]int{}}
			bySource[c.Source] = l
		}
		l.Queries[string(c.Outcome)]++
		l.Hits += c.Records
	}
	for _, name := range state.Keys(bySource) {
		sum.Sources = append(sum.Sources, *bySource[name])
	}
	for _, d := range s.Documents {
		if s.Relevant(d) {
			sum.Relevant++
		}
	}
	for _, e := range s.Expanded {
		sum.Rounds[e.Direction]++
	}
	for _, d := range s.Done {
		if d.Node == flow.Decide {
			sum.Iterations++
		}
	}
	for _, a := range s.Applied {
		if a.Applied {
			sum.Edits++
		}
	}
	for _, id := range state.Keys(s.Reviews) {
		if s.Reviews[id].Admitted {
			sum.Next = fmt.Sprintf("optimistresearch why %s %s", advice.Arg(res.Dir), id)
			break
		}
	}
	return sum
}

func (m summary) print(w io.Writer) {
	fmt.Fprintf(w, "Report   %s\n", m.Report)
	fmt.Fprintf(w, "Corpus   %s\n", filepath.Join(m.Run, "README.md"))
	if m.Demonstration != "" {
		fmt.Fprintf(w, "Library  %s: bibliographic facts of real works, texts are synopses; not a search of the live services\n", m.Demonstration)
	}
	if m.Library != "" {
		fmt.Fprintf(w, "Library  %s, a file of your own, searched in a simulation; not a search of the live services\n", m.Library)
	}
	if m.Unanswered != "" {
		fmt.Fprintf(w, "CAUTION  %s\n", m.Unanswered)
	}
	fmt.Fprintln(w)
	for _, s := range m.Sources {
		var parts []string
		n := 0
		for _, o := range state.Keys(s.Queries) {
			n += s.Queries[o]
			parts = append(parts, fmt.Sprintf("%d %s", s.Queries[o], strings.ReplaceAll(o, "_", " ")))
		}
		fmt.Fprintf(w, "%-16s %3d %s (%s), %s\n", s.Source, n, strings.TrimLeft(many(n, "query"), "0123456789 "), strings.Join(parts, ", "), many(s.Hits, "record"))
	}
	for _, f := range m.Imports {
		fmt.Fprintf(w, "%-16s imported, %s", f.File, many(f.Records, "record"))
		if f.Skipped > 0 {
			fmt.Fprintf(w, ", %d skipped", f.Skipped)
		}
		fmt.Fprintln(w)
	}
	open := ""
	if m.Unscreened > 0 {
		open = fmt.Sprintf(", %d not screened", m.Unscreened)
	}
	fmt.Fprintf(w, "\n%s → %s (%d merged into another), %d relevant%s\n", many(m.Records, "record"), many(m.Documents, "document"), m.Merged, m.Relevant, open)
	fmt.Fprintf(w, "%s chased backward, %d forward\n", many(m.Rounds[state.Backward], "citation list"), m.Rounds[state.Forward])
	fmt.Fprintf(w, "%s read, %s, %d admitted\n", many(m.Read, "document"), many(m.Claims, "claim"), m.Admitted)
	fmt.Fprintf(w, "%s, %s applied, %s\n", many(m.Iterations, "iteration"), many(m.Edits, "plan edit"), many(m.Degradations, "degradation"))
	fmt.Fprintf(w, "Stopped: %s\n", m.Stop)
	if m.Identical != nil {
		if *m.Identical {
			fmt.Fprintln(w, "Replay: the state is byte-identical to the run's")
		} else {
			fmt.Fprintln(w, "Replay: the state DIFFERS from the run's")
		}
	}
	if m.Next != "" {
		fmt.Fprintf(w, "\nFollow one claim to its source:  %s\n", m.Next)
	}
}
