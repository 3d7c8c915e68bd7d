package biblio

import (
	"errors"
	"strings"
)

// sink takes the entries of a reader, looks them over and hands them on.
type sink struct {
	*Summary
	fn func(Entry) error
}

// stopped is the error of the caller's function; it ends the reading as it is.
type stopped struct{ err error }

func (s stopped) Error() string { return s.err.Error() }
func (s stopped) Unwrap() error { return s.err }

// emit hands on the entry that begins at line.
func (k *sink) emit(line int, e Entry) error {
	raw := e.Date
	e = e.Normal()
	if e.empty() {
		k.skip(line, "", "", "the record is empty")
		return nil
	}
	name := e.ID
	if name == "" {
		name = e.Title
	}
	if e.Title == "" {
		if e.DOI == "" && len(e.Authors) == 0 {
			k.warn(line, name, "", "the entry has neither title nor author nor DOI; it is kept as it is")
		} else {
			k.warn(line, name, "", "the entry has no title; it is kept as it is")
		}
	}
	if e.Date == "" && raw != "" {
		k.warn(line, name, raw, "the date has no year between %d and %d; it is kept beside the fields", firstYear, lastYear)
	}
	if e.Pages != "" && mangled.MatchString(e.Pages) {
		k.warn(line, name, e.Pages, "the pages look like a date that a spreadsheet made of a range; look them up, and import such columns as text")
	}
	if e.DOI != "" && !looksDOI(e.DOI) {
		k.warn(line, name, e.DOI, "the DOI does not have the form of one (10.…/…)")
	}
	if err := k.fn(e); err != nil {
		return stopped{err}
	}
	k.Kept++
	return nil
}

// empty reports whether an entry says nothing about a work.
func (e *Entry) empty() bool {
	for _, v := range []string{e.ID, e.Title, e.ShortTitle, e.OriginalTitle, e.TranslatedTitle, e.Container, e.Abbrev, e.Series, e.Publisher, e.Place, e.Date, e.Volume, e.Issue,
		e.Pages, e.ArticleNumber, e.Abstract, e.DOI, e.ArXiv, e.PMID, e.PMCID, e.URL, e.Accession} {
		if v != "" {
			return false
		}
	}
	return len(e.Authors)+len(e.Editors)+len(e.Keywords)+len(e.MeSH)+len(e.Notes)+len(e.ISBN)+len(e.ISSN)+len(e.Extra) == 0
}

// Kinds of a file that cannot be read at all, for errors.Is.
var (
	ErrEmpty   = errors.New("the file is empty")
	ErrBinary  = errors.New("the file is not a text file")
	ErrUnknown = errors.New("the format is not known")
	ErrTooBig  = errors.New("the file is too big")
)

// FileError says why a file cannot be read and what to do.
type FileError struct {
	Name   string
	Reason string // a clause
	Hint   string // what to type or export next
	Kind   error  // one of the kinds above
}

func (e *FileError) Error() string {
	s := "cannot read " + oneLine(e.Name) + ": " + strings.TrimSuffix(e.Reason, ".")
	if e.Hint != "" {
		s += ". " + e.Hint
	}
	return s
}

func (e *FileError) Unwrap() error { return e.Kind }
