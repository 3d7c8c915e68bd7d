package report

import (
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
