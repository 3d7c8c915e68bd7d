package lexical

import (
	"math"
	"slices"
	"strings"

	"optimistresearch/internal/text"
)

// topic is a question as the index sees it: groups of alternative phrases, all
// groups wanted; the aspects asked about, each wanted; and the focus, of which
// one phrase is enough.
type topic struct {
	groups  []group
	aspects []wanted
	focus   []wanted
	units   []unit           // every distinct unit
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
	forms  [][]int32 // term sequences that name it; empty if no document has it
	weight float64
}

// form is one spelling of a unit, after its first term.
type form struct {
	unit int
	rest []int32
}

// How much a word of the question counts.
const (
	leastWeight = 0.7 // of a word that every document has, as in a corpus searched for it
	mostWeight  = 1.6 // of a word that hardly any document has

	leadWeight       = 0.7 // of a word more than two places before the head of its phrase: [AI [agent memory]]
	populationWeight = 0.3 // of words for whom a study is about
	genericWeight    = 0.5 // of words of scholarly writing
)

// newTopic reads a question and a focus against an index.
func newTopic(ix *Index, question, focus string) *topic {
	b := topicBuilder{
		topic:    &topic{byTerm: map[int32][]form{}},
		ix:       ix,
		acronyms: ix.acronyms.pairs(),
		known:    map[string]int{},
		alike:    map[int]bool{},
	}
	b.read(parseQuestion(question))
	if len(b.groups) > 0 {
		b.narrow(parseQuestion(focus))
	} else { // the question leaves its topic to the focus
		b.read(parseQuestion(focus))
	}
	t := b.topic
	if len(t.groups) == 0 { // a question of aspects alone is about them
		for _, a := range t.aspects {
			t.groups = append(t.groups, group{phrases: []wanted{a}, weight: t.weight(a.units)})
		}
		t.aspects = nil
	}
	for n, u := range t.units {
		for _, f := range u.forms {
			t.byTerm[f[0]] = append(t.byTerm[f[0]], form{n, f[1:]})
		}
	}
	return t
}

type topicBuilder struct {
	*topic
	ix       *Index
	acronyms []acronym
	known    map[string]int // words of a unit to its number
	alike    map[int]bool   // groups of aspects read
}

// read adds phrases; a phrase whose words all stand in an earlier one adds
// nothing, and neither does an aspect that any document has.
func (b *topicBuilder) read(phrases []phrase) {
	groups := map[int]int{}
	for _, p := range phrases {
		if p.aspect {
			if !allIn(wordings().weak, p.words) {
				b.aspect(p)
			}
			continue
		}
		w := b.wanted(p)
		if len(w.units) == 0 || b.covered(w) {
			continue
		}
		g, ok := groups[p.group]
		if !ok {
			g = len(b.groups)
			groups[p.group] = g
			b.groups = append(b.groups, group{})
		}
		b.groups[g].phrases = append(b.groups[g].phrases, w)
		b.groups[g].weight = max(b.groups[g].weight, b.weight(w.units))
	}
}

// narrow adds the phrases of a focus; those that the topic covers, or that any
// document has, do not narrow it.
func (b *topicBuilder) narrow(phrases []phrase) {
	for _, p := range phrases {
		if allIn(wordings().weak, p.words) {
			continue
		}
		if w := b.wanted(p); len(w.units) > 0 && !b.covered(w) {
			b.focus = append(b.focus, w)
		}
	}
}

// aspect adds what is asked about the topic. Of several aspects that stand for
// each other ("evaluated", "benchmarks") one is kept.
func (b *topicBuilder) aspect(p phrase) {
	w := b.wanted(p)
	for _, word := range p.words {
		if n := wordings().alike[stem(word)]; n > 0 {
			if b.alike[n] {
				return
			}
			b.alike[n] = true
		}
	}
	if len(w.units) > 0 && !slices.ContainsFunc(b.aspects, func(a wanted) bool { return slices.Equal(a.units, w.units) }) {
		b.aspects = append(b.aspects, w)
	}
}

func allIn(set map[string]bool, words []string) bool {
	for _, w := range words {
		if !set[w] {
			return false
		}
	}
	return true
}

func (b *topicBuilder) covered(w wanted) bool {
	for _, g := range b.groups {
		for _, p := range g.phrases {
			if !slices.ContainsFunc(w.units, func(u int) bool { return !slices.Contains(p.units, u) }) {
				return true
			}
		}
	}
	return false
}

