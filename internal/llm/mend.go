package llm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxPasses bounds how often a value is mended: what was renamed may hide what
// else is wrong.
const maxPasses = 4

// mend puts right, in place, what needs no judgement: a property in another
// spelling ("Record", "sub-question") gets the one name that is missing, other
// properties that the schema does not have are dropped, a value outside an enum becomes
// the one member that RepairID finds in it, and a number or truth value that was
// written as a string becomes one. It succeeds only if the schema accepts the
// result.
func (v *validator) mend(value any, refusal *jsonschema.ValidationError) (notes []string, ok bool) {
	for range maxPasses {
		found, ok := mendOnce(value, leaves(refusal, nil))
		for _, n := range found {
			if !slices.Contains(notes, n) {
				notes = append(notes, n)
			}
		}
		if !ok {
			return nil, false
		}
		if refusal = v.check(value); refusal == nil {
			slices.Sort(notes)
			return notes, len(notes) > 0
		}
	}
	return nil, false
}

// mendOnce mends what each of the errors names. ok is false if one of them
// cannot be mended.
func mendOnce(value any, errors []*jsonschema.ValidationError) (notes []string, ok bool) {
	missing := map[string][]string{} // place → names
	for _, leaf := range errors {
		if k, is := leaf.ErrorKind.(*kind.Required); is {
			missing[place(leaf)] = append(missing[place(leaf)], k.Missing...)
		}
	}
	for _, leaf := range errors {
		var found []string
		switch k := leaf.ErrorKind.(type) {
		case *kind.AdditionalProperties:
			found = settleProperties(value, leaf.InstanceLocation, k.Properties, missing[place(leaf)])
		case *kind.Enum:
			found = readEnum(value, leaf.InstanceLocation, k)
		case *kind.Type:
			found = readString(value, leaf.InstanceLocation, k)
		case *kind.Required:
			continue // looked at below
		}
		if len(found) == 0 {
			return nil, false
		}
		notes = append(notes, found...)
	}
	for _, leaf := range errors {
		if k, is := leaf.ErrorKind.(*kind.Required); is {
			object, _ := at(value, leaf.InstanceLocation).(map[string]any)
			for _, name := range k.Missing {
				if _, there := object[name]; !there {
					return nil, false
				}
			}
		}
	}
	return notes, len(notes) > 0
}

func place(e *jsonschema.ValidationError) string { return strings.Join(e.InstanceLocation, "\x00") }

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

// settleProperties renames the properties that are a missing one in another
// spelling and drops the others.
func settleProperties(root any, path []string, names, missing []string) (notes []string) {
	object, ok := at(root, path).(map[string]any)
	if !ok {
		return nil
	}
	names = slices.Sorted(slices.Values(names))
	var dropped []string
	for _, n := range names {
		want, found := only(missing, func(m string) bool { return loosely(m) == loosely(n) })
		if _, taken := object[want]; found == 1 && !taken {
			object[want] = object[n]
			notes = append(notes, fmt.Sprintf("read the property %q as %q", clip(n, 60), want))
		} else {
			dropped = append(dropped, n)
		}
		delete(object, n)
	}
	if len(dropped) > 0 {
		notes = append(notes, "ignored what the schema does not have: "+clip(strings.Join(dropped, ", "), 80))
	}
	return notes
}

// loosely is a name without case and separators.
func loosely(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

func readEnum(root any, path []string, k *kind.Enum) []string {
	got, ok := k.Got.(string)
	if !ok {
		return nil
	}
	var members []string
	for _, m := range k.Want {
		if s, ok := m.(string); ok {
			members = append(members, s)
		}
	}
	want, ok := RepairID(got, members)
	if !ok || !put(root, path, want) {
		return nil
	}
	return []string{fmt.Sprintf("read %q as %q", clip(got, 60), want)}
}

// readString reads a string as the number or the truth value that was wanted.
func readString(root any, path []string, k *kind.Type) []string {
	got, ok := at(root, path).(string)
	if !ok || len(k.Want) != 1 {
		return nil
	}
	text := strings.TrimSpace(got)
	var want any
	switch k.Want[0] {
	case "number", "integer":
		var n json.Number
		if json.Unmarshal([]byte(text), &n) != nil || len(text) > 40 || strings.HasPrefix(text, `"`) {
			return nil
		}
		want = n
	case "boolean":
		switch strings.ToLower(text) {
		case "true":
			want = true
		case "false":
			want = false
		default:
			return nil
		}
	default:
		return nil
	}
	if !put(root, path, want) {
		return nil
	}
	return []string{fmt.Sprintf("read the string %q as a %s", clip(got, 60), k.Want[0])}
}

// put sets the value at a path below root.
func put(root any, path []string, value any) bool {
	if len(path) == 0 {
		return false
	}
	last := path[len(path)-1]
	switch parent := at(root, path[:len(path)-1]).(type) {
	case map[string]any:
		parent[last] = value
		return true
	case []any:
		if i, ok := index(last, len(parent)); ok {
			parent[i] = value
			return true
		}
	}
	return false
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
