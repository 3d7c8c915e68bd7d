package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold gives the form in which two spellings of the same words are equal:
// character references decoded (also doubly escaped ones), compatibility
// decomposition (NFKD), accents removed, ligatures opened, dashes and quotation
// marks unified to ASCII, soft hyphens, zero-width and control characters
// removed, case folded, white space collapsed to single spaces and trimmed.
//
// Marks that carry a vowel or a consonant (Indic signs, kana voicing) are kept;
// what is left is composed again, so Hangul stays in syllables. Markup is not
// touched; see [Strip]. For text without character references Fold is
// idempotent.
func Fold(s string) string {
	if s == "" {
		return ""
	}
	decoded, _ := decodeEntities(s, false)
	f := folder{out: make([]byte, 0, len(decoded))}
	f.run(decoded)
	return string(collapse(f.out, nil).out)
}

// Marks that a folder leaves in its raw output for the pass that follows.
const (
	softBreak = 0x01 // a soft hyphen, or a hyphen that a PDF reader marked as soft
	lineBreak = '\n'
)

// folder writes folded characters with white space still in place: any line
// end becomes lineBreak, any other white space becomes a space, a soft hyphen
// becomes softBreak.
type folder struct {
	out    []byte
	pos    []int // for each byte of out the offset it came from; nil unless mapped
	mapped bool
}

func (f *folder) run(s string) {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			f.ascii(c, i)
			i++
			continue
		}
		n := norm.NFKC.NextBoundaryInString(s[i:], true)
		if n <= 0 {
			_, n = utf8.DecodeRuneInString(s[i:])
		}
		f.segment(s[i:i+n], i)
		i += n
	}
}

func (f *folder) ascii(c byte, at int) {
	switch {
	case c >= 'A' && c <= 'Z':
		c += 'a' - 'A'
	case c == '`':
		c = '\''
	case c == '\n' || c == '\r' || c == '\v' || c == '\f':
		c = lineBreak
	case c == '\t':
		c = ' '
	case c == 0x02: // pdfium joins a hyphenated word with U+0002
		c = softBreak
	case c < ' ' || c == 0x7f:
		return
	}
	f.out = append(f.out, c)
	if f.mapped {
		f.pos = append(f.pos, at)
	}
}

// segment folds one composition segment: a character and its marks.
func (f *folder) segment(seg string, at int) {
	if r, n := utf8.DecodeRuneInString(seg); n == len(seg) {
		if r == utf8.RuneError {
			f.write("\uFFFD", at)
			return
		}
		if to, ok := unified(r); ok {
			f.write(to, at)
			return
		}
	}
	var kept []rune
	high := false
	for _, r := range norm.NFKD.String(seg) {
		if droppedMark(r) {
			continue
		}
		if to, ok := unified(r); ok {
			kept = append(kept, []rune(to)...)
			continue
		}
		r = unicode.ToLower(r)
		if to, ok := letters[r]; ok {
			kept = append(kept, []rune(to)...)
			continue
		}
		high = high || r >= 0x0900
		kept = append(kept, r)
	}
	out := string(kept)
	if high {
		out = norm.NFC.String(out)
	}
	f.write(out, at)
}

func (f *folder) write(s string, at int) {
	for i := 0; i < len(s); i++ {
		if s[i] < utf8.RuneSelf {
			f.ascii(s[i], at)
			continue
		}
		f.out = append(f.out, s[i])
		if f.mapped {
			f.pos = append(f.pos, at)
		}
	}
}

