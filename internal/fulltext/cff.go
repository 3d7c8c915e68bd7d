package fulltext

import (
	_ "embed"
	"strings"
	"sync"
)

// cffEncoding gives the glyph names of the built-in encoding of a compact font
// (Adobe technical note 5176), or nil when it has a predefined one or cannot be
// read. Names of the font's own string table only: standard strings are given by
// cffStandard.
func cffEncoding(b []byte) map[int]string {
	c := cff{b: b}
	if len(b) < 4 {
		return nil
	}
	at := int(b[2])
	_, at = c.index(at)
	tops, at := c.index(at)
	own, at := c.index(at)
	if at < 0 || len(tops) == 0 {
		return nil
	}
	top := c.dict(tops[0])
	charset, encoding, chars := top[15], top[16], top[17]
	if encoding < 2 || chars <= 0 {
		return nil
	}
	glyphs, _ := c.index(chars)
	if len(glyphs) == 0 {
		return nil
	}
	name := func(sid int) string {
		if sid < len(cffStandard()) {
			return cffStandard()[sid]
		}
		if i := sid - 391; i >= 0 && i < len(own) {
			return string(own[i])
		}
		return ""
	}
	sids := c.charset(charset, len(glyphs))
	m := map[int]string{}
	format, n := c.u8(encoding), c.u8(encoding+1)
	at = encoding + 2
	gid := 1
	switch format & 0x7F {
	case 0:
		for i := range n {
			if gid < len(sids) {
				m[c.u8(at+i)] = name(sids[gid])
			}
			gid++
		}
		at += n
	case 1:
		for range n {
			first, left := c.u8(at), c.u8(at+1)
			at += 2
			for j := 0; j <= left; j++ {
				if gid < len(sids) && first+j < 256 {
					m[first+j] = name(sids[gid])
				}
				gid++
			}
		}
	default:
		return nil
	}
	if format&0x80 != 0 {
		n = c.u8(at)
		for i := range n {
			m[c.u8(at+1+3*i)] = name(c.u16(at + 2 + 3*i))
		}
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

// cff reads numbers of a font program; outside of it everything is 0.
type cff struct{ b []byte }

func (c cff) u8(i int) int {
	if i < 0 || i >= len(c.b) {
		return 0
	}
	return int(c.b[i])
}

func (c cff) u16(i int) int { return c.u8(i)<<8 | c.u8(i+1) }

// index reads an INDEX and says where it ends, -1 when it is broken.
func (c cff) index(at int) ([][]byte, int) {
	if at < 0 || at+2 > len(c.b) {
		return nil, -1
	}
	n := c.u16(at)
	if n == 0 {
		return nil, at + 2
	}
	size := c.u8(at + 2)
	if size < 1 || size > 4 {
		return nil, -1
	}
	base := at + 3 + (n+1)*size - 1
	offset := func(i int) int {
		v := 0
		for k := range size {
			v = v<<8 | c.u8(at+3+i*size+k)
		}
		return base + v
	}
	out := make([][]byte, 0, n)
	for i := range n {
		from, to := offset(i), offset(i+1)
		if from < 0 || from > to || to > len(c.b) {
			return nil, -1
		}
		out = append(out, c.b[from:to])
	}
	return out, offset(n)
}

// dict reads the last operand of each one-byte operator.
func (c cff) dict(b []byte) map[int]int {
	d, last := map[int]int{}, 0
	for i := 0; i < len(b); {
		switch v := int(b[i]); {
		case v == 12:
			i += 2
		case v <= 21:
			d[v] = last
			i++
		case v == 28 && i+2 < len(b):
			last = int(int16(int(b[i+1])<<8 | int(b[i+2])))
			i += 3
		case v == 29 && i+4 < len(b):
			last = int(int32(uint32(b[i+1])<<24 | uint32(b[i+2])<<16 | uint32(b[i+3])<<8 | uint32(b[i+4])))
			i += 5
		case v == 30:
			for i++; i < len(b) && b[i]&0xF != 0xF && b[i]>>4 != 0xF; i++ {
			}
			i++
		case v >= 32 && v <= 246:
			last = v - 139
			i++
		case v >= 247 && v <= 250 && i+1 < len(b):
			last = (v-247)*256 + int(b[i+1]) + 108
			i += 2
		case v >= 251 && v <= 254 && i+1 < len(b):
			last = -(v-251)*256 - int(b[i+1]) - 108
			i += 2
		default:
			i++
		}
	}
	return d
}

// charset gives the string numbers of the glyphs.
func (c cff) charset(at, n int) []int {
	sids := make([]int, 1, n)
	if at < 3 { // ISOAdobe: the identity
		for i := 1; i < n; i++ {
			sids = append(sids, i)
		}
		return sids
	}
	format := c.u8(at)
	for at++; len(sids) < n && at < len(c.b); {
		first, left := c.u16(at), 0
		at += 2
		switch format {
		case 1:
			left = c.u8(at)
			at++
		case 2:
			left = c.u16(at)
			at += 2
		}
		for j := 0; j <= left && len(sids) < n; j++ {
			sids = append(sids, first+j)
		}
	}
	return sids
}

//go:embed cffstrings.txt
var cffStrings string

// cffStandard are the standard strings 0 to 228, all that the text fonts of
// papers use; those of the expert sets are left out.
var cffStandard = sync.OnceValue(func() []string { return strings.Fields(cffStrings) })
