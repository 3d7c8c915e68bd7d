package snowball

import (
	"fmt"
	"testing"

	"optimistresearch/state"
)

type doc struct {
	year, cites, round int
	relevance          float64
	via                string
}

func corpus(docs ...doc) (*state.State, map[string]float64) {
	s := state.New(state.Question{Text: "q", Year: 2026}, state.DefaultSettings())
	part := state.State{
		Subquestions: map[string]state.Subquestion{"RQ1": {ID: "RQ1", Text: "?", Priority: 1, Status: state.Open}},
		Records:      map[string]state.Record{}, Documents: map[string]state.Document{},
	}
	score := map[string]float64{}
	for i, d := range docs {
		id := fmt.Sprintf("doc_%04d", i+1)
		via := d.via
		if via == "" {
			via = state.ViaSearch
		}
		p := state.Provenance{Source: "a", Via: via, Query: "Q1", Round: d.round, Seed: "doc_0001", Direction: state.Backward}
		r := state.Record{Key: "a:" + id, Source: "a", Title: id, Year: d.year, Kind: state.Published, Citations: &d.cites, Seen: map[string]state.Provenance{p.Key(): p}}
		part.Records[r.Key] = r
		x := state.DocumentFrom(r)
		x.ID, x.Relevance = id, map[string]state.Relevance{"RQ1": {Score: d.relevance}}
		part.Documents[id] = x
		score[id] = d.relevance
	}
	s.Merge(&part)
	return s, score
}

func TestDirection(t *testing.T) {
	for _, c := range []struct {
		name  string
		years []int
		want  string
	}{
		{"recent and close together", []int{2023, 2024, 2025, 2026}, state.Backward},
		{"recent but spread", []int{2015, 2024, 2025, 2026}, state.Forward},
		{"old", []int{2010, 2011, 2012}, state.Forward},
		{"close together but not recent", []int{2020, 2021}, state.Forward},
		{"one recent document", []int{2025}, state.Backward},
		{"years unknown", []int{0, 0}, state.Forward},
		{"no document", nil, state.Forward},
	} {
		t.Run(c.name, func(t *testing.T) {
			var docs []doc
			for _, y := range c.years {
				docs = append(docs, doc{year: y, relevance: 0.9})
			}
			s, _ := corpus(docs...)
			if got, why := Direction(s, "RQ1"); got != c.want {
				t.Errorf("direction = %s (%s), want %s", got, why, c.want)
			}
		})
	}
}

func TestSeeds(t *testing.T) {
	// Backward: the most relevant recent one, not the most cited.
	s, score := corpus(doc{2024, 500, 100, 0.75, ""}, doc{2025, 1, 100, 0.95, ""}, doc{2025, 0, 101, 0.99, state.ViaSnowball}, doc{2025, 9, 100, 0.6, ""})
	got := Seeds(s, score)
	if len(got) != 1 || got[0].Seed != "doc_0002" || got[0].Direction != state.Backward {
		t.Fatalf("seeds = %+v, want doc_0002 backward: doc_0003 came by snowballing, doc_0004 is not clearly relevant", got)
	}
	// Forward: the most cited.
	s, score = corpus(doc{2010, 5, 100, 0.95, ""}, doc{2012, 500, 100, 0.75, ""})
	if got := Seeds(s, score); len(got) != 1 || got[0].Seed != "doc_0002" || got[0].Direction != state.Forward {
		t.Fatalf("seeds = %+v, want doc_0002 forward", got)
	}
}

// The paper's second round chased the same four seeds again: a pair that was
// chased never comes back, and when nothing is left there is no round.
func TestSeedsAreNotRepeated(t *testing.T) {
	s, score := corpus(doc{2025, 1, 100, 0.9, ""})
	seen := map[string]bool{}
	for range 3 {
		for _, c := range Seeds(s, score) {
			if seen[c.key()] {
				t.Fatalf("%s comes back", c.key())
			}
			seen[c.key()] = true
			s.Merge(&state.State{Expanded: map[string]state.Expansion{c.key(): {Seed: c.Seed, Direction: c.Direction}}})
		}
	}
	if len(seen) != 2 || len(Seeds(s, score)) != 0 {
		t.Errorf("chased %v and then %v; want both directions once and then nothing", seen, Seeds(s, score))
	}
}

