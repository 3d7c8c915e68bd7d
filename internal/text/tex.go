package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// longestFormula bounds the search for the end of an inline formula, in bytes.
const longestFormula = 400

// stripTeX turns TeX into plain characters. Text without a backslash, a formula
// or a brace group around words comes back unchanged.
func stripTeX(s string) string {
	t := tex{in: s, active: strings.IndexByte(s, '\\') >= 0}
	t.out.Grow(len(s))
	t.braces = matchBraces(s)
	for t.i < len(s) {
		t.step()
	}
	return t.out.String()
}

// tex is one pass over a string; every step moves i forward.
type tex struct {
	in      string
	out     strings.Builder
	i       int
	active  bool  // the text has commands, so "~" and "--" are TeX as well
	mathEnd int   // end of the formula that we are in
	braces  []int // braces[i] is the partner of the brace at i, or -1
}

// matchBraces pairs the braces of s; escaped ones have no partner.
func matchBraces(s string) []int {
	partner := make([]int, len(s))
	var open []int
	for i := 0; i < len(s); i++ {
		partner[i] = -1
		switch s[i] {
		case '\\':
			if i+1 < len(s) {
				i++
				partner[i] = -1
			}
		case '{':
			open = append(open, i)
		case '}':
			if n := len(open); n > 0 {
				partner[i], partner[open[n-1]] = open[n-1], i
				open = open[:n-1]
			}
		}
	}
	return partner
}

func (t *tex) step() {
	s, i := t.in, t.i
	inMath := i < t.mathEnd
	switch c := s[i]; {
	case c == '\\':
		t.command()
	case c == '$':
		t.dollar()
	case (c == '{' || c == '}') && (inMath || t.grouping(i)):
		t.i++
	case inMath && (c == '_' || c == '^' || c == '&'):
		t.i++
	case inMath && c == '~', t.active && c == '~' && i > 0 && i+1 < len(s) && tieBetween(s[i-1], s[i+1]):
		t.put(" ", 1)
	case t.active && (strings.HasPrefix(s[i:], "``") || strings.HasPrefix(s[i:], "''")):
		t.put(`"`, 2)
	case t.active && strings.HasPrefix(s[i:], "---"):
		t.put("—", 3)
	case t.active && strings.HasPrefix(s[i:], "--"):
		t.put("–", 2)
	default:
		t.out.WriteByte(c)
		t.i++
	}
}

func (t *tex) put(s string, n int) {
	t.out.WriteString(s)
	t.i += n
}

func tieBetween(before, after byte) bool {
	return !asciiSpace(before) && !asciiSpace(after) && !(asciiDigit(before) && asciiDigit(after))
}

// grouping reports whether the brace at i is one of a pair around words, such
// as BibTeX's {DNA}, and not part of a set such as {0,1}.
func (t *tex) grouping(i int) bool {
	j := t.braces[i]
	if j < 0 {
		return false
	}
	open, end := min(i, j), max(i, j)
	inner := t.in[open+1 : end]
	if inner == "" || inner[0] == '\\' || inner[0] == '{' || inner[0] == '$' {
		return true
	}
	r, _ := utf8.DecodeRuneInString(inner)
	glued := open > 0 && letterOrDigit(t.in[open-1]) || end+1 < len(t.in) && letterOrDigit(t.in[end+1])
	return unicode.IsLetter(r) && !strings.Contains(inner[:min(len(inner), 200)], ",") || glued
}

func letterOrDigit(c byte) bool {
	return c >= utf8.RuneSelf || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || asciiDigit(c)
}
func asciiDigit(c byte) bool { return c >= '0' && c <= '9' }
func asciiSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// dollar handles the sign at t.i: the border of a formula, or money. As in
// Pandoc a formula opens before a character that is no space and closes after
// one, and no digit follows it.
func (t *tex) dollar() {
	s, i := t.in, t.i
	width := 1
	if strings.HasPrefix(s[i:], "$$") {
		width = 2
	}
	if i < t.mathEnd { // the closing sign
		t.i += width
		t.mathEnd = 0
		return
	}
	end := i + width
	for stop := min(len(s), end+longestFormula); end < stop; end++ {
		if s[end] == '\\' {
			end++
			continue
		}
		if s[end] == '$' {
			inner := s[i+width : end]
			after := end + width
			if inner != "" && !asciiSpace(inner[0]) && !asciiSpace(inner[len(inner)-1]) &&
				(after >= len(s) || !asciiDigit(s[after])) {
				t.i, t.mathEnd = i+width, end+1
				return
			}
			break
		}
	}
	t.put(s[i:i+1], 1)
}

