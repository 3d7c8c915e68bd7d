package evidence

import (
	"slices"
	"strings"

	"optimistresearch/internal/text"
)

// similarity is the Dice coefficient of two claims' weighted topic words.
func similarity(a, b *profile) float64 {
	if a.weight+b.weight == 0 {
		return 0
	}
	shared, i, j := 0.0, 0, 0
	for i < len(a.index) && j < len(b.index) {
		switch x, y := a.index[i], b.index[j]; {
		case x.id == y.id:
			shared += x.weight
			i, j = i+1, j+1
		case x.id < y.id:
			i++
		default:
			j++
		}
	}
	return 2 * shared / (a.weight + b.weight)
}

// aboutOthers reports whether two claims speak of different systems,
// populations or settings: each names one that the other does not, or they use
// exclusive words.
func aboutOthers(a, b *profile) bool {
	if a.namesBeyond(b) && b.namesBeyond(a) {
		return true
	}
	for set, xs := range a.sets {
		if ys := b.sets[set]; len(ys) > 0 && !subset(xs, ys) && !subset(ys, xs) {
			return true
		}
	}
	return false
}

func (p *profile) namesBeyond(q *profile) bool { return p.beyond(q) > 0 }

// beyond counts the names of p that q lacks.
func (p *profile) beyond(q *profile) int {
	n := 0
	for name := range p.names {
		if !q.denotes(name) {
			n++
		}
	}
	return n
}

// foreignNames is how many names one claim may have beyond another that says the
// same.
const foreignNames = 1

// addNames reports whether one of two claims names several things that the other
// does not, and so tells of something else.
func addNames(a, b *profile) bool {
	return a.beyond(b) > foreignNames || b.beyond(a) > foreignNames
}

// numbersDiffer reports whether each of two claims has a number that the other
// does not.
func numbersDiffer(a, b *profile) bool {
	return !subset(a.numbers, b.numbers) && !subset(b.numbers, a.numbers)
}

// circumstancesDiffer reports whether each of two claims gives a number that
// says when, to whom or how much was given ("type 2", "at 12 months", "50 mg")
// and that the other does not give. Numbers that say how large an effect or a
// sample was are not circumstances.
func circumstancesDiffer(a, b *profile) bool {
	x, y := circumstances(a.words), circumstances(b.words)
	return !subset(x, y) && !subset(y, x)
}

// circumstances gives the numbers of a claim that stand before a unit of time
// or dose, or behind the noun that they tell apart, each with that word.
func circumstances(ws []word) []string {
	var out []string
	for i, w := range ws {
		switch {
		case !isNumber(w.Word):
		case i+1 < len(ws) && lexicon().circumstance["~"+ws[i+1].stem]:
			out = append(out, w.Word+" "+ws[i+1].stem)
		case i > 0 && lexicon().label[ws[i-1].Word]:
			out = append(out, ws[i-1].stem+" "+w.Word)
		}
	}
	return out
}

func subset(a, b []string) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

// swapped reports whether two claims put the same things on different sides of
// a verb: "A outperforms B" and "B outperforms A", "A raises B" and "B raises
// A".
func swapped(a, b *profile) bool {
	la, ra := a.sides()
	lb, rb := b.sides()
	return common(la, rb) > 0 && common(ra, lb) > 0 && common(la, rb)+common(ra, lb) > common(la, lb)+common(ra, rb)
}

// sides gives the topic words before the verb that divides a claim and those
// after it, without those on both; nothing if the sides may be exchanged
// (passive). In "A is better than B at C" the second side is B.
func (p *profile) sides() (left, right []string) {
	i, j, end := p.st.main, p.st.main+1, len(p.words)
	if p.st.versus >= 0 {
		i, j = p.st.versus, p.st.versus+1
		if k := comparison(p.words, i); k > 0 {
			j = k + 1
			for end = j; end < len(p.words) && !closes(p.words, end, j); {
				end++
			}
		}
	} else if p.st.passive {
		return nil, nil
	}
	if i < 0 {
		return nil, nil
	}
	left, right = p.topicIn(0, i), p.topicIn(j, end)
	both := func(x string) bool { return slices.Contains(left, x) && slices.Contains(right, x) }
	l := slices.DeleteFunc(slices.Clone(left), both)
	r := slices.DeleteFunc(slices.Clone(right), both)
	return l, r
}

// closes reports whether the phrase that starts at from ends before i.
func closes(ws []word, i, from int) bool {
	if i <= from {
		return false
	}
	switch ws[i].Word {
	case "in", "on", "for", "at", "when", "by", "while", "and", "after":
		return true
	}
	return ws[i].Gap
}

