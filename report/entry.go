package report

import (
	"fmt"

	"optimistresearch/internal/biblio"
	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// entry is a document as a reference manager takes it: the version that is
// cited, with the identifiers of all of them. A retraction shows in the title
// and in a note.
func (v *view) entry(id string) biblio.Entry {
	d := v.s.Documents[id]
	best, rec := d.Best(), citedRecord(v.s, d)
	e := biblio.Entry{ID: id, Title: plain(d.Title()) + retraction(d), Container: plain(best.Venue), Date: entryDate(d, rec), Volume: rec.Volume, Issue: rec.Issue,
		Pages: rec.Pages, Publisher: rec.Publisher, Language: rec.Language, DOI: best.DOI, ArXiv: best.ArXiv,
		PMID: d.ID1(state.PMID), PMCID: d.ID1(state.PMCID), URL: safeURL(rec.URL)}
	if e.DOI == "" {
		e.DOI = d.ID1(state.DOI)
	}
	if e.ArXiv == "" {
		e.ArXiv = d.ID1(state.ArXiv)
	}
	if e.URL == "" && e.ArXiv != "" {
		e.URL = safeURL("https://arxiv.org/abs/" + e.ArXiv)
	}
	e.Type = biblio.TypeOf(best.Type, d.Kind(), best.Venue)
	for _, a := range d.Authors {
		e.Authors = append(e.Authors, biblio.NameOf(a.Name, a.Family, a.Given, a.Collective))
	}
	e.Keywords, e.MeSH, e.ISSN, e.ISBN = rec.Keywords, rec.Subjects, rec.ISSN, rec.ISBN
	if rec.AuthorsCut {
		e.Notes = append(e.Notes, "The source names only some of the authors")
	}
	if a := v.s.AbstractText(d); a != "" {
		e.Abstract = yes(d.Abstract.Synopsis, state.SynopsisMark) + text.Truncate(text.OneLine(a), longField)
	}
	if isRetracted(d) {
		e.Notes = append(e.Notes, "Retracted"+yes(d.Retracted().Notice != "", ", notice "+plain(d.Retracted().Notice)))
	}
	return e
}

// entryDate is the date of the version that is cited, no more precise than its
// source.
func entryDate(d state.Document, rec state.Record) string {
	if y := d.Year(); y != 0 && (len(rec.Date) < 4 || rec.Date[:4] != fmt.Sprintf("%04d", y)) {
		return fmt.Sprintf("%04d", y)
	}
	return rec.Date
}

// exports adds the reference lists of the documents that the report cites.
func (v *view) exports(files map[string][]byte) error {
	var entries []biblio.Entry
	for _, id := range state.SortedIDs(v.cites) {
		entries = append(entries, v.entry(id))
	}
	csl, err := biblio.WriteCSL(entries)
	if err != nil {
		return err
	}
	files["references.ris"], files["references.bib"], files["references.json"] = biblio.WriteRIS(entries), biblio.WriteBibTeX(entries), csl
	var all []biblio.Entry
	for _, id := range v.docs {
		all = append(all, v.entry(id))
	}
	files["documents/all.ris"] = biblio.WriteRIS(all)
	return nil
}