// command handles the backslash at t.i.
func (t *tex) command() {
	s := t.in
	rest := s[t.i+1:]
	if rest == "" {
		t.put(`\`, 1)
		return
	}
	c := rest[0]
	if mark, ok := accentSigns[c]; ok && t.accent(mark, 2) {
		return
	}
	n := 0
	for n < len(rest) && (rest[n] >= 'a' && rest[n] <= 'z' || rest[n] >= 'A' && rest[n] <= 'Z') {
		n++
	}
	if n == 0 {
		t.sign(c)
		return
	}
	t.named(rest[:n])
}

// sign handles a backslash before a character that is no letter.
func (t *tex) sign(c byte) {
	switch {
	case c == '\\' || asciiSpace(c) || c == ',' || c == ';' || c == ':' || c == '/':
		t.put(" ", 2)
	case c == '!' || c == '-' || c == '@':
		t.put("", 2)
	case c == '(' || c == ')' || c == '[' || c == ']':
		t.put("", 2)
	case c < utf8.RuneSelf:
		t.put(string(c), 2)
	default:
		t.put(`\`, 1)
	}
}

// named handles \name at t.i.
func (t *tex) named(name string) {
	s := t.in
	after := t.i + 1 + len(name)
	braced := after < len(s) && (s[after] == '{' || s[after] == '[')
	if mark, ok := accentNames[name]; ok && t.accent(mark, 1+len(name)) {
		return
	}
	if to, ok := texLetters[name]; ok {
		t.put(to, 1+len(name))
		if strings.HasPrefix(s[t.i:], "{}") {
			t.i += 2
		} else if t.i < len(s) && s[t.i] == ' ' {
			t.i++ // "\o re" is øre: the space only ends the name
		}
		return
	}
	if to, ok := texSymbols[name]; ok {
		t.put(to, 1+len(name))
		if strings.HasPrefix(s[t.i:], "{}") {
			t.i += 2
		}
		return
	}
	switch {
	case referenceCommands[name]:
		t.i = after
		for t.i < len(s) && (s[t.i] == '[' || s[t.i] == '{' || s[t.i] == '*') {
			end := t.argumentEnd(t.i)
			if end == t.i {
				break
			}
			t.i = end
		}
	case name == "frac" || name == "tfrac" || name == "dfrac":
		t.fraction(after)
	case name == "begin" || name == "end":
		t.put(" ", after-t.i)
		t.i = t.argumentEnd(t.i)
	case name == "href" && braced:
		t.i = t.argumentEnd(after)
	case fontSwitches[name]:
		t.i = after
		for t.i < len(s) && s[t.i] == ' ' {
			t.i++
		}
	case spacing[name]:
		t.put(" ", after-t.i)
	case braced, t.i < t.mathEnd && (name == "left" || name == "right"):
		t.i = after
		if s[after] == '[' && braced {
			t.i = t.argumentEnd(after)
		}
	default: // an author's own macro stands for a name
		t.put(name, after-t.i)
	}
}

// argumentEnd gives the end of the group that starts at i, or i when there is
// none.
func (t *tex) argumentEnd(i int) int {
	if i >= len(t.in) {
		return i
	}
	switch t.in[i] {
	case '*':
		return i + 1
	case '{':
		if j := t.braces[i]; j > i {
			return j + 1
		}
	case '[':
		if j := strings.IndexByte(t.in[i:min(len(t.in), i+longestFormula)], ']'); j > 0 {
			return i + j + 1
		}
	}
	return i
}

// fraction writes a/b for \frac{a}{b}; the braces are dropped on the way.
func (t *tex) fraction(after int) {
	end := t.argumentEnd(after)
	if end == after || t.in[after] != '{' || end >= len(t.in) || t.in[end] != '{' || end-after > longestFormula {
		t.i = after
		return
	}
	t.out.WriteString(stripTeX(t.in[after+1:end-1]) + "/")
	t.i = end
}

// accent writes the letter after an accent command of n bytes at t.i with its
// mark, and reports whether there was a letter.
func (t *tex) accent(mark rune, n int) bool {
	s := t.in
	i := t.i + n
	for i < len(s) && s[i] == ' ' {
		i++
	}
	named := n > 2 || n == 2 && letterOrDigit(s[t.i+1])
	if named && i == t.i+n && i < len(s) && s[i] != '{' && s[i] != '\\' {
		return false // \check, \cite: the name goes on, or "\c" before a sign
	}
	closing := -1
	if i < len(s) && s[i] == '{' {
		closing = t.braces[i]
		if closing < 0 || closing-i > 12 {
			return false
		}
		i++
	}
	if i >= len(s) {
		return false
	}
	letter, size := utf8.DecodeRuneInString(s[i:])
	if letter == '\\' { // \'{\i} and \'\i
		name := strings.TrimLeft(s[i+1:min(len(s), i+3)], " ")
		if name == "" || name[0] != 'i' && name[0] != 'j' || len(name) > 1 && letterOrDigit(name[1]) && name[1] < utf8.RuneSelf {
			return false
		}
		letter, size = rune(name[0]), 2
		if closing < 0 && i+2 < len(s) && s[i+2] == ' ' {
			size = 3
		}
	}
	if !unicode.IsLetter(letter) {
		return false
	}
	t.out.WriteString(norm.NFC.String(string([]rune{letter, mark})))
	t.i = i + size
	if closing >= 0 {
		for t.i < closing {
			t.out.WriteByte(s[t.i])
			t.i++
		}
		t.i = closing + 1
	}
	return true
}
