package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	cases := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"accents", "Müller‐Lüdenscheidt Ångström", "muller-ludenscheidt angstrom"},
		{"decomposed accents equal composed ones", "Mu\u0308ller", "muller"},
		{"letters without decomposition", "Øystein Łukasz Đorđe Straße Œuvre Þór", "oystein lukasz dorde strasse oeuvre thor"},
		{"Turkish dotted capital", "İstanbul", "istanbul"},
		{"ligatures", "eﬃcient ﬁne-tuning of diﬀusion", "efficient fine-tuning of diffusion"},
		{"dashes", "a–b—c−d‑e﹣f", "a-b-c-d-e-f"},
		{"quotes", "“two’s complement” ‹x› «y» `z´", `"two's complement" 'x' "y" 'z'`},
		{"references", "A &amp; B &lt;C&gt; &eacute;&#x3b1;&#945;", "a & b <c> eαα"},
		{"doubly escaped references", "R&amp;amp;D &amp;amp;amp;lt; &#38;quot;", `r&d < "`},
		{"not references", "AT&T; Q&A &unknown; a & b &", "at&t; q&a &unknown; a & b &"},
		{"soft hyphen, zero width, marks of direction", "mem\u00adory\u200b ban\u200fk\ufeff", "memory bank"},
		{"soft hyphen at a line end", "mem\u00ad\n ory", "memory"},
		{"white space", "  a\t\n b\u00a0\u2009c  ", "a b c"},
		{"compatibility", "CO₂ ｆｕｌｌ №5 x²", "co2 full no5 x2"},
		{"final sigma", "ΛΌΓΟΣ λόγος", "λογοσ λογοσ"},
		{"Cyrillic", "Ёлка Йод", "елка иод"},
		{"Hangul stays in syllables", "기억 \u1100\u1161", "기억 가"},
		{"voiced kana differ from unvoiced", "がか", "がか"},
		{"half-width kana", "ｶﾞ", "ガ"},
		{"Devanagari keeps its vowels", "हिन्दी", "हिन्दी"},
		{"Arabic loses vowel signs", "مُحَمَّد", "محمد"},
		{"Hebrew loses points", "שָׁלוֹם", "שלום"},
		{"controls", "a\x00b\x07c", "abc"},
		{"invalid bytes", "a\xffb", "a\ufffdb"},
	}
	for _, c := range cases {
		if got := Fold(c.in); got != c.want {
			t.Errorf("%s: Fold(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"Müller & Söhne", "ﬁne—x", "한국어 ｶﾞ", "a\u00ad\n b", "\xff\xfe", "e\u0301\u0301\u0301", "ẞ İ ŉ ǰ ΐ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Fold(s)
		if !utf8.ValidString(got) {
			t.Fatalf("Fold(%q) = %q is not valid UTF-8", s, got)
		}
		if got != strings.TrimSpace(got) || strings.Contains(got, "  ") {
			t.Fatalf("Fold(%q) = %q has loose white space", s, got)
		}
		if strings.ContainsAny(got, "&") {
			return
		}
		if again := Fold(got); again != got {
			t.Fatalf("not idempotent: %q, then %q", got, again)
		}
	})
}

func TestNormaliseFindsQuotes(t *testing.T) {
	cases := []struct{ name, text, quote, want string }{
		{"as it is", "We show that A-MEM wins.", "A-MEM wins", "A-MEM wins"},
		{"case and quotes", "the so-called “Memory Bank” helps", `the so-called "memory bank"`, "the so-called “Memory Bank”"},
		{"hyphenated across a line", "on long conver-\nsations we see gains", "long conversations we see", "long conver-\nsations we see"},
		{"own hyphen at a line end", "the long-\nterm memory of agents", "long-term memory", "long-\nterm memory"},
		{"hyphen in the quote only", "the longterm memory", "long-term memory", "longterm memory"},
		{"name with a digit at a line end", "we use GPT-\n4 here", "use GPT-4 here", "use GPT-\n4 here"},
		{"soft hyphen of a PDF reader", "eval\x02uated on tasks", "evaluated on", "eval\x02uated on"},
		{"lines and columns", "reviewed the annual\n   report and\napproved", "annual report and approved", "annual\n   report and\napproved"},
		{"ligature at the border", "the eﬃcient ﬁt", "efficient fi", "eﬃcient ﬁ"},
		{"accents", "Ein Überblick über Gedächtnis", "uberblick uber gedachtnis", "Überblick über Gedächtnis"},
		{"decomposed accent at the end", "cafe\u0301 culture", "café", "cafe\u0301"},
		{"references in the text", "p &lt; 0.05 &amp; n = 3", "< 0.05 & n", "&lt; 0.05 &amp; n"},
		{"ellipsis and marks around the quote", "gains of 5 points were seen", "“...gains of 5 points...”", "gains of 5 points"},
		{"CJK", "我们提出了一种记忆机制。效果好", "记忆机制", "记忆机制"},
		{"suspended hyphen stays", "pre- and post-training", "pre- and post", "pre- and post"},
	}
	for _, c := range cases {
		span, ok := Find(c.text, c.quote)
		if !ok {
			n, _ := Normalise(c.text)
			t.Errorf("%s: %q not found in %q", c.name, c.quote, n)
			continue
		}
		if got := c.text[span.Start:span.End]; got != c.want {
			t.Errorf("%s: found %q, want %q", c.name, got, c.want)
		}
	}
	for _, q := range []string{"", "  ", "...", "absent words"} {
		if span, ok := Find("some text... here", q); ok {
			t.Errorf("%q was found at %v", q, span)
		}
	}
}

func FuzzNormalise(f *testing.F) {
	for _, s := range []string{"long-\nterm &amp; ﬁne", "e\u0301-\n\n x\u00ad\n y", "a - b--c -", "&amp;amp;lt;\xff", "- -a-\x02-b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, pos := Normalise(s)
		if len(pos) != len(n)+1 || pos[len(n)] != len(s) {
			t.Fatalf("Normalise(%q): %d positions for %d bytes", s, len(pos), len(n))
		}
		for i := 1; i < len(pos); i++ {
			if pos[i] < pos[i-1] || pos[i] > len(s) {
				t.Fatalf("Normalise(%q): position %d runs backwards", s, i)
			}
		}
		if n == "" {
			return
		}
		if span := Original(s, pos, 0, len(n)); span.Start < 0 || span.End > len(s) || span.Start >= span.End {
			t.Fatalf("Original(%q) = %v", s, span)
		}
	})
}

func TestOriginalRefusesForeignRanges(t *testing.T) {
	s := "abc"
	_, pos := Normalise(s)
	for _, r := range [][2]int{{-1, 2}, {0, 4}, {2, 2}, {2, 1}} {
		if got := Original(s, pos, r[0], r[1]); got != (Span{}) {
			t.Errorf("Original(%v) = %v, want nothing", r, got)
		}
	}
}

func BenchmarkFold(b *testing.B) {
	s := strings.Repeat("MemoryBank lets a chatbot keep facts about its users — “long-term” memory. ", 1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Fold(s)
	}
}
