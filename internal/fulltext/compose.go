package fulltext

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
)

// compose makes a document of the pages that a reader saw.
func compose(pages []page, metaTitle string) *Doc {
	d := &Doc{Format: FormatPDF}
	var perPage [][]line
	var heights []float64
	side := ""
	for i, pg := range pages {
		gs, margin := upright(pg)
		if i < 2 {
			side += margin
		}
		perPage = append(perPage, lines(segments(gs, pg.single), i+1))
		heights = append(heights, pageHeight(pg, gs))
	}
	d.Front = front(perPage, side)
	kept := running(perPage, heights)
	t := measure(kept)
	v := vocabulary{}
	for _, l := range kept {
		v.add(clean(l.text))
	}
	bs := blocks(kept, t)
	for i := range bs {
		v.fill(&bs[i])
	}
	c := &composer{doc: d, t: t, v: v}
	bs = c.front(bs, metaTitle)
	c.body(bs)
	d.Language = language(d)
	return d
}

func pageHeight(pg page, gs []glyph) float64 {
	for _, g := range gs {
		if g.y > pg.h {
			return pg.w // the page is printed sideways
		}
	}
	return pg.h
}

// front is the text of the first two pages, with what stands at their margins.
func front(pages [][]line, side string) string {
	var b strings.Builder
	for _, ls := range pages[:min(len(pages), 2)] {
		for _, l := range ls {
			b.WriteString(clean(l.text) + "\n")
		}
	}
	s := b.String()
	if side = clean(side); side != "" {
		side = text.Truncate(side, 1000) + "\n"
	}
	return strings.TrimSpace(cut(side+s, 8000))
}

// cut shortens to at most n bytes, between runes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func language(d *Doc) string {
	sample := d.Abstract + "\n" + d.Text()
	code, sure := text.Language(cut(sample, 6000))
	if !sure {
		return ""
	}
	return code
}

type composer struct {
	doc *Doc
	t   typography
	v   vocabulary
}

// body files the blocks behind the front matter: sections, captions, references.
func (c *composer) body(bs []block) {
	d := c.doc
	var heads []block
	var at []int // sections with a heading, in the order of heads
	section := func() *Section {
		if len(d.Sections) == 0 {
			d.Sections = append(d.Sections, Section{Level: 1})
		}
		return &d.Sections[len(d.Sections)-1]
	}
	type place struct{ section, paragraph int }
	open, openOK := place{}, false
	var last block
	inRefs := false
	var refs []block
	for _, b := range bs {
		if b.text == "" {
			continue
		}
		if !b.plain && isHeading(b, c.t) && !(inRefs && !c.endsReferences(b)) {
			inRefs = referenceHeadings[bare(b.text)]
			if inRefs {
				c.references(refs)
				refs, openOK = nil, false
				continue
			}
			d.Sections = append(d.Sections, Section{Heading: b.text, Page: b.page})
			heads, at = append(heads, b), append(at, len(d.Sections)-1)
			openOK = false
			continue
		}
		if inRefs {
			refs = append(refs, b)
			continue
		}
		if m := captionHead.FindStringSubmatch(b.text); m != nil && (len(m[0]) < len(b.text) || b.size < c.t.size) && captionText(b.text[len(m[0]):]) {
			kind := "figure"
			if strings.HasPrefix(strings.ToLower(m[1]), "table") {
				kind = "table"
			}
			d.Captions = append(d.Captions, Caption{Kind: kind, Label: strings.TrimRight(m[0], ".:|"), Text: strings.TrimSpace(b.text[len(m[0]):]), Page: b.page})
			continue
		}
		body := b.size > 0.93*c.t.size && b.size < 1.07*c.t.size
		if body && openOK && c.continues(d.Sections[open.section].Paragraphs[open.paragraph].Text, last, b) {
			p := &d.Sections[open.section].Paragraphs[open.paragraph]
			p.Text = c.v.join(p.Text, b.text)
			last, openOK = b, !ends(b.text)
			continue
		}
		s := section()
		s.Paragraphs = append(s.Paragraphs, Paragraph{Text: b.text, Page: b.page})
		if body || !openOK {
			open, openOK, last = place{len(d.Sections) - 1, len(s.Paragraphs) - 1}, !ends(b.text) && body && utf8.RuneCountInString(b.text) > 40, b
		}
	}
	c.references(refs)
	for i, l := range levels(heads) {
		d.Sections[at[i]].Level = l
	}
}

