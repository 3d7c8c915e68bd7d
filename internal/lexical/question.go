package lexical

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"optimistresearch/internal/text"
)

//go:embed question.txt
var questionWords string

type wording struct {
	scaffold, compound, aspect, closing, act, weak, population map[string]bool
	nounverb, relate, auxiliary, means, labour                 map[string]bool
	expressions, linking                                       [][]string
	alike                                                      map[string]int // stem of an aspect to the number of its group
	languages                                                  map[string]map[string]bool
	runs                                                       map[string][]string // of scripts without spaces, longest first
}

// wordings holds the lists of question.txt.
var wordings = sync.OnceValue(func() *wording {
	sets := map[string]map[string]bool{}
	set := func(name string) map[string]bool {
		sets[name] = map[string]bool{}
		return sets[name]
	}
	w := &wording{
		scaffold: set("scaffold"), compound: set("compound"), aspect: set("aspect"), closing: set("closing"), act: set("act"),
		weak: set("weak"), population: set("population"), alike: map[string]int{},
		nounverb: set("nounverb"), relate: set("relate"), auxiliary: set("auxiliary"), means: set("means"), labour: set("labour"),
		languages: map[string]map[string]bool{"de": set("de"), "es": set("es"), "fr": set("fr"), "pt": set("pt"), "it": set("it")},
		runs:      map[string][]string{"zh": nil, "ja": nil, "keep": nil, "ko": nil, "koend": nil},
	}
	name, group := "", 1
	for line := range strings.Lines(questionWords) {
		line = strings.TrimSpace(line)
		fields := strings.Fields(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
		case sets[name] != nil:
			for _, f := range fields {
				sets[name][f] = true
			}
		case hasKey(w.runs, name):
			w.runs[name] = append(w.runs[name], fields...)
		case name == "alike" && line == "+":
			group++
		case name == "alike":
			for _, f := range fields {
				w.alike[stem(f)] = group
			}
		case name == "expression":
			w.expressions = append(w.expressions, fields)
		case name == "linking":
			w.linking = append(w.linking, fields)
		}
	}
	longestFirst := func(x, y []string) int { return len(y) - len(x) }
	slices.SortStableFunc(w.expressions, longestFirst)
	slices.SortStableFunc(w.linking, longestFirst)
	for _, list := range w.runs {
		slices.SortStableFunc(list, func(x, y string) int { return len(y) - len(x) })
	}
	return w
})

func hasKey[V any](m map[string]V, key string) bool {
	_, ok := m[key]
	return ok
}

// longestPhrase is the number of words above which a phrase of a question is
// cut.
const longestPhrase = 6

// phrase is a piece of a question.
type phrase struct {
	words  []string // folded
	forms  []string // the same words as written
	text   string   // the phrase as written
	aspect bool     // says what is asked about the topic, not what it is
	group  int      // phrases of one list ("x, y and z", "x (such as y)") share a group
	from   int      // its tokens in the question
	to     int
}

// QuestionPhrases takes the scaffolding off a question ("recent research in",
// "what is known about", "since 2023") and gives the phrases that name its topic
// and, apart, those that say what is asked about it ("empirical evaluations",
// "benchmarks"), as they are written. A question of scaffolding alone gives
// nothing; one without a topic gives its aspects as core.
func QuestionPhrases(question string) (core, rest []string) {
	seen := map[string]bool{}
	for _, p := range parseQuestion(question) {
		key := strings.Join(p.words, " ")
		if seen[key] {
			continue
		}
		seen[key] = true
		// A mark that combines with the space before it takes the space along.
		p.text = strings.TrimSpace(p.text)
		switch {
		case p.text == "":
		case p.aspect:
			rest = append(rest, p.text)
		default:
			core = append(core, p.text)
		}
	}
	if len(core) == 0 {
		return rest, nil
	}
	return core, rest
}

// HasTopic reports whether a question has a word that says what it is about.
// Grammar, scaffolding ("recent research"), numbers and signs do not.
func HasTopic(question string) bool {
	return slices.ContainsFunc(parseQuestion(question), func(p phrase) bool {
		return slices.ContainsFunc(p.words, func(w string) bool { return strings.Trim(w, "0123456789.") != "" && !text.IsStopword(w) })
	})
}

// parseQuestion cuts a question into phrases.
func parseQuestion(question string) []phrase { return cutQuestion(question).out }

func cutQuestion(question string) *cutter {
	c := &cutter{w: wordings(), question: plain(text.Strip(question))}
	c.tokens = text.TokensAt(segment(c.question))
	c.language = c.foreign()
	c.classify()
	c.phrases()
	return c
}

