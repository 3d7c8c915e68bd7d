package openalex

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"optimistresearch/sources"
)

func TestClean(t *testing.T) {
	s := New(nil, Config{})
	for _, c := range []struct{ in, want string }{
		{"does aspirin prevent cancer?", "does aspirin prevent cancer"},
		{"Hello, John", "Hello John"},
		{"Properties of two’s complement floating point notations", "Properties of two's complement floating point notations"},
		{"'machine learning' AND survey", `"machine learning" AND survey`},
		{"‘machine learning’ survey", `"machine learning" survey`},
		{"the students' views", "the students views"},
		{"“deep learning” OR «apprentissage profond»", `"deep learning" OR "apprentissage profond"`},
		{`"unbalanced phrase`, `"unbalanced phrase"`},
		{`x "unbalanced phrase AND y`, `x "unbalanced phrase" AND y`},
		{"ＷＨＡＴ？！", "WHAT"},
		{"title.search:(a OR b", "search.title=a OR b"},
		{"title_and_abstract.search:a", "search.title_and_abstract=a"},
		{"title.search:a OR abstract.search:b", "a OR abstract.search b"},
		{"search.title=???", ""},
		{"(a OR b", "a OR b"},
		{"((a OR b)) AND (c)", "(a OR b) AND c"},
		{"a) OR b", "a OR b"},
		{"AND a AND AND b OR", "a AND b"},
		{"a AND OR b", "a AND b"},
		{"a AND NOT (b OR c)", "a AND NOT (b OR c)"},
		{"a ANDNOT b", "a NOT b"},
		{"AND OR NOT", ""},
		{"???", ""},
		{`"" AND ()`, ""},
		{`"graph networks"~5 survey`, `"graph networks"~5 survey`},
		{"word~3 !important a|b", "word 3 important a OR b"},
		{"cycle* *phone", "cycle phone"},
		{"ti:graph AND title:(a b)", "graph AND (a b)"},
		{"10.1126/science.1112286", "10.1126 science.1112286"},
		{"COVID-19 C++ café 深層学習", "COVID-19 C++ café 深層学習"},
		{"what is and is not known", "what is and is not known"},
		{"line\nbreak\x00zero\u200bwidth", "line break zerowidth"},
	} {
		if got := s.Clean(c.in); got != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestWrite(t *testing.T) {
	s := New(nil, Config{})
	for _, c := range []struct {
		all  [][]string
		want string
	}{
		{[][]string{{"dowsing"}}, "dowsing"},
		{[][]string{{"retrieval augmented generation", "RAG"}, {"hallucination"}}, `("retrieval augmented generation" OR RAG) AND hallucination`},
		{[][]string{{"COVID-19", "SARS-CoV-2"}}, `"COVID-19" OR "SARS-CoV-2"`},
		{[][]string{{"two’s complement"}, {}, {"", "?"}}, `"two's complement"`},
		{[][]string{{"AND", "or"}, {"C++"}}, `"C++"`},
		{[][]string{{"title: sub(title)"}}, `"title sub title"`},
		{[][]string{{"AND"}, {"???"}}, `"AND"`},
		{nil, ""},
	} {
		if got := s.Write(sources.Expr{All: c.all}); got != c.want {
			t.Errorf("Write(%q) = %q, want %q", c.all, got, c.want)
		}
	}
}

// The server refuses more than 1,500 characters and more than three long
// phrases; what is least needed goes first.
func TestQueriesFit(t *testing.T) {
	s := New(nil, Config{})
	var many []string
	for i := range 300 {
		many = append(many, fmt.Sprintf("synonym %d", i))
	}
	q := s.Write(sources.Expr{All: [][]string{append([]string{"first term"}, many...), {"the other group"}}})
	if n := utf8.RuneCountInString(q); n > longQuery || n < longQuery/2 {
		t.Errorf("%d characters, want at most %d and not much less", n, longQuery)
	}
	if !strings.HasPrefix(q, `("first term" OR `) || !strings.HasSuffix(q, ` AND "the other group"`) {
		t.Errorf("the query lost a group: %s", q)
	}
	if q := s.Clean(strings.Repeat("(long ", 2000)); utf8.RuneCountInString(q) > longQuery || !strings.HasPrefix(q, "long long") {
		t.Errorf("Clean gave %d characters: %.50s", utf8.RuneCountInString(q), q)
	}
	phrase := `"` + strings.Repeat("a phrase of many words ", 4) + `end"`
	q = s.Clean(strings.Repeat(phrase+" OR ", 5) + "x")
	if n := strings.Count(q, `"`); n != 2*longPhrases {
		t.Errorf("%d quotation marks, want %d: %s", n, 2*longPhrases, q)
	}
}

// A megabyte of anything is cleaned at once.
func TestHugeQueriesAreQuick(t *testing.T) {
	s := New(nil, Config{})
	began := time.Now()
	for _, part := range []string{"(", ")", `"`, "'a ", "a OR ", "(a ", "\"b c\" ", "NOT (", "深"} {
		s.Clean(strings.Repeat(part, 1_000_000/len(part)))
	}
	groups := make([][]string, 1000)
	for i := range groups {
		groups[i] = make([]string, 1000)
		for k := range groups[i] {
			groups[i][k] = "a term"
		}
	}
	s.Write(sources.Expr{All: groups})
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
}
