// Package synth turns admitted evidence into answers, and the answers into the
// narrative and the outline of the report.
//
// The package must never use evidence that was not admitted, and never cite a
// document that did not give any. Start with New.
package synth

import (
	"context"
	"embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/text"
	"optimistresearch/state"
	"optimistresearch/steps"
)

//go:embed prompts
var prompts embed.FS

// Synthesizer writes answers and the synthesis.
type Synthesizer struct{ models steps.Models }

// New makes a synthesizer.
func New(models steps.Models) *Synthesizer { return &Synthesizer{models: models} }

type answer struct {
	Answer   string   `json:"answer"`
	Gaps     []string `json:"gaps" jsonschema:"maxItems=10"`
	Coverage float64  `json:"coverage" jsonschema:"minimum=0,maximum=1"`
}

// Answer is the node "answer". Its argument is the subquestion's id.
func (x *Synthesizer) Answer(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	id, err := steps.Arg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	q, ok := s.Subquestions[id]
	if !ok {
		return state.State{}, fmt.Errorf("subquestion %s is not in the plan", id)
	}
	items := s.Admitted(id)
	out := state.Answer{Revision: t.Iteration, Subquestion: id, By: "rule"}
	for _, e := range items {
		out.Evidence = append(out.Evidence, e.ID)
	}
	part := state.State{Answers: map[string]state.Answer{}, Subquestions: map[string]state.Subquestion{}}
	if len(items) == 0 {
		out.NotEnough = true
		out.Gaps = []string{"No admitted evidence answers this subquestion."}
		part.Answers[id] = out
		return part, nil
	}
	if old, ok := s.Answers[id]; ok && slices.Equal(old.Evidence, out.Evidence) && old.Text != "" && !rephrased(s, id, old.Revision) {
		old.Revision = t.Iteration // nothing new: the answer stands
		part.Answers[id] = old
		return part, nil
	}
	system, version, err := steps.Prompt(prompts, "answer")
	if err != nil {
		return state.State{}, err
	}
	var trail steps.Trail
	a, by, err := steps.Ask(ctx, x.models, t, &trail, steps.Job[answer]{
		Role: llm.Synthesizer,
		Prompt: llm.Prompt{Name: "answer", Version: version, System: system,
			Input: llm.Fence("question", s.Question.Text) + "\n" + llm.Fence(id, q.Text) + "\n\nEvidence:\n" + listEvidence(s, items)},
		Builtin: func() answer { return builtinAnswer(s, q, items) },
		Check: func(a answer) error {
			switch {
			case strings.TrimSpace(a.Answer) == "":
				return fmt.Errorf("the answer is empty although there is evidence")
			case !steps.Cites(a.Answer, items):
				return fmt.Errorf("the answer cites none of the %d documents that it was given", len(steps.Documents(items)))
			}
			return nil
		},
		Subject: id,
	})
	if err != nil {
		return state.State{}, err
	}
	out.By, out.Text, out.Coverage = by, strings.TrimSpace(a.Answer), state.Clamp(a.Coverage)
	// A few claims cannot cover a subquestion, whatever a model says.
	out.Coverage = min(out.Coverage, Ceiling(s, items))
	for _, g := range a.Gaps {
		if g = text.Truncate(text.OneLine(g), 400); g != "" {
			out.Gaps = append(out.Gaps, g)
		}
	}
	part.Answers[id] = out
	trail.Into(&part, t)
	return part, nil
}

// rephrased tells whether a subquestion asks something else than it did when
// its answer of an iteration was given.
func rephrased(s *state.State, id string, iteration int) bool {
	for _, a := range s.Applied {
		if a.Applied && a.Edit.Op == state.EditRephrase && a.Edit.Target == id && a.Iteration >= iteration {
			return true
		}
	}
	return false
}

// Ceiling bounds a coverage by what it rests on: it grows with distinct
// documents, 1 − 2^(−n/3), and is scaled by mean strength over the strength
// that an abstract can show at most.
func Ceiling(s *state.State, items []state.Evidence) float64 {
	docs := map[string]bool{}
	sum := 0.0
	for _, e := range items {
		docs[e.Document] = true
		sum += e.Strength
	}
	if len(items) == 0 {
		return 0
	}
	full := s.Settings.Reading.AbstractStrengthCap
	if full <= 0 {
		full = 1
	}
	mean := min(sum/float64(len(items))/full, 1)
	return state.Clamp((1 - math.Exp2(-float64(len(docs))/3)) * (0.5 + 0.5*mean))
}

func listEvidence(s *state.State, items []state.Evidence) string {
	support := map[string]int{}
	if s.Clusters != nil {
		for _, c := range s.Clusters.Clusters {
			for _, e := range c.Evidence {
				support[e] = len(c.Documents)
			}
		}
	}
	var b strings.Builder
	for _, e := range items {
		fmt.Fprintf(&b, "%s from %s (%d), %s, strength %.2f, supported by %d document(s): %s\n", e.ID, e.Document, s.Documents[e.Document].Year(),
			e.Type, e.Strength, max(support[e.ID], 1), llm.Fence("claim", e.Claim))
	}
	return b.String()
}
