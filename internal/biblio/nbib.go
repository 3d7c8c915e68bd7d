package biblio

import (
	"bufio"
	"regexp"
	"strings"
)

// nbibTypes are the publication types that we write for want of the source's
// own; nbibNames are those that decide the type when reading.
var nbibTypes = map[string]string{
	Journal: "Journal Article", Magazine: "Periodical Article", Newspaper: "Newspaper Article", Conference: "Conference Proceedings", Book: "Book", Chapter: "Book Chapter",
	Thesis: "Academic Dissertation", Report: "Technical Report", Dataset: "Dataset", Software: "Software", Patent: "Patent", Standard: "Standard", Preprint: "Preprint",
	Webpage: "Webcast", Document: "",
}

var nbibNames = map[string]string{
	"journal article": Journal, "review": Journal, "case reports": Journal, "letter": Journal, "editorial": Journal, "comment": Journal, "news": Journal,
	"periodical article": Magazine, "newspaper article": Newspaper, "conference proceedings": Conference, "congress": Conference, "meeting abstract": Conference,
	"book": Book, "books": Book, "book chapter": Chapter, "academic dissertation": Thesis, "dissertation": Thesis, "technical report": Report, "dataset": Dataset,
	"software": Software, "patent": Patent, "standard": Standard, "preprint": Preprint, "webcast": Webpage,
}

// nbibTable follows the list of MEDLINE elements of the National Library of
// Medicine. Identifiers that have no element of their own stand in AID, whose
// values carry their kind in brackets.
var nbibTable = newTable(NBIB, nbibFinish, []row{
	{tag: "PMID", f: fPMID},
	{tag: "IS", f: fSerial, raw: true, write: fISSN.get},
	{tag: "ISBN", f: fSerial2, raw: true, write: fISBN.get},
	{tag: "VI", f: fVolume},
	{tag: "IP", f: fIssue},
	{tag: "DP", f: fDate, raw: true, write: nbibDate},
	{tag: "TI", f: fTitle},
	{tag: "BTI", f: fBookTitle},
	{tag: "CTI", f: fSeries},
	{tag: "TT", f: fOriginal},
	{tag: "EN", f: fEdition},
	{tag: "PG", f: fPages},
	{tag: "AB", f: fAbstract},
	{tag: "FAU", f: fAuthors},
	{tag: "CN", f: fAuthors, alias: true, read: func(e *Entry, v string) bool {
		e.Authors = append(e.Authors, Name{Literal: v})
		return true
	}},
	{tag: "FED", f: fEditors},
	{tag: "LA", f: fLanguage},
	{tag: "PT", f: fPubTypes, write: nbibWork},
	{tag: "PL", f: fPlace},
	{tag: "PB", f: fPublisher},
	{tag: "TA", f: fAbbrev},
	{tag: "JT", f: fContainer, write: func(e *Entry) []string {
		if inBook(e) {
			return nil
		}
		return fContainer.get(e)
	}},
	{tag: "MH", f: fMeSH},
	{tag: "OT", f: fKeywords},
	{tag: "KW", f: fKeywords, alias: true},
	{tag: "PMC", f: fPMCID},
	{tag: "AID", f: fArticleIDs, write: nbibIDs},
	{tag: "LID", f: fArticleIDs, alias: true},
	{tag: "OID", f: fOtherID},
	{tag: "URL", f: fURL},
	{tag: "GN", f: fNotes},
})

// fSerial2 is fSerial with a place of its own among the rows.
var fSerial2 = &field{many: true, get: fISBN.get, put: fSerial.put}

// fBookTitle is the title of a book, or of the book that a chapter is in.
var fBookTitle = &field{
	get: func(e *Entry) []string {
		if inBook(e) {
			return fContainer.get(e)
		}
		return nil
	},
	put: func(e *Entry, v string) bool {
		switch {
		case e.Title == "":
			e.Title = v
		case e.Container == "":
			e.Container = v
		default:
			return false
		}
		return true
	},
}

func inBook(e *Entry) bool { return e.Type == Chapter && e.Title != "" }

var bracketed = regexp.MustCompile(`^(.*\S)\s*\[([a-z]+)\]$`)

// fArticleIDs reads "10.1/x [doi]"; the publisher's own numbers ([pii]) stay
// as they are.
var fArticleIDs = &field{
	many: true,
	get:  nbibIDs,
	put: func(e *Entry, v string) bool {
		m := bracketed.FindStringSubmatch(v)
		if m == nil {
			return false
		}
		var at *string
		switch m[2] {
		case "doi":
			at = &e.DOI
		case "arxiv":
			at = &e.ArXiv
		case "number":
			at = &e.ArticleNumber
		case "record":
			at = &e.ID
		default:
			return false
		}
		if *at == "" {
			*at = m[1]
		}
		return *at == m[1]
	},
}

