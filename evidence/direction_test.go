package evidence

import (
	"strings"
	"testing"
)

func TestDirection(t *testing.T) {
	for claim, want := range map[string]int{
		"A-MEM improves recall on LoCoMo":                                    1,
		"A-MEM outperforms MemGPT on LoCoMo":                                 1,
		"MemGPT performs worse than A-MEM":                                   -1,
		"Long contexts degrade accuracy":                                     -1,
		"Memory reduces hallucination":                                       1,
		"Memory reduces the rate of hallucination":                           1,
		"Memory reduces accuracy":                                            -1,
		"Memory increases latency":                                           -1,
		"Latency increased by 20 % with memory":                              -1,
		"Error rates were lower with memory":                                 1,
		"Mortality was significantly higher in the control group":            -1,
		"Music improves pain":                                                1,
		"Memory slows cognitive decline":                                     1,
		"Higher vitamin D is associated with lower mortality":                1,
		"Patients with low vitamin D had a higher risk of death":             -1,
		"Retrieval does not improve accuracy":                                0,
		"No significant difference in pain was found":                        0,
		"There was no significant difference between groups in the decrease": 0,
		"Memory improves recall but increases latency":                       0,
		"Memory improves recall without increasing latency":                  1,
		"Memory not only improves recall but also reduces cost":              1,
		"Despite a higher cost, memory improves recall":                      1,
		"Pruning fails to reduce latency":                                    0,
		"We tested more than 20 agents":                                      0,
		"Growth factor receptors in the lower limb":                          0,
		"Accuracy increases over time":                                       1,
		"Caching reduces response time":                                      1,
		"Agents store notes":                                                 0,
		"":                                                                   0,
		"记忆提高了准确率":                                                           0,
	} {
		if got := Direction(claim); got != want {
			t.Errorf("Direction(%q) = %+d, want %+d", claim, got, want)
		}
	}
}

func TestNegated(t *testing.T) {
	for claim, want := range map[string]bool{
		"Memory does not improve recall":          true,
		"Memory doesn’t improve recall":           true,
		"Memory doesn't improve recall":           true,
		"Memory cannot help":                      true,
		"No effect was seen":                      true,
		"Memory fails to improve recall":          true,
		"Memory is ineffective":                   true,
		"Recall is independent of memory":         true,
		"Neither method helped":                   true,
		"Memory improves recall":                  false,
		"Memory not only helps recall":            false,
		"Agents without memory perform worse":     false,
		"Models in the T cell setting improve":    false,
		"A noteworthy notion of knots and nodes":  false,
		"The can-do attitude of agents":           false,
		"":                                        false,
		strings.Repeat("Memory helps. ", 100_000): false,
	} {
		if got := Negated(claim); got != want {
			t.Errorf("Negated(%.60q) = %v, want %v", claim, got, want)
		}
	}
}

// Less of the condition with more of the outcome is one relation with its
// mirror image.
func TestRelation(t *testing.T) {
	for _, c := range []struct {
		a, b    string
		opposed bool
	}{
		{"Higher vitamin D is associated with lower mortality", "Lower vitamin D is associated with higher mortality", false},
		{"Higher vitamin D is associated with lower mortality", "Higher vitamin D is associated with higher mortality", true},
		{"PPM1D activation enhances p53 function", "PPM1D activation suppresses p53 function", true},
		{"PPM1D inhibition enhances p53 function", "PPM1D activation enhances p53 function", true},
		{"Memory improves recall", "Memory has no effect on recall", true},
		{"Memory improves recall", "Memory improves recall but not latency", false},
		{"Birth weight is positively associated with breast cancer", "Birth weight is negatively associated with breast cancer", true},
	} {
		x, y := readStance(c.a), readStance(c.b)
		if x.opposed(y) != c.opposed || y.opposed(x) != c.opposed {
			t.Errorf("%q, %q: opposed %v, %v; want %v\n%+v\n%+v", c.a, c.b, x.opposed(y), y.opposed(x), c.opposed, x, y)
		}
	}
}

func FuzzDirection(f *testing.F) {
	f.Add("Despite higher cost, memory not only improves recall than without")
	f.Add("no no no t t 't fail to more than 3 lower-limb - -")
	f.Fuzz(func(t *testing.T, s string) {
		if d := Direction(s); d < -1 || d > 1 {
			t.Fatalf("Direction(%q) = %d", s, d)
		}
		Negated(s)
		anaphoric(s)
	})
}
