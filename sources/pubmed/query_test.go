package pubmed

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
			`("retrieval augmented generation"[tiab] OR RAG[tiab]) AND hallucination`},
		{sources.Expr{All: [][]string{{"COVID-19"}, {"IL6", "Asthma"}}}, `COVID-19[tiab] AND (IL6[tiab] OR Asthma)`},
		{sources.Expr{All: [][]string{{"two’s complement"}}}, `"two's complement"[tiab]`},
		{sources.Expr{All: [][]string{{"Sjögren syndrome", "β-blocker"}}}, `("Sjögren syndrome"[tiab] OR β-blocker[tiab])`},
		{sources.Expr{All: [][]string{{"title: subtitle?", "[sic]", "a & b | c"}}}, `("title subtitle"[tiab] OR sic OR "a b c"[tiab])`},
		{sources.Expr{All: [][]string{{"深層学習"}}}, "深層学習[tiab]"},
		{sources.Expr{All: [][]string{{"AND", "graph"}, {"or"}}}, "graph"},
		{sources.Expr{All: [][]string{{"not"}}}, `"not"[tiab]`},
		{sources.Expr{All: [][]string{{"rods"}}, SinceYear: 2020}, "rods"}, // years are a filter of the request
		{sources.Expr{All: [][]string{{"rods", "a b"}, {"dust"}}, Not: []string{"animals", "in vitro"}},
			`(rods OR "a b"[tiab]) AND dust NOT (animals[tiab] OR "in vitro"[tiab])`},
		{sources.Expr{All: [][]string{{"rods", "a b"}}, Not: []string{"review"}, Field: sources.Title}, `(rods[ti] OR "a b"[ti]) NOT review[ti]`},
		{sources.Expr{All: [][]string{{"rods"}, {"dust"}}, Field: sources.TitleAbstract}, "rods[tiab] AND dust[tiab]"},
		{sources.Expr{Not: []string{"review"}}, ""},
		{sources.Expr{}, ""},
		{sources.Expr{All: [][]string{{"???"}}}, ""},
	} {
		if got := src.Write(c.expr); got != c.want {
			t.Errorf("Write(%v)\n got %s\nwant %s", c.expr, got, c.want)
		}
	}
}

func TestClean(t *testing.T) {
	src := New(nil, Config{})
	for _, c := range []struct{ in, want string }{
		{"What works best?", "What works best"},
		{`"heart attack"[Title/Abstract] AND 2020:2024[dp]`, `"heart attack"[Title/Abstract] AND 2020:2024[dp]`},
		{`"2020/01/01"[Date - Publication] : "3000"[Date - Publication]`, `"2020/01/01"[Date - Publication]:"3000"[Date - Publication]`},
		{"asthma [mh:noexp] OR \"a b\"[tiab: ~3]", `asthma[mh:noexp] OR "a b"[tiab:~3]`},
		{"(a OR b[ti])[tiab] AND c", "(a[tiab] OR b[ti]) AND c"},
		{"neoplasms/therapy[mh] NOT smith j[au]", "neoplasms/therapy[mh] NOT smith j[au]"},
		{"a AND NOT b", "a NOT b"},
		{"AND a OR OR b AND", "a OR b"},
		{"NOT a", "a"},
		{"(a OR b", "(a OR b)"},
		{"a) AND b", "a AND b"},
		{"a AND () OR b", "a AND b"},
		{`un"balanced`, "un balanced"},
		{`"heart attack`, `"heart attack"`},
		{`"heart attack[tiab] AND rods`, `"heart attack"[tiab] AND rods`},
		{`rods AND "heart attack OR dust`, `rods AND "heart attack" OR dust`},
		{`("heart attack) AND rods`, `("heart attack") AND rods`},
		{"“curly quotes”[ti] and ‘single ones’", `"curly quotes"[ti] and "single ones"`},
		{"Properties of two’s complement", "Properties of two's complement"},
		{"child* AND ch* AND *oma", "child* AND ch AND oma"},
		{"\"neoplasm recur*\"[tiab]", `"neoplasm recur*"[tiab]`},
		{"#1 AND a&b|c", "1 AND a b c"},
		{"100% [sic]", "100% sic"},
		{"RAG: a survey", "RAG a survey"},
		{"10.1126/science.1112286[doi]", "10.1126/science.1112286[doi]"},
		{`"10.1016/S0140-6736(00)02799-9"[doi]`, `"10.1016/S0140-6736(00)02799-9"[doi]`},
		{"Hello, John", "Hello John"},
		{"Sjögren β-blocker 深層学習", "Sjögren β-blocker 深層学習"},
		{"a\x00b\u200bc\nd", "a bc d"},
		{"[tiab] a", "tiab a"},
		{"???", ""},
	} {
		if got := src.Clean(c.in); got != c.want {
			t.Errorf("Clean(%q)\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestLargeQueriesAreQuickAndCapped(t *testing.T) {
	src := New(nil, Config{})
	began := time.Now()
	many := make([]string, 100_000)
	for i := range many {
		many[i] = "synonym " + strconv.Itoa(i)
	}
	q := src.Write(sources.Expr{All: [][]string{many, {"kept"}}})
	if n := len(url.QueryEscape(q)); n > longestQuery || n < longestQuery/2 || !strings.HasSuffix(q, ") AND kept") {
		t.Errorf("%d bytes as sent, want at most %d; ends in %s", n, longestQuery, q[len(q)-30:])
	}
	for _, piece := range []string{"(", `"`, "'a b' ", "[tiab]", "a[ti] ", "AND ", "é", "[", "x", "a:b "} {
		q := src.Clean(strings.Repeat(piece, 1_000_000/len(piece)))
		if n := len(url.QueryEscape(q)); n > longestQuery {
			t.Errorf("%q repeated: %d bytes as sent", piece, n)
		}
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("took %s", d)
	}
}

func FuzzClean(f *testing.F) {
	src := New(nil, Config{})
	for _, q := range []string{`"a-b"[ti] AND (c OR d)[tiab]`, "2020:2024[dp]", `"2020"[dp]:"2021"[dp]`, "'a b' “c”", "10.1/x[doi]", "x*[", "a:b"} {
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
