package fulltext

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// line is a printed line of a column, in reading order.
type line struct {
	x0, x1, y float64
	size      float64
	style     style
	text      string
	page      int     // from 1
	column    int     // changes where the reading jumps
	left      float64 // edges of its column
	right     float64
	gaps      int // wide gaps within it, as between the cells of a table
}

// lines puts the segments of a page into reading order: columns one after the
// other, what spans them in between.
func lines(segs []segment, pageNo int) []line {
	o := &ordering{page: pageNo}
	o.region(segs, 0)
	return o.out
}

type ordering struct {
	page, column int
	out          []line
}

// rows groups segments by their baselines, from the top, each from the left.
func rows(segs []segment) [][]segment {
	segs = slices.Clone(segs)
	sort.SliceStable(segs, func(i, j int) bool { return segs[i].y < segs[j].y })
	var out [][]segment
	var y, size float64
	for _, s := range segs {
		if n := len(out); n > 0 && math.Abs(s.y-y) <= 0.35*min(size, s.size)+0.5 {
			out[n-1] = append(out[n-1], s)
			if s.size > size {
				size = s.size
			}
			continue
		}
		out = append(out, []segment{s})
		y, size = s.y, s.size
	}
	for _, r := range out {
		sort.SliceStable(r, func(i, j int) bool { return r[i].x0 < r[j].x0 })
	}
	return out
}

func (o *ordering) region(segs []segment, depth int) {
	if len(segs) == 0 {
		return
	}
	x, strong, ok := 0.0, false, false
	if depth < 8 && len(segs) > 3 {
		x, strong, ok = gutter(segs)
	}
	if !ok {
		o.emit(segs)
		return
	}
	for _, b := range bands(segs, x, strong) {
		switch {
		case !b.columns && len(b.segs) < len(segs):
			o.region(b.segs, depth+1)
		case !b.columns:
			o.emit(b.segs)
		default:
			var left, right []segment
			for _, s := range b.segs {
				if (s.x0+s.x1)/2 < x {
					left = append(left, s)
				} else {
					right = append(right, s)
				}
			}
			if sidebar(left, right) {
				left, right = right, left
			}
			o.region(left, depth+1)
			o.region(right, depth+1)
		}
	}
}

// sidebar says that what stands left is a narrow margin column beside the text:
// dates, editors, licence.
func sidebar(left, right []segment) bool {
	l, r := extent(left), extent(right)
	return l.chars*4 < r.chars && l.x1-l.x0 < 0.5*(r.x1-r.x0) && l.size < 0.97*r.size
}

type box struct {
	x0, x1, size float64
	chars        int
}

func extent(segs []segment) box {
	b := box{x0: math.Inf(1), x1: math.Inf(-1)}
	sizes := map[float64]int{}
	for _, s := range segs {
		b.x0, b.x1 = min(b.x0, s.x0), max(b.x1, s.x1)
		n := utf8.RuneCountInString(s.text)
		b.chars += n
		sizes[s.size] += n
	}
	b.size = commonest(sizes)
	return b
}

// strips divides a region into rows of the height of a line and notes, for a
// vertical strip around x, what each holds left of it, right of it, or across.
func strips(segs []segment, x, half, top, height float64, n int) (left, right, cross []bool) {
	left, right, cross = make([]bool, n), make([]bool, n), make([]bool, n)
	for _, s := range segs {
		i := min(max(int((s.y-top)/height), 0), n-1)
		switch {
		case s.x1 <= x-half+0.01:
			left[i] = true
		case s.x0 >= x+half-0.01:
			right[i] = true
		default:
			cross[i] = true
		}
	}
	return left, right, cross
}

const halfGutter = 2.2 // points; the narrowest gutters in print have some 6

