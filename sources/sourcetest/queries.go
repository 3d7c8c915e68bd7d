package sourcetest

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"optimistresearch/sources"
)

// expressions are what Write must be able to say, each with a word in it.
var expressions = []sources.Expr{
	{All: [][]string{{"dowsing"}}},
	{All: [][]string{{"retrieval augmented generation", "RAG"}, {"hallucination"}}},
	{All: [][]string{{"COVID-19", "SARS-CoV-2"}, {"long-term follow-up"}}, SinceYear: 2020},
	{All: [][]string{{"two’s complement floating point notations"}}, UntilYear: 1999},
	{All: [][]string{{"“smart quotes”", "plain \"quotes\""}, {"what is a graph?"}}, SinceYear: 2001, UntilYear: 2003},
	{All: [][]string{{"(unbalanced", "brackets]"}, {"title: subtitle"}, {"a/b?"}}},
	{All: [][]string{{"AND"}, {"or", "not"}, {"andnot", "graph"}}},
	{All: [][]string{{"naïve Bayes", "Schrödinger"}, {"Łódź"}}},
	{All: [][]string{{"深層学習"}, {"машинное обучение"}, {"التعلم العميق"}}},
	{All: [][]string{{}, {"", "  "}, {"left after empty groups"}}},
	{All: [][]string{{"???", "***"}, {"left after punctuation"}}},
	{All: [][]string{{"C++", "C#"}, {".NET"}}},
	{All: [][]string{{"p<0.05 & n>30"}, {"50%"}}},
	{All: [][]string{{strings.Repeat("very ", 400) + "long"}}},
	{All: [][]string{many(300)}},
	{All: [][]string{{"dowsing"}}, Not: []string{"animals", "in vitro"}},
	{All: [][]string{{"dowsing", "water divining"}, {"rods"}}, Not: []string{"not", "COVID-19", "???"}, Field: sources.TitleAbstract, SinceYear: 2020},
	{All: [][]string{{"dowsing", "water divining"}, {"rods"}}, Not: []string{"review"}, Field: sources.Title},
	{All: [][]string{many(300)}, Not: many(300), Field: sources.TitleAbstract},
}

func many(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "synonym number " + itoa(i)
	}
	return out
}

// strange are strings that people and models put into query fields.
var strange = []string{
	"", " ", "a", "graph neural networks", "What works best?", "dowsing*", "*dowsing", "\"unbalanced",
	"un\"balan\"ced\"", "(a AND b", "a) OR b", ")(", "((((", "))))", "AND OR NOT", "a AND", "OR b", "NOT",
	"a AND AND b", "Hello, John", "Properties of two’s complement floating point notations", "‘single quotes’",
	"'single quotes'", "«guillemets»", "„low“ quotes", "a:b:c", "ti:graph neural", "au:del_maestro",
	"10.1126/science.1112286", "title: (graph OR network) AND \"node classification\"",
	"line\nbreak\tand tab", "null\x00byte and \x7f", "invalid \xff UTF-8", "zero\u200bwidth \u202eoverride",
	"café naïve Łódź", "深層学習 レビュー", "التعلم العميق", "emoji 🧪 here", "a/b?c", "x<y & z>w", "100% [sic] {tex} $\\alpha$",
	"~!@#$%^&*()_+`-=[]\\;',./{}|:\"<>?", "\"\"", "\"\" AND \"\"", "()", "( )", "(\"\")", "-", "--", "a -b", "!important",
	"a|b", "a+b", "word~3", "\"a b\"~5", "\\\"escaped\\\"", "a\\", strings.Repeat("long ", 2000),
	strings.Repeat("(", 500) + "deep" + strings.Repeat(")", 500),
}

