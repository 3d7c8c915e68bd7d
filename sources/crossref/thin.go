package crossref

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// record is a thin record of what a reference list says, for the list of the
// work named citing.
func (ref reference) record(citing string) (r state.Record, why string) {
	r = state.Record{
		Source:     Name,
		IDs:        state.IDs{},
		Title:      field(ref.ArticleTitle, longTitle),
		AuthorsCut: true, // the list names the first author only
		Year:       year(string(ref.Year)),
		Venue:      field(cmp.Or(ref.JournalTitle, ref.VolumeTitle, ref.SeriesTitle), longField),
		Kind:       state.Other,
		Volume:     field(ref.Volume, longField),
		Issue:      field(ref.Issue, longField),
		Pages:      field(ref.FirstPage, longField),
		Notes:      []string{"taken from the reference list of " + text.Truncate(text.OneLine(citing), 200) + "; no record of its own"},
	}
	if r.Title == "" {
		return r, "no title"
	}
	if name := field(ref.Author, longField); name != "" {
		r.Authors = []state.Author{{Name: name}}
	}
	if r.Year > 0 {
		r.Date = fmt.Sprintf("%04d", r.Year)
	}
	r.IDs.SetDOI(ref.doi())
	if m := arxivMention.FindStringSubmatch(string(ref.JournalTitle + " " + ref.Unstructured)); m != nil && r.IDs[state.ArXiv] == "" {
		if id, _ := state.NormalizeArXiv(m[1]); id != "" {
			r.IDs[state.ArXiv] = id
		}
	}
	switch venue := strings.ToLower(string(ref.JournalTitle)); {
	case r.IDs[state.ArXiv] != "" || strings.Contains(venue, "arxiv") || strings.Contains(venue, "biorxiv") || strings.Contains(venue, "medrxiv"):
		r.Kind = state.Preprint
	case venue != "":
		r.Kind = state.Published
	}
	r.Key = state.RecordKey(Name, r.IDs[state.DOI], r)
	return r, ""
}

var arxivMention = regexp.MustCompile(`(?i)arxiv\s*:\s*([0-9]{4}\.[0-9]{4,5})`)

func (ref reference) name() string {
	return cmp.Or(string(ref.DOI), string(ref.ArticleTitle), string(ref.Unstructured), string(ref.VolumeTitle),
		strings.TrimSpace(string(ref.Author+" "+ref.Year+" "+ref.JournalTitle+" "+ref.Volume)), string(ref.Key))
}

// year reads the four digits that begin a year such as "2004a".
func year(s string) int {
	s = strings.TrimSpace(s)
	if len(s) < 4 {
		return 0
	}
	n, ok := scalar(s[:4]).Int()
	if !ok || n < 1000 || n > 9999 {
		return 0
	}
	return n
}

// doi is the DOI of the reference, or the one that its text names.
func (ref reference) doi() string {
	if doi := state.NormalizeDOI(string(ref.DOI)); doi != "" {
		return doi
	}
	return state.NormalizeDOI(strings.TrimRight(doiMention.FindString(string(ref.Unstructured)), ".,;)]"))
}

var doiMention = regexp.MustCompile(`\b10\.[0-9]{4,9}/[^\s"<>]+`)
