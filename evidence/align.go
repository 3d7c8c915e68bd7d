package evidence

import (
	"math"

	"optimistresearch/internal/text"
)

// align finds the passage of stored that holds most of the quote's words in
// order. The span is in the text that stored was split from.
func align(quote []string, stored []text.Token) (text.Span, float64, bool) {
	m := len(quote)
	if m < minApproximate || m > maxApproximate {
		return text.Span{}, 0, false
	}
	need := int(math.Ceil(MinShare * float64(m)))
	window := m + m/2
	budget := alignBudget
	best := passage{}
	for _, r := range regions(quote, stored, need, window) {
		if budget -= m * (r.End - r.Start); budget < 0 {
			break
		}
		p := alignRegion(quote, stored, r)
		if p.matched >= need && p.end-p.start <= window && p.score > best.score {
			best = p
		}
	}
	if best.score == 0 {
		return text.Span{}, 0, false
	}
	return text.Span{Start: stored[best.start].Start, End: stored[best.end-1].End}, float64(best.matched) / float64(m), true
}

// regions gives the runs of words in which some window holds enough of the
// quote's words in any order. It passes over the text once.
func regions(quote []string, stored []text.Token, need, window int) []text.Span {
	wanted := make(map[string]int, len(quote))
	for _, w := range quote {
		wanted[w]++
	}
	have := make(map[string]int, len(wanted))
	count := 0
	var out []text.Span
	for i, t := range stored {
		if n := wanted[t.Word]; n > 0 {
			if have[t.Word]++; have[t.Word] <= n {
				count++
			}
		}
		if j := i - window; j >= 0 {
			if n := wanted[stored[j].Word]; n > 0 {
				if have[stored[j].Word]--; have[stored[j].Word] < n {
					count--
				}
			}
		}
		if count < need {
			continue
		}
		from := max(i-window+1, 0)
		if k := len(out) - 1; k >= 0 && from <= out[k].End {
			out[k].End = i + 1
		} else {
			out = append(out, text.Span{Start: from, End: i + 1})
		}
	}
	return out
}

// passage is an alignment of the quote with stored[start:end].
type passage struct{ score, matched, start, end int }

// Scores of the alignment: a word in order counts hit, a foreign word between
// two hits costs skip, so that a passage never strays for one more word.
const (
	hit  = 4
	skip = 1
)

// alignRegion is a local alignment with free skips in the quote, in
// O(quote × region) time and O(quote) space.
func alignRegion(quote []string, stored []text.Token, r text.Span) passage {
	prev, row := make([]passage, len(quote)+1), make([]passage, len(quote)+1)
	var best passage
	for j := r.Start; j < r.End; j++ {
		row[0] = passage{}
		for i, w := range quote {
			p := row[i]
			if q := prev[i+1]; q.score-skip > p.score {
				p = q
				p.score -= skip
			}
			if w == stored[j].Word {
				q := prev[i]
				if q.score <= 0 {
					q = passage{start: j}
				}
				q.score, q.matched, q.end = q.score+hit, q.matched+1, j+1
				if q.score > p.score {
					p = q
				}
			}
			row[i+1] = p
			if p.score > best.score {
				best = p
			}
		}
		prev, row = row, prev
	}
	return best
}
