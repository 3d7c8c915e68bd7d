// Package expand chases citations: one task is one (seed, direction) pair,
// asked of every source that has a citation graph, and the lists are united.
//
// The package must never believe a list before it has compared the service's
// record of the seed with the seed, and never take an empty list for
// saturation: see sources.Citer. Start with New.
package expand

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"optimistresearch/canon"
	"optimistresearch/sources"
	"optimistresearch/state"
	"optimistresearch/steps"
)

// Expander holds the sources with a citation graph.
type Expander struct{ citers []sources.Citer }

// New picks the citers out of the run's sources; their order is kept.
func New(list []sources.Source) *Expander {
	x := &Expander{}
	for _, s := range list {
		if c, ok := s.(sources.Citer); ok {
			x.citers = append(x.citers, c)
		}
	}
	return x
}

// Run is the node "expand". Its arguments are "document|direction" and the
// number of the round.
func (x *Expander) Run(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	key, err := steps.Arg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	numberArg, err := steps.Arg(t, 1)
	if err != nil {
		return state.State{}, err
	}
	number, err := strconv.Atoi(numberArg)
	if err != nil {
		return state.State{}, fmt.Errorf("round %q of %s is not a number", numberArg, t.ID)
	}
	id, direction, _ := strings.Cut(key, "|")
	doc, ok := s.Documents[id]
	if !ok {
		return state.State{}, fmt.Errorf("seed %s is not in the corpus", id)
	}
	part := state.State{
		Records: map[string]state.Record{}, Calls: map[string]state.SourceCall{}, Degradations: map[string]state.Degradation{},
	}
	spend := state.Spend{Credits: map[string]int{}}
	done := state.Expansion{Seed: id, Direction: direction, Round: number, Outcomes: map[string]string{}}
	for _, c := range x.citers {
		references, citing := c.Cites()
		if direction == state.Backward && !references || direction == state.Forward && !citing {
			continue
		}
		res, err := x.ask(ctx, c, s, doc, direction)
		if ctx.Err() != nil {
			return state.State{}, ctx.Err()
		}
		call := state.SourceCall{
			ID: fmt.Sprintf("%s/%s/%s", direction, id, c.Name()), Source: c.Name(), Operation: operation(direction), Subject: id,
			Sent: res.Sent, Outcome: state.Hits, Records: len(res.Records), Skipped: res.Skips, Raw: res.Raw, Requests: res.Requests,
			Reason: strings.Join(res.Notes, "; "),
		}
		if err != nil {
			call.Outcome, call.Reason, call.Records = sources.OutcomeOf(err), err.Error(), 0
			res.Records = nil
		}
		if call.Outcome.Failed() {
			d := state.NewDegradation(state.Degradation{
				Iteration: t.Iteration, Step: t.Node, Subject: key, Kind: string(call.Outcome), Reason: call.Reason,
				Fallback: "what " + c.Name() + " lists for this work is not known",
			})
			part.Degradations[d.ID] = d
		}
		part.Calls[call.ID] = call
		done.Outcomes[c.Name()] = string(call.Outcome)
		done.Found += len(res.Records)
		if res.Credits > 0 {
			spend.Credits[c.Name()] += res.Credits
		}
		sighted := steps.Sighted(res.Records, func(rank int) state.Provenance {
			return state.Provenance{Source: c.Name(), Via: state.ViaSnowball, Rank: rank, Seed: id, Direction: direction, Round: number, Raw: res.Raw}
		})
		for k, r := range sighted {
			part.Records[k] = r
		}
	}
	part.Expanded = map[string]state.Expansion{key: done}
	if len(spend.Credits) > 0 {
		part.Ledger = map[string]state.Spend{t.ID: spend}
	}
	return part, nil
}

// ask fetches one list and verifies whose list it is.
func (x *Expander) ask(ctx context.Context, c sources.Citer, s *state.State, doc state.Document, direction string) (sources.Result, error) {
	seed := sources.Seed{IDs: doc.IDs, Title: doc.Title(), Year: doc.FirstYear()}
	for _, a := range doc.Authors {
		seed.Authors = append(seed.Authors, a.Name)
	}
	limit := s.Settings.Snowball.CandidatesLimit
	list, op := c.References, operation(state.Backward)
	if direction == state.Forward {
		list, op = c.Citing, operation(state.Forward)
	}
	res, err := list(ctx, seed, limit)
	if err != nil {
		return res, err
	}
	if res.Verified != nil {
		ok := false
		why := ""
		for _, k := range state.Keys(doc.Versions) {
			v := doc.Versions[k]
			if ok, why = canon.VerifyLookup(v.Title, seed.Authors, v.Year, *res.Verified); ok {
				break
			}
		}
		if !ok {
			return res, &sources.Error{Source: c.Name(), Op: op + " of " + doc.ID, Outcome: state.Rejected, Err: errors.New(why)}
		}
	}
	if len(res.Records) == 0 && len(res.Skips) == 0 {
		return res, &sources.Error{Source: c.Name(), Op: op + " of " + doc.ID, Outcome: state.NoList}
	}
	return res, nil
}

func operation(direction string) string {
	if direction == state.Forward {
		return "citing works"
	}
	return "references"
}
