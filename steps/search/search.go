// Package search sends the queries of an iteration to the sources. One task is
// one (source, query) pair, which is one search operation of the budget
// however many pages and relaxed retries it takes.
//
// The package must never decide what is the same work or what is relevant, and
// never report a failed source as an empty one. Start with New.
package search

import (
	"context"
	"fmt"
	"strings"

	"optimistresearch/sources"
	"optimistresearch/state"
	"optimistresearch/steps"
)

// Searcher holds the sources of a run.
type Searcher struct {
	sources map[string]sources.Source
	skipped map[string]string // source → why it is not used
}

// New makes a Searcher. skipped names the sources that the settings list but
// that cannot be used, with the reason ("no key, and source.semanticscholar.mode is auto").
func New(list []sources.Source, skipped map[string]string) *Searcher {
	m := make(map[string]sources.Source, len(list))
	for _, s := range list {
		m[s.Name()] = s
	}
	return &Searcher{sources: m, skipped: skipped}
}

// Run is the node "search". Its argument is the query's id.
func (x *Searcher) Run(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	id, err := steps.Arg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	q, ok := s.Queries[id]
	if !ok {
		return state.State{}, fmt.Errorf("query %s is not in the plan", id)
	}
	src := x.sources[q.Source]
	if src == nil {
		why := x.skipped[q.Source]
		if why == "" {
			why = "the source is not enabled"
		}
		q.Revision, q.Outcome, q.Reason, q.Total = 1, state.Skipped, why, -1
		return state.State{
			Queries: map[string]state.Query{id: q},
			Calls:   map[string]state.SourceCall{"search/" + id: {ID: "search/" + id, Source: q.Source, Operation: "search", Subject: id, Outcome: state.Skipped, Reason: why}},
		}, nil
	}

	found, err := climb(ctx, src, q, s)
	if ctx.Err() != nil {
		return state.State{}, ctx.Err()
	}
	call := state.SourceCall{
		ID: "search/" + id, Source: q.Source, Operation: "search", Subject: id, Sent: found.result.Sent,
		Outcome: state.Hits, Records: len(found.result.Records), Skipped: found.result.Skips,
		Raw: found.result.Raw, Requests: found.requests, Reason: strings.Join(found.result.Notes, "; "),
	}
	q.Revision, q.Written = 1, found.written
	q.Sent, q.Filters, q.Rung, q.Rungs = found.result.Sent, found.result.Filters, found.rung, found.rungs
	q.Total, q.Hits = found.result.Total, len(found.result.Records)
	for _, skip := range found.result.Skips {
		q.Skipped += skip.Count
	}
	part := state.State{Ledger: map[string]state.Spend{t.ID: {Searches: 1}}}
	if n := found.credits; n > 0 {
		part.Ledger[t.ID] = state.Spend{Searches: 1, Credits: map[string]int{q.Source: n}}
	}
	switch {
	case err != nil:
		call.Outcome, call.Reason = sources.OutcomeOf(err), err.Error()
		q.Outcome, q.Reason, q.Total = call.Outcome, err.Error(), -1
		d := state.NewDegradation(state.Degradation{
			Iteration: t.Iteration, Step: t.Node, Subject: id, Kind: string(call.Outcome), Reason: err.Error(),
			Fallback: "what " + q.Source + " holds for this query is not known",
		})
		part.Degradations = map[string]state.Degradation{d.ID: d}
	case len(found.result.Records) == 0 && len(found.result.Skips) == 0:
		call.Outcome, q.Outcome = state.ZeroHits, state.ZeroHits
	default:
		q.Outcome = state.Hits
	}
	part.Calls = map[string]state.SourceCall{call.ID: call}
	part.Queries = map[string]state.Query{id: q}
	part.Records = steps.Sighted(found.result.Records, func(rank int) state.Provenance {
		return state.Provenance{
			Source: q.Source, Via: state.ViaSearch, Subquestion: s.Intents[q.Intent].Subquestion, Intent: q.Intent, Query: id,
			Rank: rank, Round: state.RoundNumber(t.Iteration, 0), Raw: found.result.Raw,
		}
	})
	return part, nil
}
