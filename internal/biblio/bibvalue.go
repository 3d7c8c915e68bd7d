package biblio

import (
	"errors"
	"fmt"
	"strings"
)

// value reads strings, numbers and macros joined by "#".
func (p *bibParser) value() (string, error) {
	var b strings.Builder
	for {
		p.space()
		var v string
		var err error
		switch p.peek() {
		case '{':
			v, err = p.braced('{', '}')
		case '"':
			v, err = p.quoted()
		default:
			if v = p.word(); v == "" {
				err = errors.New("the value is missing")
			}
			if m, ok := p.macros[strings.ToLower(v)]; ok {
				v = m
			}
		}
		if err != nil {
			return "", err
		}
		if b.Len()+len(v) > longest { // macros must not multiply without end
			return "", fmt.Errorf("it has more than %d MiB", longest>>20)
		}
		b.WriteString(v)
		p.space()
		if p.peek() != '#' {
			return b.String(), nil
		}
		p.i++
	}
}

const (
	longest = 1 << 20 // bytes of a value; bounds what one missing brace costs
	deepest = 200     // levels of braces

	mostWaste = 256 << 20 // bytes spent on broken entries before values are cut short
)

// braced reads a balanced group and gives its inside. Another entry at the
// start of a line tells that a brace is missing.
func (p *bibParser) braced(open, closing byte) (string, error) {
	from, depth := p.i+1, 0
	for ; p.i < len(p.s) && p.i-from < p.limit; p.i++ {
		switch c := p.s[p.i]; {
		case c == '\\' && p.aware:
			p.i++
		case c == open:
			if depth++; depth > deepest {
				return "", fmt.Errorf("braces are nested more than %d deep", deepest)
			}
		case c == closing:
			if depth--; depth == 0 {
				p.i++
				return p.s[from : p.i-1], nil
			}
		case c == '\n' && p.entryAt(p.i+1):
			return "", errors.New("a brace is not closed before the next entry")
		}
	}
	return "", errors.New("a brace is not closed")
}

func (p *bibParser) quoted() (string, error) {
	from, depth := p.i+1, 0
	for p.i++; p.i < len(p.s) && p.i-from < p.limit; p.i++ {
		switch c := p.s[p.i]; {
		case c == '\\' && p.aware:
			p.i++
		case c == '{':
			if depth++; depth > deepest {
				return "", fmt.Errorf("braces are nested more than %d deep", deepest)
			}
		case c == '}':
			depth--
		case c == '"' && depth <= 0:
			p.i++
			return p.s[from : p.i-1], nil
		case c == '\n' && p.entryAt(p.i+1):
			return "", errors.New("a quotation mark is not closed before the next entry")
		}
	}
	return "", errors.New("a quotation mark is not closed")
}

// entryAt reports whether "@word{key," stands at i.
func (p *bibParser) entryAt(i int) bool {
	if i >= len(p.s) || p.s[i] != '@' {
		return false
	}
	s := p.s[i+1 : min(len(p.s), i+120)]
	j := 0
	for j < len(s) && (s[j] >= 'a' && s[j] <= 'z' || s[j] >= 'A' && s[j] <= 'Z') {
		j++
	}
	if j == 0 || j == len(s) || s[j] != '{' && s[j] != '(' {
		return false
	}
	key, _, ok := strings.Cut(s[j+1:], ",")
	return ok && !strings.ContainsAny(strings.TrimSpace(key), " {}\n")
}
