package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"

	"optimistresearch/state"
)

var durationType = reflect.TypeFor[time.Duration]()

// fields lists the settings of a struct by their YAML names; inline structs
// are opened.
func fields(v reflect.Value) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag.Get("yaml")
		if tag == "-" {
			continue
		}
		if tag == ",inline" {
			for k, f := range fields(v.Field(i)) {
				out[k] = f
			}
			continue
		}
		out[tag] = v.Field(i)
	}
	return out
}

func structField(t reflect.Type, name string) reflect.StructField {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("yaml") == ",inline" {
			if g := structField(f.Type, name); g.Name != "" {
				return g
			}
		}
		if f.Tag.Get("yaml") == name {
			return f
		}
	}
	return reflect.StructField{}
}

// unknownKey is a key that is no setting.
type unknownKey struct {
	key     string
	nearest string
}

func (e *unknownKey) Error() string {
	msg := fmt.Sprintf("%q is not a setting", e.key)
	if e.nearest != "" {
		msg += fmt.Sprintf("; did you mean %q?", e.nearest)
	}
	return msg + " (`optimistresearch config show` lists them all)"
}

// assign sets the value at a path below a struct or map. names restricts the
// keys of the maps whose keys are names of sources or roles.
func (l *loader) assign(v reflect.Value, path, done []string, value any) error {
	here := strings.Join(done, ".")
	if len(path) == 0 {
		return setValue(v, value, here)
	}
	next := append(slices.Clone(done), path[0])
	switch v.Kind() {
	case reflect.Struct:
		f, ok := fields(v)[path[0]]
		if !ok {
			return l.unknown(append(slices.Clone(done), path...))
		}
		if choices := structField(v.Type(), path[0]).Tag.Get("choices"); choices != "" && len(path) == 1 {
			if s, isText := value.(string); !isText || !slices.Contains(strings.Split(choices, ","), s) {
				return fmt.Errorf("%s is %q and must be one of %s", strings.Join(next, "."), fmt.Sprint(value), strings.ReplaceAll(choices, ",", ", "))
			}
		}
		return l.assign(f, path[1:], next, value)
	case reflect.Map:
		if known := l.mapKeys(here); known != nil && !slices.Contains(known, path[0]) {
			return l.unknown(append(slices.Clone(done), path...))
		}
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		k := reflect.ValueOf(path[0])
		elem := reflect.New(v.Type().Elem()).Elem()
		if old := v.MapIndex(k); old.IsValid() {
			elem.Set(old)
		}
		if err := l.assign(elem, path[1:], next, value); err != nil {
			return err
		}
		v.SetMapIndex(k, elem)
		return nil
	}
	return fmt.Errorf("%s is a single value and has no part %q", here, path[0])
}

// mapKeys lists the keys that a map takes, nil for any.
func (l *loader) mapKeys(key string) []string {
	switch key {
	case "source", "budgets.credits":
		return l.opt.Sources
	case "models":
		return append([]string{"default"}, l.opt.Roles...)
	}
	return nil
}

func setValue(v reflect.Value, value any, key string) error {
	if v.Type() == durationType {
		d, err := time.ParseDuration(fmt.Sprint(value))
		if err != nil {
			return fmt.Errorf("%s is %q and must be a duration such as 500ms, 30s or 2m", key, fmt.Sprint(value))
		}
		v.SetInt(int64(d))
		return nil
	}
	text := strings.TrimSpace(fmt.Sprint(value))
	if list, ok := value.([]string); ok && v.Kind() != reflect.Slice {
		return fmt.Errorf("%s must be one value, not a list of %d", key, len(list))
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("%s is %q and must be true or false", key, text)
		}
		v.SetBool(b)
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%s is %q and must be a whole number", key, text)
		}
		v.SetInt(int64(n))
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || x != x || x > 1e300 || x < -1e300 {
			return fmt.Errorf("%s is %q and must be a number", key, text)
		}
		v.SetFloat(x)
	case reflect.Slice:
		list, ok := value.([]string)
		if !ok {
			for _, p := range strings.Split(text, ",") {
				if p = strings.TrimSpace(p); p != "" {
					list = append(list, p)
				}
			}
		}
		v.Set(reflect.ValueOf(list))
	default:
		return fmt.Errorf("%s has parts and cannot be set to %q; set %s.…", key, text, key)
	}
	return nil
}

// unknown makes the error for a key that is no setting, with the nearest one.
func (l *loader) unknown(path []string) error {
	key := strings.Join(path, ".")
	best, dist := "", 1+len(key)/3
	for _, known := range l.known() {
		if d := levenshtein.ComputeDistance(key, known); d < dist {
			best, dist = known, d
		}
	}
	if best == "" { // the last part may stand under another heading
		for _, known := range l.known() {
			if strings.HasSuffix(known, "."+path[len(path)-1]) || known == path[len(path)-1] {
				best = known
				break
			}
		}
	}
	return &unknownKey{key: key, nearest: best}
}

// known lists every setting whose name is fixed.
func (l *loader) known() []string {
	var out []string
	walk(&document{Settings: state.DefaultSettings(), Runtime: DefaultRuntime()}, func(key, _ string, _ bool) { out = append(out, key) })
	for _, s := range l.opt.Sources {
		for f := range fields(reflect.ValueOf(SourceConfig{})) {
			out = append(out, "source."+s+"."+f)
		}
		out = append(out, "budgets.credits."+s)
	}
	for _, r := range l.mapKeys("models") {
		out = append(out, "models."+r)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// walk visits every leaf of a document.
func walk(doc *document, visit func(key, value string, secret bool)) {
	var rec func(v reflect.Value, path string, secret bool)
	rec = func(v reflect.Value, path string, secret bool) {
		join := func(k string) string {
			if path == "" {
				return k
			}
			return path + "." + k
		}
		switch {
		case v.Type() == durationType:
			visit(path, time.Duration(v.Int()).String(), secret)
		case v.Kind() == reflect.Struct:
			for k, f := range fields(v) {
				rec(f, join(k), structField(v.Type(), k).Tag.Get("secret") == "true")
			}
		case v.Kind() == reflect.Map:
			for _, k := range v.MapKeys() {
				rec(v.MapIndex(k), join(k.String()), secret)
			}
		case v.Kind() == reflect.Slice:
			visit(path, strings.Join(v.Interface().([]string), ", "), secret)
		default:
			visit(path, fmt.Sprint(v.Interface()), secret)
		}
	}
	rec(reflect.ValueOf(doc).Elem(), "", false)
}
