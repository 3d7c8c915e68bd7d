package screening

import (
	"math"
	"testing"
)

func TestOrthogonal(t *testing.T) {
	v := []float64{1, 2, 2, 3, 1, 4, 0, 5, 0, 2, 1, 4} // rows of three; the third column is twice the first
	for i := 0; i < len(v); i += 3 {
		v[i+2] = 2 * v[i]
	}
	orthogonal(v, 3)
	for a := range 3 {
		for b := range 3 {
			got, want := 0.0, 0.0
			for i := 0; i < len(v); i += 3 {
				got += v[i+a] * v[i+b]
			}
			if a == b && a < 2 {
				want = 1
			}
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("columns %d and %d: %g, want %g", a, b, got, want)
			}
		}
	}
}
