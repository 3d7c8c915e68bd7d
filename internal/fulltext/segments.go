package fulltext

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// segment is a piece of a line without a wide gap in it. Here y grows downwards.
type segment struct {
	x0, x1, y float64 // y of the baseline
	size      float64
	style     style
	text      string
}

const (
	wordGap = 0.17 // in font sizes: a wider gap is a space between words
	wideGap = 0.9  // a wider one may be more than that
)

// upright gives the glyphs that run in the page's main direction, with y
// downwards, and the text of the others.
func upright(pg page) (out []glyph, side string) {
	var turns [5]int
	for _, g := range pg.glyphs {
		turns[g.turn]++
	}
	main := uint8(0)
	for t := uint8(1); t < 4; t++ {
		if turns[t] > turns[main] {
			main = t
		}
	}
	var margin []glyph
	for _, g := range rescale(slices.Clone(pg.glyphs)) {
		x, y := g.x, pg.h-g.y
		switch main {
		case 1: // reads upwards: turn the page clockwise
			x, y = g.y, g.x
		case 2:
			x, y = pg.w-g.x, g.y
		case 3:
			x, y = pg.h-g.y, pg.w-g.x
		}
		if g.turn == main {
			g.x, g.y = x, y
			out = append(out, g)
		} else if g.turn < 4 && len(margin) < 2000 {
			if g.turn == 1 { // the usual stamp along the left margin
				g.x, g.y = g.y, g.x
			}
			margin = append(margin, g)
		}
	}
	var b strings.Builder
	for _, s := range segments(margin, pg.single) {
		b.WriteString(s.text + "\n")
	}
	return out, b.String()
}

// piece is a glyph within a segment and what lies before it.
type piece struct {
	text  string
	gap   float64 // to the glyph before, in font sizes
	space bool    // a space was drawn there
	level bool    // on the same baseline as the glyph before
}

// segments joins glyphs, in the order in which they were drawn, to pieces of
// lines. Letters drawn twice at one place (imitated bold) count once, unless the
// reader says that its glyphs are single.
func segments(glyphs []glyph, single bool) []segment {
	type spot struct {
		x, y int
		text string
	}
	seen := make(map[spot]bool, len(glyphs))
	var out []segment
	var cur segment
	var end, base, last float64 // where the line is; size of the last letter
	var sizes map[float64]int
	var line []piece
	space := false
	flush := func() {
		if len(line) > 0 {
			cur.text = spaced(line)
			cur.size = commonest(sizes)
			if cur.text == strings.ToUpper(cur.text) { // small capitals: the large ones set the size
				for k := range sizes {
					cur.size = max(cur.size, k)
				}
			}
			if cur.text != "" {
				out = append(out, cur)
			}
		}
		line, space = line[:0], false
	}
	for _, g := range glyphs {
		if strings.TrimFunc(g.text, isBlank) == "" {
			space = true
			continue
		}
		if at := (spot{int(math.Round(g.x * 2)), int(math.Round(g.y * 2)), g.text}); !single {
			if seen[at] {
				continue
			}
			seen[at] = true
		}
		p := piece{text: g.text}
		if len(line) > 0 {
			gap, em := g.x-end, max(g.size, last)
			dy := math.Abs(g.y - base)
			p.level = dy < 0.2*em
			level := p.level || dy < 0.65*em && math.Abs(gap) < 0.5*em && (g.size < 0.9*cur.size || last < 0.9*cur.size || last < 0.9*g.size)
			if !level || gap < -0.6*em || gap > wideGap*em {
				flush()
			}
			p.gap, p.space = gap/em, space
		}
		if len(line) == 0 {
			cur = segment{x0: g.x, x1: g.x, y: g.y, size: g.size, style: ^style(0)}
			sizes = map[float64]int{}
			p.gap, p.space = 0, false
		}
		if g.size > 1.1*cur.size { // a raised or first small letter does not set the line
			cur.size, cur.y = g.size, g.y
		}
		line = append(line, p)
		sizes[math.Round(g.size*10)/10] += len(g.text)
		cur.style &= g.style
		cur.x0, cur.x1 = min(cur.x0, g.x), max(cur.x1, g.x+g.w)
		end, last, base, space = g.x+g.w, g.size, g.y, false
		if g.size >= 0.9*cur.size {
			cur.y = g.y
		}
	}
	flush()
	return out
}

// spaced writes a piece of a line with spaces where words end.
func spaced(line []piece) string {
	limit := wordLimit(line)
	var b strings.Builder
	for i, p := range line {
		if i > 0 && (p.space && p.gap > -0.2 && (p.level || p.gap > wordGap) || p.gap > limit) {
			b.WriteByte(' ')
		}
		b.WriteString(p.text)
	}
	return strings.TrimSpace(b.String())
}

// wordLimit is the gap above which a word ends. Lines that are set tight or wide
// show it by two groups of gaps, within and between words, with nothing between
// the groups.
func wordLimit(line []piece) float64 {
	if len(line) < 16 {
		return wordGap
	}
	gaps := make([]float64, 0, len(line))
	for _, p := range line[1:] {
		if p.level {
			gaps = append(gaps, p.gap)
		}
	}
	slices.Sort(gaps)
	if len(gaps) < 12 {
		return wordGap
	}
	best, at := 0.0, wordGap
	within := 0.13 // the widest gap within a word
	if gaps[len(gaps)/2] > 0.1 {
		within = 0.4 // the letters are spaced out
	}
	for i := len(gaps) / 2; i+1 < len(gaps); i++ { // most gaps lie within words
		if d := gaps[i+1] - gaps[i]; d > best && gaps[i+1] > 0.07 && gaps[i] < within {
			best, at = d, (gaps[i+1]+gaps[i])/2
		}
	}
	if best < 0.05 {
		return wordGap
	}
	return min(max(at, 0.07), 0.35)
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == 0 }

func commonest(m map[float64]int) (best float64) {
	keys := make([]float64, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	n := -1
	for _, k := range keys {
		if m[k] >= n {
			best, n = k, m[k]
		}
	}
	return best
}

// rescale corrects the sizes of bitmap fonts, which may say that they are a
// hundredth of a point high: a run of letters is about twice as high as its
// letters are wide. Spaces that a reader put there by the wrong size go.
func rescale(gs []glyph) []glyph {
	odd := false
	for i := 0; i < len(gs); {
		j, n, w := i, 0, 0.0
		for j < len(gs) && (gs[j].text == " " || math.Abs(gs[j].y-gs[i].y) < 0.5) && (gs[j].text == " " || gs[j].size == gs[i].size) {
			if gs[j].text != " " {
				n++
				w += gs[j].w
			}
			j++
		}
		if j == i {
			j++
		}
		if n > 0 && gs[i].size > 0 && w/float64(n) > 1.6*gs[i].size && gs[i].size < 4 {
			odd = true
			size := max(math.Round(4*w/float64(n))/2, 1)
			for k := i; k < j; k++ {
				if gs[k].text == " " {
					gs[k].text = ""
				}
				gs[k].size = size
			}
		}
		i = j
	}
	if !odd {
		return gs
	}
	return slices.DeleteFunc(gs, func(g glyph) bool { return g.text == "" })
}
