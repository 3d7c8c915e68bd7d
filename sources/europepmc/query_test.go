package europepmc

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/sources/sourcetest"
)

func TestWrite(t *testing.T) {
	s := New(nil, Config{})
	for _, c := range []struct {
		e    sources.Expr
		want string
	}{
		{sources.Expr{All: [][]string{{"retrieval augmented generation", "RAG"}, {"hallucination"}}}, `("retrieval augmented generation" OR RAG) AND hallucination`},
		{sources.Expr{All: [][]string{{"dowsing"}}, Not: []string{"animals", "in vitro"}}, `dowsing NOT (animals OR "in vitro")`},
		{sources.Expr{All: [][]string{{"dowsing", "water divining"}, {"rods"}}, Not: []string{"review"}, Field: sources.Title},
			`((TITLE:dowsing OR TITLE:"water divining") AND TITLE:rods) NOT TITLE:review`},
		{sources.Expr{All: [][]string{{"COVID-19"}, {"p<0.05"}, {"C++"}}, Field: sources.TitleAbstract}, `TITLE_ABS:COVID-19 AND TITLE_ABS:"p 0.05" AND TITLE_ABS:"C++"`},
		{sources.Expr{All: [][]string{{"immun*"}, {"and", "graph OR tree"}}}, `immun* AND "graph OR tree"`},
		{sources.Expr{All: [][]string{{"AND"}}}, `"AND"`},
		{sources.Expr{All: [][]string{{"???"}}, Not: []string{"x"}}, ""},
	} {
		if got := s.Write(c.e); got != c.want {
			t.Errorf("Write(%v) = %s, want %s", c.e, got, c.want)
		}
	}
}

func TestClean(t *testing.T) {
	s := New(nil, Config{})
	for _, c := range []struct{ in, want string }{
		{"does aspirin prevent cancer?", "does aspirin prevent cancer"},
		{`("deep learning" OR 'neural networks') AND survey`, `("deep learning" OR "neural networks") AND survey`},
		{"Properties of two’s complement", "Properties of two's complement"},
		{`title_abs:"water divining" AND pub_year:[2010 TO 2020] NOT src:PPR`, `TITLE_ABS:"water divining" AND PUB_YEAR:[2010 TO 2020] NOT SRC:PPR`},
		{"FIRST_PDATE:[2020-01-01 TO 2020-12-31] AND open_access:y", "FIRST_PDATE:[2020-01-01 TO 2020-12-31] AND OPEN_ACCESS:y"},
		{"TITLE:(a OR b) AND NOT c", "TITLE:(a OR b) NOT c"},
		{"title: subtitle of note", "TITLE:subtitle of note"},
		{"vitamin: a review", "vitamin a review"},
		{"cats NOT ?? dogs", "cats dogs"},
		{"cats NOT () dogs", "cats dogs"},
		{"NOT animals", "NOT animals"},
		{"AND OR a AND", "a"},
		{"10.1126/science.1112286", `"10.1126/science.1112286"`},
		{"a/b OR x&y", `"a/b" OR x y`},
		{"immun* th* *cell c*t", `immun* th cell c t`},
		{`"a b"~5 c^2`, `"a b" c 2`},
		{"TITLE: AND b", "b"},
		{"a && b || c", "a AND b OR c"},
		{"naïve 深層学習 التعلم", "naïve 深層学習 التعلم"},
		{`"unbalanced phrase (a OR b`, `"unbalanced phrase" (a OR b)`},
		{"??? AND ()", ""},
	} {
		if got := s.Clean(c.in); got != c.want {
			t.Errorf("Clean(%q) = %s, want %s", c.in, got, c.want)
		}
	}
	if got := s.Clean(strings.Repeat("abcdefghi ", 2_000)); len(got) > longestQuery || len(got) < longestQuery-10 {
		t.Errorf("a long query has %d bytes", len(got))
	}
}

// grammar reads the dialect as its documentation has it, and refuses the rest:
// clauses side by side or joined by operators in capitals, each a word, a
// phrase, a range or a parenthesis, with or without a field.
type grammar struct {
	tokens []string
	at     int
}

var (
	grammarToken = regexp.MustCompile(`"[^"]*"|\[[^\]]*\]|[()]|[A-Z][A-Z_]+:|[^\s()"\[\]]+|\S`)
	grammarWord  = regexp.MustCompile(`^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_.'-]*\*?$`)
	grammarRange = regexp.MustCompile(`^\[[0-9*][0-9-]* TO [0-9*][0-9-]*\]$`)
)

