package sandbox

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Europe PMC's query language: AND (also between terms side by side), OR and
// NOT in capitals, parentheses, "phrases", word*, FIELD:value in front of a
// word, a phrase, a parenthesis or a range. A bare word is looked for in all
// fields, by all its forms. A field that does not exist finds nothing.

// tri is the truth of a fact of a record; maybe is what words decide.
type tri int8

const (
	no    tri = -1
	maybe tri = 0
	yes   tri = 1
)

// epmcQuery is a query as it was understood: which works match, and which of
// their records.
type epmcQuery struct {
	node  node
	facts func(r int32) tri
}

type epmcParser struct {
	tokens []string
	at     int
	depth  int
	f      finder
}

var (
	epmcToken = regexp.MustCompile(`[A-Za-z_]+:|[()]|"[^"]*"?|\[[^\]]*\]?|[^\s()"\[\]]+`)
	epmcRange = regexp.MustCompile(`^\[\s*([0-9*-]+)\s+TO\s+([0-9*-]+)\s*\]$`)
)

func parseEPMC(query string, f finder) epmcQuery {
	p := &epmcParser{tokens: epmcToken.FindAllString(query, -1), f: f}
	q, ok := p.or("")
	for p.at < len(p.tokens) { // a parenthesis too many is passed over
		p.at++
		if more, any := p.or(""); any && ok {
			q = both(q, more)
		} else if any {
			q, ok = more, true
		}
	}
	if !ok {
		return nothing()
	}
	return q
}

func nothing() epmcQuery { return epmcQuery{none{}, func(int32) tri { return no }} }

func both(a, b epmcQuery) epmcQuery {
	return epmcQuery{allOf{a.node, b.node}, func(r int32) tri { return min(a.facts(r), b.facts(r)) }}
}

func either(a, b epmcQuery) epmcQuery {
	return epmcQuery{anyOf{a.node, b.node}, func(r int32) tri { return max(a.facts(r), b.facts(r)) }}
}

