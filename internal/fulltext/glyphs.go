package fulltext

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

//go:embed glyphnames.txt
var glyphList string

var glyphNames = sync.OnceValue(func() map[string]rune {
	m := make(map[string]rune, 1700)
	for line := range strings.Lines(glyphList) {
		name, hex, ok := strings.Cut(strings.TrimSpace(line), " ")
		if c, err := strconv.ParseUint(hex, 16, 32); ok && name != "#" && err == nil {
			m[name] = rune(c)
		}
	}
	return m
})

// glyphText is the text that a glyph's name stands for, or "" when the name
// tells nothing. Rules of the Adobe Glyph List specification: a suffix after a
// full stop is dropped, parts joined by "_" are read one by one, uniXXXX and
// uXXXXX are code points.
func glyphText(name string) string {
	name, _, _ = strings.Cut(name, ".")
	if name == "" {
		return ""
	}
	if r, ok := glyphNames()[name]; ok {
		return string(r)
	}
	if parts := strings.Split(name, "_"); len(parts) > 1 && len(parts) < 8 {
		out := ""
		for _, p := range parts {
			t := glyphText(p)
			if t == "" {
				return ""
			}
			out += t
		}
		return out
	}
	hex, ok := strings.CutPrefix(name, "uni")
	if ok && len(hex) >= 4 && len(hex)%4 == 0 && len(hex) <= 32 {
		out := ""
		for i := 0; i < len(hex); i += 4 {
			c, err := strconv.ParseUint(hex[i:i+4], 16, 32)
			if err != nil || !utf8.ValidRune(rune(c)) {
				return ""
			}
			out += string(rune(c))
		}
		return out
	}
	if hex, ok := strings.CutPrefix(name, "u"); ok && len(hex) >= 4 && len(hex) <= 6 {
		if c, err := strconv.ParseUint(hex, 16, 32); err == nil && utf8.ValidRune(rune(c)) {
			return string(rune(c))
		}
	}
	return ""
}

// texGlyphs are the positions of ligatures, accents and Greek capitals in the
// text fonts of TeX (encoding OT1, The TeXbook, appendix F), which its bitmap
// fonts keep when they lose their glyph names.
var texGlyphs = map[int]string{
	0: "Γ", 1: "Δ", 2: "Θ", 3: "Λ", 4: "Ξ", 5: "Π", 6: "Σ", 7: "Υ", 8: "Φ", 9: "Ψ", 10: "Ω",
	11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl", 16: "ı", 19: "´", 20: "ˇ", 24: "¸", 25: "ß",
	26: "æ", 27: "œ", 28: "ø", 29: "Æ", 30: "Œ", 31: "Ø", 34: "”", 39: "’", 60: "¡", 62: "¿", 92: "“",
	96: "‘", 123: "–", 124: "—", 127: "¨",
}

// standardUpper is the upper half of Adobe's StandardEncoding.
var standardUpper = map[int]string{
	0xA1: "¡", 0xA2: "¢", 0xA3: "£", 0xA4: "⁄", 0xA5: "¥", 0xA6: "ƒ", 0xA7: "§", 0xA8: "¤", 0xA9: "'", 0xAA: "“",
	0xAB: "«", 0xAC: "‹", 0xAD: "›", 0xAE: "fi", 0xAF: "fl", 0xB1: "–", 0xB2: "†", 0xB3: "‡", 0xB4: "·", 0xB6: "¶",
	0xB7: "•", 0xB8: "‚", 0xB9: "„", 0xBA: "”", 0xBB: "»", 0xBC: "…", 0xBD: "‰", 0xBF: "¿", 0xC1: "`", 0xC2: "´",
	0xC3: "ˆ", 0xC4: "˜", 0xC5: "¯", 0xC6: "˘", 0xC7: "˙", 0xC8: "¨", 0xCA: "˚", 0xCB: "¸", 0xCD: "˝", 0xCE: "˛",
	0xCF: "ˇ", 0xD0: "—", 0xE1: "Æ", 0xE3: "ª", 0xE8: "Ł", 0xE9: "Ø", 0xEA: "Œ", 0xEB: "º", 0xF1: "æ", 0xF5: "ı",
	0xF8: "ł", 0xF9: "ø", 0xFA: "œ", 0xFB: "ß",
}

// baseEncoding is the table of one of the encodings that PDF knows by name; an
// unknown name gives StandardEncoding.
func baseEncoding(name string) (t [256]string) {
	switch name {
	case "WinAnsiEncoding":
		for i := range t {
			t[i] = string(charmap.Windows1252.DecodeByte(byte(i)))
		}
		t[0xAD] = "-" // the hyphen's second place in WinAnsi (PDF 32000-1, annex D.2, note 6)
	case "MacRomanEncoding", "MacExpertEncoding":
		for i := range t {
			t[i] = string(charmap.Macintosh.DecodeByte(byte(i)))
		}
	default:
		for i := 0x20; i < 0x7F; i++ {
			t[i] = string(rune(i))
		}
		t[0x27], t[0x60] = "’", "‘"
		for i, s := range standardUpper {
			t[i] = s
		}
	}
	for i := range 0x20 {
		t[i] = ""
	}
	return t
}
