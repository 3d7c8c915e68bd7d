package llm

import (
	"strings"
	"testing"
)

func TestEstimateTokens(t *testing.T) {
	cases := []struct {
		name, text string
		want       int
	}{
		{"empty", "", 0},
		{"one letter", "a", 1},
		{"English, four runes a token", strings.Repeat("memory! ", 100), 200},
		{"white space is one rune", "a" + strings.Repeat(" \n", 500) + "bc", 1},
		{"Chinese, a rune a token", strings.Repeat("记忆", 50), 100},
		{"Japanese and Korean", "エージェント기억", 8},
		{"Cyrillic, two runes a token", strings.Repeat("память", 10), 30},
		{"accents are Latin", "éüßé", 1},
	}
	for _, c := range cases {
		if got := EstimateTokens(c.text); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func TestPromptCut(t *testing.T) {
	cases := []struct {
		name                     string
		least, context, reported int
		cached                   int
		want                     bool
	}{
		{"read whole", 6000, 32768, 5900, 0, false},
		{"more tokens than estimated", 6000, 32768, 9000, 0, false},
		{"6,000 tokens to a window of 4,096", 6000, 0, 4096, 0, true},
		{"6,000 tokens, 8,192 asked for, half of it given", 6000, 8192, 4096, 0, true},
		{"half of an odd window", 7000, 12000, 6000, 0, true},
		{"just below the brim", 6000, 0, 4050, 0, true},
		{"far under the estimate", 6000, 0, 2900, 0, true},
		{"the known window is full", 31000, 32768, 32700, 0, true},
		{"no report", 6000, 4096, 0, 0, false},
		{"short prompts are not judged", 900, 4096, 300, 0, false},
		{"near a usual window by chance", 4200, 32768, 4090, 0, false},
		{"a wordy estimate between windows", 6000, 32768, 4500, 0, false},
		{"far under, but cached tokens counted apart", 6000, 0, 3000, 2900, false},
		{"at the brim, some of it cached", 6000, 0, 4096, 400, true},
		{"half of the window by chance", 17000, 32768, 16384, 0, false},
	}
	for _, c := range cases {
		how, got := promptCut(c.least, c.context, Usage{Prompt: c.reported, Cached: c.cached})
		if got != c.want || got != (how != "") {
			t.Errorf("%s: promptCut(%d, %d, %d) = %q, %v; want %v", c.name, c.least, c.context, c.reported, how, got, c.want)
		}
	}
}
