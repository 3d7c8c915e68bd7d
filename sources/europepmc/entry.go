package europepmc

import (
	"fmt"
	"regexp"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

func decodeEntry(raw rawRecord) entry {
	var e entry
	if _, err := wire.Lenient(raw, &e); err != nil {
		return entry{broken: text.Truncate(text.OneLine(string(raw)), 100)}
	}
	return e
}

var entryID = regexp.MustCompile(`^[A-Za-z0-9]{1,30}$`)

// held reports whether Europe PMC has a record of its own for an entry.
func (e entry) held() bool {
	return entryID.MatchString(string(e.ID)) && entryID.MatchString(string(e.Source))
}

// name is what tells an entry from the others of its list.
func (e entry) name() string {
	switch {
	case e.held():
		return string(e.Source + "/" + e.ID)
	case e.broken != "":
		return e.broken
	case e.Order != "":
		return "entry " + text.Truncate(text.OneLine(string(e.Order)), 20)
	}
	return text.Truncate(text.OneLine(strings.Join([]string{string(e.Title), string(e.Authors), string(e.Year), string(e.Journal), string(e.Pages)}, " ")), 300)
}

// record is a thin record of what a list says. list is the list's name.
func (e entry) record(list string) (r state.Record, why string) {
	if e.broken != "" {
		return r, "not an entry of a list"
	}
	r = state.Record{
		Source: Name, IDs: state.IDs{},
		Authors: named(e.Authors), AuthorsCut: etAl.MatchString(string(e.Authors)),
		Venue: field(e.Journal, longField), Volume: field(e.Volume, longField), Issue: field(e.Issue, longField), Pages: field(e.Pages, longField),
		Type: strings.ToLower(field(e.Type, longField)), Kind: state.Other,
		Notes: []string{"taken from the list of " + text.Truncate(text.OneLine(list), 200) + "; no record of its own"},
	}
	if r.Title, _ = title(e.Title); r.Title == "" {
		return r, "an entry without a title"
	}
	if n, ok := e.Year.Int(); ok && n >= 1000 && n <= 9999 {
		r.Year, r.Date = n, fmt.Sprintf("%04d", n)
	}
	if n, ok := e.CitedBy.Int(); ok && n >= 0 && e.held() {
		r.Citations = &n
	}
	w := work{ID: e.ID, Source: e.Source, DOI: e.DOI}
	native := ""
	if e.held() {
		native = e.name()
		w.identify(&r)
		r.Kind = w.kind()
	} else {
		r.IDs.SetDOI(string(e.DOI))
		if r.Venue != "" {
			r.Kind = state.Published
		}
	}
	r.Key = state.RecordKey(Name, native, r)
	return r, ""
}
