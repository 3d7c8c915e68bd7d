package text

import (
	"strings"
	"unicode"
)

// Numbers gives the numerals of running text in order, in one spelling each:
// "1,234.50" is 1234.5, "12 %" is 12, ".05" is 0.05, "3.5B" is 3.5, "1e-3" is
// 1e-3. Signs, units and number words are left out, and so is a number that is
// part of a name because letters stand before it (BM25, GPT-4, COVID-19). A
// comma or a thin space before exactly three digits groups thousands; any other
// comma separates two numbers.
func Numbers(s string) []string {
	rs := plainDigits(s)
	var out []string
	for i := 0; i < len(rs); {
		if !digit(rs[i]) && !(rs[i] == '.' && i+1 < len(rs) && digit(rs[i+1])) {
			i++
			continue
		}
		n, end := numeral(rs, i)
		if !namedBefore(rs, i) && !dimension(rs, i, end) {
			out = append(out, n)
		}
		i = end
	}
	return out
}

// plainDigits maps the decimal digits of every script to ASCII and drops what
// cannot be seen.
func plainDigits(s string) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		switch {
		case r >= 0x80 && unicode.IsDigit(r):
			r = '0' + digitValue(r)
		case r == '．':
			r = '.'
		case r == '，':
			r = ','
		case unicode.Is(unicode.Cf, r):
			continue
		}
		out = append(out, r)
	}
	return out
}

// digitValue gives the value of a decimal digit; Unicode keeps each script's
// ten digits in order and in one block that starts where the class starts.
func digitValue(r rune) rune {
	zero := r
	for r-zero < 9 && unicode.IsDigit(zero-1) {
		zero--
	}
	return r - zero
}

func digit(r rune) bool { return r >= '0' && r <= '9' }

// numeral reads the numeral that starts at i.
func numeral(rs []rune, i int) (string, int) {
	var b strings.Builder
	points := 0
	if rs[i] == '.' {
		b.WriteByte('0')
	}
	for i < len(rs) {
		r := rs[i]
		switch {
		case digit(r):
			b.WriteRune(r)
		case groups(r) && points == 0 && threeDigits(rs, i+1) && b.Len() <= 3*(b.Len()/3)+3:
		case r == '.' && i+1 < len(rs) && digit(rs[i+1]):
			points++
			b.WriteByte('.')
		case (r == 'e' || r == 'E') && exponent(rs, i) > 0:
			b.WriteByte('e')
			n := exponent(rs, i)
			for _, x := range rs[i+1 : i+n] {
				switch {
				case x == '−' || x == '-':
					b.WriteByte('-')
				case digit(x):
					b.WriteRune(x)
				}
			}
			return canonical(b.String(), points), i + n
		default:
			return canonical(b.String(), points), i
		}
		i++
	}
	return canonical(b.String(), points), i
}

func groups(r rune) bool {
	return r == ',' || r == '\u2009' || r == '\u202F' || r == '\u00A0' || r == '’'
}

// threeDigits reports whether exactly three digits stand at i.
func threeDigits(rs []rune, i int) bool {
	n := 0
	for i+n < len(rs) && n < 4 && digit(rs[i+n]) {
		n++
	}
	return n == 3
}

// exponent gives the length of an exponent such as e-5 at i, or 0.
func exponent(rs []rune, i int) int {
	n := 1
	if i+n < len(rs) && (rs[i+n] == '-' || rs[i+n] == '+' || rs[i+n] == '−') {
		n++
	}
	first := n
	for i+n < len(rs) && n < first+3 && digit(rs[i+n]) {
		n++
	}
	if n == first || i+n < len(rs) && (unicode.IsLetter(rs[i+n]) || digit(rs[i+n])) {
		return 0
	}
	return n
}

// canonical drops zeros that do not change the value. A numeral with two points
// is a version and stays.
func canonical(n string, points int) string {
	if points > 1 {
		return n
	}
	mantissa, exp, _ := strings.Cut(n, "e")
	if points == 1 {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	mantissa = strings.TrimLeft(mantissa, "0")
	if mantissa == "" || mantissa[0] == '.' {
		mantissa = "0" + mantissa
	}
	if exp != "" {
		return mantissa + "e" + exp
	}
	return mantissa
}

// namedBefore reports whether letters stand before the numeral at i, directly
// or with a hyphen.
func namedBefore(rs []rune, i int) bool {
	if i == 0 {
		return false
	}
	r := rs[i-1]
	if (r == '-' || r == '‐' || r == '‑' || r == '_') && i > 1 {
		r = rs[i-2]
	}
	return unicode.IsLetter(r) && r < 0x2E80 // CJK text has no spaces around numbers
}

// dimension tells "3D" and "2-D" from "3 days".
func dimension(rs []rune, i, end int) bool {
	if end-i != 1 {
		return false
	}
	j := end
	if j < len(rs) && rs[j] == '-' {
		j++
	}
	return j < len(rs) && (rs[j] == 'D' || rs[j] == 'd') && (j+1 == len(rs) || !unicode.IsLetter(rs[j+1]))
}
