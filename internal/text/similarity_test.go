package text

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestSimilarity(t *testing.T) {
	cases := []struct {
		a, b string
		want float64
	}{
		{"", "", 1},
		{"a", "", 0},
		{"tide", "diet", 0.5}, // Python: 0.25 one way, 0.5 the other
		{"abcd", "bcde", 0.75},
		{"memory in agents", "memory for agents", 28.0 / 33},
		{"memory", "memory", 1},
		{"记忆机制", "记忆系统", 0.5},
	}
	for _, c := range cases {
		if got := Similarity(c.a, c.b); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("Similarity(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
	// R5 of the known cases: a look-up that returned another work.
	a, b := TitleKey("LoRA: Low-Rank Adaptation of Large Language Models"), TitleKey("LoRA Fine-Tuning of a 3B Code LLM for Algorithmic Efficiency")
	if got, ok := Similar(a, b, 0.93); ok || got >= 0.93 {
		t.Errorf("two different LoRA titles are %v similar", got)
	}
}

func TestSimilarityOfLongStrings(t *testing.T) {
	a := strings.Repeat("memory of agents ", 100)
	start := time.Now()
	got := Similarity(a+"x", a+"y")
	if got >= 1 || got < 0.99 {
		t.Errorf("Similarity of two long strings that differ at the end = %v", got)
	}
	if got := Similarity(a, a[:600]); got > 2*600.0/(600+float64(len(a)))+1e-9 {
		t.Errorf("a prefix is %v similar, more than its length allows", got)
	}
	Similarity(strings.Repeat("ab", 5000), strings.Repeat("ba", 5000)+"a")
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("long strings took %v", took)
	}
}

func FuzzSimilar(f *testing.F) {
	f.Add("tide", "diet", 0.4)
	f.Add("memory of agents", "agents with memory", 0.93)
	f.Add("记忆", "忆记x", 0.5)
	f.Fuzz(func(t *testing.T, a, b string, min float64) {
		if len(a) > 300 || len(b) > 300 {
			return
		}
		ab, ba := Similarity(a, b), Similarity(b, a)
		if ab != ba {
			t.Fatalf("Similarity(%q, %q) = %v, swapped %v", a, b, ab, ba)
		}
		if ab < 0 || ab > 1 || (ab == 1) != (string([]rune(a)) == string([]rune(b))) {
			t.Fatalf("Similarity(%q, %q) = %v", a, b, ab)
		}
		if min > 1 || min < 0 || min != min {
			return
		}
		got, ok := Similar(a, b, min)
		if ok != (ab >= min) {
			t.Fatalf("Similar(%q, %q, %v) = %v, %v; the similarity is %v", a, b, min, got, ok, ab)
		}
		if ok && got != ab || !ok && got < ab-rounding {
			t.Fatalf("Similar(%q, %q, %v) gives %v; the similarity is %v", a, b, min, got, ab)
		}
	})
}

func BenchmarkSimilar(b *testing.B) {
	x := TitleKey("How Memory Management Impacts LLM Agents: An Empirical Study of Experience-Following Behavior")
	y := TitleKey("Hierarchical Memory for High-Efficiency Long-Term Reasoning in LLM Agents")
	z := TitleKey("How Memory Management Impacts LLM Agents: An Empirical Study of Experience Following Behaviour")
	b.Run("far", func(b *testing.B) {
		for b.Loop() {
			Similar(x, y, 0.93)
		}
	})
	b.Run("near", func(b *testing.B) {
		for b.Loop() {
			Similar(x, z, 0.93)
		}
	})
}
