package sandbox

import (
	"regexp"
	"slices"
	"strings"

	"optimistresearch/internal/text"
)

// PubMed's query language: operators in capitals, evaluated from left to
// right; terms side by side are ANDed; [tags]; "phrases", which are loosened
// when no record has them; word* from four letters on; ranges of dates.
// Untagged words are mapped to their forms. The library has no MeSH headings,
// so a MeSH term is reported as not found and left out, as PubMed does with a
// term it does not know.

// pubMedTag is a search field.
type pubMedTag struct {
	name string
	in   fields
}

var pubMedTags = map[string]pubMedTag{
	"ti": {"Title", inTitle}, "title": {"Title", inTitle}, "tiab": {"Title/Abstract", inText}, "title/abstract": {"Title/Abstract", inText},
	"ab": {"Abstract", inAbstract}, "tw": {"Text Word", inText}, "text word": {"Text Word", inText}, "all": {"All Fields", inAll},
	"all fields": {"All Fields", inAll}, "au": {"Author", inAuthors}, "author": {"Author", inAuthors}, "1au": {"Author - First", inAuthors},
	"fau": {"Full Author Name", inAuthors}, "ta": {"Journal", inVenue}, "jour": {"Journal", inVenue}, "journal": {"Journal", inVenue},
	"dp": {"Date - Publication", 0}, "pdat": {"Date - Publication", 0}, "date - publication": {"Date - Publication", 0},
	"publication date": {"Date - Publication", 0}, "edat": {"Date - Entry", 0}, "crdt": {"Date - Create", 0}, "mh": {"MeSH Terms", 0},
	"mesh": {"MeSH Terms", 0}, "mesh terms": {"MeSH Terms", 0}, "majr": {"MeSH Major Topic", 0}, "pt": {"Publication Type", 0},
	"publication type": {"Publication Type", 0}, "la": {"Language", 0}, "language": {"Language", 0}, "pmid": {"UID", 0}, "uid": {"UID", 0},
	"doi": {"Article Identifier", 0}, "aid": {"Article Identifier", 0}, "lid": {"Location ID", 0}, "sb": {"Filter", 0}, "filter": {"Filter", 0},
}

// pubMedQuery is a query as it was understood.
type pubMedQuery struct {
	node         node
	translation  string
	translations [][2]string // what was mapped to what
	notFound     []string
	noField      []string
	ignored      []string
	noPhrase     []string
	messages     []string
	broken       bool // nothing but parentheses
}

type pubMedParser struct {
	tokens []string
	at     int
	depth  int
	f      finder
	q      *pubMedQuery
}

var (
	pubMedToken = regexp.MustCompile(`\(|\)|"[^"]*"?|\[[^\]]*\]?|:|[^\s()"\[\]]+`)
	yearRange   = regexp.MustCompile(`^([0-9]{4})(?:/[0-9]{1,2}){0,2}(?::([0-9]{4})(?:/[0-9]{1,2}){0,2})?$`)
	dayValue    = regexp.MustCompile(`^[0-9]{4}(/[0-9]{1,2}){0,2}$`)
	nearTag     = regexp.MustCompile(`^(.*):~([0-9]+)$`)
)

func parsePubMed(term string, f finder) *pubMedQuery {
	p := &pubMedParser{f: f, q: &pubMedQuery{}}
	term = strings.NewReplacer("“", `"`, "”", `"`).Replace(term)
	p.tokens = pubMedToken.FindAllString(term, -1)
	n, translation := p.sequence()
	for p.at < len(p.tokens) { // a parenthesis too many is passed over
		p.at++
		more, said := p.sequence()
		n, translation = combine(n, translation, "AND", more, said)
	}
	if n == nil {
		n = none{}
		words := strings.Trim(term, "() ")
		p.q.broken = words == ""
		translation = "(" + words + "[All Fields])"
	}
	p.q.node, p.q.translation = n, translation
	return p.q
}

