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
	words := m.wordCount()
	// v holds k numbers for each feature, which keeps what is used together
	// together. It begins with fixed pseudo-random numbers (xorshift64).
	v, seed := make([]float64, words*k), uint64(88172645463325252)
	for f := range words {
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
				if int(c.feature) < words {
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

// wordCount gives the number of features that are words. They come first; pairs
// would only repeat what their words say.
func (m *matrix) wordCount() int {
	n := 0
	for n < len(m.words) && m.words[n] >= 0 {
		n++
	}
	return n
}

// project gives the place of a row among the directions.
func (m *matrix) project(row []cell, v, at []float64) {
	k := len(at)
	clear(at)
	for _, c := range row {
		if int(c.feature)*k < len(v) {
			from, w := v[int(c.feature)*k:][:k], float64(c.weight)
			for j, x := range from {
				at[j] += w * x
			}
		}
	}
}

// orthogonal makes the k columns of v orthogonal and of length 1, by the Cholesky
// factor of their products. A column that depends on the earlier ones becomes
// zero.
func orthogonal(v []float64, k int) {
	l := make([]float64, k*k) // the products, then the factor, in the lower half
	for f := 0; f < len(v); f += k {
		row := v[f : f+k]
		for a, x := range row {
			if x != 0 {
				to := l[a*k:][:a+1]
				for b := range to {
					to[b] += x * row[b]
				}
			}
		}
	}
	inverse := make([]float64, k) // of the diagonal; 0 for a dependent column
	for a := range k {
		whole := l[a*k+a]
		for b := range a + 1 {
			s := l[a*k+b]
			for c := range b {
				s -= l[a*k+c] * l[b*k+c]
			}
			switch {
			case b < a:
				l[a*k+b] = s * inverse[b]
			case s > 1e-12*whole:
				inverse[a] = 1 / math.Sqrt(s)
			}
		}
	}
	for f := 0; f < len(v); f += k {
		row := v[f : f+k]
		for a := range row {
			s := row[a]
			for b := range a {
				s -= l[a*k+b] * row[b]
			}
			row[a] = s * inverse[a]
		}
	}
}
