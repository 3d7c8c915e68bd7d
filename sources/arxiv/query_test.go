package arxiv

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"optimistresearch/sources"
)

func TestWrite(t *testing.T) {
	src := New(nil, Config{})
	for _, c := range []struct {
		expr sources.Expr
		want string
	}{
		{sources.Expr{All: [][]string{{"retrieval augmented generation", "RAG"}, {"hallucination"}}},
			`(all:"retrieval augmented generation" OR all:RAG) AND all:hallucination`},
		{sources.Expr{All: [][]string{{"COVID-19"}}}, `all:"COVID 19"`},
		{sources.Expr{All: [][]string{{"two’s complement"}}}, `all:"two's complement"`},
		{sources.Expr{All: [][]string{{"Schrödinger equation", "Łódź"}}}, `(all:"schrodinger equation" OR all:lodz)`},
		{sources.Expr{All: [][]string{{"GPT-4.5", "node.js"}}}, `(all:"GPT 4.5" OR all:node.js)`},
		{sources.Expr{All: [][]string{{"title: subtitle?", "a/b"}}}, `(all:"title subtitle" OR all:"a b")`},
		{sources.Expr{All: [][]string{{"深層学習"}}}, "all:深層学習"},
		{sources.Expr{All: [][]string{{"AND", "graph"}, {"or"}}}, "all:graph"},
		{sources.Expr{All: [][]string{{"not"}}}, `all:"not"`},
		{sources.Expr{All: [][]string{{"x", "x", " x "}}}, "all:x"},
		{sources.Expr{All: [][]string{{"x"}, {"y"}}, SinceYear: 2020, UntilYear: 2022},
			"all:x AND all:y AND submittedDate:[202001010000 TO 202212312359]"},
		{sources.Expr{All: [][]string{{"x"}}, UntilYear: 2001}, "all:x AND submittedDate:[199101010000 TO 200112312359]"},
		{sources.Expr{All: [][]string{{"x"}}, SinceYear: 2001}, "all:x AND submittedDate:[200101010000 TO 299912312359]"},
		{sources.Expr{All: [][]string{{"rods"}, {"a b", "c"}}, Not: []string{"dust"}}, `all:rods AND (all:"a b" OR all:c) ANDNOT all:dust`},
		{sources.Expr{All: [][]string{{"rods"}}, Not: []string{"dust", "old dust"}, SinceYear: 2020},
			`(all:rods ANDNOT (all:dust OR all:"old dust")) AND submittedDate:[202001010000 TO 299912312359]`},
		{sources.Expr{All: [][]string{{"rods", "a b"}}, Not: []string{"dust"}, Field: sources.Title}, `(ti:rods OR ti:"a b") ANDNOT ti:dust`},
		{sources.Expr{All: [][]string{{"rods"}, {"a b", "c"}}, Field: sources.TitleAbstract, UntilYear: 2001},
			`(ti:rods OR abs:rods) AND (ti:"a b" OR abs:"a b" OR ti:c OR abs:c) AND submittedDate:[199101010000 TO 200112312359]`},
		{sources.Expr{Not: []string{"dust"}}, ""},
		{sources.Expr{SinceYear: 2001}, ""},
		{sources.Expr{All: [][]string{{"???"}}}, ""},
	} {
		if got := src.Write(c.expr); got != c.want {
			t.Errorf("Write(%v)\n got %s\nwant %s", c.expr, got, c.want)
		}
	}
}

func TestWriteIsCapped(t *testing.T) {
	src := New(nil, Config{})
	var many []string
	for i := range 500 {
		many = append(many, strings.Repeat("long ", i%7)+"synonym"+strings.Repeat("s", i))
	}
	q := src.Write(sources.Expr{All: [][]string{many, {"kept"}}})
	if n := len(url.QueryEscape(q)); n > longestQuery || n < longestQuery/2 {
		t.Errorf("%d bytes as sent, want at most %d", n, longestQuery)
	}
	if !strings.HasPrefix(q, "(all:synonym OR ") || !strings.HasSuffix(q, ") AND all:kept") {
		t.Errorf("the query lost its first alternative or its second group: %.60s … %s", q, q[len(q)-60:])
	}
}

