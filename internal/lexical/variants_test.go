package lexical

import (
	"slices"
	"testing"
)

func TestVariants(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"AI", []string{"artificial intelligence"}},
		{"large language models", []string{"llm"}},
		{"memory", nil},
		{"", nil},
	} {
		if got := Variants(c.in); !slices.Equal(got, c.want) {
			t.Errorf("Variants(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}
