package screening

import (
	"cmp"
	"math"
	"slices"
)

// odds turns scores into the log-odds of their ranks, so that measures on any
// scale can be added up; equal scores share a rank. The best of n gets
// ln(2n-1), the median 0.
func odds(scores []float64) []float64 {
	n := len(scores)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	out := make([]float64, n)
	for k := 0; k < n; {
		end := k
		for end < n && scores[order[end]] == scores[order[k]] {
			end++
		}
		p := float64(k+end) / 2 / float64(n)
		for ; k < end; k++ {
			out[order[k]] = math.Log(p / (1 - p))
		}
	}
	return out
}

// addScaled adds w times x to sum.
func addScaled(sum, x []float64, w float64) {
	for i := range sum {
		sum[i] += w * x[i]
	}
}

// best lists places by score, best first; ties by ID.
func (c *Corpus) best(score []float64) []int {
	order := make([]int, len(score))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(c.Records[a].ID, c.Records[b].ID))
	})
	return order
}

// standard scales values to mean 0 and deviation 1 over those that count.
func standard(v []float64, counts func(i int) bool) {
	mean, square, n := 0.0, 0.0, 0.0
	for i, x := range v {
		if counts(i) {
			mean += x
			square += x * x
			n++
		}
	}
	if n == 0 {
		return
	}
	mean /= n
	deviation := math.Sqrt(max(square/n-mean*mean, 0))
	if deviation < 1e-9 {
		deviation = 1
	}
	for i := range v {
		v[i] = (v[i] - mean) / deviation
	}
}
