package lexical

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"optimistresearch/internal/text"
)

//go:embed cues.txt
var cueLists string

// cueList holds single words by stem or as they are, and word sequences by
// first word.
type cueList struct {
	stems     map[string]bool
	exact     map[string]bool
	sequences map[string][][]string
}

// cues holds the lists of cues.txt by name.
var cues = sync.OnceValue(func() map[string]*cueList {
	lists := map[string]*cueList{}
	var list *cueList
	for line := range strings.Lines(cueLists) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			list = &cueList{stems: map[string]bool{}, exact: map[string]bool{}, sequences: map[string][][]string{}}
			lists[strings.Trim(line, "[]")] = list
			continue
		}
		for _, w := range strings.Fields(line) {
			seq := strings.Split(w, "+")
			word, exact := strings.CutPrefix(w, "=")
			switch {
			case len(seq) > 1:
				list.sequences[seq[0]] = append(list.sequences[seq[0]], seq)
			case exact:
				list.exact[word] = true
			default:
				list.stems[stem(w)] = true
			}
		}
	}
	return lists
})

// Cue tells what kind of statement a sentence makes, judged by its words.
type Cue struct {
	Limitation bool // states a limit, a gap or a failure
	Comparison bool // sets something against a baseline or another condition
	Result     bool // reports a finding
	Definition bool // says what something is
	Method     bool // describes what was built or done
	Number     bool // has a quantity
	Negation   bool // denies something, or finds no difference
	Setup      bool // names what a test was made with, not what came out
	// Direction of the effect reported: +1 for better (also: less of something
	// unwanted), -1 for worse, 0 for none, no difference, or both.
	Direction int
}

// Cues reads the cues of a sentence.
func Cues(sentence string) Cue {
	s := newSentenceWords(sentence)
	setup := s.setup()
	return Cue{
		Limitation: s.has("limitation"),
		Comparison: s.has("comparison") && !setup,
		Setup:      setup,
		Result:     s.has("result"),
		Definition: s.has("definition"),
		Method:     s.has("method"),
		Number:     len(text.Numbers(sentence)) > 0,
		Negation:   s.negated(),
		Direction:  s.direction(),
	}
}

// sentenceWords are the folded words of a sentence and their stems.
type sentenceWords struct {
	words, stems []string
}

func newSentenceWords(s string) sentenceWords {
	w := sentenceWords{words: text.Tokens(s)}
	for _, t := range w.words {
		w.stems = append(w.stems, stem(t))
	}
	return w
}

// at reports whether a cue of the list stands at word i.
func (s sentenceWords) at(i int, list *cueList) bool {
	if list.stems[s.stems[i]] || list.exact[s.words[i]] {
		return true
	}
	for _, seq := range list.sequences[s.words[i]] {
		if i+len(seq) <= len(s.words) && equalWords(s.words[i:i+len(seq)], seq) {
			return true
		}
	}
	return false
}

