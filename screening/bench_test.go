package screening

import (
	"fmt"
	"strings"
	"testing"
)

// many makes records of words that are as frequent as those of a language: the
// k-th word in proportion to 1/k.
func many(n int) []Record {
	const vocabulary, length = 30000, 160
	seed := uint64(1)
	next := func() float64 {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		return float64(seed>>11) / (1 << 53)
	}
	out := make([]Record, n)
	for i := range out {
		var b strings.Builder
		for range length {
			// Inverse of the distribution function of 1/k, roughly.
			k := 1
			for u := next(); u > 0.06 && k < vocabulary; u = next() {
				k += 1 + int(float64(k)*u)
			}
			fmt.Fprintf(&b, "word%d ", k)
		}
		out[i] = Record{ID: fmt.Sprintf("r%05d", i), Title: fmt.Sprintf("word%d word%d word%d", i%97, i%89, i%11), Abstract: b.String(), Year: 1990 + i%30}
	}
	return out
}

// One decision and the next record from the new order, with 20,000 records.
func BenchmarkDecision(b *testing.B) {
	c := NewCorpus(many(20_000))
	rv := Review{Question: "word3 word5"}
	l := NewLearner(c, rv, Rank(c, rv, Options{}), 0)
	n := 0
	for b.Loop() {
		id, ok := l.Next()
		if !ok {
			b.Fatal("all are read")
		}
		v := Exclude
		if n++; n%5 == 0 {
			v = Include
		}
		l.Learn(id, v)
	}
}

func BenchmarkIndex(b *testing.B) {
	records := many(20_000)
	for b.Loop() {
		NewCorpus(records)
	}
}

func BenchmarkJudge(b *testing.B) {
	found := make([]bool, 10_000)
	for i := range found {
		found[i] = i%37 == 0
	}
	for b.Loop() {
		Judge(found, 20_000)
	}
}
