package text

import (
	"unicode"
	"unicode/utf8"
)

// Token is a folded word and where it stands.
type Token struct {
	Word string
	Span      // byte offsets into the text given
	Gap  bool // punctuation other than a hyphen, or a line end, stands before it
}

// Tokens gives the folded words of s in order. A hyphen separates words, a
// decimal number is one word, a possessive 's is dropped. Scripts that are
// written without spaces (Han, kana, Hangul, Thai and its neighbours) come as
// overlapping pairs of characters, a single one alone.
func Tokens(s string) []string {
	var out []string
	scan(Fold(s), func(w string, _, _ int, _ bool) { out = append(out, w) })
	return out
}

// TokensAt gives the words as [Tokens] does, each with its place in s.
func TokensAt(s string) []Token {
	decoded, back := decodeEntities(s, true)
	f := folder{out: make([]byte, 0, len(decoded)), pos: make([]int, 0, len(decoded)), mapped: true}
	f.run(decoded)
	g := collapse(f.out, f.pos)
	if back != nil {
		for i, p := range g.pos {
			g.pos[i] = back[p]
		}
	}
	pos := append(g.pos, len(s))
	var out []Token
	scan(string(g.out), func(w string, start, end int, gap bool) {
		out = append(out, Token{Word: w, Span: Original(s, pos, start, end), Gap: gap})
	})
	return out
}

// scan calls found for each word of a folded text.
func scan(s string, found func(word string, start, end int, gap bool)) {
	gap := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unspaced(r):
			i = scanUnspaced(s, i, gap, found)
			gap = false
		case wordRune(r):
			end := wordEnd(s, i)
			found(s[i:end], i, end, gap)
			gap = false
			i = end
			if len(s) >= i+2 && s[i] == '\'' && s[i+1] == 's' && (len(s) == i+2 || !letterOrDigit(s[i+2])) {
				i += 2
			}
		default:
			if r != ' ' && r != '-' {
				gap = true
			}
			i += n
		}
	}
}

func wordEnd(s string, i int) int {
	digits := true
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case wordRune(r) && !unspaced(r):
			digits = digits && r >= '0' && r <= '9'
		case r == '.' && digits && i+1 < len(s) && asciiDigit(s[i+1]):
		default:
			return i
		}
		i += n
	}
	return i
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// unspaced reports whether a character belongs to a script that is written
// without spaces, or in which a space does not bound a word.
func unspaced(r rune) bool {
	if r < 0x0E00 {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar) || r == 'ー' || r == '々'
}

// scanUnspaced emits the overlapping pairs of the run that starts at i and
// gives its end.
func scanUnspaced(s string, i int, gap bool, found func(string, int, int, bool)) int {
	var starts []int
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unspaced(r) {
			break
		}
		starts = append(starts, i)
		i += n
	}
	if len(starts) == 1 {
		found(s[starts[0]:i], starts[0], i, gap)
		return i
	}
	starts = append(starts, i)
	for k := 0; k+2 < len(starts); k++ {
		found(s[starts[k]:starts[k+2]], starts[k], starts[k+2], gap && k == 0)
	}
	return i
}
