package screening

// machine is a linear support vector machine with squared hinge loss, solved by
// dual coordinate descent (Hsieh et al. 2008). It starts from where it stood
// before, so that one more decision costs a few passes.
type machine struct {
	w     []float64
	bias  float64
	alpha []float64 // by the key of an example
}

// example is a vector with its label, +1 or -1, and what an error on it costs.
type example struct {
	key  int // the same in every call
	row  []cell
	y    float64
	cost float64
}

// settled is the step below which another pass changes nothing that matters.
const settled = 1e-3

func newMachine(features, examples int) *machine {
	return &machine{w: make([]float64, features), alpha: make([]float64, examples)}
}

// fit makes at most passes passes over the examples.
func (v *machine) fit(examples []example, passes int) {
	for range passes {
		moved := 0.0
		for _, e := range examples {
			a, d := v.alpha[e.key], 1/(2*e.cost)
			next := max(a-(e.y*v.score(e.row)-1+d*a)/(1+norm(e.row)+d), 0) // 1 is the bias's
			if step := next - a; step != 0 {
				v.move(e, step)
				moved = max(moved, step, -step)
			}
		}
		if moved < settled {
			break
		}
	}
}

// drop takes an example out of the solution.
func (v *machine) drop(e example) {
	if a := v.alpha[e.key]; a != 0 {
		v.move(e, -a)
	}
}

func (v *machine) move(e example, step float64) {
	v.alpha[e.key] += step
	for _, c := range e.row {
		v.w[c.feature] += step * e.y * float64(c.weight)
	}
	v.bias += step * e.y
}

// norm gives the squared length of a row.
func norm(row []cell) float64 {
	s := 0.0
	for _, c := range row {
		s += float64(c.weight) * float64(c.weight)
	}
	return s
}

// score gives the side of a row and its distance from the border.
func (v *machine) score(row []cell) float64 { return dot(row, v.w) + v.bias }