func (p *epmcParser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

// or reads clauses up to a parenthesis that closes; field is what stands
// before the parenthesis that opened.
func (p *epmcParser) or(field string) (q epmcQuery, ok bool) {
	q, ok = p.and(field)
	for p.peek() == "OR" {
		p.at++
		next, any := p.and(field)
		switch {
		case any && ok:
			q = either(q, next)
		case any:
			q, ok = next, true
		}
	}
	return q, ok
}

func (p *epmcParser) and(field string) (q epmcQuery, ok bool) {
	for t := p.peek(); t != "" && t != ")" && t != "OR"; t = p.peek() {
		not := false
		for t == "AND" || t == "NOT" {
			not = not || t == "NOT"
			p.at++
			t = p.peek()
		}
		next, any := p.clause(field)
		switch {
		case !any:
		case not && !ok:
			q, ok = without(epmcQuery{where{func(int32) bool { return true }}, func(int32) tri { return yes }}, next), true
		case not:
			q = without(q, next)
		case ok:
			q = both(q, next)
		default:
			q, ok = next, true
		}
	}
	return q, ok
}

// without takes away works by words, and records by facts: a work of which one
// record is excluded keeps the other.
func without(q, not epmcQuery) epmcQuery {
	out := epmcQuery{q.node, func(r int32) tri { return min(q.facts(r), -not.facts(r)) }}
	if !factual(not.node) {
		out.node = except{q.node, not.node}
	}
	return out
}

// factual reports whether facts alone decide.
func factual(n node) bool {
	switch n := n.(type) {
	case where, these, none:
		return true
	case allOf:
		return !slices.ContainsFunc(n, func(c node) bool { return !factual(c) })
	case anyOf:
		return !slices.ContainsFunc(n, func(c node) bool { return !factual(c) })
	case except:
		return factual(n.from) && factual(n.not)
	}
	return false
}

// clause reads a value with its field, or a parenthesis.
func (p *epmcParser) clause(field string) (epmcQuery, bool) {
	t := p.peek()
	p.at++
	if name, isField := strings.CutSuffix(t, ":"); isField && len(t) > 1 {
		field = strings.ToUpper(name)
		t = p.peek()
		p.at++
	}
	switch {
	case t == "" || t == ")" || t == "OR":
		p.at--
		return epmcQuery{}, false
	case t == "(":
		if p.depth++; p.depth > 100 {
			p.at = len(p.tokens)
			return epmcQuery{}, false
		}
		q, ok := p.or(field)
		p.depth--
		if p.peek() == ")" {
			p.at++
		}
		return q, ok
	}
	return p.f.epmcValue(field, t)
}

// epmcTexts are the fields of words.
var epmcTexts = map[string]fields{
	"": inAll, "TITLE": inTitle, "ABSTRACT": inAbstract, "TITLE_ABS": inText, "AUTH": inAuthors, "JOURNAL": inVenue,
}

// epmcValue matches a value in a field; false is a value without a word.
func (f finder) epmcValue(field, value string) (epmcQuery, bool) {
	bare := strings.TrimSpace(strings.Trim(value, `"`))
	in, isText := epmcTexts[field]
	if !isText {
		return f.epmcFact(field, bare), true
	}
	unknown := func(int32) tri { return maybe }
	t := text.Tokens(bare)
	if len(t) == 0 {
		return epmcQuery{}, false
	}
	if stem, wild := strings.CutSuffix(bare, "*"); wild && len(t) == 1 && !strings.Contains(stem, "*") {
		return epmcQuery{words{any: f.starting(t[0]), in: in}, unknown}, true
	}
	quoted := strings.HasPrefix(value, `"`)
	return epmcQuery{f.sequence(t, -1, in, !quoted), unknown}, true
}

// epmcFact matches a value that is no text. The library tells nothing for the
// other fields, so that they find nothing.
func (f finder) epmcFact(field, value string) epmcQuery {
	one := func(r int32) epmcQuery {
		if r < 0 {
			return nothing()
		}
		return epmcQuery{these{f.records[r].work}, func(other int32) tri { return truth(other == r) }}
	}
	all := func(ok func(r int32) bool) epmcQuery {
		return epmcQuery{where{func(work int32) bool {
			from, to := f.versions(work)
			for r := from; r < to; r++ {
				if ok(r) {
					return true
				}
			}
			return false
		}}, func(r int32) tri { return truth(ok(r)) }}
	}
	flag := func(ok func(r int32) bool) epmcQuery {
		want := strings.EqualFold(value, "y")
		return all(func(r int32) bool { return ok(r) == want })
	}
	switch field {
	case "EXT_ID":
		// One id may stand in several collections; here it does in one.
		for _, scheme := range []string{"pmid", "pmcid", "ppr"} {
			if r := f.find(scheme, value); r >= 0 {
				return one(r)
			}
		}
		return nothing()
	case "PMID":
		return one(f.find("pmid", state.NormalizePMID(value)))
	case "PMCID":
		return one(f.find("pmcid", state.NormalizePMCID(value)))
	case "DOI":
		return one(f.find("doi", normalDOI(value)))
	case "SRC":
		return all(func(r int32) bool { return strings.EqualFold(f.epmcSource(r), value) })
	case "PUB_YEAR", "FIRST_PDATE", "P_PDATE":
		from, to, ok := epmcYears(value)
		if !ok {
			return nothing()
		}
		return all(func(r int32) bool { y := f.records[r].year; return y != 0 && from <= y && y <= to })
	case "LANG":
		return all(func(r int32) bool { return strings.EqualFold(languageCode(f.of(r)), value) })
	case "PUB_TYPE":
		return all(func(r int32) bool {
			return slices.ContainsFunc(f.epmcTypes(r), func(t string) bool { return strings.EqualFold(t, value) })
		})
	case "HAS_ABSTRACT":
		return flag(func(r int32) bool { return f.records[r].abstract })
	case "HAS_REFLIST":
		return flag(f.epmcHasReferences)
	case "OPEN_ACCESS", "HAS_PDF", "HAS_BOOK":
		return flag(func(int32) bool { return false })
	case "IN_EPMC", "IN_PMC", "HAS_FT":
		return flag(func(r int32) bool { return f.of(r).PMCID != "" && !f.records[r].preprint })
	}
	return nothing()
}

func truth(v bool) tri {
	if v {
		return yes
	}
	return no
}

// epmcYears reads "2020", "2020-01-01" and "[2020 TO 2024]"; of a date the
// year counts.
func epmcYears(value string) (from, to int, ok bool) {
	low, high := value, value
	if m := epmcRange.FindStringSubmatch(value); m != nil {
		low, high = m[1], m[2]
	}
	year := func(s string, open int) (int, bool) {
		if s == "*" {
			return open, true
		}
		if len(s) < 4 {
			return 0, false
		}
		n, err := strconv.Atoi(s[:4])
		return n, err == nil
	}
	from, ok1 := year(low, 0)
	to, ok2 := year(high, 9999)
	return from, to, ok1 && ok2
}
