package report

import (
	"regexp"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// prose turns written text into Markdown: ids of evidence become those of
// their documents, citations of anything but the documents of items are taken
// out, and what came from outside cannot act as markup. With marking,
// statements that cite nothing are marked, and what was taken out or marked is
// counted for the report. cites are the documents cited; the page needs their
// addresses (see page.defs).
func (v *view) prose(written, by string, items []state.Evidence, marking bool) (out string, cites []string) {
	allowed := map[string]bool{}
	for _, e := range items {
		if _, ok := v.s.Documents[e.Document]; ok {
			allowed[e.Document] = true
		}
	}
	written = strings.ToValidUTF8(strings.NewReplacer("\r\n", "\n", "\r", "\n", lost, "").Replace(written), "\uFFFD")
	written = evidenceIDs.ReplaceAllStringFunc(written, func(id string) string {
		if e, ok := v.s.Evidence[id]; ok {
			return e.Document
		}
		return id
	})
	clean, removed := filter(written, func(id string) bool { return allowed[id] }, marking)
	if marking {
		v.removed += len(removed)
		var claims []string
		for _, e := range items {
			claims = append(claims, strings.TrimRight(text.OneLine(e.Claim), ". "))
		}
		marked, n := mark(clean, claims)
		clean = marked
		v.marked += n
	}
	return v.linked(blocks(clean, by)), citations(clean)
}

var (
	evidenceIDs = regexp.MustCompile(`\bev_[0-9a-f]{6,}\b`)
	onlyRule    = regexp.MustCompile(`^\s*(?:[-=_*]\s*){2,}$`)
	fence       = regexp.MustCompile("^\\s*(?:```|~~~)")
	heading     = regexp.MustCompile(`^\s*#{1,6}\s+`)
)

// blocks makes filtered prose safe, line by line. The built-in writer's text
// is made of sentences from outside and is shown as it is; a model's text may
// have headings (below the section's), lists, tables and emphasis, nothing
// else.
func blocks(s, by string) string {
	model := by != "" && by != "builtin" && by != "rule"
	var out []string
	for _, line := range strings.Split(s, "\n") {
		line = strings.TrimRight(line, " \t")
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
			out = append(out, "")
		case fence.MatchString(line), onlyRule.MatchString(line) && !strings.Contains(line, "|"):
			// A fence would swallow what follows, a rule make a heading.
		case model && heading.MatchString(line):
			out = append(out, "#### "+inline(heading.ReplaceAllString(trimmed, ""), true))
		case model && listStart.MatchString(line):
			lead := strings.TrimSpace(listStart.FindString(line))
			out = append(out, lead+" "+inline(strings.TrimSpace(line[len(listStart.FindString(line)):]), true))
		case model && strings.HasPrefix(trimmed, "|"):
			out = append(out, tableLine(trimmed))
		default:
			out = append(out, inline(trimmed, model))
		}
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// tableLine keeps the bars of a table and makes its cells safe.
func tableLine(line string) string {
	if tableRule.MatchString(line) {
		return line
	}
	cells := strings.Split(line, "|")
	for i, c := range cells {
		if c = strings.TrimSpace(c); c != "" {
			c = " " + inline(c, true) + " "
		}
		cells[i] = c
	}
	return strings.Join(cells, "|")
}

// inline makes the text of one block safe but for citations and marks, and,
// for a model's text, emphasis.
func inline(s string, emphasis bool) string {
	var b strings.Builder
	at := 0
	part := func(t string, first bool) {
		if strings.TrimSpace(t) == "" {
			b.WriteString(yes(t != "" && !first, " "))
			return
		}
		e := escape(plain(t))
		if first {
			e = md(t)
		}
		if emphasis {
			e = strings.ReplaceAll(e, `\*`, "*")
		}
		// plain trims; the spaces between the parts are the text's.
		b.WriteString(yes(!first && t[0] == ' ', " ") + e + yes(t[len(t)-1] == ' ', " "))
	}
	for _, m := range keep.FindAllStringIndex(s, -1) {
		part(s[at:m[0]], at == 0)
		b.WriteString(s[m[0]:m[1]])
		at = m[1]
	}
	part(s[at:], at == 0)
	return b.String()
}

// keep finds what inline leaves alone.
var keep = regexp.MustCompile(cited.String() + `|` + regexp.QuoteMeta(NoCitation))

// linked splits groups of citations, so that each can be a link (see
// page.defs), and keeps what follows one from changing where it leads. A
// retracted work says so at each citation.
func (v *view) linked(s string) string {
	var b strings.Builder
	at := 0
	for _, m := range cited.FindAllStringIndex(s, -1) {
		b.WriteString(s[at:m[0]])
		at = m[1]
		var out []string
		for _, id := range docID.FindAllString(s[m[0]:m[1]], -1) {
			out = append(out, "["+id+"]"+yes(isRetracted(v.s.Documents[id]), " [RETRACTED]"))
		}
		b.WriteString(strings.Join(out, ", "))
		switch {
		case strings.HasPrefix(s[at:], "("):
			b.WriteByte(' ')
		case strings.HasPrefix(s[at:], ":"):
			b.WriteByte('\\')
		}
	}
	b.WriteString(s[at:])
	return b.String()
}

// defs ends a page with the addresses of the documents it cites. up is the way
// to the run's folder.
func (p *page) defs(up string, ids []string) {
	for i, id := range state.SortedIDs(toSet(ids)) {
		if i == 0 {
			p.line("")
		}
		if safeID(id) {
			p.line("[%s]: %s", id, up+docFile(id))
		}
	}
}

func toSet(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, x := range list {
		m[x] = true
	}
	return m
}
