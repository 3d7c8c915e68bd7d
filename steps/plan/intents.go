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
			Input:  fmt.Sprintf("At most %d intents for each subquestion. Name the subquestion by its id.\n\n%s\n\nAlready searched:\n%s", each, listSubquestions(todo), listIntents(s))},
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
// came from elsewhere by its own phrases.
func builtinIntents(s *state.State, todo []state.Subquestion, each int) intentAnswer {
	topic := Topic(s.Question.Text)
	base := coreTerms(s.Question.Text)
	var out intentAnswer
	for _, q := range todo {
		f, ok := facetOf(q.Text, topic)
		if !ok {
			groups := [][]string{}
			if focus := cleanPhrases(q.Focus); len(focus) > 0 {
				groups = append(groups, focus)
			} else {
				groups = append(groups, coreTerms(q.Text)...)
			}
			out.Intents = append(out.Intents, plannedIntent{q.ID, "studies on: " + strings.TrimRight(q.Text, "?"), join(base, groups)})
			continue
		}
		for i := range min(each, len(f.intents)) {
			groups := base
			if len(f.cues[i]) > 0 {
				groups = join(base, [][]string{f.cues[i]})
			}
			out.Intents = append(out.Intents, plannedIntent{q.ID, fmt.Sprintf(f.intents[i], topic), groups})
		}
	}
	return out
}

// disciplines say where a question is asked, not what it is about: authors
// within one seldom name it, so a literal search for it loses most of what is
// wanted.
var disciplines = []string{"ai", "artificial", "intelligence", "computer", "science"}

// coreTerms turns the phrases of a question into groups: every content word
// must occur, with the alternatives that the built-in method knows for it. The
// name of a discipline is left out when two other words remain.
func coreTerms(question string) [][]string {
	core, _ := lexical.QuestionPhrases(question)
	if len(core) == 0 {
		core = []string{question}
	}
	var out [][]string
	for _, phrase := range core {
		for _, w := range text.Distinctive(text.Tokens(phrase)) {
			out = append(out, append([]string{w}, lexical.Variants(w)...))
		}
	}
	out = join(out, nil)
	narrow := slices.DeleteFunc(slices.Clone(out), func(g []string) bool { return slices.Contains(disciplines, g[0]) })
	if len(narrow) >= 2 {
		return narrow
	}
	return out
}

// join concatenates groups, leaving out a group whose first term is in an
// earlier one.
func join(a, b [][]string) [][]string {
	var out [][]string
	for _, g := range slices.Concat(a, b) {
		if len(g) > 0 && !slices.ContainsFunc(out, func(o []string) bool { return slices.Contains(o, g[0]) }) {
			out = append(out, g)
		}
	}
	return out
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
	for _, id := range state.SortedIDs(s.Intents) {
		in := s.Intents[id]
		found, relevant := s.Yield(id)
		fmt.Fprintf(&b, "%s (%s, %d found, %d relevant)\n%s\n", id, in.Subquestion, found, relevant, llm.Fence(id, in.Description))
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
