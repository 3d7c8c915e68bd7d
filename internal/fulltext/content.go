package fulltext

import (
	"bytes"
	"strconv"
)

// operand is a number, string, name, array or dictionary of a content stream.
type operand struct {
	kind byte // 'n' number, 's' string, '/' name, '[' array, '<' dictionary
	num  float64
	str  string
	list []operand // of an array; of a dictionary: key, value, key, value …
}

func (o operand) key(name string) operand {
	for i := 0; o.kind == '<' && i+1 < len(o.list); i += 2 {
		if o.list[i].str == name {
			return o.list[i+1]
		}
	}
	return operand{}
}

// scanner reads the operands and operators of a content stream or CMap. It never
// fails: what it cannot understand it skips, byte by byte.
type scanner struct {
	b   []byte
	pos int
}

const (
	maxOperands = 4096 // before one operator; more are dropped
	maxNesting  = 16
)

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelim(c byte) bool {
	return c == '(' || c == ')' || c == '<' || c == '>' || c == '[' || c == ']' || c == '{' || c == '}' || c == '/' || c == '%'
}

// next reads up to the next operator and returns it with its operands; the
// operator is empty at the end.
func (s *scanner) next(args []operand) (string, []operand) {
	for {
		o, op, ok := s.token(0)
		switch {
		case !ok:
			return "", args
		case op != "":
			return op, args
		case len(args) < maxOperands:
			args = append(args, o)
		}
	}
}

// token reads one operand, or one operator, and says false at the end.
func (s *scanner) token(depth int) (o operand, op string, ok bool) {
	s.space()
	if s.pos >= len(s.b) {
		return o, "", false
	}
	switch c := s.b[s.pos]; {
	case c == '/':
		s.pos++
		return operand{kind: '/', str: s.name()}, "", true
	case c == '(':
		return operand{kind: 's', str: s.literal()}, "", true
	case c == '<' && s.pos+1 < len(s.b) && s.b[s.pos+1] == '<':
		s.pos += 2
		return operand{kind: '<', list: s.list(depth, '>')}, "", true
	case c == '<':
		return operand{kind: 's', str: s.hex()}, "", true
	case c == '[':
		s.pos++
		return operand{kind: '[', list: s.list(depth, ']')}, "", true
	case isDelim(c):
		s.pos++
		return operand{}, string(c), true
	}
	start := s.pos
	for s.pos < len(s.b) && !isSpace(s.b[s.pos]) && !isDelim(s.b[s.pos]) {
		s.pos++
	}
	word := s.b[start:s.pos]
	if c := word[0]; c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
		return operand{kind: 'n', num: number(word)}, "", true
	}
	if len(word) > 64 {
		word = word[:64]
	}
	return operand{}, string(word), true
}

// number reads what writers of PDF call a number, such as "--5" and "1.2.3".
func number(b []byte) float64 {
	if v, err := strconv.ParseFloat(string(b), 64); err == nil && v > -1e12 && v < 1e12 {
		return v
	}
	b = bytes.TrimLeft(b, "+-")
	end, dots := 0, 0
	for end < len(b) && (b[end] >= '0' && b[end] <= '9' || b[end] == '.' && dots == 0) {
		if b[end] == '.' {
			dots++
		}
		end++
	}
	v, err := strconv.ParseFloat(string(b[:end]), 64)
	if err != nil || v > 1e12 {
		return 1e12
	}
	return v
}

func (s *scanner) space() {
	for s.pos < len(s.b) {
		switch c := s.b[s.pos]; {
		case isSpace(c):
			s.pos++
		case c == '%':
			for s.pos < len(s.b) && s.b[s.pos] != '\n' && s.b[s.pos] != '\r' {
				s.pos++
			}
		default:
			return
		}
	}
}

