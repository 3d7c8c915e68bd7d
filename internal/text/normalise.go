package text

import (
	"sort"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Span is a half-open range of byte offsets into a string.
type Span struct{ Start, End int }

// Normalise gives the form in which a quote is looked for in a text: [Fold],
// and in addition a word hyphenated across a line end is joined. A hyphen
// between two letters is dropped wherever it stands, because a hyphen at a line
// end may be the word's own ("long-\nterm"); both sides of a comparison lose it
// alike.
//
// The second value has one entry per byte of the result and one more: the byte
// offset in s of the character that the byte came from, and len(s) at the end.
// It never decreases. [Original] turns a match back into offsets of s.
func Normalise(s string) (string, []int) {
	decoded, back := decodeEntities(s, true)
	f := folder{out: make([]byte, 0, len(decoded)), pos: make([]int, 0, len(decoded)), mapped: true}
	f.run(decoded)
	out, pos := dehyphenate(f.out, f.pos)
	g := collapse(out, pos)
	if back != nil {
		for i, p := range g.pos {
			g.pos[i] = back[p]
		}
	}
	return string(g.out), append(g.pos, len(s))
}

// dehyphenate drops hyphens between letters, together with a line end after
// them; beside a digit ("GPT-\n4") the hyphen stays and the line end goes.
func dehyphenate(in []byte, pos []int) ([]byte, []int) {
	out, at := in[:0], pos[:0] // what is written never overtakes what is read
	for i := 0; i < len(in); {
		if in[i] != '-' || len(out) == 0 || !wordByte(out[len(out)-1]) {
			out, at = append(out, in[i]), append(at, pos[i])
			i++
			continue
		}
		next, broke := skipSpace(in, i+1)
		joined := next < len(in) && (next == i+1 || broke) && wordByte(in[next])
		switch {
		case joined && letterByte(out[len(out)-1]) && letterByte(in[next]):
			i = next
		case joined:
			out, at = append(out, '-'), append(at, pos[i])
			i = next
		default:
			out, at = append(out, '-'), append(at, pos[i])
			i++
		}
	}
	return out, at
}

func letterByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= utf8.RuneSelf }
func wordByte(c byte) bool   { return letterByte(c) || c >= '0' && c <= '9' }

// Original gives the range of s that the bytes from start to end of its
// normalised form came from. pos is the map that [Normalise] gave for s. A range
// that is empty or out of bounds gives the zero Span.
func Original(s string, pos []int, start, end int) Span {
	if start < 0 || end > len(pos)-1 || start >= end {
		return Span{}
	}
	last := pos[end-1]
	next := end + sort.SearchInts(pos[end:], last+1)
	return Span{Start: pos[start], End: min(pos[min(next, len(pos)-1)], last+unitLength(s[last:]))}
}

// unitLength gives the length of the first character of s with its marks, or of
// the character reference there.
func unitLength(s string) int {
	if s != "" && s[0] == '&' {
		_, n := reference(s)
		return n
	}
	return max(1, norm.NFKC.NextBoundaryInString(s, true))
}

// Find looks for a quote in a text, both normalised, and gives its place in the
// original text. Where the quote as it stands is not found, quotation marks and
// ellipses around it are ignored. An empty quote is never found.
func Find(s, quote string) (Span, bool) {
	n, pos := Normalise(s)
	q, _ := Normalise(quote)
	for _, q := range []string{q, strings.Trim(q, " \"'.")} {
		if strings.Trim(q, " \"'.") == "" {
			break
		}
		if i := strings.Index(n, q); i >= 0 {
			return Original(s, pos, i, i+len(q)), true
		}
	}
	return Span{}, false
}
