package biblio

import "strings"

// mostValues is how many fields a record may have: an author list of several
// thousand with two lines each fits.
const mostValues = 100_000

// record collects the fields of one record of a tagged file.
type record struct {
	k         *sink
	fill      *filler
	id, title string // tags that name the record in messages
	fields    []value
	more      []byte // what goes on behind the last value
	start     int    // line of the first field
	size      int
	full      bool
}

func (r *record) open() bool { return len(r.fields) > 0 }

// last is the tag of the value read last.
func (r *record) last() string { return r.fields[len(r.fields)-1].tag }

func (r *record) add(n int, tag, text string) {
	r.flush()
	if !r.open() {
		r.start = n
	}
	if r.room(len(text), n, text) {
		r.fields = append(r.fields, value{tag, text, n})
	}
}

// goOn adds the text of a further line to the last value.
func (r *record) goOn(text string) {
	if text != "" && r.room(len(text)+1, r.start, text) {
		r.more = append(append(r.more, ' '), text...)
	}
}

// room reports whether the record may grow, and warns once when it may not.
func (r *record) room(n, line int, sample string) bool {
	if r.size += n; r.size <= largest && len(r.fields) < mostValues {
		return true
	}
	if !r.full {
		r.full = true
		r.k.warn(line, r.name(), sample, "the entry has more than %d MiB or %d fields; what follows in it was left out", largest>>20, mostValues)
	}
	return false
}

func (r *record) flush() {
	if len(r.more) > 0 {
		last := &r.fields[len(r.fields)-1]
		last.text = strings.TrimSpace(last.text + string(r.more))
		r.more = r.more[:0]
	}
}

func (r *record) has(tags ...string) bool {
	for _, v := range r.fields {
		for _, t := range tags {
			if v.tag == t {
				return true
			}
		}
	}
	return false
}

// name is what a message calls the open record.
func (r *record) name() string {
	title := ""
	for _, v := range r.fields {
		switch {
		case v.tag == r.id && v.text != "":
			return v.text
		case title == "" && v.tag != "" && strings.Contains(r.title, v.tag):
			title = v.text
		}
	}
	return title
}

// close hands the record on. One that has nothing but the tags in header is
// empty.
func (r *record) close(header string) error {
	r.flush()
	empty := true
	for _, v := range r.fields {
		empty = empty && (v.text == "" || strings.Contains(header, v.tag))
	}
	var err error
	if empty {
		r.k.skip(r.start, "", "", "the record is empty")
	} else {
		err = r.k.emit(r.start, r.fill.fill(r.fields))
	}
	r.fields, r.size, r.full = r.fields[:0], 0, false
	return err
}