// queries checks what Write and Clean give.
func (s suite) queries(t testing.TB) {
	source := s.source(NewService(t, nil).Doer())
	if name := source.Name(); name == "" || name != strings.ToLower(name) || strings.ContainsAny(name, " _-.") {
		t.Errorf("Name is %q; want one lower-case word", name)
	}
	check := func(t rapid.TB, e sources.Expr) {
		q := source.Write(e)
		for _, f := range QueryFaults(q) {
			t.Errorf("Write(%.300v) = %.300q: %s", e, q, f)
		}
		if hasWord(e) && strings.TrimSpace(q) == "" {
			t.Errorf("Write(%.300v) is empty", e)
		}
		if again := source.Write(e); again != q {
			t.Errorf("Write(%.300v) gave %.300q, then %.300q", e, q, again)
		}
		if clean := source.Clean(q); clean != q {
			t.Errorf("Clean alters what Write wrote: %.300q became %.300q", q, clean)
		}
	}
	for _, e := range expressions {
		check(t, e)
	}
	source.Write(sources.Expr{})
	s.exclusions(t, source)
	clean := func(t rapid.TB, in string) {
		q := source.Clean(in)
		for _, f := range QueryFaults(q) {
			t.Errorf("Clean(%.300q) = %.300q: %s", in, q, f)
		}
		if again := source.Clean(q); again != q {
			t.Errorf("Clean is not idempotent on %.300q: %.300q, then %.300q", in, q, again)
		}
	}
	for _, q := range append(strange[:len(strange):len(strange)], s.cases.Queries...) {
		clean(t, q)
	}
	for _, q := range []string{"graph neural networks", "dowsing", "What works best?", "machine learning (survey"} {
		if !strings.Contains(strings.ToLower(source.Clean(q)), strings.Fields(strings.ToLower(q))[0]) {
			t.Errorf("Clean(%q) = %q lost the words", q, source.Clean(q))
		}
	}
	if t.Failed() {
		return // rapid does not begin in a test that has failed
	}
	rapid.Check(t, func(t *rapid.T) {
		clean(t, rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune(`ab "()[]:*?-|+~'AND OR NOT`)), 0, 40, -1)).Draw(t, "query"))
	})
	rapid.Check(t, func(t *rapid.T) {
		check(t, sources.Expr{
			All:       rapid.SliceOfN(rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom(strange)), 0, 3), 0, 3).Draw(t, "all"),
			SinceYear: rapid.SampledFrom([]int{0, 0, 1999}).Draw(t, "since"),
			UntilYear: rapid.SampledFrom([]int{0, 0, 2024}).Draw(t, "until"),
			Not:       rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom(strange)), 0, 2).Draw(t, "not"),
			Field:     rapid.SampledFrom([]sources.Field{sources.Anywhere, sources.Title, sources.TitleAbstract}).Draw(t, "field"),
		})
	})
}

// exclusions checks how Write says NOT and where a term must occur.
func (s suite) exclusions(t testing.TB, source sources.Source) {
	wanted := sources.Expr{All: [][]string{{"dowsing"}}}
	without := sources.Expr{All: wanted.All, Not: []string{"placebo"}}
	both := sources.Expr{All: [][]string{{"dowsing"}, {"placebo"}}}
	q := source.Write(without)
	if q != source.Write(wanted) && !strings.Contains(strings.ToLower(q), "placebo") {
		t.Errorf("Write(%v) = %q neither names the exclusion nor leaves it out", without, q)
	}
	if q == source.Write(both) {
		t.Errorf("Write(%v) = %q asks for what is to be excluded", without, q)
	}
	if q := source.Write(sources.Expr{Not: []string{"placebo"}}); q != "" {
		t.Errorf("a query that only excludes is %q, want none: it would find everything else", q)
	}
	for _, field := range []sources.Field{sources.Title, sources.TitleAbstract} {
		e := sources.Expr{All: [][]string{{"dowsing", "water divining"}, {"rods"}}, Field: field}
		q := strings.ToLower(source.Write(e))
		for _, w := range []string{"dowsing", "rods"} { // a dialect without OR takes the first alternative
			if !strings.Contains(q, w) {
				t.Errorf("Write(%v) = %q lost %s", e, q, w)
			}
		}
	}
}

// hasWord reports whether an expression has a word of two ASCII letters or
// more that is no operator, so that no dialect can have nothing to say.
func hasWord(e sources.Expr) bool {
	for _, group := range e.All {
		for _, term := range group {
			if !utf8.ValidString(term) {
				continue
			}
			for _, w := range strings.FieldsFunc(term, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				ascii := strings.IndexFunc(w, func(r rune) bool { return r >= utf8.RuneSelf || unicode.IsDigit(r) }) < 0
				switch lower := strings.ToLower(w); {
				case lower == "and", lower == "or", lower == "not", lower == "andnot":
				case ascii && len(w) > 1:
					return true
				}
			}
		}
	}
	return false
}

// QueryFaults lists what makes a query unfit to be sent to any service.
func QueryFaults(q string) []string {
	var faults []string
	if !utf8.ValidString(q) {
		faults = append(faults, "is not valid UTF-8")
	}
	if strings.IndexFunc(q, unicode.IsControl) >= 0 {
		faults = append(faults, "holds a control character")
	}
	if strings.Count(q, `"`)%2 != 0 {
		faults = append(faults, "quotation marks do not balance")
	}
	if strings.ContainsAny(q, "“”„«»") {
		faults = append(faults, "holds typographic quotation marks")
	}
	depth, quoted, low := 0, false, 0
	for _, r := range q {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '(':
			depth++
		case r == ')':
			depth--
		}
		low = min(low, depth)
	}
	if depth != 0 || low < 0 {
		faults = append(faults, "parentheses do not balance")
	}
	if q != strings.TrimSpace(q) {
		faults = append(faults, "has white space at an end")
	}
	return faults
}
