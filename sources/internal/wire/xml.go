package wire

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"strconv"
)

// XML reads a document leniently: what XML does not allow inside a text
// (control characters, broken UTF-8, references to either) is replaced rather
// than costing the whole answer, and HTML's entities are known.
func XML(body []byte) *xml.Decoder {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	if bytes.IndexFunc(body, func(r rune) bool { return !legal(r) }) >= 0 {
		body = bytes.Map(func(r rune) rune {
			if !legal(r) {
				return ' '
			}
			return r
		}, body)
	}
	if bytes.Contains(body, []byte("&#")) {
		body = charRef.ReplaceAllFunc(body, func(ref []byte) []byte {
			digits, base := string(ref[2:len(ref)-1]), 10
			if digits[0] == 'x' {
				digits, base = digits[1:], 16
			}
			if n, err := strconv.ParseInt(digits, base, 32); err != nil || !legal(rune(n)) {
				return []byte(" ")
			}
			return ref
		})
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Entity = xml.HTMLEntity
	return d
}

var charRef = regexp.MustCompile(`&#(x[0-9a-fA-F]+|[0-9]+);`)

// legal reports whether XML 1.0 allows a character.
func legal(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF
}

var prolog = regexp.MustCompile(`^(?:\x{FEFF}|\s+|<\?[^>]*>|<!--(?s:.*?)-->|<![^>]*>)+`)

// RootName is the name of the first element of a document, without its
// prefix; "" when it does not begin like one.
func RootName(body []byte) string {
	head := prolog.ReplaceAll(body[:min(len(body), 4096)], nil)
	if len(head) == 0 || head[0] != '<' {
		return ""
	}
	name := head[1:]
	if i := bytes.IndexAny(name, " \t\r\n/>"); i >= 0 {
		name = name[:i]
	}
	return string(name[bytes.IndexByte(name, ':')+1:])
}
