package screening

import (
	"math"
	"slices"
)

// Advice says whether to go on.
type Advice string

// The advices.
const (
	GoOn     Advice = "go on"     // much may be left
	Probably Advice = "probably"  // all signs say that little is left, but it is not shown
	Enough   Advice = "enough"    // shown with the confidence asked for
	AllRead  Advice = "all read"  // nothing is left to read
	TooEarly Advice = "too early" // too little was read to say anything
)

// Target is what is asked of the search for the included records.
const (
	targetRecall = 0.95 // share of the included records to be found
	doubt        = 0.05 // chance to be wrong about it that is accepted

	earliest    = 30 // records read before anything is said
	dryShare    = 0.05
	dryLeast    = 50 // records read since the last find for the weaker advice: the greater of both
	windowsKept = 40
)

// Estimate says what is still to find after a part of the records was read.
// Shares are of all included records, found and not; all are in [0,1].
type Estimate struct {
	Records, Read, Found int
	SinceLast            int // read since the last find

	Left         int // included records still to find, the likely number
	LeftMost     int // and the most that the decisions are consistent with, at 95 % confidence
	MissingShare float64
	MissingMost  float64

	Advice Advice
}

// Judge estimates what is left. found tells, in the order of reading, which
// records were included; records is the number of all.
//
// The upper bound is the greatest number left that no stretch of reading speaks
// against: for the records read since each find it takes the hypergeometric
// chance of so few finds (Callaghan and Müller-Hansen 2020). It takes an order
// no better than chance, so a useful one makes it cautious. The likely number
// continues the finds as a process whose rate falls exponentially.
func Judge(found []bool, records int) Estimate {
	e := Estimate{Records: records, Read: len(found)}
	var at []int // number of records read before each find
	for i, f := range found {
		if f {
			at = append(at, i)
		}
	}
	e.Found, e.SinceLast = len(at), e.Read
	if e.Found > 0 {
		e.SinceLast = e.Read - at[e.Found-1] - 1
	}
	unread := max(records-e.Read, 0)
	e.LeftMost = mostLeft(at, e.Read, records, doubt)
	e.Left = min(likelyLeft(at, e.Read, unread), e.LeftMost)
	share := func(left int) float64 {
		if left == 0 {
			return 0
		}
		return float64(left) / float64(left+e.Found)
	}
	e.MissingShare, e.MissingMost = share(e.Left), share(e.LeftMost)
	switch {
	case unread == 0:
		e.Advice = AllRead
	case e.Read < earliest || e.Found == 0:
		e.Advice = TooEarly
	case e.MissingMost <= 1-targetRecall:
		e.Advice = Enough
	case e.MissingShare <= 1-targetRecall && e.SinceLast >= max(dryLeast, int(math.Ceil(dryShare*float64(records)))):
		e.Advice = Probably
	default:
		e.Advice = GoOn
	}
	return e
}

// mostLeft gives the greatest number of included records among the unread ones
// that every stretch of reading leaves a chance above doubt.
func mostLeft(at []int, read, records int, doubt float64) int {
	unread := max(records-read, 0)
	// The stretches begin after a find, where the case against is strongest.
	starts := []int{0}
	for _, a := range at[max(0, len(at)-windowsKept):] {
		starts = append(starts, a+1)
	}
	consistent := func(left int) bool {
		for _, s := range starts {
			i, _ := slices.BinarySearch(at, s)
			k := len(at) - i
			if atMost(k, records-s, k+left, read-s) <= doubt {
				return false
			}
		}
		return true
	}
	lo, hi := 0, unread
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if consistent(mid) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

// atMost gives the chance of at most k marked ones in a sample of n from a
// population that has marked of them (hypergeometric distribution).
func atMost(k, population, marked, n int) float64 {
	total := choose(population, n)
	sum := 0.0
	for x := max(0, n-(population-marked)); x <= min(k, n, marked); x++ {
		sum += math.Exp(choose(marked, x) + choose(population-marked, n-x) - total)
	}
	return min(sum, 1)
}

// choose gives the logarithm of a binomial coefficient.
func choose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// likelyLeft continues the finds into the unread records. The rate of the
// exponential is the one of greatest likelihood, which the mean place of the
// finds tells.
func likelyLeft(at []int, read, unread int) int {
	if len(at) == 0 || read == 0 {
		return 0
	}
	mean := 0.0
	for _, a := range at {
		mean += (float64(a) + 0.5) / float64(read)
	}
	mean /= float64(len(at))
	rest := float64(unread) / float64(read)
	expected := float64(len(at)) * rest
	if mean < 0.5 {
		// The mean place of an exponential with rate r, cut at 1, is 1/r - 1/(e^r - 1).
		lo, hi := 1e-6, 1e4
		for range 100 {
			r := (lo + hi) / 2
			if 1/r-1/math.Expm1(r) > mean {
				lo = r
			} else {
				hi = r
			}
		}
		r := (lo + hi) / 2
		expected = float64(len(at)) * math.Exp(-r) * -math.Expm1(-r*rest) / -math.Expm1(-r)
	}
	return min(int(math.Round(expected)), unread)
}
