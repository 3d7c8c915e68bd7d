package biblio

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// csvTable has the columns of our tables, and as aliases those of the databases
// and reference managers. Names are compared in small letters with blanks for
// all other signs.
var csvTable = newTable(CSV, csvFinish, []row{
	{tag: "id", f: fID},
	{tag: "record id", f: fID, alias: true},
	{tag: "key", f: fID, alias: true},
	{tag: "type", f: fType, read: readType(jsonNames), write: writeType(CSV, jsonTypes, jsonNames)},
	{tag: "item type", f: fType, alias: true, read: readType(jsonNames)},
	{tag: "publication types", f: fPubTypes},
	{tag: "document type", f: fPubTypes, alias: true},
	{tag: "publication type", f: fPubTypes, alias: true},
	{tag: "title", f: fTitle},
	{tag: "article title", f: fTitle, alias: true},
	{tag: "document title", f: fTitle, alias: true},
	{tag: "primary title", f: fTitle, alias: true},
	{tag: "short title", f: fShort},
	{tag: "original title", f: fOriginal},
	{tag: "translated title", f: fTranslated},
	{tag: "authors", f: fAuthors, write: func(e *Entry) []string { return nameCell(e.Authors) }},
	{tag: "author full names", f: fAuthors, alias: true},
	{tag: "author", f: fAuthors, alias: true},
	{tag: "author names", f: fAuthors, alias: true},
	{tag: "author s", f: fAuthors, alias: true},
	{tag: "book authors", f: fAuthors, alias: true},
	{tag: "group authors", f: fAuthors, alias: true},
	{tag: "editors", f: fEditors, write: func(e *Entry) []string { return nameCell(e.Editors) }},
	{tag: "editor", f: fEditors, alias: true},
	{tag: "book editors", f: fEditors, alias: true},
	{tag: "year", f: fYear, raw: true},
	{tag: "publication year", f: fYear, alias: true, raw: true},
	{tag: "pub year", f: fYear, alias: true, raw: true},
	{tag: "date", f: fFiner, raw: true, write: func(e *Entry) []string {
		if len(e.Date) <= 4 {
			return nil
		}
		return fDate.get(e)
	}},
	{tag: "date of publication", f: fFiner, alias: true, raw: true},
	{tag: "publication date", f: fWosDate, alias: true, raw: true},
	{tag: "venue", f: fContainer},
	{tag: "source title", f: fContainer, alias: true},
	{tag: "journal book", f: fContainer, alias: true},
	{tag: "publication title", f: fContainer, alias: true},
	{tag: "journal", f: fContainer, alias: true},
	{tag: "journal title", f: fContainer, alias: true},
	{tag: "booktitle", f: fContainer, alias: true},
	{tag: "venue abbrev", f: fAbbrev},
	{tag: "abbreviated source title", f: fAbbrev, alias: true},
	{tag: "journal iso abbreviation", f: fAbbrev, alias: true},
	{tag: "journal abbreviation", f: fAbbrev, alias: true},
	{tag: "series", f: fSeries},
	{tag: "book series title", f: fSeries, alias: true},
	{tag: "edition", f: fEdition},
	{tag: "volume", f: fVolume},
	{tag: "issue", f: fIssue},
	{tag: "number", f: fIssue, alias: true},
	{tag: "pages", f: fPages},
	{tag: "page start", f: fPages, alias: true},
	{tag: "start page", f: fPages, alias: true},
	{tag: "first page", f: fPages, alias: true},
	{tag: "page end", f: fLastPage, alias: true},
	{tag: "end page", f: fLastPage, alias: true},
	{tag: "last page", f: fLastPage, alias: true},
	{tag: "article number", f: fArticle},
	{tag: "art no", f: fArticle, alias: true},
	{tag: "publisher", f: fPublisher},
	{tag: "book publisher", f: fPublisher, alias: true},
	{tag: "institution", f: fPublisher, alias: true},
	{tag: "place", f: fPlace},
	{tag: "publisher city", f: fPlace, alias: true},
	{tag: "language", f: fLanguage},
	{tag: "language of original document", f: fLanguage, alias: true},
	{tag: "article language", f: fLanguage, alias: true},
	{tag: "abstract", f: fAbstract},
	{tag: "abstract note", f: fAbstract, alias: true},
	{tag: "notes abstract", f: fAbstract, alias: true},
	{tag: "doi", f: fDOI},
	{tag: "pmid", f: fPMID},
	{tag: "pubmed id", f: fPMID, alias: true},
	{tag: "medline pmid", f: fPMID, alias: true},
	{tag: "pmcid", f: fPMCID},
	{tag: "arxiv", f: fArXiv},
	{tag: "arxiv id", f: fArXiv, alias: true},
	{tag: "isbn", f: fISBN, read: fSerial.put, raw: true},
	{tag: "issn", f: fISSN, read: fSerial.put, raw: true},
	{tag: "eissn", f: fISSN, alias: true, read: fSerial.put},
	{tag: "urls", f: fURL, write: func(e *Entry) []string { return []string{strings.Join(fURL.get(e), " ")} }, read: func(e *Entry, v string) bool {
		for _, u := range strings.Fields(v) {
			e.addURL(u)
		}
		return true
	}},
	{tag: "url", f: fURL, alias: true},
	{tag: "link", f: fURL, alias: true},
	{tag: "full text link", f: fURL, alias: true},
	{tag: "keywords", f: fKeywords, write: bibKeywords(fKeywords)},
	{tag: "author keywords", f: fKeywords, alias: true},
	{tag: "manual tags", f: fKeywords, alias: true},
	{tag: "mesh", f: fMeSH, write: bibKeywords(fMeSH)},
	{tag: "mesh terms", f: fMeSH, alias: true},
	{tag: "accession", f: fAccession},
	{tag: "accession number", f: fAccession, alias: true},
	{tag: "eid", f: fAccession, alias: true},
	{tag: "ut unique wos id", f: fAccession, alias: true},
	{tag: "embase accession id", f: fAccession, alias: true},
	{tag: "pui", f: fAccession, alias: true},
	{tag: "database", f: fDatabase},
	{tag: "notes", f: fNotes, write: func(e *Entry) []string { return joinList(e.Notes) }},
	{tag: "note", f: fNotes, alias: true},
})

