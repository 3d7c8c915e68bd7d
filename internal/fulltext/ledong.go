package fulltext

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ledongthuc/pdf"
)

// ledong reads pages through the object layer of ledongthuc/pdf. Of that library
// it uses only what opens a file and finds objects: its text functions run words
// together, leave out form XObjects, and lose ligatures.
type ledong struct {
	ctx     context.Context
	lim     Limits
	steps   int
	glyphs  int
	inflate int // bytes decompressed
	fonts   map[string]*font
	title   string
	total   int // pages of the file
	notes   []string
}

// pages reads the pages of a PDF up to the cap.
func (p *ledong) pages(b []byte) (out []page, err error) {
	if err := hazard(b); err != nil {
		return nil, fail(ErrDamaged, "%v", err)
	}
	b = trimmed(b)
	g := &guarded{ctx: p.ctx, b: b, left: 256<<20 + 64*len(b)}
	p.fonts = map[string]*font{}
	err = guard(func() error {
		r, err := pdf.NewReader(g, int64(len(b)))
		if err != nil {
			return openError(err)
		}
		p.title = r.Trailer().Key("Info").Key("Title").Text()
		leaves := p.leaves(r.Trailer().Key("Root").Key("Pages"))
		p.total = len(leaves)
		if len(leaves) == 0 {
			return fail(ErrDamaged, "it has no pages")
		}
		for i, leaf := range leaves[:min(len(leaves), p.lim.Pages)] {
			pg := page{w: 612, h: 792}
			if err := guard(func() error { return p.page(leaf, &pg) }); err != nil {
				if errors.Is(err, ErrLimit) {
					return err
				}
				p.notes = append(p.notes, fmt.Sprintf("page %d could not be read to its end: %v", i+1, err))
			}
			out = append(out, pg)
		}
		return nil
	})
	return out, err
}

// trimmed gives the first reader what it insists on: a header at the first byte
// with a version that it knows, and the end mark in the last bytes.
func trimmed(b []byte) []byte {
	start := max(bytes.Index(b[:min(len(b), 1024)], []byte("%PDF-")), 0)
	end := len(b)
	if i := bytes.LastIndex(b, []byte("%%EOF")); i > start {
		end = i + 5
	}
	b = bytes.Clone(b[start:end])
	if len(b) > 9 {
		copy(b, "%PDF-1.7\n")
	}
	return b
}

func openError(err error) error {
	switch s := err.Error(); {
	case errors.Is(err, pdf.ErrInvalidPassword), strings.Contains(s, "encryption"):
		return fail(ErrEncrypted, "%v", err)
	}
	return fail(ErrDamaged, "%v", err)
}

// leaf is a page with what it inherits.
type leaf struct {
	v, resources, box pdf.Value
	rotate            int
}

// leaves walks the page tree, which may be as deep or as circular as it likes.
func (p *ledong) leaves(root pdf.Value) (out []leaf) {
	type node struct {
		leaf
		depth int
	}
	stack := []node{{leaf: leaf{v: root}}}
	for len(stack) > 0 && len(out) <= 20_000 {
		p.step(50)
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if r := n.v.Key("Resources"); r.Kind() == pdf.Dict {
			n.resources = r
		}
		for _, k := range []string{"MediaBox", "CropBox"} {
			if b := n.v.Key(k); b.Len() == 4 {
				n.box = b
			}
		}
		if r := n.v.Key("Rotate"); r.Kind() == pdf.Integer {
			n.rotate = int(r.Int64())
		}
		kids := n.v.Key("Kids")
		if kids.Kind() != pdf.Array {
			if n.v.Kind() == pdf.Dict {
				out = append(out, n.leaf)
			}
			continue
		}
		if n.depth >= 64 {
			p.note("the page tree refers to itself")
			continue
		}
		for i := min(kids.Len(), 20_000) - 1; i >= 0; i-- {
			k := n
			k.depth++
			if err := guard(func() error { k.v = kids.Index(i); return nil }); err != nil {
				p.note("a page could not be found")
				continue
			}
			stack = append(stack, k)
		}
	}
	return out
}

func (p *ledong) note(s string) {
	for _, n := range p.notes {
		if n == s {
			return
		}
	}
	if len(p.notes) < 20 {
		p.notes = append(p.notes, s)
	}
}

