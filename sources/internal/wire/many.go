package wire

import "encoding/json"

// Many is a list; one value without its list counts as a list of one, and an
// element of another type is left out.
type Many[T any] []T

// UnmarshalJSON never fails.
func (m *Many[T]) UnmarshalJSON(b []byte) error {
	*m = nil
	var raws []json.RawMessage
	switch b[0] {
	case 'n':
		return nil
	case '[':
		if json.Unmarshal(b, &raws) != nil {
			return nil
		}
	default:
		raws = []json.RawMessage{b}
	}
	for _, raw := range raws {
		var v T
		if json.Unmarshal(raw, &v) == nil {
			*m = append(*m, v)
		}
	}
	return nil
}