// wanted turns a phrase into units; words that spell out a known acronym become
// one unit together.
func (b *topicBuilder) wanted(p phrase) wanted {
	w := wanted{label: p.text}
	var ss, plain []string
	for i, word := range p.words {
		if !text.IsStopword(word) {
			ss = append(ss, stem(word))
			plain = append(plain, p.forms[i])
		}
	}
	for i := 0; i < len(ss); {
		n, forms := b.spellings(ss[i:])
		if p.aspect {
			forms = standIns(forms)
		}
		u := b.unit(plain[i:i+n], forms)
		if !slices.Contains(w.units, u) {
			w.units = append(w.units, u)
		}
		i += n
	}
	return w
}

// spellings gives the forms of the unit at the start of a stem sequence and how
// many stems it takes.
func (b *topicBuilder) spellings(ss []string) (int, [][]string) {
	n, forms := 1, [][]string{ss[:1]}
	for _, a := range b.acronyms {
		switch {
		case a.short == ss[0] && n == 1:
			forms = append(forms, a.long)
		case len(a.long) > n && len(a.long) <= len(ss) && slices.Equal(ss[:len(a.long)], a.long):
			n, forms = len(a.long), [][]string{a.long, {a.short}}
		}
	}
	return n, forms
}

// unit gives the number of the unit with these forms, a new one if need be.
func (b *topicBuilder) unit(plain []string, forms [][]string) int {
	keys := make([]string, len(forms))
	for i, f := range forms {
		keys[i] = strings.Join(f, " ")
		if u, ok := b.known[keys[i]]; ok {
			return u
		}
	}
	u := len(b.units)
	for _, k := range keys {
		b.known[k] = u
	}
	b.units = append(b.units, b.ix.newUnit(plain, forms))
	return u
}

// standIns adds to the forms of an aspect the aspects that stand for it.
func standIns(forms [][]string) [][]string {
	alike := wordings().alike
	n := alike[forms[0][0]]
	if n == 0 || len(forms[0]) > 1 {
		return forms
	}
	for _, s := range sortedKeys(alike) {
		if alike[s] == n && s != forms[0][0] {
			forms = append(forms, []string{s})
		}
	}
	return forms
}

// newUnit looks the forms up and weighs the unit by its rarity relative to a term
// that one document in twenty has. Of several spellings the most frequent one
// tells the rarity.
func (ix *Index) newUnit(plain []string, forms [][]string) unit {
	u := unit{label: strings.Join(plain, " ")}
	rarity := math.Inf(1)
	for _, f := range forms {
		seq, rarest := ix.lookUp(f)
		if len(seq) > 0 {
			u.forms = append(u.forms, seq)
			rarity = min(rarity, rarest)
		}
	}
	if math.IsInf(rarity, 1) {
		rarity = idf(ix.alive, 0)
	}
	u.weight = min(max(rarity/idf(ix.alive, ix.alive/20), leastWeight), mostWeight)
	lists := wordings()
	for _, w := range plain {
		w = text.Fold(w)
		switch {
		case lists.population[w]:
			u.weight *= populationWeight
		case text.IsGenericWord(w) || lists.aspect[w]:
			u.weight *= genericWeight
		}
	}
	return u
}

// lookUp gives the term numbers of a form and the greatest rarity among them;
// nothing if a term is unknown.
func (ix *Index) lookUp(form []string) (seq []int32, rarest float64) {
	for _, s := range form {
		n, ok := ix.vocab[s]
		if !ok || ix.df[n] == 0 {
			return nil, 0
		}
		seq = append(seq, n)
		rarest = max(rarest, idf(ix.alive, ix.df[n]))
	}
	return seq, rarest
}

// weight is the mean weight of the units of a phrase.
func (t *topic) weight(units []int) float64 {
	sum := 0.0
	for i := range units {
		sum += t.unitWeight(units, i)
	}
	return sum / float64(len(units))
}

// unitWeight is the weight of the unit at place i of a phrase.
func (t *topic) unitWeight(units []int, i int) float64 {
	if len(units)-i > 2 {
		return leadWeight * t.units[units[i]].weight
	}
	return t.units[units[i]].weight
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

// IsPopulation reports whether a folded word says for whom a study is, such as
// "adults": it narrows a topic only a little.
func IsPopulation(word string) bool { return wordings().population[word] }
