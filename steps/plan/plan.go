// Package plan holds the nodes that make the plan: question → subquestions,
// subquestions → intents, intents → queries. Its prompts are in prompts/.
//
// The package must never search, and never change what a critic or a person
// put into the plan. Start with New; before a run begins, CheckQuestion and
// TakeScope read what the person typed.
package plan

import (
	"context"
	"embed"
	"fmt"
	"slices"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/text"
	"optimistresearch/state"
	"optimistresearch/steps"
)

//go:embed prompts
var prompts embed.FS

// Planner makes plans.
type Planner struct {
	models    steps.Models
	dialects  map[string]Dialect // by source, the usable ones
	available []string           // in the order of the settings
	skipped   map[string]string  // source → why it is not searched
}

// Dialect writes queries for one source; a sources.Source is one.
type Dialect interface {
	Name() string
	Clean(string) string
}

// New makes a planner for the sources that can be searched.
func New(models steps.Models, dialects []Dialect, skipped map[string]string) *Planner {
	p := &Planner{models: models, dialects: map[string]Dialect{}, skipped: skipped}
	for _, d := range dialects {
		p.dialects[d.Name()] = d
		p.available = append(p.available, d.Name())
	}
	return p
}

type planAnswer struct {
	Subquestions []plannedSubquestion `json:"subquestions" jsonschema:"minItems=1,maxItems=12"`
}

type plannedSubquestion struct {
	Text      string   `json:"text"`
	Rationale string   `json:"rationale"`
	Priority  int      `json:"priority" jsonschema:"minimum=1,maximum=12"`
	Focus     []string `json:"focus" jsonschema:"maxItems=8"`
}

// Plan is the node "plan": the question's subquestions.
func (p *Planner) Plan(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	if err := CheckQuestion(s.Question.Text); err != nil {
		return state.State{}, err
	}
	system, version, err := steps.Prompt(prompts, "planner")
	if err != nil {
		return state.State{}, err
	}
	most := max(s.Settings.Plan.MaxSubquestions, 1)
	var trail steps.Trail
	answer, by, err := steps.Ask(ctx, p.models, t, &trail, steps.Job[planAnswer]{
		Role: llm.Planner,
		Prompt: llm.Prompt{Name: "planner", Version: version, System: system,
			Input: fmt.Sprintf("At most %d subquestions.\n\n%s\n%s", most, llm.Fence("question", s.Question.Text), llm.Fence("scope", s.Question.Scope))},
		Builtin: func() planAnswer {
			return builtinPlan(s.Question.Text, lexical.ReadScope(s.Question.Scope, s.Question.Year), most)
		},
		Check: func(a planAnswer) error {
			if !slices.ContainsFunc(a.Subquestions, func(q plannedSubquestion) bool { return text.TitleKey(q.Text) != "" }) {
				return fmt.Errorf("it has no subquestion")
			}
			return nil
		},
		Subject: "the question",
	})
	if err != nil {
		return state.State{}, err
	}
	list := slices.Clone(answer.Subquestions)
	slices.SortStableFunc(list, func(x, y plannedSubquestion) int { return x.Priority - y.Priority })
	part := state.State{Subquestions: map[string]state.Subquestion{}}
	seen := map[string]bool{}
	for _, q := range list {
		key := text.TitleKey(q.Text)
		if key == "" || seen[key] || len(part.Subquestions) >= most {
			continue
		}
		seen[key] = true
		n := len(part.Subquestions) + 1
		id := fmt.Sprintf("RQ%d", n)
		part.Subquestions[id] = state.Subquestion{ID: id, Text: text.Truncate(text.OneLine(q.Text), 500), Rationale: text.OneLine(q.Rationale),
			Focus: cleanPhrases(q.Focus), Priority: n, Status: state.Open, Origin: state.FromPlanner, By: by}
	}
	trail.Into(&part, t)
	return part, nil
}

func cleanPhrases(in []string) []string {
	var out []string
	for _, p := range in {
		if p = text.Truncate(text.OneLine(p), 80); p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}
