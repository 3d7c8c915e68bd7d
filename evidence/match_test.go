package evidence

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

const abstract = "Long-term memory remains hard for agents. We present A-MEM, an agentic memory that links notes. " +
	"On LoCoMo, A-MEM improves the F1 score from 18.4 to 45.9 over MemGPT, while it uses 85 % fewer tokens.\nIt does not help on short dialogues."

func TestFindQuote(t *testing.T) {
	cases := []struct{ name, stored, quote, kind, want string }{
		{"as it stands", abstract, "A-MEM improves the F1 score", Exact, "A-MEM improves the F1 score"},
		{"marks and white space around it", abstract, " “A-MEM improves the F1 score...” ", Exact, "A-MEM improves the F1 score"},
		{"a period that the text has not", abstract, "an agentic memory that links notes over time.", Approximate, "an agentic memory that links notes"},
		{"case", abstract, "a-mem IMPROVES the f1 score", Folded, "A-MEM improves the F1 score"},
		{"hyphenated across lines", "long conver-\nsations need mem-\nory here", "conversations need memory", Folded, "conver-\nsations need mem-\nory"},
		{"a page in two blocks, left one first", "The committee reviewed the annual\nreport and\napproved the budget for the\ncoming fiscal year.",
			"The committee reviewed the annual report and approved the budget for the coming fiscal year.", Folded,
			"The committee reviewed the annual\nreport and\napproved the budget for the\ncoming fiscal year."},
		{"ligatures and dashes", "eﬃcient ﬁne–tuning of models", "efficient fine-tuning", Folded, "eﬃcient ﬁne–tuning"},
		{"decomposed accents", "the cafe\u0301 effect", "café effect", Folded, "cafe\u0301 effect"},
		{"one word left out", abstract, "A-MEM improves the score from 18.4 to 45.9 over MemGPT", Approximate, "A-MEM improves the F1 score from 18.4 to 45.9 over MemGPT"},
		{"one word of eight replaced", abstract, "On LoCoMo, A-MEM raises the F1 score from 18.4", Approximate, "On LoCoMo, A-MEM improves the F1 score from 18.4"},
		{"CJK", "我们提出了一种记忆机制。效果很好", "记忆机制", Exact, "记忆机制"},
		{"Arabic", "تحسن الذاكرة أداء الوكيل", "الذاكرة أداء", Exact, "الذاكرة أداء"},
	}
	for _, c := range cases {
		m, ok := FindQuote(c.quote, c.stored)
		if !ok || m.Kind != c.kind || c.stored[m.Start:m.End] != c.want {
			t.Errorf("%s: got %+v, %v, %q; want %s %q", c.name, m, ok, c.stored[m.Start:m.End], c.kind, c.want)
		}
		if ok && (m.Kind == Approximate) != (m.Share < 1) && !strings.Contains(c.name, "left out") {
			t.Errorf("%s: share %v of a match of kind %s", c.name, m.Share, m.Kind)
		}
	}
}

func TestQuotesThatAreNotThere(t *testing.T) {
	cases := []struct{ name, quote string }{
		{"empty", ""},
		{"marks only", "“...”"},
		{"invented", "A-MEM reduces hallucination in medical dialogue systems"},
		{"part of a word", "gents"},
		{"short and not there as it stands", "links all notes"},
		{"a number changed", "On LoCoMo, A-MEM improves the F1 score from 18.4 to 55.9 over MemGPT"},
		{"a negation left out", "It does help on short dialogues"},
		{"a negation added", "On LoCoMo, A-MEM does not improve the F1 score from 18.4 to 45.9 over MemGPT"},
		{"the words in another order", "over MemGPT from 45.9 to 18.4 F1 score the improves A-MEM"},
		{"words scattered over the text", "memory agents notes LoCoMo score MemGPT tokens dialogues"},
	}
	for _, c := range cases {
		if m, ok := FindQuote(c.quote, abstract); ok {
			t.Errorf("%s: %q was found as %+v: %q", c.name, c.quote, m, abstract[m.Start:m.End])
		}
	}
	if _, ok := FindQuote("anything at all here", ""); ok {
		t.Error("found in an empty text")
	}
}

// A share of exactly three quarters of the words is enough, less is not.
func TestApproximateBorder(t *testing.T) {
	stored := "alpha beta gamma delta epsilon zeta eta theta"
	for quote, want := range map[string]bool{
		"alpha beta gamma plus":                                  true,
		"alpha beta plus else":                                   false,
		"alpha beta gamma":                                       true,
		"alpha beta plus":                                        false,
		"alpha beta gamma delta epsilon zeta other words":        true,
		"alpha beta gamma delta epsilon other words here indeed": false,
	} {
		if _, ok := FindQuote(quote, stored); ok != want {
			t.Errorf("%q: %v, want %v", quote, ok, want)
		}
	}
}

// Offsets always lie on characters and give back the matched bytes.
func FuzzFindQuote(f *testing.F) {
	f.Add("memory of agents", "the long-\nterm mem\u00adory of &amp; agents")
	f.Add("a a a a a", strings.Repeat("a ", 50))
	f.Add("\xff\xfe x", "x \xff x")
	f.Add("café au lait", "cafe\u0301 au  lait")
	f.Add("&lt;b&gt;", "a &lt;b&gt; c &am&#112;;lt;")
	f.Fuzz(func(t *testing.T, quote, stored string) {
		m, ok := FindQuote(quote, stored)
		if !ok {
			return
		}
		if m.Start < 0 || m.End > len(stored) || m.Start >= m.End || m.Share < MinShare || m.Share > 1 {
			t.Fatalf("FindQuote(%q, %q) = %+v", quote, stored, m)
		}
		if utf8.ValidString(stored) && !utf8.ValidString(stored[m.Start:m.End]) {
			t.Fatalf("FindQuote(%q, %q) = %+v cuts a character", quote, stored, m)
		}
		if again, ok := FindQuote(stored[m.Start:m.End], stored); !ok || again.Kind == Approximate {
			t.Fatalf("what was found, %q, is not found again in %q: %+v", stored[m.Start:m.End], stored, again)
		}
	})
}

// Hostile input takes bounded time.
func TestFindQuoteIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	start := time.Now()
	FindQuote(strings.Repeat("a b ", 180)+"z", strings.Repeat("a b ", 200_000))
	FindQuote(strings.Repeat("a", 4000), strings.Repeat("a", 1_000_000))
	FindQuote("x "+strings.Repeat("a ", 399), strings.Repeat("a y ", 100_000))
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("took %v", d)
	}
}