// step spends steps and stops the reading when there are none left.
func (p *ledong) step(n int) {
	before := p.steps >> 12
	if p.steps += n; p.steps > p.lim.Steps {
		panic(stopped{fmt.Sprintf("more than %d operators and objects", p.lim.Steps)})
	}
	if p.steps>>12 != before && p.ctx.Err() != nil {
		panic(stopped{"the time was over"})
	}
}

// stream decompresses a stream; what lies beyond the cap is cut off.
func (p *ledong) stream(v pdf.Value) ([]byte, error) {
	r := v.Reader()
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, int64(p.lim.Stream)))
	if p.inflate += len(b); p.inflate > 16*p.lim.Stream {
		panic(stopped{"its streams unpack to more than is allowed"})
	}
	if len(b) == p.lim.Stream {
		p.note("a stream was cut off at its cap")
	}
	if len(b) > 0 {
		return b, nil // a damaged end leaves the beginning readable
	}
	return nil, err
}

func (p *ledong) page(l leaf, pg *page) error {
	x0, y0, x1, y1 := 0.0, 0.0, 612.0, 792.0
	if l.box.Len() == 4 {
		x0, y0, x1, y1 = l.box.Index(0).Float64(), l.box.Index(1).Float64(), l.box.Index(2).Float64(), l.box.Index(3).Float64()
		x0, x1 = min(x0, x1), max(x0, x1)
		y0, y1 = min(y0, y1), max(y0, y1)
	}
	if x1-x0 < 10 || y1-y0 < 10 || x1-x0 > 20_000 || y1-y0 > 20_000 {
		x1, y1 = x0+612, y0+792
	}
	w, h := x1-x0, y1-y0
	base := matrix{1, 0, 0, 1, -x0, -y0}
	switch ((l.rotate % 360) + 360) % 360 {
	case 90:
		base = base.mul(matrix{0, -1, 1, 0, 0, w})
		w, h = h, w
	case 180:
		base = base.mul(matrix{-1, 0, 0, -1, w, h})
	case 270:
		base = base.mul(matrix{0, 1, -1, 0, h, 0})
		w, h = h, w
	}
	pg.w, pg.h = w, h
	in := &interpreter{p: p, pg: pg}
	in.state.ctm = base
	in.state.scale = 1
	var content []byte
	switch c := l.v.Key("Contents"); c.Kind() {
	case pdf.Stream:
		b, err := p.stream(c)
		if err != nil {
			return err
		}
		content = b
	case pdf.Array:
		for i := 0; i < c.Len() && i < 10_000; i++ {
			p.step(10)
			if s := c.Index(i); s.Kind() == pdf.Stream {
				b, err := p.stream(s)
				if err != nil {
					p.note("a part of a page could not be unpacked")
				}
				content = append(append(content, b...), '\n')
			}
		}
	}
	in.run(content, l.resources, 0)
	return nil
}

func (p *ledong) font(resources pdf.Value, name string) *font {
	v := resources.Key("Font").Key(name)
	if v.Kind() != pdf.Dict {
		return nil
	}
	key := v.String() // holds the numbers of the objects that it refers to
	if f, ok := p.fonts[key]; ok {
		return f
	}
	f := &font{missing: 0.5}
	if err := guard(func() error { f = p.loadFont(v); return nil }); err != nil {
		if errors.Is(err, ErrLimit) {
			panic(stopped{strings.TrimPrefix(err.Error(), ErrLimit.Error()+": ")})
		}
		p.note(fmt.Sprintf("a font could not be read: %v", err))
	}
	p.fonts[key] = f
	return f
}

// matrix is a transformation as PDF writes it: x' = a·x + c·y + e, y' = b·x + d·y + f.
type matrix [6]float64

// mul applies m first, then n.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) sane() bool {
	for _, v := range m {
		if math.IsNaN(v) || math.Abs(v) > 1e7 {
			return false
		}
	}
	return true
}

// turn tells the direction of the baseline in quarter turns; 4 when it is askew.
func (m matrix) turn() uint8 {
	a, b := m[0], m[1]
	switch {
	case a > 0 && math.Abs(b) <= 0.05*a:
		return 0
	case b > 0 && math.Abs(a) <= 0.05*b:
		return 1
	case a < 0 && math.Abs(b) <= -0.05*a:
		return 2
	case b < 0 && math.Abs(a) <= -0.05*b:
		return 3
	}
	return 4
}
