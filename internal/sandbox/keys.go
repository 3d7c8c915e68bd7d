package sandbox

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// decodeWork decodes a line. Only a line with an unknown key is decoded twice.
func decodeWork(line []byte, unknown func(key string)) (Work, error) {
	var w Work
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if d.Decode(&w) == nil && d.InputOffset() == int64(len(line)) {
		return w, nil
	}
	w = Work{}
	if err := json.Unmarshal(line, &w); err != nil {
		return w, err
	}
	for _, key := range foreign(line, reflect.TypeFor[Work](), "") {
		unknown(key)
	}
	return w, nil
}

// foreign lists the keys of an object that a struct has no field for, sorted.
func foreign(object []byte, t reflect.Type, prefix string) []string {
	var parts map[string]json.RawMessage
	if json.Unmarshal(object, &parts) != nil {
		return nil
	}
	fields := fieldsOf(t)
	var out []string
	for key, value := range parts {
		f, ok := fields[strings.ToLower(key)] // as encoding/json matches them
		switch {
		case !ok:
			out = append(out, prefix+key)
		case f.Kind() == reflect.Pointer && f.Elem().Kind() == reflect.Struct:
			out = append(out, foreign(value, f.Elem(), prefix+key+".")...)
		}
	}
	slices.Sort(out)
	return out
}

// fieldsOf is the type of each key of a struct.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for i := range t.NumField() {
		out[t.Field(i).Tag.Get("json")] = t.Field(i).Type
	}
	return out
}

// nearestKey is the key of a Work that another one looks like, "" if none does.
func nearestKey(key string) string {
	best, dist := "", 1+len(key)/3
	for known := range fieldsOf(reflect.TypeFor[Work]()) {
		if d := levenshtein.ComputeDistance(strings.ToLower(key), known); d < dist || d == dist && best != "" && known < best {
			best, dist = known, d
		}
	}
	return best
}

// unknownKeys counts keys that are not read.
type unknownKeys map[string]UnknownKey

// mostKeys of a file are told apart; a file with more is of another make.
const mostKeys = 1000

func (u unknownKeys) add(key string, line int) {
	const longest = 60
	if r := []rune(key); len(r) > longest {
		key = string(r[:longest]) + "…"
	}
	k, seen := u[key]
	if !seen {
		if len(u) >= mostKeys {
			return
		}
		k = UnknownKey{Key: key, Line: line}
	}
	k.Count++
	u[key] = k
}

// list is what was counted, the most frequent first.
func (u unknownKeys) list() []UnknownKey {
	var out []UnknownKey
	for _, k := range u {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b UnknownKey) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Key, b.Key)
	})
	return out
}
