package plan

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/text"
	"optimistresearch/state"
	"optimistresearch/steps"
)

type intentAnswer struct {
	Intents []plannedIntent `json:"intents" jsonschema:"maxItems=40"`
}

type plannedIntent struct {
	Subquestion string     `json:"subquestion"`
	Description string     `json:"description"`
	Terms       [][]string `json:"terms" jsonschema:"maxItems=4"`
}

// Intents is the node "intents": what to look for in this iteration. Intents
// that the critic asked for are in the plan already; this node adds intents for
// subquestions that have none yet.
func (p *Planner) Intents(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	var todo []state.Subquestion
	for _, q := range s.ActiveSubquestions() {
		if !slices.ContainsFunc(intentsOf(s, q.ID), func(in state.Intent) bool { return in.Iteration >= t.Iteration || in.Origin != state.FromCritic }) {
			todo = append(todo, q)
		}
	}
	if len(todo) == 0 {
		return state.State{}, nil
	}
	system, version, err := steps.Prompt(prompts, "intent")
	if err != nil {
		return state.State{}, err
	}
	known := make([]string, len(todo))
	for i, q := range todo {
		known[i] = q.ID
	}
	each := max(s.Settings.Plan.IntentsPerSubquestion, 1)
	var trail steps.Trail
	answer, by, err := steps.Ask(ctx, p.models, t, &trail, steps.Job[intentAnswer]{
		Role: llm.Intent,
		Prompt: llm.Prompt{Name: "intent", Version: version, System: system,
			Stable: llm.Fence("question", s.Question.Text) + "\n" + llm.Fence("scope", s.Question.Scope),
			Input:  fmt.Sprintf("At most %d intents for each subquestion. Name the subquestion by its id.\n\n%s\n\nPlanned or searched already:\n%s", each, listSubquestions(todo), listIntents(s))},
		Builtin: func() intentAnswer { return builtinIntents(s, todo, each) },
		Check: func(a intentAnswer) error {
			if !slices.ContainsFunc(a.Intents, func(in plannedIntent) bool { _, _, ok := usable(in, known); return ok }) {
				return fmt.Errorf("it has no intent for a subquestion that was asked about")
			}
			return nil
		},
		Subject: joinIDs(todo),
	})
	if err != nil {
		return state.State{}, err
	}
	part := state.State{Intents: map[string]state.Intent{}}
	count := map[string]int{}
	next := nextIntent(s)
	for _, in := range answer.Intents {
		id, description, ok := usable(in, known)
		if !ok || count[id] >= each {
			continue
		}
		count[id]++
		key := "I" + strconv.Itoa(next)
		next++
		part.Intents[key] = state.Intent{ID: key, Subquestion: id, Description: description, Terms: cleanTerms(in.Terms),
			Iteration: t.Iteration, Status: state.Open, Origin: state.FromPlanner, By: by}
	}
	trail.Into(&part, t)
	return part, nil
}

// usable reads an intent: its subquestion's id, repaired, and its description.
func usable(in plannedIntent, known []string) (id, description string, ok bool) {
	id, ok = llm.RepairID(in.Subquestion, known)
	description = text.Truncate(text.OneLine(in.Description), 500)
	return id, description, ok && description != ""
}

func intentsOf(s *state.State, subquestion string) []state.Intent {
	var out []state.Intent
	for _, id := range state.SortedIDs(s.Intents) {
		if in := s.Intents[id]; in.Subquestion == subquestion {
			out = append(out, in)
		}
	}
	return out
}

func nextIntent(s *state.State) int {
	n := 0
	for id := range s.Intents {
		if k, err := strconv.Atoi(strings.TrimPrefix(id, "I")); err == nil {
			n = max(n, k)
		}
	}
	return n + 1
}

func cleanTerms(in [][]string) [][]string {
	var out [][]string
	for _, g := range in {
		if g = cleanPhrases(g); len(g) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// builtinIntents looks for each facet in two ways, and for a subquestion that
// came from elsewhere by its own phrases. Kinds of study that the scope note
// prefers and no facet asks for take the second place of the first subquestion.
func builtinIntents(s *state.State, todo []state.Subquestion, each int) intentAnswer {
	a := lexical.Ask(s.Question.Text)
	base, narrow := coreTerms(s.Question.Text, longBase), coreTerms(s.Question.Text, narrowBase)
	wanted := preferred(s, a)
	var out intentAnswer
	for _, q := range todo {
		f, ok := facetOf(q.Text, a)
		if !ok {
			groups, about := coreTerms(q.Text, narrowBase), "studies on: "+strings.TrimRight(q.Text, "?")
			if focus := cleanPhrases(q.Focus); len(focus) > 0 {
				groups, about = focusTerms(focus), "studies of "+quotedTopic(a)+" that speak of "+strings.Join(focus, " or ")
			}
			out.Intents = append(out.Intents, plannedIntent{q.ID, about, join(narrow, groups)})
			continue
		}
		intents := f.intents
		if wanted.text != "" && q.ID == "RQ1" {
			intents = []facetIntent{f.intents[0], wanted}
		}
		for _, in := range intents[:min(each, len(intents))] {
			groups := base
			if cues := cuesIn(a.Language, in.cues); len(cues) > 0 {
				groups = join(narrow, [][]string{cues})
			}
			out.Intents = append(out.Intents, plannedIntent{q.ID, fill(in.text, a), groups})
		}
	}
	return out
}

// preferred is an intent for the kinds of study that the scope note prefers,
// unless the facets of the question look for them anyway.
func preferred(s *state.State, a lexical.Asked) facetIntent {
	var kinds, cues []string
	for _, d := range lexical.ReadScope(s.Question.Scope, s.Question.Year).Kinds() {
		if !slices.ContainsFunc(facetLists()[kindOf(a)], func(f facet) bool { return touches(f, d) }) {
			kinds = append(kinds, d)
			cues = append(cues, lexical.DesignWords(d)...)
		}
	}
	if len(kinds) == 0 {
		return facetIntent{}
	}
	return facetIntent{strings.Join(kinds, ", ") + " on {T}", cues[:min(len(cues), 6)]}
}

func listSubquestions(qs []state.Subquestion) string {
	var b strings.Builder
	for _, q := range qs {
		fmt.Fprintf(&b, "%s\n", llm.Fence(q.ID, q.Text+"\nfocus: "+strings.Join(q.Focus, "; ")))
	}
	return b.String()
}

func listIntents(s *state.State) string {
	var b strings.Builder
	queried := queriedIntents(s)
	for _, id := range state.SortedIDs(s.Intents) {
		in := s.Intents[id]
		yield := "not searched yet, but planned"
		if queried[id] {
			found, relevant := s.Yield(id)
			yield = fmt.Sprintf("%d found, %d relevant", found, relevant)
		}
		fmt.Fprintf(&b, "%s (%s, %s)\n%s\n", id, in.Subquestion, yield, llm.Fence(id, in.Description))
	}
	if b.Len() == 0 {
		return "nothing"
	}
	return b.String()
}

func joinIDs(qs []state.Subquestion) string {
	ids := make([]string, len(qs))
	for i, q := range qs {
		ids[i] = q.ID
	}
	return strings.Join(ids, ", ")
}
