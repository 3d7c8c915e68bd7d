// Package critique looks at what an iteration found and says what to do next,
// as typed edits. Package critic validates and applies them.
//
// The package must never change the plan itself and never call evidence
// sufficient because something failed. Start with New.
package critique

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"optimistresearch/evidence"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/text"
	"optimistresearch/snowball"
	"optimistresearch/state"
	"optimistresearch/steps"
)

//go:embed prompts
var prompts embed.FS

// Critic writes critiques.
type Critic struct{ models steps.Models }

// New makes a critic.
func New(models steps.Models) *Critic { return &Critic{models: models} }

type answer struct {
	Sufficient bool        `json:"sufficient"`
	Summary    string      `json:"summary"`
	Assess     []dimension `json:"assess" jsonschema:"maxItems=8"`
	Weak       []string    `json:"weak" jsonschema:"maxItems=12"`
	Gaps       []string    `json:"gaps" jsonschema:"maxItems=6"`
	Edits      []edit      `json:"edits" jsonschema:"maxItems=12"`
}

type dimension struct {
	Name    string  `json:"name" jsonschema:"enum=coverage,enum=quality,enum=citations,enum=diversity,enum=contradictions,enum=recency,enum=gaps,enum=saturation"`
	Score   float64 `json:"score" jsonschema:"minimum=0,maximum=1"`
	Finding string  `json:"finding"`
}

type edit struct {
	Op        string   `json:"op" jsonschema:"enum=add,enum=split,enum=merge,enum=rephrase,enum=raise,enum=lower,enum=close,enum=reopen,enum=add_intent,enum=close_intent,enum=reword_intent,enum=snowball,enum=contradiction"`
	Target    string   `json:"target"`
	Into      string   `json:"into"`
	Text      string   `json:"text"`
	Texts     []string `json:"texts" jsonschema:"maxItems=4"`
	Focus     []string `json:"focus" jsonschema:"maxItems=8"`
	Rationale string   `json:"rationale"`
	Direction string   `json:"direction"`
	A         string   `json:"a"`
	B         string   `json:"b"`
}

// Run is the node "critique".
func (x *Critic) Run(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	system, version, err := steps.Prompt(prompts, "critic")
	if err != nil {
		return state.State{}, err
	}
	facts := survey(s)
	var trail steps.Trail
	a, by, err := steps.Ask(ctx, x.models, t, &trail, steps.Job[answer]{
		Role:    llm.Critic,
		Prompt:  llm.Prompt{Name: "critic", Version: version, System: system, Input: describe(s, facts)},
		Builtin: func() answer { return builtin(s, facts, t.Iteration) },
		Subject: fmt.Sprintf("iteration %d", t.Iteration),
	})
	if err != nil {
		return state.State{}, err
	}
	c := state.Critique{Iteration: t.Iteration, Sufficient: a.Sufficient, Summary: text.Truncate(text.OneLine(a.Summary), 1000), By: by}
	for _, d := range a.Assess {
		c.Assess = append(c.Assess, state.Dimension{Name: d.Name, Score: state.Clamp(d.Score), Finding: text.Truncate(text.OneLine(d.Finding), 400)})
	}
	ids := state.SortedIDs(s.Subquestions)
	for _, w := range a.Weak {
		if id, ok := llm.RepairID(w, ids); ok {
			c.Weak = state.Union(c.Weak, []string{id})
		}
	}
	for _, g := range a.Gaps {
		if g = text.Truncate(text.OneLine(g), 300); g != "" {
			c.Gaps = append(c.Gaps, g)
		}
	}
	for _, e := range a.Edits {
		c.Edits = append(c.Edits, mend(s, e))
	}
	part := state.State{Critiques: map[string]state.Critique{fmt.Sprintf("it%d", t.Iteration): c}}
	trail.Into(&part, t)
	return part, nil
}

// mend repairs echoed ids; what stays wrong is refused by package critic with
// its reason.
func mend(s *state.State, e edit) state.Edit {
	repair := func(id string, known []string) string {
		if fixed, ok := llm.RepairID(id, known); ok {
			return fixed
		}
		return text.Truncate(text.OneLine(id), 80)
	}
	target := state.SortedIDs(s.Subquestions)
	switch e.Op {
	case state.EditCloseIntent, state.EditRewordIntent:
		target = state.SortedIDs(s.Intents)
	case state.EditSnowball:
		target = state.SortedIDs(s.Documents)
	}
	out := state.Edit{Op: e.Op, Text: text.OneLine(e.Text), Rationale: text.OneLine(e.Rationale), Direction: strings.ToLower(strings.TrimSpace(e.Direction))}
	if e.Target != "" {
		out.Target = repair(e.Target, target)
	}
	if e.Into != "" {
		out.Into = repair(e.Into, target)
	}
	for _, x := range e.Texts {
		out.Texts = append(out.Texts, text.OneLine(x))
	}
	for _, f := range e.Focus {
		if f = text.Truncate(text.OneLine(f), 80); f != "" {
			out.Focus = append(out.Focus, f)
		}
	}
	if e.Op == state.EditContradiction {
		known := state.Keys(s.Evidence)
		out.A, out.B = repair(e.A, known), repair(e.B, known)
	}
	return out
}

// facts are what a critic has before it.
type facts struct {
	diversity    evidence.Report
	weak         []state.Cluster
	uncited      []string // active subquestions without admitted evidence
	saturated    bool
	saturation   string
	recentShare  float64
	meanStrength float64
	admitted     int
}

func survey(s *state.State) facts {
	f := facts{diversity: evidence.Diversity(s)}
	if s.Clusters != nil {
		for _, c := range s.Clusters.Clusters {
			if c.Weak {
				f.weak = append(f.weak, c)
			}
		}
	}
	f.saturated, f.saturation = snowball.Saturated(s)
	items := s.Admitted("")
	f.admitted = len(items)
	recent := 0
	for _, e := range items {
		f.meanStrength += e.Strength
		if y := s.Documents[e.Document].Year(); y >= s.Question.Year-2 {
			recent++
		}
	}
	if len(items) > 0 {
		f.meanStrength /= float64(len(items))
		f.recentShare = float64(recent) / float64(len(items))
	}
	for _, q := range s.ActiveSubquestions() {
		if len(s.Admitted(q.ID)) == 0 {
			f.uncited = append(f.uncited, q.ID)
		}
	}
	return f
}
