package arxiv

import (
	"regexp"
	"strings"

	"optimistresearch/sources/internal/wire"
)

// Clean implements sources.Source. Field prefixes, operators, parentheses,
// phrases and date ranges stay. Removed or mended is what breaks arXiv: the
// hyphen, which it takes for NOT or loses hits by (COVID-19, sent as the
// phrase "COVID 19"); "?", and "/" (a 500 beside it); a stray colon; accents;
// unbalanced parentheses; operators without an operand. A phrase that is not
// closed is closed before the next operator or prefix, or at the end.
func (s *Source) Clean(q string) string {
	if len(q) > 4*longestQuery {
		q = q[:4*longestQuery]
	}
	return wire.Assemble(tokenise(wire.CloseQuotes(wire.Straighten(q), phraseEnds)), "ANDNOT", longestQuery)
}

// phraseEnds reports whether a query goes on with an operator or a prefix.
func phraseEnds(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	return operatorFirst(rest) || prefixOf(rest) != ""
}

// operatorFirst reports whether a query begins with an operator in capitals.
func operatorFirst(s string) bool {
	w, _, _ := strings.Cut(s[:min(len(s), 20)], " ")
	return w != "" && wire.OnlyOperators([]string{w}) && w == strings.ToUpper(w)
}

// prefixOf is the known prefix, as it was written and with its colon, with
// which a query begins.
func prefixOf(s string) string {
	// A regexp costs the length of its input, so it sees only the head.
	m := prefixShape.FindStringSubmatch(s[:min(len(s), 40)])
	if m == nil || prefixes[strings.ToLower(m[1])] == "" {
		return ""
	}
	return m[0]
}

// prefixes of the dialect, and the words that people write for them.
var prefixes = map[string]string{
	"ti": "ti", "au": "au", "abs": "abs", "co": "co", "jr": "jr", "cat": "cat", "rn": "rn", "id": "id", "all": "all",
	"submitteddate": "submittedDate", "lastupdateddate": "lastUpdatedDate",
	"title": "ti", "author": "au", "abstract": "abs", "category": "cat",
}

var (
	prefixShape = regexp.MustCompile(`^([A-Za-z]+):`)
	rangeShape  = regexp.MustCompile(`^\[\s*([0-9]{4,14}|\*)\s+TO\s+([0-9]{4,14}|\*)\s*\]`)
)

// tokenise reads a straightened query. What follows a prefix belongs to it;
// a prefix with nothing after it is left out.
func tokenise(s string) []wire.Token {
	var out []wire.Token
	add := func(text string) { out = append(out, wire.Token{Kind: wire.Operand, Text: text}) }
	prefix := ""
	for {
		s = strings.TrimLeft(s, " ")
		if s == "" {
			return out
		}
		switch s[0] {
		case '"':
			end := strings.IndexByte(s[1:], '"')
			if w := words(s[1 : end+1]); len(w) > 0 {
				add(prefix + `"` + capTerm(strings.Join(w, " ")) + `"`)
			}
			s, prefix = s[end+2:], ""
			continue
		case '(':
			out = append(out, wire.Token{Kind: wire.Open, Text: prefix + "("})
			s, prefix = s[1:], ""
			continue
		case ')':
			out = append(out, wire.Token{Kind: wire.Close, Text: ")"})
			s, prefix = s[1:], ""
			continue
		}
		if written := prefixOf(s); written != "" {
			prefix = prefixes[strings.ToLower(strings.TrimSuffix(written, ":"))] + ":"
			s = s[len(written):]
			if m := rangeShape.FindStringSubmatch(s[:min(len(s), 80)]); m != nil && strings.HasSuffix(prefix, "Date:") {
				add(prefix + "[" + moment(m[1], "0101000000", firstMoment) + " TO " + moment(m[2], "1231235959", lastMoment) + "]")
				s, prefix = s[len(m[0]):], ""
			} else if strings.HasPrefix(s, " ") && operatorFirst(strings.TrimLeft(s, " ")) {
				prefix = ""
			}
			continue
		}
		end := strings.IndexAny(s, ` "()`)
		if end < 0 {
			end = len(s)
		}
		chunk := s[:end]
		s = s[end:]
		if prefix == "" && operatorFirst(chunk) {
			if chunk == "NOT" {
				chunk = "ANDNOT"
			}
			out = append(out, wire.Token{Kind: wire.Operator, Text: chunk})
			continue
		}
		for _, term := range operands(prefix, chunk) {
			add(term)
		}
		prefix = ""
	}
}

const (
	firstMoment = "199101010000"
	lastMoment  = "299912312359"
)

// moment completes a date to the twelve digits that arXiv wants; rest is
// what a bare year lacks.
func moment(s, rest, open string) string {
	if s == "*" {
		return open
	}
	if len(s)%2 == 1 {
		s = s[:len(s)-1]
	}
	if n := len(s) - 4; n < len(rest) {
		s += rest[n:]
	}
	return s[:12]
}

// operands are the terms in a run without white space. Letters that a hyphen
// joins are a phrase; what other characters part are terms of their own, the
// first of which has the prefix.
func operands(prefix, chunk string) []string {
	var out []string
	add := func(term string) {
		out = append(out, prefix+term)
		prefix = ""
	}
	if prefix == "au:" {
		// au:del_maestro has an underscore for the space.
		if w := words(chunk); len(w) > 0 {
			add(capTerm(strings.Join(w, "_")))
		}
		return out
	}
	if keep := exact[prefix]; keep != nil {
		if term := strings.Trim(keep.ReplaceAllString(chunk, ""), "-./_"); term != "" {
			add(capTerm(term))
		}
		return out
	}
	for _, part := range strings.FieldsFunc(chunk, func(r rune) bool {
		return strings.ContainsRune(`/:;,&|+<>=[]{}~^\!?`, r)
	}) {
		w := words(part)
		switch {
		case len(w) == 0:
		case len(w) > 1:
			add(`"` + capTerm(strings.Join(w, " ")) + `"`)
		case wildcard.MatchString(part):
			add(capTerm(strings.TrimSuffix(w[0], "*")) + "*")
		case wire.OnlyOperators(w):
			add(strings.ToLower(w[0]))
		default:
			add(capTerm(w[0]))
		}
	}
	return out
}

// exact lists the prefixes whose values are codes, by what is removed from
// them: a category may have a hyphen (astro-ph.GA).
var exact = map[string]*regexp.Regexp{
	"cat:": regexp.MustCompile(`[^A-Za-z0-9.*-]+`),
	"id:":  regexp.MustCompile(`[^A-Za-z0-9./-]+`),
	"rn:":  regexp.MustCompile(`[^A-Za-z0-9./-]+`),
}

// wildcard is a word that can be sent with its asterisk.
var wildcard = regexp.MustCompile(`^[A-Za-z0-9]{3,}\*$`)
