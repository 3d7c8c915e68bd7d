package fulltext

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"
)

// interpreter runs the text operators of a page (PDF 32000-1, section 9.4) and
// notes what is drawn where.
type interpreter struct {
	p     *ledong
	pg    *page
	state graphics
	saved []graphics
	tm    matrix
	tlm   matrix
	marks []mark
}

type graphics struct {
	ctm                           matrix
	font                          *font
	size, char, word, scale, lead float64
	rise                          float64
	mode                          int
}

// mark is an open marked content with a replacement for what it draws.
type mark struct {
	text    string
	replace bool
	drawn   bool
}

const maxForms = 12 // forms within forms

func (in *interpreter) run(content []byte, resources pdf.Value, depth int) {
	s := &scanner{b: content}
	fonts := map[string]*font{}
	var args []operand
	base := len(in.saved)
	for {
		var op string
		op, args = s.next(args[:0])
		if op == "" {
			break
		}
		in.p.step(1)
		num := func(i int) float64 {
			if i < len(args) {
				return args[i].num
			}
			return 0
		}
		st := &in.state
		switch op {
		case "q":
			if len(in.saved) < 512 {
				in.saved = append(in.saved, *st)
			}
		case "Q":
			if n := len(in.saved); n > base {
				*st = in.saved[n-1]
				in.saved = in.saved[:n-1]
			}
		case "cm":
			if len(args) >= 6 {
				if m := (matrix{num(0), num(1), num(2), num(3), num(4), num(5)}).mul(st.ctm); m.sane() {
					st.ctm = m
				}
			}
		case "BT":
			in.tm, in.tlm = matrix{1, 0, 0, 1, 0, 0}, matrix{1, 0, 0, 1, 0, 0}
		case "Tc":
			st.char = num(0)
		case "Tw":
			st.word = num(0)
		case "Tz":
			st.scale = num(0) / 100
		case "TL":
			st.lead = num(0)
		case "Ts":
			st.rise = num(0)
		case "Tr":
			st.mode = int(num(0))
		case "Tf":
			if len(args) >= 2 {
				name := args[0].str
				f, ok := fonts[name]
				if !ok {
					f = in.p.font(resources, name)
					fonts[name] = f
				}
				st.font, st.size = f, num(1)
			}
		case "Td":
			in.move(num(0), num(1))
		case "TD":
			st.lead = -num(1)
			in.move(num(0), num(1))
		case "Tm":
			if len(args) >= 6 {
				if m := (matrix{num(0), num(1), num(2), num(3), num(4), num(5)}); m.sane() {
					in.tm, in.tlm = m, m
				}
			}
		case "T*":
			in.move(0, -st.lead)
		case "Tj":
			if len(args) > 0 {
				in.show(args[len(args)-1].str)
			}
		case "'":
			in.move(0, -st.lead)
			if len(args) > 0 {
				in.show(args[len(args)-1].str)
			}
		case "\"":
			st.word, st.char = num(0), num(1)
			in.move(0, -st.lead)
			if len(args) > 2 {
				in.show(args[2].str)
			}
		case "TJ":
			if len(args) > 0 {
				for _, o := range args[len(args)-1].list {
					if o.kind == 's' {
						in.show(o.str)
					} else if o.kind == 'n' {
						in.advance(-o.num / 1000 * st.size * st.scale)
					}
				}
			}
		case "BMC", "BDC":
			if len(in.marks) < 256 {
				in.marks = append(in.marks, in.open(args))
			}
		case "EMC":
			if n := len(in.marks); n > 0 {
				in.marks = in.marks[:n-1]
			}
		case "BI":
			s.skipImage()
			in.pg.images++
		case "Do":
			if len(args) > 0 {
				in.object(resources, args[0].str, depth)
			}
		}
	}
	in.saved = in.saved[:min(base, len(in.saved))]
}

func (in *interpreter) move(x, y float64) {
	if m := (matrix{1, 0, 0, 1, x, y}).mul(in.tlm); m.sane() {
		in.tlm, in.tm = m, m
	}
}

func (in *interpreter) advance(x float64) {
	if m := (matrix{1, 0, 0, 1, x, 0}).mul(in.tm); m.sane() {
		in.tm = m
	}
}

// open reads the replacement text of a marked content, where it has one.
func (in *interpreter) open(args []operand) mark {
	if len(args) < 2 {
		return mark{}
	}
	o := args[1].key("ActualText")
	if o.kind != 's' || len(o.str) > 512 {
		return mark{}
	}
	text := o.str
	if strings.HasPrefix(text, "\xfe\xff") {
		m := parseUTF16(text[2:])
		text = m
	} else if !utf8.ValidString(text) {
		return mark{}
	}
	return mark{text: strings.Trim(text, "\x00"), replace: true}
}

func (in *interpreter) object(resources pdf.Value, name string, depth int) {
	x := resources.Key("XObject").Key(name)
	switch x.Key("Subtype").Name() {
	case "Image":
		in.pg.images++
	case "Form":
		if depth >= maxForms {
			in.p.note("forms within forms were left out")
			return
		}
		in.p.step(100)
		b, err := in.p.stream(x)
		if err != nil {
			in.p.note("a form could not be unpacked")
			return
		}
		kept, marks := in.state, in.marks
		if m := x.Key("Matrix"); m.Len() == 6 {
			var mm matrix
			for i := range mm {
				mm[i] = m.Index(i).Float64()
			}
			if mm = mm.mul(in.state.ctm); mm.sane() {
				in.state.ctm = mm
			}
		}
		res := x.Key("Resources")
		if res.Kind() != pdf.Dict {
			res = resources
		}
		in.run(b, res, depth+1)
		in.state, in.marks = kept, marks
	}
}

// show draws a string.
func (in *interpreter) show(s string) {
	st := &in.state
	if st.font == nil || st.size == 0 {
		return
	}
	f := st.font
	f.decode(s, func(text string, width float64, space, known bool) {
		in.p.step(1)
		if in.p.glyphs++; in.p.glyphs > in.p.lim.Glyphs {
			panic(stopped{"more letters than are allowed"})
		}
		trm := matrix{st.size * st.scale, 0, 0, st.size, 0, st.rise}.mul(in.tm).mul(st.ctm)
		size := math.Hypot(trm[2], trm[3])
		w := width * math.Hypot(trm[0], trm[1])
		g := glyph{x: trm[4], y: trm[5], w: w, size: size, text: text, style: f.style, turn: trm.turn()}
		if st.mode == 3 || st.mode == 7 {
			g.style |= hidden
		}
		if !known {
			g.style |= unmapped
			if g.text == "" {
				g.text = "\uFFFD"
			}
		}
		if n := len(in.marks); n > 0 && in.marks[n-1].replace {
			m := &in.marks[n-1]
			g.text = ""
			if !m.drawn {
				g.text, g.style = m.text, g.style&^unmapped
			}
			m.drawn = true
		}
		if g.text != "" && size > 0.005 && size < 2000 && trm.sane() {
			in.pg.glyphs = append(in.pg.glyphs, g)
		}
		adv := width*st.size + st.char
		if space {
			adv += st.word
		}
		in.advance(adv * st.scale)
	})
}