// gutter looks for the white strip between two columns: the place that most rows
// leave white while text stands on both sides. It is strong when it stands in the
// middle of the page and is long, as between two columns of print.
func gutter(segs []segment) (x float64, strong, ok bool) {
	b := extent(segs)
	top, bottom := math.Inf(1), math.Inf(-1)
	for _, s := range segs {
		top, bottom = min(top, s.y), max(bottom, s.y)
	}
	height := max(1.25*b.size, 4)
	n := min(int((bottom-top)/height)+1, 2000)
	best, at := 0.0, 0.0
	wide := b.x1 - b.x0
	if wide > 20_000 || wide < 8*b.size {
		return 0, false, false
	}
	step := max(1, wide/600)
	var xs, scores []float64
	for x := b.x0 + 0.1*wide; x < b.x1-0.1*wide; x += step {
		l, r, c := strips(segs, x, halfGutter, top, height, n)
		score := 0.0
		for i := range n {
			near := func(a []bool) bool { return a[i] || i > 0 && a[i-1] || i+1 < n && a[i+1] }
			switch {
			case c[i]:
				score -= 0.25
			case near(l) && near(r) && (l[i] || r[i]):
				score++
			}
		}
		xs, scores = append(xs, x), append(scores, score)
		best = max(best, score)
	}
	// Of the strips that are nearly as good as the best (beside the numbers of a
	// list, for one) the widest is the gutter.
	run := 0
	for i := 0; i < len(xs); {
		j := i
		for j < len(xs) && scores[j] > 0 && scores[j] >= 0.9*best {
			j++
		}
		if j-i > run {
			run, at = j-i, (xs[i]+xs[j-1])/2
		}
		i = max(j, i+1)
	}
	need := 3.0
	if float64(run)*step > 2*b.size {
		need = 2
	}
	middle := math.Abs(at-(b.x0+b.x1)/2) < 0.1*wide
	return at, middle && best >= 12, best >= need
}

type band struct {
	segs    []segment
	columns bool
}

// bands cuts a region at the rows that cross the gutter. What lies between two
// cuts is read column by column when it looks like columns of text.
func bands(segs []segment, x float64, strong bool) []band {
	var out []band
	var cur []segment
	flush := func() {
		if len(cur) > 0 {
			out = append(out, band{cur, columnar(cur, x, strong)})
		}
		cur = nil
	}
	crossing := false
	for _, row := range rows(segs) {
		c := slices.ContainsFunc(row, func(s segment) bool { return s.x0 < x-halfGutter+0.01 && s.x1 > x+halfGutter-0.01 })
		if c != crossing {
			flush()
			crossing = c
		}
		cur = append(cur, row...)
	}
	flush()
	// Neighbours that are both read row by row belong together.
	joined := out[:0]
	for _, b := range out {
		if n := len(joined); n > 0 && !joined[n-1].columns && !b.columns {
			joined[n-1].segs = append(joined[n-1].segs, b.segs...)
			continue
		}
		joined = append(joined, b)
	}
	return joined
}

// columnar says whether segments without anything across x are two columns of
// text rather than the cells of a table or a line with a gap.
func columnar(segs []segment, x float64, strong bool) bool {
	var l, r []int
	for _, row := range rows(segs) {
		ln, rn := 0, 0
		for _, s := range row {
			switch n := utf8.RuneCountInString(s.text); {
			case s.x1 <= x+halfGutter && s.x0 < x:
				ln += n
			case s.x0 >= x-halfGutter:
				rn += n
			default:
				return false
			}
		}
		if ln > 0 {
			l = append(l, ln)
		}
		if rn > 0 {
			r = append(r, rn)
		}
	}
	if len(l) == 0 || len(r) == 0 {
		return len(l)+len(r) > 2
	}
	slices.Sort(l)
	slices.Sort(r)
	if lm, rm := l[len(l)/2], r[len(r)/2]; strong {
		return max(lm, rm) >= 12
	} else {
		return min(lm, rm) >= 20 || len(l)+len(r) >= 3 && min(lm, rm) >= 12
	}
}

// emit writes the rows of one column.
func (o *ordering) emit(segs []segment) {
	o.column++
	b := extent(segs)
	for _, row := range rows(segs) {
		l := line{x0: row[0].x0, y: row[0].y, style: ^style(0), page: o.page, column: o.column, left: b.x0, right: b.x1}
		var text strings.Builder
		chars := 0
		for i, s := range row {
			if i > 0 {
				gap := s.x0 - row[i-1].x1
				if gap > wordGap*min(s.size, row[i-1].size) {
					text.WriteByte(' ')
				}
				if gap > 1.5*s.size {
					l.gaps++
				}
			}
			text.WriteString(s.text)
			n := utf8.RuneCountInString(s.text)
			if n > chars {
				chars, l.size, l.y = n, s.size, s.y
			}
			l.style &= s.style
			l.x1 = max(l.x1, s.x1)
		}
		l.text = strings.TrimSpace(text.String())
		if l.text != "" {
			o.out = append(o.out, l)
		}
	}
}
