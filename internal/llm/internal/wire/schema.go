package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// Schema rewrites a JSON Schema for a wire that does not know the keywords in
// drop, whose absence the validator makes good, and tells whether every object
// in it is closed, has all its properties required, and uses no keyword of
// refuse. The order of properties stays, since models answer in that order.
func Schema(raw []byte, drop, refuse map[string]bool) (out json.RawMessage, strict bool, err error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, false, errors.New("it is empty")
	}
	return rewriter{drop, refuse}.rewrite(raw)
}

type rewriter struct{ drop, refuse map[string]bool }

func (w rewriter) rewrite(raw json.RawMessage) (json.RawMessage, bool, error) {
	fields, isObject, err := fieldsOf(raw)
	if err != nil {
		return nil, false, err
	}
	if !isObject { // true or false
		return raw, false, nil
	}
	strict := true
	var kept []field
	var properties, required []string
	closed, object := false, false
	for _, f := range fields {
		switch {
		case w.drop[f.name]:
			continue
		case w.refuse[f.name]:
			strict = false
		}
		ok := true
		switch f.name {
		case "properties", "$defs":
			f.value, ok, err = w.rewriteEach(f.value, func(name string) {
				if f.name == "properties" {
					properties = append(properties, name)
				}
			})
		case "items":
			f.value, ok, err = w.rewrite(f.value)
		case "anyOf":
			f.value, ok, err = w.rewriteList(f.value)
		case "additionalProperties":
			closed = string(bytes.TrimSpace(f.value)) == "false"
		case "required":
			err = json.Unmarshal(f.value, &required)
		case "type":
			object = string(bytes.TrimSpace(f.value)) == `"object"`
		}
		if err != nil {
			return nil, false, err
		}
		strict = strict && ok
		kept = append(kept, f)
	}
	if len(kept) == 0 {
		strict = false // accepts anything
	}
	if object || len(properties) > 0 {
		strict = strict && closed
		for _, p := range properties {
			strict = strict && slices.Contains(required, p)
		}
	}
	return join(kept), strict, nil
}

func (w rewriter) rewriteEach(raw json.RawMessage, seen func(string)) (json.RawMessage, bool, error) {
	fields, isObject, err := fieldsOf(raw)
	if err != nil || !isObject {
		return raw, false, err
	}
	strict := true
	for i, f := range fields {
		seen(f.name)
		value, ok, err := w.rewrite(f.value)
		if err != nil {
			return nil, false, err
		}
		fields[i].value = value
		strict = strict && ok
	}
	return join(fields), strict, nil
}

func (w rewriter) rewriteList(raw json.RawMessage) (json.RawMessage, bool, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, false, err
	}
	strict := true
	for i, e := range list {
		value, ok, err := w.rewrite(e)
		if err != nil {
			return nil, false, err
		}
		list[i] = value
		strict = strict && ok
	}
	out, err := json.Marshal(list)
	return out, strict, err
}

// field is a member of a JSON object in its place.
type field struct {
	name  string
	value json.RawMessage
}

// fieldsOf lists the members of a JSON object in order.
func fieldsOf(raw json.RawMessage) (fields []field, isObject bool, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	open, err := d.Token()
	if err != nil {
		return nil, false, err
	}
	if open != json.Delim('{') {
		return nil, false, nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, false, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, false, err
		}
		s, _ := name.(string)
		fields = append(fields, field{name: s, value: value})
	}
	_, err = d.Token()
	return fields, true, err
}

func join(fields []field) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(f.name)
		if err != nil {
			continue // a string always has a JSON form
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}
