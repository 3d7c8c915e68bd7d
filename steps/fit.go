package steps

import (
	"strings"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Fit measures how well a sentence answers one subquestion rather than its
// siblings: a point for each word of the subquestion's focus that it uses, two
// for a whole focus phrase of several words, and two for each kind of
// statement (limitation, comparison, result, method, definition, setup of a
// test) that the focus names and the sentence is. 0 means that nothing tells them apart.
func Fit(q state.Subquestion, sentence string) int {
	words := map[string]bool{}
	for _, w := range text.Tokens(sentence) {
		words[text.Stem(w)] = true
	}
	folded := text.Fold(sentence)
	n := 0
	var asked lexical.Cue
	for _, f := range q.Focus {
		parts := text.Tokens(f)
		if len(parts) > 1 {
			if strings.Contains(folded, text.Fold(f)) {
				n += 2
			}
			continue
		}
		for _, w := range parts {
			if words[text.Stem(w)] {
				n++
			}
		}
		c := lexical.Cues(f)
		asked.Limitation = asked.Limitation || c.Limitation
		asked.Comparison = asked.Comparison || c.Comparison
		asked.Result = asked.Result || c.Result
		asked.Method = asked.Method || c.Method
		asked.Definition = asked.Definition || c.Definition
		asked.Setup = asked.Setup || c.Setup
	}
	is := lexical.Cues(sentence)
	for _, both := range []bool{
		asked.Limitation && is.Limitation, asked.Comparison && is.Comparison, asked.Result && is.Result,
		asked.Method && is.Method, asked.Definition && is.Definition, asked.Setup && is.Setup,
	} {
		if both {
			n += 2
		}
	}
	return n
}

// Best returns the active subquestion that a sentence fits best; ties, and
// sentences that fit none, go to the higher priority. ok is false when no
// subquestion is active.
func Best(s *state.State, sentence string) (best state.Subquestion, fit int, ok bool) {
	for _, q := range s.ActiveSubquestions() {
		if f := Fit(q, sentence); !ok || f > fit {
			best, fit, ok = q, f, true
		}
	}
	return best, fit, ok
}
