package arxiv

import (
	"net/url"
	"regexp"
	"sort"
	"strings"
)

// Clean implements sources.Source. Field prefixes, operators, parentheses,
// phrases and date ranges stay. Removed or mended is what breaks arXiv: the
// hyphen, which it takes for NOT or loses hits by (COVID-19, sent as the
// phrase "COVID 19"); "?", and "/" (a 500 beside it); a stray colon; accents;
// unbalanced quotation marks and parentheses; operators without an operand.
func (s *Source) Clean(q string) string {
	if len(q) > 4*longestQuery {
		q = q[:4*longestQuery]
	}
	tokens := tokenise(straighten(q))
	fits := func(n int) bool { return len(url.QueryEscape(assemble(tokens[:n]))) <= longestQuery }
	n := len(tokens)
	if !fits(n) {
		n = max(sort.Search(n, func(n int) bool { return !fits(n) })-1, 0)
	}
	return assemble(tokens[:n])
}

// token is a piece of a query as it will be sent.
type token struct {
	kind byte // 'o' operator, '(' with its prefix, ')', 'w' operand
	text string
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
func tokenise(s string) []token {
	var out []token
	prefix := ""
	for {
		s = strings.TrimLeft(s, " ")
		if s == "" {
			return out
		}
		switch s[0] {
		case '"':
			end := strings.IndexByte(s[1:], '"')
			if end < 0 { // the quotation mark that is left over
				s = s[1:]
				continue
			}
			if w := words(s[1 : end+1]); len(w) > 0 {
				out = append(out, token{'w', prefix + `"` + capTerm(strings.Join(w, " ")) + `"`})
			}
			s, prefix = s[end+2:], ""
			continue
		case '(':
			out = append(out, token{'(', prefix + "("})
			s, prefix = s[1:], ""
			continue
		case ')':
			out = append(out, token{')', ")"})
			s, prefix = s[1:], ""
			continue
		}
		// A regexp costs the length of its input, so both see only the head.
		if m := prefixShape.FindStringSubmatch(s[:min(len(s), 40)]); m != nil {
			if known := prefixes[strings.ToLower(m[1])]; known != "" {
				prefix = known + ":"
				s = s[len(m[0]):]
				if m := rangeShape.FindStringSubmatch(s[:min(len(s), 80)]); m != nil && strings.HasSuffix(known, "Date") {
					out = append(out, token{'w', prefix + "[" + moment(m[1], "0101000000", firstMoment) + " TO " + moment(m[2], "1231235959", lastMoment) + "]"})
					s, prefix = s[len(m[0]):], ""
				}
				continue
			}
		}
		end := strings.IndexAny(s, ` "()`)
		if end < 0 {
			end = len(s)
		}
		chunk := s[:end]
		s = s[end:]
		if prefix == "" && onlyOperators([]string{chunk}) && chunk == strings.ToUpper(chunk) {
			out = append(out, token{'o', chunk})
			continue
		}
		out = append(out, operands(prefix, chunk)...)
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
func operands(prefix, chunk string) []token {
	var out []token
	add := func(term string) {
		out = append(out, token{'w', prefix + term})
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
		case prefix == "" && onlyOperators(w):
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

// assemble joins tokens so that parentheses balance, none is empty, and every
// operator stands between two operands. NOT is written ANDNOT here.
func assemble(tokens []token) string {
	var out []token
	depth := 0
	last := func() byte {
		if len(out) == 0 {
			return '('
		}
		return out[len(out)-1].kind
	}
	close := func() {
		for last() == 'o' {
			out = out[:len(out)-1]
		}
		depth--
		if last() == '(' {
			out = out[:len(out)-1]
			return
		}
		out = append(out, token{')', ")"})
	}
	for _, t := range tokens {
		switch t.kind {
		case '(':
			depth++
			out = append(out, t)
		case ')':
			if depth > 0 {
				close()
			}
		case 'o':
			if t.text == "NOT" {
				t.text = "ANDNOT"
			}
			switch {
			case last() == '(':
			case last() == 'o':
				if t.text == "ANDNOT" && out[len(out)-1].text == "AND" {
					out[len(out)-1] = t
				}
			default:
				out = append(out, t)
			}
		default:
			out = append(out, t)
		}
	}
	for depth > 0 {
		close()
	}
	for len(out) > 0 && last() == 'o' {
		out = out[:len(out)-1]
	}
	var b strings.Builder
	for i, t := range out {
		if i > 0 && t.kind != ')' && out[i-1].kind != '(' {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}
