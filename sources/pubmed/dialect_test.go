package pubmed

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

// The dialect by PubMed's help: words, "phrases" and dates with or without a
// field tag behind them, AND, OR, NOT in capitals, parentheses, ranges of
// dates, and an asterisk at the end of four letters or more.
var dialect = sourcetest.Dialect{
	Fold: text.Fold,
	Parse: func(q string) (*sourcetest.Clause, error) {
		if q == "" {
			return nil, nil
		}
		p := &parser{rest: q}
		c := p.clauses(0)
		if p.err == nil && p.rest != "" {
			p.fail("a parenthesis that closes nothing before %q", p.rest)
		}
		return c, p.err
	},
	Fields:   map[sources.Field][]string{sources.Anywhere: {"", "tiab"}, sources.TitleAbstract: {"tiab"}, sources.Title: {"ti"}},
	Excluded: map[sources.Field][]string{sources.Anywhere: {"tiab"}, sources.TitleAbstract: {"tiab"}, sources.Title: {"ti"}},
	Tagged: []func(string) string{
		func(term string) string { return term + "[ti]" },
		func(term string) string { return term + "[Title/Abstract]" },
		func(term string) string { return term + "[mh:noexp]" },
	},
	Not: "NOT",
	Lost: func(in string) bool {
		return strings.ContainsAny(in, "[]") // a tag that stands alone is no word
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
	operator  = regexp.MustCompile(`^(AND|OR|NOT) `)
	tagged    = regexp.MustCompile(`^\[([A-Za-z][A-Za-z0-9 /-]*|1au)(:noexp|:~[0-9]{1,3})?\]`)
	moment    = `[0-9]{4}(/[0-9]{1,2}){0,2}`
	dateRange = regexp.MustCompile(`^` + moment + `:` + moment)
	date      = regexp.MustCompile(`^` + moment + `$`)
	doi       = regexp.MustCompile(`^10\.[0-9]{4,9}/[^\s"\[\]]+$`)
	cut       = regexp.MustCompile(`[\pL\pN]{4,}\*$`)
)

// clauses reads up to a closing parenthesis or the end.
func (p *parser) clauses(depth int) *sourcetest.Clause {
	if depth > 5000 {
		p.fail("too deep")
		return nil
	}
	all := &sourcetest.Clause{Parts: []*sourcetest.Clause{p.clause(depth)}}
	for p.err == nil && p.rest != "" && p.rest[0] != ')' {
		if p.rest[0] == ':' { // between two dates with tags
			p.rest = p.rest[1:]
		} else if p.rest[0] != ' ' {
			p.fail("no space before %q", p.rest)
			break
		} else {
			p.rest = p.rest[1:]
		}
		op := operator.FindString(p.rest)
		p.rest = p.rest[len(op):]
		all.Ops = append(all.Ops, strings.TrimSpace(op))
		all.Parts = append(all.Parts, p.clause(depth))
	}
	return all
}

func (p *parser) clause(depth int) *sourcetest.Clause {
	if strings.HasPrefix(p.rest, "(") {
		p.rest = p.rest[1:]
		c := p.clauses(depth + 1)
		if !strings.HasPrefix(p.rest, ")") {
			p.fail("a parenthesis that is not closed")
			return c
		}
		p.rest = p.rest[1:]
		return c
	}
	leaf := &sourcetest.Clause{}
	switch {
	case p.rest == "":
		p.fail("nothing where a term should be")
		return leaf
	case p.rest[0] == '"':
		inside, rest, closed := strings.Cut(p.rest[1:], `"`)
		p.rest, leaf.Text = rest, inside
		if !closed {
			p.fail("a quotation mark that is not closed")
		} else if err := wordsOnly(inside, true); err != nil || strings.TrimSpace(inside) != inside || inside == "" {
			p.fail("the phrase %q: %v", inside, err)
		}
	case dateRange.MatchString(p.rest):
		leaf.Text = dateRange.FindString(p.rest)
		p.rest = p.rest[len(leaf.Text):]
	default:
		leaf.Text = p.rest
		if i := strings.IndexAny(p.rest, ` "()[:`); i >= 0 {
			leaf.Text = p.rest[:i]
		}
		p.rest = p.rest[len(leaf.Text):]
		switch leaf.Text {
		case "AND", "OR", "NOT":
			p.fail("the operator %s where a term should be", leaf.Text)
		default:
			if err := wordsOnly(leaf.Text, false); err != nil {
				p.fail("the word %q: %v", leaf.Text, err)
			}
		}
	}
	if m := tagged.FindStringSubmatch(p.rest); m != nil {
		leaf.Field = m[1] + m[2]
		p.rest = p.rest[len(m[0]):]
	}
	return leaf
}

// wordsOnly finds characters that PubMed takes for something else than words.
func wordsOnly(s string, phrase bool) error {
	if date.MatchString(s) || doi.MatchString(s) {
		return nil
	}
	if strings.TrimSpace(s) == "" {
		return errors.New("no letter and no digit")
	}
	for _, w := range strings.Fields(s) {
		if strings.HasSuffix(w, "*") && !cut.MatchString(w) {
			return errors.New("an asterisk after fewer than four letters")
		}
		w = strings.TrimSuffix(w, "*")
		if i := strings.IndexAny(w, `"()[]{}?#&|\^<>=~!;$@:*_`); i >= 0 {
			return fmt.Errorf("the character %q", w[i:])
		}
		if strings.IndexFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) < 0 {
			return errors.New("no letter and no digit")
		}
	}
	return nil
}

func TestDialect(t *testing.T) { dialect.Run(t, New(nil, Config{})) }

func FuzzDialect(f *testing.F) {
	src := New(nil, Config{})
	for _, q := range []string{`"a-b"[ti] AND (c OR d)[tiab]`, "2020:2024[dp]", `"2020"[dp]:"2021"[dp]`, `"a b[ti]`, "10.1/x[doi]", "x*[", "a:b", "asthma[mh:noexp]"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		dialect.CheckClean(t, src, q)
		dialect.CheckWrite(t, src, sources.Expr{All: [][]string{{q, "rods"}, {"dust"}}, Not: []string{"x " + q}, Field: sources.Title})
	})
}

func TestTheGrammarIsStrict(t *testing.T) {
	for _, q := range []string{`"a`, "(a", "a)", "()", "AND a", "a AND", "a AND OR b", "a  b", "a?", "ch*", "[ti]", "a[ti][ab]", "a#b", "*", `""`, "(a)[ti]"} {
		if _, err := dialect.Parse(q); err == nil {
			t.Errorf("the grammar takes %q", q)
		}
	}
}
