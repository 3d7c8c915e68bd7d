package flow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/canon"
	"optimistresearch/critic"
	"optimistresearch/evidence"
	"optimistresearch/rank"
	"optimistresearch/snowball"
	"optimistresearch/state"
)

// Pure returns the nodes that need neither a model nor the network.
func Pure() map[string]func(*state.State, state.Task) (state.State, error) {
	return map[string]func(*state.State, state.Task) (state.State, error){
		Canon: canonicalise, Batch: batches, Close: closeRound, Seeds: seeds, Allocate: allocate,
		Cluster: cluster, Decide: decide, Apply: apply, Halt: halt, Gate: gate,
	}
}

func canonicalise(s *state.State, t state.Task) (state.State, error) {
	number, err := intArg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	return canon.Canonicalise(s, number), nil
}

// batches puts aside what the question's limits exclude and lists what is to
// be screened: documents in batches, each against the subquestions that have
// not scored it. A pair that was scored is never listed again.
func batches(s *state.State, t state.Task) (state.State, error) {
	number, err := intArg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	part := state.State{}
	groups := map[string][]string{}
	for _, id := range state.SortedIDs(s.Documents) {
		d := s.Documents[id]
		if x, out := ineligible(s, d); out {
			if part.Documents == nil {
				part.Documents = map[string]state.Document{}
			}
			part.Documents[id] = state.Document{ID: id, Exclusion: map[string]state.Exclusion{x.By: x}}
			continue
		}
		if len(d.Exclusion) > 0 {
			continue
		}
		var open []string
		for _, q := range s.ActiveSubquestions() {
			_, scored := d.Relevance[q.ID]
			_, failed := d.Unscored[q.ID]
			if !scored && !failed {
				open = append(open, q.ID)
			}
		}
		if len(open) > 0 {
			slices.SortFunc(open, compareIDs)
			key := strings.Join(open, " ")
			groups[key] = append(groups[key], id)
		}
	}
	work := state.WorkList{Round: number, Items: map[string]state.WorkItem{}}
	size := max(s.Settings.Screening.Batch, 1)
	for _, key := range state.Keys(groups) {
		for docs := range slices.Chunk(groups[key], size) {
			n := len(work.Items) + 1
			work.Items[fmt.Sprintf("b%04d", n)] = state.WorkItem{Order: n, IDs: slices.Clone(docs), Subquestions: strings.Fields(key)}
		}
	}
	part.Work = map[string]state.WorkList{state.WorkScreen: work}
	return part, nil
}

// ineligible applies the limits of the question that need no judgement. A
// year or a language that is not known never excludes.
func ineligible(s *state.State, d state.Document) (state.Exclusion, bool) {
	set := s.Settings
	year := d.Year()
	if year != 0 && (set.SinceYear != 0 && year < set.SinceYear || set.UntilYear != 0 && d.FirstYear() > set.UntilYear) {
		return state.Exclusion{Reason: state.ExcludeYear, Text: fmt.Sprintf("published %d, asked for %s", year, years(set)), By: "rule"}, true
	}
	if len(set.Languages) > 0 {
		var known []string
		for _, k := range d.Records {
			if l := s.Records[k].Language; l != "" {
				known = append(known, l)
			}
		}
		if len(known) > 0 && !slices.ContainsFunc(known, func(l string) bool { return slices.Contains(set.Languages, l) }) {
			return state.Exclusion{Reason: state.ExcludeLanguage, Text: "language " + strings.Join(state.Union(known, nil), ", "), By: "rule"}, true
		}
	}
	return state.Exclusion{}, false
}

func years(set *state.Settings) string {
	switch {
	case set.UntilYear == 0:
		return fmt.Sprintf("%d or later", set.SinceYear)
	case set.SinceYear == 0:
		return fmt.Sprintf("%d or earlier", set.UntilYear)
	}
	return fmt.Sprintf("%d to %d", set.SinceYear, set.UntilYear)
}

func closeRound(s *state.State, t state.Task) (state.State, error) {
	number, err := intArg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	return state.State{Rounds: map[string]state.Round{state.RoundKey(number): snowball.Close(s, number)}}, nil
}

