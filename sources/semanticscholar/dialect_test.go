package semanticscholar

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/sources/sourcetest"
)

// The Boolean language by its documentation: words side by side or joined by
// +, |, and - before what is excluded, "phrases", word*, parentheses. AND, OR
// and NOT are no operators in it; the grammar takes them for those in what a
// person typed, and TestNoWordsForOperators shows that none is sent.
var dialect = sourcetest.Dialect{
	Parse: func(q string) (*sourcetest.Clause, error) {
		if q == "" {
			return nil, nil
		}
		p := &parser{rest: q}
		c := p.clauses(0)
		if p.err == nil && p.rest != "" {
			p.fail("%q is left over", p.rest)
		}
		return c, p.err
	},
	Fold: text.Fold,
	Fields: map[sources.Field][]string{ // title and abstract, whatever is asked for
		sources.Anywhere: {"text"}, sources.Title: {"text"}, sources.TitleAbstract: {"text"},
	},
	Not: "NOT",
	Lost: func(in string) bool {
		return strings.Contains(in, ":") // a field of another service is no word
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

var operator = regexp.MustCompile(`^(?:([+|]) |(AND NOT|AND|OR|NOT) )?(-)?`)

var opOf = map[string]string{"+": "AND", "|": "OR", "AND NOT": "NOT"}

func (p *parser) clauses(depth int) *sourcetest.Clause {
	all := &sourcetest.Clause{}
	p.rest = strings.TrimPrefix(p.rest, "-") // a query may only exclude
	for {
		all.Parts = append(all.Parts, p.clause(depth))
		if p.err != nil || p.rest == "" || p.rest[0] == ')' {
			return all
		}
		if p.rest[0] != ' ' {
			p.fail("no space before %q", p.rest)
			return all
		}
		m := operator.FindStringSubmatch(p.rest[1:])
		p.rest = p.rest[1+len(m[0]):]
		op := m[1] + m[2]
		if opOf[op] != "" {
			op = opOf[op]
		}
		if m[3] != "" && op != "OR" {
			op = "NOT"
		}
		all.Ops = append(all.Ops, op)
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
		p.rest = rest
		if near := regexp.MustCompile(`^~[0-9]{1,2}`).FindString(rest); near != "" {
			p.rest = rest[len(near):]
		}
		if err := wordsOnly(inside); err != nil || !closed || inside != strings.TrimSpace(inside) {
			p.fail("the phrase %q: %v", inside, err)
		}
		return &sourcetest.Clause{Field: "text", Text: inside}
	}
	word := p.rest
	if i := strings.IndexAny(word, ` "()`); i >= 0 {
		word = word[:i]
	}
	p.rest = p.rest[len(word):]
	if err := wordsOnly(strings.TrimSuffix(word, "*")); err != nil || word == "AND" || word == "OR" || word == "NOT" {
		p.fail("the word %q: %v", word, err)
	}
	return &sourcetest.Clause{Field: "text", Text: word}
}

// wordsOnly finds what means something in the language, and what is no word.
func wordsOnly(s string) error {
	if i := strings.IndexAny(s, `+|-"()*~\`); i >= 0 {
		return fmt.Errorf("the character %q", s[i:])
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return errors.New("no letter and no digit")
	}
	return nil
}

// always writes every expression in the Boolean language, as Write does where
// it is needed.
type always struct{ *Source }

func (a always) Write(e sources.Expr) string {
	groups, not := wire.Terms(e.All, e.Not, mostTerms, termNode)
	return symbols.FitConjunction(groups, not, longBulk)
}

func TestDialect(t *testing.T) { dialect.Run(t, always{New(nil, Config{})}) }

func TestGrammarRefuses(t *testing.T) {
	for _, q := range []string{"a +", "| a", "a + | b", "()", "(a", "a)", `"a`, "a-b", "a ~", "*", "a  b", `""`, "- a", "a+b"} {
		if _, err := dialect.Parse(q); err == nil {
			t.Errorf("the grammar takes %q", q)
		}
	}
}

// The operators of other services are words here, and are never sent as such.
func TestNoWordsForOperators(t *testing.T) {
	s := New(nil, Config{})
	bare := regexp.MustCompile(`"[^"]*"`)
	check := func(t *rapid.T, q string) {
		for w := range strings.FieldsFuncSeq(bare.ReplaceAllString(q, " "), func(r rune) bool { return strings.ContainsRune(" ()-", r) }) {
			if wire.OperatorOf(w) != "" {
				t.Fatalf("%q would look for the word %s", q, w)
			}
		}
	}
	term := rapid.OneOf(rapid.SampledFrom([]string{"AND", "a OR b", "NOT", "rods", "immun*", "COVID-19"}), rapid.StringN(0, 10, 30))
	rapid.Check(t, func(t *rapid.T) {
		check(t, s.Clean(strings.Join(rapid.SliceOfN(term, 0, 5).Draw(t, "query"), " ")))
		check(t, s.Write(sources.Expr{All: rapid.SliceOfN(rapid.SliceOfN(term, 0, 3), 0, 3).Draw(t, "all"), Not: rapid.SliceOfN(term, 0, 2).Draw(t, "not")}))
	})
}

// Where no alternative and no exclusion is asked for, Write lists all the
// words for the ranked search, and nothing that only the other understands.
func TestPlainWords(t *testing.T) {
	s := New(nil, Config{})
	term := rapid.OneOf(rapid.StringMatching(`[a-z(":'?&-]{1,6}( [a-z:!^~]{1,6}){0,2}`), rapid.SampledFrom([]string{"COVID-19", "naïve Bayes", "深層学習"}))
	rapid.Check(t, func(t *rapid.T) {
		e := sources.Expr{All: rapid.SliceOfN(rapid.SliceOfN(term, 1, 1), 1, 3).Draw(t, "all")}
		q := s.Write(e)
		if boolean.MatchString(q) || strings.Contains(q, "-") {
			t.Fatalf("Write(%+v) = %q is no list of words", e, q)
		}
		for _, group := range e.All {
			if words := wordsOf(group[0]); !wire.OnlyOperators(words) {
				for _, w := range words {
					if !strings.Contains(" "+q+" ", " "+w+" ") {
						t.Fatalf("Write(%+v) = %q lost %q", e, q, w)
					}
				}
			}
		}
	})
}

func FuzzDialect(f *testing.F) {
	src := always{New(nil, Config{})}
	for _, q := range []string{`"a-b" AND (c OR d)`, "'a b' “c”", `ti:"a b`, "a -(b | c", "a|-b +c", `"a b"~5`, "immun* ａ？"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		if len(q) > 200 {
			return // a term or query that is cut may lose words
		}
		dialect.CheckClean(t, src, q)
		dialect.CheckWrite(t, src, sources.Expr{All: [][]string{{q, "rods"}, {"dust"}}, Not: []string{"x " + q}})
	})
}
