package pubmed

import (
	"regexp"
	"strings"
	"unicode"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

// Caps in bytes as sent, after percent-encoding. Long queries go as a form, so
// the cap only keeps what PubMed would take minutes for.
const (
	longestQuery = 12000
	longestTerm  = 600
	mostTerms    = 1000 // of a group, and groups of a query; more never fit
)

// Write implements sources.Source: ("a b"[tiab] OR RAG[tiab] OR dowsing) AND …
// NOT (…). Phrases, acronyms and names with digits are bound to title and
// abstract, where PubMed's mapping would lead astray (RAG is an author).
// Ordinary words stay bare, so that PubMed adds MeSH headings, plurals and
// British spelling, unless the expression names a field. Exclusions are always
// bound, since a mapping would exclude more than was said. Years are left to
// the request, where PubMed has a filter for them.
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
	wanted, field := len(groups), e.Field
	if field == sources.Anywhere {
		field = sources.TitleAbstract
	}
	if not := writeTerms(e.Not, field, false); len(not) > 0 {
		groups = append(groups, not)
	}
	var b strings.Builder
	for i, g := range wire.Shorten(groups, longestQuery) {
		switch {
		case i == wanted:
			b.WriteString(" NOT ")
		case i > 0:
			b.WriteString(" AND ")
		}
		b.WriteString(wire.AnyOf(g))
	}
	return b.String()
}

var ordinaryWord = regexp.MustCompile(`^[A-Z]?[a-z]{3,}$`)

// writeTerms renders the alternatives of one group. Terms that are nothing
// but operators are left out unless there is nothing else.
func writeTerms(group []string, field sources.Field, operators bool) []string {
	tag := "[tiab]"
	if field == sources.Title {
		tag = "[ti]"
	}
	var out []string
	seen := map[string]bool{}
	for _, term := range group {
		w := words(wire.Straighten(term), false)
		if len(w) == 0 || !operators && wire.OnlyOperators(w) {
			continue
		}
		term := capTerm(strings.Join(w, " "))
		switch {
		case strings.Contains(term, " "), wire.OnlyOperators(w):
			term = `"` + term + `"` + tag
		case field != sources.Anywhere || !ordinaryWord.MatchString(term):
			term += tag
		}
		if !seen[term] {
			seen[term] = true
			out = append(out, term)
		}
		if len(out) == mostTerms {
			break
		}
	}
	return out
}

// parting are characters that part words: those with a meaning in the dialect
// (# is a search number, & and | are operators, : is a range) and those that
// PubMed drops in any case.
const parting = `"()[]{}?#&|\^<>=~!;$@:*_`

// words are the words of a text. With truncated, an asterisk after four
// letters or more stays.
func words(s string, truncated bool) []string {
	var out []string
	for _, field := range strings.Fields(s) {
		keep := truncated && truncation.MatchString(field)
		parts := strings.FieldsFunc(field, func(r rune) bool { return strings.ContainsRune(parting, r) })
		for i, w := range parts {
			w = strings.Trim(w, "-+'/,.")
			if strings.IndexFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0 {
				continue
			}
			if keep && i == len(parts)-1 {
				w += "*"
			}
			out = append(out, w)
		}
	}
	return out
}

// truncation is a word that PubMed takes with an asterisk.
var truncation = regexp.MustCompile(`[\pL\pN]{4,}\*$`)

func capTerm(s string) string { return wire.CapTerm(s, longestTerm, " -+'/,.*") }
