package wire

import (
	"encoding/json"
	"strings"
)

// Text is a string; anything else is "".
type Text string

// UnmarshalJSON never fails.
func (t *Text) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*t = Text(s)
	}
	return nil
}

// Count is a number of tokens; anything else is 0.
type Count int

// UnmarshalJSON never fails.
func (c *Count) UnmarshalJSON(raw []byte) error {
	var f float64
	if json.Unmarshal(raw, &f) == nil && f > 0 && f < 1e12 {
		*c = Count(f)
	}
	return nil
}

// WithDemand adds the schema in words to the system prompt, for modes in which
// the server does not enforce it.
func WithDemand(system, demand string) string {
	return strings.TrimSpace(system + "\n\n" + demand)
}

// ToolName keeps what the wires allow in the name of a schema or tool:
// letters, digits, _ and -, at most 64.
func ToolName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if b.Len() == 64 {
			break
		}
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	if strings.Trim(b.String(), "_") == "" {
		return "answer"
	}
	return b.String()
}
