package arxiv

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

// The dialect by the manual: prefix:word, prefix:"phrase", prefix:(…), AND, OR,
// ANDNOT in capitals, parentheses, and date ranges. A word is letters and
// digits, with an apostrophe or a full stop inside, an underscore in an
// author, and an asterisk at its end; a category or an id may have more.
var dialect = sourcetest.Dialect{
	Fold: text.Fold,
	Parse: func(q string) (*sourcetest.Clause, error) {
		if q == "" {
			return nil, nil
		}
		p := &parser{rest: q}
		c := p.clauses("all", 0)
		if p.err == nil && p.rest != "" {
			p.fail("a parenthesis that closes nothing before %q", p.rest)
		}
		return c, p.err
	},
	Fields: map[sources.Field][]string{sources.Anywhere: {"all"}, sources.Title: {"ti"}, sources.TitleAbstract: {"ti", "abs"}},
	Tagged: []func(string) string{
		func(term string) string { return "ti:" + term },
		func(term string) string { return "abs:" + term },
		func(term string) string { return "all:" + term },
	},
	Not: "ANDNOT",
	Lost: func(in string) bool {
		return strings.Contains(in, ":") // a prefix is no word, a code may lose what no code has, a range is completed
	},
}

type parser struct {
	rest string
	err  error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.rest = ""
}

var (
	prefixed = regexp.MustCompile(`^(ti|au|abs|co|jr|cat|rn|id|all|submittedDate|lastUpdatedDate):`)
	ranged   = regexp.MustCompile(`^\[[0-9]{12} TO [0-9]{12}\]`)
	operator = regexp.MustCompile(`^(ANDNOT|AND|OR) `)
	code     = regexp.MustCompile(`^[A-Za-z0-9./*-]+$`)
)

// clauses reads up to a closing parenthesis or the end.
func (p *parser) clauses(field string, depth int) *sourcetest.Clause {
	if depth > 2000 {
		p.fail("too deep")
		return nil
	}
	all := &sourcetest.Clause{Parts: []*sourcetest.Clause{p.clause(field, depth)}}
	for p.err == nil && p.rest != "" && p.rest[0] != ')' {
		if p.rest[0] != ' ' {
			p.fail("no space before %q", p.rest)
			break
		}
		p.rest = p.rest[1:]
		op := strings.TrimSpace(operator.FindString(p.rest))
		p.rest = p.rest[len(operator.FindString(p.rest)):]
		if op == "ANDNOT" {
			op = "NOT"
		}
		all.Ops = append(all.Ops, op)
		all.Parts = append(all.Parts, p.clause(field, depth))
	}
	return all
}

func (p *parser) clause(field string, depth int) *sourcetest.Clause {
	if m := prefixed.FindStringSubmatch(p.rest); m != nil {
		field, p.rest = m[1], p.rest[len(m[0]):]
	}
	switch {
	case p.rest == "":
		p.fail("nothing where a term should be")
	case p.rest[0] == '(':
		p.rest = p.rest[1:]
		c := p.clauses(field, depth+1)
		if !strings.HasPrefix(p.rest, ")") {
			p.fail("a parenthesis that is not closed")
			return c
		}
		p.rest = p.rest[1:]
		return c
	case p.rest[0] == '"':
		inside, rest, closed := strings.Cut(p.rest[1:], `"`)
		p.rest = rest
		if !closed {
			p.fail("a quotation mark that is not closed")
		} else if err := wordsOnly(inside, " '."); err != nil || strings.TrimSpace(inside) != inside || inside == "" {
			p.fail("the phrase %q: %v", inside, err)
		}
		return &sourcetest.Clause{Field: field, Text: inside}
	case ranged.MatchString(p.rest):
		if !strings.HasSuffix(field, "Date") {
			p.fail("a range that is no date")
		}
		m := ranged.FindString(p.rest)
		p.rest = p.rest[len(m):]
		return &sourcetest.Clause{Field: field, Text: m}
	}
	word := p.rest
	if i := strings.IndexAny(word, ` "()`); i >= 0 {
		word = word[:i]
	}
	p.rest = p.rest[len(word):]
	switch {
	case word == "AND" || word == "OR" || word == "ANDNOT" || word == "NOT":
		p.fail("the operator %s where a term should be", word)
	case (field == "cat" || field == "id" || field == "rn") && code.MatchString(word):
	default:
		if err := wordsOnly(strings.TrimSuffix(word, "*"), "'._"); err != nil || word == "*" || word == "" {
			p.fail("the word %q: %v", word, err)
		}
	}
	return &sourcetest.Clause{Field: field, Text: word}
}

// wordsOnly finds characters that arXiv takes for something else than words.
func wordsOnly(s, also string) error {
	if i := strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !strings.ContainsRune(also, r)
	}); i >= 0 {
		return fmt.Errorf("the character %q", s[i:])
	}
	if strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0 {
		return errors.New("no letter and no digit")
	}
	return nil
}

func TestDialect(t *testing.T) { dialect.Run(t, New(nil, Config{})) }

func FuzzDialect(f *testing.F) {
	src := New(nil, Config{})
	for _, q := range []string{`ti:"a-b" AND (c OR d)`, "submittedDate:[2020 TO *]", "'a b' “c”", `ti:"a b`, "cat:astro-ph.GA", "au:del_maestro", "ti:(a OR b)"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		dialect.CheckClean(t, src, q)
		dialect.CheckWrite(t, src, sources.Expr{All: [][]string{{q, "rods"}, {"dust"}}, Not: []string{"x " + q}, Field: sources.Title})
	})
}

func TestTheGrammarIsStrict(t *testing.T) {
	for _, q := range []string{
		"a-b", `"a`, "(a", "a)", "()", "AND a", "a AND", "a AND OR b", "a  b", "ti:", "a:b", "a?", "submittedDate:[2020 TO 2021]", "ti:[202001010000 TO 202101010000]", "a/b", "*", `""`,
	} {
		if _, err := dialect.Parse(q); err == nil {
			t.Errorf("the grammar takes %q", q)
		}
	}
}
