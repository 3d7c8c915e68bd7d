package snowball

import (
	"cmp"
	"math"
	"slices"
)

// LinkShare is what the strength of the citation links weighs against the
// likeness of the words, both as log-odds of ranks.
const LinkShare = 0.5

// Candidate is a work that a chase knows and has not screened.
type Candidate struct {
	ID       string
	Link     Link
	Likeness float64 // of its words to what is looked for, on any scale
	Score    float64 // set by Order
}

// Order joins links and words and sorts the candidates, best first, ties by id.
// The scores are sums of log-odds of ranks: 0 is a work in the middle of both.
func Order(list []Candidate) {
	links, words := make([]float64, len(list)), make([]float64, len(list))
	for i, c := range list {
		links[i], words[i] = c.Link.Strength, c.Likeness
	}
	links, words = odds(links), odds(words)
	for i := range list {
		list[i].Score = LinkShare*links[i] + words[i]
	}
	slices.SortFunc(list, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
}

// odds turns values into the log-odds of their ranks; equal values share one.
func odds(values []float64) []float64 {
	n := len(values)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]float64, n)
	for k := 0; k < n; {
		end := k
		for end < n && values[order[end]] == values[order[k]] {
			end++
		}
		p := float64(k+end) / 2 / float64(n)
		for ; k < end; k++ {
			out[order[k]] = math.Log(p / (1 - p))
		}
	}
	return out
}
