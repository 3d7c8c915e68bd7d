package llm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// mend puts right, in place, what needs no judgement: properties that the schema
// does not have are dropped, and a value outside an enum becomes the one member
// that RepairID finds in it. It succeeds only if the schema accepts the result.
func (v *validator) mend(value any, refusal *jsonschema.ValidationError) (notes []string, ok bool) {
	for _, leaf := range leaves(refusal, nil) {
		var note string
		switch k := leaf.ErrorKind.(type) {
		case *kind.AdditionalProperties:
			note = dropProperties(value, leaf.InstanceLocation, k.Properties)
		case *kind.Enum:
			note = readEnum(value, leaf.InstanceLocation, k)
		}
		if note == "" {
			return nil, false
		}
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	slices.Sort(notes)
	return notes, len(notes) > 0 && v.check(value) == nil
}

// leaves are the errors without causes. A branch of several alternatives is a
// leaf itself: which alternative was meant is not for us to say.
func leaves(e *jsonschema.ValidationError, out []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Not:
		return append(out, e)
	}
	if len(e.Causes) == 0 {
		return append(out, e)
	}
	for _, c := range e.Causes {
		out = leaves(c, out)
	}
	return out
}

func dropProperties(root any, path []string, names []string) string {
	object, ok := at(root, path).(map[string]any)
	if !ok {
		return ""
	}
	names = slices.Clone(names)
	slices.Sort(names)
	for _, n := range names {
		delete(object, n)
	}
	return "ignored what the schema does not have: " + clip(strings.Join(names, ", "), 80)
}

func readEnum(root any, path []string, k *kind.Enum) string {
	got, ok := k.Got.(string)
	if !ok || len(path) == 0 {
		return ""
	}
	var members []string
	for _, m := range k.Want {
		if s, ok := m.(string); ok {
			members = append(members, s)
		}
	}
	want, ok := RepairID(got, members)
	if !ok {
		return ""
	}
	last := path[len(path)-1]
	switch parent := at(root, path[:len(path)-1]).(type) {
	case map[string]any:
		parent[last] = want
	case []any:
		i, ok := index(last, len(parent))
		if !ok {
			return ""
		}
		parent[i] = want
	default:
		return ""
	}
	return fmt.Sprintf("read %q as %q", clip(got, 60), want)
}

// at follows a path of property names and indexes, nil if it leads nowhere.
func at(value any, path []string) any {
	for _, step := range path {
		switch x := value.(type) {
		case map[string]any:
			value = x[step]
		case []any:
			i, ok := index(step, len(x))
			if !ok {
				return nil
			}
			value = x[i]
		default:
			return nil
		}
	}
	return value
}

func index(step string, n int) (int, bool) {
	var i int
	if _, err := fmt.Sscanf(step, "%d", &i); err != nil || i < 0 || i >= n {
		return 0, false
	}
	return i, true
}

// unwrapped are the values that a model may have wrapped: the only property of
// an object, the only element of a list, the arguments of a tool call that was
// written as text.
func unwrapped(value any) []any {
	switch x := value.(type) {
	case []any:
		if len(x) == 1 {
			return x
		}
	case map[string]any:
		if len(x) == 1 {
			for _, inner := range x {
				return []any{inner}
			}
		}
		if _, named := x["name"]; named {
			for _, key := range []string{"arguments", "parameters"} {
				if inner, ok := x[key]; ok {
					return []any{inner}
				}
			}
		}
	}
	return nil
}
