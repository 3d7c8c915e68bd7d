package plan

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/text"
	"optimistresearch/state"
	"optimistresearch/steps"
)

type queryAnswer struct {
	Queries []plannedQuery `json:"queries" jsonschema:"maxItems=200"`
}

type plannedQuery struct {
	Intent string `json:"intent"`
	Source string `json:"source"`
	Query  string `json:"query"`
}

// pair is one (intent, source) pair of the plan.
type pair struct {
	intent state.Intent
	source string
}

// Queries is the node "queries": strings for sources, one search operation
// each. Its argument is how many operations this iteration may use. Intents of
// subquestions with a higher priority come first, so that what does not fit is
// worth least; the sources take turns. What did not fit is taken up in the
// next iteration. An intent that gives no new query is closed.
func (p *Planner) Queries(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	arg, err := steps.Arg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	limit, err := strconv.Atoi(arg)
	if err != nil {
		return state.State{}, fmt.Errorf("task %s: the limit %q is not a number", t.ID, arg)
	}
	part := state.State{Queries: map[string]state.Query{}, Intents: map[string]state.Intent{}, Calls: map[string]state.SourceCall{}}
	for _, src := range state.Keys(p.skipped) {
		id := "skip/" + src
		part.Calls[id] = state.SourceCall{ID: id, Source: src, Operation: "search", Outcome: state.Skipped, Reason: p.skipped[src]}
	}
	intents := p.searchable(s, t.Iteration)
	open := p.pairs(s, intents)
	if len(open) == 0 || limit <= 0 {
		return part, nil
	}
	var trail steps.Trail
	sent, gave, next := sentBefore(s), map[string]bool{}, nextQuery(s)
	// A pair whose query was sent before takes nothing of the limit: the next
	// pairs get its place.
	for len(open) > 0 && len(part.Queries) < limit {
		n := min(len(open), limit-len(part.Queries))
		var pairs []pair
		pairs, open = open[:n], open[n:]
		list, err := p.write(ctx, s, t, &trail, pairs)
		if err != nil {
			return state.State{}, err
		}
		for _, q := range list {
			key := q.Source + "|" + text.Fold(q.Written) + "|" + fmt.Sprint(q.All)
			if q.Written != "" {
				key = q.Source + "|" + text.Fold(q.Written)
			}
			if sent[key] {
				continue
			}
			sent[key] = true
			q.ID = "Q" + strconv.Itoa(next)
			next++
			part.Queries[q.ID] = q
			gave[q.Intent] = true
		}
	}
	trail.Into(&part, t)
	for _, in := range intents {
		if !gave[in.ID] && !slices.ContainsFunc(open, func(pr pair) bool { return pr.intent.ID == in.ID }) {
			in.Status, in.Revision = state.Closed, t.Iteration
			part.Intents[in.ID] = in
		}
	}
	return part, nil
}

// write gives a query without a number for each pair.
func (p *Planner) write(ctx context.Context, s *state.State, t state.Task, trail *steps.Trail, pairs []pair) ([]state.Query, error) {
	system, version, err := steps.Prompt(prompts, "query")
	if err != nil {
		return nil, err
	}
	answer, by, err := steps.Ask(ctx, p.models, t, trail, steps.Job[queryAnswer]{
		Role: llm.Query,
		Prompt: llm.Prompt{Name: "query", Version: version, System: system,
			Input: "Write the queries for these pairs. Name intent and source as given.\n\n" + listPairs(pairs) + "\n\nSent before:\n" + listSent(s)},
		Builtin: func() queryAnswer { return queryAnswer{} }, // the terms of the intent, written by each source
		Subject: fmt.Sprintf("%d queries", len(pairs)),
	})
	if err != nil {
		return nil, err
	}
	written := p.written(answer, pairs)
	var out []state.Query
	for _, pr := range pairs {
		q := state.Query{Iteration: t.Iteration, Intent: pr.intent.ID, Source: pr.source, Written: written[pr.intent.ID+"|"+pr.source], By: by}
		if q.Written == "" {
			q.By = llm.Builtin
		}
		q.All = pr.intent.Terms
		if len(q.All) == 0 {
			q.All = join(coreTerms(s.Question.Text, narrowBase), coreTerms(pr.intent.Description, narrowBase))
		}
		out = append(out, q)
	}
	return out, nil
}

