package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTokens(t *testing.T) {
	cases := []struct{ in, want string }{
		{"", ""},
		{"MemGPT: Towards LLMs as Operating Systems", "memgpt towards llms as operating systems"},
		{"long-term, GPT-4o & BM25 at 3.5%", "long term gpt 4o bm25 at 3.5"},
		{"Alzheimer's disease; the agents' memory; what’s", "alzheimer disease the agents memory what"},
		{"don't", "don t"},
		{"naïve Müller", "naive muller"},
		{"snake_case", "snake case"},
		{"记忆机制研究", "记忆 忆机 机制 制研 研究"},
		{"LLM 记忆 和 AI", "llm 记忆 和 ai"},
		{"エージェント", "エー ージ ジェ ェン ント"},
		{"기억 에이전트", "기억 에이 이전 전트"},
		{"ประชุม", "ปร ระ ะช ชุ ุม"},
		{"ذاكرة الوكيل", "ذاكرة الوكيل"},
		{"version 1.2.3.", "version 1.2.3"},
	}
	for _, c := range cases {
		if got := strings.Join(Tokens(c.in), " "); got != c.want {
			t.Errorf("Tokens(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTokensAtPointsIntoTheOriginal(t *testing.T) {
	in := "The Über-agent&rsquo;s ﬁrst mem\u00adory (记忆), &amp; GPT-4."
	var got []string
	for _, tok := range TokensAt(in) {
		s := tok.Word + "=" + in[tok.Start:tok.End]
		if tok.Gap {
			s = "|" + s
		}
		got = append(got, s)
	}
	want := []string{"the=The", "uber=Über", "agent=agent", "first=ﬁrst", "memory=mem\u00adory", "|记忆=记忆", "|gpt=GPT", "4=4"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"a-b's 3.5 记忆x", "&amp;ﬁ\u00ad\nx", "e\u0301'", "\xff'sa"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words := Tokens(s)
		at := TokensAt(s)
		if len(words) != len(at) {
			t.Fatalf("Tokens(%q) has %d words, TokensAt %d", s, len(words), len(at))
		}
		for i, tok := range at {
			if tok.Word != words[i] || tok.Word == "" {
				t.Fatalf("word %d of %q: %q and %q", i, s, words[i], tok.Word)
			}
			if tok.Start < 0 || tok.End > len(s) || tok.Start >= tok.End {
				t.Fatalf("word %d of %q: range %v", i, s, tok.Span)
			}
		}
	})
}

func TestStem(t *testing.T) {
	same := [][]string{
		{"memory", "memories"},
		{"agent", "agents", "agentic"},
		{"evaluate", "evaluated", "evaluation"},
		{"behaviour", "behaviours", "behavior"},
		{"behavioural", "behavioral"},
		{"optimise", "optimize", "optimizing", "optimisation"},
		{"organisation", "organizations"},
		{"analyse", "analyze", "analysed"},
		{"anaemia", "anemia"}, {"leukaemia", "leukemia"}, {"paediatric", "pediatric"}, {"oesophageal", "esophageal"},
		{"tumour", "tumors"}, {"precise", "precision"},
	}
	for _, group := range same {
		for _, w := range group[1:] {
			if Stem(group[0]) != Stem(w) {
				t.Errorf("Stem(%q) = %q, Stem(%q) = %q", group[0], Stem(group[0]), w, Stem(w))
			}
		}
	}
	for _, w := range []string{"gpt4", "gedächtnis", "记忆", "ai", ""} {
		if got := Stem(w); got != w {
			t.Errorf("Stem(%q) = %q, want it unchanged", w, got)
		}
	}
	for _, pair := range [][2]string{{"memory", "memorize"}, {"raise", "raze"}, {"hour", "horse"}} {
		if Stem(pair[0]) == Stem(pair[1]) {
			t.Errorf("%q and %q have one stem", pair[0], pair[1])
		}
	}
}

func TestDistinctive(t *testing.T) {
	cases := []struct{ in, want string }{
		{"Introduction", ""},
		{"Editorial", ""},
		{"A Survey on the Memory Mechanism of Large Language Model based Agents", "memory mechanism language agents"},
		{"The effects of 12 weeks of exercise in 2020: a study", "weeks exercise 2020"},
	}
	for _, c := range cases {
		if got := strings.Join(Distinctive(Tokens(c.in)), " "); got != c.want {
			t.Errorf("Distinctive(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestWordLists(t *testing.T) {
	for w := range words()["function"] {
		if Fold(w) != w {
			t.Errorf("function word %q is not folded", w)
		}
	}
	if !IsFunctionWord("the") || !IsStopword("the") || IsFunctionWord("make") || !IsStopword("make") || IsStopword("memory") {
		t.Error("the lists do not hold what they are named after")
	}
}
