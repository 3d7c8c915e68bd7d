package openalex

import (
	"strings"
	"unicode/utf8"

	"optimistresearch/sources/internal/wire"
)

// grammar reads a search: a bar is OR, and the words that are operators stand
// in capitals.
var grammar = wire.Grammar{
	Stretch: func(s string, _ bool) []wire.Node {
		var out []wire.Node
		for i, part := range strings.Split(s, "|") {
			if i > 0 {
				out = append(out, wire.Node{Op: "OR"})
			}
			for _, w := range wordsOf(part) {
				out = append(out, wire.Node{Word: w, Op: wire.OperatorOf(w)})
			}
		}
		return out
	},
	Phrase: wordsOf,
}

var symbols = wire.Symbols{And: " AND ", Or: " OR ", Not: "NOT "}

// wordsOf splits on white space and on what must not be sent, and drops what
// holds neither a letter nor a digit. A hyphen or a plus before a word goes.
func wordsOf(s string) []string {
	words := wire.Words(s, func(r rune) bool { return strings.ContainsRune(`*?!\~^|/:[]<>{},;()"`, r) })
	for i, w := range words {
		words[i] = strings.TrimLeft(w, "-+'")
	}
	return words
}

// loosen turns the long phrases after the first allowed ones into words, and
// the longest in any case.
func loosen(nodes []wire.Node, allowed int) ([]wire.Node, int) {
	out := make([]wire.Node, 0, len(nodes))
	for _, n := range nodes {
		if n.Group != nil {
			n.Group, allowed = loosen(n.Group, allowed)
		}
		if length := utf8.RuneCountInString(n.Word); n.Quoted && length > longPhrase {
			if allowed--; allowed < 0 || length > longestPhrase {
				var words []wire.Node
				for w := range strings.FieldsSeq(n.Word) {
					if wire.OperatorOf(w) == "" {
						words = append(words, wire.Node{Word: w})
					}
				}
				n = wire.Node{Group: words}
			}
		}
		out = append(out, n)
	}
	return out, allowed
}
