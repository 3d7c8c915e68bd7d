package wire

import (
	"net/url"
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Straighten brings a query to characters with which a Boolean dialect can be
// read: straight quotation marks, hyphens, spaces; full-width forms as ASCII;
// nothing invisible. A pair of single quotation marks around several words
// becomes a pair of double ones. Letters stay.
func Straighten(query string) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			r -= 0xFEE0
		case r == utf8.RuneError, unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		}
		switch {
		case strings.ContainsRune("“”„‟«»″‶〝〞〟", r):
			return '"'
		case strings.ContainsRune("‘’‚‛′‵‹›ʹʻʼˈ´`", r):
			return '\''
		case unicode.Is(unicode.Pd, r), r == '−', r == '⁃':
			return '-'
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, query)
	for {
		t := singleQuoted.ReplaceAllString(s, `$1"$2"$3`)
		if t == s {
			return s
		}
		s = t
	}
}

var singleQuoted = regexp.MustCompile(`(^|[\s(:])'([^\s'"()][^'"()]*\s[^'"()]*)'($|[\s)\[])`)

// CloseQuotes balances the double quotation marks of a straightened query. A
// phrase that is never closed ends where ends says that the rest begins with
// something else than words (an operator, say), at the next phrase, or with
// the query; a mark that opens nothing is dropped. Balanced queries stay.
func CloseQuotes(s string, ends func(rest string) bool) string {
	if strings.Count(s, `"`)%2 == 0 {
		return s
	}
	var b strings.Builder
	space := func(i int) bool {
		return i < 0 || i >= len(s) || strings.IndexByte(" ():[]", s[i]) >= 0
	}
	opens := func(i int) bool { return space(i-1) && !space(i+1) }
	for i := 0; i < len(s); i++ {
		if s[i] != '"' {
			b.WriteByte(s[i])
			continue
		}
		end := -1
		if next := strings.IndexByte(s[i+1:], '"'); next >= 0 {
			end = i + 1 + next
		}
		switch {
		case end >= 0 && !opens(end) && (opens(i) || !space(i+1)):
			b.WriteString(s[i : end+1]) // a whole phrase
			i = end
		case opens(i):
			if end < 0 {
				end = len(s)
			}
			at := i + 1
			for at < end && !(s[at] == ' ' && ends(s[at:]) || s[at] == '(' || s[at] == ')' || s[at] == '[') {
				at++
			}
			b.WriteString(`"` + strings.TrimRight(s[i+1:at], " ") + `"`)
			i = at - 1
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Shorten drops terms until the groups, joined by operators and
// percent-encoded, fit into most bytes: the last alternative of the first
// longest group, and the last group when each has one term.
func Shorten(groups [][]string, most int) [][]string {
	cost := func(term string) int { return len(url.QueryEscape(term)) + len("+ANDNOT+%28%29") }
	total := 0
	for _, g := range groups {
		for _, term := range g {
			total += cost(term)
		}
	}
	for total > most {
		longest := 0
		for i, g := range groups {
			if len(g) > len(groups[longest]) {
				longest = i
			}
		}
		if len(groups[longest]) == 1 {
			longest = len(groups) - 1
		}
		g := groups[longest]
		total -= cost(g[len(g)-1])
		groups[longest] = g[:len(g)-1]
		if len(g) == 1 {
			groups = groups[:longest]
		}
	}
	return groups
}

// AnyOf joins alternatives by OR, in parentheses where there are several.
func AnyOf(terms []string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	return "(" + strings.Join(terms, " OR ") + ")"
}

// CapTerm cuts a term that alone would fill a query, at a word if it can, to
// most bytes as sent; trim is what it must not end in.
func CapTerm(s string, most int, trim string) string {
	if len(s) > most {
		s = strings.TrimRight(strings.ToValidUTF8(s[:most], ""), trim)
	}
	for len(url.QueryEscape(s)) > most {
		if i := strings.LastIndexByte(s, ' '); i > 0 {
			s = s[:i]
			continue
		}
		r := []rune(s)
		s = strings.TrimRight(string(r[:min(len(r)-1, most/3)]), trim)
	}
	return s
}

// OnlyOperators reports whether words are nothing but operators.
func OnlyOperators(words []string) bool {
	for _, w := range words {
		switch strings.ToUpper(w) {
		case "AND", "OR", "NOT", "ANDNOT":
		default:
			return false
		}
	}
	return true
}

// Token is a piece of a Boolean query as it will be sent.
type Token struct {
	Kind byte   // one of the kinds below
	Text string // of an opening parenthesis, with its prefix
	Tag  string // written behind the text
}

// Kinds of a Token.
const (
	Operand  = 'w'
	Operator = 'o'
	Between  = ':' // between the ends of a range
	Open     = '('
	Close    = ')'
)

// Assemble joins tokens so that parentheses balance, none is empty, and every
// operator stands between two operands; not is the dialect's word for NOT,
// which takes the place of an AND before it. As many tokens are taken as fit
// into most bytes as sent.
func Assemble(tokens []Token, not string, most int) string {
	fits := func(n int) bool { return len(url.QueryEscape(assemble(tokens[:n], not))) <= most }
	n := len(tokens)
	if !fits(n) {
		n = max(sort.Search(n, func(n int) bool { return !fits(n) })-1, 0)
	}
	return assemble(tokens[:n], not)
}

func assemble(tokens []Token, not string) string {
	var out []Token
	depth := 0
	last := func() byte {
		if len(out) == 0 {
			return Open
		}
		return out[len(out)-1].Kind
	}
	dropOperators := func() {
		for len(out) > 0 && (last() == Operator || last() == Between) {
			out = out[:len(out)-1]
		}
	}
	closeOne := func() {
		dropOperators()
		depth--
		if last() == Open {
			out = out[:len(out)-1]
			return
		}
		out = append(out, Token{Kind: Close, Text: ")"})
	}
	for _, t := range tokens {
		switch t.Kind {
		case Open:
			depth++
			out = append(out, t)
		case Close:
			if depth > 0 {
				closeOne()
			}
		case Operator, Between:
			switch last() {
			case Open, Between:
			case Operator:
				if t.Text == not && out[len(out)-1].Text == "AND" {
					out[len(out)-1] = t
				}
			default:
				out = append(out, t)
			}
		default:
			out = append(out, t)
		}
	}
	for depth > 0 {
		closeOne()
	}
	dropOperators()
	var b strings.Builder
	for i, t := range out {
		if i > 0 && t.Kind != Close && out[i-1].Kind != Open && t.Kind != Between && out[i-1].Kind != Between {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text + t.Tag)
	}
	return b.String()
}
