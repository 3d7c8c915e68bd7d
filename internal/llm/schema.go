package llm

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/invopop/jsonschema"
)

// Schema is a JSON Schema with a name for the wire.
type Schema struct {
	Name string
	JSON []byte
	err  error
}

// SchemaFor makes the schema of T, which should be a struct: servers that
// constrain output want an object at the root. Every property is required, also
// those tagged omitempty, and no others are allowed; nothing is referenced.
// A field tagged `jsonschema:"nullable"` may be null. The tags of
// invopop/jsonschema add descriptions, enums and bounds.
//
// A T that JSON Schema cannot express in one tree (recursive types, channels,
// functions) gives a Schema that Structured refuses with the reason.
func SchemaFor[T any](name string) Schema {
	s := Schema{Name: name}
	t := reflect.TypeFor[T]()
	if s.err = expressible(t, nil); s.err != nil {
		return s
	}
	r := jsonschema.Reflector{DoNotReference: true, Anonymous: true}
	root := r.ReflectFromType(t)
	root.Version = ""
	tighten(root)
	if s.JSON, s.err = json.Marshal(root); s.err != nil {
		s.err = fmt.Errorf("writing the JSON schema of %s: %w", t, s.err)
	}
	return s
}

// Demand tells a model the schema in words, for servers that do not
// enforce it.
func (s Schema) Demand() string {
	return "Answer with one JSON value and nothing else: no explanation, no code fence. It must match this JSON Schema:\n" + string(s.JSON)
}

// tighten makes every property of every object required and turns
// oneOf [x, null], which strict servers do not know, into anyOf.
func tighten(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.OneOf) == 2 && s.OneOf[1].Type == "null" {
		s.AnyOf, s.OneOf = s.OneOf, nil
	}
	if s.Properties != nil {
		s.Required = s.Required[:0]
		for p := s.Properties.Oldest(); p != nil; p = p.Next() {
			s.Required = append(s.Required, p.Key)
			tighten(p.Value)
		}
	}
	for _, list := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf, s.AllOf} {
		for _, sub := range list {
			tighten(sub)
		}
	}
	for _, sub := range s.PatternProperties {
		tighten(sub)
	}
	tighten(s.Items)
	tighten(s.AdditionalProperties)
}

// expressible refuses what the reflector would not survive. path holds the
// struct types around t.
func expressible(t reflect.Type, path []reflect.Type) error {
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128, reflect.Uintptr:
		return fmt.Errorf("the type %s has no JSON schema", t)
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return within(t, t.Elem(), path)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" || f.Tag.Get("jsonschema") == "-" {
				continue
			}
			if err := within(t, f.Type, path); err != nil {
				return err
			}
		}
	}
	return nil
}

func within(t, elem reflect.Type, path []reflect.Type) error {
	for _, p := range path {
		if p == t {
			return fmt.Errorf("the type %s contains itself, so its JSON schema has no end", t)
		}
	}
	return expressible(elem, append(path[:len(path):len(path)], t))
}
