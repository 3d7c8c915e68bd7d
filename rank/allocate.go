package rank

import "optimistresearch/state"

// Assignment is one document to read and the subquestions to read it for.
type Assignment struct {
	Document     string
	Subquestions []string // first the one whose turn took it, then those it is attached to
	Score        float64
	Turn         int // 1 = in the first round of turns
}

// Allocate fills the reading queue round-robin (ODR, Algorithm 1): the active
// subquestions take turns in priority order, and each takes its best-ranked
// relevant document that is unread for it and not assigned yet, until budget
// documents are chosen or no subquestion can take one. Then every chosen
// document is attached to each further subquestion that it is relevant to and
// unread for, at no cost. The queue is sorted by rank score, so that what a
// budget cuts off is worth least. A (document, subquestion) pair that was read
// is never assigned again. ranked must come from Rank on the same state.
func Allocate(s *state.State, ranked []Scored, budget int) []Assignment {
	var queues []*turn
	for _, q := range s.ActiveSubquestions() {
		t := &turn{subquestion: q.ID}
		for i, r := range ranked {
			if wanted(s, s.Documents[r.Document], q.ID) {
				t.waiting = append(t.waiting, i)
			}
		}
		queues = append(queues, t)
	}
	chosen, turns := map[int][]string{}, map[int]int{}
	for took, n := true, 1; took && len(chosen) < budget; n++ {
		took = false
		for _, t := range queues {
			if len(chosen) >= budget {
				break
			}
			if i, ok := t.next(chosen); ok {
				chosen[i], turns[i] = []string{t.subquestion}, n
				took = true
			}
		}
	}
	var out []Assignment
	for i, r := range ranked {
		qs, ok := chosen[i]
		if !ok {
			continue
		}
		for _, t := range queues {
			if t.subquestion != qs[0] && wanted(s, s.Documents[r.Document], t.subquestion) {
				qs = append(qs, t.subquestion)
			}
		}
		out = append(out, Assignment{Document: r.Document, Subquestions: qs, Score: r.Score, Turn: turns[i]})
	}
	return out
}

// turn is one subquestion's queue, best first.
type turn struct {
	subquestion string
	waiting     []int // indexes into the ranking
}

func (t *turn) next(chosen map[int][]string) (int, bool) {
	for len(t.waiting) > 0 {
		i := t.waiting[0]
		t.waiting = t.waiting[1:]
		if _, taken := chosen[i]; !taken {
			return i, true
		}
	}
	return 0, false
}

// wanted tells whether a document is relevant to a subquestion, unread for it,
// and has a text to read: a document without one would only use up budget, and
// is reported as not retrieved.
func wanted(s *state.State, d state.Document, subquestion string) bool {
	if s.AbstractText(d) == "" {
		return false
	}
	if _, read := d.ReadFor[subquestion]; read {
		return false
	}
	r, ok := d.Relevance[subquestion]
	return ok && r.Score >= s.Settings.Screening.Relevant
}
