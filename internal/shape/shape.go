// Package shape learns what the answers of a service look like from examples,
// and tells where another answer looks different: a field that is new, gone,
// or of another type. It reads JSON and XML.
//
// It must never judge values: a shape holds names and types, nothing of what
// the examples say. Start with Learn and Compare.
package shape

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Shape is what the examples had in common. Paths are written
// results[].authorships[].author.id in JSON and feed/entry/link/@href in XML;
// the last step * stands for the keys of an object that is used as a map.
type Shape struct {
	Fields map[string]Field
}

// Field is one path.
type Field struct {
	Types []string // of JSON: object, array, string, number, bool, null; of XML: element, text, number; sorted
	Seen  int      // parents that had it
	Of    int      // parents in the examples
	Leaf  bool     // what is below is text with markup, or data; it is not looked at
}

// Hints say what examples cannot show. Both hold paths.
type Hints struct {
	Maps   []string // objects whose keys are data
	Leaves []string // not to be walked into
}

// Learn adds an example. at is the path that the body's root stands for; ""
// for the whole answer. The error says why the body cannot be read.
func (s *Shape) Learn(body []byte, at string, h Hints) error {
	w := walk{parents: map[string]int{}, fields: map[string]Field{}, hints: h}
	if err := w.read(body, at); err != nil {
		return err
	}
	if s.Fields == nil {
		s.Fields = map[string]Field{}
	}
	// Parents that are known already count for the fields that they lack, and
	// a field that is new was lacking in all parents before.
	before := map[string]int{}
	for _, f := range sortedKeys(s.Fields) {
		before[parent(f)] = max(before[parent(f)], s.Fields[f].Of)
	}
	for p, seen := range w.fields {
		f, known := s.Fields[p]
		if !known {
			f.Of = before[parent(p)]
		}
		f.Types = union(f.Types, seen.Types)
		f.Seen += seen.Seen
		f.Leaf = f.Leaf || seen.Leaf
		s.Fields[p] = f
	}
	for p, f := range s.Fields {
		f.Of += w.parents[parent(p)]
		s.Fields[p] = f
	}
	return nil
}

// Difference is one way in which an answer differs from the shape.
type Difference struct {
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
	Want string `json:"want,omitempty"` // types, or how often it was there
	Got  string `json:"got,omitempty"`
}

// Kind of a difference.
type Kind string

const (
	Unknown Kind = "unknown" // a field that no example had
	Missing Kind = "missing" // a field that the examples had and that is needed, or that seems to have another name now
	Unseen  Kind = "unseen"  // a field that most examples had; these works may happen to lack it
	Retyped Kind = "retyped" // a field of another type
)

func (d Difference) String() string {
	switch d.Kind {
	case Unknown:
		return fmt.Sprintf("%s: is new (%s)", d.Path, d.Got)
	case Missing, Unseen:
		return fmt.Sprintf("%s: is missing (%s)", d.Path, d.Want)
	}
	return fmt.Sprintf("%s: is %s, was %s", d.Path, d.Got, d.Want)
}

// How sure the examples must be that a field is always, or usually, there.
const (
	always  = 0.9 // share of the parents
	usually = 0.5
	enough  = 5 // parents in the answer for "usually"
)

