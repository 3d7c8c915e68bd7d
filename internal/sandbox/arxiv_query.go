package sandbox

import (
	"regexp"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// arXiv's query language: words and "phrases" with a prefix (ti, au, abs, co,
// jr, cat, rn, id, all), joined by AND, OR, ANDNOT in capitals, with
// parentheses and date ranges. Words are literal: no stemming, no synonyms. A
// bare word is all:word, and only the first word after a prefix is bound to
// it. Terms side by side are joined by OR: the feed of
// search_query=all:attention mechanism echoes "all:attention OR all:mechanism"
// (2026-03-26). A hyphen outside quotation marks is taken for NOT.

type arXivParser struct {
	tokens []string
	at     int
	f      finder
	depth  int
	fault  string
}

var (
	arXivToken = regexp.MustCompile(`\(|\)|(?:[A-Za-z]+:)?"[^"]*"|(?:submittedDate|lastUpdatedDate):\[[^\]]*\]|[^\s()"]+`)
	arXivRange = regexp.MustCompile(`^(submittedDate|lastUpdatedDate):\[([0-9]{4,14})\*? TO ([0-9]{4,14})\*?\]$`)
)

// parseArXiv reads a query. echo is the query as the feed's title repeats it,
// fault what is wrong with it.
func parseArXiv(query string, f finder) (n node, echo, fault string) {
	if strings.Count(query, `"`)%2 != 0 {
		return nil, "", "unbalanced quotation marks in " + query
	}
	p := &arXivParser{tokens: arXivToken.FindAllString(query, -1), f: f}
	n, echo = p.or()
	if p.fault == "" && p.at < len(p.tokens) {
		p.fail("unbalanced parentheses in " + query)
	}
	return n, echo, p.fault
}

func (p *arXivParser) fail(why string) {
	if p.fault == "" {
		p.fault = why
	}
}

func (p *arXivParser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

// or reads terms joined by OR, or by nothing.
func (p *arXivParser) or() (node, string) {
	n, echo := p.and()
	any := anyOf{n}
	for t := p.peek(); p.fault == "" && t != "" && t != ")"; t = p.peek() {
		if t == "OR" {
			p.at++
		}
		next, more := p.and()
		any, echo = append(any, next), echo+" OR "+more
	}
	if len(any) == 1 {
		return n, echo
	}
	return any, echo
}

func (p *arXivParser) and() (node, string) {
	n, echo := p.term()
	for t := p.peek(); p.fault == "" && (t == "AND" || t == "ANDNOT"); t = p.peek() {
		p.at++
		next, more := p.term()
		if t == "AND" {
			n = allOf{n, next}
		} else {
			n = except{n, next}
		}
		echo += " " + t + " " + more
	}
	return n, echo
}

func (p *arXivParser) term() (node, string) {
	t := p.peek()
	p.at++
	switch {
	case t == "" || t == ")" || t == "AND" || t == "OR" || t == "ANDNOT":
		p.fail("a term is missing beside an operator or parenthesis")
		return none{}, ""
	case t == "(":
		if p.depth++; p.depth > 100 {
			p.fail("parentheses are nested too deeply")
			return none{}, ""
		}
		n, echo := p.or()
		p.depth--
		if p.peek() != ")" {
			p.fail("unbalanced parentheses")
			return none{}, ""
		}
		p.at++
		return n, "(" + echo + ")"
	}
	prefix, value, prefixed := strings.Cut(t, ":")
	if !prefixed || strings.HasPrefix(t, `"`) {
		prefix, value = "all", t
	}
	if strings.HasPrefix(value, "[") {
		return p.dates(t)
	}
	if strings.Contains(strings.Trim(value, `"`), ":") && !strings.HasPrefix(value, `"`) {
		p.fail("a colon stands inside the term " + t)
		return none{}, ""
	}
	return p.field(prefix, value), prefix + ":" + value
}

// field matches a value in the field that a prefix names.
func (p *arXivParser) field(prefix, value string) node {
	in, ok := map[string]fields{"ti": inTitle, "abs": inAbstract, "au": inAuthors, "jr": inVenue, "all": inText | inAuthors, "co": 0, "rn": 0}[prefix]
	bare := strings.Trim(value, `"`)
	switch {
	case prefix == "cat":
		return where{func(work int32) bool { return inCategory(&p.f.lib.Works[work], bare) }}
	case prefix == "id":
		id, _ := state.NormalizeArXiv(bare)
		return where{func(work int32) bool { return id != "" && p.f.lib.Works[work].ArXiv == id }}
	case !ok:
		p.fail("the field prefix " + prefix + " is not known")
		return none{}
	case in == 0: // the library tells no comments and report numbers
		return none{}
	case prefix == "jr":
		return allOf{literal(p.f, bare, in), where{func(work int32) bool { return said(&p.f.lib.Works[work]) }}}
	}
	if prefix == "au" {
		bare = strings.ReplaceAll(bare, "_", " ")
	}
	quoted := strings.HasPrefix(value, `"`) || prefix == "au"
	if quoted && strings.Contains(bare, "-") && prefix != "au" {
		// A hyphen loses the hits also inside a phrase ("COVID-19").
		return none{}
	}
	if first, rest, hyphen := strings.Cut(bare, "-"); hyphen && !quoted {
		return except{literal(p.f, first, in), literal(p.f, rest, in)}
	}
	return literal(p.f, bare, in)
}

// literal matches words as they are; a star at the end is any ending.
func literal(f finder, value string, in fields) node {
	if stem, wild := strings.CutSuffix(value, "*"); wild && len(stem) > 0 {
		if t := text.Tokens(stem); len(t) == 1 {
			return words{any: f.starting(t[0]), in: in}
		}
	}
	t := text.Tokens(value)
	switch len(t) {
	case 0:
		return none{}
	case 1:
		return words{any: t, in: in}
	}
	seq := make([][]string, len(t))
	for i, w := range t {
		seq[i] = []string{w}
	}
	return phrase{seq: seq, slop: -1, in: in}
}

// dates matches the date of submission. The library knows one version of each
// paper, so the date of the last update is the same.
func (p *arXivParser) dates(t string) (node, string) {
	m := arXivRange.FindStringSubmatch(t)
	if m == nil {
		p.fail("the date range " + t + " cannot be read; write submittedDate:[YYYYMMDDHHMM TO YYYYMMDDHHMM]")
		return none{}, ""
	}
	from, to := (m[2] + "00000000000000")[:14], (m[3] + "99999999999999")[:14]
	n := where{func(work int32) bool {
		stamp := strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, published(&p.f.lib.Works[work]))
		return from <= stamp && stamp <= to
	}}
	return n, `"` + t + `"`
}

// archives of arXiv. A work without known category is in any category of
// them, so that a query with a category finds what it asks for.
var archives = strings.Fields("astro-ph cond-mat cs econ eess gr-qc hep-ex hep-lat hep-ph hep-th math math-ph nlin nucl-ex nucl-th physics q-bio q-fin quant-ph stat")

// inCategory compares categories; a wrong code is silently without hits.
func inCategory(w *Work, code string) bool {
	want, wild := strings.CutSuffix(code, "*")
	match := func(have string) bool {
		return strings.EqualFold(have, want) || wild && strings.HasPrefix(strings.ToLower(have), strings.ToLower(want))
	}
	if len(w.Categories) == 0 {
		archive, _, _ := strings.Cut(strings.ToLower(want), ".")
		for _, a := range archives {
			if a == archive {
				return true
			}
		}
		return false
	}
	for _, c := range w.Categories {
		if match(c) {
			return true
		}
	}
	return false
}
