package llm

import (
	"testing"

	"pgregory.net/rapid"
)

func TestCost(t *testing.T) {
	cases := []struct {
		name  string
		price *Price
		use   Usage
		want  int64
		known bool
	}{
		{"nothing cached", &Price{Prompt: 2.5, Cached: 1.25, Output: 10}, Tokens(1_000_000, 0, 100_000), 3_500_000, true},
		{"cached tokens are cheaper", &Price{Prompt: 2.5, Cached: 1.25, Output: 10}, Tokens(1000, 800, 100), 2500, true}, // 200·2.5 + 800·1.25 + 100·10
		{"no price for cached: as prompt", &Price{Prompt: 2, Output: 8}, Tokens(1000, 800, 0), 2000, true},
		{"rounded once", &Price{Prompt: 0.15, Output: 0.6}, Tokens(7, 0, 1), 2, true}, // 1.65
		{"a local model is free and known to be", &Price{}, Tokens(1000, 0, 100), 0, true},
		{"unknown is not zero", nil, Tokens(1000, 0, 100), 0, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := c.price.Cost(c.use)
			if got.Micros != c.want || got.PriceKnown != c.known {
				t.Errorf("got %d µ$, known %v; want %d, %v", got.Micros, got.PriceKnown, c.want, c.known)
			}
			if got.Prompt != c.use.Prompt || got.Output != c.use.Output || got.Calls != 1 {
				t.Errorf("the tokens changed: %+v", got)
			}
		})
	}
}

func TestTokens(t *testing.T) {
	cases := []struct {
		prompt, cached, output int
		want                   Usage
	}{
		{100, 40, 7, Usage{Calls: 1, Prompt: 100, Cached: 40, Output: 7}},
		{3, 5000, 7, Usage{Calls: 1, Prompt: 5003, Cached: 5000, Output: 7}}, // counted apart
		{-1, -2, -3, Usage{Calls: 1}},
	}
	for _, c := range cases {
		if got := Tokens(c.prompt, c.cached, c.output); got != c.want {
			t.Errorf("Tokens(%d, %d, %d) = %+v, want %+v", c.prompt, c.cached, c.output, got, c.want)
		}
	}
}

func TestUsageAddLaws(t *testing.T) {
	usage := rapid.Custom(func(t *rapid.T) Usage {
		if rapid.Bool().Draw(t, "none") {
			return Usage{}
		}
		u := Tokens(rapid.IntRange(0, 9).Draw(t, "prompt"), rapid.IntRange(0, 9).Draw(t, "cached"), rapid.IntRange(0, 9).Draw(t, "output"))
		if rapid.Bool().Draw(t, "priced") {
			return (&Price{Prompt: 1, Output: 2}).Cost(u)
		}
		return u
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := usage.Draw(t, "a"), usage.Draw(t, "b"), usage.Draw(t, "c")
		if a.Add(b) != b.Add(a) {
			t.Fatalf("not commutative: %+v, %+v", a, b)
		}
		if a.Add(b).Add(c) != a.Add(b.Add(c)) {
			t.Fatalf("not associative: %+v, %+v, %+v", a, b, c)
		}
		if a.Add(Usage{}) != a {
			t.Fatalf("the zero usage is not neutral to %+v", a)
		}
		if sum := a.Add(b); a.Calls > 0 && b.Calls > 0 && sum.PriceKnown != (a.PriceKnown && b.PriceKnown) {
			t.Fatalf("the price of %+v counts as known: %v", sum, sum.PriceKnown)
		}
	})
}
