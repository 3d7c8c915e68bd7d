package europepmc

import (
	"regexp"
	"sort"
	"strings"

	"optimistresearch/sources/internal/wire"
)

// Clean implements sources.Source. Phrases, fields, ranges, truncation,
// operators and parentheses stay. Removed or mended is what Europe PMC cannot
// read or reads otherwise than it was meant: "?", "^", "~", "!", colons behind
// what is no field, brackets that are no range, unbalanced quotation marks and
// parentheses, operators without an operand. A word with a character of the
// query language inside becomes a phrase.
func (s *Source) Clean(q string) string {
	if len(q) > 2*longestQuery {
		q = q[:2*longestQuery]
	}
	tokens := tokenise(wire.CloseQuotes(wire.Straighten(q), beginsClause))
	fits := func(n int) bool { return len(assemble(tokens[:n])) <= longestQuery }
	n := len(tokens)
	if !fits(n) {
		n = max(sort.Search(n, func(n int) bool { return !fits(n) })-1, 0)
	}
	return assemble(tokens[:n])
}

// clauseShape is an operator or a field at the beginning of a rest.
var clauseShape = regexp.MustCompile(`^ *(?:(?:AND|OR|NOT)(?: |\(|$)|([A-Za-z_]{2,30}):)`)

// beginsClause reports whether a rest begins with what no phrase goes on with.
func beginsClause(rest string) bool {
	m := clauseShape.FindStringSubmatch(rest[:min(len(rest), 60)])
	return m != nil && (m[1] == "" || knownFields[strings.ToUpper(m[1])])
}

// token is a piece of a query as it will be sent.
type token struct {
	kind  byte // 'o' operator, '(', ')', 'w' operand, 'x' what was an operand and is nothing now
	text  string
	field string // of an operand or a parenthesis, with its colon
}

var (
	fieldShape = regexp.MustCompile(`^([A-Za-z_]{2,30}): *`)
	rangeShape = regexp.MustCompile(`^\[ *([0-9*][0-9-]{0,9}) +TO +([0-9*][0-9-]{0,9}) *\]`)
	modifier   = regexp.MustCompile(`^[~^][0-9.]*`)
	doiShape   = regexp.MustCompile(`^10\.[0-9]{4,9}/[^\s"()\[\]\\*?]+$`)
)

// knownFields are the fields of the dialect that a person may use.
var knownFields = func() map[string]bool {
	set := map[string]bool{}
	for _, f := range strings.Fields(`TITLE ABSTRACT TITLE_ABS AUTH AUTH_FIRST AUTH_LAST AUTHORID AUTHORID_TYPE AUTH_COLLECTIVE_NAME AFF AUTH_MAN
		JOURNAL ISSN ESSN ISBN NLM_ID VOLUME ISSUE PAGE_INFO DOI PMID PMCID EXT_ID SRC PUB_TYPE PUB_YEAR FIRST_PDATE FIRST_IDATE E_PDATE P_PDATE
		CREATION_DATE UPDATE_DATE EMBARGO_DATE LANG KW MESH MESH_TERM CHEM CHEBITERM_ID DISEASE DISEASE_ID GENE_PROTEIN GOTERM ORGANISM ORGANISM_ID
		EXPERIMENTAL_METHOD GRANT_AGENCY GRANT_ID OPEN_ACCESS LICENSE HAS_FT HAS_TEXT HAS_FREE_FULLTEXT HAS_PDF HAS_ABSTRACT HAS_REFLIST HAS_XREFS
		HAS_SUPPL HAS_DATA HAS_BOOK HAS_PREPRINT HAS_PUBLISHED_VERSION HAS_VERSION HAS_TM HAS_LABSLINKS HAS_EVALUATIONS IN_EPMC IN_PMC CITED CITES
		REF REFFED_BY CITED_BY_PMCID ACCESSION_ID ACCESSION_TYPE BOOK_ID BODY INTRO METHODS RESULTS DISCUSS CONCL FIG TABLE SUPPL ACK_FUND
		ANNOTATION_TYPE ANNOTATION_PROVIDER SUBSET VERSION_STATUS PUBLISHER PREPRINT_SERVER SORT_CITED SORT_DATE`) {
		set[f] = true
	}
	return set
}()

