package openalex

import (
	"regexp"
	"strings"
	"unicode"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

const (
	// longQuery is the most that search= takes on unpaid plans (400 "Search
	// query too long", x-openalex-edge-reject: search_volume, August 2026).
	longQuery = 1_500
	// More than three quoted phrases of over 80 characters are refused.
	longPhrase    = 80
	longPhrases   = 3
	longestPhrase = 400
	// longInput caps what is looked at of a query or of the alternatives in an
	// expression; nothing near it can be sent.
	longInput = 20_000
	mostTerms = 200
)

// parameters are the parameters of the service that search in a field. One of
// them with an equals sign before a query makes the search look there alone,
// as in "search.title=dowsing OR divining"; without one search= is sent, which
// looks in title, abstract and full text.
var parameters = map[sources.Field]string{
	sources.TitleAbstract: "search.title_and_abstract=",
	sources.Title:         "search.title=",
}

var (
	parameter = regexp.MustCompile(`^search(?:\.title|\.title_and_abstract)?(?:\.exact)?=`)
	// fieldFilter is the same said as a filter, before a whole query.
	fieldFilter = regexp.MustCompile(`(?i)^(title|display_name|title_and_abstract)\.search:`)
)

// split parts a query into the parameter that it is sent by, and its value.
func split(query string) (name, value string) {
	if p := parameter.FindString(query); p != "" {
		return strings.TrimSuffix(p, "="), query[len(p):]
	}
	return "search", query
}

// Write renders an expression: AND, OR and NOT in capitals, parentheses,
// "phrases", and the parameter of the field before it. Where the whole would
// be too long, the last alternatives of each group go first.
func (s *Source) Write(e sources.Expr) string {
	groups, not := wire.Terms(e.All, e.Not, mostTerms, termNode)
	if len(groups) == 0 {
		return ""
	}
	allowed := longPhrases
	for i := range groups {
		groups[i], allowed = loosen(groups[i], allowed)
	}
	not, _ = loosen(not, allowed)
	return parameters[e.Field] + symbols.FitConjunction(groups, not, longQuery)
}

// termNode is one term: a word, or a phrase where it has several or a
// character that is no letter or digit.
func termNode(term string) (wire.Node, bool) {
	words := wordsOf(wire.Straighten(term[:min(len(term), longInput)]))
	switch {
	case len(words) == 0:
		return wire.Node{}, false
	case len(words) == 1 && !wire.OnlyOperators(words) && !strings.ContainsFunc(words[0], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}):
		return wire.Node{Word: words[0]}, true
	}
	return wire.Node{Word: strings.Join(words, " "), Quoted: true}, true
}

// Clean keeps operators, parentheses and phrases, balances them, and removes
// what breaks a search: wildcards (a question mark after a natural question is
// 400, "Wildcards (* or ?) require exact (no-stem) search", August 2026), !,
// backslashes, typographic quotation marks (two’s finds nothing with the curly
// apostrophe), and the characters that the server drops anyway. A bar becomes
// OR, 'single quotes' become a phrase, a field prefix such as ti: goes; a
// parameter such as search.title= before the whole stays.
func (s *Source) Clean(query string) string {
	query = strings.TrimSpace(wire.Straighten(query[:min(len(query), longInput)]))
	prefix := parameter.FindString(query)
	query = query[len(prefix):]
	if m := fieldFilter.FindStringSubmatch(query); m != nil && prefix == "" && strings.Count(query, ".search:") == 1 {
		prefix, query = parameters[sources.Title], query[len(m[0]):]
		if strings.EqualFold(m[1], "title_and_abstract") {
			prefix = parameters[sources.TitleAbstract]
		}
	}
	nodes := grammar.Read(wire.CloseQuotes(wire.DropFields(query), wire.Ends))
	nodes, _ = loosen(nodes, longPhrases)
	q := symbols.Fit(nodes, longQuery)
	if q == "" {
		return ""
	}
	return prefix + q
}
