package screening

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestHypergeometric(t *testing.T) {
	// 5 of 20 marked, a sample of 6: P(0) = C(15,6)/C(20,6) = 5005/38760.
	if got, want := atMost(0, 20, 5, 6), 5005.0/38760; math.Abs(got-want) > 1e-12 {
		t.Errorf("P(X ≤ 0) = %g, want %g", got, want)
	}
	if got := atMost(5, 20, 5, 6); math.Abs(got-1) > 1e-12 {
		t.Errorf("P(X ≤ 5) = %g", got)
	}
	if got := atMost(0, 20, 20, 3); got != 0 {
		t.Errorf("none of three from a population of marked ones: %g", got)
	}
}

// reading makes the finds of a reading: places count from 1.
func reading(read int, found ...int) []bool {
	out := make([]bool, read)
	for _, f := range found {
		out[f-1] = true
	}
	return out
}

func upTo(n int) []int {
	var out []int
	for i := range n {
		out = append(out, i+1)
	}
	return out
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name    string
		found   []bool
		records int
		want    Advice
	}{
		{"nothing read", nil, 1000, TooEarly},
		{"nothing found", reading(200), 1000, TooEarly},
		{"the first finds", reading(40, 1, 2, 5, 9, 20, 39), 1000, GoOn},
		{"found all along", reading(500, 10, 110, 210, 310, 410, 490), 1000, GoOn},
		{"dry for long, not shown", reading(200, upTo(40)...), 1000, Probably},
		{"dry for very long", reading(900, upTo(100)...), 1000, Enough},
		{"read to the end", reading(100, 100), 100, AllRead},
		{"more decisions than records", reading(5, 1), 3, AllRead},
	} {
		e := Judge(c.found, c.records)
		if e.Advice != c.want {
			t.Errorf("%s: %q, want %q (%+v)", c.name, e.Advice, c.want, e)
		}
	}
	// Read at random, one find in ten: a tenth of what is left is likely.
	var every []int
	for i := range 20 {
		every = append(every, 10*i+5)
	}
	if e := Judge(reading(200, every...), 1000); e.Left < 70 || e.Left > 90 || e.LeftMost < e.Left || e.LeftMost > 200 {
		t.Errorf("one in ten: %+v", e)
	}
}

func TestJudgeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		found := rapid.SliceOfN(rapid.Bool(), 0, 80).Draw(t, "found")
		records := rapid.IntRange(len(found), 300).Draw(t, "records")
		e := Judge(found, records)
		unread := records - len(found)
		if e.Left < 0 || e.Left > e.LeftMost || e.LeftMost > unread || e.MissingShare < 0 || e.MissingMost > 1 || e.MissingShare > e.MissingMost {
			t.Fatalf("%+v", e)
		}
		// One more record read in vain never makes more possible.
		if more := Judge(append(found, false), records+0); unread > 0 && more.LeftMost > e.LeftMost {
			t.Fatalf("at most %d, and %d after a record that was excluded", e.LeftMost, more.LeftMost)
		}
	})
}
