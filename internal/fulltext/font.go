package fulltext

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/ledongthuc/pdf"
)

// font tells what the codes of a string mean and how wide they are.
type font struct {
	style   style
	wide    bool // two-byte codes
	cmap    *cmap
	text    [256]string
	known   [256]bool
	width   [256]float64 // in text space: 1 is the font size
	widths  map[uint32]float64
	missing float64
}

// maxCFF bounds a font program that is searched for its encoding.
const maxFontFile = 4 << 20

func (p *ledong) loadFont(v pdf.Value) *font {
	f := &font{missing: 0.5}
	name := v.Key("BaseFont").Name()
	desc := v.Key("FontDescriptor")
	sub := v.Key("Subtype").Name()
	var child pdf.Value
	if sub == "Type0" {
		child = v.Key("DescendantFonts").Index(0)
		desc = child.Key("FontDescriptor")
	}
	f.style = fontStyle(name, int(desc.Key("Flags").Int64()), desc.Key("FontWeight").Float64())
	if tu := v.Key("ToUnicode"); tu.Kind() == pdf.Stream {
		if b, err := p.stream(tu); err == nil {
			f.cmap = parseCmap(b)
		}
	}
	if sub == "Type0" {
		f.wide = true
		if f.cmap != nil && f.cmap.one && !f.cmap.two {
			f.wide = v.Key("Encoding").Name() != "" // a lying code space: Identity-H is always two bytes
		}
		p.cidWidths(f, child)
		return f
	}
	p.simpleEncoding(f, v, desc, sub)
	scale := 0.001
	if sub == "Type3" {
		if m := v.Key("FontMatrix"); m.Len() == 6 && m.Index(0).Float64() != 0 {
			scale = m.Index(0).Float64()
		}
	}
	first, ws := int(v.Key("FirstChar").Int64()), v.Key("Widths")
	standard := ws.Len() == 0
	if w := desc.Key("MissingWidth").Float64(); w > 0 {
		f.missing = w * scale
	} else if !standard {
		f.missing = 0
	}
	for c := range f.width {
		f.width[c] = f.missing
		if standard {
			f.width[c] = helvetica(f.text[c])
		}
	}
	for i := 0; i < ws.Len() && i < 256; i++ {
		if c := first + i; c >= 0 && c < 256 {
			f.width[c] = ws.Index(i).Float64() * scale
		}
	}
	return f
}

// helvetica is a rough width of a letter in one of the 14 standard fonts, which
// may come without widths.
func helvetica(t string) float64 {
	switch {
	case t == " " || strings.ContainsAny(t, "iljtfI.,:;'|!()[]"):
		return 0.28
	case strings.ContainsAny(t, "mwMW@%"):
		return 0.85
	case t != "" && unicode.IsUpper([]rune(t)[0]):
		return 0.68
	}
	return 0.54
}

var (
	boldName   = regexp.MustCompile(`(?i)bold|black|heavy|demi|semibd|\bCMBX|CMBX|-b$|[.-]B$|SFBX|NimbusRomNo9L-Medi|AdvOT[0-9a-f]+\.B$`)
	italicName = regexp.MustCompile(`(?i)ital|obliq|slant|CMTI|CMMI|CMSL|SFTI|-I$|\.I$`)
	monoName   = regexp.MustCompile(`(?i)courier|mono|CMTT|SFTT|typewriter|consol|inconsolata`)
)

func fontStyle(name string, flags int, weight float64) (s style) {
	if boldName.MatchString(name) || flags&(1<<18) != 0 || weight >= 600 {
		s |= bold
	}
	if italicName.MatchString(name) || flags&(1<<6) != 0 {
		s |= italic
	}
	if monoName.MatchString(name) || flags&1 != 0 {
		s |= mono
	}
	return s
}

// simpleEncoding fills the table of a font with one-byte codes: the built-in or
// named encoding, then the differences, then what ToUnicode says.
func (p *ledong) simpleEncoding(f *font, v, desc pdf.Value, sub string) {
	enc := v.Key("Encoding")
	base := enc.Name()
	if enc.Kind() == pdf.Dict {
		base = enc.Key("BaseEncoding").Name()
	}
	symbolic := int(desc.Key("Flags").Int64())&4 != 0
	embedded := desc.Key("FontFile").Kind() == pdf.Stream || desc.Key("FontFile2").Kind() == pdf.Stream || desc.Key("FontFile3").Kind() == pdf.Stream
	if base == "" && sub == "TrueType" && !symbolic {
		base = "WinAnsiEncoding"
	}
	f.text = baseEncoding(base)
	for c, t := range f.text {
		f.known[c] = t != ""
	}
	if base == "" && embedded {
		// The font's own encoding counts; where it cannot be read, only plain
		// text fonts may be taken for standard.
		switch names := p.builtin(desc); {
		case names != nil:
			f.text, f.known = [256]string{}, [256]bool{}
			for c, n := range names {
				f.set(c, n)
			}
		case symbolic && (f.cmap == nil || sub == "Type3"):
			f.known = [256]bool{}
		}
	}
	if sub == "Type3" {
		f.text, f.known = [256]string{}, [256]bool{}
	}
	n := 0
	for i, d := 0, enc.Key("Differences"); i < d.Len() && i < 1024; i++ {
		switch x := d.Index(i); x.Kind() {
		case pdf.Integer:
			n = int(x.Int64())
		case pdf.Name:
			if n >= 0 && n < 256 {
				f.text[n], f.known[n] = "", false
				f.set(n, x.Name())
			}
			n++
		}
	}
	if f.cmap == nil {
		return
	}
	for c := range 256 {
		if t, ok := f.cmap.lookup(uint32(c)); ok && plausible(t) {
			f.text[c], f.known[c] = t, true
		}
	}
}