func (p *pubMedParser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func isOperator(t string) bool { return t == "AND" || t == "OR" || t == "NOT" }

// sequence reads operands from left to right.
func (p *pubMedParser) sequence() (node, string) {
	n, said := node(nil), ""
	op := "AND"
	for t := p.peek(); t != "" && t != ")"; t = p.peek() {
		if isOperator(t) {
			op = t
			p.at++
			continue
		}
		next, more := p.operand()
		n, said = combine(n, said, op, next, more)
		op = "AND"
	}
	return n, said
}

// combine joins two operands; one that was dropped counts for nothing.
func combine(a node, saidA, op string, b node, saidB string) (node, string) {
	switch {
	case b == nil:
		return a, saidA
	case a == nil && op == "NOT":
		return except{where{func(int32) bool { return true }}, b}, "NOT " + saidB
	case a == nil:
		return b, saidB
	}
	said := saidA + " " + op + " " + saidB
	switch op {
	case "OR":
		return anyOf{a, b}, said
	case "NOT":
		return except{a, b}, said
	}
	return allOf{a, b}, said
}

// operand reads a parenthesis, a phrase or a run of words, with its tag.
func (p *pubMedParser) operand() (node, string) {
	t := p.peek()
	p.at++
	switch {
	case t == "(":
		if p.depth++; p.depth > 100 {
			p.at = len(p.tokens)
			return nil, ""
		}
		n, said := p.sequence()
		p.depth--
		if p.peek() == ")" {
			p.at++
		}
		if n == nil {
			return nil, ""
		}
		return n, "(" + said + ")"
	case strings.HasPrefix(t, "["), t == ":":
		return nil, "" // a tag or colon without a term
	case strings.HasPrefix(t, `"`):
		phrase := strings.Trim(t, `"`)
		tag := p.tag()
		if from, to, ok := p.datePair(phrase, tag); ok {
			return p.tagged(from+":"+to, tag, true)
		}
		return p.tagged(phrase, tag, true)
	}
	run := []string{t}
	for next := p.peek(); next != "" && !isOperator(next) && !strings.ContainsAny(next[:1], `()"[:`); next = p.peek() {
		run = append(run, next)
		p.at++
	}
	tag := p.tag()
	if tag == "" {
		return p.mapped(run)
	}
	// The tag binds the words before it; a field of text takes them as a
	// phrase.
	value := strings.Join(run, " ")
	if from, to, ok := p.datePair(value, tag); ok {
		value = from + ":" + to
	}
	return p.tagged(value, tag, false)
}

// datePair reads the second half of "2020/01/01"[dp] : "2024"[dp].
func (p *pubMedParser) datePair(from, tag string) (string, string, bool) {
	if p.peek() != ":" || !dayValue.MatchString(from) || p.at+1 >= len(p.tokens) {
		return "", "", false
	}
	to := strings.Trim(p.tokens[p.at+1], `"`)
	if !dayValue.MatchString(to) && to != "3000" {
		return "", "", false
	}
	p.at += 2
	p.tag()
	return from, to, true
}

// tag reads a tag, "" if there is none.
func (p *pubMedParser) tag() string {
	t := p.peek()
	if !strings.HasPrefix(t, "[") {
		return ""
	}
	p.at++
	return strings.ToLower(strings.Trim(t, "[] "))
}

// mapped searches for untagged words in all fields, by all forms that the
// records have of them. Words that no record has are reported and left out.
func (p *pubMedParser) mapped(run []string) (node, string) {
	var all allOf
	var said []string
	for _, word := range run {
		if stem, wild := strings.CutSuffix(word, "*"); wild {
			n, s := p.wild(stem, pubMedTags["all"])
			if n != nil {
				all, said = append(all, n), append(said, s)
			}
			continue
		}
		for _, w := range text.Tokens(word) {
			if text.IsFunctionWord(w) {
				p.q.ignored = append(p.q.ignored, w)
				continue
			}
			forms := p.f.held(p.f.forms(w), inAll)
			if len(forms) == 0 {
				p.q.notFound = append(p.q.notFound, word)
				continue
			}
			var to []string
			for _, form := range forms {
				to = append(to, `"`+form+`"[All Fields]`)
			}
			s := strings.Join(to, " OR ")
			if len(forms) > 1 || forms[0] != w {
				p.q.translations = append(p.q.translations, [2]string{w, s})
			}
			if len(forms) > 1 {
				s = "(" + s + ")"
			}
			all, said = append(all, words{any: forms, in: inAll}), append(said, s)
		}
	}
	if len(all) == 0 {
		return nil, ""
	}
	if len(all) == 1 {
		return all[0], said[0]
	}
	return all, strings.Join(said, " AND ")
}

// held keeps the words that a record of the service has.
func (f finder) held(forms []string, in fields) []string {
	return slices.DeleteFunc(slices.Clone(forms), func(w string) bool {
		return len(f.visible(f.occurrences([]string{w}, in))) == 0
	})
}
