package lexical

import (
	"cmp"
	"math"
	"slices"
)

// Judgement is the relevance of a document in [0,1] and one line that says why.
type Judgement struct {
	Score float64
	Note  string
}

type judged struct {
	coverage float64
	fb       float64
	matched  []match
}

type match struct{}

// Relevance judges every document of the index.
func Relevance(ix *Index, question, focus string) map[string]Judgement {
	t := newTopic(ix, parseQuestion(question))
	cov := t.coverages(ix)
	for range F.Rounds {
		t.reweigh(ix)
		cov = t.coverages(ix)
	}
	top := ix.top(cov)
	ideal := 0.0
	for _, n := range top[:min(3, len(top))] {
		ideal += cov[n] / float64(min(3, len(top)))
	}
	if ideal > 0 {
		for n := range cov {
			cov[n] = min(1, cov[n]/max(ideal, P.Norm))
		}
	}
	bm := ix.scores(ix.Expand(QueryFrom(question)))
	{
		order := append([]float64{}, bm...)
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
	first := make([]float64, len(cov))
	for i := range cov {
		first[i] = (1-F.FB)*cov[i] + F.FB*bm[i]
	}
	fb := ix.contrast(first)
	for range F.Rounds2 {
		both := make([]float64, len(cov))
		for i := range cov {
			both[i] = combine(cov[i], fb[i], bm[i])
		}
		fb = ix.contrast(both)
	}
	out := map[string]Judgement{}
	for n := range ix.docs {
		if d := &ix.docs[n]; !d.dead {
			out[d.id] = Judgement{Score: combine(cov[n], fb[n], bm[n])}
		}
	}
	return out
}

func (t *topic) coverages(ix *Index) []float64 {
	cov := make([]float64, len(ix.docs))
	for n := range ix.docs {
		if !ix.docs[n].dead {
			cov[n] = t.coverage(&ix.docs[n])
		}
	}
	return cov
}

// reweigh lowers the weight of a word that documents matching all the other words of
// its phrase seldom use.
func (t *topic) reweigh(ix *Index) {
	has := make([][]bool, len(ix.docs))
	for n := range ix.docs {
		d := &ix.docs[n]
		seen := make([]bool, len(t.units))
		for _, p := range t.find(d.title) {
			seen[p.unit] = true
		}
		for _, p := range t.find(d.body) {
			seen[p.unit] = true
		}
		has[n] = seen
	}
	for _, g := range t.groups {
		for _, p := range g.phrases {
			if len(p.units) < 3 {
				continue
			}
			for _, u := range p.units {
				with, without := 0.0, 0.0
				for n := range ix.docs {
					ok := true
					for _, o := range p.units {
						ok = ok && (o == u || has[n][o])
					}
					if ok && has[n][u] {
						with++
					} else if ok {
						without++
					}
				}
				if with+without < 3 {
					continue
				}
				t.units[u].weight = t.units[u].base * (F.Floor + (1-F.Floor)*with/(with+without))
			}
		}
	}
	for i := range t.groups {
		t.groups[i].weight = 0
		for _, p := range t.groups[i].phrases {
			t.groups[i].weight = max(t.groups[i].weight, t.weight(p.units))
		}
	}
}

func (ix *Index) top(cov []float64) []int {
	var order []int
	for n := range ix.docs {
		if !ix.docs[n].dead && ix.docs[n].length > 0 {
			order = append(order, n)
		}
	}
	slices.SortFunc(order, func(x, y int) int {
		return cmp.Or(cmp.Compare(cov[y], cov[x]), cmp.Compare(ix.docs[x].id, ix.docs[y].id))
	})
	np := min(F.Top, max(int(F.Share*float64(len(order))), 5), len(order)/4)
	return order[:np]
}

var Debug = false

var P = struct{ A, B, Any, Win, Tit, Exp, GExp, Lo, Hi, Lead, K, FE, C0, Norm float64 }{0.45, 0.2, 0.45, 0.35, 0.2, 1.3, 0.6, 0.7, 1.1, 0.6, 0.5, 1.5, 0.3, 0.6}

func combine(c, f, bm float64) float64 {
	return P.A*c + P.B*bm + (1-P.A-P.B)*f
}

func (t *topic) coverage(d *document) float64 {
	if len(t.groups) == 0 {
		return 0
	}
	title, body := t.find(d.title), t.find(d.body)
	tf := make([]float64, len(t.units))
	inTitle := make([]bool, len(t.units))
	for _, p := range title {
		tf[p.unit] += titleWeight
		inTitle[p.unit] = true
	}
	for _, p := range body {
		tf[p.unit]++
	}
	sum, all := 0.0, 0.0
	for _, g := range t.groups {
		best, none := 0.0, 1.0
		for _, w := range g.phrases {
			p := t.presence(w, d, tf, inTitle, body)
			best = max(best, p)
			none *= 1 - p
		}
		p := 0.8*best + 0.2*(1-none)
		sum += g.weight * math.Pow(p, P.GExp)
		all += g.weight
	}
	return math.Pow(sum/all, 1/P.GExp)
}

func (t *topic) presence(w wanted, d *document, tf []float64, inTitle []bool, body []place) float64 {
	total, anyw, titlew := 0.0, 0.0, 0.0
	for i, u := range w.units {
		wt := t.units[u].weight * lead(w.units, i)
		total += wt
		anyw += wt * tf[u] / (tf[u] + 0.6)
		if inTitle[u] {
			titlew += wt
		}
	}
	anyw /= total
	titlew /= total
	win := t.window(w, body) / total
	win = max(win, titlew)
	var p float64
	if len(d.body) == 0 {
		p = titlew
	} else {
		p = P.Any*anyw + P.Win*win + P.Tit*titlew
	}
	return math.Pow(p, P.Exp)
}

// window: greatest weight of distinct units in a short window
func (t *topic) window(w wanted, body []place) float64 {
	width := 3*len(w.units) + 4
	best := 0.0
	var in []place
	for _, p := range body {
		if !slices.Contains(w.units, p.unit) {
			continue
		}
		in = append(in, p)
		for in[0].at < p.at-width {
			in = in[1:]
		}
		s := 0.0
		for i, q := range in {
			dup := false
			for _, r := range in[:i] {
				dup = dup || r.unit == q.unit
			}
			if !dup {
				s += t.units[q.unit].weight * lead(w.units, slices.Index(w.units, q.unit))
			}
		}
		best = max(best, s)
	}
	return best
}

// contrast
func (ix *Index) contrast(cov []float64) []float64 {
	out := make([]float64, len(ix.docs))
	var order []int
	for n := range ix.docs {
		if !ix.docs[n].dead && ix.docs[n].length > 0 {
			order = append(order, n)
		}
	}
	slices.SortFunc(order, func(x, y int) int {
		if cov[x] != cov[y] {
			if cov[x] > cov[y] {
				return -1
			}
			return 1
		}
		if ix.docs[x].id < ix.docs[y].id {
			return -1
		}
		return 1
	})
	np := min(F.Top, max(int(F.Share*float64(len(order))), 5), len(order)/4)
	if np < 3 {
		return out
	}
	// prevalence
	pos := map[int32]float64{}
	wsum := 0.0
	for _, n := range order[:np] {
		w := cov[n]
		wsum += w
		for t := range ix.docs[n].termSet() {
			pos[t] += w
		}
	}
	type tw struct {
		t int32
		w float64
	}
	inP := map[int32]int{}
	for _, n := range order[:np] {
		for t := range ix.docs[n].termSet() {
			inP[t]++
		}
	}
	var ts []tw
	for t, p := range pos {
		if inP[t] < 2 || float64(inP[t]) < F.MinP*float64(np) {
			continue
		}
		pp := p / wsum
		q := (float64(ix.df[t]-inP[t]) + 0.5) / (float64(len(order)-np) + 1)
		ts = append(ts, tw{t, math.Pow(pp, F.PE) * math.Log((pp+0.01)/(q+0.01))})
	}
	slices.SortFunc(ts, func(x, y tw) int {
		if x.w != y.w {
			if x.w > y.w {
				return -1
			}
			return 1
		}
		if ix.terms[x.t] < ix.terms[y.t] {
			return -1
		}
		return 1
	})
	if len(ts) > F.Terms {
		ts = ts[:F.Terms]
	}
	if Debug {
		for _, x := range ts {
			print(ix.terms[x.t], " ")
		}
		println()
	}
	weight := map[int32]float64{}
	for _, x := range ts {
		if x.w > 0 {
			weight[x.t] = x.w
		}
	}
	mean := float64(ix.length) / float64(ix.alive)
	for _, n := range order {
		d := &ix.docs[n]
		var terms []int32
		wts := d.weights()
		for t := range wts {
			if weight[t] > 0 {
				terms = append(terms, t)
			}
		}
		slices.SortFunc(terms, func(x, y int32) int {
			if ix.terms[x] < ix.terms[y] {
				return -1
			}
			return 1
		})
		for _, t := range terms {
			tf := wts[t]
			out[n] += weight[t] * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(d.length)/mean))
		}
	}
	m := 0.0
	for _, n := range order[:np] {
		m += out[n]
	}
	m /= float64(np)
	for n := range out {
		out[n] = min(out[n]/(m*F.Scale), 1)
	}
	return out
}

var F = struct {
	Top, Terms, Rounds, Rounds2              int
	Prior, Scale, Share, Floor, MinP, PE, FB float64
}{20, 40, 1, 1, 2, 1.0, 0.1, 0.3, 0.15, 1, 0.3}
