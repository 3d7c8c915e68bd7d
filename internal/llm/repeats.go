package llm

import (
	"bytes"
	"encoding/json"
)

// maxNesting is how deep repeats compares values; honest answers stay far above
// it.
const maxNesting = 100

// repeats looks for properties that occur twice in one object, which JSON allows
// and every reader reads differently. clash names the first one whose values
// differ, or whose object lies too deep to compare.
func repeats(raw []byte) (repeated bool, clash string) {
	if !anyRepeat(raw) {
		return false, ""
	}
	return true, findClash(raw, 0)
}

// anyRepeat tells in one pass whether any object has a name twice.
func anyRepeat(raw []byte) bool {
	d := json.NewDecoder(bytes.NewReader(raw))
	type level struct {
		names map[string]bool // nil for a list
		value bool            // a value comes next, not a name
	}
	var stack []level
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		top := len(stack) - 1
		name, isText := token.(string)
		switch {
		case token == json.Delim('}') || token == json.Delim(']'):
			stack = stack[:top]
			continue
		case top >= 0 && stack[top].names != nil && !stack[top].value && isText:
			if stack[top].names[name] {
				return true
			}
			stack[top].names[name] = true
			stack[top].value = true
			continue
		case top >= 0:
			stack[top].value = false
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, level{names: map[string]bool{}})
		case json.Delim('['):
			stack = append(stack, level{})
		}
	}
}

func findClash(raw json.RawMessage, depth int) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' && raw[0] != '[' {
		return ""
	}
	if depth > maxNesting {
		return "(too deep to compare)"
	}
	if raw[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return ""
		}
		for _, e := range list {
			if c := findClash(e, depth+1); c != "" {
				return c
			}
		}
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return ""
	}
	seen := map[string]string{}
	for d.More() {
		token, err := d.Token()
		name, ok := token.(string)
		var value json.RawMessage
		if err != nil || !ok || d.Decode(&value) != nil {
			return ""
		}
		if c := findClash(value, depth+1); c != "" {
			return c
		}
		var plain bytes.Buffer
		if json.Compact(&plain, value) != nil {
			return ""
		}
		if old, twice := seen[name]; twice && old != plain.String() {
			return name
		}
		seen[name] = plain.String()
	}
	return ""
}
