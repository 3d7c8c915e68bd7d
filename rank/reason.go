package rank

import (
	"fmt"
	"strings"

	"optimistresearch/state"
)

// Reasons says in one sentence for every ranked document where its score comes
// from and whether it is read: by whose turn it was taken and what it is
// attached to, or what kept it out of the queue. ranked and queue must come from
// Rank and Allocate on the same state.
func Reasons(s *state.State, ranked []Scored, queue []Assignment, budget int) map[string]string {
	taken := map[string]Assignment{}
	for _, a := range queue {
		taken[a.Document] = a
	}
	w, _ := Weights(s)
	out := make(map[string]string, len(ranked))
	for i, r := range ranked {
		a, ok := taken[r.Document]
		out[r.Document] = fmt.Sprintf("place %d of %d, score %.3f = %s; %s", i+1, len(ranked), r.Score, terms(r, w), fate(s, r, a, ok, budget))
	}
	return out
}

// terms writes the sum that a score is.
func terms(r Scored, w state.RankingSettings) string {
	total := w.Relevance + w.Impact + w.Recency + w.Corroboration
	if total <= 0 {
		return "0, since all weights are 0"
	}
	impact := "impact"
	if !r.Counted {
		impact = "impact (no source counts its citations: the median)"
	}
	var parts []string
	for _, t := range []struct {
		name          string
		weight, value float64
	}{{"relevance", w.Relevance, r.Relevance}, {impact, w.Impact, r.Impact}, {"recency", w.Recency, r.Recency}, {"corroboration", w.Corroboration, r.Corroboration}} {
		if t.weight > 0 {
			parts = append(parts, fmt.Sprintf("%.2f × %s %.2f", t.weight/total, t.name, t.value))
		}
	}
	return strings.Join(parts, " + ")
}

// fate says what became of a document in the queue.
func fate(s *state.State, r Scored, a Assignment, taken bool, budget int) string {
	if taken {
		out := fmt.Sprintf("read for %s, which took it in turn %d", a.Subquestions[0], a.Turn)
		if more := a.Subquestions[1:]; len(more) > 0 {
			out += ", and at no cost for " + strings.Join(more, ", ")
		}
		return out
	}
	d := s.Documents[r.Document]
	if s.AbstractText(d) == "" {
		return "not read: it has no text"
	}
	for _, q := range s.ActiveSubquestions() {
		if wanted(s, d, q.ID) {
			return fmt.Sprintf("not read in this iteration: the subquestions took others in their turns until %s", documents(budget))
		}
	}
	return "not read again: it was read for every subquestion that it is relevant to"
}

func documents(budget int) string {
	switch budget {
	case 0:
		return "nothing was left of the reading budget"
	case 1:
		return "the one document of this iteration's reading budget was chosen"
	}
	return fmt.Sprintf("the %d documents of this iteration's reading budget were chosen", budget)
}
