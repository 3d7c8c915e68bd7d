package crossref

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// abstract gives the plain text of a deposited abstract: a JATS fragment under
// any prefix ("<jats:p>", now also "<p>"), or plain text. The headings of its
// sections end in a colon; a heading "Abstract" goes.
func abstract(fragment string) (plain string, synopsis bool) {
	if len(fragment) > 16*longAbstract {
		fragment = strings.ToValidUTF8(fragment[:16*longAbstract], "")
	}
	if read, ok := readJATS(fragment); ok {
		fragment = read
	}
	plain = text.Truncate(text.OneLine(text.Strip(fragment)), longAbstract)
	plain, synopsis = state.CutSynopsis(plain)
	return cutHeading(plain), synopsis
}

// Elements of JATS that matter for the text around them.
var (
	blocks = map[string]bool{"p": true, "sec": true, "title": true, "list": true, "list-item": true, "label": true, "break": true, "disp-formula": true}
	// slanted elements lose the space beside them on some servers
	// ("targeting<jats:italic>SMARCB1</jats:italic>for", 10.1101/2024.04.01.587366, 2025).
	slanted = map[string]bool{"italic": true, "i": true, "em": true}
)

// readJATS reads a fragment as XML and gives its text; false if it is none.
// What it gives may still hold escaped markup ("&amp;lt;" is deposited too).
func readJATS(fragment string) (string, bool) {
	if !strings.Contains(fragment, "<") {
		return "", false
	}
	dec := xml.NewDecoder(strings.NewReader("<abstract>" + fragment + "</abstract>"))
	dec.Strict = false
	dec.Entity = xml.HTMLEntity
	var b, heading strings.Builder
	var open []string
	skip := 0      // depth inside an element whose text is an alternative to other text
	glued := false // the slanted element before was glued to the word before it
	out := &b
	space := func() {
		if out.Len() > 0 && !strings.HasSuffix(out.String(), " ") {
			out.WriteByte(' ')
		}
	}
	for {
		tok, err := dec.RawToken()
		if err != nil {
			return b.String(), err == io.EOF && len(open) == 0
		}
		switch t := tok.(type) {
		case xml.StartElement:
			name := strings.ToLower(t.Name.Local)
			open = append(open, name)
			switch {
			case skip > 0 || name == "tex-math" && slices.Contains(open, "alternatives"):
				skip++
			case name == "title":
				heading.Reset()
				out = &heading
			case blocks[name]:
				space()
			}
		case xml.EndElement:
			name := strings.ToLower(t.Name.Local)
			if len(open) == 0 || open[len(open)-1] != name {
				return "", false
			}
			open = open[:len(open)-1]
			switch {
			case skip > 0:
				skip--
			case name == "title":
				out = &b
				space()
				b.WriteString(sectionHeading(heading.String()))
			case blocks[name]:
				space()
			}
		case xml.CharData:
			if len(open) == 0 {
				return "", false
			}
			if skip == 0 {
				glued = appendText(out, string(t), slanted[open[len(open)-1]], glued)
			}
		}
	}
}

// appendText adds character data, with a space where a slanted word of three
// letters or more is glued to its neighbours. glued says that the one before
// s was.
func appendText(b *strings.Builder, s string, slant, glued bool) bool {
	last, _ := utf8.DecodeLastRuneInString(b.String())
	next, _ := utf8.DecodeRuneInString(s)
	touching := (unicode.IsLetter(last) || unicode.IsDigit(last)) && unicode.IsLetter(next)
	glued = touching && (glued && !slant || slant && utf8.RuneCountInString(s) > 2)
	if glued {
		b.WriteByte(' ')
	}
	b.WriteString(s)
	return glued && slant
}

// sectionHeading is "Methods: " for "Methods", and nothing for "Abstract".
func sectionHeading(s string) string {
	s = strings.TrimRight(text.OneLine(text.Strip(s)), ":. ")
	if s == "" || strings.EqualFold(s, "abstract") || strings.EqualFold(s, "summary") {
		return ""
	}
	return s + ": "
}

// cutHeading removes a heading "Abstract" that was deposited as the first word
// of the text. "Abstract interpretation is…" stays.
func cutHeading(s string) string {
	for _, heading := range []string{"Abstract", "ABSTRACT", "Summary", "SUMMARY"} {
		rest, ok := strings.CutPrefix(s, heading)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, ":. ")
		if first, _ := utf8.DecodeRuneInString(rest); len(rest) < len(s)-len(heading) && unicode.IsUpper(first) {
			return rest
		}
	}
	return s
}
