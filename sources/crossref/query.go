package crossref

import (
	"regexp"
	"slices"
	"strings"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

const (
	longQuery = 500 // characters; more words only blur the ranking
	// longInput caps what is looked at of a term or query.
	longInput = 20_000
)

// inTitle before a query makes the search look at titles alone; without a
// parameter query.bibliographic= is sent, which looks at titles, authors,
// venues and years.
const inTitle = "query.title="

var parameter = regexp.MustCompile(`^query(?:\.(?:bibliographic|title|author|editor|container-title|affiliation))?=`)

// split parts a query into the parameter that it is sent by, and its value.
func split(query string) (name, value string) {
	if p := parameter.FindString(query); p != "" {
		return strings.TrimSuffix(p, "="), query[len(p):]
	}
	return "query.bibliographic", query
}

// syntax is what means something to other services.
var syntax = regexp.MustCompile(`["“”()*]|(?:^|\s)(?:AND|OR|NOT|ANDNOT)(?:\s|$)`)

// Write lists the words of an expression: Crossref knows no operators and no
// phrases, and ranks the works that hold most of the words. The first
// alternatives of all groups come first, so that a cut takes the last ones;
// no word comes twice. Exclusions cannot be said and are left out: any word of
// theirs would rank the unwanted works first. A search in titles has the
// parameter query.title= before it.
func (s *Source) Write(e sources.Expr) string {
	most := 0
	for _, group := range e.All {
		most = max(most, len(group))
	}
	var out []string
	known := map[string]bool{}
	length := 0
	for i := 0; i < most && length <= longQuery; i++ {
		for _, group := range e.All {
			if i >= len(group) {
				continue
			}
			for _, w := range words(wire.Straighten(group[i][:min(len(group[i]), longInput)])) {
				if wire.OperatorOf(w) != "" {
					w = strings.ToLower(w)
				}
				if lower := strings.ToLower(w); !known[lower] {
					known[lower] = true
					out = append(out, w)
					length += len(w) / 4 // a character has four bytes at most
				}
			}
		}
	}
	if !slices.ContainsFunc(out, func(w string) bool { return !wire.OnlyOperators([]string{w}) }) {
		return ""
	}
	if q := wire.JoinWords(out, longQuery); e.Field == sources.Title && q != "" {
		return inTitle + q
	}
	return wire.JoinWords(out, longQuery)
}

// Clean makes a query plain words, since a query of Crossref has no syntax:
// operators, quotation marks, parentheses, wildcards and the field prefixes of
// other services go, and so does what a NOT excludes, which would otherwise
// rank first. A parameter such as query.title= before the whole stays.
func (s *Source) Clean(query string) string {
	query = strings.TrimSpace(wire.Straighten(query[:min(len(query), longInput)]))
	prefix := parameter.FindString(query)
	query = excluded.ReplaceAllString(wire.DropFields(query[len(prefix):]), " ")
	var out []string
	skip := false
	for _, w := range words(query) {
		switch op := wire.OperatorOf(w); {
		case op == "NOT":
			skip = true
		case op != "":
		case skip:
			skip = false
		default:
			out = append(out, w)
		}
	}
	if q := wire.JoinWords(out, longQuery); q != "" {
		return prefix + q
	}
	return ""
}

// excluded is a NOT with its phrase or its parenthesis.
var excluded = regexp.MustCompile(`(?:^|[\s)])(?:AND\s+)?(?:NOT|ANDNOT)\s*(?:"[^"]*"|\([^()]*\))`)

// words splits on white space and on what has no meaning to the service.
func words(s string) []string {
	return wire.Words(s, func(r rune) bool { return strings.ContainsRune(`"()[]{}*?!\~^|<>,;:`, r) })
}