// searchable lists the open intents of this iteration, the most important
// subquestion first, and after those of each subquestion the ones of earlier
// iterations that the budget left without a query.
func (p *Planner) searchable(s *state.State, iteration int) []state.Intent {
	queried := queriedIntents(s)
	var out []state.Intent
	for _, q := range s.ActiveSubquestions() {
		var late []state.Intent
		for _, in := range intentsOf(s, q.ID) {
			switch {
			case !in.Status.Active() || in.Iteration > iteration:
			case in.Iteration == iteration:
				out = append(out, in)
			case !queried[in.ID]:
				late = append(late, in)
			}
		}
		out = append(out, late...)
	}
	return out
}

// queriedIntents are the intents that have a query.
func queriedIntents(s *state.State) map[string]bool {
	out := map[string]bool{}
	for _, q := range s.Queries {
		out[q.Intent] = true
	}
	return out
}

// pairs assigns sources to intents: up to min(QueriesPerIntent, sources) each,
// in two passes, so that every subquestion gets its first intent before any
// gets its second. The sources of each intent begin where the last one's
// ended, so that all are used alike.
func (p *Planner) pairs(s *state.State, intents []state.Intent) []pair {
	if len(p.available) == 0 {
		return nil
	}
	nth := map[string]int{}
	rank := make([]int, len(intents))
	for i, in := range intents {
		rank[i] = nth[in.Subquestion]
		nth[in.Subquestion]++
	}
	order := make([]int, len(intents))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank[a] - rank[b] })
	each := min(max(s.Settings.Plan.QueriesPerIntent, 1), len(p.available))
	var out []pair
	at := 0
	for _, i := range order {
		for range each {
			out = append(out, pair{intents[i], p.available[at%len(p.available)]})
			at++
		}
	}
	return out
}

// written matches a model's strings to the pairs that asked for them, cleaned
// for their source. A pair without a usable string gets "": the source then
// writes the intent's terms in its own dialect.
func (p *Planner) written(a queryAnswer, pairs []pair) map[string]string {
	var intents []string
	for _, pr := range pairs {
		intents = append(intents, pr.intent.ID)
	}
	out := map[string]string{}
	for _, q := range a.Queries {
		id, ok := llm.RepairID(q.Intent, intents)
		source, okSource := llm.RepairID(q.Source, p.available)
		if !ok || !okSource {
			continue
		}
		if clean := p.dialects[source].Clean(text.Truncate(q.Query, 1000)); strings.TrimSpace(clean) != "" {
			out[id+"|"+source] = clean
		}
	}
	return out
}

func sentBefore(s *state.State) map[string]bool {
	out := map[string]bool{}
	for _, q := range s.Queries {
		out[q.Source+"|"+text.Fold(q.Written)] = true
		out[q.Source+"||"+fmt.Sprint(q.All)] = true
	}
	return out
}

func nextQuery(s *state.State) int {
	n := 0
	for id := range s.Queries {
		if k, err := strconv.Atoi(strings.TrimPrefix(id, "Q")); err == nil {
			n = max(n, k)
		}
	}
	return n + 1
}

func listPairs(pairs []pair) string {
	var b strings.Builder
	for _, pr := range pairs {
		fmt.Fprintf(&b, "%s for %s\n%s\n", pr.intent.ID, pr.source, llm.Fence("intent "+pr.intent.ID, pr.intent.Description+"\nterms: "+listTerms(pr.intent.Terms)))
	}
	return b.String()
}

func listTerms(groups [][]string) string {
	var all []string
	for _, g := range groups {
		all = append(all, strings.Join(g, " OR "))
	}
	return strings.Join(all, "; ")
}

func listSent(s *state.State) string {
	var b strings.Builder
	for _, id := range state.SortedIDs(s.Queries) {
		q := s.Queries[id]
		fmt.Fprintf(&b, "%s %s: %s (%s, %d hits)\n", id, q.Source, llm.Fence("sent", q.Sent), q.Outcome, q.Hits)
	}
	if b.Len() == 0 {
		return "nothing"
	}
	return b.String()
}
