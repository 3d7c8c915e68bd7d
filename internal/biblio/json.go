package biblio

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// object writes a JSON object with its members in the order of writing, the
// empty ones left out.
type object struct {
	indent string // "" = on one line
	names  []string
	values map[string][]byte
}

func newObject(indent string) *object { return &object{indent: indent, values: map[string][]byte{}} }

func (o *object) raw(name string, v []byte) {
	if len(v) == 0 {
		return
	}
	if _, twice := o.values[name]; twice {
		return
	}
	o.names = append(o.names, name)
	o.values[name] = v
}

func (o *object) text(name, v string) {
	if v != "" {
		o.raw(name, quote(v))
	}
}

// item adds to a list.
func (o *object) item(name, v string) {
	have, ok := o.values[name]
	if !ok {
		o.raw(name, append(append([]byte{'['}, quote(v)...), ']'))
		return
	}
	have[len(have)-1] = ','
	o.values[name] = append(append(have, quote(v)...), ']')
}

// rawOrText is the inverse of plain.
func (o *object) rawOrText(name, v string) {
	if json.Valid([]byte(v)) {
		o.raw(name, []byte(v))
		return
	}
	o.text(name, v)
}

func (o *object) bytes() []byte {
	if len(o.names) == 0 {
		return nil
	}
	b := []byte{'{'}
	for i, name := range o.names {
		if i > 0 {
			b = append(b, ',')
		}
		if o.indent != "" {
			b = append(append(b, '\n'), o.indent...)
		}
		b = append(append(b, quote(name)...), ':')
		if o.indent != "" {
			b = append(b, ' ')
		}
		b = append(b, o.values[name]...)
	}
	if o.indent != "" {
		b = append(append(b, '\n'), o.indent[2:]...)
	}
	return append(b, '}')
}

func quote(s string) []byte { return appendQuoted(make([]byte, 0, len(s)+2), s) }

// appendQuoted adds a text. What is in normal form needs few escapes.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		if c < ' ' {
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		} else {
			b = append(b, '\\', c)
		}
	}
	return append(append(b, s[from:]...), '"')
}

// member is one member of an object that is read.
type member struct {
	name string
	raw  json.RawMessage
}

// members gives the members of an object, sorted by name; those of "custom"
// under "custom/name".
func members(data []byte) ([]member, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	out := make([]member, 0, len(m))
	for name, raw := range m {
		name = oneLine(name)
		var inner map[string]json.RawMessage
		if name == "custom" && json.Unmarshal(raw, &inner) == nil {
			for n, r := range inner {
				out = append(out, member{oneLine("custom/" + n), r})
			}
			continue
		}
		out = append(out, member{name, raw})
	}
	slices.SortFunc(out, func(a, b member) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return bytes.Compare(a.raw, b.raw)
	})
	return out, nil
}

// texts gives the values of a known member: a text, a number, a list of them;
// false for an object or what holds one.
func texts(raw json.RawMessage) ([]string, bool) {
	switch raw[0] { // the usual ones, without the detour
	case '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return nil, false
		}
		return []string{s}, true
	case '{', 't', 'f':
		return nil, false
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil, false
	}
	list, many := v.([]any)
	if !many {
		list = []any{v}
	}
	var out []string
	for _, x := range list {
		switch x := x.(type) {
		case nil:
		case string:
			out = append(out, x)
		case json.Number:
			out = append(out, x.String())
		default:
			return nil, false
		}
	}
	return out, true
}

// plain is what Extra keeps of a member: its text, or its JSON when it is none,
// or when the text would be taken for JSON.
func plain(raw json.RawMessage) string {
	var s string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil && !json.Valid([]byte(s)) {
		return s
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	if b.String() == "null" || b.String() == `""` {
		return ""
	}
	return b.String()
}

// looseName takes the members that programs give to a person.
type looseName struct {
	Family     string `json:"family"`
	Given      string `json:"given"`
	Suffix     string `json:"suffix"`
	Literal    string `json:"literal"`
	Particle   string `json:"non-dropping-particle"`
	Dropping   string `json:"dropping-particle"`
	Name       string `json:"name"`
	Display    string `json:"display_name"`
	Last       string `json:"last"`
	First      string `json:"first"`
	LastName   string `json:"lastName"`
	FirstName  string `json:"firstName"`
	Collective string `json:"collective"`
}

func (n looseName) name() Name {
	first := func(values ...string) string {
		for _, v := range values {
			if v != "" {
				return v
			}
		}
		return ""
	}
	family, given := first(n.Family, n.Last, n.LastName), first(n.Given, n.First, n.FirstName)
	switch literal := first(n.Literal, n.Collective); {
	case literal != "":
		return Name{Literal: literal}.normal()
	case family == "" && given == "":
		return parse(first(n.Name, n.Display))
	}
	return Name{Family: oneLine(n.Particle + " " + family), Given: oneLine(given + " " + n.Dropping), Suffix: n.Suffix}.normal()
}

// namesIn reads people in any form: objects, texts, one text with all.
func namesIn(raw json.RawMessage) ([]Name, bool) {
	list := []json.RawMessage{raw}
	if raw[0] == '[' && json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	one := len(list) == 1
	var out []Name
	for _, item := range list {
		var s string
		var n looseName
		switch {
		case len(item) == 0:
		case item[0] == '"' && json.Unmarshal(item, &s) == nil:
			if one {
				out = append(out, splitNames(s)...)
			} else {
				out = append(out, parse(s))
			}
		case item[0] == '{' && json.Unmarshal(item, &n) == nil:
			out = append(out, n.name())
		default:
			return nil, false
		}
	}
	return out, true
}

// cslIssued is a date of CSL.
type cslIssued struct {
	Parts   [][]any `json:"date-parts"`
	Raw     string  `json:"raw"`
	Literal string  `json:"literal"`
	Season  any     `json:"season"`
	Circa   any     `json:"circa"`
}

// dateIn gives the text of a date, and whether that is all the member says.
func dateIn(raw json.RawMessage) (text string, whole bool) {
	var d cslIssued
	if raw[0] != '{' || json.Unmarshal(raw, &d) != nil {
		list, ok := texts(raw)
		if !ok || len(list) == 0 {
			return "", false
		}
		return list[0], true
	}
	if len(d.Parts) > 0 {
		var parts []string
		for _, p := range d.Parts[0] {
			var s string
			if b, err := json.Marshal(p); err == nil {
				s = strings.Trim(string(b), `"`)
			}
			parts = append(parts, s)
		}
		return date(strings.Join(parts, "-")), len(d.Parts) == 1 && d.Season == nil && d.Circa == nil
	}
	if d.Raw != "" {
		return d.Raw, date(d.Raw) != ""
	}
	return d.Literal, date(d.Literal) != ""
}