func (c *cutter) phrases() {
	group, linked, between := 0, true, false
	for i := 0; i < len(c.tokens); {
		switch c.kind[i] {
		case dropped:
			linked = false
			between = c.tokens[i].Word == "between"
			i++
			continue
		case linking:
			linked = linked && !between // "between x and y" joins, it does not list
			i++
			continue
		}
		end := i + 1
		for end < len(c.tokens) && c.kind[end] == content && !c.tokens[end].Gap {
			end++
		}
		if !linked {
			group++
		}
		group = c.cut(i, end, group)
		linked = true
		i = end
	}
}

type tokenKind byte

const (
	content tokenKind = iota
	dropped           // grammar and scaffolding expressions
	linking           // between members of a list
)

// cutter cuts one question.
type cutter struct {
	w        *wording
	question string
	tokens   []text.Token
	kind     []tokenKind
	language string // of the words, "" for English; see foreign
	out      []phrase
}

// telling are words that one alone tells the language by.
var telling = []string{"und", "der", "von", "zum", "zur", "del", "los", "las", "les", "della"}

// foreign gives the language whose grammatical words a question has, if it has
// more of them than English ones.
func (c *cutter) foreign() string {
	best, most, english := "", 0, 0
	for _, t := range c.tokens {
		if text.IsFunctionWord(t.Word) || c.w.scaffold[t.Word] {
			english++
		}
	}
	for _, name := range sortedKeys(c.w.languages) {
		seen, sure := map[string]bool{}, false
		n := 0
		for _, t := range c.tokens {
			if c.w.languages[name][t.Word] {
				n++
				seen[t.Word] = true
				sure = sure || slices.Contains(telling, t.Word)
			}
		}
		if n > english && n > most && (len(seen) > 1 || sure) {
			best, most = name, n
		}
	}
	return best
}

func (c *cutter) classify() {
	c.kind = make([]tokenKind, len(c.tokens))
	c.mark(c.w.expressions, dropped)
	c.mark(c.w.linking, linking)
	for i, t := range c.tokens {
		if c.language != "" && c.w.languages[c.language][t.Word] && !c.hyphened(i) {
			c.kind[i] = dropped
		}
		if c.kind[i] == content && (text.IsFunctionWord(t.Word) || isYear(t.Word)) && !c.hyphened(i) {
			c.kind[i] = dropped
		}
	}
}

// mark sets the kind of every word sequence of the lists.
func (c *cutter) mark(lists [][]string, as tokenKind) {
	for i := range c.tokens {
		for _, words := range lists {
			if c.matches(i, words) && !c.joined(i-1) && !c.joined(i+len(words)-1) {
				for j := range words {
					c.kind[i+j] = as
				}
			}
		}
	}
}

func (c *cutter) matches(i int, words []string) bool {
	if i+len(words) > len(c.tokens) {
		return false
	}
	for j, w := range words {
		if c.kind[i+j] != content || c.tokens[i+j].Word != w {
			return false
		}
	}
	return true
}

// hyphened reports whether a hyphen joins token i to the next or the previous.
func (c *cutter) hyphened(i int) bool { return c.joined(i) || c.joined(i-1) }

// joined reports whether token i and the next are parts of one hyphenated word.
func (c *cutter) joined(i int) bool {
	if i < 0 || i+1 >= len(c.tokens) {
		return false
	}
	between := c.question[c.tokens[i].End:max(c.tokens[i].End, c.tokens[i+1].Start)]
	return text.Fold(between) == "-"
}

// cut takes scaffolding off both ends of the run of content tokens, separates
// the aspects from the topic at its verbs and its end, and gives the group it
// arrived at.
func (c *cutter) cut(start, end, group int) int {
	for end > start && c.trims(end-1) {
		end--
	}
	for start < end && c.trims(start) && !c.modifies(start, end) {
		start++
	}
	if start == end {
		return group
	}
	for i := start; i < end; i++ { // a verb separates
		if c.verb(i) {
			if i > start {
				group = c.cut(start, i, group) + 1
			}
			c.put(i, i+1, true, group)
			if i+1 < end {
				group = c.cut(i+1, end, group+1)
			}
			return group
		}
	}
	if c.all(start, end) {
		c.put(start, end, true, group)
		return group
	}
	tail := end
	for tail > start && c.w.closing[c.tokens[tail-1].Word] && !c.hyphened(tail-1) {
		tail--
	}
	limit := longestPhrase
	if r := []rune(c.tokens[start].Word); r[0] >= 0x2E80 {
		limit = 4 * longestPhrase // pairs of characters, not words
	}
	for from := start; from < tail; from += limit {
		c.put(from, min(tail, from+limit), false, group)
	}
	if tail < end {
		c.put(tail, end, true, group+1)
		return group + 1
	}
	return group
}

