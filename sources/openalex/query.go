package openalex

import (
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/sources"
)

const (
	// longQuery is the most that search= takes on unpaid plans (400 "Search
	// query too long", x-openalex-edge-reject: search_volume, August 2026).
	longQuery = 1_500
	// More than three quoted phrases of over 80 characters are refused.
	longPhrase    = 80
	longPhrases   = 3
	longestPhrase = 400
	longWord      = 200
	// longInput caps what is looked at of a query or of the alternatives in an
	// expression; nothing near it can be sent.
	longInput = 20_000
	mostTerms = 200
)

// Write renders an expression: AND, OR in capitals, parentheses, "phrases".
// Where the whole would be too long, the last alternatives of each group go
// first.
func (s *Source) Write(e sources.Expr) string {
	groups := make([][]node, 0, len(e.All))
	most := 0
	for _, terms := range e.All[:min(len(e.All), mostTerms)] {
		var group []node
		for _, t := range terms[:min(len(terms), mostTerms)] {
			if n, ok := termNode(t); ok {
				group = append(group, n)
			}
		}
		if len(group) > 0 {
			groups = append(groups, group)
			most = max(most, len(group))
		}
	}
	// The most alternatives per group with which the whole fits, at least one.
	dropped := sort.Search(most, func(n int) bool {
		q := renderSeq(conjunction(groups, most-n))
		return utf8.RuneCountInString(q) <= longQuery
	})
	return fit(conjunction(groups, max(most-dropped, 1)))
}

// conjunction ANDs the groups, each the OR of its first most terms.
func conjunction(groups [][]node, most int) []node {
	var all []node
	for _, group := range groups {
		var any []node
		for _, term := range group[:min(most, len(group))] {
			any = append(any, node{op: "OR"}, term)
		}
		all = append(all, node{op: "AND"}, node{group: any})
	}
	return normalise(all)
}

// termNode is one term: a word, or a phrase where it has several or a
// character that is no letter or digit.
func termNode(term string) (node, bool) {
	words := wordsOf(foldQuotes(term[:min(len(term), longInput)]))
	switch {
	case len(words) == 0 || len(words) == 1 && operators[strings.ToUpper(words[0])] != "":
		return node{}, false
	case len(words) == 1 && strings.IndexFunc(words[0], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) < 0:
		return node{word: words[0]}, true
	}
	return node{word: strings.Join(words, " "), quoted: true}, true
}

// Clean keeps operators, parentheses and phrases, balances them, and removes
// what breaks a search: wildcards (a question mark after a natural question is
// 400, "Wildcards (* or ?) require exact (no-stem) search", August 2026), !,
// backslashes, typographic quotation marks (two’s finds nothing with the curly
// apostrophe), and the characters that the server drops anyway. A bar becomes
// OR, 'single quotes' become a phrase, a field prefix such as ti: goes.
func (s *Source) Clean(query string) string {
	query = fieldPrefix.ReplaceAllString(foldQuotes(query[:min(len(query), longInput)]), "$1")
	return fit(normalise(parse(scan(query))))
}

// fieldPrefix is the field syntax of other services; here its word would be
// searched for.
var fieldPrefix = regexp.MustCompile(`(?i)(^|[\s(])(?:ti|title|abs|abstract|tiab|all|au|author|kw|keyword|keywords|title_and_abstract|title\.search|default\.search|display_name\.search):`)

// operators maps a word to the operator it is.
var operators = map[string]string{"AND": "AND", "OR": "OR", "NOT": "NOT", "ANDNOT": "NOT"}

// fit renders nodes, without the last ones if the whole is too long.
func fit(nodes []node) string {
	nodes, _ = loosen(nodes, longPhrases)
	nodes = normalise(nodes)
	q := renderSeq(nodes)
	if utf8.RuneCountInString(q) <= longQuery {
		return q
	}
	fits, tooMany := 0, leaves(nodes)
	for fits+1 < tooMany {
		half := (fits + tooMany) / 2
		kept, _ := firstLeaves(nodes, half)
		if utf8.RuneCountInString(renderSeq(normalise(kept))) <= longQuery {
			fits = half
		} else {
			tooMany = half
		}
	}
	kept, _ := firstLeaves(nodes, fits)
	return renderSeq(normalise(kept))
}

// foldQuotes writes typographic quotation marks as plain ones, removes
// invisible characters and makes white space and control characters spaces.
func foldQuotes(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '“', '”', '„', '‟', '«', '»', '″', '＂':
			return '"'
		case '‘', '’', '‚', '‛', '′', '`', '´', '＇', '‹', '›':
			return '\''
		case '(', ')', '[', ']':
			return r
		case '（':
			return '('
		case '）':
			return ')'
		case '？', '！', '\uFFFD':
			return ' '
		}
		if unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs) {
			return -1
		}
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
}

// wordsOf splits on white space and on what must not be sent, and drops what
// holds neither a letter nor a digit.
func wordsOf(s string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`*?!\~^|/:[]<>{},;()"`, r)
	}) {
		w = strings.Trim(w, "'")
		if runes := []rune(w); len(runes) > longWord {
			w = strings.Trim(string(runes[:longWord]), "'")
		}
		if strings.IndexFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsNumber(r) }) >= 0 {
			out = append(out, w)
		}
	}
	return out
}
