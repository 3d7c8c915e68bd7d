package screening

import "math"

// Latent semantic analysis (Deerwester et al. 1990) adds to each record where it
// stands among the main directions of the words of all records, so that records
// with other words for the same thing come near each other.
const (
	directions       = 50 // and at most this share of the records:
	directionShare   = 0.25
	directionsWeight = 0.4 // length of this part of a row; that of the words is 1
	sweeps           = 4   // of the subspace iteration; the directions need not be exact
)

// addDirections appends to every row its place among the main directions.
func (m *matrix) addDirections() {
	k := min(directions, int(directionShare*float64(len(m.rows))))
	if k < 2 {
		return
	}
	words := len(m.words)
	// v holds k numbers for each feature, which keeps what is used together
	// together. It begins with fixed pseudo-random numbers (xorshift64).
	v, seed := make([]float64, words*k), uint64(88172645463325252)
	for f := range words {
		if m.words[f] < 0 {
			continue // pairs repeat what their words say
		}
		for j := range k {
			seed ^= seed << 13
			seed ^= seed >> 7
			seed ^= seed << 17
			v[f*k+j] = float64(int64(seed)) / (1 << 63)
		}
	}
	orthogonal(v, k)
	at := make([]float64, k)
	for range sweeps {
		next := make([]float64, len(v))
		for _, row := range m.rows {
			m.project(row, v, at)
			for _, c := range row {
				if m.isWord(c) {
					to, w := next[int(c.feature)*k:][:k], float64(c.weight)
					for j, x := range at {
						to[j] += w * x
					}
				}
			}
		}
		v = next
		orthogonal(v, k)
	}
	for i, row := range m.rows {
		m.project(row, v, at)
		length := 0.0
		for _, x := range at {
			length += x * x
		}
		if length == 0 {
			continue
		}
		scale := directionsWeight / math.Sqrt(length)
		for j, x := range at {
			m.rows[i] = append(m.rows[i], cell{int32(m.features + j), float32(x * scale)})
		}
	}
	m.features += k
}

func (m *matrix) isWord(c cell) bool {
	return int(c.feature) < len(m.words) && m.words[c.feature] >= 0
}

// project gives the place of a row among the directions.
func (m *matrix) project(row []cell, v, at []float64) {
	k := len(at)
	clear(at)
	for _, c := range row {
		if m.isWord(c) {
			from, w := v[int(c.feature)*k:][:k], float64(c.weight)
			for j, x := range from {
				at[j] += w * x
			}
		}
	}
}

// orthogonal makes the k columns of v orthogonal and of length 1 (modified
// Gram-Schmidt). A column that depends on the earlier ones becomes zero.
func orthogonal(v []float64, k int) {
	for a := range k {
		length := columns(v, k, a, a)
		for b := range a {
			if d := columns(v, k, a, b); d != 0 {
				for f := 0; f < len(v); f += k {
					v[f+a] -= d * v[f+b]
				}
			}
		}
		left, scale := columns(v, k, a, a), 0.0
		if left > 1e-12*length && left > 0 {
			scale = 1 / math.Sqrt(left)
		}
		for f := 0; f < len(v); f += k {
			v[f+a] *= scale
		}
	}
}

// columns gives the product of two columns.
func columns(v []float64, k, a, b int) float64 {
	s := 0.0
	for f := 0; f < len(v); f += k {
		s += v[f+a] * v[f+b]
	}
	return s
}
