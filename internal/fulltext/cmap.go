package fulltext

import (
	"unicode/utf16"
)

// cmap maps the codes of a font to text, and says how many bytes a code has.
type cmap struct {
	text   map[uint32]string
	ranges []cmapRange
	one    bool // codes of one byte occur
	two    bool // codes of two bytes occur
}

type cmapRange struct {
	lo, hi uint32
	dst    []uint16
}

const maxCmapEntries = 1 << 17

// parseCmap reads the ToUnicode map of a font (Adobe technical note 5411).
func parseCmap(b []byte) *cmap {
	m := &cmap{text: map[uint32]string{}}
	s := &scanner{b: b}
	var args []operand
	for {
		var op string
		op, args = s.next(args[:0])
		switch op {
		case "":
			return m
		case "endcodespacerange":
			for i := 0; i+1 < len(args); i += 2 {
				m.one = m.one || len(args[i].str) == 1
				m.two = m.two || len(args[i].str) == 2
			}
		case "endbfchar":
			for i := 0; i+1 < len(args) && len(m.text) < maxCmapEntries; i += 2 {
				m.text[code(args[i].str)] = string(utf16.Decode(units(args[i+1].str)))
			}
		case "endbfrange":
			for i := 0; i+2 < len(args) && len(m.ranges) < maxCmapEntries; i += 3 {
				lo, hi := code(args[i].str), code(args[i+1].str)
				if hi < lo {
					continue
				}
				if dst := args[i+2]; dst.kind == '[' {
					for j, d := range dst.list {
						if lo+uint32(j) > hi || len(m.text) >= maxCmapEntries {
							break
						}
						m.text[lo+uint32(j)] = string(utf16.Decode(units(d.str)))
					}
				} else if u := units(dst.str); len(u) > 0 {
					m.ranges = append(m.ranges, cmapRange{lo, hi, u})
				}
			}
		}
	}
}

func code(s string) (c uint32) {
	if len(s) > 4 {
		s = s[:4]
	}
	for i := range len(s) {
		c = c<<8 | uint32(s[i])
	}
	return c
}

func units(s string) []uint16 {
	if len(s) == 1 {
		return []uint16{uint16(s[0])}
	}
	var u []uint16
	for i := 0; i+1 < len(s) && i < 64; i += 2 {
		u = append(u, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return u
}

// lookup gives the text of a code.
func (m *cmap) lookup(c uint32) (string, bool) {
	if t, ok := m.text[c]; ok {
		return t, true
	}
	for _, r := range m.ranges {
		if r.lo <= c && c <= r.hi {
			u := append([]uint16(nil), r.dst...)
			u[len(u)-1] += uint16(c - r.lo)
			t := string(utf16.Decode(u))
			m.text[c] = t
			return t, true
		}
	}
	return "", false
}

func parseUTF16(s string) string { return string(utf16.Decode(unitsN(s, 512))) }

func unitsN(s string, n int) []uint16 {
	var u []uint16
	for i := 0; i+1 < len(s) && i < 2*n; i += 2 {
		u = append(u, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return u
}
