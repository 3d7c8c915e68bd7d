package shape

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// walk notes the paths of one body.
type walk struct {
	hints   Hints
	parents map[string]int // instances of each object or element
	fields  map[string]Field
}

// deepest nesting that is followed; no service comes near it.
const deepest = 60

func (w *walk) read(body []byte, at string) error {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	switch {
	case len(body) == 0:
		return errors.New("the body is empty")
	case body[0] == '<':
		return w.xml(body, at)
	}
	// Control characters inside strings are a known fault of one service, and
	// not one of its shape.
	body = bytes.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, body)
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return fmt.Errorf("the body is no JSON: %w", err)
	}
	w.json(at, v, 0)
	return nil
}

// json notes what is below one value. The path of an object is also the key
// under which it counts as a parent; the root has the path "".
func (w *walk) json(path string, v any, depth int) {
	if depth > deepest || slices.Contains(w.hints.Leaves, path) {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		w.parents[path]++
		isMap := slices.Contains(w.hints.Maps, path)
		met := map[string]bool{}
		for key, value := range v {
			if isMap {
				key = "*"
			}
			key = strings.ReplaceAll(key, ".", "_")
			p := join(path, ".", key)
			if value == nil && !isMap {
				w.note(p, "null", !met[p])
			} else {
				w.note(p, typeOf(value), !met[p])
			}
			met[p] = true
			w.json(p, value, depth+1)
		}
	case []any:
		for _, item := range v {
			if nested, ok := item.(map[string]any); ok {
				w.json(path+"[]", nested, depth+1)
				continue
			}
			w.noteItem(path+"[]", typeOf(item))
			w.json(path+"[]", item, depth+1)
		}
	}
}

// note counts a field of one parent; first is false for further keys of a map
// and for elements that are repeated.
func (w *walk) note(path, kind string, first bool) {
	f := w.fields[path]
	f.Types = union(f.Types, []string{kind})
	if first {
		f.Seen++
	}
	f.Leaf = f.Leaf || slices.Contains(w.hints.Leaves, path)
	w.fields[path] = f
}

// noteItem notes the type of an array's items without counting: an array may
// always be empty.
func (w *walk) noteItem(path, kind string) {
	f := w.fields[path]
	f.Types = union(f.Types, []string{kind})
	w.fields[path] = f
}

func typeOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case json.Number:
		return "number"
	case bool:
		return "bool"
	}
	return "null"
}

// element is an XML element that is open.
type element struct {
	path string
	text strings.Builder
	kids map[string]bool
	leaf bool
}

func (w *walk) xml(body []byte, at string) error {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Strict = false
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	stack := []*element{{path: at, kids: map[string]bool{}}}
	w.parents[at]++
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("the body is no XML: %w", err)
		}
		top := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			if len(stack) > deepest {
				return fmt.Errorf("the body is nested deeper than %d elements", deepest)
			}
			e := &element{path: join(top.path, "/", token.Name.Local), kids: map[string]bool{}, leaf: top.leaf}
			if !e.leaf {
				e.leaf = slices.Contains(w.hints.Leaves, e.path)
				w.note(e.path, "element", !top.kids[e.path])
				top.kids[e.path] = true
				w.parents[e.path]++
				for _, a := range token.Attr {
					if a.Name.Space != "xmlns" && a.Name.Local != "xmlns" {
						w.note(e.path+"/@"+a.Name.Local, textType(a.Value), true)
					}
				}
			}
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
			if s := top.text.String(); strings.TrimSpace(s) != "" && (!top.leaf || slices.Contains(w.hints.Leaves, top.path)) {
				w.noteItem(top.path, textType(s))
			}
		case xml.CharData:
			if len(stack) > 1 {
				top.text.Write(token)
			}
		}
	}
	if len(stack) > 1 {
		return errors.New("the body is cut short")
	}
	return nil
}

func textType(s string) string {
	if _, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil {
		return "number"
	}
	return "text"
}

func join(a, sep, b string) string {
	if a == "" {
		return b
	}
	return a + sep + b
}
