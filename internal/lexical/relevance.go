package lexical

import (
	"fmt"
	"slices"
)

// Judgement is the relevance of a document in [0,1] and one line that says why.
type Judgement struct {
	Score float64
	Note  string
}

var P = struct {
	A, B, FB, U, V, R0, VE, K0, Asp float64
}{.2, .1, .3, .2, .3, .3, .45, .6, .15}

func Relevance(ix *Index, question, focus string) map[string]Judgement {
	t := newTopic(ix, question, focus)
	found := make([]seen, len(ix.docs))
	cov := make([]float64, len(ix.docs))
	mat := make([]float64, len(ix.docs))
	for n := range ix.docs {
		if !ix.docs[n].dead {
			found[n] = t.look(&ix.docs[n])
			cov[n] = found[n].coverage
			mat[n] = found[n].match
		}
	}
	bm := ix.scores(ix.Expand(QueryFrom(question)))
	normal(bm)
	first := make([]float64, len(cov))
	for i := range cov {
		first[i] = (1-P.FB)*mat[i] + P.FB*bm[i]
	}
	rank := first
	var like []float64
	for range rounds {
		l, _ := ix.contrast(rank)
		if l == nil {
			break
		}
		like = l
		r := make([]float64, len(cov))
		for i := range r {
			r[i] = P.A*mat[i] + P.B*bm[i] + (1-P.A-P.B)*like[i]
		}
		rank = r
	}
	strength := 0.0
	order := ix.ranked(first)
	k := min(5, len(order))
	for _, n := range order[:k] {
		strength += cov[n] / float64(k)
	}
	out := map[string]Judgement{}
	for n := range ix.docs {
		d := &ix.docs[n]
		if d.dead {
			continue
		}
		var s float64
		if like == nil {
			s = 0.95 * cov[n]
		} else {
			z := min(max(rank[n]+P.U*(cov[n]-P.V), 0), 1) * min(1, strength/P.K0)
			switch {
			case z < P.R0:
				s = .5 * z / P.R0
			case z < P.VE:
				s = .5 + .2*(z-P.R0)/(P.VE-P.R0)
			default:
				s = .7 + .3*(z-P.VE)/(1-P.VE)
			}
		}
		if Mode == 1 {
			s = rank[n]
		}
		s *= 1 - P.Asp + P.Asp*found[n].aspects
		l := 0.0
		if like != nil {
			l = like[n]
		}
		out[d.id] = Judgement{Score: s, Note: fmt.Sprintf("c %.2f bm %.2f fb %.2f r %.2f str %.2f asp %.2f", cov[n], bm[n], l, rank[n], strength, found[n].aspects)}
	}
	return out
}

func normal(bm []float64) {
	order := slices.Clone(bm)
	slices.Sort(order)
	m := 0.0
	k := min(3, len(order))
	for _, v := range order[len(order)-k:] {
		m += v / float64(k)
	}
	for i := range bm {
		if m > 0 {
			bm[i] = min(1, bm[i]/m)
		}
	}
}

func Set(lw, mw, ld, fw, je, pe, any, str, tit float64, mode float64) {
	leastWeight, mostWeight, leadWeight, focusWeight, jointExponent, phraseExp, anywhereShare, stretchShare, titleShare = lw, mw, ld, fw, je, pe, any, str, tit
	Mode = mode
}

var Mode = 0.0
