package wire

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestMany(t *testing.T) {
	for in, want := range map[string][]int{
		`{"a":[1,2]}`: {1, 2}, `{"a":3}`: {3}, `{"a":null}`: nil, `{}`: nil, `{"a":[1,"x",null,2]}`: {1, 0, 2}, `{"a":"x"}`: nil, `{"a":{}}`: nil,
	} {
		var v struct{ A Many[int] }
		if err := json.Unmarshal([]byte(in), &v); err != nil || !slices.Equal(v.A, want) {
			t.Errorf("%s: %v, %v, want %v", in, v.A, err, want)
		}
	}
}
