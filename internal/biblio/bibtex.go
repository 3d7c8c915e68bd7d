package biblio

import (
	"regexp"
	"strings"
)

// bibTypes are the entry types of BibTeX and biblatex that we write.
var bibTypes = map[string]string{
	Journal: "article", Magazine: "article", Newspaper: "article", Conference: "inproceedings", Book: "book", Chapter: "incollection", Thesis: "phdthesis", Report: "techreport",
	Dataset: "dataset", Software: "software", Patent: "patent", Standard: "standard", Preprint: "misc", Webpage: "online", Document: "misc",
}

// bibNames are the entry types that we read.
var bibNames = map[string]string{
	"article": Journal, "suppperiodical": Journal, "review": Journal, "inproceedings": Conference, "conference": Conference, "proceedings": Book, "mvproceedings": Book, "periodical": Book,
	"book": Book, "mvbook": Book, "booklet": Book, "collection": Book, "mvcollection": Book, "reference": Book, "incollection": Chapter, "inbook": Chapter, "suppbook": Chapter,
	"inreference": Chapter, "bookinbook": Chapter, "phdthesis": Thesis, "mastersthesis": Thesis, "thesis": Thesis, "techreport": Report, "report": Report, "manual": Report,
	"dataset": Dataset, "software": Software, "patent": Patent, "standard": Standard, "online": Webpage, "electronic": Webpage, "www": Webpage, "webpage": Webpage,
	"unpublished": Preprint, "preprint": Preprint, "misc": Document,
}

// bibTable has the fields of BibTeX and biblatex, and a few that neither
// knows but that every program carries along (pmid, mesh, accession …).
var bibTable = newTable(BibTeX, bibFinish, []row{
	{tag: "@", f: fType, alias: true, read: readType(bibNames)},
	{tag: "title", f: fTitle},
	{tag: "shorttitle", f: fShort},
	{tag: "origtitle", f: fOriginal},
	{tag: "translatedtitle", f: fTranslated},
	{tag: "author", f: fAuthors},
	{tag: "editor", f: fEditors},
	{tag: "year", f: fYear, raw: true},
	{tag: "date", f: fDate, raw: true, write: func(e *Entry) []string {
		if len(e.Date) <= 4 {
			return nil
		}
		return fDate.get(e)
	}},
	{tag: "month", f: fMonth},
	{tag: "journal", f: fContainer, write: containerIn("journal")},
	{tag: "journaltitle", f: fContainer, alias: true},
	{tag: "booktitle", f: fContainer, write: containerIn("booktitle")},
	{tag: "howpublished", f: fContainer, write: containerIn("howpublished")},
	{tag: "shortjournal", f: fAbbrev},
	{tag: "journal-abbreviation", f: fAbbrev, alias: true},
	{tag: "journal-iso", f: fAbbrev, alias: true},
	{tag: "series", f: fSeries},
	{tag: "edition", f: fEdition},
	{tag: "volume", f: fVolume},
	{tag: "number", f: fIssue},
	{tag: "issue", f: fIssue, alias: true},
	{tag: "pages", f: fPages, write: func(e *Entry) []string { return []string{strings.ReplaceAll(e.Pages, "-", "--")} }},
	{tag: "eid", f: fArticle},
	{tag: "article-number", f: fArticle, alias: true},
	{tag: "articleno", f: fArticle, alias: true},
	{tag: "publisher", f: fPublisher, write: publisherIn("publisher")},
	{tag: "school", f: fPublisher, write: publisherIn("school")},
	{tag: "institution", f: fPublisher, write: publisherIn("institution")},
	{tag: "organization", f: fPublisher, alias: true},
	{tag: "address", f: fPlace},
	{tag: "location", f: fPlace, alias: true},
	{tag: "type", f: fPubTypes, write: func(e *Entry) []string { return joinList(e.PubTypes) }},
	{tag: "pubstate", f: fState},
	{tag: "entrysubtype", f: fSubtype},
	{tag: "doi", f: fDOI},
	{tag: "eprint", f: fEprint},
	{tag: "archiveprefix", f: fEprintType},
	{tag: "eprinttype", f: fEprintType, alias: true},
	{tag: "pmid", f: fPMID},
	{tag: "pmcid", f: fPMCID},
	{tag: "isbn", f: fISBN, write: func(e *Entry) []string { return joinList(e.ISBN) }},
	{tag: "issn", f: fISSN, write: func(e *Entry) []string { return joinList(e.ISSN) }},
	{tag: "url", f: fURL, write: func(e *Entry) []string { return []string{strings.Join(fURL.get(e), " ")} }},
	{tag: "language", f: fLanguage},
	{tag: "langid", f: fLanguage, alias: true},
	{tag: "abstract", f: fAbstract},
	{tag: "keywords", f: fKeywords, write: bibKeywords(fKeywords)},
	{tag: "keyword", f: fKeywords, alias: true},
	{tag: "author_keywords", f: fKeywords, alias: true},
	{tag: "mesh", f: fMeSH, write: bibKeywords(fMeSH)},
	{tag: "accession", f: fAccession},
	{tag: "unique-id", f: fAccession, alias: true},
	{tag: "database", f: fDatabase},
	{tag: "note", f: fNotes, write: func(e *Entry) []string { return joinList(e.Notes) }},
	{tag: "annote", f: fNotes, alias: true},
})