// seeds ranks the corpus and picks what to chase in this round: once the chase
// is saturated, only what the critic asked for. No seed means no round.
func seeds(s *state.State, t state.Task) (state.State, error) {
	number, err := intArg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	score := map[string]float64{}
	for _, r := range rank.Rank(s) {
		score[r.Document] = r.Score
	}
	choices := snowball.Seeds(s, score)
	if saturated, _ := snowball.Saturated(s); saturated {
		choices = slices.DeleteFunc(choices, func(c snowball.Choice) bool { return c.Subquestion != "" })
	}
	if len(choices) == 0 {
		return state.State{}, nil
	}
	round := state.Round{Number: number, Iteration: t.Iteration, Snowball: true}
	work := state.WorkList{Round: number, Items: map[string]state.WorkItem{}}
	for i, c := range choices {
		key := c.Seed + "|" + c.Direction
		round.Seeds = append(round.Seeds, key)
		work.Items[key] = state.WorkItem{Order: i, IDs: []string{c.Seed}, Subquestions: strings.Fields(c.Subquestion), Direction: c.Direction, Note: c.Why}
	}
	return state.State{
		Rounds: map[string]state.Round{state.RoundKey(number): round},
		Work:   map[string]state.WorkList{state.WorkSeeds: work},
		Ledger: map[string]state.Spend{t.ID: {Rounds: 1}},
	}, nil
}

// allocate fills the reading queue.
func allocate(s *state.State, t state.Task) (state.State, error) {
	budget, err := intArg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	part := state.State{Documents: map[string]state.Document{}}
	work := state.WorkList{Round: t.Iteration, Items: map[string]state.WorkItem{}}
	ranked := rank.Rank(s)
	queue := rank.Allocate(s, ranked, budget)
	iteration := fmt.Sprintf("it%d", t.Iteration)
	for id, reason := range rank.Reasons(s, ranked, queue, budget) {
		part.Documents[id] = state.Document{ID: id, Ranked: map[string]string{iteration: reason}}
	}
	for i, a := range queue {
		work.Items[a.Document] = state.WorkItem{Order: i, IDs: []string{a.Document}, Subquestions: a.Subquestions}
		d := part.Documents[a.Document]
		d.Status = state.Selected
		part.Documents[a.Document] = d
	}
	part.Work = map[string]state.WorkList{state.WorkRead: work}
	return part, nil
}

func cluster(s *state.State, t state.Task) (state.State, error) {
	items := s.Admitted("")
	part := state.State{Clusters: &state.ClusterSet{Revision: t.Iteration, Clusters: evidence.Cluster(s, items)}}
	for _, c := range evidence.Contradictions(s, items) {
		if part.Contradictions == nil {
			part.Contradictions = map[string]state.Contradiction{}
		}
		part.Contradictions[c.ID] = c
	}
	return part, nil
}

// decide applies the termination rule.
func decide(s *state.State, t state.Task) (state.State, error) {
	var critique *state.Critique
	if c, ok := s.Critiques[CritiqueKey(t.Iteration)]; ok {
		critique = &c
	}
	return state.State{Stop: critic.Terminate(s, critique, s.Halt != nil)}, nil
}

// apply carries out the edits of this iteration's critique.
func apply(s *state.State, t state.Task) (state.State, error) {
	c, ok := s.Critiques[CritiqueKey(t.Iteration)]
	if !ok {
		return state.State{}, fmt.Errorf("iteration %d has no critique to apply", t.Iteration)
	}
	return critic.Apply(s, c), nil
}

// CritiqueKey is the key of an iteration's critique in State.Critiques.
func CritiqueKey(iteration int) string { return "it" + strconv.Itoa(iteration) }

func halt(_ *state.State, t state.Task) (state.State, error) {
	if len(t.Args) == 0 {
		return state.State{}, fmt.Errorf("task %s names no budget", t.ID)
	}
	return state.State{Halt: &state.Stop{Iteration: t.Iteration, Reason: state.StopBudget, Detail: t.Args[0], Exit: 4}}, nil
}

func gate(s *state.State, t state.Task) (state.State, error) {
	stop := critic.Failure(s)
	if stop == nil {
		return state.State{}, fmt.Errorf("task %s: nothing has failed", t.ID)
	}
	return state.State{Stop: stop}, nil
}

func intArg(t state.Task, n int) (int, error) {
	if n >= len(t.Args) {
		return 0, fmt.Errorf("task %s: argument %d is missing", t.ID, n+1)
	}
	v, err := strconv.Atoi(t.Args[n])
	if err != nil {
		return 0, fmt.Errorf("task %s: argument %d: %w", t.ID, n+1, err)
	}
	return v, nil
}

func compareIDs(a, b string) int {
	switch {
	case a == b:
		return 0
	case state.LessID(a, b):
		return -1
	}
	return 1
}
