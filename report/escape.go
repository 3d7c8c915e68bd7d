package report

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
)

// longField caps one outside text in running prose, in characters.
const longField = 20_000

// plain makes outside text one line of plain text: white space and control
// characters folded, direction marks removed, capped.
func plain(s string) string { return text.Truncate(text.OneLine(s), longField) }

// md writes outside text as one line of Markdown that shows exactly the text:
// no HTML, no link, no image, no emphasis, no formula, no heading or list.
func md(s string) string {
	s = plain(s)
	return lineStart(s) + escape(afterLineStart(s))
}

// escape is md for a text that does not stand at the start of a line and is
// one line already.
func escape(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/16)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		escapeRune(&b, s, i, r)
		i += n
	}
	return b.String()
}

// escapeRune writes one character of s so that Markdown takes it as text.
func escapeRune(b *strings.Builder, s string, i int, r rune) {
	switch r {
	case '\\', '`', '*', '[', ']', '|', '$', '~':
		b.WriteByte('\\')
	case '_':
		if !insideWord(s, i) {
			b.WriteByte('\\')
		}
	case '<':
		// A space or a digit after it cannot open a tag.
		if i+1 < len(s) && (s[i+1] == ' ' || s[i+1] >= '0' && s[i+1] <= '9') {
			break
		}
		b.WriteString("&lt;")
		return
	case '&':
		b.WriteString("&amp;")
		return
	case ':':
		// "http://…" would become a link by itself in some renderers.
		if strings.HasPrefix(s[i:], "://") {
			b.WriteString(`:\/`)
			b.WriteString(`\`) // escapes the second slash, which follows
			return
		}
	case '/':
		if i > 0 && s[i-1] == ':' && i+1 < len(s) && s[i+1] == '/' {
			return // written with the colon
		}
	case '.':
		if i >= 3 && strings.EqualFold(s[i-3:i], "www") {
			b.WriteByte('\\')
		}
	}
	b.WriteRune(r)
}

func insideWord(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+1:])
	word := func(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	return word(before) && word(after)
}

// lineStart gives the escaped form of what could open a block at the start of
// a line: a heading, a list, a quote, a rule, a table's underline.
func lineStart(s string) string {
	head := s[:len(s)-len(afterLineStart(s))]
	if head == "" {
		return ""
	}
	if head == ">" {
		return "&gt;"
	}
	last := len(head) - 1
	return head[:last] + `\` + head[last:]
}

// afterLineStart gives s without such an opening.
func afterLineStart(s string) string {
	if s == "" {
		return s
	}
	ends := func(rest string) bool { return rest == "" || rest[0] == ' ' }
	switch s[0] {
	case '>':
		return s[1:]
	case '-', '+', '=', '#':
		if ends(s[1:]) || ends(strings.TrimLeft(s, s[:1])) || strings.Trim(s, "- ") == "" {
			return s[1:]
		}
		return s
	}
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n > 0 && n < 10 && n < len(s) && (s[n] == '.' || s[n] == ')') && ends(s[n+1:]) {
		return s[n+1:]
	}
	return s
}

// cell is md for a cell of a table, cut to most characters (0 = not cut).
func cell(s string, most int) string {
	if most > 0 {
		s = text.Truncate(text.OneLine(s), most)
	}
	return md(s)
}

// code writes outside text as a code span on one line.
func code(s string) string {
	s = plain(s)
	if s == "" {
		return ""
	}
	run, longest := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// codeCell is code for a cell of a table, where a bar ends the cell even
// inside a code span.
func codeCell(s string) string { return strings.ReplaceAll(code(s), "|", `\|`) }

// quoteBlock writes outside text as a block quote.
func quoteBlock(s string) string { return "> " + md(s) }

// csvField writes one cell of a CSV file. A cell that a spreadsheet would take
// for a formula gets an apostrophe in front.
func csvField(s string) string {
	s = plain(s)
	if s != "" && strings.IndexByte("=+-@\t\r|%", s[0]) >= 0 {
		s = "'" + s
	}
	if strings.ContainsAny(s, ",\"\n\r;") || strings.HasPrefix(s, "'") || strings.HasPrefix(s, " ") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// csvRow writes a row with its line end.
func csvRow(cells ...string) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = csvField(c)
	}
	return strings.Join(out, ",") + "\n"
}

// yamlString writes a quoted YAML scalar on one line.
func yamlString(s string) string {
	s = plain(s)
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7F || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xFEFF:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// svgText writes outside text inside an SVG element.
func svgText(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;").Replace(plain(s))
}

// link gives a Markdown autolink for an http or https address; "" for any
// other.
func link(address string) string {
	u := safeURL(address)
	if u == "" {
		return ""
	}
	return "<" + u + ">"
}

// safeURL gives an absolute http or https address without any character that
// could end the place where it stands; "" for what is none.
func safeURL(address string) string {
	address = strings.TrimSpace(address)
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return ""
	}
	var b strings.Builder
	for _, c := range []byte(u.String()) {
		if c <= ' ' || c >= 0x7F || strings.IndexByte("<>\"'`\\[](){}|^*", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// doiURL is the resolver's address of a DOI.
func doiURL(doi string) string {
	var b strings.Builder
	for _, c := range []byte(doi) {
		if c <= ' ' || c >= 0x7F || strings.IndexByte("<>\"'`\\[](){}|^*%#?", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return "https://doi.org/" + b.String()
}

// count writes "1 document", "2 documents".
func count(n int, noun string) string { return thousands(n) + " " + plural(n, noun) }

// plural gives the noun for n of them; "y" after a consonant becomes "ies". A
// noun with an "of" takes its ending before it.
func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	if head, tail, ok := strings.Cut(noun, " of "); ok {
		return plural(n, head) + " of " + tail
	}
	if len(noun) > 1 && noun[len(noun)-1] == 'y' && strings.IndexByte("aeiou", noun[len(noun)-2]) < 0 {
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// list joins words: "a", "a and b", "a, b and c".
func list(words []string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// words turns a closed list's value into words: "broken_reply" → "broken reply".
func words(s string) string { return strings.ReplaceAll(plain(s), "_", " ") }

// score writes a value in [0,1] with two decimals.
func score(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

// capital makes the first letter upper case.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// sentence makes a text end like a sentence.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}
