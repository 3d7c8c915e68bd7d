package shape

import (
	"reflect"
	"slices"
	"strings"
)

// Used lists the paths that a Go type decodes, by its json or xml tags, below
// the path at, so that a shape can tell what matters of an answer. Fields
// without a tag are not listed.
func Used(at string, v any) []string {
	u := used{seen: map[reflect.Type]bool{}}
	u.walk(at, reflect.TypeOf(v))
	slices.Sort(u.paths)
	return slices.Compact(u.paths)
}

type used struct {
	paths []string
	seen  map[reflect.Type]bool // types under way, against recursion
}

func (u *used) walk(at string, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || u.seen[t] {
		return
	}
	u.seen[t] = true
	defer delete(u.seen, t)
	for i := range t.NumField() {
		f := t.Field(i)
		if tag, ok := f.Tag.Lookup("json"); ok {
			name, _, _ := strings.Cut(tag, ",")
			if name != "" && name != "-" {
				u.field(join(at, ".", name), f.Type, true)
			}
		} else if tag, ok := f.Tag.Lookup("xml"); ok {
			u.xml(at, tag, f.Type)
		} else if f.Anonymous {
			u.walk(at, f.Type)
		}
	}
}

func (u *used) xml(at, tag string, t reflect.Type) {
	name, options, _ := strings.Cut(tag, ",")
	if i := strings.LastIndexByte(name, ' '); i >= 0 {
		name = name[i+1:] // without the name space
	}
	switch {
	case name == "-" || name == "" || t.Name() == "Name" && t.PkgPath() == "encoding/xml":
	case strings.Contains(options, "attr"):
		u.paths = append(u.paths, at+"/@"+name)
	default:
		for step := range strings.SplitSeq(name, ">") {
			at = join(at, "/", step)
			u.paths = append(u.paths, at)
		}
		u.field(at, t, false)
	}
}

// field adds a field and what is in it. In JSON the items of a list have a
// path of their own; in XML they are the field again.
func (u *used) field(at string, t reflect.Type, items bool) {
	u.paths = append(u.paths, at)
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		if t.Kind() == reflect.Slice && items {
			at += "[]"
		}
		t = t.Elem()
	}
	u.walk(at, t)
}
