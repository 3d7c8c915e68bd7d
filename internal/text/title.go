package text

import (
	"strings"
	"unicode"
)

// TitleKey gives the form in which two titles are equal if they differ only in
// markup, case, accents, punctuation, white space or the spelling of Greek
// letters: [Strip] and [Fold], then letters and digits only, separated by single
// spaces. A Greek letter that stands alone or beside Latin ones is spelled out
// (α is alpha); a Greek word stays. Apostrophes vanish, "&" between words is
// "and". A title without a letter or digit has the key "".
func TitleKey(s string) string {
	folded := []rune(Fold(Strip(s)))
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for i := 0; i < len(folded); i++ {
		r := folded[i]
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if gap && b.Len() > 0 {
				b.WriteByte(' ')
			}
			gap = false
			if name, ok := greekNames[r]; ok && !inGreekWord(folded, i) {
				b.WriteString(name)
			} else {
				b.WriteRune(r)
			}
		case r == '\'' && i > 0 && i+1 < len(folded) && unicode.IsLetter(folded[i-1]) && unicode.IsLetter(folded[i+1]):
		case r == '&' && i > 0 && i+1 < len(folded) && folded[i-1] == ' ' && folded[i+1] == ' ':
			if b.Len() > 0 {
				b.WriteString(" and")
			}
			gap = true
		default:
			gap = true
		}
	}
	return b.String()
}

// inGreekWord reports whether the Greek letter at i is one of three or more in
// a row.
func inGreekWord(s []rune, i int) bool {
	n := 1
	for j := i - 1; j >= 0 && n < 3 && unicode.Is(unicode.Greek, s[j]); j-- {
		n++
	}
	for j := i + 1; j < len(s) && n < 3 && unicode.Is(unicode.Greek, s[j]); j++ {
		n++
	}
	return n >= 3
}

var greekNames = map[rune]string{
	'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon", 'ζ': "zeta", 'η': "eta", 'θ': "theta",
	'ι': "iota", 'κ': "kappa", 'λ': "lambda", 'μ': "mu", 'ν': "nu", 'ξ': "xi", 'ο': "omicron", 'π': "pi", 'ρ': "rho",
	'σ': "sigma", 'τ': "tau", 'υ': "upsilon", 'φ': "phi", 'χ': "chi", 'ψ': "psi", 'ω': "omega",
}
