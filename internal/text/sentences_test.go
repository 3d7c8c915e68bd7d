package text

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func sentenceTexts(s string) []string {
	var out []string
	for _, span := range Sentences(s) {
		out = append(out, s[span.Start:span.End])
	}
	return out
}

func TestSentences(t *testing.T) {
	cases := []struct {
		name, in string
		want     []string
	}{
		{"empty", " \n ", nil},
		{"two", "We show it. It works!", []string{"We show it.", "It works!"}},
		{"no terminator", "A title without period", []string{"A title without period"}},
		{"et al.", "As Park et al. showed, agents plan. Smith et al. (2020) agree.", []string{"As Park et al. showed, agents plan.", "Smith et al. (2020) agree."}},
		{"et al. at the end", "This follows Park et al. The rest differs.", []string{"This follows Park et al.", "The rest differs."}},
		{"latin", "Some, e.g. MemGPT, i.e. Letta, cf. Fig. 2 vs. Sec. 3, differ. Others do not.", []string{"Some, e.g. MemGPT, i.e. Letta, cf. Fig. 2 vs. Sec. 3, differ.", "Others do not."}},
		{"titles and initials", "Dr. J. R. Smith met Prof. Lee. They spoke.", []string{"Dr. J. R. Smith met Prof. Lee.", "They spoke."}},
		{"letter at the end", "Rats got vitamin C. The rest did not.", []string{"Rats got vitamin C.", "The rest did not."}},
		{"decimals", "Recall rose by 3.5 points (p < .05). Cost fell.", []string{"Recall rose by 3.5 points (p < .05).", "Cost fell."}},
		{"number before", "See No. 5 of the series. There is no. Really.", []string{"See No. 5 of the series.", "There is no.", "Really."}},
		{"etc.", "Cats, dogs, etc. were used. Birds, etc. The end.", []string{"Cats, dogs, etc. were used.", "Birds, etc.", "The end."}},
		{"country", "In the U.S. Congress it passed. He left the U.S. The bill failed.", []string{"In the U.S. Congress it passed.", "He left the U.S.", "The bill failed."}},
		{"quote at the end", "She said “stop.” Then she left.", []string{"She said “stop.”", "Then she left."}},
		{"parentheses", "It rose (see Table 2). It fell.", []string{"It rose (see Table 2).", "It fell."}},
		{"wrapped lines", "We propose a\nmemory for agents\nthat learn. It\nworks.", []string{"We propose a\nmemory for agents\nthat learn.", "It\nworks."}},
		{"paragraphs", "A heading\n\nThe text follows. \n \nMore", []string{"A heading", "The text follows.", "More"}},
		{"lost space", "It improves performance.We propose more.NSAID use fell. See Node.Js and example.Com.", []string{"It improves performance.", "We propose more.", "NSAID use fell.", "See Node.Js and example.Com."}},
		{"numbered heading", "1. Introduction to memory. Next.", []string{"1. Introduction to memory.", "Next."}},
		{"structured abstract", "BACKGROUND: Little is known. RESULTS: We found 12.", []string{"BACKGROUND: Little is known.", "RESULTS: We found 12."}},
		{"Chinese", "我们提出了一种方法。它有效吗？是的！", []string{"我们提出了一种方法。", "它有效吗？", "是的！"}},
		{"Japanese", "記憶を提案する。評価した。", []string{"記憶を提案する。", "評価した。"}},
		{"Arabic", "هل يعمل؟ نعم.", []string{"هل يعمل؟", "نعم."}},
		{"non-ASCII word before the period", "Das ist für Bjørn Måneø. Er geht.", []string{"Das ist für Bjørn Måneø.", "Er geht."}},
		{"en dash before an abbreviation", "Study–e.g. Park–is old. New one.", []string{"Study–e.g. Park–is old.", "New one."}},
	}
	for _, c := range cases {
		if d := cmp.Diff(c.want, sentenceTexts(c.in)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func FuzzSentences(f *testing.F) {
	for _, s := range []string{"A. B et al. C\n\nD", "1. x.The y", "\xff. Å. ", "。！a", strings.Repeat("- ", 200) + "a."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		var kept strings.Builder
		for _, span := range Sentences(s) {
			if span.Start < end || span.End <= span.Start || span.End > len(s) {
				t.Fatalf("Sentences(%q) has the range %v after %d", s, span, end)
			}
			if strings.TrimSpace(s[end:span.Start]) != "" {
				t.Fatalf("Sentences(%q) loses %q", s, s[end:span.Start])
			}
			part := s[span.Start:span.End]
			if strings.TrimSpace(part) != part {
				t.Fatalf("sentence %q is not trimmed", part)
			}
			kept.WriteString(part)
			end = span.End
		}
		if strings.TrimSpace(s[end:]) != "" {
			t.Fatalf("Sentences(%q) loses its end %q", s, s[end:])
		}
	})
}

func TestSentencesHostileInputIsQuick(t *testing.T) {
	const n = 200_000
	for _, part := range []string{". ", ".) ", " ", ")", "1 ", ". 1", "a.", "A. ", "\n", "e.g. ", ".\n", "。"} {
		s := "Start. " + strings.Repeat(part, n/len(part)) + " end"
		start := time.Now()
		Sentences(s)
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("Sentences of %d bytes of %q took %v", len(s), part, took)
		}
	}
}

func BenchmarkSentences(b *testing.B) {
	s := strings.Repeat("MemoryBank, cf. Park et al. (2023), lets a chatbot keep 3.5 facts. The gain is large. ", 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Sentences(s)
	}
}
