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
	"sort"
	"strings"

	"optimistresearch/internal/lexical"
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
		Builtin: func() answer { return answer{builtin(s, items)} },
		Check: func(a answer) error {
			if strings.TrimSpace(a.Text) == "" {
				return fmt.Errorf("the section is empty")
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

// builtin writes paragraphs from the claims: clusters with more support first,
// claims of one document together, what is weak and what fails at the end.
func builtin(s *state.State, items []state.Evidence) string {
	support := map[string]int{}
	merged := map[string][]string{} // evidence → further documents of its cluster
	skip := map[string]bool{}
	in := map[string]bool{}
	for _, e := range items {
		in[e.ID] = true
	}
	if s.Clusters != nil {
		for _, c := range s.Clusters.Clusters {
			lead := ""
			for _, id := range c.Evidence {
				if !in[id] {
					continue
				}
				support[id] = len(c.Documents)
				if lead == "" {
					lead = id
					continue
				}
				skip[id] = true
				if d := s.Evidence[id].Document; d != s.Evidence[lead].Document && !slices.Contains(merged[lead], d) {
					merged[lead] = append(merged[lead], d)
				}
			}
		}
	}
	groups := map[string][]state.Evidence{} // by document
	said := map[string]bool{}
	var limits []state.Evidence
	for _, e := range items {
		key := strings.ToLower(strings.TrimSpace(e.Claim))
		if skip[e.ID] || said[key] {
			continue
		}
		said[key] = true
		if c := lexical.Cues(e.Claim); c.Limitation && !c.Result {
			limits = append(limits, e)
			continue
		}
		groups[e.Document] = append(groups[e.Document], e)
	}
	docs := state.SortedIDs(groups)
	weight := func(d string) (w float64) {
		for _, e := range groups[d] {
			w = max(w, e.Strength+float64(support[e.ID]))
		}
		return w
	}
	sort.SliceStable(docs, func(i, j int) bool { return weight(docs[i]) > weight(docs[j]) })

	var paragraphs []string
	for chunk := range slices.Chunk(docs, 3) {
		var b strings.Builder
		for _, d := range chunk {
			list := groups[d]
			sort.SliceStable(list, func(i, j int) bool { return list[i].Start < list[j].Start })
			for _, e := range list {
				b.WriteString(sentence(s, e, merged[e.ID]) + " ")
			}
		}
		paragraphs = append(paragraphs, strings.TrimSpace(b.String()))
	}
	if len(limits) > 0 {
		var b strings.Builder
		if len(limits) < len(items)/2 {
			b.WriteString("Limits are stated as well.")
		}
		for _, e := range limits {
			b.WriteString(" " + sentence(s, e, merged[e.ID]))
		}
		paragraphs = append(paragraphs, strings.TrimSpace(b.String()))
	}
	return strings.Join(paragraphs, "\n\n")
}

// sentence is steps.Sentence with the further documents of the claim's
// cluster in the citation.
func sentence(s *state.State, e state.Evidence, more []string) string {
	out := steps.Sentence(s, e)
	if len(more) == 0 {
		return out
	}
	return strings.TrimSuffix(out, "["+e.Document+"].") + "[" + strings.Join(append([]string{e.Document}, more...), ", ") + "]."
}