// verb reports whether token i separates what stands around it as a verb does.
func (c *cutter) verb(i int) bool {
	w := c.tokens[i].Word
	if c.hyphened(i) || w == "work" && !c.trims(i) {
		return false
	}
	switch {
	case c.w.act[w] && !c.w.nounverb[w]:
		return true
	case c.w.nounverb[w] && i > 0 && (c.w.aspect[c.tokens[i-1].Word] || slices.Contains([]string{"what", "which", "who", "that"}, c.tokens[i-1].Word)):
		return true // "factors influence", "what causes"
	case !c.w.nounverb[w] && !c.w.relate[w] && !c.w.relate[strings.TrimSuffix(w, "s")]:
		return false
	}
	switch by := c.questioned(i); {
	case by == "":
		return false
	case c.w.nounverb[w]:
		return !c.verbAfter(i) // "does remote work affect"
	case by == "whether":
		return true
	}
	return c.w.relate[w]
}

// verbAfter reports whether a plain verb follows token i in its sentence.
func (c *cutter) verbAfter(i int) bool {
	for k := i + 1; k < len(c.tokens) && !c.ends(k); k++ {
		w := c.tokens[k].Word
		if (c.w.act[w] && !strings.HasSuffix(w, "ing") || c.w.relate[w]) && !c.w.nounverb[w] && !c.hyphened(k) && c.tokens[k-1].Word != "to" {
			return true
		}
	}
	return false
}

// questioned gives the auxiliary of a question that token i may be the verb
// of: "do wolves regulate". "" if there is none, or the verb has come already.
func (c *cutter) questioned(i int) string {
	at := -1
	for k := range i {
		switch w := c.tokens[k].Word; {
		case k > 0 && c.ends(k):
			at = -1
		case at < 0 && c.w.auxiliary[w] && c.kind[k] == dropped && !slices.Contains(copulas, w):
			at = k
		case at >= 0 && k > at+1 && (c.w.act[w] || c.w.relate[w]) && !c.w.nounverb[w] && !c.hyphened(k):
			return ""
		}
	}
	if at < 0 || i <= at+1 {
		return ""
	}
	return c.tokens[at].Word
}

var copulas = []string{"is", "are", "was", "were", "has", "have"}

// ends reports whether a sentence ends before token k.
func (c *cutter) ends(k int) bool {
	return strings.ContainsAny(c.question[c.tokens[k-1].End:max(c.tokens[k-1].End, c.tokens[k].Start)], ".?!;\n")
}

// trims reports whether the token at an end of a run is scaffolding. A hyphened
// word stays whole.
func (c *cutter) trims(i int) bool {
	word := c.tokens[i].Word
	if word == "work" && i > 0 && !c.tokens[i].Gap && c.w.labour[c.tokens[i-1].Word] {
		return false
	}
	return !c.hyphened(i) && (c.w.scaffold[word] || text.IsStopword(word))
}

// modifies reports whether the scaffolding at the start of a run belongs to the
// word after it: "knowledge graphs", "type 2", but not "studies use".
func (c *cutter) modifies(i, end int) bool {
	if i+1 >= end {
		return false
	}
	next := c.tokens[i+1].Word
	return c.w.compound[c.tokens[i].Word] && !c.w.scaffold[next] && !c.w.act[next] || strings.Trim(next, "0123456789.") == ""
}

// all reports whether the tokens are aspects and scaffolding only.
func (c *cutter) all(start, end int) bool {
	for i := start; i < end; i++ {
		if w := c.tokens[i].Word; !c.w.aspect[w] && !c.w.scaffold[w] {
			return false
		}
	}
	return true
}

func (c *cutter) put(start, end int, aspect bool, group int) {
	p := phrase{aspect: aspect, group: group, text: text.OneLine(c.question[c.tokens[start].Start:c.tokens[end-1].End]), from: start, to: end}
	for _, t := range c.tokens[start:end] {
		p.words = append(p.words, t.Word)
		p.forms = append(p.forms, c.question[t.Start:t.End])
	}
	c.out = append(c.out, p)
}

func isYear(word string) bool {
	return len(word) == 4 && strings.Trim(word, "0123456789") == "" && (word[0] == '1' && word[1] == '9' || word[0] == '2' && word[1] == '0')
}
