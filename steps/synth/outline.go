package synth

import (
	"context"
	"fmt"
	"strings"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/text"
	"optimistresearch/state"
	"optimistresearch/steps"
)

type synthesis struct {
	Narrative string    `json:"narrative"`
	Outline   []section `json:"outline" jsonschema:"maxItems=12"`
}

type section struct {
	Title    string   `json:"title"`
	Purpose  string   `json:"purpose"`
	Evidence []string `json:"evidence"`
}

// Synthesise is the node "synthesise": the narrative and the outline.
func (x *Synthesizer) Synthesise(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	items := s.Admitted("")
	if len(items) == 0 {
		return state.State{Synthesis: &state.Synthesis{Revision: t.Iteration, By: "rule"}}, nil
	}
	system, version, err := steps.Prompt(prompts, "synthesis")
	if err != nil {
		return state.State{}, err
	}
	var trail steps.Trail
	a, by, err := steps.Ask(ctx, x.models, t, &trail, steps.Job[synthesis]{
		Role: llm.Synthesizer,
		Prompt: llm.Prompt{Name: "synthesis", Version: version, System: system,
			Input: llm.Fence("question", s.Question.Text) + "\n\nAnswers:\n" + listAnswers(s) + "\n\nEvidence:\n" + listEvidence(s, items)},
		Builtin: func() synthesis { return builtinSynthesis(s) },
		Check: func(a synthesis) error {
			if len(a.Outline) == 0 {
				return fmt.Errorf("the outline has no section")
			}
			return nil
		},
		Subject: "the report",
	})
	if err != nil {
		return state.State{}, err
	}
	if written := strings.TrimSpace(a.Narrative); by != llm.Builtin && (written == "" || !steps.Cites(written, items)) {
		// The outline may still be of use.
		a.Narrative = narrative(s)
		trail.Note(state.Degradation{Iteration: t.Iteration, Step: t.Node, Subject: "the narrative", Role: string(llm.Synthesizer), Kind: string(llm.Invalid),
			Reason: "the narrative cites none of the documents that it was given", Fallback: "the built-in method wrote the narrative"})
	}
	part := state.State{Synthesis: &state.Synthesis{Revision: t.Iteration, Narrative: strings.TrimSpace(a.Narrative), By: by}}
	part.Synthesis.Outline = outline(a.Outline, items)
	trail.Into(&part, t)
	return part, nil
}

// outline keeps what the sections name of the admitted evidence, drops empty
// sections, and files what no section names under a last one, so that no
// admitted claim is lost.
func outline(in []section, items []state.Evidence) []state.OutlineSection {
	ids := make([]string, len(items))
	for i, e := range items {
		ids[i] = e.ID
	}
	placed := map[string]bool{}
	var out []state.OutlineSection
	add := func(title, purpose string, evidence []string) {
		if len(evidence) == 0 {
			return
		}
		out = append(out, state.OutlineSection{ID: fmt.Sprintf("S%d", len(out)+1), Title: title, Purpose: purpose, Evidence: evidence})
	}
	for _, sec := range in {
		var use []string
		for _, e := range sec.Evidence {
			if id, ok := llm.RepairID(e, ids); ok {
				use = append(use, id)
				placed[id] = true
			}
		}
		title := text.Truncate(text.OneLine(sec.Title), 160)
		if title == "" {
			title = "Findings"
		}
		add(title, text.Truncate(text.OneLine(sec.Purpose), 300), state.Union(use, nil))
	}
	var rest []string
	for _, id := range ids {
		if !placed[id] {
			rest = append(rest, id)
		}
	}
	add("Further findings", "What the sections above do not use.", rest)
	return out
}

func listAnswers(s *state.State) string {
	var b strings.Builder
	for _, q := range s.ActiveSubquestions() {
		if a, ok := s.Answers[q.ID]; ok {
			fmt.Fprintf(&b, "%s\n%s\n\n", llm.Fence(q.ID, q.Text), llm.FenceN("answer", a.Text, 6000))
		}
	}
	return b.String()
}
