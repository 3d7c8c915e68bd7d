package europepmc

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

const (
	// longestQuery in bytes is well below what a form may hold; long lists of
	// OR have ended in 504.
	longestQuery = 8_000
	longestTerm  = 300   // characters
	mostTermsIn  = 1_000 // of a group, and groups of a query; more never fit
)

// fieldNames are the fields of the dialect by where a term must occur. Without
// one, Europe PMC looks in the record and in the full text.
var fieldNames = map[sources.Field]string{sources.Title: "TITLE:", sources.TitleAbstract: "TITLE_ABS:"}

// Write implements sources.Source: (a OR "b c") AND d NOT (e OR f), each term
// with its field where one is asked for. Years are left to the request.
func (s *Source) Write(e sources.Expr) string {
	field := fieldNames[e.Field]
	var groups [][]string
	for _, operators := range []bool{false, true} {
		for _, group := range e.All {
			if terms := writeTerms(group, field, operators); len(terms) > 0 && len(groups) < mostTermsIn {
				groups = append(groups, terms)
			}
		}
		if len(groups) > 0 {
			break
		}
	}
	if len(groups) == 0 {
		return ""
	}
	// Exclusions may take a quarter of the length: without one there are more
	// hits than wanted, without an alternative there are fewer.
	room := longestQuery
	not := writeTerms(e.Not, field, false)
	if len(not) > 0 {
		room -= longestQuery / 4
		not = wire.Shorten([][]string{not}, longestQuery/4)[0]
	}
	groups = wire.Shorten(groups, room)
	parts := make([]string, len(groups))
	for i, g := range groups {
		parts[i] = wire.AnyOf(g)
	}
	query := strings.Join(parts, " AND ")
	if len(not) == 0 {
		return query
	}
	if len(groups) > 1 {
		query = "(" + query + ")"
	}
	return query + " NOT " + wire.AnyOf(not)
}

// writeTerms renders the alternatives of one group. Terms that are nothing but
// operators are left out unless they are asked for.
func writeTerms(group []string, field string, operators bool) []string {
	var out []string
	for _, term := range group {
		w := words(wire.Straighten(term))
		if len(w) == 0 || !operators && wire.OnlyOperators(w) {
			continue
		}
		written := operand(w)
		if !slices.Contains(out, field+written) {
			out = append(out, field+written)
		}
		if len(out) == mostTermsIn {
			break
		}
	}
	return out
}

func isOperator(w string) bool { return w == "AND" || w == "OR" || w == "NOT" }

// operand is one word as it is, or more words, or a strange one, as a phrase.
func operand(words []string) string {
	if len(words) == 1 && plainWord.MatchString(words[0]) && !isOperator(strings.ToUpper(words[0])) {
		return words[0]
	}
	phrase := strings.Join(words, " ")
	if runes := []rune(phrase); len(runes) > longestTerm {
		phrase = strings.TrimRight(string(runes[:longestTerm]), " ")
	}
	return `"` + strings.ReplaceAll(phrase, "*", "") + `"`
}

// plainWord needs no quotation marks; an asterisk after three letters or more
// is any ending.
var plainWord = regexp.MustCompile(`^(?:[\p{L}\p{M}\p{N}_]+(?:[-.'][\p{L}\p{M}\p{N}_]+)*|[\p{L}\p{N}]{3,}\*)$`)

// parting are characters that part words: those with a meaning in the dialect,
// and those without any to a search.
const parting = "\"()[]{}?\\^~!:;,|&<>=`"

// words are the words of a straightened text.
func words(s string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(parting, r) }) {
		parts := strings.FieldsFunc(w, func(r rune) bool { return r == '*' })
		for i, p := range parts {
			p = strings.TrimRight(strings.TrimLeft(p, "-+/.'@#$%_"), "-/.'@$_")
			if !hasWord(p) {
				continue
			}
			if runes := []rune(p); len(runes) > longestTerm {
				p = strings.TrimRight(string(runes[:longestTerm]), "-/.'@$_")
			}
			if i == len(parts)-1 && strings.HasSuffix(w, "*") && plainWord.MatchString(p+"*") {
				p += "*"
			}
			out = append(out, p)
		}
	}
	return out
}

// hasWord reports whether a text holds a letter or a digit; some letters, such
// as the double prime ʺ, are none to a search.
func hasWord(s string) bool {
	return strings.IndexFunc(text.Fold(s), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0
}

// phrase is the inside of quotation marks: white space folded, without what
// would escape or stand for other characters.
func phrase(s string) string {
	s = strings.Join(strings.Fields(strings.NewReplacer(`\`, " ", "?", " ").Replace(s)), " ")
	if !hasWord(s) {
		return ""
	}
	if runes := []rune(s); len(runes) > longestTerm {
		s = strings.TrimSpace(string(runes[:longestTerm]))
		if !hasWord(s) {
			return ""
		}
	}
	return text.OneLine(s)
}