// unified gives the ASCII stand-in of a dash, quotation mark or space, and ""
// for a character that is dropped.
func unified(r rune) (string, bool) {
	switch r {
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\u2043',
		'\u02D7', '\u1806', '\u2E3A', '\u2E3B', '\uFE58', '\uFE63', '\uFF0D':
		return "-", true
	case '\u2018', '\u2019', '\u201A', '\u201B', '\u2032', '\u2035', '\u2039', '\u203A',
		'\u02B9', '\u02BB', '\u02BC', '\u02BD', '\u02C8', '\u02CA', '\u02CB', '\u00B4', '\uFF07':
		return "'", true
	case '\u201C', '\u201D', '\u201E', '\u201F', '\u00AB', '\u00BB', '\u2033', '\u2036',
		'\u02BA', '\u301D', '\u301E', '\u301F', '\uFF02':
		return `"`, true
	case '\u00D7', '\u2715', '\u2A2F':
		return "x", true
	case '\u2044', '\u2215':
		return "/", true
	case '\u00AD':
		return string(rune(0x02)), true // written through ascii: becomes softBreak
	case '\u0085', '\u2028', '\u2029':
		return "\n", true
	}
	switch {
	case r < utf8.RuneSelf:
		return "", false
	case unicode.IsSpace(r):
		return " ", true
	case unicode.Is(unicode.Cf, r), unicode.IsControl(r):
		return "", true
	}
	return "", false
}

// letters without a decomposition in Unicode, by their lower-case form.
var letters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l",
	'ħ': "h", 'ı': "i", 'ŋ': "n", 'ŧ': "t", 'ĸ': "k", 'ƒ': "f", 'ɐ': "a", 'ɑ': "a", 'ɡ': "g",
	'ς': "σ", 'ϐ': "β", 'ϑ': "θ", 'ϕ': "φ", 'ϰ': "κ", 'ϵ': "ε",
}

// droppedMark reports whether a mark only modifies its letter: accents, Hebrew
// points, Arabic vowel signs, enclosing marks, variation selectors.
func droppedMark(r rune) bool {
	switch {
	case r < 0x0300:
		return false
	case r <= 0x036F, r >= 0x0483 && r <= 0x0489, r >= 0x0591 && r <= 0x05C7:
		return unicode.IsMark(r)
	case r >= 0x0610 && r <= 0x061A, r >= 0x064B && r <= 0x065F, r == 0x0670, r >= 0x06D6 && r <= 0x06ED:
		return unicode.IsMark(r)
	case r >= 0x1AB0 && r <= 0x1AFF, r >= 0x1DC0 && r <= 0x1DFF, r >= 0x20D0 && r <= 0x20FF:
		return true
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xFE20 && r <= 0xFE2F, r >= 0xE0100 && r <= 0xE01EF:
		return true
	}
	return false
}

// collapse joins words that a soft hyphen split, turns each run of white space
// into one space and trims both ends. pos may be nil.
func collapse(in []byte, pos []int) folder {
	f := folder{out: make([]byte, 0, len(in)), mapped: pos != nil}
	if f.mapped {
		f.pos = make([]int, 0, len(in))
	}
	for i := 0; i < len(in); {
		switch c := in[i]; {
		case c == softBreak:
			end, broke := skipSpace(in, i+1)
			if broke {
				i = end
			} else {
				i++
			}
		case c == ' ' || c == lineBreak:
			end, _ := skipSpace(in, i)
			if len(f.out) > 0 && end < len(in) {
				f.add(' ', pos, i)
			}
			i = end
		default:
			f.add(c, pos, i)
			i++
		}
	}
	if n := len(f.out); n > 0 && f.out[n-1] == ' ' { // white space, then only soft hyphens
		f.out = f.out[:n-1]
		if f.mapped {
			f.pos = f.pos[:n-1]
		}
	}
	return f
}

func (f *folder) add(c byte, pos []int, i int) {
	f.out = append(f.out, c)
	if f.mapped {
		f.pos = append(f.pos, pos[i])
	}
}

// skipSpace gives the end of the white space that starts at i, and whether it
// holds a line end.
func skipSpace(in []byte, i int) (end int, broke bool) {
	for i < len(in) && (in[i] == ' ' || in[i] == lineBreak) {
		broke = broke || in[i] == lineBreak
		i++
	}
	return i, broke
}

// foldSpace collapses the white space of s without folding anything else.
func foldSpace(s string) string { return strings.Join(strings.Fields(s), " ") }