var numbered = regexp.MustCompile(`^[A-Za-z]{1,2}([0-9]{1,3})$`)

// set gives a code the text of a glyph name.
func (f *font) set(c int, name string) {
	if c < 0 || c > 255 || name == ".notdef" {
		return
	}
	if t := glyphText(name); t != "" {
		f.text[c], f.known[c] = t, true
		return
	}
	// Bitmap fonts of TeX name their glyphs a0 … a127 after their position.
	if m := numbered.FindStringSubmatch(name); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n == c {
			if t, ok := texGlyphs[n]; ok {
				f.text[c], f.known[c] = t, true
			} else if n > 32 && n < 127 {
				f.text[c], f.known[c] = string(rune(n)), true
			}
		}
	}
}

// plausible refuses the fillers that some writers put into ToUnicode.
func plausible(t string) bool {
	for _, r := range t {
		if r == 0 || r == unicode.ReplacementChar || r < 0x20 && r != '\t' || r >= 0xE000 && r <= 0xF8FF {
			return false
		}
	}
	return t != ""
}

// builtin gives the glyph names of an embedded font's own encoding, or nil.
func (p *ledong) builtin(desc pdf.Value) map[int]string {
	if v := desc.Key("FontFile"); v.Kind() == pdf.Stream {
		b, err := p.stream(v)
		if err != nil || len(b) > maxFontFile {
			return nil
		}
		return type1Encoding(b)
	}
	if v := desc.Key("FontFile3"); v.Kind() == pdf.Stream && v.Key("Subtype").Name() == "Type1C" {
		b, err := p.stream(v)
		if err != nil || len(b) > maxFontFile {
			return nil
		}
		return cffEncoding(b)
	}
	return nil
}

var type1Entry = regexp.MustCompile(`dup\s+(\d{1,3})\s*/(\S+)\s+put`)

// type1Encoding reads the clear part of a Type 1 font program.
func type1Encoding(b []byte) map[int]string {
	if i := strings.Index(string(b), "eexec"); i >= 0 {
		b = b[:i]
	}
	i := strings.Index(string(b), "/Encoding")
	if i < 0 {
		return nil
	}
	m := map[int]string{}
	for _, e := range type1Entry.FindAllSubmatch(b[i:], 512) {
		if c, err := strconv.Atoi(string(e[1])); err == nil && c < 256 {
			m[c] = string(e[2])
		}
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

func (p *ledong) cidWidths(f *font, child pdf.Value) {
	f.widths = map[uint32]float64{}
	f.missing = 1
	if dw := child.Key("DW"); dw.Kind() == pdf.Integer || dw.Kind() == pdf.Real {
		f.missing = dw.Float64() / 1000
	}
	w := child.Key("W")
	for i := 0; i < w.Len() && len(f.widths) < 1<<16; {
		p.step(1)
		first := w.Index(i).Int64()
		if next := w.Index(i + 1); next.Kind() == pdf.Array {
			for j := 0; j < next.Len() && j < 1<<16; j++ {
				f.widths[uint32(first)+uint32(j)] = next.Index(j).Float64() / 1000
			}
			i += 2
			continue
		}
		last, wd := w.Index(i+1).Int64(), w.Index(i+2).Float64()/1000
		for c := first; c <= last && c-first < 1<<16 && len(f.widths) < 1<<16; c++ {
			f.widths[uint32(c)] = wd
		}
		i += 3
	}
}

// decode calls do for every code of a string.
func (f *font) decode(s string, do func(text string, width float64, space, known bool)) {
	if !f.wide {
		for i := range len(s) {
			c := s[i]
			do(f.text[c], f.width[c], c == ' ', f.known[c])
		}
		return
	}
	for i := 0; i+1 < len(s); i += 2 {
		c := uint32(s[i])<<8 | uint32(s[i+1])
		w, ok := f.widths[c]
		if !ok {
			w = f.missing
		}
		text, known := "", false
		if f.cmap != nil {
			if text, known = f.cmap.lookup(c); known && !plausible(text) {
				known = false
			}
		}
		do(text, w, false, known)
	}
}
