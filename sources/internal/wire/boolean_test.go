package wire

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// words of capitals are operators, all else between spaces is a word.
var capitals = Grammar{
	Stretch: func(s string, _ bool) []Node {
		var out []Node
		for w := range strings.FieldsSeq(s) {
			out = append(out, Node{Word: w, Op: OperatorOf(w)})
		}
		return out
	},
	Phrase: strings.Fields,
}

var (
	inWords = Symbols{And: " AND ", Or: " OR ", Not: "NOT "}
	inSigns = Symbols{And: " + ", Or: " | ", Not: "-"}
)

func TestReadAndRender(t *testing.T) {
	for _, c := range []struct{ in, words, signs string }{
		{"a b", "a b", "a b"},
		{"a AND (b OR c) NOT d", "a AND (b OR c) NOT d", "a + (b | c) -d"},
		{"((a OR b)) AND (c)", "(a OR b) AND c", "(a | b) + c"},
		{`"x  y"~5 AND ""`, `"x y"~5`, `"x y"~5`},
		{`"x y"~500`, `"x y" ~500`, `"x y" ~500`},
		{"AND a AND AND b OR", "a AND b", "a + b"},
		{"a AND OR b", "a AND b", "a + b"},
		{"a AND NOT (b OR c)", "a AND NOT (b OR c)", "a + -(b | c)"},
		{"NOT NOT a", "NOT a", "-a"},
		{"a) OR (b", "a OR b", "a | b"},
		{"() AND (()) OR", "", ""},
		{`"AND" OR b`, `"AND" OR b`, `"AND" | b`},
		{"(a)(b)", "a b", "a b"},
	} {
		nodes := capitals.Read(c.in)
		if words, signs := inWords.Render(nodes), inSigns.Render(nodes); words != c.words || signs != c.signs {
			t.Errorf("%q became %q and %q, want %q and %q", c.in, words, signs, c.words, c.signs)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "AND", "OR", "NOT", "(", ")", `"c d"`, `"AND"`, `"e"~3`})).Draw(t, "parts")
		once := inWords.Render(capitals.Read(strings.Join(parts, " ")))
		if again := inWords.Render(capitals.Read(once)); again != once {
			t.Fatalf("%q became %q", once, again)
		}
		most := rapid.IntRange(0, 40).Draw(t, "most")
		if cut := inWords.Fit(capitals.Read(once), most); utf8.RuneCountInString(cut) > most {
			t.Fatalf("%q has more than %d characters", cut, most)
		}
	})
}

func TestFitConjunction(t *testing.T) {
	term := func(s string) (Node, bool) { return Node{Word: s}, s != "" }
	groups, not := Terms([][]string{{"first", "second", "third", "first"}, {}, {"", "other"}}, []string{"unwanted", "or"}, 10, term)
	for _, c := range []struct {
		most int
		want string
	}{
		{100, "(first OR second OR third) AND other NOT unwanted"},
		{48, "(first OR second) AND other NOT unwanted"},
		{38, "first AND other NOT unwanted"},
		{20, "first AND other"},
		{5, "first"},
		{4, ""},
	} {
		if got := inWords.FitConjunction(groups, not, c.most); got != c.want {
			t.Errorf("within %d: %q, want %q", c.most, got, c.want)
		}
	}
	if groups, not := Terms([][]string{{"and", "x"}, {"OR"}}, []string{"NOT"}, 10, term); len(groups) != 1 || groups[0][0].Word != "x" || not != nil {
		t.Errorf("operators among terms: %v without %v", groups, not)
	}
	if groups, not := Terms([][]string{{"and"}}, []string{"y"}, 10, term); len(groups) != 1 || not[0].Word != "y" {
		t.Errorf("nothing but operators: %v without %v", groups, not)
	}
	if groups, not := Terms(nil, []string{"y"}, 10, term); groups != nil || not != nil {
		t.Errorf("a query that only excludes: %v without %v", groups, not)
	}
}
