package openalex

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/sources/sourcetest"
)

// The dialect by the documentation and the server's errors: a parameter before
// the whole, words, "phrases" with a distance, AND, OR and NOT in capitals,
// parentheses; no wildcard, bar, bracket or !.
var dialect = sourcetest.Dialect{
	Parse: func(q string) (*sourcetest.Clause, error) {
		field := "search"
		if m := regexp.MustCompile(`^(search(\.title|\.title_and_abstract)?)=`).FindStringSubmatch(q); m != nil {
			field, q = m[1], q[len(m[0]):]
			if q == "" {
				return nil, errors.New("a parameter without a query")
			}
		}
		if q == "" {
			return nil, nil
		}
		if n := len([]rune(q)); n > 1500 {
			return nil, fmt.Errorf("%d characters", n)
		}
		p := &parser{rest: q, field: field}
		c := p.clauses(0)
		if p.err == nil && p.rest != "" {
			p.fail("%q is left over", p.rest)
		}
		if p.long > 3 {
			p.fail("%d long phrases", p.long)
		}
		return c, p.err
	},
	Fields: map[sources.Field][]string{
		sources.Anywhere: {"search"}, sources.Title: {"search.title"}, sources.TitleAbstract: {"search.title_and_abstract"},
	},
	Fold: text.Fold,
	Not:  "NOT",
	Lost: func(in string) bool {
		return strings.ContainsAny(in, ":=") // a field of another service is no word, nor a parameter
	},
}

type parser struct {
	rest, field string
	long        int
	err         error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.rest = ""
}

var (
	operator = regexp.MustCompile(`^(AND NOT|AND|OR|NOT) `)
	distance = regexp.MustCompile(`^~[0-9]{1,2}`)
)

func (p *parser) clauses(depth int) *sourcetest.Clause {
	all := &sourcetest.Clause{}
	p.rest = strings.TrimPrefix(p.rest, "NOT ") // a query may only exclude
	for {
		all.Parts = append(all.Parts, p.clause(depth))
		if p.err != nil || p.rest == "" || p.rest[0] == ')' {
			return all
		}
		if p.rest[0] != ' ' {
			p.fail("no space before %q", p.rest)
			return all
		}
		p.rest = p.rest[1:]
		op := operator.FindString(p.rest)
		p.rest = p.rest[len(op):]
		if strings.HasSuffix(op, "OR ") {
			p.rest = strings.TrimPrefix(p.rest, "NOT ")
		}
		all.Ops = append(all.Ops, strings.TrimPrefix(strings.TrimSpace(op), "AND "))
	}
}

func (p *parser) clause(depth int) *sourcetest.Clause {
	switch {
	case p.rest == "" || depth > 500:
		p.fail("no operand, or too deep")
	case p.rest[0] == '(':
		p.rest = p.rest[1:]
		c := p.clauses(depth + 1)
		if !strings.HasPrefix(p.rest, ")") {
			p.fail("a parenthesis that is not closed")
			return c
		}
		p.rest = p.rest[1:]
		return c
	case p.rest[0] == '"':
		inside, rest, closed := strings.Cut(p.rest[1:], `"`)
		p.rest = rest[len(distance.FindString(rest)):]
		if !closed || inside == "" || inside != strings.TrimSpace(inside) || strings.ContainsAny(inside, `*?!\~^|[]<>{}`) {
			p.fail("the phrase %q", inside)
		}
		if len([]rune(inside)) > 80 {
			p.long++
		}
		return &sourcetest.Clause{Field: p.field, Text: inside}
	}
	word := p.rest
	if i := strings.IndexAny(word, ` "()`); i >= 0 {
		word = word[:i]
	}
	p.rest = p.rest[len(word):]
	if operator.MatchString(word+" ") || strings.ContainsAny(word, `*?!\~^|/:[]<>{}`) || strings.HasPrefix(word, "-") ||
		!strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		p.fail("the word %q", word)
	}
	return &sourcetest.Clause{Field: p.field, Text: word}
}

func TestDialect(t *testing.T) { dialect.Run(t, New(nil, Config{})) }

func TestGrammarRefuses(t *testing.T) {
	for _, q := range []string{"a AND", "OR a", "a AND OR b", "()", "(a", "a)", `"a`, "a?", "a:b", "-a", "a|b", "search.title=", "a NOT", `""`, "a  b"} {
		if _, err := dialect.Parse(q); err == nil {
			t.Errorf("the grammar takes %q", q)
		}
	}
}

func FuzzDialect(f *testing.F) {
	src := New(nil, Config{})
	for _, q := range []string{`"a-b" AND (c OR d)`, "'a b' “c”", `ti:"a b`, "search.title=(a OR b", "a|-b !c", `"a b"~5`, "ａ？"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		if len(q) > 200 {
			return // a term or query that is cut may lose words
		}
		dialect.CheckClean(t, src, q)
		dialect.CheckWrite(t, src, sources.Expr{All: [][]string{{q, "rods"}, {"dust"}}, Not: []string{"x " + q}, Field: sources.Title})
	})
}
