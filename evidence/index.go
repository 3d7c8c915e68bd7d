package evidence

import (
	"cmp"
	"math"
	"slices"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// index holds the distinct claims of one subquestion.
type index struct {
	profiles []*profile // one per distinct claim, ordered by key
	members  [][]state.Evidence
	weight   map[string]float64 // of topic words
}

const longestPosting = 300 // claims under one word that a claim is compared with

// newIndex groups equal claims and weighs their words: a word of the
// subquestion, of scholarly writing, or of most claims says little.
func newIndex(items []state.Evidence, subquestion string, short map[string][]string) *index {
	type keyed struct {
		key  string
		item state.Evidence
	}
	sorted := make([]keyed, len(items))
	for i, e := range items {
		sorted[i] = keyed{text.TitleKey(e.Claim), e}
	}
	slices.SortFunc(sorted, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.item.ID, b.item.ID))
	})
	x := &index{weight: map[string]float64{}}
	for i, e := range sorted {
		if n := len(x.profiles); i > 0 && e.key != "" && e.key == sorted[i-1].key {
			x.members[n-1] = append(x.members[n-1], e.item)
			continue
		}
		x.profiles = append(x.profiles, newProfile(e.item, short))
		x.members = append(x.members, []state.Evidence{e.item})
	}
	x.weigh(subquestion)
	return x
}

func (x *index) weigh(subquestion string) {
	topic := map[string]bool{}
	for _, w := range readWords(subquestion) {
		stem := w.stem
		if head, ok := lexicon().synonym[stem]; ok {
			stem = head
		}
		topic[stem] = true
	}
	df := map[string]int{}
	generic := map[string]bool{}
	for _, p := range x.profiles {
		for _, t := range p.terms {
			df[t]++
			if text.IsGenericWord(p.words[p.stems[t]].Word) {
				generic[t] = true
			}
		}
	}
	order := state.Keys(df)
	slices.SortStableFunc(order, func(a, b string) int { return df[a] - df[b] })
	id := make(map[string]int, len(order))
	n := float64(len(x.profiles))
	for i, t := range order {
		w := 1.0
		if topic[t] || generic[t] {
			w = genericWeight
		}
		if n >= 5 {
			w *= 1 - 0.5*math.Sqrt(float64(df[t])/n)
		}
		x.weight[t], id[t] = w, i
	}
	for _, p := range x.profiles {
		for _, t := range p.terms {
			p.index = append(p.index, term{id[t], x.weight[t]})
			p.weight += x.weight[t]
		}
		slices.SortFunc(p.index, func(a, b term) int { return a.id - b.id })
	}
}

// pair is two claims of an index, a < b.
type pair struct {
	a, b int
	sim  float64
}

// pairs gives the pairs of claims that are at least min similar, the most
// similar first. Only claims that share a word of their rarest ones are
// compared: with Dice ≥ min, two claims share more weight than the words beyond
// that prefix hold (prefix filtering, Chaudhuri et al. 2006).
func (x *index) pairs(min float64) []pair {
	postings := map[int][]int{}
	var out []pair
	seen := make([]int, len(x.profiles))
	for b, p := range x.profiles {
		rest := p.weight
		for _, t := range p.index {
			if rest < p.weight*min/(2-min)-1e-9 {
				break
			}
			rest -= t.weight
			list := postings[t.id]
			for _, a := range list {
				if seen[a] == b+1 {
					continue
				}
				seen[a] = b + 1
				if s := similarity(x.profiles[a], p); s >= min {
					out = append(out, pair{a, b, s})
				}
			}
			if len(list) < longestPosting {
				postings[t.id] = append(list, b)
			}
		}
	}
	slices.SortFunc(out, func(p, q pair) int {
		return cmp.Or(cmp.Compare(q.sim, p.sim), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	return out
}

// bySubquestion splits items, in the order of subquestions.
func bySubquestion(items []state.Evidence) (ids []string, split map[string][]state.Evidence) {
	split = map[string][]state.Evidence{}
	seen := map[string]bool{}
	for _, e := range items {
		if !seen[e.ID] {
			seen[e.ID] = true
			split[e.Subquestion] = append(split[e.Subquestion], e)
		}
	}
	return state.SortedIDs(split), split
}