// topicIn gives the stems of the topic words in a range of the claim, each once,
// sorted.
func (p *profile) topicIn(from, to int) []string {
	var out []string
	for _, w := range p.words[max(from, 0):max(min(to, len(p.words)), max(from, 0))] {
		if topical(w.Word, w.stem) {
			out = append(out, w.stem)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// object gives the topic words of the outcome: those after the cue, up to the
// next preposition of circumstance; those before it in a passive. Words that
// only measure are left out.
func (p *profile) object() []string {
	i := p.st.main
	if i < 0 {
		return nil
	}
	end, named := i+1, false
	for ; end < len(p.words) && end <= i+2*objectReach && !p.words[end].Gap && !lexicon().stops[p.words[end].Word]; end++ {
		w := p.words[end]
		if w.Word == "for" && named {
			break
		}
		named = named || topical(w.Word, w.stem) && !has(lexicon().measure, w.Word, w.stem)
	}
	words := p.topicIn(i+1, end)
	if len(words) == 0 || p.st.passive {
		words = p.topicIn(i-objectReach, i)
	}
	return slices.DeleteFunc(words, func(s string) bool {
		return lexicon().measure["~"+s] || text.IsGenericWord(p.words[p.stems[s]].Word)
	})
}

// otherOutcome reports whether two claims state something of different
// outcomes. The first test asks for a word in common at all, the second for
// half of the words.
func otherOutcome(a, b *profile) bool {
	x, y := a.object(), b.object()
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	inB := func(s string) bool { _, ok := b.stems[s]; return ok }
	inA := func(s string) bool { _, ok := a.stems[s]; return ok }
	if !slices.ContainsFunc(x, inB) || !slices.ContainsFunc(y, inA) {
		return true
	}
	foreign := func(list []string, in func(string) bool) int {
		n := 0
		for _, s := range list {
			if !in(s) {
				n++
			}
		}
		return n
	}
	fx, fy := foreign(x, inB), foreign(y, inA)
	return fx > 0 && fy > 0 && 2*(fx+fy) > len(x)+len(y)
}

// common counts the entries of a sorted list that another has.
func common(a, b []string) int {
	n := 0
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); ok {
			n++
		}
	}
	return n
}

// substituted reports whether two claims are equal but for one short phrase in
// the middle, as "central nervous system" and "peripheral nervous system" are.
// Authors who report one finding in their own words differ in more places; such
// a pair differs in the point. Words of one direction, measure or scholarly
// writing may replace each other.
func substituted(a, b *profile) bool {
	x, y := a.sequence(), b.sequence()
	n := 0
	for n < len(x) && n < len(y) && x[n].stem == y[n].stem {
		n++
	}
	x, y = x[n:], y[n:]
	for len(x) > 0 && len(y) > 0 && x[len(x)-1].stem == y[len(y)-1].stem {
		x, y = x[:len(x)-1], y[:len(y)-1]
		n++
	}
	if len(x) == 0 || len(y) == 0 || len(x) > 3 || len(y) > 3 || n < 2*max(len(x), len(y)) {
		return false
	}
	weak := func(w word) bool {
		return has(lexicon().measure, w.Word, w.stem) || text.IsGenericWord(w.Word) || adverb(w.Word) || text.IsStopword(w.Word)
	}
	return slices.ContainsFunc(x, func(w word) bool { return !weak(w) }) && slices.ContainsFunc(y, func(w word) bool { return !weak(w) })
}

// sequence gives the words of a claim without grammatical ones; cues of one
// direction are one word.
func (p *profile) sequence() []word {
	var out []word
	for _, w := range p.words {
		if text.IsFunctionWord(w.Word) && !lexicon().negator[w.Word] {
			continue
		}
		switch sign, _ := cueOf(w); {
		case sign > 0:
			w.stem = "+"
		case sign < 0:
			w.stem = "-"
		}
		out = append(out, w)
	}
	return out
}

// same reports whether no veto stands against two claims being one.
func same(a, b *profile) bool {
	return a.st.compatible(b.st) && !numbersDiffer(a, b) && !aboutOthers(a, b) && !addNames(a, b) && !oneSided(a, b) && !otherOutcome(a, b) &&
		!otherSubject(a, b) && !swapped(a, b) && !crossed(a, b) && !rerouted(a, b) && !substituted(a, b)
}

// otherSubject reports whether what two claims say something of has no word in
// common with the other claim: "basophils prevent X", "statins prevent X".
func otherSubject(a, b *profile) bool {
	if a.st.main < 0 || b.st.main < 0 || a.st.passive || b.st.passive {
		return false
	}
	x, y := a.topicIn(0, a.st.main), b.topicIn(0, b.st.main)
	in := func(q *profile) func(string) bool {
		return func(s string) bool { _, ok := q.stems[s]; return ok }
	}
	return len(x) > 0 && len(y) > 0 && !slices.ContainsFunc(x, in(b)) && !slices.ContainsFunc(y, in(a))
}

// oneSided reports whether one of two claims uses an alternative in addition to
// those of the other ("low X, high Y" is not "low X, low Y"), or compares them
// the other way round ("twice that of women in men").
func oneSided(a, b *profile) bool {
	for set, xs := range a.sets {
		ys := b.sets[set]
		switch {
		case len(ys) == 0:
		case len(xs) != len(ys), xs[0] != ys[0] && (a.compares() || b.compares()):
			return true
		}
	}
	return false
}

// compares reports whether a claim sets two things against each other.
func (p *profile) compares() bool {
	return slices.ContainsFunc(p.words, func(w word) bool {
		switch w.Word {
		case "than", "compared", "versus", "vs", "times", "twice", "fold":
			return true
		}
		return false
	})
}

// crossed reports whether of two comparisons one has the winner of the other on
// its losing side, whatever the other sides are: "A is better than B", "C is
// better than A".
func crossed(a, b *profile) bool {
	if a.st.versus < 0 || b.st.versus < 0 {
		return false
	}
	la, ra := a.sides()
	lb, rb := b.sides()
	return common(la, rb)+common(ra, lb) > common(la, lb)+common(ra, rb)
}

// rerouted reports whether two claims move something in opposite ways: "from A
// to B" and "from B to A".
func rerouted(a, b *profile) bool {
	fa, ta := a.route()
	fb, tb := b.route()
	return common(fa, tb)+common(ta, fb) > common(fa, fb)+common(ta, tb)
}

// route gives the topic words behind "from" and those behind "to"; nothing
// unless the claim has both.
func (p *profile) route() (from, to []string) {
	at := func(word string) []string {
		for i, w := range p.words {
			if w.Word != word {
				continue
			}
			end := i + 1
			for end < len(p.words) && end <= i+objectReach && !p.words[end].Gap && p.words[end].Word != "from" && p.words[end].Word != "to" {
				end++
			}
			return p.topicIn(i+1, end)
		}
		return nil
	}
	if from, to = at("from"), at("to"); len(from) == 0 || len(to) == 0 {
		return nil, nil
	}
	return from, to
}

// bothAdd reports whether each of two claims has topic words that the other
// does not, so that they may speak of different things: none is allowed, or one
// each among six shared words.
func bothAdd(a, b *profile) bool {
	shared := common(a.terms, b.terms)
	x, y := a.specific(b), b.specific(a)
	return x > 0 && y > 0 && !(x == 1 && y == 1 && shared >= 6)
}

// specific counts the topic words of p that q lacks, without words of measure
// and scholarly writing.
func (p *profile) specific(q *profile) int {
	n := 0
	for _, t := range p.terms {
		w := p.words[p.stems[t]]
		if _, ok := q.stems[t]; !ok && !has(lexicon().measure, w.Word, t) && !text.IsGenericWord(w.Word) && !adverb(w.Word) {
			n++
		}
	}
	return n
}

// adverb reports whether a word is an adverb by its ending; of the nouns in -ly
// those of anatomy and the frequent ones are known.
func adverb(w string) bool {
	switch w {
	case "family", "assembly", "anomaly", "supply", "reply", "monopoly", "italy", "melancholy":
		return false
	}
	return len(w) > 4 && strings.HasSuffix(w, "ly") && !strings.HasSuffix(w, "megaly") && !strings.HasSuffix(w, "fly")
}

// sharedWords gives up to three words that both claims have, as the first one
// writes them, the heaviest first.
func sharedWords(a, b *profile, weight map[string]float64) string {
	var stems []string
	for _, t := range a.terms {
		if _, ok := slices.BinarySearch(b.terms, t); ok {
			stems = append(stems, t)
		}
	}
	slices.SortStableFunc(stems, func(x, y string) int {
		switch {
		case weight[x] > weight[y]:
			return -1
		case weight[x] < weight[y]:
			return 1
		}
		return a.stems[x] - a.stems[y]
	})
	stems = stems[:min(len(stems), 3)]
	slices.SortFunc(stems, func(x, y string) int { return a.stems[x] - a.stems[y] })
	for i, t := range stems {
		stems[i] = a.words[a.stems[t]].Word
	}
	return strings.Join(stems, ", ")
}
