package lexical

import (
	"math"
	"slices"
	"strings"

	"optimistresearch/internal/text"
)

// topic is a question as the index sees it: groups of alternative phrases, all
// groups wanted, and the aspects asked about.
type topic struct {
	groups  []group
	aspects []wanted
	units   []unit           // every distinct unit of the groups
	byTerm  map[int32][]form // first term of a form to the forms
}

// group holds phrases of one list; one of them is enough.
type group struct {
	phrases []wanted
	weight  float64
}

// wanted is a phrase of the question: numbers of units.
type wanted struct {
	label string
	units []int
}

// unit is one content word of the question, or a long form and its acronym.
type unit struct {
	label  string
	key    string
	forms  [][]int32 // term sequences that name it; empty if no document has it
	weight float64
	base   float64
}

// form is one spelling of a unit, after its first term.
type form struct {
	unit int
	rest []int32
}

// Weights of words that narrow a topic only a little.
const (
	populationWeight = 0.3
	genericWeight    = 0.5
)

// newTopic reads the phrases of a question against an index.
func newTopic(ix *Index, phrases []phrase) *topic {
	t := &topic{byTerm: map[int32][]form{}}
	known := map[string]int{}
	groups := map[int]int{}
	seen := map[string]bool{}
	acronyms := ix.acronyms.pairs()
	for _, p := range phrases {
		w := t.wanted(ix, p, acronyms, known)
		key := strings.Join(p.words, " ")
		if len(w.units) == 0 || seen[key] {
			continue
		}
		seen[key] = true
		if p.aspect {
			t.aspects = append(t.aspects, w)
			continue
		}
		g, ok := groups[p.group]
		if !ok {
			g = len(t.groups)
			groups[p.group] = g
			t.groups = append(t.groups, group{})
		}
		t.groups[g].phrases = append(t.groups[g].phrases, w)
	}
	for i := range t.groups {
		for _, p := range t.groups[i].phrases {
			t.groups[i].weight = max(t.groups[i].weight, t.weight(p.units))
		}
	}
	for n, u := range t.units {
		for _, f := range u.forms {
			t.byTerm[f[0]] = append(t.byTerm[f[0]], form{n, f[1:]})
		}
	}
	return t
}

// weight is the mean weight of units.
func (t *topic) weight(units []int) float64 {
	sum := 0.0
	for i, u := range units {
		sum += t.units[u].weight * lead(units, i)
	}
	return sum / float64(len(units))
}

// wanted turns a phrase into units; words that spell out a known acronym become
// one unit together.
func (t *topic) wanted(ix *Index, p phrase, acronyms []acronym, known map[string]int) wanted {
	w := wanted{label: p.text}
	var ss []string
	var plain []string
	for _, word := range p.words {
		if !text.IsStopword(word) {
			ss = append(ss, stem(word))
			plain = append(plain, word)
		}
	}
	for i := 0; i < len(ss); {
		n, forms := 1, [][]string{{ss[i]}}
		for _, a := range acronyms {
			if a.short == ss[i] {
				forms = append(forms, a.long)
			} else if i+len(a.long) <= len(ss) && len(a.long) > n && slices.Equal(ss[i:i+len(a.long)], a.long) {
				n, forms = len(a.long), [][]string{a.long, {a.short}}
			}
		}
		key := strings.Join(ss[i:i+n], " ")
		u, ok := known[key]
		if !ok {
			u = len(t.units)
			known[key] = u
			for _, f := range forms { // the other spelling is the same unit from now on
				if k := strings.Join(f, " "); len(forms) > 1 {
					if _, taken := known[k]; !taken {
						known[k] = u
					}
				}
			}
			t.units = append(t.units, ix.newUnit(plain[i:i+n], key, forms))
		}
		if !slices.Contains(w.units, u) {
			w.units = append(w.units, u)
		}
		i += n
	}
	return w
}

func (ix *Index) newUnit(plain []string, key string, forms [][]string) unit {
	u := unit{label: strings.Join(plain, " "), key: key}
	rarest := math.Inf(1)
	for _, f := range forms {
		var seq []int32
		least := 0.0
		for _, s := range f {
			n, ok := ix.vocab[s]
			if !ok || ix.df[n] == 0 {
				seq = nil
				break
			}
			seq = append(seq, n)
			least = max(least, ix.IDF(s))
		}
		if len(seq) > 0 {
			u.forms = append(u.forms, seq)
			rarest = min(rarest, least) // of several spellings the most frequent one tells the rarity
		}
	}
	if math.IsInf(rarest, 1) {
		rarest = idf(ix.alive, 0)
	}
	// Rarity relative to a term that one document in twenty has, within bounds: in a
	// corpus that was searched for the topic its very words are everywhere.
	u.weight = min(max(rarest/idf(ix.alive, ix.alive/20), P.Lo), P.Hi)
	words := wordings()
	for _, w := range plain {
		switch {
		case words.population[w]:
			u.weight *= populationWeight
		case text.IsGenericWord(w) || words.aspect[w]:
			u.weight *= genericWeight
		}
	}
	u.base = u.weight
	return u
}

// place is an occurrence of a unit.
type place struct{ unit, at int }

// find gives the occurrences of the topic's units in a term sequence.
func (t *topic) find(seq []int32) []place {
	var out []place
	for i, n := range seq {
		if n < 0 {
			continue
		}
		for _, f := range t.byTerm[n] {
			if i+len(f.rest) < len(seq) && slices.Equal(seq[i+1:i+1+len(f.rest)], f.rest) {
				out = append(out, place{f.unit, i})
			}
		}
	}
	return out
}

func lead(units []int, i int) float64 {
	if len(units)-i > 2 {
		return P.Lead
	}
	return 1
}
