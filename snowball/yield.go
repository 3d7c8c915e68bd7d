package snowball

import (
	"fmt"

	"optimistresearch/state"
)

// Close counts what a round brought: documents that no earlier round returned,
// and those of them that are relevant to an active subquestion. A round of
// citation chasing is low-yield when fewer than Settings.Snowball.LowYieldShare
// of its new documents are relevant or fewer than LowYieldMinimum are. It is
// empty, and says nothing about saturation, when no source had a list for any
// of its seeds.
func Close(s *state.State, number int) state.Round {
	r := s.Rounds[state.RoundKey(number)]
	r.Revision, r.Closed = 1, true
	r.Number, r.Iteration, r.Snowball = number, number/100, number%100 > 0
	for _, id := range state.SortedIDs(s.Documents) {
		d := s.Documents[id]
		if firstRound(s, d) != number {
			continue
		}
		r.New++
		if s.Relevant(d) {
			r.Relevant++
		}
	}
	if !r.Snowball {
		return r
	}
	r.Empty = true
	for _, key := range r.Seeds {
		if s.Expanded[key].Found > 0 {
			r.Empty = false
		}
	}
	set := s.Settings.Snowball
	r.LowYield = !r.Empty && LowYield(set, r.New, r.Relevant)
	return r
}

func firstRound(s *state.State, d state.Document) int {
	p := s.Provenance(d)
	if len(p) == 0 {
		return -1
	}
	return p[0].Round
}

// Saturated reports whether the last Settings.Snowball.LowYieldRounds rounds
// that any source had a list for were all low-yield, and says so in words.
// The number of documents is never a criterion.
func Saturated(s *state.State) (bool, string) {
	need := max(s.Settings.Snowball.LowYieldRounds, 1)
	row := 0
	for _, k := range state.SortedIDs(s.Rounds) {
		r := s.Rounds[k]
		switch {
		case !r.Snowball || !r.Closed || r.Empty:
		case r.LowYield:
			row++
		default:
			row = 0
		}
	}
	if row < need {
		return false, fmt.Sprintf("%d of the %d low-yield rounds in a row that mean saturation", row, need)
	}
	return true, fmt.Sprintf("the last %d rounds of citation chasing were low-yield", row)
}

// LowYield tells whether a round in which so many works were new, and so many of
// them relevant, is low-yield.
func LowYield(set state.SnowballSettings, found, relevant int) bool {
	return relevant < set.LowYieldMinimum || float64(relevant) < set.LowYieldShare*float64(found)
}
