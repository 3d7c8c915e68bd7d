package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
)

// Kinds of a Match, from best to worst.
const (
	Exact       = "exact"       // byte for byte
	Folded      = "folded"      // equal but for case, Unicode form, hyphenation, line ends
	Approximate = "approximate" // at least MinShare of the words, in order
)

// MinShare is the least share of a quote's words that a passage must hold, in
// order, to count as an approximate match (SPEC 9.3).
const MinShare = 0.75

const (
	minApproximate = 4          // words; shorter quotes must match exactly or folded
	maxApproximate = 400        // words; a longer quote is not aligned
	alignBudget    = 60_000_000 // cells of the alignment; beyond it nothing is found
)

// Match is a place in a stored text. Share is the part of the quote's words
// found there, 1 unless Kind is Approximate.
type Match struct {
	Kind       string
	Start, End int // byte offsets in the stored text
	Share      float64
}

// FindQuote looks for a quote in a text: as it stands, then folded, then word
// by word. It returns the first place of the best kind; an approximate match
// also keeps every number and the negation of the quote, and spans at most half
// as many words again as the quote has. A match never cuts a word in two.
func FindQuote(quote, stored string) (Match, bool) {
	quote = strings.TrimFunc(quote, func(r rune) bool { return unicode.IsSpace(r) || r == utf8.RuneError })
	if stored == "" || !strings.ContainsFunc(quote, letterOrDigit) {
		return Match{}, false
	}
	for _, q := range []string{quote, trimmed(quote)} {
		if i := indexWhole(stored, q); i >= 0 {
			return Match{Kind: Exact, Start: i, End: i + len(q), Share: 1}, true
		}
	}
	folded, pos := text.Normalise(stored)
	want, _ := text.Normalise(quote)
	for _, q := range []string{want, trimmed(want)} {
		if !strings.ContainsFunc(q, letterOrDigit) {
			continue
		}
		if i := indexWhole(folded, q); i >= 0 {
			sp := text.Original(stored, pos, i, i+len(q))
			return Match{Kind: Folded, Start: sp.Start, End: sp.End, Share: 1}, true
		}
	}
	sp, share, ok := align(text.Tokens(want), text.TokensAt(folded))
	if !ok {
		return Match{}, false
	}
	sp = text.Original(stored, pos, sp.Start, sp.End)
	found := stored[sp.Start:sp.End]
	if sp.Start >= sp.End || Negated(found) != Negated(quote) || len(unsupported(quote, found, "")) > 0 {
		return Match{}, false
	}
	return Match{Kind: Approximate, Start: sp.Start, End: sp.End, Share: share}, true
}

// trimmed drops the quotation marks, brackets and ellipses that models put
// around a quote, and the final period that they add.
func trimmed(quote string) string {
	return strings.TrimFunc(quote, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'“”‘’«»„.…[]", r)
	})
}

// indexWhole is strings.Index for occurrences that neither start nor end inside
// a word.
func indexWhole(s, sub string) int {
	if sub == "" {
		return -1
	}
	for from := 0; ; {
		i := strings.Index(s[from:], sub)
		if i < 0 {
			return -1
		}
		i += from
		if boundary(s, i) && boundary(s, i+len(sub)) {
			return i
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		from = i + n
	}
}

// boundary reports whether the place at i does not lie inside a word.
func boundary(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i:])
	if unicode.IsMark(after) {
		return false
	}
	return i == 0 || i == len(s) || !letterOrDigit(before) || !letterOrDigit(after) || unspaced(before) || unspaced(after)
}

// letterOrDigit leaves out modifier letters: many stand for an apostrophe.
func letterOrDigit(r rune) bool {
	return unicode.IsLetter(r) && !unicode.Is(unicode.Lm, r) || unicode.IsDigit(r)
}

// unspaced reports whether a character's script does not separate words.
func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