func equalWords(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// setup reports whether a sentence names baselines, data or measures and nothing
// that came out: "Baselines for X include Y", "X was evaluated on Z".
func (s sentenceWords) setup() bool { return s.has("setup") && !s.finding() && !s.tested() }

// finding reports whether a sentence has a word of a change, a difference or of
// none.
func (s sentenceWords) finding() bool {
	return s.has("better") || s.has("worse") || s.has("more") || s.has("less") || s.has("nodifference")
}

func (s sentenceWords) has(name string) bool { return s.count(name) > 0 }

func (s sentenceWords) count(name string) int {
	list, n := cues()[name], 0
	for i := range s.words {
		if s.at(i, list) {
			n++
		}
	}
	return n
}

func (s sentenceWords) negated() bool {
	for i := range s.words {
		if s.negatedAt(i) {
			return true
		}
	}
	return s.has("nodifference") && !s.has("better") && !s.has("worse")
}

func (s sentenceWords) negatedAt(i int) bool {
	lists := cues()
	return s.at(i, lists["negation"]) && !s.at(i, lists["notnegation"])
}

// Reach of a negation before its verb, and of "less" and "more" to the noun that
// tells whether less is better, in words.
const (
	negationReach = 4
	nounReach     = 6
)

// direction sums the signs of the effect words; a negated one counts nothing.
func (s sentenceWords) direction() int {
	lists := cues()
	for i := range s.words {
		if s.at(i, lists["nodifference"]) && !lists["nodifference"].exact[s.words[i]] {
			return 0
		}
	}
	sum := 0
	for i := range s.words {
		sign := 0
		switch {
		case s.at(i, lists["better"]):
			sign = 1
		case s.at(i, lists["worse"]):
			sign = -1
		case s.at(i, lists["more"]):
			sign = s.wanted(i)
		case s.at(i, lists["less"]):
			sign = -s.wanted(i)
		}
		if sign != 0 && !s.negatedBefore(i) {
			sum += sign
		}
	}
	switch {
	case sum > 0:
		return 1
	case sum < 0:
		return -1
	}
	return 0
}

// wanted gives -1 if the quantity that word i speaks of is one to keep low. The
// nearest noun after the word decides, then the nearest before.
func (s sentenceWords) wanted(i int) int {
	lists := cues()
	for d := 1; d <= nounReach; d++ {
		for _, j := range [...]int{i + d, i - d} {
			if j >= 0 && j < len(s.words) && s.at(j, lists["unwanted"]) {
				return -1
			}
		}
	}
	return 1
}

func (s sentenceWords) negatedBefore(i int) bool {
	for j := max(0, i-negationReach); j < i; j++ {
		if s.negatedAt(j) {
			return true
		}
	}
	return false
}

// Type gives the type of evidence that a sentence of a document of some type
// offers: empirical, theoretical, review, benchmark or opinion. docType is the
// type of the record in any vocabulary ("review-article", "editorial",
// "preprint"), "" if unknown.
func Type(sentence, docType string) string {
	kind := text.Fold(docType)
	s := newSentenceWords(sentence)
	findings := s.count("result") + s.count("comparison") + s.count("empirical")
	switch {
	case containsAny(kind, "review", "survey", "meta-analysis", "meta analysis", "overview"):
		return "review"
	case containsAny(kind, "editorial", "letter", "comment", "opinion", "perspective", "viewpoint"):
		return "opinion"
	case s.has("opinion") && len(text.Numbers(sentence)) == 0 && !s.has("comparison"):
		return "opinion"
	case s.has("theory") && len(text.Numbers(sentence)) == 0:
		return "theoretical"
	case s.has("benchmark") && s.has("introduce") && findings < 2, containsAny(kind, "benchmark", "dataset"):
		return "benchmark"
	case s.has("review") && findings < 2 && len(text.Numbers(sentence)) == 0:
		return "review"
	case findings > 0 || len(text.Numbers(sentence)) > 0:
		return "empirical"
	}
	return "theoretical"
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// namesSomething reports whether a sentence has a word that looks like the name
// of a system or a method: inner capitals or digits (MemGPT, BM25, A-MEM).
func namesSomething(s string) bool { return len(names(s, 1)) > 0 }

// shortestName leaves out the abbreviations of a field (LLM, RAG, F1), which
// are words and not names.
const shortestName = 4

// Names gives the words of a sentence that look like the name of a system, a
// data set, a gene: with inner capitals or digits and at least four letters or
// digits, as they are written, in order, each once.
func Names(s string) []string { return names(s, shortestName) }

func names(s string, shortest int) []string {
	var out []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:()[]\"“”", r) }) {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' })
		upper, letters, n := 0, 0, 0
		for i, r := range w {
			switch {
			case unicode.IsUpper(r) && i > 0, unicode.IsDigit(r) && i > 0 && letters > 0:
				upper++
			case unicode.IsLetter(r):
				letters++
			}
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
		if upper > 0 && letters > 0 && n >= shortest && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
