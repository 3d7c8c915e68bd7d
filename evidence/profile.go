package evidence

import (
	"slices"
	"strings"
	"unicode"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// profile is what a claim is compared by.
type profile struct {
	item    state.Evidence
	words   []word         // in order
	terms   []string       // stems that carry the topic, each once, sorted
	stems   map[string]int // all stems with their first place
	names   map[string]bool
	numbers []string
	sets    map[string][]string // alternatives met, by the name of their set
	st      stance
	weight  float64
	index   []term // terms in the order of the index
}

// term is a topic word with its weight, the same in all profiles of an index.
type term struct {
	id     int
	weight float64
}

const (
	longestProfile = 120 // topic words of one claim that are compared
	genericWeight  = 0.4 // of a word of scholarly writing as such, or a word of the subquestion
)

func newProfile(e state.Evidence, short map[string][]string) *profile {
	p := &profile{item: e, stems: map[string]int{}, names: map[string]bool{}, sets: map[string][]string{}}
	p.words = readWords(expand(e.Claim, short))
	p.st = stanceOf(p.words)
	p.numbers = figures(e.Claim)
	lex := lexicon()
	for i := range p.words {
		w := &p.words[i]
		if head, ok := lex.synonym[w.stem]; ok {
			w.stem = head
		}
		if _, seen := p.stems[w.stem]; seen {
			continue
		}
		p.stems[w.stem] = i
		if set, ok := lex.exclusive[w.stem]; ok {
			p.sets[set] = append(p.sets[set], w.stem)
		}
		if topical(w.Word, w.stem) && len(p.terms) < longestProfile {
			p.terms = append(p.terms, w.stem)
		}
	}
	slices.Sort(p.terms)
	for _, n := range names(e.Claim) {
		if _, known := short[n]; !known && !lex.abbrev[n] {
			p.names[n] = true
		}
	}
	return p
}

// topical reports whether a word says what a claim is about, not in which
// direction, how much or that it is denied.
func topical(w, stem string) bool {
	lex := lexicon()
	switch {
	case len(w) < 2, isNumber(w) && strings.Trim(w, "0123456789.") == "", lex.negator[w], lex.contracted[w], w == "significantly", w == "significant":
		return false
	case lex.sign[w] != 0 || lex.sign["~"+stem] != 0:
		return has(lex.unwanted, w, stem)
	case lex.same[w], lex.numerals[w]:
		return false
	}
	return !text.IsStopword(w)
}

// names gives the folded names of systems, data sets, genes and the like in a
// claim: words with an inner capital or with letters and digits, and
// capitalised words that do not start the claim, unless most words are
// capitalised.
func names(claim string) []string {
	fields := strings.FieldsFunc(claim, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("/()[],;:\"“”", r) })
	capitals := 0
	for _, f := range fields {
		if r := []rune(f); unicode.IsUpper(r[0]) {
			capitals++
		}
	}
	title := capitals*2 > len(fields) && len(fields) > 3
	var out []string
	for i, f := range splitCompounds(fields) {
		f = strings.TrimFunc(f, func(r rune) bool { return !letterOrDigit(r) })
		key := nameKey(f)
		if key == "" || text.IsStopword(key) {
			continue
		}
		letters, digits, upper, inner := 0, 0, 0, 0
		for k, r := range f {
			switch {
			case unicode.IsDigit(r):
				digits++
			case unicode.IsLetter(r):
				letters++
				if unicode.IsUpper(r) {
					upper++
					if k > 0 {
						inner++
					}
				}
			}
		}
		first := []rune(f)[0]
		switch {
		case letters == 0:
		case inner > 0 && !(title && strings.Contains(f, "-")), digits > 0 && upper > 0, digits > 0 && letters > 0 && unicode.IsLetter(first):
			out = append(out, key)
		case i > 0 && !title && unicode.IsUpper(first) && !text.IsGenericWord(key):
			out = append(out, key)
		}
	}
	return out
}

// splitCompounds takes the lower-case word off a name: "UCP1-dependent".
func splitCompounds(fields []string) []string {
	var out []string
	for _, f := range fields {
		if head, tail, ok := strings.Cut(f, "-"); ok && len(tail) > 3 && strings.ToLower(tail) == tail && !strings.ContainsAny(tail, "0123456789") {
			out = append(out, head, tail)
			continue
		}
		out = append(out, f)
	}
	return out
}

// nameKey folds a name to letters and digits; the s of a plural abbreviation
// ("LLMs") goes.
func nameKey(f string) string {
	if n := len(f); n > 2 && f[n-1] == 's' && f[n-2] >= 'A' && f[n-2] <= 'Z' {
		f = f[:n-1]
	}
	return strings.Map(func(r rune) rune {
		if letterOrDigit(r) {
			return r
		}
		return -1
	}, text.Fold(f))
}

// denotes reports whether the claim has a name or word that spells the name.
func (p *profile) denotes(name string) bool {
	if p.names[name] {
		return true
	}
	if _, ok := p.stems[text.Stem(name)]; ok {
		return true
	}
	for i := 0; i+1 < len(p.words); i++ { // "A-MEM" beside "A MEM"
		if p.words[i].Word+p.words[i+1].Word == name {
			return true
		}
	}
	return false
}
