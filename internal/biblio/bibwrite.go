package biblio

import (
	"bufio"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// write writes one entry in UTF-8. Titles keep their case.
func (b *bibWriter) write(w *bufio.Writer, e *Entry) {
	kind := bibType(e)[0]
	if !bibWord(kind) {
		kind = bibTypes[e.Type]
	}
	fmt.Fprintf(w, "@%s{%s", kind, b.key(e))
	field := func(name, v string) {
		if v != "" && bibWord(name) {
			w.WriteString(",\n  " + name + " = {" + v + "}")
		}
	}
	bibTable.write(e, func(tag, v string) {
		_, known := bibTable.byTag[tag]
		switch {
		case tag == "author" || tag == "editor": // one field each, below
		case !known && balanced(v):
			field(tag, v)
		case bibVerbatim[tag]:
			field(tag, verbatimText(v))
		case tag == "title":
			field(tag, "{"+escape(v)+"}")
		default:
			field(tag, escape(v))
		}
	})
	field("author", bibNamesOf(e.Authors))
	field("editor", bibNamesOf(e.Editors))
	w.WriteString("\n}\n\n")
}

var bibType = writeType(BibTeX, bibTypes, bibNames)

// bibWord reports whether a name of a type or field ends where it should.
func bibWord(s string) bool { return s != "" && !strings.ContainsAny(s, " {}()=,\"#%@") }

// verbatimText is an identifier or an address, in which braces are encoded
// already.
func verbatimText(v string) string { return strings.NewReplacer("{", "%7B", "}", "%7D").Replace(v) }

// balanced reports whether braces pair, as BibTeX counts them.
func balanced(s string) bool {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

func bibNamesOf(list []Name) string {
	var b strings.Builder
	for i, n := range list {
		if i > 0 {
			b.WriteString(" and ")
		}
		b.WriteString(bibNameOf(n))
	}
	return b.String()
}

// bibNameOf puts braces only around what is one name in several words.
func bibNameOf(n Name) string {
	protect := func(s string) string {
		s = escape(s)
		if strings.Contains(strings.ToLower(s), " and ") || strings.Contains(s, ",") || strings.HasPrefix(strings.ToLower(s), "and ") || strings.HasSuffix(strings.ToLower(s), " and") || strings.EqualFold(s, "and") {
			return "{" + s + "}"
		}
		return s
	}
	if n.Literal != "" {
		if !strings.ContainsAny(n.Literal, " ,") && escape(n.Literal) == n.Literal && person(n.Literal, true) == n {
			return n.Literal
		}
		return "{" + escape(n.Literal) + "}"
	}
	if n.Suffix != "" {
		return protect(n.Family) + ", " + protect(n.Suffix) + ", " + protect(n.Given)
	}
	return protect(n.Family) + ", " + protect(n.Given)
}

// bibWriter makes citation keys that BibTeX accepts and that are used once.
type bibWriter struct {
	taken map[string]bool
	n     int
}

func (b *bibWriter) key(e *Entry) string {
	b.n++
	k := keySigns(e.ID)
	if k == "" {
		family := ""
		if len(e.Authors) > 0 {
			family = e.Authors[0].Family + e.Authors[0].Literal
		}
		word := ""
		for _, w := range strings.Fields(e.Title) {
			if w = keySigns(w); len(w) > 3 {
				word = w
				break
			}
		}
		year := ""
		if len(e.Date) >= 4 {
			year = e.Date[:4]
		}
		if k = strings.ToLower(keySigns(family)) + year + strings.ToLower(word); k == "" {
			k = fmt.Sprintf("entry%d", b.n)
		}
	}
	for base, i := k, b.n; b.taken[k]; i++ {
		k = fmt.Sprintf("%sentry%d", base, i)
	}
	b.taken[k] = true
	return k
}

func keySigns(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("_-:.+/", r):
			return r
		}
		return -1
	}, norm.NFD.String(s))
}
