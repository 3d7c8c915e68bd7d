package sandbox

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// object is a JSON object whose members keep their order, since services have
// one and tests compare it.
type object []member

type member struct {
	name  string
	value any // nil, bool, int, float64, string, []string, []int, object, list
}

type list []any

// style is how a service spells JSON. All of them escape what is not ASCII.
type style struct {
	spaced bool // a space after each comma and colon
	slash  bool // "/" as "\/"
}

func (s style) encode(v any) []byte { return s.append(make([]byte, 0, 4096), v) }

func (s style) append(b []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case float64:
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	case string:
		return s.quote(b, v)
	case []string:
		return appendList(s, b, v)
	case []int:
		return appendList(s, b, v)
	case []any:
		return appendList(s, b, v)
	case list:
		return appendList(s, b, v)
	case object:
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = s.comma(b)
			}
			b = append(s.quote(b, m.name), ':')
			if s.spaced {
				b = append(b, ' ')
			}
			b = s.append(b, m.value)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

func appendList[T any](s style, b []byte, items []T) []byte {
	b = append(b, '[')
	for i, item := range items {
		if i > 0 {
			b = s.comma(b)
		}
		b = s.append(b, item)
	}
	return append(b, ']')
}

func (s style) comma(b []byte) []byte {
	if s.spaced {
		return append(b, ", "...)
	}
	return append(b, ',')
}

func (s style) quote(b []byte, text string) []byte {
	b = append(b, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\' || r == '/' && s.slash:
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r >= 0x20 && r < 0x7f:
			b = append(b, byte(r))
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			b = escape(escape(b, high), low)
		default:
			b = escape(b, r)
		}
	}
	return append(b, '"')
}

func escape(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	if r < 0 || r > utf8.MaxRune {
		r = utf8.RuneError
	}
	return append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
