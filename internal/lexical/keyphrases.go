package lexical

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"optimistresearch/internal/text"
)

//go:embed phrasewords.txt
var phraseWordList string

// phraseCuts holds the lists of phrasewords.txt.
var phraseCuts = sync.OnceValue(func() map[string]map[string]bool {
	lists, name := map[string]map[string]bool{}, ""
	for line := range strings.Lines(phraseWordList) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
			lists[name] = map[string]bool{}
		default:
			for _, w := range strings.Fields(line) {
				lists[name][w] = true
			}
		}
	}
	return lists
})

// Phrase is a key phrase in its most frequent spelling.
type Phrase struct {
	Text  string
	Score float64
	Docs  int // documents that have it
}

// Limits of key phrases.
const (
	longestKeyPhrase = 4    // words
	overlapChecked   = 2000 // candidates compared with those chosen
	singleWeight     = 0.3  // a single word seldom makes a query
	shortestSingle   = 7    // letters of a single word that is no name
	commonSingle     = 0.15 // share of the documents above which such a word is too common
)

// KeyPhrases gives the n phrases that characterise documents, best first: runs
// of one to four content words between grammatical words and punctuation, scored
// by C-value (Frantzi, Ananiadou and Mima 2000) over document counts times their
// inverse document frequency. A phrase that only occurs inside a longer one is
// left out, and so are those whose words all stand in one phrase of exclude.
// Phrases of one document only are given when there are fewer than five
// documents.
func KeyPhrases(docs []Doc, n int, exclude []string) []Phrase {
	c := phraseCounter{byKey: map[string]*candidate{}}
	for i, d := range docs {
		c.read(i, d.Title)
		c.read(i, d.Body)
	}
	least := 2
	if len(docs) < 5 {
		least = 1
	}
	var excluded []map[string]bool
	for _, e := range exclude {
		set := map[string]bool{}
		for _, s := range stems(e) {
			set[s] = true
		}
		excluded = append(excluded, set)
	}
	c.nest()
	var all []*candidate
	for _, key := range sortedKeys(c.byKey) {
		x := c.byKey[key]
		if x.docs < least || within(x.stems, excluded) || x.words == 1 && !x.single(len(docs)) {
			continue
		}
		x.score = x.cvalue() * math.Log(1+float64(len(docs))/float64(x.docs))
		if x.score > 0 {
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(x, y *candidate) int { return cmp.Compare(y.score, x.score) })
	all = all[:min(len(all), overlapChecked)]
	var out []Phrase
	var chosen []*candidate
	for _, x := range all {
		if len(out) == n {
			break
		}
		if !slices.ContainsFunc(chosen, func(y *candidate) bool { return sameIdea(x, y) }) {
			chosen = append(chosen, x)
			out = append(out, Phrase{Text: x.surface(), Score: x.score, Docs: x.docs})
		}
	}
	return out
}

// candidate is a run of words, by its stems.
type candidate struct {
	stems    []string
	words    int // hyphenated words count once
	spelling map[string]int
	docs     int
	lastDoc  int
	inLonger int // sum of the document counts of longer candidates that hold it
	longer   int // number of those
	score    float64
}

// cvalue is log2(words+1) times the documents, less the mean count of the longer
// candidates around it.
func (c *candidate) cvalue() float64 {
	f := float64(c.docs)
	if c.longer > 0 {
		f -= float64(c.inLonger) / float64(c.longer)
	}
	weight := math.Log2(float64(c.words) + 1)
	if c.words == 1 {
		weight = singleWeight
	}
	return weight * f
}

// single reports whether a phrase of one word is worth giving: a name or an
// acronym, or a long word that few documents have.
func (c *candidate) single(docs int) bool {
	s := c.surface()
	if namesSomething(s) || capitals(s) > 1 {
		return true
	}
	return len(s) >= shortestSingle && !strings.Contains(s, "-") && float64(c.docs) <= max(2, commonSingle*float64(docs))
}

// surface gives the most frequent spelling; at a tie the one with fewer
// capitals, then the alphabet.
func (c *candidate) surface() string {
	best := ""
	for _, s := range sortedKeys(c.spelling) {
		if best == "" || c.spelling[s] > c.spelling[best] ||
			c.spelling[s] == c.spelling[best] && capitals(s) < capitals(best) {
			best = s
		}
	}
	return best
}

func capitals(s string) int {
	n := 0
	for _, r := range s {
		if r >= 'A' && r <= 'Z' {
			n++
		}
	}
	return n
}

type phraseCounter struct{ byKey map[string]*candidate }

// read counts the candidates of one text of document doc.
func (c *phraseCounter) read(doc int, s string) {
	tokens := text.TokensAt(s)
	for i := 0; i < len(tokens); {
		if !phraseWord(tokens[i].Word) {
			i++
			continue
		}
		end := i + 1
		for end < len(tokens) && !tokens[end].Gap && phraseWord(tokens[end].Word) {
			end++
		}
		for from := i; from < end; from++ {
			if from > i && hyphenBetween(s, tokens[from-1], tokens[from]) {
				continue // half of a hyphenated word
			}
			for to := from + 1; to <= min(end, from+longestKeyPhrase); to++ {
				if to == end || !hyphenBetween(s, tokens[to-1], tokens[to]) {
					c.count(doc, s, tokens[from:to])
				}
			}
		}
		i = end
	}
}

// phraseWord reports whether a word can stand inside a phrase.
func phraseWord(w string) bool {
	return len(w) > 1 && !text.IsFunctionWord(w) && !phraseCuts()["break"][w] && !strings.HasSuffix(w, "ly")
}

func (c *phraseCounter) count(doc int, s string, tokens []text.Token) {
	n := len(tokens)
	words := n
	for i := 1; i < n; i++ {
		if hyphenBetween(s, tokens[i-1], tokens[i]) {
			words--
		}
	}
	first, last := tokens[0].Word, tokens[n-1].Word
	hyphened := n > 1 && hyphenBetween(s, tokens[0], tokens[1])
	if !starts(first) && !hyphened || !ends(last) || n == 1 && (len(first) < 3 || text.IsGenericWord(first)) {
		return
	}
	ss := make([]string, n)
	for i, t := range tokens {
		ss[i] = stem(t.Word)
	}
	key := strings.Join(ss, " ")
	x := c.byKey[key]
	if x == nil {
		x = &candidate{stems: ss, words: words, spelling: map[string]int{}, lastDoc: -1}
		c.byKey[key] = x
	}
	x.words = max(x.words, words)
	x.spelling[spelling(s[tokens[0].Start:tokens[n-1].End])]++
	if x.lastDoc != doc {
		x.lastDoc = doc
		x.docs++
	}
}

// hyphenBetween reports whether only a hyphen stands between two tokens.
func hyphenBetween(s string, a, b text.Token) bool {
	return b.Start > a.End && b.Start-a.End <= 3 && text.Fold(s[a.End:b.Start]) == "-"
}

// starts reports whether a phrase may start with a word, ends whether it may end
// with it.
func starts(w string) bool {
	return !text.IsStopword(w) && strings.Trim(w, "0123456789.") != ""
}

func ends(w string) bool { return starts(w) && !phraseCuts()["end"][w] }

// spelling lowers the capitals of plain words; names and acronyms keep theirs.
func spelling(s string) string {
	words := strings.Fields(text.OneLine(s))
	for i, w := range words {
		if n := capitals(w); n == 1 && w[0] >= 'A' && w[0] <= 'Z' || n > 1 && strings.Contains(w, "-") && w == titleHyphens(w) {
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}

// titleHyphens gives a hyphenated word as a title writes it: Long-Term.
func titleHyphens(w string) string {
	parts := strings.Split(strings.ToLower(w), "-")
	for i, p := range parts {
		if p != "" {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "-")
}

// nest tells each candidate about the longer ones around it.
func (c *phraseCounter) nest() {
	for _, key := range sortedKeys(c.byKey) {
		x := c.byKey[key]
		if x.docs < 2 {
			continue
		}
		n := len(x.stems)
		for from := 0; from < n; from++ {
			for to := from + 1; to <= n; to++ {
				if to-from == n {
					continue
				}
				if y := c.byKey[strings.Join(x.stems[from:to], " ")]; y != nil {
					y.inLonger += x.docs
					y.longer++
				}
			}
		}
	}
}

// within reports whether one of the sets holds all the stems.
func within(stems []string, sets []map[string]bool) bool {
	for _, set := range sets {
		all := true
		for _, s := range stems {
			all = all && set[s]
		}
		if all {
			return true
		}
	}
	return false
}

// sameIdea reports whether a phrase adds nothing to one chosen before: it is
// part of it, or holds it and stands in hardly fewer or hardly more documents.
func sameIdea(x, chosen *candidate) bool {
	if holds(chosen.stems, x.stems) {
		return x.docs < 3*chosen.docs
	}
	return holds(x.stems, chosen.stems) && 2*x.docs > chosen.docs
}

func holds(long, short []string) bool {
	if len(short) > len(long) {
		return false
	}
	for i := 0; i+len(short) <= len(long); i++ {
		if slices.Equal(long[i:i+len(short)], short) {
			return true
		}
	}
	return false
}