// captionText refuses sentences that only begin with the name of a table, such
// as "Table 2 shows that …".
func captionText(rest string) bool {
	f := strings.Fields(rest)
	if len(f) == 0 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(f[0])
	return !unicode.IsLower(r) && r != ',' && r != ')' && r != ';'
}

// continues says whether b goes on with an unfinished paragraph in the next
// column or on the next page.
func (c *composer) continues(open string, last, b block) bool {
	if last.page == b.page && last.column == b.column && len(last.lines) > 0 && shortLine(last.lines[len(last.lines)-1], c.t) && !strings.HasSuffix(open, "-") {
		r, _ := utf8.DecodeRuneInString(b.text)
		return unicode.IsLower(r) && len(strings.Fields(b.text)) > 3
	}
	if listItem.MatchString(b.text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(b.text)
	return unicode.IsLower(r) || unicode.IsDigit(r) || b.page != last.page || b.column != last.column
}

// endsReferences says whether a heading stands behind the list of references.
func (c *composer) endsReferences(b block) bool {
	s := bare(b.text)
	_, known := knownHeadings[s]
	return known || strings.HasPrefix(s, "append") || strings.HasPrefix(s, "supplement") || strings.HasPrefix(s, "supporting information") || arabic.MatchString(b.text) && b.size >= 1.07*c.t.size || strings.HasPrefix(s, "author")
}

var entryStart = regexp.MustCompile(`^(\[[0-9]{1,3}\]|\[[A-Z][A-Za-z+]{1,10}\d{2}[a-z]?\]|\(?\d{1,3}[.)]|\d{1,3}\s+\p{Lu})`)

// references splits the lines of the reference list into entries: by their
// numbers, by hanging indents, or else by blocks.
func (c *composer) references(bs []block) {
	var ls []line
	first := map[int]bool{} // lines that begin a block
	for _, b := range bs {
		first[len(ls)] = true
		ls = append(ls, b.lines...)
	}
	if len(ls) == 0 {
		return
	}
	type place struct{ page, column int }
	left := map[place]float64{}
	for _, l := range ls {
		p := place{l.page, l.column}
		if x, ok := left[p]; !ok || l.x0 < x {
			left[p] = l.x0
		}
	}
	indented := func(l line) bool { return l.x0 > left[place{l.page, l.column}]+0.4*l.size }
	hang := 0
	for _, l := range ls {
		if indented(l) {
			hang++
		}
	}
	hanging := 5*hang > len(ls) && 10*hang < 9*len(ls)
	numbered := entryStart.MatchString(ls[0].text)
	var entries []string
	number := 0
	for i, l := range ls {
		s := clean(l.text)
		r, _ := utf8.DecodeRuneInString(s)
		begins := i == 0
		switch n := leadingNumber(s); {
		case numbered:
			begins = begins || entryStart.MatchString(s) && (n < 0 || n > number && n <= number+3)
			if begins && n > 0 {
				number = n
			}
		case hanging:
			begins = begins || !indented(l)
		default:
			begins = begins || first[i] && !unicode.IsLower(r) && ends(entries[len(entries)-1])
		}
		if begins || utf8.RuneCountInString(entries[len(entries)-1]) > 2000 {
			entries = append(entries, s)
			continue
		}
		e := &entries[len(entries)-1]
		*e = c.v.join(*e, s)
	}
	for _, e := range entries {
		if utf8.RuneCountInString(e) > 8 {
			c.doc.References = append(c.doc.References, e)
		}
	}
}

func leadingNumber(s string) int {
	s = strings.TrimLeft(s, "[(")
	n, any := 0, false
	for _, r := range s {
		if r < '0' || r > '9' || n > 9999 {
			break
		}
		n, any = n*10+int(r-'0'), true
	}
	if !any {
		return -1
	}
	return n
}
