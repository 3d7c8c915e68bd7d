package fulltext

import (
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// block is a run of lines that belong together: a paragraph, a heading, a caption.
type block struct {
	lines  []line
	size   float64
	style  style
	page   int
	column int
	text   string
	plain  bool // known not to be a heading
}

// typography is what a document's body looks like.
type typography struct {
	size    float64 // of the body
	leading float64 // from baseline to baseline
	bold    bool    // the body itself is bold
}

func measure(ls []line) (t typography) {
	sizes, leads, heavy, all := map[float64]int{}, map[float64]int{}, 0, 0
	for _, l := range ls {
		n := len(l.text)
		sizes[math.Round(l.size*10)/10] += n
		all += n
		if l.style&bold != 0 {
			heavy += n
		}
	}
	t.size = commonest(sizes)
	t.bold = 2*heavy > all
	for i := 1; i < len(ls); i++ {
		a, b := ls[i-1], ls[i]
		if d := b.y - a.y; a.page == b.page && a.column == b.column && math.Abs(a.size-t.size) < 0.6 && math.Abs(b.size-t.size) < 0.6 && d > 0 && d < 4*t.size {
			leads[math.Round(d*2)/2]++
		}
	}
	if t.leading = commonest(leads); t.leading < 0.8*t.size {
		t.leading = 1.2 * t.size
	}
	return t
}

// running takes the running heads, page numbers and stamps out of the pages: what
// stands at the edge of pages again and again.
func running(pages [][]line, heights []float64) (kept []line) {
	count := map[string]int{}
	read := 0
	for i, ls := range pages {
		if len(ls) > 0 {
			read++
		}
		seen := map[string]bool{}
		for _, l := range ls {
			if k := runningKey(l.text); atEdge(l, heights[i]) && !seen[k] {
				seen[k] = true
				count[k]++
			}
		}
	}
	for i, ls := range pages {
		for _, l := range ls {
			if atEdge(l, heights[i]) {
				k := runningKey(l.text)
				if pageNumber.MatchString(l.text) || count[k] >= 3 && len(k) > 3 || count[k] >= 2 && read <= 12 && len(k) > 7 {
					continue
				}
			}
			kept = append(kept, l)
		}
	}
	return kept
}

var pageNumber = regexp.MustCompile(`(?i)^(page )?[-–—|]?\s*(\d{1,4}|[ivxl]{1,5})\s*[-–—|]?( of \d{1,4}| ?/ ?\d{1,4})?$`)

var digits = regexp.MustCompile(`\d+`)

func runningKey(s string) string {
	return strings.Join(strings.Fields(digits.ReplaceAllString(strings.ToLower(s), " ")), " ")
}

func atEdge(l line, height float64) bool {
	return l.y < 0.11*height || l.y > 0.9*height
}

// blocks groups the lines of a document.
func blocks(ls []line, t typography) []block {
	var out []block
	for i, l := range ls {
		if i == 0 || breaks(out[len(out)-1], ls[i-1], l, t) {
			out = append(out, block{size: l.size, style: l.style, page: l.page, column: l.column})
		}
		b := &out[len(out)-1]
		b.lines = append(b.lines, l)
		b.style &= l.style
	}
	for i := range out {
		sizes := map[float64]int{}
		for _, l := range out[i].lines {
			sizes[l.size] += len(l.text)
		}
		out[i].size = commonest(sizes)
	}
	return out
}

var (
	listItem    = regexp.MustCompile(`^([•·▪◦‣■–—*]|\(?(\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s`)
	captionHead = regexp.MustCompile(`^(Table|TABLE|Figure|FIGURE|Fig\.?|FIG\.?|Scheme|Box|Algorithm|Listing|Supplementary (?:Table|Figure))\s?([A-Z]?\d{1,3}|[IVX]{1,5})\b[.:|]?`)
	// runIn finds the label of an abstract or its parts, in its own line or before text.
	runIn = regexp.MustCompile(`^(Abstract|ABSTRACT|A B S T R A C T|a b s t r a c t|Summary|SUMMARY|Keywords?|KEYWORDS|Key words|Index Terms)\b`)
)

// breaks says whether a line begins a new block.
func breaks(b block, prev, l line, t typography) bool {
	if l.page != prev.page || l.column != prev.column {
		return true
	}
	em := max(l.size, prev.size)
	d := l.y - prev.y
	switch {
	case d < -0.5*em || d > max(1.45*t.leading*max(1, em/t.size), 1.3*em)+0.5:
		return true
	case math.Abs(l.size-prev.size) > 0.08*em+0.2 && utf8.RuneCountInString(l.text) > 3:
		return true
	case (l.style^prev.style)&bold != 0 && (l.style&bold == 0 || len(b.lines) >= 1):
		return true
	case captionHead.MatchString(l.text) && (shortLine(prev, t) || ends(prev.text)):
		return true
	case runIn.MatchString(l.text) && shortLine(prev, t):
		return true
	case headingNumber.MatchString(l.text) && ((l.style&^prev.style)&(bold|italic) != 0 || capitals(l.text) && !capitals(prev.text)):
		return true
	case len(b.lines) == 1 && headingNumber.MatchString(prev.text) && ((prev.style&^l.style)&(bold|italic) != 0 || capitals(prev.text) && !capitals(l.text)):
		return true
	case len(b.lines) == 1 && shortLine(prev, t) && standsAlone(prev.text):
		return true
	case standsAlone(l.text) && ends(prev.text) && shortLine(l, t):
		return true
	}
	width := l.right - l.left
	indent := l.x0 - prev.x0
	if width < 8*t.size {
		return false
	}
	switch {
	case listItem.MatchString(l.text) && (ends(prev.text) || shortLine(prev, t)):
		return true
	// An indented first line after a full one.
	case indent > 0.7*em && indent < 4*em && l.x0-l.left < 5*em && len(b.lines) >= 1 && (ends(prev.text) || shortLine(prev, t)) && prev.x0-prev.left < 1.2*em:
		return true
	// Back from a hanging indent.
	case indent < -0.7*em && indent > -5*em && len(b.lines) >= 2 && b.lines[len(b.lines)-2].x0 > l.x0+0.7*em && ends(prev.text):
		return true
	// A short last line, a full stop, and more space than usual.
	case shortLine(prev, t) && ends(prev.text) && d > 1.12*t.leading:
		return true
	}
	return false
}

// standsAlone says whether a line is one of the usual headings.
func standsAlone(s string) bool {
	_, known := knownHeadings[bare(s)]
	return known && s != strings.ToLower(s)
}

func capitals(s string) bool { return s == strings.ToUpper(s) && s != strings.ToLower(s) }

func shortLine(l line, t typography) bool {
	return l.x1 < l.right-max(2.5*t.size, 0.12*(l.right-l.left))
}

// ends says whether a line ends a sentence.
func ends(s string) bool {
	s = strings.TrimRightFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`)]"'”’`, r) || unicode.IsDigit(r)
	})
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?:;。！？", r)
}
