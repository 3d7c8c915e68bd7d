// Package write writes the findings sections of the report. One task is one
// section, and it sees that section's admitted evidence only.
//
// The package must never cite: the ids in its text are filtered by report
// against the registry. Start with New.
package write

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"optimistresearch/internal/llm"
	"optimistresearch/state"
	"optimistresearch/steps"
)

//go:embed prompts
var prompts embed.FS

// Writer writes sections.
type Writer struct{ models steps.Models }

// New makes a writer.
func New(models steps.Models) *Writer { return &Writer{models: models} }

type answer struct {
	Text string `json:"text"`
}

// Run is the node "write". Its argument is the section's id.
func (x *Writer) Run(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	id, err := steps.Arg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	var sec state.OutlineSection
	if s.Synthesis != nil {
		for _, o := range s.Synthesis.Outline {
			if o.ID == id {
				sec = o
			}
		}
	}
	if sec.ID == "" {
		return state.State{}, fmt.Errorf("section %s is not in the outline", id)
	}
	var items []state.Evidence
	for _, e := range s.Admitted("") {
		if slices.Contains(sec.Evidence, e.ID) {
			items = append(items, e)
		}
	}
	if len(items) == 0 {
		// Its evidence was withdrawn: nobody may write from nothing.
		return state.State{Sections: map[string]state.Section{id: {Revision: t.Iteration, ID: id, Title: sec.Title, By: "rule"}}}, nil
	}
	system, version, err := steps.Prompt(prompts, "writer")
	if err != nil {
		return state.State{}, err
	}
	var trail steps.Trail
	a, by, err := steps.Ask(ctx, x.models, t, &trail, steps.Job[answer]{
		Role: llm.Writer,
		Prompt: llm.Prompt{Name: "writer", Version: version, System: system,
			Input: llm.Fence("title", sec.Title) + "\n" + llm.Fence("purpose", sec.Purpose) + "\n\nEvidence:\n" + list(s, items)},
		Builtin: func() answer { return answer{builtin(s, sec, items)} },
		Check: func(a answer) error {
			switch {
			case strings.TrimSpace(a.Text) == "":
				return fmt.Errorf("the section is empty")
			case !steps.Cites(a.Text, items):
				return fmt.Errorf("the section cites none of the %d documents that it was given", len(steps.Documents(items)))
			}
			return nil
		},
		Subject: id,
	})
	if err != nil {
		return state.State{}, err
	}
	part := state.State{Sections: map[string]state.Section{id: {Revision: t.Iteration, ID: id, Title: sec.Title, Text: strings.TrimSpace(a.Text), By: by}}}
	trail.Into(&part, t)
	return part, nil
}

func list(s *state.State, items []state.Evidence) string {
	var b strings.Builder
	for _, e := range items {
		fmt.Fprintf(&b, "%s, %s, strength %.2f: %s\n", e.Document, e.Type, e.Strength, llm.Fence("claim", e.Claim+"\nby "+steps.Authors(s.Documents[e.Document])))
	}
	return b.String()
}
