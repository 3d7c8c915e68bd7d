// Package snowball decides which citations to chase, in which direction, and
// when chasing brings no more (ODR, section 8). It needs no model and must
// never count an absent list as saturation: a source without a list has said
// nothing. Start with Seeds.
package snowball

import (
	"fmt"
	"slices"
	"sort"

	"optimistresearch/state"
)

// Choice is one (seed, direction) pair to chase.
type Choice struct {
	Seed        string // document id
	Direction   string // state.Backward or state.Forward
	Subquestion string // "" when the critic asked for it
	Why         string
}

func (c Choice) key() string { return c.Seed + "|" + c.Direction }

// Years that shape the choice of direction, relative to the question's year.
const (
	recentWithin = 4 // median year ≥ year − 4 is a recent corpus
	oldAfter     = 6 // median year ≤ year − 6 is an old one
	narrowSpan   = 3 // years between the first and the last relevant document
)

// Seeds picks the pairs of the next round: first what the last critique asked
// for, then per active subquestion Settings.Snowball.SeedsPerRound documents
// that are clearly relevant to it, were found by direct search and were not
// chased in that direction before. score is the rank score by document.
//
// A subquestion whose relevant documents are recent and close together lacks
// its foundations: backward from the most relevant recent one. An old or mixed
// one lacks what came since: forward from the most cited. When nothing is left
// to chase in that direction, or when the run has chased only one direction so
// far, the other is taken. No choice means that there is nothing to chase.
func Seeds(s *state.State, score map[string]float64) []Choice {
	var out []Choice
	taken := map[string]bool{}
	add := func(c Choice) bool {
		if _, done := s.Expanded[c.key()]; done || taken[c.key()] {
			return false
		}
		taken[c.key()] = true
		out = append(out, c)
		return true
	}
	for _, c := range requested(s) {
		add(c)
	}
	lacking := missingDirection(s)
	for _, q := range s.ActiveSubquestions() {
		direction, shape := Direction(s, q.ID)
		if lacking != "" && direction != lacking {
			direction, shape = lacking, fmt.Sprintf("so far only the other direction was chased; %s", shape)
		}
		n := 0
		for _, dir := range []string{direction, opposite(direction)} {
			why := shape
			if dir != direction {
				why = "no seed is left " + direction + "; " + shape
			}
			for _, id := range candidates(s, q.ID, dir, score) {
				if n >= max(s.Settings.Snowball.SeedsPerRound, 1) {
					break
				}
				if add(Choice{Seed: id, Direction: dir, Subquestion: q.ID, Why: why}) {
					n++
					if dir == lacking {
						lacking = ""
					}
				}
			}
		}
	}
	return out
}

// Direction says which way to chase for a subquestion, and why.
func Direction(s *state.State, subquestion string) (direction, why string) {
	var years []int
	for _, id := range state.SortedIDs(s.Documents) {
		d := s.Documents[id]
		if r, ok := d.Relevance[subquestion]; ok && r.Score >= s.Settings.Screening.Relevant && d.FirstYear() != 0 {
			years = append(years, d.FirstYear())
		}
	}
	if len(years) == 0 {
		return state.Forward, "no relevant document has a known year"
	}
	slices.Sort(years)
	span := years[len(years)-1] - years[0]
	median := years[(len(years)-1)/2]
	facts := fmt.Sprintf("relevant documents span %d to %d, median %d", years[0], years[len(years)-1], median)
	switch {
	case span <= narrowSpan && median >= s.Question.Year-recentWithin:
		return state.Backward, facts + ": recent and close together, so the foundations are missing"
	case median <= s.Question.Year-oldAfter:
		return state.Forward, facts + ": old, so what came since is missing"
	}
	return state.Forward, facts + ": mixed, so what came since may be missing"
}

// candidates lists the possible seeds of a subquestion, best first: by
// relevance (recent ones first) when chasing backward, by citations when
// chasing forward; then by rank score and id.
func candidates(s *state.State, subquestion, direction string, score map[string]float64) []string {
	var ids []string
	for _, id := range state.SortedIDs(s.Documents) {
		d := s.Documents[id]
		r, ok := d.Relevance[subquestion]
		if _, ranked := score[id]; !ranked || !ok || r.Score < s.Settings.Screening.ClearlyRelevant || !s.FoundBySearch(d) {
			continue
		}
		ids = append(ids, id)
	}
	sort.SliceStable(ids, func(i, j int) bool {
		a, b := s.Documents[ids[i]], s.Documents[ids[j]]
		if direction == state.Forward {
			ca, _ := a.CitationCount()
			cb, _ := b.CitationCount()
			if ca != cb {
				return ca > cb
			}
		} else {
			recentA, recentB := recent(s, a), recent(s, b)
			if recentA != recentB {
				return recentA
			}
			if ra, rb := a.Relevance[subquestion].Score, b.Relevance[subquestion].Score; ra != rb {
				return ra > rb
			}
		}
		return score[ids[i]] > score[ids[j]]
	})
	return ids
}

func recent(s *state.State, d state.Document) bool {
	return d.FirstYear() >= s.Question.Year-recentWithin
}

// requested returns the chases that the previous iteration's critique asked
// for and code accepted.
func requested(s *state.State) []Choice {
	var out []Choice
	for _, k := range state.SortedIDs(s.Applied) {
		a := s.Applied[k]
		if a.Applied && a.Edit.Op == state.EditSnowball && a.Iteration == s.Iteration()-1 {
			out = append(out, Choice{Seed: a.Edit.Target, Direction: a.Edit.Direction, Why: "the critic asked for it"})
		}
	}
	return out
}

// missingDirection is the direction that the run has not chased although it
// has chased the other; "" before the first chase or when both were.
func missingDirection(s *state.State) string {
	seen := map[string]bool{}
	for _, e := range s.Expanded {
		seen[e.Direction] = true
	}
	if len(seen) != 1 {
		return ""
	}
	if seen[state.Backward] {
		return state.Forward
	}
	return state.Backward
}

func opposite(direction string) string {
	if direction == state.Forward {
		return state.Backward
	}
	return state.Forward
}
