package llm

import "math"

// Usage is an account of calls. The zero value is "nothing used".
type Usage struct {
	Calls   int // requests answered or failed after they were sent
	Prompt  int // prompt tokens, cached ones included
	Cached  int // those of Prompt that the server read from its cache
	Written int // those of Prompt that the server wrote to its cache, where it charges for that
	Output  int // answer tokens, reasoning included
	Micros  int64
	// Micros is in millionths of a US dollar. It is the whole cost only if
	// PriceKnown; otherwise it covers the priced calls alone and says nothing
	// about the others.
	PriceKnown bool
}

// Tokens makes the Usage of one call. It is the one place where the wires are
// made alike: prompt must include cached tokens (a provider whose server counts
// them apart adds them first); if cached is the larger all the same, the server
// did count them apart and they are added here. Negative counts are 0.
func Tokens(prompt, cached, output int) Usage {
	prompt, cached, output = max(prompt, 0), max(cached, 0), max(output, 0)
	if cached > prompt {
		prompt += cached
	}
	return Usage{Calls: 1, Prompt: prompt, Cached: cached, Output: output}
}

// Add sums two accounts. It is associative and commutative with the zero Usage
// as neutral element; the sum's price is known only if both prices are.
func (u Usage) Add(v Usage) Usage {
	switch {
	case u.empty():
		return v
	case v.empty():
		return u
	}
	return Usage{
		Calls:      u.Calls + v.Calls,
		Prompt:     u.Prompt + v.Prompt,
		Cached:     u.Cached + v.Cached,
		Written:    u.Written + v.Written,
		Output:     u.Output + v.Output,
		Micros:     u.Micros + v.Micros,
		PriceKnown: u.PriceKnown && v.PriceKnown,
	}
}

func (u Usage) empty() bool {
	u.PriceKnown = false
	return u == Usage{}
}

// Price is in US dollars per million tokens. Cached 0 and Written 0 mean "as
// Prompt". A prompt of more than LongFrom tokens costs Long instead, the
// answer included; LongFrom 0 = all prompts cost the same.
type Price struct {
	Prompt, Cached, Written, Output float64

	LongFrom int
	Long     *Price
}

// Cost returns u with its cost under p. A nil p leaves the price unknown.
// One dollar per million tokens is one micro-dollar per token, so
// cost = (prompt − cached − written)·Prompt + cached·Cached + written·Written +
// output·Output. u must be one call's where the price has a long tier.
func (p *Price) Cost(u Usage) Usage {
	if p == nil {
		u.Micros, u.PriceKnown = 0, false
		return u
	}
	if p.Long != nil && p.LongFrom > 0 && u.Prompt > p.LongFrom {
		return p.Long.Cost(u)
	}
	cached, written := p.Cached, p.Written
	if cached == 0 {
		cached = p.Prompt
	}
	if written == 0 {
		written = p.Prompt
	}
	sum := float64(u.Prompt-u.Cached-u.Written)*p.Prompt + float64(u.Cached)*cached + float64(u.Written)*written + float64(u.Output)*p.Output
	u.Micros, u.PriceKnown = int64(math.Round(sum)), true
	return u
}