func TestLargeQueriesAreQuick(t *testing.T) {
	src := New(nil, Config{})
	began := time.Now()
	many := make([]string, 100_000)
	for i := range many {
		many[i] = "synonym " + strconv.Itoa(i)
	}
	src.Write(sources.Expr{All: [][]string{many, many}})
	for _, piece := range []string{"(", `"`, "'a b' ", "ti:", "a-", "AND ", "é", "[", "x"} {
		src.Clean(strings.Repeat(piece, 1_000_000/len(piece)))
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("took %s", d)
	}
}

func TestClean(t *testing.T) {
	src := New(nil, Config{})
	for _, c := range []struct{ in, want string }{
		{"What works best?", "What works best"},
		{"COVID-19 masks", `"COVID 19" masks`},
		{"ti:covid-19", `ti:"covid 19"`},
		{"ti:graph neural", "ti:graph neural"},
		{`ti: "graph neural networks"`, `ti:"graph neural networks"`},
		{`title:"graph neural" AND author:kipf`, `ti:"graph neural" AND au:kipf`},
		{"au:del_maestro AND ti:checkerboard", "au:del_maestro AND ti:checkerboard"},
		{"cat:astro-ph.GA ANDNOT all:dust", "cat:astro-ph.GA ANDNOT all:dust"},
		{"a AND NOT b", "a ANDNOT b"},
		{"a NOT b", "a ANDNOT b"},
		{"AND a OR OR b AND", "a OR b"},
		{"a AND () OR b", "a AND b"},
		{"(a OR b", "(a OR b)"},
		{"a) AND b", "a AND b"},
		{`un"balanced`, "un balanced"},
		{`ti:"graph neural`, `ti:"graph neural"`},
		{`"graph neural AND dust`, `"graph neural" AND dust`},
		{`"graph neural ti:dust`, `"graph neural" ti:dust`},
		{`ti:"a b AND "c d"`, `ti:"a b" AND "c d"`},
		{"ti: AND dust", "dust"},
		{"“curly quotes” and ‘single ones’", `"curly quotes" and "single ones"`},
		{"Properties of two’s complement floating point notations", "Properties of two's complement floating point notations"},
		{"RAG: a survey", "RAG a survey"},
		{"and/or", "and or"},
		{"dowsing* AND *rod", "dowsing* AND rod"},
		{"submittedDate:[2020 TO 20231231]", "submittedDate:[202001010000 TO 202312312359]"},
		{"x AND lastUpdatedDate:[202001 TO *]", "x AND lastUpdatedDate:[202001010000 TO 299912312359]"},
		{"café naïve", "cafe naive"},
		{"深層学習 レビュー", "深層学習 レビュー"},
		{"ａｌｌ：ｇｒａｐｈ", "all:graph"},
		{"a\x00b\u200bc\nd", "a bc d"},
		{"10.1126/science.1112286", "10.1126 science.1112286"},
		{"id:hep-th/9711200v1", "id:hep-th/9711200v1"},
		{"???", ""},
	} {
		if got := src.Clean(c.in); got != c.want {
			t.Errorf("Clean(%q)\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestYearsAreAddedOnce(t *testing.T) {
	for _, c := range []struct{ q, want string }{
		{"all:x", "all:x AND submittedDate:[202001010000 TO 202112312359]"},
		{"all:x AND (all:y OR all:\"a b\")", "all:x AND (all:y OR all:\"a b\") AND submittedDate:[202001010000 TO 202112312359]"},
		{"ti:x OR ti:y", "(ti:x OR ti:y) AND submittedDate:[202001010000 TO 202112312359]"},
		{"x y", "(x y) AND submittedDate:[202001010000 TO 202112312359]"},
		{"x AND submittedDate:[199101010000 TO 199212312359]", "x AND submittedDate:[199101010000 TO 199212312359]"},
		{"", ""},
	} {
		if got := withYears(c.q, 2020, 2021); got != c.want {
			t.Errorf("withYears(%q)\n got %s\nwant %s", c.q, got, c.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	src := New(nil, Config{})
	for _, q := range []string{`ti:"a-b" AND (c OR d)`, "submittedDate:[2020 TO *]", "'a b' “c”", "½ ⑴ ﬁ ㎏"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		once := src.Clean(q)
		if twice := src.Clean(once); twice != once {
			t.Errorf("%q, then %q", once, twice)
		}
		if len(url.QueryEscape(once)) > longestQuery {
			t.Errorf("%d bytes as sent", len(url.QueryEscape(once)))
		}
	})
}
