package text

import (
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/pmezard/go-difflib/difflib"
)

// longestCompared is the number of characters up to which two strings are
// compared in full; the matcher takes quadratic time.
const longestCompared = 512

// rounding keeps a bound that equals the threshold from rejecting a pair.
const rounding = 1e-9

// Similarity gives the Ratcliff/Obershelp similarity of two strings in [0,1]:
// twice the matched characters over the characters of both, as Python's
// difflib.SequenceMatcher.ratio gives it without its popularity heuristic. That
// ratio depends on the order of its arguments ("tide" and "diet" give 0.25 or
// 0.5), so the larger of both orders is taken. Two empty strings have
// similarity 1.
//
// Characters are compared as they are: fold first. Of strings longer than 512
// characters only the first 512 are matched, and the lengths in full bound the
// result; two different strings never reach 1.
func Similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	x, y := []rune(a), []rune(b)
	bound := lengthBound(len(x), len(y))
	if bound == 0 {
		return 0
	}
	p, q := split(x), split(y)
	r := max(ratio(p, q), ratio(q, p))
	if len(x) > longestCompared || len(y) > longestCompared {
		r = min(r, bound, 1-1/float64(len(x)+len(y)))
	}
	return r
}

// Similar reports whether two strings are at least min similar, with their
// [Similarity]. Pairs that cannot reach min are told from cheap upper bounds,
// and then the value is such a bound (below min), not the similarity.
func Similar(a, b string, min float64) (float64, bool) {
	if a == b {
		return 1, 1 >= min
	}
	x, y := []rune(a), []rune(b)
	if bound := lengthBound(len(x), len(y)); bound < min-rounding {
		return bound, false
	}
	if len(x) <= longestCompared && len(y) <= longestCompared {
		if bound := commonBound(x, y); bound < min-rounding {
			return bound, false
		}
		// A match of m characters is a common subsequence, so the edit distance is
		// at most len(x)+len(y)-2m, and the ratio at most one minus its share.
		total := float64(len(x) + len(y))
		if bound := 1 - float64(levenshtein.ComputeDistance(a, b))/total; bound < min-rounding {
			return bound, false
		}
	}
	r := Similarity(a, b)
	return r, r >= min
}

// lengthBound is the ratio of two strings of which one contains the other.
func lengthBound(a, b int) float64 {
	if a+b == 0 {
		return 1
	}
	return 2 * float64(min(a, b)) / float64(a+b)
}

// commonBound is the ratio if all common characters could be matched.
func commonBound(x, y []rune) float64 {
	counts := make(map[rune]int, len(x))
	for _, r := range x {
		counts[r]++
	}
	common := 0
	for _, r := range y {
		if counts[r] > 0 {
			counts[r]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(x)+len(y))
}

func split(r []rune) []string {
	return strings.Split(string(r[:min(len(r), longestCompared)]), "")
}

func ratio(a, b []string) float64 {
	return difflib.NewMatcherWithJunk(a, b, false, nil).Ratio()
}