func parse(q string) (*sourcetest.Clause, error) {
	g := &grammar{tokens: grammarToken.FindAllString(q, -1)}
	if len(g.tokens) == 0 {
		return nil, nil
	}
	c, err := g.query("")
	if err == nil && g.at < len(g.tokens) {
		err = fmt.Errorf("%q is left over", g.tokens[g.at:])
	}
	return c, err
}

func (g *grammar) peek() string {
	if g.at < len(g.tokens) {
		return g.tokens[g.at]
	}
	return ""
}

// query reads clauses; field is what stands before their parenthesis. A NOT at
// the beginning takes from an empty clause, which stands for everything.
func (g *grammar) query(field string) (*sourcetest.Clause, error) {
	c := &sourcetest.Clause{}
	for g.peek() != "" && g.peek() != ")" {
		op, first := "", len(c.Parts) == 0
		if t := g.peek(); t == "AND" || t == "OR" {
			if first {
				return nil, fmt.Errorf("%s has no operand before it", t)
			}
			op = t
			g.at++
		}
		if g.peek() == "NOT" && op != "AND" {
			op = "NOT"
			g.at++
			if first {
				c.Parts = append(c.Parts, &sourcetest.Clause{})
			}
		}
		part, err := g.clause(field)
		if err != nil {
			return nil, err
		}
		if len(c.Parts) > 0 {
			c.Ops = append(c.Ops, op)
		}
		c.Parts = append(c.Parts, part)
	}
	if len(c.Parts) == 0 {
		return nil, errors.New("an empty parenthesis")
	}
	return c, nil
}

func (g *grammar) clause(field string) (*sourcetest.Clause, error) {
	t := g.peek()
	g.at++
	if strings.HasSuffix(t, ":") {
		field = t
		t = g.peek()
		g.at++
	}
	switch {
	case t == "(":
		c, err := g.query(field)
		if err == nil && g.peek() != ")" {
			err = errors.New("a parenthesis is open")
		}
		g.at++
		return c, err
	case strings.HasPrefix(t, `"`):
		inner := strings.Trim(t, `"`)
		if strings.ContainsAny(inner, `\?`) || inner != strings.TrimSpace(inner) || inner == "" {
			return nil, fmt.Errorf("the phrase %s", t)
		}
		t = inner
	case strings.HasPrefix(t, "["):
		if field == "" || !grammarRange.MatchString(t) {
			return nil, fmt.Errorf("the range %s%s", field, t)
		}
	case t == "AND" || t == "OR" || t == "NOT" || !grammarWord.MatchString(t):
		return nil, fmt.Errorf("the word %q", t)
	}
	return &sourcetest.Clause{Field: field, Text: t}, nil
}

var modified = regexp.MustCompile(`"[~^]`)

// What Write and Clean give for any input parses, keeps the words and means
// the same.
func TestDialect(t *testing.T) {
	sourcetest.Dialect{
		Parse:  parse,
		Fold:   text.Fold,
		Fields: map[sources.Field][]string{sources.Anywhere: {""}, sources.Title: {"TITLE:"}, sources.TitleAbstract: {"TITLE_ABS:"}},
		Tagged: []func(string) string{func(s string) string { return "TITLE:" + s }, func(s string) string { return "TITLE_ABS:" + s }},
		Not:    "NOT",
		// A field with nothing behind it goes, and so does the distance or the
		// weight behind a phrase.
		Lost: func(in string) bool { return strings.Contains(in, ":") || modified.MatchString(in) },
	}.Run(t, New(nil, Config{}))
}

func TestGrammarRefuses(t *testing.T) {
	for _, q := range []string{"a AND", "OR a", "a AND OR b", "()", "(a", "a)", `"a`, "a?", "a:b", "[2020 TO 2021]", "TITLE:", "a ^ b", "a NOT NOT", "a/b", `"a\b"`} {
		if _, err := parse(q); err == nil {
			t.Errorf("the grammar takes %q", q)
		}
	}
}

// What Clean gives parses, and Clean leaves it alone.
func FuzzClean(f *testing.F) {
	s := New(nil, Config{})
	for _, q := range []string{`a AND (b OR "c d") NOT TITLE:e`, "a:b ?c [x TO y] PUB_YEAR:[2020 TO 2021]", `((" a\" OR`, "NOT (a OR NOT b)", "a NOT ? b", "title:(x NOT y", "ａ：ｂ", "x OR () NOT y"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		got := s.Clean(q)
		for _, fault := range sourcetest.QueryFaults(got) {
			t.Errorf("Clean(%q) = %q %s", q, got, fault)
		}
		if _, err := parse(got); err != nil {
			t.Errorf("Clean(%q) = %q: %v", q, got, err)
		}
		if again := s.Clean(got); again != got {
			t.Errorf("Clean(%q) = %q, then %q", q, got, again)
		}
	})
}
