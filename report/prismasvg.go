package report

import (
	"fmt"
	"strings"
)

// Measures of the drawing, in pixels.
const (
	boxWidth  = 300
	sideWidth = 350
	boxGap    = 26
	lineHigh  = 17
	boxPad    = 10
	margin    = 20
)

// svgBox is one box of the drawing: a bold first line and further lines.
type svgBox struct {
	lines []string
}

func (b svgBox) height() int { return len(b.lines)*lineHigh + 2*boxPad }

// svgRow is one step of an arm: the box on the way down and, if anything left
// the flow there, the box beside it.
type svgRow struct{ main, side svgBox }

// svg draws the flow of records. The arm of citation chasing is drawn only
// when there is one.
func (f Flow) svg() []byte {
	arms := []struct {
		name string
		c    Column
	}{{"Found by searches", f.Search}}
	if Sum(f.Chasing.Identified) > 0 {
		arms = append(arms, struct {
			name string
			c    Column
		}{"Found by citation chasing", f.Chasing})
	}
	columns := make([][]svgRow, len(arms))
	heights := make([]int, 4)
	for i, a := range arms {
		columns[i] = a.c.rows()
		for r, row := range columns[i] {
			heights[r] = max(heights[r], row.main.height(), row.side.height())
		}
	}
	armWidth := boxWidth + boxGap + sideWidth
	width := 2*margin + len(arms)*armWidth + (len(arms)-1)*2*boxGap
	top := margin + 2*lineHigh
	total := top
	for _, h := range heights {
		total += h + boxGap
	}
	last := svgBox{lines: []string{fmt.Sprintf("Works included in the review (n = %s)", thousands(f.Included()))}}
	height := total + last.height() + margin

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-labelledby="t d" font-family="Helvetica, Arial, sans-serif" font-size="13">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title id=\"t\">Flow of records</title>\n<desc id=\"d\">PRISMA 2020 flow diagram: %s identified by searches, %s by citation chasing, %s included.</desc>\n",
		svgText(count(Sum(f.Search.Identified), "record")), svgText(thousands(Sum(f.Chasing.Identified))), svgText(count(f.Included(), "work")))
	b.WriteString(`<defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="#444"/></marker></defs>` + "\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	for i, a := range arms {
		x := margin + i*(armWidth+2*boxGap)
		fmt.Fprintf(&b, `<text x="%d" y="%d" font-weight="bold" fill="#222">%s</text>`+"\n", x, margin+lineHigh, svgText(a.name))
		y := top
		for r, row := range columns[i] {
			row.main.draw(&b, x, y, boxWidth, heights[r], "#eef3fa")
			if len(row.side.lines) > 0 {
				side := x + boxWidth + boxGap
				row.side.draw(&b, side, y, sideWidth, row.side.height(), "#f7f7f7")
				mid := y + row.side.height()/2
				arrow(&b, x+boxWidth, mid, side, mid)
			}
			next := y + heights[r]
			arrow(&b, x+boxWidth/2, next, x+boxWidth/2, next+boxGap)
			y = next + boxGap
		}
	}
	lastWidth := boxWidth
	if len(arms) > 1 {
		lastWidth = armWidth + 2*boxGap + boxWidth
	}
	last.draw(&b, margin, total, lastWidth, last.height(), "#e6f4ea")
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// rows are the four steps of an arm.
func (c Column) rows() []svgRow {
	removed := []string{fmt.Sprintf("Removed before screening (n = %s)", thousands(c.Repeated+c.Searched+c.Duplicates+Sum(c.Ineligible)+c.Unlinked+c.Unscored+c.Unscreened))}
	removed = append(removed, item(Count{"the same record again", c.Repeated}))
	if c.Searched > 0 {
		removed = append(removed, item(Count{"a record that a search found", c.Searched}))
	}
	removed = append(removed, item(Count{"another record of the same work", c.Duplicates}))
	for _, x := range c.Ineligible {
		removed = append(removed, item(x))
	}
	for _, x := range []Count{{"not compared yet", c.Unlinked}, {"no score came back", c.Unscored}, {"not screened yet", c.Unscreened}} {
		if x.N > 0 {
			removed = append(removed, item(x))
		}
	}
	return []svgRow{
		{listBox("Records identified", c.Identified), svgBox{removed}},
		{box1("Works screened", c.Screened), listBox("Excluded", c.Excluded)},
		{box1("Sought for reading", c.Sought), listBox("Not read", c.NotRetrieved)},
		{box1("Read", c.Assessed), listBox("Excluded after reading", c.Rejected)},
	}
}

func box1(name string, n int) svgBox {
	return svgBox{[]string{fmt.Sprintf("%s (n = %s)", name, thousands(n))}}
}

func listBox(name string, list []Count) svgBox {
	b := box1(name, Sum(list))
	for _, c := range list {
		b.lines = append(b.lines, item(c))
	}
	return b
}

func item(c Count) string { return fmt.Sprintf("%s (n = %s)", c.What, thousands(c.N)) }

func (b svgBox) draw(w *strings.Builder, x, y, width, height int, fill string) {
	fmt.Fprintf(w, `<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="%s" stroke="#444"/>`+"\n", x, y, width, height, fill)
	for i, l := range b.lines {
		weight := ""
		indent := 2 * boxPad
		if i == 0 {
			weight, indent = ` font-weight="bold"`, boxPad
		}
		fmt.Fprintf(w, `<text x="%d" y="%d"%s fill="#222">%s</text>`+"\n", x+indent, y+boxPad+i*lineHigh+13, weight, svgText(fit(l)))
	}
}

// fit cuts a line to the width of a box.
func fit(s string) string {
	const most = 42
	r := []rune(plain(s))
	if len(r) <= most {
		return string(r)
	}
	// The number at the end stays.
	i := strings.LastIndex(s, " (n = ")
	if i < 0 {
		return string(r[:most-1]) + "…"
	}
	tail := []rune(s[i:])
	head := []rune(s[:i])
	return string(head[:max(min(most-len(tail)-1, len(head)), 0)]) + "…" + string(tail)
}

func arrow(w *strings.Builder, x1, y1, x2, y2 int) {
	fmt.Fprintf(w, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#444" marker-end="url(#a)"/>`+"\n", x1, y1, x2, y2)
}
