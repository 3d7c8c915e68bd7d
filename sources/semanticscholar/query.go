package semanticscholar

import (
	"regexp"
	"strings"
	"unicode"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

const (
	longQuery = 300   // characters of a ranked search; a paper has to fit all the words
	longBulk  = 1_500 // of a Boolean one
	longTerm  = 300   // of one phrase in it
	// longInput caps what is looked at of a term or query.
	longInput = 20_000
	mostTerms = 200
)

// boolean is what only the Boolean search understands.
var boolean = regexp.MustCompile(`["|+()*~]|(?:^|\s)-\S`)

// symbols are the operators of the Boolean search.
var symbols = wire.Symbols{And: " + ", Or: " | ", Not: "-"}

// grammar reads the Boolean language as well as AND, OR and NOT in capitals.
var grammar = wire.Grammar{
	Stretch: func(s string, more bool) []wire.Node {
		var out []wire.Node
		fields := strings.Fields(s)
		for i, field := range fields {
			// A minus before a word, a phrase or a parenthesis excludes it.
			bound := more && i == len(fields)-1 && !strings.HasSuffix(s, " ")
			for k, alternative := range strings.Split(field, "|") {
				if k > 0 {
					out = append(out, wire.Node{Op: "OR"})
				}
				for m, part := range strings.Split(alternative, "+") {
					if m > 0 {
						out = append(out, wire.Node{Op: "AND"})
					}
					rest := strings.TrimLeft(part, "-")
					terms := term(rest)
					if rest != part && (len(terms) > 0 || rest == "" && bound) {
						out = append(out, wire.Node{Op: "NOT"})
					}
					out = append(out, terms...)
				}
			}
		}
		return out
	},
	Phrase: func(s string) []string { return strings.Fields(wire.JoinWords(wordsOf(s), longTerm)) },
}

// term reads what stands between spaces: words, an operator, or the beginning
// of a word.
func term(s string) []wire.Node {
	if op := wire.OperatorOf(s); op != "" {
		return []wire.Node{{Op: op}}
	}
	if beginning.MatchString(s) {
		return []wire.Node{{Word: s}}
	}
	var out []wire.Node
	for _, w := range wire.Words(s, func(r rune) bool { return r != '-' && noWord(r) }) {
		w = strings.Trim(w, "-'")
		out = append(out, wire.Node{Word: w, Op: wire.OperatorOf(w)})
	}
	return out
}

// beginning is the beginning of a word with a wildcard.
var beginning = regexp.MustCompile(`^[\pL\pN]{3,}\*$`)

// Write renders an expression. With one term for each concept and nothing to
// exclude it lists the words, which the ranked search ANDs; phrases are
// loosened to words there. Alternatives, exclusions and wildcards need the
// Boolean search: ("a b" | c) + d -e. Both look in title and abstract, whatever
// the field; neither can look in titles alone.
func (s *Source) Write(e sources.Expr) string {
	groups, not := wire.Terms(e.All, e.Not, mostTerms, termNode)
	plain := len(not) == 0
	var out []string
	known := map[string]bool{}
	for _, group := range groups {
		plain = plain && len(group) == 1 && !strings.HasSuffix(group[0].Word, "*")
		for _, w := range strings.Fields(group[0].Word) {
			if wire.OperatorOf(w) != "" {
				w = strings.ToLower(w)
			}
			if lower := strings.ToLower(w); !known[lower] {
				known[lower] = true
				out = append(out, w)
			}
		}
	}
	if plain {
		return wire.JoinWords(out, longQuery)
	}
	return symbols.FitConjunction(groups, not, longBulk)
}

// termNode is one term: a word, the beginning of one, or a phrase.
func termNode(t string) (wire.Node, bool) {
	t = strings.TrimSpace(wire.Straighten(t[:min(len(t), longInput)]))
	if beginning.MatchString(t) {
		return wire.Node{Word: t}, true
	}
	words := wordsOf(t)
	switch {
	case len(words) == 0:
		return wire.Node{}, false
	case len(words) == 1 && !wire.OnlyOperators(words):
		return wire.Node{Word: words[0]}, true
	}
	return wire.Node{Word: wire.JoinWords(words, longTerm), Quoted: true}, true
}

// Clean makes a query fit for one of the searches. What has no operator, no
// phrase and no parenthesis becomes plain words for the ranked search: a
// hyphenated word finds nothing there ("COVID-19", documented for
// /paper/search), so that its hyphens become spaces. Anything else is brought
// to the Boolean language: AND, OR and NOT become + | -, quotation marks and
// parentheses balance, field prefixes of other services go.
func (s *Source) Clean(query string) string {
	query = wire.CloseQuotes(wire.DropFields(wire.Straighten(query[:min(len(query), longInput)])), wire.Ends)
	nodes := grammar.Read(query)
	if words, ok := plainWords(nodes); ok {
		return wire.JoinWords(words, longQuery)
	}
	return symbols.Fit(phrases(nodes), longBulk)
}

// plainWords are the words of a query that needs no Boolean search.
func plainWords(nodes []wire.Node) (words []string, ok bool) {
	for _, n := range nodes {
		switch {
		case n.Op == "AND":
		case n.Op != "" || n.Group != nil || n.Quoted || strings.HasSuffix(n.Word, "*"):
			return nil, false
		default:
			for _, w := range wordsOf(n.Word) {
				if wire.OperatorOf(w) != "" {
					w = strings.ToLower(w) // of R-AND-D
				}
				words = append(words, w)
			}
		}
	}
	return words, true
}

// phrases makes phrases of hyphenated words, which a Boolean search would take
// for exclusions.
func phrases(nodes []wire.Node) []wire.Node {
	var out []wire.Node
	for _, n := range nodes {
		if n.Group != nil {
			n.Group = phrases(n.Group)
		}
		if words := wordsOf(n.Word); n.Op == "" && len(words) > 0 && !strings.HasSuffix(n.Word, "*") {
			n.Word, n.Quoted = strings.Join(words, " "), n.Quoted || len(words) > 1
		}
		out = append(out, n)
	}
	return out
}

// wordsOf splits on white space, on hyphens and on what has a meaning to the
// service.
func wordsOf(s string) []string { return wire.Words(s, noWord) }

func noWord(r rune) bool {
	return unicode.Is(unicode.Pd, r) || strings.ContainsRune(`"()[]{}*?!\~^|<>,;:+`, r)
}
