package biblio

// row ties a tag of a format (a RIS tag, a BibTeX field, a path in XML, a column)
// to a field of an Entry. The order of the rows is the order of writing, and
// where several tags carry one field, the order of preference when reading.
type row struct {
	tag   string
	f     *field
	alias bool // only read
	raw   bool // the file's own spelling is kept in Extra when ours differs
	read  func(e *Entry, v string) bool
	write func(e *Entry) []string
}

func (r *row) put(e *Entry, v string) bool {
	if r.read != nil {
		return r.read(e, v)
	}
	return r.f.put(e, v)
}

func (r *row) out(e *Entry) []string {
	if r.write != nil {
		return r.write(e)
	}
	return r.f.get(e)
}

// table is all that is known of the fields of a format.
type table struct {
	format Format
	rows   []row
	byTag  map[string]int
	slot   []int // of a row: number of its field
	slots  int
	finish func(e *Entry) // after reading, for what depends on several tags
}

func newTable(format Format, finish func(*Entry), rows []row) *table {
	t := &table{format: format, rows: rows, finish: finish, byTag: map[string]int{}, slot: make([]int, len(rows))}
	seen := map[*field]int{}
	for i := range rows {
		t.byTag[rows[i].tag] = i
		n, ok := seen[rows[i].f]
		if !ok {
			n = len(seen)
			seen[rows[i].f] = n
		}
		t.slot[i] = n
	}
	t.slots = len(seen)
	return t
}

// value is one field of a record in a file.
type value struct {
	tag, text string
	line      int
}

// filler is the working memory of reading records with one table.
type filler struct {
	t      *table
	head   []int // of a row: its first value, -1 = none
	next   []int // of a value: the next one of its row
	extra  []bool
	filled []string // of a slot: the text that it took
}

func (t *table) filler() *filler {
	return &filler{t: t, head: make([]int, len(t.rows)), filled: make([]string, t.slots)}
}

// fill makes an entry of the fields of a record. What has no row, comes twice
// for a single field, or is not understood, is kept in Extra.
func (f *filler) fill(values []value) Entry {
	var e Entry
	e.Format = f.t.format
	f.extra = append(f.extra[:0], make([]bool, len(values))...)
	f.next = append(f.next[:0], make([]int, len(values))...)
	for i := range f.head {
		f.head[i] = -1
	}
	for i := range f.filled {
		f.filled[i] = ""
	}
	for i := len(values) - 1; i >= 0; i-- {
		v := &values[i]
		if v.text = oneLine(v.text); v.text == "" {
			continue
		}
		n, ok := f.t.byTag[v.tag]
		if !ok { // "\x18title" is a title
			v.tag = oneLine(v.tag)
			n, ok = f.t.byTag[v.tag]
		}
		if !ok {
			f.extra[i] = true
			continue
		}
		f.next[i], f.head[n] = f.head[n], i
	}
	for i := range values { // lists: in the order of the file
		v := &values[i]
		n, ok := f.t.byTag[v.tag]
		if !ok || v.text == "" || !f.t.rows[n].f.many {
			continue
		}
		f.extra[i] = !f.t.rows[n].put(&e, v.text)
	}
	for n := range f.t.rows { // single values: in the order of preference
		r := &f.t.rows[n]
		if r.f.many {
			continue
		}
		for i := f.head[n]; i >= 0; i = f.next[i] {
			v := values[i].text
			switch took := f.filled[f.t.slot[n]]; {
			case took == v:
			case took != "":
				f.extra[i] = true
			case r.put(&e, v):
				f.filled[f.t.slot[n]] = v
			default:
				f.extra[i] = true
			}
		}
	}
	f.rest(&e, values)
	if f.t.finish != nil {
		f.t.finish(&e)
	}
	return e
}

// rest collects Extra.
func (f *filler) rest(e *Entry, values []value) {
	ours := map[int][]string{}
	for i := range values {
		v := &values[i]
		if !f.extra[i] && v.text != "" {
			n := f.t.byTag[v.tag]
			if r := &f.t.rows[n]; r.raw {
				if _, ok := ours[n]; !ok {
					ours[n] = r.out(e)
				}
				f.extra[i] = !contains(ours[n], v.text)
			}
		}
		if f.extra[i] {
			e.Extra = append(e.Extra, Field{v.tag, v.text})
		}
	}
}

// write gives the fields of an entry in the order of the table, then what the
// same format had beside them.
func (t *table) write(e *Entry, put func(tag, value string)) {
	extra := e.Extra
	if e.Format != t.format {
		extra = nil
	}
	for i := range t.rows {
		r := &t.rows[i]
		if r.alias {
			continue
		}
		values := r.out(e)
		if r.raw && len(values) > 0 && len(extra) > 0 {
			values = t.uncovered(r, extra, values)
		}
		for _, v := range values {
			if v != "" {
				put(r.tag, v)
			}
		}
	}
	for _, x := range extra {
		put(x.Name, x.Value)
	}
}

// uncovered gives the values that no raw spelling in extra stands for.
func (t *table) uncovered(r *row, extra []Field, values []string) []string {
	var have []string
	for _, x := range extra {
		var e Entry
		if x.Name == r.tag && r.put(&e, x.Value) {
			have = append(have, r.out(&e)...)
		}
	}
	if len(have) == 0 {
		return values
	}
	var out []string
	for _, v := range values {
		if !contains(have, v) {
			out = append(out, v)
		}
	}
	return out
}