// tokenise reads a straightened query.
func tokenise(s string) []token {
	var out []token
	field := ""
	put := func(t token) {
		t.field, field = field, ""
		out = append(out, t)
	}
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
			inner := phrase(s[1 : end+1])
			s = s[end+2:]
			s = s[len(modifier.FindString(s)):]
			if inner == "" {
				put(token{kind: 'x'})
				continue
			}
			put(token{kind: 'w', text: `"` + inner + `"`})
			continue
		case '(':
			put(token{kind: '(', text: "("})
			s = s[1:]
			continue
		case ')':
			field = ""
			out = append(out, token{kind: ')', text: ")"})
			s = s[1:]
			continue
		case '[', ']', '{', '}':
			if m := rangeShape.FindStringSubmatch(s[:min(len(s), 60)]); m != nil && field != "" {
				put(token{kind: 'w', text: "[" + m[1] + " TO " + m[2] + "]"})
				s = s[len(m[0]):]
				continue
			}
			s = s[1:]
			continue
		}
		if m := fieldShape.FindStringSubmatch(s[:min(len(s), 60)]); m != nil && knownFields[strings.ToUpper(m[1])] {
			field = strings.ToUpper(m[1]) + ":"
			s = s[len(m[0]):]
			continue
		}
		end := strings.IndexAny(s, ` "()[]{}`)
		if end < 0 {
			end = len(s)
		}
		chunk := s[:end]
		s = s[end:]
		if isOperator(chunk) || chunk == "&&" || chunk == "||" {
			field = ""
			out = append(out, token{kind: 'o', text: map[string]string{"&&": "AND", "||": "OR"}[chunk]})
			if isOperator(chunk) {
				out[len(out)-1].text = chunk
			}
			continue
		}
		if doiShape.MatchString(chunk) { // a whole one, with all that it is made of
			if p := phrase(chunk); p != "" {
				put(token{kind: 'w', text: `"` + p + `"`})
				continue
			}
		}
		found := words(chunk)
		if len(found) == 0 {
			put(token{kind: 'x'})
		}
		for _, w := range found {
			if isOperator(w) {
				w = strings.ToLower(w)
			}
			written := operand1(w)
			put(token{kind: 'w', text: written})
		}
	}
}

// operand1 is one word of a query that a person wrote, where a lower-case
// operator is a word.
func operand1(w string) string {
	if plainWord.MatchString(w) {
		return w
	}
	return operand([]string{w})
}

// assemble joins tokens so that parentheses balance, none is empty, and every
// operator stands between two operands; a NOT may begin. An operator whose
// operand is nothing goes with it, so that a NOT never gets to another one.
func assemble(tokens []token) string {
	var out []token
	depth := 0
	last := func() byte {
		if len(out) == 0 {
			return '('
		}
		return out[len(out)-1].kind
	}
	dropOperators := func() {
		for last() == 'o' {
			out = out[:len(out)-1]
		}
	}
	closeOne := func() {
		dropOperators()
		depth--
		if len(out) > 0 && last() == '(' {
			out = out[:len(out)-1]
			dropOperators()
			return
		}
		out = append(out, token{kind: ')', text: ")"})
	}
	for _, t := range tokens {
		switch t.kind {
		case 'x':
			dropOperators()
		case '(':
			depth++
			out = append(out, t)
		case ')':
			if depth > 0 {
				closeOne()
			}
		case 'o':
			switch before := last(); {
			case before == '(' && t.text != "NOT":
			case before != 'o':
				out = append(out, t)
			case t.text == "NOT" && out[len(out)-1].text == "AND":
				out[len(out)-1] = t
			case t.text == "NOT" && out[len(out)-1].text == "OR":
				out = append(out, t)
			}
		default:
			out = append(out, t)
		}
	}
	for depth > 0 {
		closeOne()
	}
	dropOperators()
	var b strings.Builder
	for i, t := range out {
		if i > 0 && t.kind != ')' && out[i-1].kind != '(' {
			b.WriteByte(' ')
		}
		b.WriteString(t.field + t.text)
	}
	return b.String()
}
