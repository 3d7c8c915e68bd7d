package biblio

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// UnmarshalJSON reads that form, and what data sets and CSL have instead.
func (e *Entry) UnmarshalJSON(data []byte) error {
	r := newJSONReader()
	got, err := r.entry(data)
	if err != nil {
		return fmt.Errorf("reading an entry: %w", err)
	}
	if got.Format == JSONL && len(got.Extra) == 0 {
		got.Format = "" // nothing of a format hangs on it
	}
	*e = got.Normal()
	return nil
}

// jsonReader makes entries of objects, in CSL's form or ours.
type jsonReader struct {
	ours, csl *filler
	list      bool // the file is a list, as CSL's are
	values    []value
}

func newJSONReader() *jsonReader {
	return &jsonReader{ours: jsonTable.filler(), csl: cslTable.filler()}
}

// isCSL reports whether the members are CSL's. What both have says nothing; a
// list is then CSL's.
func isCSL(list []member, array bool) bool {
	csl := false
	for _, m := range list {
		switch m.name {
		case "authors", "year", "journal", "venue", "booktitle", "doi", "record_id", "format":
			return false
		case "container-title", "issued", "DOI", "URL", "collection-title", "publisher-place", "page", "PMID", "PMCID", "ISSN", "ISBN", "title-short", "citation-key":
			csl = true
		}
	}
	return csl || array
}

// unknownMark keeps a member apart whose name has a row but whose value is not
// what the row reads.
const unknownMark = "?"

// entry reads one object.
func (r *jsonReader) entry(data []byte) (Entry, error) {
	list, err := members(data)
	if err != nil {
		return Entry{}, err
	}
	fill := r.ours
	if isCSL(list, r.list) {
		fill = r.csl
	}
	r.values = r.values[:0]
	var format, rawType string
	var extra []Field
	for _, m := range list {
		switch {
		case fill == r.ours && m.name == "extra" && json.Unmarshal(m.raw, &extra) == nil:
		case fill == r.ours && m.name == "format":
			format = plain(m.raw)
		case fill == r.ours && m.name == "raw_type":
			rawType = plain(m.raw)
		default:
			r.member(fill, m)
		}
	}
	e := fill.fill(r.values)
	for i := range e.Extra {
		e.Extra[i].Name = strings.TrimPrefix(e.Extra[i].Name, unknownMark)
	}
	if f := Format(format); f.known() {
		e.Format, e.RawType = f, rawType
		e.Extra = append(e.Extra, extra...)
	}
	return e, nil
}

// member adds the values of one member.
func (r *jsonReader) member(fill *filler, m member) {
	add := func(text string) { r.values = append(r.values, value{tag: m.name, text: oneLine(text)}) }
	unknown := func() { r.values = append(r.values, value{tag: unknownMark + m.name, text: plain(m.raw)}) }
	beside := func() { // what a member has that its row cannot hold
		name := "also-" + m.name
		if fill == r.csl && !strings.HasPrefix(m.name, "custom/") {
			name = "custom/" + name
		}
		r.values = append(r.values, value{tag: unknownMark + name, text: plain(m.raw)})
	}
	n, ok := fill.t.byTag[m.name]
	if !ok {
		unknown()
		return
	}
	switch f := fill.t.rows[n].f; {
	case f == fAuthors || f == fEditors:
		people, ok := namesIn(m.raw)
		if !ok {
			beside()
			return
		}
		for _, p := range people {
			if p = p.normal(); p != (Name{}) {
				add(p.joined())
			}
		}
	case f == fDate || f == fFiner || f == fYear:
		d, whole := dateIn(m.raw)
		if d != "" {
			add(d)
		}
		if !whole {
			unknown()
		}
	default:
		list, ok := texts(m.raw)
		if !ok {
			beside()
			return
		}
		if m.raw[0] == '"' && (m.name == "note" || m.name == "keyword" || m.name == "keywords") {
			list = spread(m.name, list)
		}
		if len(list) > 1 && !f.many {
			if m.name != "sentences" { // Crossref: a list whose first member counts
				add(list[0])
				beside()
				return
			}
			list = []string{strings.Join(list, " ")}
		}
		for _, v := range list {
			add(v)
		}
	}
}

// spread takes one text with several values apart: notes at lines, keywords at
// commas unless there are semicolons.
func spread(name string, list []string) []string {
	if len(list) != 1 {
		return list
	}
	switch {
	case name == "note":
		return strings.Split(list[0], "\n")
	case strings.Contains(list[0], ";"):
		return list
	}
	return strings.Split(list[0], ",")
}

// readJSON reads CSL-JSON and JSON lines.
func readJSON(in *bufio.Reader, k *sink) error {
	r := newJSONReader()
	r.list = k.Format == CSL
	o := objects{in: in, k: k}
	for {
		data, line, ok := o.next()
		if !ok {
			break
		}
		e, err := r.entry(data)
		if err != nil {
			k.skip(line, "", string(data[:min(200, len(data))]), "the record is not valid JSON: %v", err)
			continue
		}
		if k.Kept == 0 && k.Skipped == 0 {
			k.Format = JSONL
			if e.Format == CSL {
				k.Format = CSL
			}
		}
		if err := k.emit(line, e); err != nil {
			return err
		}
	}
	if errors.Is(o.err, io.EOF) {
		return nil
	}
	return o.err
}