// bibVerbatim are fields whose text is no TeX.
var bibVerbatim = wordSet("doi url eprint pmid pmcid isbn issn")

// containerIn is the container in the field that suits the type.
func containerIn(name string) func(*Entry) []string {
	return func(e *Entry) []string {
		want := "howpublished"
		switch e.Type {
		case Journal, Magazine, Newspaper:
			want = "journal"
		case Conference, Chapter:
			want = "booktitle"
		}
		if name != want {
			return nil
		}
		return fContainer.get(e)
	}
}

func publisherIn(name string) func(*Entry) []string {
	return func(e *Entry) []string {
		want := "publisher"
		switch e.Type {
		case Thesis:
			want = "school"
		case Report:
			want = "institution"
		}
		if name != want {
			return nil
		}
		return fPublisher.get(e)
	}
}

// bibKeywords parts keywords by commas, or by semicolons when one has a comma.
func bibKeywords(f *field) func(*Entry) []string {
	return func(e *Entry) []string {
		values := f.get(e)
		for _, v := range values {
			if strings.ContainsRune(v, ',') {
				return []string{strings.Join(values, "; ") + ";"}
			}
		}
		return []string{strings.Join(values, ", ")}
	}
}

var fMonth = &field{
	get: func(*Entry) []string { return nil },
	put: func(e *Entry, v string) bool {
		if len(e.Date) != 4 {
			return len(e.Date) > 4 && date(e.Date) != ""
		}
		if d := date(e.Date + " " + v); len(d) > 4 {
			e.Date = d
			return true
		}
		return false
	},
}

var fState = &field{
	get: func(e *Entry) []string {
		if e.Type == Preprint {
			return []string{"preprint"}
		}
		return nil
	},
	put: func(e *Entry, v string) bool {
		if !strings.EqualFold(v, "preprint") {
			return false
		}
		e.Type = Preprint
		return true
	},
}

// fSubtype tells what the entry type does not. "document" marks an entry with
// an arXiv number that is no preprint.
var fSubtype = &field{
	get: func(e *Entry) []string {
		switch {
		case e.Type == Magazine:
			return []string{"magazine"}
		case e.Type == Newspaper:
			return []string{"newspaper"}
		case e.Type == Document && e.ArXiv != "":
			return []string{"document"}
		}
		return nil
	},
	put: func(e *Entry, v string) bool {
		switch v {
		case "magazine":
			e.Type = Magazine
		case "newspaper":
			e.Type = Newspaper
		case "document":
			e.Type = "document (arXiv)" // settled in bibFinish
		default:
			return false
		}
		return true
	},
}

var fEprint = &field{
	get: fArXiv.get,
	put: fArXiv.put,
}

var fEprintType = &field{
	get: func(e *Entry) []string {
		if e.ArXiv == "" {
			return nil
		}
		return []string{"arXiv"}
	},
	put: func(e *Entry, v string) bool { return strings.EqualFold(v, "arxiv") },
}

var (
	arxivNumber = regexp.MustCompile(`(?i)^(arxiv:)?(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?/\d{7})(v\d+)?$`)
	arxivIn     = regexp.MustCompile(`(?i)\barxiv:\s*(\d{4}\.\d{4,5}(v\d+)?|[a-z-]+(\.[A-Z]{2})?/\d{7}(v\d+)?)`)
)

// bibFinish settles what depends on several fields.
func bibFinish(e *Entry) {
	document := e.Type == "document (arXiv)"
	if document {
		e.Type = Document
	}
	if e.ArXiv != "" && !arxivNumber.MatchString(e.ArXiv) { // another archive?
		for _, x := range e.Extra {
			if x.Name == "archiveprefix" || x.Name == "eprinttype" {
				e.Extra = append(e.Extra, Field{"eprint", e.ArXiv})
				e.ArXiv = ""
				break
			}
		}
	}
	if m := arxivIn.FindStringSubmatch(e.Container); m != nil && e.ArXiv == "" {
		e.ArXiv = m[1]
		if e.Type == Journal {
			e.Type = Preprint
		}
	}
	if e.Type == Document && e.ArXiv != "" && !document {
		e.Type = Preprint
	}
}
