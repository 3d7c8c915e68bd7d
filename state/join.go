package state

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"
)

// joinMaps merges src into dst key by key and returns dst. The join of two
// values under one key decides; absent keys are taken over as they are.
func joinMaps[K cmp.Ordered, T any](dst, src map[K]T, join func(a, b T) T) map[K]T {
	if len(src) == 0 {
		return dst
	}
	if dst == nil {
		dst = make(map[K]T, len(src))
	}
	for k, v := range src {
		if old, ok := dst[k]; ok {
			dst[k] = join(old, v)
		} else {
			dst[k] = v
		}
	}
	return dst
}

// joinRevised is the join of two registers: the higher revision wins, equal
// revisions are ordered by their canonical bytes (never by position).
func joinRevised[T interface{ revision() int }](a, b T) T {
	if ra, rb := a.revision(), b.revision(); ra != rb {
		if ra > rb {
			return a
		}
		return b
	}
	return joinBytes(a, b)
}

// joinBytes keeps the value with more canonical bytes, ties by their order.
// It is the last resort where no field says which value knows more.
func joinBytes[T any](a, b T) T {
	x, y := canonical(a), canonical(b)
	switch {
	case len(x) != len(y):
		if len(x) > len(y) {
			return a
		}
		return b
	case string(x) >= string(y):
		return a
	default:
		return b
	}
}

// joinPointers applies a join to optional values; nil is the bottom.
func joinPointers[T any](a, b *T, join func(a, b T) T) *T {
	switch {
	case b == nil:
		return a
	case a == nil:
		v := *b
		return &v
	}
	v := join(*a, *b)
	return &v
}

func canonical(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		// Only values of this package get here, and they all encode: a NaN
		// or infinite score is refused where scores enter (see Clamp).
		return []byte(err.Error())
	}
	return b
}

// Union merges two sets of strings into a sorted set.
func Union(a, b []string) []string {
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	out := make([]string, 0, len(a)+len(b))
	out = append(append(out, a...), b...)
	sort.Strings(out)
	return slices.Compact(out)
}

// Keys returns the keys of a map in ascending order.
func Keys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Clamp brings a score into [0,1]; NaN becomes 0.
func Clamp(x float64) float64 {
	switch {
	case x != x || x < 0:
		return 0
	case x > 1:
		return 1
	}
	return x
}

func maxInt(a, b int) int { return max(a, b) }
