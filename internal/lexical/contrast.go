package lexical

import (
	"cmp"
	"math"
	"slices"
)

// What makes the best matches of a question differ from the other documents is
// learned from them (pseudo-relevance feedback with a background, in the manner
// of Rocchio 1971), so that a document that uses the field's other words is
// recognised as well. The number of matches, terms and rounds and the power were
// chosen on half of the screening reviews and checked on the other half;
// nearBest and shortestLength were set with all of them in view.
const (
	mostMatches   = 50   // documents learned from,
	matchShare    = 0.15 // and the share of all documents that they may be
	leastMatches  = 5
	nearBest      = 0.4 // share of the best documents' match that each must reach
	contrastTerms = 150
	leastPresence = 0.1 // share of the matches that must have a term
	presencePower = 0.7 // how much wide use among the matches counts
	rounds        = 3   // the matches are chosen anew after each

	// A document shorter than this share of the mean, such as a title without
	// abstract, is not taken to be any denser.
	shortestLength = 0.5
)

// contrast gives each document's likeness to those that score best and match the
// question itself, 1 being their own mean; nil if there are too few of them to
// learn from. terms are the words learned, heaviest first.
func (ix *Index) contrast(score, match []float64) (likeness []float64, terms []int32) {
	order := ix.ranked(score)
	docs := len(order)
	best := meanOfBest(match, 1)
	order = order[:min(mostMatches, max(int(matchShare*float64(docs)), leastMatches), docs/4)]
	order = slices.DeleteFunc(order, func(n int) bool { return match[n] < nearBest*best })
	if len(order) < 3 || best == 0 {
		return nil, nil
	}
	weights, terms := ix.distinguishing(order, docs, match)
	likeness = ix.likeness(weights)
	mean, all := 0.0, 0.0
	for _, n := range order {
		mean += likeness[n] * match[n]
		all += match[n]
	}
	mean /= all
	if mean == 0 {
		return nil, nil
	}
	for i := range likeness {
		likeness[i] = min(likeness[i]/mean, 1)
	}
	return likeness, terms
}

// ranked gives the numbers of the documents with text, best score first, ties by
// ID.
func (ix *Index) ranked(score []float64) []int {
	var order []int
	for n := range ix.docs {
		if !ix.docs[n].dead && ix.docs[n].length > 0 {
			order = append(order, n)
		}
	}
	slices.SortFunc(order, func(x, y int) int {
		return cmp.Or(cmp.Compare(score[y], score[x]), cmp.Compare(ix.docs[x].id, ix.docs[y].id))
	})
	return order
}

// distinguishing weighs the terms that matches use more than the other documents
// do. Each match counts as much as it is trusted.
func (ix *Index) distinguishing(matches []int, docs int, trust []float64) (map[int32]float64, []int32) {
	weightOf, countOf := map[int32]float64{}, map[int32]int{}
	all := 0.0
	for _, n := range matches {
		all += trust[n]
		for t := range ix.docs[n].termSet() {
			weightOf[t] += trust[n]
			countOf[t]++
		}
	}
	weights := map[int32]float64{}
	var terms []int32
	for t, w := range weightOf {
		if countOf[t] < 2 || float64(countOf[t]) < leastPresence*float64(len(matches)) {
			continue
		}
		within := w / all
		outside := (float64(ix.df[t]-countOf[t]) + 0.5) / (float64(docs-len(matches)) + 1)
		if weight := math.Pow(within, presencePower) * math.Log((within+0.01)/(outside+0.01)); weight > 0 {
			weights[t] = weight
			terms = append(terms, t)
		}
	}
	slices.SortFunc(terms, func(x, y int32) int {
		return cmp.Or(cmp.Compare(weights[y], weights[x]), cmp.Compare(ix.terms[x], ix.terms[y]))
	})
	terms = terms[:min(len(terms), contrastTerms)]
	kept := make(map[int32]float64, len(terms))
	for _, t := range terms {
		kept[t] = weights[t]
	}
	return kept, terms
}

// likeness scores all documents by weighted terms, each saturating and measured
// against the document's length as in BM25.
func (ix *Index) likeness(weights map[int32]float64) []float64 {
	out := make([]float64, len(ix.docs))
	mean := max(float64(ix.length)/float64(max(ix.alive, 1)), 1)
	terms := make([]int32, 0, len(weights))
	for t := range weights {
		terms = append(terms, t)
	}
	slices.SortFunc(terms, func(x, y int32) int { return cmp.Compare(ix.terms[x], ix.terms[y]) })
	for _, t := range terms {
		for _, p := range ix.postings[t] {
			doc := &ix.docs[p.doc]
			if doc.dead {
				continue
			}
			tf := float64(p.body) + titleWeight*float64(p.title)
			out[p.doc] += weights[t] * tf * (k1 + 1) / (tf + k1*(1-b+b*max(float64(doc.length)/mean, shortestLength)))
		}
	}
	return out
}
