package biblio

import (
	"slices"
	"strings"

	"optimistresearch/state"
)

// entryTypes maps the words of the sources, in lower case, to types.
var entryTypes = map[string]string{
	"journal-article": Journal, "article": Journal, "review": Journal, "journal article": Journal, "letter": Journal, "editorial": Journal, "clinicaltrial": Journal,
	"proceedings-article": Conference, "conference": Conference, "conference paper": Conference, "inproceedings": Conference, "proceedings-paper": Conference,
	"book": Book, "monograph": Book, "edited-book": Book, "reference-book": Book, "proceedings": Book,
	"book-chapter": Chapter, "book-section": Chapter, "book chapter": Chapter, "book-part": Chapter, "reference-entry": Chapter,
	"dissertation": Thesis, "thesis": Thesis, "report": Report, "report-component": Report, "dataset": Dataset,
	"preprint": Preprint, "posted-content": Preprint, "other": Document,
}

// TypeOf is the type of a work that a source describes by its own word, the
// kind of the version and its venue.
func TypeOf(word string, kind state.Kind, venue string) string {
	t := entryTypes[strings.ToLower(word)]
	switch {
	case kind == state.Preprint:
		return Preprint
	case t != "" && t != Preprint:
		return t
	case kind == state.Published && venue != "":
		return Journal
	}
	return Document
}

// FromRecord makes an entry of what a source says about a work.
func FromRecord(r state.Record) Entry {
	e := Entry{
		ID: r.Key, Type: TypeOf(r.Type, r.Kind, r.Venue), Title: r.Title, OriginalTitle: r.AltTitle, Date: r.Date,
		Container: r.Venue, Publisher: r.Publisher, Volume: r.Volume, Issue: r.Issue, Pages: r.Pages, Language: r.Language,
		Abstract: r.Abstract, DOI: r.IDs[state.DOI], ArXiv: r.IDs[state.ArXiv], PMID: r.IDs[state.PMID], PMCID: r.IDs[state.PMCID],
		ISSN: r.ISSN, ISBN: r.ISBN, URL: r.URL, Keywords: r.Keywords, MeSH: r.Subjects, Database: r.Source,
		Accession: strings.TrimPrefix(r.Key, r.Source+":"),
	}
	if r.Type != "" {
		e.PubTypes = []string{r.Type}
	}
	if e.Date == "" && r.Year != 0 {
		e.Date = Year(r.Year)
	}
	for _, a := range r.Authors {
		e.Authors = append(e.Authors, NameOf(a.Name, a.Family, a.Given, a.Collective))
	}
	for _, l := range r.Links {
		if l.URL != "" && l.URL != e.URL && !slices.Contains(e.URLs, l.URL) {
			e.URLs = append(e.URLs, l.URL)
		}
	}
	if r.Retraction != nil && r.Retraction.Status == state.RetractRetracted {
		e.Notes = append(e.Notes, strings.TrimSpace("Retracted; notice "+r.Retraction.Notice))
	}
	if r.Synopsis && r.Abstract != "" {
		e.Notes = append(e.Notes, "The abstract is a synopsis written for the demonstration library")
	}
	if r.AuthorsCut {
		e.Notes = append(e.Notes, "The source names only some of the authors")
	}
	return e.Normal()
}

// Year writes a year as a date; "" for none.
func Year(y int) string {
	if y < 1 || y > 9999 {
		return ""
	}
	return string([]byte{byte('0' + y/1000), byte('0' + y/100%10), byte('0' + y/10%10), byte('0' + y%10)})
}

// Record makes a record of source out of an entry. native is the id of the
// entry in the source; "" makes one of its contents (see state.RecordKey).
func (e Entry) Record(source, native string) state.Record {
	r := state.Record{
		Source: source, Title: e.Title, AltTitle: e.OriginalTitle, Date: e.Date, Year: e.Year(), Venue: e.Container, Publisher: e.Publisher,
		Volume: e.Volume, Issue: e.Issue, Pages: e.Pages, Language: e.Language, Abstract: e.Abstract, ISSN: e.ISSN, ISBN: e.ISBN, URL: e.URL,
		Keywords: e.Keywords, Subjects: e.MeSH, Type: e.Type, Kind: kindOf(e), IDs: state.IDs{},
	}
	if r.AltTitle == "" {
		r.AltTitle = e.TranslatedTitle
	}
	if r.Pages == "" {
		r.Pages = e.ArticleNumber
	}
	if v := state.NormalizeDOI(e.DOI); v != "" {
		r.IDs[state.DOI] = v
	}
	if v, version := state.NormalizeArXiv(e.ArXiv); v != "" {
		r.IDs[state.ArXiv], r.Version = v, version
	} else if v, version := state.NormalizeArXiv(e.DOI); v != "" {
		r.IDs[state.ArXiv], r.Version = v, version
	}
	if v := state.NormalizePMID(e.PMID); v != "" {
		r.IDs[state.PMID] = v
	}
	if v := state.NormalizePMCID(e.PMCID); v != "" {
		r.IDs[state.PMCID] = v
	}
	for _, n := range e.Authors {
		r.Authors = append(r.Authors, state.Author{Name: n.Display(), Family: n.Family, Given: n.Given, Collective: n.Literal != "" && Collective(n.Literal)})
	}
	for _, p := range e.PubTypes {
		switch word := strings.ToLower(p); {
		case strings.Contains(word, "retracted publication"), strings.Contains(word, "retracted article"):
			r.Retraction = &state.Retract{Status: state.RetractRetracted}
		case word == "review", strings.Contains(word, "systematic review"), strings.Contains(word, "meta-analysis"):
			r.Type = "review"
		}
	}
	r.Key = state.RecordKey(source, native, r)
	return r
}

func kindOf(e Entry) state.Kind {
	switch e.Type {
	case Preprint:
		return state.Preprint
	case Journal, Conference, Magazine:
		return state.Published
	case Document:
		if e.Container != "" {
			return state.Published
		}
	}
	return state.Other
}
