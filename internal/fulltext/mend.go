package fulltext

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// ligatures are letters that print as one and are several in every word list.
var ligatures = strings.NewReplacer(
	"ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st", "Ĳ", "IJ", "ĳ", "ij",
	"\u00ad", "", "\u200b", "", "\u2060", "", "\ufeff", "", "\u0002", "-",
	"\u00a0", " ", "\u2002", " ", "\u2003", " ", "\u2009", " ", "\u200a", " ", "\u202f", " ",
)

// spacing accents are drawn beside or above their letter by older fonts; the
// accent comes before the letter in TeX, after it elsewhere.
var spacingAccents = map[rune]rune{'´': '\u0301', '`': '\u0300', '¨': '\u0308', 'ˆ': '\u0302', '˜': '\u0303', '¸': '\u0327', 'ˇ': '\u030c', '˚': '\u030a', '˘': '\u0306', '¯': '\u0304', '˝': '\u030b', '˙': '\u0307'}

// clean mends what is not language: ligatures, odd spaces, split accents.
func clean(s string) string {
	s = ligatures.Replace(s)
	if strings.ContainsAny(s, "´¨ˆ˜¸ˇ˚˘¯˝˙") {
		s = accents(s)
	}
	s = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7F {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return norm.NFC.String(strings.Join(strings.Fields(s), " "))
}

func accents(s string) string {
	rs := []rune(s)
	out := make([]rune, 0, len(rs))
	for i := 0; i < len(rs); i++ {
		mark, ok := spacingAccents[rs[i]]
		if !ok {
			out = append(out, rs[i])
			continue
		}
		j := i + 1
		if j < len(rs) && rs[j] == ' ' && i > 0 && unicode.IsLetter(rs[i-1]) {
			j++
		}
		switch {
		case j < len(rs) && (strings.ContainsRune("aeiouyAEIOUYnNcCsSzZrRgGoOuUıdtDT", rs[j])) && rs[i] != '¸':
			r := rs[j]
			if r == 'ı' {
				r = 'i'
			}
			out = append(out, r, mark)
			i = j
		case rs[i] == '¸' && j < len(rs) && strings.ContainsRune("cCsSgG", rs[j]):
			out = append(out, rs[j], mark)
			i = j
		default:
			out = append(out, rs[i])
		}
	}
	return string(out)
}

// vocabulary counts the words of a document that stand whole in a line, so that
// a word that was cut at a line's end can be compared with them.
type vocabulary map[string]int

func (v vocabulary) add(lineText string) {
	words := strings.Fields(lineText)
	for i, w := range words {
		if i == len(words)-1 && strings.HasSuffix(w, "-") || len(w) > 60 {
			continue
		}
		v[strings.ToLower(strings.Trim(w, `.,;:!?()[]"'“”‘’`))]++
	}
}

// prefixes keep their hyphen when nothing else decides.
var prefixes = map[string]bool{"self": true, "non": true, "well": true, "cross": true, "high": true, "low": true, "long": true, "short": true, "large": true, "small": true, "meta": true, "semi": true, "multi": true, "two": true, "three": true, "one": true, "state": true, "open": true, "real": true, "evidence": true, "decision": true, "user": true, "follow": true, "peer": true, "full": true, "half": true, "data": true, "fine": true, "pre": true, "post": true, "co": true}

var lastWord = regexp.MustCompile(`([\p{L}\p{N}'’]+(?:-[\p{L}\p{N}]+)*)[-‐]$`)

// join puts a line behind a text, mending a word that was cut between them.
func (v vocabulary) join(text, next string) string {
	if text == "" || next == "" {
		return text + next
	}
	m := lastWord.FindStringSubmatch(text)
	first, _ := utf8.DecodeRuneInString(next)
	if m == nil || !unicode.IsLetter(first) && !unicode.IsDigit(first) {
		if spaceless(text, next) {
			return text + next
		}
		return text + " " + next
	}
	rest := strings.TrimRight(strings.Fields(next)[0], `.,;:!?()[]"'“”’`)
	stem := strings.TrimRight(text, "-‐")
	whole, dashed := strings.ToLower(m[1]+rest), strings.ToLower(m[1]+"-"+rest)
	switch {
	case !unicode.IsLower(first):
		return stem + "-" + next
	case v[whole] > v[dashed]:
		return stem + next
	case v[dashed] > v[whole]:
		return stem + "-" + next
	}
	part := strings.ToLower(m[1])
	if i := strings.LastIndexByte(part, '-'); i >= 0 {
		part = part[i+1:]
	}
	last, _ := utf8.DecodeLastRuneInString(m[1])
	if unicode.IsDigit(last) || unicode.IsUpper(last) || prefixes[part] && v[strings.ToLower(rest)] > 0 {
		return stem + "-" + next
	}
	return stem + next
}

// spaceless says whether two lines belong to a script without spaces.
func spaceless(a, b string) bool {
	x, _ := utf8.DecodeLastRuneInString(a)
	y, _ := utf8.DecodeRuneInString(b)
	return wideScript(x) && wideScript(y)
}

func wideScript(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFF60
}

// fill sets the text of a block from its lines.
func (v vocabulary) fill(b *block) {
	b.text = ""
	for _, l := range b.lines {
		b.text = v.join(b.text, clean(l.text))
	}
}