func nbibIDs(e *Entry) []string {
	var out []string
	for _, x := range []struct{ value, kind string }{{e.DOI, "doi"}, {e.ArXiv, "arxiv"}, {e.ArticleNumber, "number"}, {e.ID, "record"}} {
		if x.value != "" && (x.kind != "record" || x.value != e.PMID) {
			out = append(out, x.value+" ["+x.kind+"]")
		}
	}
	return out
}

// fOtherID is the number of the record in another database, "NLM: PMC38908".
var fOtherID = &field{
	get: func(e *Entry) []string {
		if e.Accession == "" && e.Database == "" {
			return nil
		}
		return []string{strings.ReplaceAll(e.Database, ": ", ":") + ": " + e.Accession}
	},
	put: func(e *Entry, v string) bool {
		db, id, ok := strings.Cut(v+" ", ": ")
		if !ok || db == "NLM" {
			return false
		}
		e.Database, e.Accession = db, strings.TrimSpace(id)
		return true
	},
}

// nbibDate is "2020 May 7".
func nbibDate(e *Entry) []string {
	if e.Date == "" {
		return nil
	}
	s := e.Date[:4]
	if len(e.Date) >= 7 {
		m, _ := number(e.Date[5:7])
		s += " " + strings.ToUpper(monthNames[m-1][:1]) + monthNames[m-1][1:]
	}
	if len(e.Date) == 10 {
		s += " " + strings.TrimLeft(e.Date[8:], "0")
	}
	return []string{s}
}

// nbibWork writes the publication types, first one that says the type.
func nbibWork(e *Entry) []string {
	if t := nbibTypes[e.Type]; t != "" && !contains(e.PubTypes, t) {
		return append([]string{t}, e.PubTypes...)
	}
	return e.PubTypes
}

// nbibType is the type that publication types say; the finer word wins over
// "Journal Article".
func nbibType(types []string) string {
	found := ""
	for _, t := range types {
		switch kind := nbibNames[strings.ToLower(t)]; {
		case kind == "":
		case found == "" || found == Journal && kind != Conference:
			found = kind
		}
	}
	return found
}

func nbibFinish(e *Entry) {
	e.Type = nbibType(e.PubTypes)
	if e.Type != "" && e.PubTypes[0] == nbibTypes[e.Type] {
		e.PubTypes = e.PubTypes[1:] // it says no more than the type
	}
	if e.ID == "" {
		e.ID = e.PMID
	}
}

// writeNBIB writes one entry, lines wrapped as PubMed does.
func writeNBIB(w *bufio.Writer, e *Entry) {
	if e.PMID == "" {
		w.WriteString("PMID- \r\n") // where records begin
	}
	line := func(tag, v string) {
		w.WriteString(tag)
		w.WriteString("    "[len(tag):])
		w.WriteString("- ")
		wrap(w, v, 82)
	}
	nbibTable.write(e, func(tag, v string) {
		switch {
		case !nbibTagged(tag):
		case tag == "FAU" && strings.HasSuffix(v, ","):
			line("CN", strings.TrimSuffix(v, ","))
		case tag == "FAU" || tag == "FED":
			line(tag, v)
			line(tag[1:], parse(v).medline())
		default:
			line(tag, v)
		}
	})
	w.WriteString("\r\n")
}

// wrap writes a value in lines that go on behind six blanks. Only single blanks
// are broken at, so that joining with one gives the value back.
func wrap(w *bufio.Writer, v string, width int) {
	for len(v) > width {
		i := strings.LastIndexByte(v[:width], ' ')
		if i <= 0 {
			if i = strings.IndexByte(v, ' '); i < 0 {
				break
			}
		}
		w.WriteString(v[:i])
		w.WriteString("\r\n      ")
		v = v[i+1:]
	}
	w.WriteString(v)
	w.WriteString("\r\n")
}

func nbibTagged(tag string) bool {
	if len(tag) < 2 || len(tag) > 4 {
		return false
	}
	for i := 0; i < len(tag); i++ {
		if (tag[i] < 'A' || tag[i] > 'Z') && (i == 0 || tag[i] < '0' || tag[i] > '9') {
			return false
		}
	}
	return true
}