// nameCell is a list of names at semicolons, with one at the end where a reader
// would take a single name apart.
func nameCell(people []Name) []string {
	cell := strings.Join(joinedAll(people), "; ")
	if cell != "" && !slices.Equal(names(splitNames(cell)), people) {
		cell += ";"
	}
	return []string{cell}
}

var fLastPage = &field{put: risReadLastPage, get: risLastPage}

// fWosDate is a date that may lack the year: "MAR 5".
var fWosDate = &field{
	get: fYear.get,
	put: func(e *Entry, v string) bool { return fEndnoteDate.put(e, v) },
}

func csvFinish(e *Entry) {
	if len(e.PubTypes) > 0 && len(e.PubTypes[0]) == 1 { // Web of Science: J, B, C
		e.PubTypes = e.PubTypes[1:]
	}
	for _, t := range e.PubTypes {
		if kind := jsonNames[strings.ToLower(t)]; e.Type == "" && kind != "" {
			e.Type = kind
		}
	}
	if e.Type == "" && e.Container != "" {
		e.Type = Journal
	}
	if e.ID == "" {
		if e.ID = e.Accession; e.ID == "" {
			e.ID = e.PMID
		}
	}
}

// dialect is what tells the tables of one database from others.
type dialect struct {
	name     string
	columns  []string // all of them are there
	database string
	commas   bool // names are a list at commas
	finish   func(*Entry)
}

var dialects = []dialect{
	{name: "optimistresearch", columns: []string{"title", "venue", "venue abbrev", "accession"}},
	{name: "Scopus", columns: []string{"title", "source title", "eid"}, database: "Scopus"},
	{name: "Scopus", columns: []string{"authors", "title", "source title", "art no"}, database: "Scopus"},
	{name: "Web of Science", columns: []string{"article title", "source title", "ut unique wos id"}},
	{name: "Embase", columns: []string{"author names", "source title"}, database: "Embase", commas: true},
	{name: "PubMed", columns: []string{"pmid", "title", "citation"}, database: "PubMed", commas: true, finish: pubmedCitation},
	{name: "Zotero", columns: []string{"item type", "publication title", "abstract note"}},
	{name: "IEEE Xplore", columns: []string{"document title", "publication title"}},
	{name: "Web of Science", columns: []string{"pt", "au", "ti", "so"}},
}

func dialectOf(columns []string) *dialect {
	have := map[string]bool{}
	for _, c := range columns {
		have[c] = true
	}
next:
	for i := range dialects {
		for _, c := range dialects[i].columns {
			if !have[c] {
				continue next
			}
		}
		return &dialects[i]
	}
	return &dialect{}
}

var citationParts = regexp.MustCompile(`\. (\d{4}(?: [A-Z][a-z]{2})?(?: \d{1,2})?)[^;.]*;([^(:.;]*)(?:\(([^)]*)\))?(?::([^.;]*))?\.`)

// pubmedCitation takes from PubMed's citation what its table has no column for.
func pubmedCitation(e *Entry) {
	for _, x := range e.Extra {
		if x.Name != "Citation" {
			continue
		}
		if m := citationParts.FindStringSubmatch(x.Value); m != nil {
			fFiner.put(e, m[1])
			for i, at := range []*string{&e.Volume, &e.Issue, &e.Pages} {
				if *at == "" {
					*at = strings.TrimSpace(m[i+2])
				}
			}
		}
	}
}

// foldColumn brings the name of a column to small letters and single blanks.
func foldColumn(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}
