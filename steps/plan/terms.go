package plan

import (
	"slices"
	"strings"
	"unicode"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
)

// How many groups of a question a query asks for: every group must be met, and
// each further one loses studies that use other words.
const (
	longBase   = 4
	narrowBase = 3 // beside the words of an intent
)

// disciplines say where a question is asked, not what it is about: authors
// within one seldom name it, so a literal search for it loses most of what is
// wanted.
var disciplines = []string{"ai", "artificial", "intelligence", "artificial intelligence", "computer", "science", "인공지능", "人工智能", "人工知能"}

// asking are words for what is asked about a subject, in languages that are not
// taken apart.
var asking = []string{"影響", "影响", "应用", "応用", "效果", "効果", "作用", "영향", "효과", "응용"}

// blunt are words that measure a thing and do not name it.
var blunt = []string{"incidence", "prevalence", "quality", "level", "levels", "rate", "rates", "early", "real", "people"}

// loose are compounds that tell no subject.
var loose = []string{"long-term", "short-term", "large-scale", "small-scale", "real-world", "real-time", "high-quality", "low-cost", "well-known", "state-of-the-art"}

// heads are generic words that a short phrase cannot lose: a "language model" is
// not a language.
var heads = []string{"model", "models", "system", "systems", "theory", "theories", "large", "small", "high", "low", "long", "short", "first", "second", "work"}

// concept is a phrase of a question as groups, of which each must be met.
type concept struct {
	groups [][]string
	whole  string // the phrase as one term, "" where it has no words of its own
}

// coreTerms turns the phrases of a question into at most n groups, of which
// each must be met, with the alternatives that the built-in method knows:
// words, and phrases where the words alone say something else. The name of a
// discipline is left out when two other groups remain. Where there are too
// many, words for whom or for how much go first, then phrases become one term
// each, and at last the phrases at the end go.
func coreTerms(question string, n int) [][]string {
	core, _ := lexical.QuestionPhrases(question)
	if len(core) == 0 {
		core = []string{question}
	}
	var concepts []concept
	for _, phrase := range core {
		if c := conceptOf(phrase); len(c.groups) > 0 {
			concepts = append(concepts, c)
		}
	}
	out := flat(concepts)
	if len(out) == 0 { // generic words are all there is
		for _, w := range text.Tokens(strings.Join(core, " ")) {
			if !text.IsStopword(w) {
				out = append(out, []string{w})
			}
		}
		return atMost(join(out, nil), n)
	}
	if narrow := without(concepts, inDiscipline); len(flat(narrow)) >= 2 {
		concepts = narrow
	}
	for _, weak := range []func(string) bool{forWhom, isBlunt} {
		if len(flat(concepts)) > n {
			concepts = without(concepts, weak)
		}
	}
	for i := len(concepts) - 1; i >= 0 && len(flat(concepts)) > n; i-- {
		if c := &concepts[i]; len(c.groups) > 1 && c.whole != "" {
			c.groups = [][]string{{c.whole}}
		}
	}
	return atMost(flat(concepts), n)
}

func flat(concepts []concept) [][]string {
	var out [][]string
	for _, c := range concepts {
		out = append(out, c.groups...)
	}
	return join(out, nil)
}

// without leaves out the groups whose first term is weak, unless none remains.
func without(concepts []concept, weak func(string) bool) []concept {
	var out []concept
	for _, c := range concepts {
		c.groups = slices.DeleteFunc(slices.Clone(c.groups), func(g []string) bool { return weak(g[0]) })
		if len(c.groups) > 0 {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return concepts
	}
	return out
}

func inDiscipline(term string) bool {
	return slices.Contains(disciplines, term) || slices.Contains(asking, term)
}

func isBlunt(term string) bool { return slices.Contains(blunt, term) }

// forWhom reports whether a term names whom studies are about: "older adults".
func forWhom(term string) bool {
	words := strings.Fields(term)
	return len(words) > 0 && lexical.IsPopulation(words[len(words)-1])
}

// atMost cuts groups down to the first n.
func atMost(groups [][]string, n int) [][]string { return groups[:min(n, len(groups))] }

// conceptOf reads one phrase.
func conceptOf(phrase string) concept {
	whole := term(phrase)
	if strings.IndexFunc(phrase, func(r rune) bool { return r >= 0x2E80 }) >= 0 {
		var c concept
		for _, p := range lexical.SearchTerms(phrase) {
			c.groups = append(c.groups, []string{p})
		}
		return c
	}
	words := strings.Fields(phrase)
	if v := lexical.Variants(phrase); len(v) > 0 {
		return concept{[][]string{append([]string{whole}, v...)}, whole}
	}
	if len(words) == 2 && forWhom(whole) || len(words) > 1 && len(words) <= 4 && slices.ContainsFunc(words, func(w string) bool {
		return numeral(w) || len(words) <= 3 && slices.Contains(heads, text.Fold(w))
	}) {
		return concept{[][]string{{whole}}, whole}
	}
	c := concept{}
	if len(words) <= 3 {
		c.whole = whole
	}
	for _, w := range words {
		tokens := text.Tokens(w)
		distinctive := text.Distinctive(tokens)
		switch {
		case len(distinctive) == 0, slices.Contains(loose, text.Fold(w)):
		case len(tokens) > 1, accented(w):
			c.groups = append(c.groups, []string{term(w)})
		default:
			c.groups = append(c.groups, append([]string{distinctive[0]}, lexical.Variants(distinctive[0])...))
		}
	}
	return c
}

// term writes a word or phrase as a search term. Not every service folds
// letters with accents, so these stay.
func term(s string) string {
	s = strings.TrimFunc(s, unicode.IsPunct)
	if accented(s) {
		return strings.ToLower(s)
	}
	return text.Fold(s)
}

func accented(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }) >= 0
}

func numeral(w string) bool { return strings.Trim(w, "0123456789.") == "" }

// focusTerms turns focus phrases into groups: alternatives of each other, or
// the parts of a single long one.
func focusTerms(focus []string) [][]string {
	if len(focus) == 1 && (len(strings.Fields(focus[0])) > 3 || strings.IndexFunc(focus[0], unicode.IsPunct) >= 0 && !strings.Contains(focus[0], "-") ||
		slices.ContainsFunc(text.Tokens(focus[0]), text.IsFunctionWord)) {
		if groups := coreTerms(focus[0], narrowBase); len(groups) > 0 {
			return groups
		}
	}
	return [][]string{focus}
}

// join concatenates groups, leaving out a group whose first term an earlier one
// has, in whatever form.
func join(a, b [][]string) [][]string {
	var out [][]string
	known := map[string]bool{}
	for _, g := range slices.Concat(a, b) {
		if len(g) == 0 || known[stemmed(g[0])] {
			continue
		}
		for _, t := range g {
			known[stemmed(t)] = true
		}
		out = append(out, g)
	}
	return out
}

func stemmed(term string) string {
	words := strings.Fields(text.Fold(term))
	for i, w := range words {
		words[i] = text.Stem(w)
	}
	return strings.Join(words, " ")
}
