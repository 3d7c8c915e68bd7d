package lexical

import (
	"cmp"
	"slices"
)

// Pseudo-relevance feedback in the form of RM3 (Lv and Zhai 2009): the new query
// is (1-feedbackShare) of the old one and feedbackShare of the terms of the
// documents that seem relevant.
const (
	feedbackShare = 0.5
	feedbackTerms = 40
)

// Feedback expands a query from documents taken for relevant. k bounds how many
// of them are used, in the order given; k < 1 means all. Unknown IDs are skipped;
// without any known document the query comes back as it was. Weights are scaled
// to sum to 1.
func (ix *Index) Feedback(q Query, relevant []string, k int) Query {
	model := map[string]float64{}
	used := 0
	for _, id := range relevant {
		n, ok := ix.byID[id]
		if !ok || ix.docs[n].length == 0 {
			continue
		}
		for t, w := range ix.docs[n].weights() {
			model[ix.terms[t]] += w / float64(ix.docs[n].length)
		}
		if used++; used == k {
			break
		}
	}
	if used == 0 {
		return q
	}
	type weighted struct {
		term string
		w    float64
	}
	var all []weighted
	for _, t := range sortedKeys(model) {
		// Weighting by rarity keeps the words of the whole corpus out of the model.
		all = append(all, weighted{t, model[t] * ix.IDF(t)})
	}
	slices.SortStableFunc(all, func(x, y weighted) int { return cmp.Compare(y.w, x.w) })
	all = all[:min(len(all), feedbackTerms)]

	out := Query{Terms: map[string]float64{}}
	sum := 0.0
	for _, t := range sortedKeys(q.Terms) {
		sum += q.Terms[t]
	}
	for t, w := range q.Terms {
		if sum > 0 {
			out.Terms[t] = (1 - feedbackShare) * w / sum
		}
	}
	sum = 0
	for _, x := range all {
		sum += x.w
	}
	for _, x := range all {
		if sum > 0 {
			out.Terms[x.term] += feedbackShare * x.w / sum
		}
	}
	return out
}

// weights gives how often each term occurs, title words counted more.
func (d *document) weights() map[int32]float64 {
	out := make(map[int32]float64, len(d.body))
	for _, t := range d.title {
		if t >= 0 {
			out[t] += titleWeight
		}
	}
	for _, t := range d.body {
		if t >= 0 {
			out[t]++
		}
	}
	return out
}
