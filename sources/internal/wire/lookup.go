package wire

import (
	"errors"
	"slices"

	"optimistresearch/sources"
	"optimistresearch/state"
)

// NotAsked is the error for a list that a source was not asked for, since it
// understands none of the identifiers of the work: that says nothing about
// the work.
func NotAsked(source, op, why string) *sources.Error {
	return &sources.Error{Source: source, Op: op, Outcome: state.Skipped, Err: errors.New(why)}
}

// Lookup keeps the books of a look-up by several identifiers: which works
// still have to be found, and by what.
type Lookup struct {
	pending []state.IDs
	schemes []string
	normal  func(scheme, id string) string
}

// NewLookup begins the look-up of works by the schemes, best first. normal
// brings an identifier to the form in which the source is asked and answers,
// "" if it is none.
func NewLookup(works []state.IDs, schemes []string, normal func(scheme, id string) string) *Lookup {
	return &Lookup{pending: slices.Clone(works), schemes: schemes, normal: normal}
}

// Wanted lists the identifiers of a scheme of the works not yet found, each
// once.
func (l *Lookup) Wanted(scheme string) []string {
	var ids []string
	known := map[string]bool{"": true}
	for _, w := range l.pending {
		if id := l.normal(scheme, w[scheme]); !known[id] {
			known[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// Found strikes the works out whose identifier of the scheme was answered.
func (l *Lookup) Found(scheme string, found map[string]bool) {
	l.pending = slices.DeleteFunc(l.pending, func(w state.IDs) bool { return found[l.normal(scheme, w[scheme])] })
}

// Absent names an identifier of every work that was not found, the best one;
// works with no identifier of the schemes are the others.
func (l *Lookup) Absent() (absent []string, unknown int) {
	for _, w := range l.pending {
		name := ""
		for _, scheme := range l.schemes {
			if name == "" && l.normal(scheme, w[scheme]) != "" {
				name = scheme + " " + w[scheme]
			}
		}
		switch {
		case name == "":
			unknown++
		case !slices.Contains(absent, name):
			absent = append(absent, name)
		}
	}
	return absent, unknown
}

// Close notes what a look-up did not find.
func (l *Lookup) Close(j *Job, service string) {
	absent, unknown := l.Absent()
	j.Absent(service, absent)
	if unknown > 0 {
		j.Note("%d works have no identifier that %s understands", unknown, service)
	}
}
