package crossref

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

const (
	longQuery = 500 // characters; more words only blur the ranking
	longWord  = 200
)

// Write lists the words of an expression: Crossref knows no operators and no
// phrases, and ranks the works that hold most of the words. The first
// alternatives of all groups come first, so that a cut takes the last ones;
// no word comes twice.
func (s *Source) Write(e sources.Expr) string {
	most := 0
	for _, group := range e.All {
		most = max(most, len(group))
	}
	var out []string
	known := map[string]bool{}
	for i := range most {
		for _, group := range e.All {
			if i >= len(group) {
				continue
			}
			for _, w := range words(wire.Plain(group[i])) {
				if operators[w] {
					w = strings.ToLower(w)
				}
				if lower := strings.ToLower(w); !known[lower] {
					known[lower] = true
					out = append(out, w)
				}
			}
		}
	}
	if !slices.ContainsFunc(out, func(w string) bool { return !operators[strings.ToUpper(w)] }) {
		return ""
	}
	return join(out)
}

// Clean makes a query plain words, since query.bibliographic has no syntax:
// operators, quotation marks, parentheses, wildcards and field prefixes go,
// and so does what a NOT excludes, which would otherwise rank first.
func (s *Source) Clean(query string) string {
	query = fieldPrefix.ReplaceAllString(wire.Plain(query), "$1")
	query = excluded.ReplaceAllString(query, " ")
	var out []string
	skip := false
	for _, w := range words(query) {
		switch {
		case w == "NOT" || w == "ANDNOT":
			skip = true
		case operators[w]:
		case skip:
			skip = false
		default:
			out = append(out, w)
		}
	}
	return join(out)
}

var operators = map[string]bool{"AND": true, "OR": true, "NOT": true, "ANDNOT": true}

var (
	// fieldPrefix is the field syntax of other services.
	fieldPrefix = regexp.MustCompile(`(?i)(^|[\s(])(?:ti|title|abs|abstract|tiab|all|au|author|kw|keyword|keywords|query\.[a-z-]+):`)
	// excluded is a NOT with its phrase or its parenthesis.
	excluded = regexp.MustCompile(`(?:^|[\s)])(?:AND\s+)?(?:NOT|ANDNOT)\s*(?:"[^"]*"|\([^()]*\))`)
)

// words splits on white space and on what has no meaning to the service, and
// drops what holds neither a letter nor a digit.
func words(s string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`"()[]{}*?!\~^|<>,;:`, r)
	}) {
		w = strings.Trim(w, "'")
		if runes := []rune(w); len(runes) > longWord {
			w = strings.Trim(string(runes[:longWord]), "'")
		}
		if strings.IndexFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0 {
			out = append(out, w)
		}
	}
	return out
}

// join joins words as long as they fit.
func join(words []string) string {
	length := 0
	for i, w := range words {
		length += utf8.RuneCountInString(w) + 1
		if length > longQuery+1 {
			return strings.Join(words[:i], " ")
		}
	}
	return strings.Join(words, " ")
}
