package lexical

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"optimistresearch/internal/text"
)

// Sentence is a sentence of a document's body. Text is the slice of the body
// from Start to End, in bytes, unchanged.
type Sentence struct {
	Text       string
	Start, End int
	Score      float64
}

// Bounds of a sentence that can carry a claim, in words.
const (
	shortestSentence = 5
	longestSentence  = 90
)

// Select gives the n sentences of a document's body that best report something
// about a query, best first, ties in the order of the text. Coverage of the
// query counts most, then the words of a finding, a comparison or a limitation,
// numbers and names; sentences that lean on the one before ("This ..."), speak to
// the reader, and boilerplate count less. A sentence that shares no word with the query is taken
// only if it reports something: in a document on the topic the best finding may
// name the system alone.
func Select(doc Doc, q Query, n int) []Sentence {
	spans := text.Sentences(doc.Body)
	words := make([]sentenceWords, len(spans))
	for i, span := range spans {
		words[i] = newSentenceWords(doc.Body[span.Start:span.End])
	}
	weights, total := spread(words, q)
	var out []Sentence
	label := ""
	for i, span := range spans {
		s := doc.Body[span.Start:span.End]
		if l := sectionLabel(s); l != "" {
			label = l
		}
		position := 0.0
		if len(spans) > 1 {
			position = float64(i) / float64(len(spans)-1)
		}
		if score, ok := sentenceScore(s, words[i], weights, total, position, label); ok {
			out = append(out, Sentence{Text: s, Start: span.Start, End: span.End, Score: score})
		}
	}
	slices.SortStableFunc(out, func(x, y Sentence) int { return cmp.Compare(y.Score, x.Score) })
	if n >= 0 && len(out) > n {
		out = out[:n]
	}
	return out
}

// spread weighs the query terms by how few sentences of the document have them:
// what every sentence mentions does not tell one from another. total is the
// weight that a perfect sentence would cover.
func spread(sentences []sentenceWords, q Query) (weights map[string]float64, total float64) {
	in := map[string]int{}
	for _, s := range sentences {
		seen := map[string]bool{}
		for _, t := range s.stems {
			if q.Terms[t] > 0 && !seen[t] {
				seen[t] = true
				in[t]++
			}
		}
	}
	weights = map[string]float64{}
	for _, t := range sortedKeys(in) {
		weights[t] = q.Terms[t] * math.Log(1+float64(len(sentences))/float64(in[t]))
		total += weights[t]
	}
	return weights, total
}

// sentenceScore gives a score in [0,1], and false for what is no sentence or
// neither touches the query nor reports anything.
func sentenceScore(s string, w sentenceWords, weights map[string]float64, total, position float64, label string) (float64, bool) {
	if len(w.words) < shortestSentence || len(w.words) > longestSentence {
		return 0, false
	}
	covered := 0.0
	seen := map[string]bool{}
	for _, t := range w.stems {
		if !seen[t] {
			seen[t] = true
			covered += weights[t]
		}
	}
	coverage := 0.0
	if total > 0 {
		coverage = math.Sqrt(covered / total)
	}
	if covered == 0 && !w.has("result") && !w.has("comparison") && !w.has("limitation") {
		return 0, false
	}
	score := 0.5 * coverage
	for _, cue := range [...]struct {
		list   string
		weight float64
	}{{"result", 0.14}, {"comparison", 0.10}, {"limitation", 0.05}, {"definition", 0.02}, {"method", 0.02}} {
		if w.has(cue.list) {
			score += cue.weight
		}
	}
	if len(text.Numbers(s)) > 0 {
		score += 0.08
	}
	if namesSomething(s) {
		score += 0.04
	}
	if position > 0.5 {
		score += 0.03
	}
	switch label {
	case "result", "conclusion":
		score += 0.05
	case "method", "background":
		score -= 0.08
	}
	if w.finding() {
		score += 0.07
	}
	if w.tested() {
		score += 0.08
	}
	if w.has("background") {
		score -= 0.06
	}
	if w.has("aim") {
		score -= 0.1
	}
	if w.has("procedure") && !w.tested() {
		score -= 0.08
	}
	if w.words[0] == "to" {
		score -= 0.15
	}
	if cues()["anaphora"].stems[w.stems[0]] {
		score -= 0.12
	}
	if strings.HasSuffix(s, "?") {
		score -= 0.2
	}
	if w.has("boilerplate") {
		score -= 0.3
	}
	if w.addresses() {
		score = min(score, 0) // behind all others
	}
	return min(max(score, 0), 1), true
}

// addresses reports whether a sentence seems to speak to its reader; package
// evidence refuses what certainly does. Such sentences come last, so that they
// do not take the place of findings.
func (s sentenceWords) addresses() bool {
	return s.has("address") || s.at(0, cues()["order"]) && len(s.words) > 1 && text.IsFunctionWord(s.words[1])
}

// tested reports whether a sentence gives a test of significance ("p < 0.05").
func (s sentenceWords) tested() bool {
	for i, w := range s.words[:max(0, len(s.words)-1)] {
		if (w == "p" || w == "ci") && strings.Trim(s.words[i+1], "0123456789.") == "" {
			return true
		}
	}
	return false
}

// sectionLabel gives the part of a structured abstract that a sentence opens
// ("RESULTS: ..."), or "".
func sectionLabel(s string) string {
	head, _, ok := strings.Cut(s, ":")
	if !ok || len(head) > 40 || head == "" {
		return ""
	}
	if r := []rune(head); !unicode.IsUpper(r[0]) {
		return ""
	}
	head = text.Fold(head)
	for _, l := range [...][2]string{
		{"result", "result"}, {"finding", "result"}, {"conclusion", "conclusion"}, {"interpretation", "conclusion"},
		{"discussion", "conclusion"}, {"method", "method"}, {"design", "method"}, {"setting", "method"}, {"participants", "method"},
		{"patients", "method"}, {"intervention", "method"}, {"measure", "method"}, {"background", "background"},
		{"objective", "background"}, {"aim", "background"}, {"purpose", "background"}, {"introduction", "background"},
		{"context", "background"},
	} {
		if strings.Contains(head, l[0]) {
			return l[1]
		}
	}
	return ""
}
