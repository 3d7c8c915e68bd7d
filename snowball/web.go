package snowball

import (
	"cmp"
	"math"
	"slices"
)

// Web is the citation links that a chase has seen. Works are named by ids of
// the caller's choice; one that nobody has a record of may be among them. The
// zero value is not ready; start with NewWeb. It is not safe for concurrent use.
type Web struct {
	cites, citedBy map[string]map[string]bool
	citations      map[string]int // as sources report them
}

// NewWeb makes an empty web.
func NewWeb() *Web {
	return &Web{cites: map[string]map[string]bool{}, citedBy: map[string]map[string]bool{}, citations: map[string]int{}}
}

// Add notes that one work cites another. A work does not cite itself.
func (w *Web) Add(citing, cited string) {
	if citing == cited || citing == "" || cited == "" {
		return
	}
	put(w.cites, citing, cited)
	put(w.citedBy, cited, citing)
}

// Cited notes how many works cite a work, as a source reports it.
func (w *Web) Cited(work string, citations int) {
	w.citations[work] = max(w.citations[work], citations)
}

func put(m map[string]map[string]bool, from, to string) {
	if m[from] == nil {
		m[from] = map[string]bool{}
	}
	m[from][to] = true
}

// Link says how a work hangs together with the works that were kept.
type Link struct {
	Cites   int // kept works that it cites
	CitedBy int // kept works that cite it
	Shared  int // works that it cites together with two or more kept ones
	Single  int // works that it cites together with one kept one

	// Strength joins them: twice what is direct, and for each work that is cited
	// together 1/ln(2 + the citations it has), as in Adamic and Adar 2003, a
	// third of that when only one kept work cites it.
	Strength float64
}

const (
	directWeight = 2.0
	singleWeight = 0.33
)

// Links gives the links of every work that has one to the kept works. single
// says whether works that only one kept work cites count as a link.
func (w *Web) Links(kept []string, single bool) map[string]Link {
	isKept := map[string]bool{}
	for _, k := range kept {
		isKept[k] = true
	}
	out := map[string]Link{}
	cocited := map[string]int{}
	for _, k := range kept {
		for c := range w.cites[k] {
			cocited[c]++
			l := out[c]
			l.CitedBy++
			out[c] = l
		}
		for c := range w.citedBy[k] {
			l := out[c]
			l.Cites++
			out[c] = l
		}
	}
	strength := map[string]float64{}
	for _, x := range sortedKeys(cocited) { // sums must not depend on the order of a map
		n := cocited[x]
		if isKept[x] || n < 2 && !single {
			continue
		}
		rarity := 1 / math.Log(2+float64(max(len(w.citedBy[x]), w.citations[x])))
		for c := range w.citedBy[x] {
			l := out[c]
			if n >= 2 {
				l.Shared++
				strength[c] += rarity
			} else {
				if isKept[c] {
					continue // the one that cites it
				}
				l.Single++
				strength[c] += singleWeight * rarity
			}
			out[c] = l
		}
	}
	for c, l := range out {
		if isKept[c] {
			delete(out, c)
			continue
		}
		l.Strength = directWeight*float64(l.Cites+l.CitedBy) + strength[c]
		out[c] = l
	}
	return out
}

// Through lists the works that kept works cite and that are worth asking who
// else cites them: those of two or more kept works first, then, with single,
// those of one; the less cited ones first. kept works are left out.
func (w *Web) Through(kept []string, single bool) []string {
	isKept := map[string]bool{}
	for _, k := range kept {
		isKept[k] = true
	}
	n := map[string]int{}
	for _, k := range kept {
		for c := range w.cites[k] {
			n[c]++
		}
	}
	var out []string
	for _, c := range sortedKeys(n) {
		if !isKept[c] && (n[c] >= 2 || single) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(min(n[b], 2), min(n[a], 2)), cmp.Compare(w.citations[a], w.citations[b]), cmp.Compare(n[b], n[a]))
	})
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