// Compare names the differences of an answer, sorted by path. used are the
// fields that the caller reads (see Used), which are never new, and needed those without which an
// answer is of no use. A used field that nearly all examples had is unseen when
// all its parents lack it, one that half of them had when at least five parents
// do; it is missing when it is needed, or when a field beside it is new. Any
// field may be null.
func (s *Shape) Compare(body []byte, at string, used, needed []string) ([]Difference, error) {
	w := walk{parents: map[string]int{}, fields: map[string]Field{}, hints: s.hints()}
	if err := w.read(body, at); err != nil {
		return nil, err
	}
	var out []Difference
	objects := map[string]bool{"": true}
	for p := range s.Fields {
		objects[parent(p)] = true
	}
	news := map[string]bool{} // objects with a field that is new
	for _, p := range sortedKeys(w.fields) {
		got := w.fields[p]
		want, known := s.Fields[p]
		if !known {
			// Below a field that is new, or retyped, all is new.
			array := strings.TrimSuffix(p, "[]")
			if objects[parent(p)] && !slices.Contains(used, p) && (array == p || slices.Contains(s.Fields[array].Types, "array")) {
				news[parent(p)] = true
				out = append(out, Difference{Path: p, Kind: Unknown, Got: strings.Join(got.Types, ", ")})
			}
			continue
		}
		var odd []string
		for _, t := range got.Types {
			if t != "null" && !slices.Contains(want.Types, t) && !(t == "number" && slices.Contains(want.Types, "text")) {
				odd = append(odd, t)
			}
		}
		// A field that was only ever null, or only ever empty, may hold anything.
		if len(odd) > 0 && !slices.Equal(want.Types, []string{"null"}) && !slices.Equal(want.Types, []string{"element"}) {
			out = append(out, Difference{Path: p, Kind: Retyped, Want: strings.Join(want.Types, ", "), Got: strings.Join(odd, ", ")})
		}
	}
	for _, p := range used {
		f, known := s.Fields[p]
		if !known || f.Of == 0 || strings.HasSuffix(p, ".*") || strings.HasSuffix(p, "[]") {
			continue // no example had it, or it is in a map or an array, which may be empty
		}
		parents, share := w.parents[parent(p)], float64(f.Seen)/float64(f.Of)
		if w.fields[p].Seen == 0 && (share >= always && parents > 0 || share >= usually && parents >= enough) {
			kind := Unseen
			if slices.Contains(needed, p) || news[parent(p)] {
				kind = Missing
			}
			out = append(out, Difference{Path: p, Kind: kind, Want: fmt.Sprintf("was in %d of %d examples", f.Seen, f.Of)})
		}
	}
	slices.SortFunc(out, func(a, b Difference) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind)) })
	return out, nil
}

func (s *Shape) hints() Hints {
	var h Hints
	for p, f := range s.Fields {
		if m, ok := strings.CutSuffix(p, ".*"); ok {
			h.Maps = append(h.Maps, m)
		}
		if f.Leaf {
			h.Leaves = append(h.Leaves, p)
		}
	}
	return h
}

// Encode writes a shape as lines "path<TAB>types<TAB>seen/of[<TAB>leaf]", sorted.
func (s *Shape) Encode() []byte {
	var b bytes.Buffer
	for _, p := range sortedKeys(s.Fields) {
		f := s.Fields[p]
		fmt.Fprintf(&b, "%s\t%s\t%d/%d", p, strings.Join(f.Types, ","), f.Seen, f.Of)
		if f.Leaf {
			b.WriteString("\tleaf")
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// Decode reads what Encode wrote. Lines that begin with # are comments.
func Decode(b []byte) (*Shape, error) {
	s := &Shape{Fields: map[string]Field{}}
	lines := bufio.NewScanner(bytes.NewReader(b))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "\t")
		if len(parts) < 3 {
			return nil, fmt.Errorf("line %d of a shape has %d columns and must have three: path, types, seen/of", n, len(parts))
		}
		seen, of, _ := strings.Cut(parts[2], "/")
		f := Field{Types: strings.Split(parts[1], ","), Leaf: len(parts) > 3 && parts[3] == "leaf"}
		var err1, err2 error
		f.Seen, err1 = strconv.Atoi(seen)
		f.Of, err2 = strconv.Atoi(of)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("line %d of a shape: %q is not seen/of", n, parts[2])
		}
		s.Fields[parts[0]] = f
	}
	return s, lines.Err()
}

// parent is the path of what holds a field.
func parent(p string) string {
	if i := strings.LastIndexAny(p, "./"); i >= 0 {
		return p[:i]
	}
	return ""
}

func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Keep drops the fields of one object that are not in the list; nil keeps all.
// It is for services that are asked for some fields only.
func (s *Shape) Keep(object string, fields []string) {
	if fields == nil {
		return
	}
	prefix := object + "."
	if object == "" {
		prefix = ""
	}
	for p := range s.Fields {
		rest, below := strings.CutPrefix(p, prefix)
		if !below {
			continue
		}
		name := rest
		if i := strings.IndexAny(rest, ".["); i >= 0 {
			name = rest[:i]
		}
		if !slices.Contains(fields, name) {
			delete(s.Fields, p)
		}
	}
}

// Like gives an object the fields that another shape, or another place of this
// one, has for the same kind of object, beside its own. They count as optional.
func (s *Shape) Like(object string, other *Shape, there string) {
	for p, f := range other.Fields {
		rest, below := strings.CutPrefix(p, there+".")
		if !below {
			continue
		}
		to := object + "." + rest
		mine := s.Fields[to]
		mine.Types = union(mine.Types, f.Types)
		mine.Leaf = mine.Leaf || f.Leaf
		s.Fields[to] = mine
	}
}
