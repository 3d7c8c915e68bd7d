package biblio

import (
	"strings"
	"unicode"

	"optimistresearch/internal/text"
)

// escapes are the characters that TeX does not take as they are. A brace is
// written by name: BibTeX counts braces whatever stands before them.
var escapes = []struct{ plain, tex string }{
	{`\`, `\textbackslash{}`}, {"{", `\textbraceleft{}`}, {"}", `\textbraceright{}`}, {"$", `\$`}, {"&", `\&`}, {"%", `\%`}, {"#", `\#`}, {"_", `\_`},
	{"~", `\textasciitilde{}`}, {"^", `\textasciicircum{}`}, {"<", `\textless{}`}, {">", `\textgreater{}`}, {"|", `\textbar{}`}, {`"`, `\textquotedbl{}`},
}

var escaper = func() *strings.Replacer {
	var pairs []string
	for _, e := range escapes {
		pairs = append(pairs, e.plain, e.tex)
	}
	return strings.NewReplacer(pairs...)
}()

func escape(s string) string {
	if !strings.ContainsAny(s, "\\{}$&%#_~^<>|\"") {
		return s
	}
	return escaper.Replace(s)
}

// unescape turns TeX into plain text: our own escapes, braces, and, for what
// others write, accents and commands.
func unescape(s string) string {
	if !strings.ContainsAny(s, "\\{}$~") {
		return oneLine(s)
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case '{', '}':
			i++
		case '~':
			b.WriteByte(' ')
			i++
		case '\\':
			n, plain := ownEscape(s[i:])
			if n == 0 {
				return oneLine(text.Strip(s))
			}
			b.WriteString(plain)
			i += n
		case '$':
			return oneLine(text.Strip(s))
		default:
			b.WriteByte(c)
			i++
		}
	}
	return oneLine(b.String())
}

// ownEscape recognises what escape writes, and braces with a backslash.
func ownEscape(s string) (n int, plain string) {
	if len(s) > 1 && (s[1] == '{' || s[1] == '}') {
		return 2, s[1:2]
	}
	for _, e := range escapes {
		if strings.HasPrefix(s, e.tex) {
			return len(e.tex), e.plain
		}
		if bare, ok := strings.CutSuffix(e.tex, "{}"); ok && strings.HasPrefix(s, bare+" ") {
			return len(bare) + 1, e.plain
		}
	}
	return 0, ""
}

// bare is the text of a field that is no TeX: only what others escape in
// identifiers is undone.
func bare(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "{") && closesAtEnd(s) {
		s = s[1 : len(s)-1]
	}
	if rest, ok := strings.CutPrefix(s, `\url{`); ok {
		s = strings.TrimSuffix(rest, "}")
	}
	if !strings.ContainsRune(s, '\\') {
		return s
	}
	return bareSigns.Replace(s)
}

var bareSigns = strings.NewReplacer(`\_`, "_", `\%`, "%", `\&`, "&", `\#`, "#", `\~{}`, "~", `\~`, "~", `{\_}`, "_", `\textasciitilde{}`, "~", `\textunderscore{}`, "_", `{\textless}`, "<", `{\textgreater}`, ">")

// splitAnd splits a list of names at "and" outside braces.
func splitAnd(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		default:
			if depth <= 0 && blankByte(s[i]) && i+4 < len(s) && strings.EqualFold(s[i+1:i+4], "and") && blankByte(s[i+4]) {
				out = append(out, s[from:i])
				from = i + 4 // the blank may stand before the next "and"
				i += 3
			}
		}
	}
	return append(out, s[from:])
}

func blankByte(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// bibAuthor reads "Family, Given", "Family, Jr, Given", "Given Family" or a
// group in braces.
func bibAuthor(s string) Name {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "{") && closesAtEnd(s) {
		return Name{Literal: unescape(s)}
	}
	var parts []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth <= 0 {
				parts = append(parts, s[from:i])
				from = i + 1
			}
		}
	}
	parts = append(parts, s[from:])
	switch len(parts) {
	case 1:
		return readingOrder(unescape(parts[0]))
	case 2:
		return Name{Family: unescape(parts[0]), Given: unescape(parts[1])}
	}
	return Name{Family: unescape(parts[0]), Given: unescape(strings.Join(parts[2:], ",")), Suffix: unescape(parts[1])}
}

// readingOrder reads "Ludwig van Beethoven": the first word in small letters
// begins the family name, as in BibTeX.
func readingOrder(s string) Name {
	words := strings.Fields(s)
	if !Collective(s) {
		for i := 1; i < len(words)-1; i++ {
			if r := []rune(words[i])[0]; unicode.IsLower(r) {
				return Name{Family: strings.Join(words[i:], " "), Given: strings.Join(words[:i], " ")}
			}
		}
	}
	return person(s, true)
}

// closesAtEnd reports whether the brace that opens s is closed by its last.
func closesAtEnd(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i == len(s)-1
			}
		}
	}
	return false
}
