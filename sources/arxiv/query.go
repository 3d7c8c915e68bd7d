package arxiv

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
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

// Write implements sources.Source: (all:"a b" OR all:c) AND all:d ANDNOT
// all:e. All fields are searched unless the expression names one: ti, or ti
// and abs side by side, since arXiv binds a prefix to the next word only and
// has none for both. It knows no stemming. Where the query would be too long,
// the last alternatives of the longest groups go first.
func (s *Source) Write(e sources.Expr) string {
	var groups [][]string
	for _, operators := range []bool{false, true} {
		for _, group := range e.All {
			if terms := writeTerms(group, e.Field, operators); len(terms) > 0 && len(groups) < mostTerms {
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
	wanted := len(groups)
	if not := writeTerms(e.Not, e.Field, false); len(not) > 0 {
		groups = append(groups, not)
	}
	var b strings.Builder
	for i, g := range wire.Shorten(groups, longestQuery) {
		switch {
		case i == wanted:
			b.WriteString(" ANDNOT ")
		case i > 0:
			b.WriteString(" AND ")
		}
		if len(g) == 1 && e.Field == sources.TitleAbstract {
			b.WriteString("(" + g[0] + ")")
		} else {
			b.WriteString(wire.AnyOf(g))
		}
	}
	return withYears(b.String(), e.SinceYear, e.UntilYear)
}

// writeTerms renders the alternatives of one group. Terms that are nothing
// but operators are left out unless there is nothing else.
func writeTerms(group []string, field sources.Field, operators bool) []string {
	var out []string
	seen := map[string]bool{}
	for _, term := range group {
		w := words(wire.Straighten(term))
		if len(w) == 0 || !operators && wire.OnlyOperators(w) {
			continue
		}
		term := capTerm(strings.Join(w, " "))
		if len(w) > 1 || wire.OnlyOperators(w) {
			term = `"` + term + `"`
		}
		if !seen[term] {
			seen[term] = true
			switch field {
			case sources.Title:
				term = "ti:" + term
			case sources.TitleAbstract:
				term = "ti:" + term + " OR abs:" + term
			default:
				term = "all:" + term
			}
			out = append(out, term)
		}
		if len(out) == mostTerms {
			break
		}
	}
	return out
}

func capTerm(s string) string { return wire.CapTerm(s, longestTerm, " .'") }

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

// conjunction matches what Write renders without an exclusion: terms and
// groups joined by AND, to which another AND can be added.
var conjunction = func() *regexp.Regexp {
	const term = `(all|ti|abs):("[^"]*"|[^ "()]+)`
	const part = `(\((` + term + `( OR )?)+\)|` + term + `)`
	return regexp.MustCompile(`^` + part + `( AND ` + part + `)*$`)
}()

// dateRange is the date filter inside a query, "" if there is none.
func dateRange(q string) string { return anyRange.FindString(q) }

var anyRange = regexp.MustCompile(`(submittedDate|lastUpdatedDate):\[[0-9]{12} TO [0-9]{12}\]`)

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
