package wire

import (
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// operatorNext ends a phrase before an operator in capitals.
func operatorNext(rest string) bool {
	w, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	return w != "" && OnlyOperators([]string{w}) && w == strings.ToUpper(w)
}

func TestCloseQuotes(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`"graph neural`, `"graph neural"`},
		{`ti:"graph neural`, `ti:"graph neural"`},
		{`"graph neural AND dust`, `"graph neural" AND dust`},
		{`dust OR "graph neural and more`, `dust OR "graph neural and more"`},
		{`("graph neural) AND dust`, `("graph neural") AND dust`},
		{`"heart attack[tiab] AND rods`, `"heart attack"[tiab] AND rods`},
		{`"a b AND "c d"`, `"a b" AND "c d"`},
		{`"a b" AND "c d`, `"a b" AND "c d"`},
		{`a b" AND c`, `a b  AND c`},
		{`un"balanced`, `un balanced`},
		{`12" rods`, `12  rods`},
		{`a "`, `a  `},
		{`"`, ` `},
		{`"a" b`, `"a" b`},
		{`""a`, `""a`},
	} {
		if got := CloseQuotes(c.in, operatorNext); got != c.want {
			t.Errorf("CloseQuotes(%q)\n got %q\nwant %q", c.in, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune(`ab "():[]ANDOR`)), 0, 30, -1).Draw(t, "query")
		got := CloseQuotes(s, operatorNext)
		if strings.Count(got, `"`)%2 != 0 {
			t.Fatalf("CloseQuotes(%q) = %q", s, got)
		}
		bare := func(s string) string {
			return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '"' }), "")
		}
		if bare(got) != bare(s) {
			t.Fatalf("CloseQuotes(%q) = %q changed more than quotation marks", s, got)
		}
	})
}

func TestShorten(t *testing.T) {
	groups := [][]string{{"a", "b", "c"}, {"d"}}
	room := func(terms int) int { return terms * (1 + len("+ANDNOT+%28%29")) }
	for _, c := range []struct {
		most int
		want string
	}{{room(4), "a b c|d"}, {room(3), "a b|d"}, {room(2), "a|d"}, {room(1), "a"}, {0, ""}} {
		in := [][]string{append([]string{}, groups[0]...), append([]string{}, groups[1]...)}
		var parts []string
		for _, g := range Shorten(in, c.most) {
			parts = append(parts, strings.Join(g, " "))
		}
		if got := strings.Join(parts, "|"); got != c.want {
			t.Errorf("within %d bytes: %q, want %q", c.most, got, c.want)
		}
	}
}

func TestAssemble(t *testing.T) {
	read := func(s string) []Token {
		var out []Token
		for _, w := range strings.Fields(s) {
			kind := byte(Operand)
			switch w {
			case "(":
				kind = Open
			case ")":
				kind = Close
			case ":":
				kind = Between
			case "AND", "OR", "ANDNOT":
				kind = Operator
			}
			out = append(out, Token{Kind: kind, Text: w})
		}
		return out
	}
	for _, c := range []struct{ in, want string }{
		{"AND a OR OR b AND", "a OR b"},
		{"a AND ANDNOT b", "a ANDNOT b"},
		{"( a OR b", "(a OR b)"},
		{"a ) AND b", "a AND b"},
		{"a AND ( ) OR b", "a AND b"},
		{"( ( a ) )", "((a))"},
		{"2020 : 2021", "2020:2021"},
		{": a :", "a"},
		{"", ""},
	} {
		if got := Assemble(read(c.in), "ANDNOT", 1000); got != c.want {
			t.Errorf("Assemble(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	long := Assemble(read(strings.Repeat("( rod OR root ) ", 500)), "NOT", 300)
	if n := len(url.QueryEscape(long)); n > 300 || n < 200 || strings.Count(long, "(") != strings.Count(long, ")") {
		t.Errorf("%d bytes within 300: %s", n, long)
	}
}

func TestXMLIsLenient(t *testing.T) {
	var v struct {
		Text string `xml:"t"`
	}
	if err := XML([]byte("\xef\xbb\xbf<r><t>a\x00b&#2;&#x3b1;&nbsp;\xff&eacute;</t></r>")).Decode(&v); err != nil {
		t.Fatal(err)
	}
	if want := "a b α\u00a0\uFFFDé"; v.Text != want {
		t.Errorf("read %q, want %q", v.Text, want)
	}
	for body, want := range map[string]string{
		"<feed>": "feed", "\ufeff <?xml version='1.0'?>\n<!DOCTYPE x>\n<!-- a > b --><a:Set b='c'/>": "Set", "Rate exceeded.": "", "": "", "{}": "",
	} {
		if got := RootName([]byte(body)); got != want {
			t.Errorf("RootName(%q) is %q, want %q", body, got, want)
		}
	}
}