func (s *scanner) name() string {
	var out []byte
	for s.pos < len(s.b) && !isSpace(s.b[s.pos]) && !isDelim(s.b[s.pos]) {
		c := s.b[s.pos]
		s.pos++
		if c == '#' && s.pos+1 < len(s.b) {
			if v, err := strconv.ParseUint(string(s.b[s.pos:s.pos+2]), 16, 8); err == nil {
				c = byte(v)
				s.pos += 2
			}
		}
		if len(out) < 256 {
			out = append(out, c)
		}
	}
	return string(out)
}

func (s *scanner) list(depth int, end byte) []operand {
	var out []operand
	for {
		s.space()
		if s.pos >= len(s.b) {
			return out
		}
		if s.b[s.pos] == end {
			s.pos++
			if end == '>' && s.pos < len(s.b) && s.b[s.pos] == '>' {
				s.pos++
			}
			return out
		}
		if depth >= maxNesting && (s.b[s.pos] == '[' || s.b[s.pos] == '<') {
			s.pos++
			continue
		}
		o, op, ok := s.token(depth + 1)
		if !ok {
			return out
		}
		if op != "" {
			o = operand{kind: '/', str: op} // true, false, null, R
		}
		if len(out) < 1<<16 {
			out = append(out, o)
		}
	}
}

func (s *scanner) literal() string {
	s.pos++
	var out []byte
	for depth := 1; s.pos < len(s.b); {
		c := s.b[s.pos]
		s.pos++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return string(out)
			}
		case '\r':
			if s.pos < len(s.b) && s.b[s.pos] == '\n' {
				s.pos++
			}
			c = '\n'
		case '\\':
			if s.pos >= len(s.b) {
				return string(out)
			}
			c = s.b[s.pos]
			s.pos++
			switch {
			case c == 'n':
				c = '\n'
			case c == 'r':
				c = '\r'
			case c == 't':
				c = '\t'
			case c == 'b':
				c = '\b'
			case c == 'f':
				c = '\f'
			case c == '\n':
				continue
			case c == '\r':
				if s.pos < len(s.b) && s.b[s.pos] == '\n' {
					s.pos++
				}
				continue
			case c >= '0' && c <= '7':
				v := int(c - '0')
				for i := 0; i < 2 && s.pos < len(s.b) && s.b[s.pos] >= '0' && s.b[s.pos] <= '7'; i++ {
					v = v*8 + int(s.b[s.pos]-'0')
					s.pos++
				}
				c = byte(v)
			}
		}
		out = append(out, c)
	}
	return string(out)
}

func (s *scanner) hex() string {
	s.pos++
	var out []byte
	half, have := byte(0), false
	for s.pos < len(s.b) {
		c := s.b[s.pos]
		s.pos++
		var v byte
		switch {
		case c == '>':
			if have {
				out = append(out, half<<4)
			}
			return string(out)
		case c >= '0' && c <= '9':
			v = c - '0'
		case c >= 'a' && c <= 'f':
			v = c - 'a' + 10
		case c >= 'A' && c <= 'F':
			v = c - 'A' + 10
		default:
			continue
		}
		if have {
			out = append(out, half<<4|v)
		} else {
			half = v
		}
		have = !have
	}
	return string(out)
}

// skipImage moves behind the data of an inline image: to an EI that stands
// between white space and is not followed by bytes that text never has.
func (s *scanner) skipImage() {
	for i := s.pos; ; {
		j := bytes.Index(s.b[i:], []byte("EI"))
		if j < 0 {
			s.pos = len(s.b)
			return
		}
		i += j
		after := s.b[i+2:]
		if i > 0 && isSpace(s.b[i-1]) && (len(after) == 0 || isSpace(after[0])) && printable(after[:min(len(after), 12)]) {
			s.pos = i + 2
			return
		}
		i += 2
	}
}

func printable(b []byte) bool {
	for _, c := range b {
		if c >= 0x7F || c < 0x20 && !isSpace(c) {
			return false
		}
	}
	return true
}
