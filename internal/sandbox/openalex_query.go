package sandbox

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"optimistresearch/internal/text"
)

// OpenAlex's search language: words are stemmed and ANDed, stop words dropped;
// AND, OR, NOT in capitals, parentheses, "phrases" and "a phrase"~5. What it
// refuses is refused here (server source, August 2026): wildcards in a stemmed
// search, such as the question mark after a natural question; a leading
// wildcard; a word that begins with "!"; "|"; more than three long phrases.

type openAlexParser struct {
	tokens []string
	at     int
	f      finder
	in     fields
	exact  bool
	depth  int
	fault  string
}

var (
	openAlexToken  = regexp.MustCompile(`\(|\)|"[^"]*"(?:~[0-9]+)?|[^\s()"]+`)
	openAlexPhrase = regexp.MustCompile(`"[^"]*"`)
	// stripped are the characters that the server drops by itself.
	stripped = strings.NewReplacer("/", " ", ":", " ", "[", " ", "]", " ", "<", " ", ">", " ", "“", `"`, "”", `"`)
)

const (
	longPhrase      = 80
	mostLongPhrases = 3
)

// parseOpenAlex reads a search. fault is the service's message if it refuses.
func parseOpenAlex(query string, f finder, in fields, exact bool) (n node, fault string) {
	bare := openAlexPhrase.ReplaceAllString(query, " ")
	long := 0
	for _, p := range openAlexPhrase.FindAllString(query, -1) {
		if utf8.RuneCountInString(p)-2 > longPhrase {
			long++
		}
	}
	switch {
	case strings.ContainsAny(bare, "?*") && !exact:
		return nil, "Wildcards (* or ?) require exact (no-stem) search. The default search is stemmed, so the literal text before the wildcard " +
			"is removed when the work is indexed and the search returns wrong results. Use the search.exact= parameter instead (or the " +
			"default.search.exact filter), e.g. search.exact=" + query + "."
	case strings.Contains(query, "|"):
		return nil, "The | operator is not supported in search. Use OR in capitals between the terms."
	case long > mostLongPhrases:
		return nil, fmt.Sprintf("The search has %d quoted phrases of more than %d characters; at most %d are supported.", long, longPhrase, mostLongPhrases)
	}
	for _, w := range strings.Fields(bare) {
		switch i := strings.IndexAny(w, "?*"); {
		case strings.HasPrefix(w, "!"):
			return nil, "A search term may not begin with !. Use NOT in capitals to exclude a term."
		case i == 0:
			return nil, fmt.Sprintf("Leading wildcards are not supported (too expensive): %q. Anchor the wildcard with at least 3 leading characters, "+
				"e.g. cycle*.", w)
		case i > 0 && i < 3:
			return nil, fmt.Sprintf("Wildcards need at least 3 leading characters: %q.", w)
		}
	}
	p := &openAlexParser{tokens: openAlexToken.FindAllString(stripped.Replace(query), -1), f: f, in: in, exact: exact}
	n = p.or()
	for p.at < len(p.tokens) && p.fault == "" { // a parenthesis too many is dropped
		p.at++
		if more := p.or(); more != nil {
			n = join(n, more)
		}
	}
	if n == nil {
		n = none{}
	}
	return n, p.fault
}

// join ANDs two nodes, of which either may be nil: nothing to look for.
func join(a, b node) node {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return allOf{a, b}
}

func (p *openAlexParser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *openAlexParser) or() node {
	n := p.and()
	for p.peek() == "OR" {
		p.at++
		switch next := p.and(); {
		case n == nil:
			n = next
		case next != nil:
			n = anyOf{n, next}
		}
	}
	return n
}

func (p *openAlexParser) and() node {
	var n node
	for t := p.peek(); t != "" && t != ")" && t != "OR"; t = p.peek() {
		switch t {
		case "AND":
			p.at++
		case "NOT":
			p.at++
			switch not := p.term(); {
			case not == nil:
			case n == nil:
				n = except{where{func(int32) bool { return true }}, not}
			default:
				n = except{n, not}
			}
		default:
			n = join(n, p.term())
		}
	}
	return n
}

// term reads one word, phrase or parenthesis; nil if nothing of it is searched
// for.
func (p *openAlexParser) term() node {
	t := p.peek()
	switch {
	case t == "" || t == ")" || t == "OR" || t == "AND" || t == "NOT":
		return nil
	case t == "(":
		p.at++
		if p.depth++; p.depth > 100 {
			p.fault = "The search has too many nested parentheses."
			p.at = len(p.tokens)
			return nil
		}
		n := p.or()
		p.depth--
		if p.peek() == ")" {
			p.at++
		}
		return n
	}
	p.at++
	if strings.HasPrefix(t, `"`) {
		inner, slop, near := strings.Cut(t[1:], `"`)
		n := -1
		if near && strings.HasPrefix(slop, "~") {
			n, _ = strconv.Atoi(slop[1:])
		}
		return p.f.sequence(text.Tokens(inner), min(n, 100), p.in, !p.exact)
	}
	if strings.ContainsRune(t, '\u2019') {
		// A curly apostrophe inside a word finds nothing: "two’s complement".
		return none{}
	}
	if stem, wild := strings.CutSuffix(t, "*"); wild && p.exact {
		if w := text.Tokens(stem); len(w) == 1 {
			return words{any: p.f.starting(w[0]), in: p.in}
		}
	}
	w := text.Tokens(t)
	if len(w) == 1 && text.IsFunctionWord(w[0]) {
		return nil
	}
	return p.f.sequence(w, -1, p.in, !p.exact)
}

// sequence matches words in a row, by their stems or as they are.
func (f finder) sequence(seq []string, slop int, in fields, stem bool) node {
	forms := func(w string) []string {
		if stem {
			return f.forms(w)
		}
		return []string{w}
	}
	switch len(seq) {
	case 0:
		return nil
	case 1:
		return words{any: forms(seq[0]), in: in}
	}
	p := phrase{slop: slop, in: in}
	for _, w := range seq {
		p.seq = append(p.seq, forms(w))
	}
	return p
}

// stemmed matches any of the words, so that the score ranks.
func (f finder) stemmed(s string) node {
	any := anyOf{}
	for _, w := range text.Tokens(s) {
		if !text.IsFunctionWord(w) {
			any = append(any, words{any: f.forms(w), in: inText})
		}
	}
	return any
}
