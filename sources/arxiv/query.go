package arxiv

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
	"optimistresearch/sources"
)

// Caps in bytes as sent, after percent-encoding.
const (
	longestQuery = 4000
	longestTerm  = 600
	mostTerms    = 500 // of a group, and groups of a query; more never fit
)

// firstYear is the year in which arXiv began; farYear stands for an open end.
const (
	firstYear = 1991
	farYear   = 2999
)

// Write implements sources.Source: (all:"a b" OR all:c) AND all:d. All fields
// are searched, since arXiv binds a prefix to the next word only and knows no
// stemming. Where the query would be too long, the last alternatives of the
// longest groups go first.
func (s *Source) Write(e sources.Expr) string {
	var groups [][]string
	for _, group := range e.All {
		if terms := writeTerms(group, false); len(terms) > 0 && len(groups) < mostTerms {
			groups = append(groups, terms)
		}
	}
	if len(groups) == 0 {
		for _, group := range e.All {
			if terms := writeTerms(group, true); len(terms) > 0 {
				groups = append(groups, terms)
			}
		}
	}
	return withYears(render(shorten(groups)), e.SinceYear, e.UntilYear)
}

// writeTerms renders the alternatives of one group. Terms that are nothing
// but operators are left out unless there is nothing else.
func writeTerms(group []string, operators bool) []string {
	var out []string
	seen := map[string]bool{}
	for _, term := range group {
		w := words(straighten(term))
		term := strings.Join(w, " ")
		if len(w) == 0 || !operators && onlyOperators(w) {
			continue
		}
		if len(w) > 1 || onlyOperators(w) {
			term = `"` + capTerm(term) + `"`
		} else {
			term = capTerm(term)
		}
		if !seen[term] {
			seen[term] = true
			out = append(out, "all:"+term)
		}
		if len(out) == mostTerms {
			break
		}
	}
	return out
}

func onlyOperators(words []string) bool {
	for _, w := range words {
		switch strings.ToUpper(w) {
		case "AND", "OR", "NOT", "ANDNOT":
		default:
			return false
		}
	}
	return true
}

func render(groups [][]string) string {
	parts := make([]string, len(groups))
	for i, g := range groups {
		parts[i] = strings.Join(g, " OR ")
		if len(g) > 1 {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " AND ")
}

// shorten drops terms until the query fits: the last alternative of the first
// longest group, and the last group when each has one term.
func shorten(groups [][]string) [][]string {
	cost := func(term string) int { return len(url.QueryEscape(term)) + len("+AND+%28%29") }
	total := 0
	for _, g := range groups {
		for _, term := range g {
			total += cost(term)
		}
	}
	for total > longestQuery {
		most := 0
		for i, g := range groups {
			if len(g) > len(groups[most]) {
				most = i
			}
		}
		if len(groups[most]) == 1 {
			most = len(groups) - 1
		}
		g := groups[most]
		total -= cost(g[len(g)-1])
		groups[most] = g[:len(g)-1]
		if len(g) == 1 {
			groups = groups[:most]
		}
	}
	return groups
}

// withYears binds a query to the years in which the first version came, which
// in arXiv is a part of the query. A query with a range of its own keeps it.
func withYears(q string, since, until int) string {
	if q == "" || since <= 0 && until <= 0 || strings.Contains(q, "submittedDate:") {
		return q
	}
	if since <= 0 {
		since = firstYear
	}
	if until <= 0 {
		until = farYear
	}
	if strings.Contains(q, " ") && !conjunction.MatchString(q) {
		q = "(" + q + ")"
	}
	return fmt.Sprintf("%s AND submittedDate:[%04d01010000 TO %04d12312359]", q, since, until)
}

// conjunction matches what Write renders: terms and groups joined by AND, to
// which another AND can be added.
var conjunction = regexp.MustCompile(`^(\((all:("[^"]*"|[^ "()]+)( OR )?)+\)|all:("[^"]*"|[^ "()]+))( AND (\((all:("[^"]*"|[^ "()]+)( OR )?)+\)|all:("[^"]*"|[^ "()]+)))*$`)

// dateRange is the date filter inside a query, "" if there is none.
func dateRange(q string) string { return anyRange.FindString(q) }

var anyRange = regexp.MustCompile(`(submittedDate|lastUpdatedDate):\[[0-9]{12} TO [0-9]{12}\]`)

// straighten brings a string to characters with which the dialect can be
// read: straight quotation marks, hyphens, spaces; full-width forms as ASCII;
// nothing invisible. A pair of single quotation marks around several words
// becomes a pair of double ones.
func straighten(s string) string {
	s = strings.Map(func(r rune) rune {
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
	}, s)
	for {
		t := singleQuoted.ReplaceAllString(s, `$1"$2"$3`)
		if t == s {
			return s
		}
		s = t
	}
}

var singleQuoted = regexp.MustCompile(`(^|[\s(:])'([^\s'"()][^'"()]*\s[^'"()]*)'($|[\s)])`)

// words are the words of a text, without anything that has a meaning in the
// dialect. Accents are folded, because non-ASCII letters have been answered
// with 400; scripts without an ASCII form stay.
func words(s string) []string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		var folded []string
		for _, w := range strings.Fields(s) { // word by word, to keep the case of the others
			if strings.IndexFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
				w = text.Fold(w)
			}
			folded = append(folded, w)
		}
		s = strings.Join(folded, " ")
	}
	var out []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '\'' && r != '.'
	}) {
		w = strings.Trim(w, ".'")
		if strings.IndexFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0 {
			out = append(out, w)
		}
	}
	return out
}

// capTerm cuts a term that alone would fill a query, at a word if it can.
func capTerm(s string) string {
	if len(s) > longestTerm {
		s = strings.TrimRight(strings.ToValidUTF8(s[:longestTerm], ""), " .'")
	}
	for len(url.QueryEscape(s)) > longestTerm {
		if i := strings.LastIndexByte(s, ' '); i > 0 {
			s = s[:i]
			continue
		}
		r := []rune(s)
		s = strings.TrimRight(string(r[:min(len(r)-1, longestTerm/3)]), ".'")
	}
	return s
}