func TestTheOtherDirectionGetsItsTurn(t *testing.T) {
	s, score := corpus(doc{2025, 1, 100, 0.9, ""}, doc{2025, 2, 100, 0.8, ""})
	s.Merge(&state.State{Expanded: map[string]state.Expansion{"doc_0001|backward": {Seed: "doc_0001", Direction: state.Backward}}})
	got := Seeds(s, score)
	if len(got) != 1 || got[0].Direction != state.Forward || got[0].Seed != "doc_0002" {
		t.Errorf("seeds = %+v, want the most cited one forward", got)
	}
}

func TestCriticsRequestComesFirst(t *testing.T) {
	s, score := corpus(doc{2025, 1, 100, 0.9, ""}, doc{2025, 2, 100, 0.3, ""})
	s.Merge(&state.State{
		Applied: map[string]state.AppliedEdit{"it1/0": {Iteration: 1, Applied: true, Edit: state.Edit{Op: state.EditSnowball, Target: "doc_0002", Direction: state.Forward}}},
		Done:    map[string]state.Done{"it1/apply": {Node: state.NodeApply, Iteration: 1}},
	})
	if got := Seeds(s, score); len(got) != 2 || got[0].Seed != "doc_0002" {
		t.Errorf("seeds = %+v, want the critic's doc_0002 first", got)
	}
}

func round(s *state.State, number int, found int, docs ...doc) state.Round {
	for i, d := range docs {
		id := fmt.Sprintf("doc_%d%03d", number, i)
		p := state.Provenance{Source: "a", Via: state.ViaSnowball, Round: number, Seed: "x", Direction: state.Backward}
		r := state.Record{Key: "a:" + id, Source: "a", Title: id, Seen: map[string]state.Provenance{p.Key(): p}}
		x := state.DocumentFrom(r)
		x.ID, x.Relevance = id, map[string]state.Relevance{"RQ1": {Score: d.relevance}}
		s.Merge(&state.State{Records: map[string]state.Record{r.Key: r}, Documents: map[string]state.Document{id: x}})
	}
	key := fmt.Sprintf("seed%d|backward", number)
	s.Merge(&state.State{
		Rounds:   map[string]state.Round{state.RoundKey(number): {Number: number, Snowball: true, Seeds: []string{key}}},
		Expanded: map[string]state.Expansion{key: {Found: found}},
	})
	r := Close(s, number)
	s.Merge(&state.State{Rounds: map[string]state.Round{state.RoundKey(number): r}})
	return r
}

func many(n int, relevance float64) []doc {
	out := make([]doc, n)
	for i := range out {
		out[i].relevance = relevance
	}
	return out
}

func TestYieldAndSaturation(t *testing.T) {
	s, _ := corpus()
	for _, c := range []struct {
		name      string
		number    int
		found     int
		docs      []doc
		low       bool
		empty     bool
		saturated bool
	}{
		{"rich", 101, 30, append(many(25, 0.1), many(5, 0.9)...), false, false, false},
		{"one relevant is too few", 102, 5, append(many(3, 0.1), many(1, 0.9)...), true, false, false},
		{"no list anywhere says nothing", 103, 0, nil, false, true, false},
		{"two of thirty is below a tenth", 104, 30, append(many(28, 0.1), many(2, 0.9)...), true, false, true},
		{"a rich round starts the count again", 201, 20, many(4, 0.9), false, false, false},
		{"all known already", 202, 20, nil, true, false, false},
		{"and again", 203, 20, nil, true, false, true},
	} {
		r := round(s, c.number, c.found, c.docs...)
		if r.LowYield != c.low || r.Empty != c.empty || !r.Closed || r.New != len(c.docs) {
			t.Errorf("%s: round = %+v", c.name, r)
		}
		if got, why := Saturated(s); got != c.saturated {
			t.Errorf("%s: saturated = %v (%s), want %v", c.name, got, why, c.saturated)
		}
	}
}
