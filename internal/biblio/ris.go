package biblio

import (
	"bufio"
	"regexp"
	"strings"
)

// risTypes are the types that we write; risNames are those that we read, from
// the lists of RIS and of EndNote.
var risTypes = map[string]string{
	Journal: "JOUR", Magazine: "MGZN", Newspaper: "NEWS", Conference: "CPAPER", Book: "BOOK", Chapter: "CHAP", Thesis: "THES", Report: "RPRT", Dataset: "DATA",
	Software: "COMP", Patent: "PAT", Standard: "STAND", Preprint: "UNPB", Webpage: "ELEC", Document: "GEN",
}

var risNames = map[string]string{
	"JOUR": Journal, "JFULL": Journal, "ABST": Journal, "INPR": Journal, "EJOUR": Journal, "MGZN": Magazine, "NEWS": Newspaper,
	"CPAPER": Conference, "CONF": Conference, "BOOK": Book, "EBOOK": Book, "EDBOOK": Book, "SER": Book, "CLSWK": Book, "CTLG": Book,
	"CHAP": Chapter, "ECHAP": Chapter, "DICT": Chapter, "ENCYC": Chapter, "THES": Thesis, "RPRT": Report, "GOVDOC": Report, "GRANT": Report, "PAMP": Report,
	"DATA": Dataset, "DBASE": Dataset, "AGGR": Dataset, "COMP": Software, "PAT": Patent, "STAND": Standard, "UNPB": Preprint, "UNPD": Preprint, "MANSCPT": Preprint,
	"ELEC": Webpage, "ICOMM": Webpage, "BLOG": Webpage, "WEB": Webpage, "GEN": Document,
}

// risTable follows the tag lists of EndNote and Zotero; where they differ (T2
// of a book is its series for some) the journal's meaning is taken for all.
var risTable = newTable(RIS, risFinish, []row{
	{tag: "TY", f: fType, read: readType(risNames), write: writeType(RIS, risTypes, risNames)},
	{tag: "ID", f: fID},
	{tag: "TI", f: fTitle},
	{tag: "T1", f: fTitle, alias: true},
	{tag: "CT", f: fTitle, alias: true},
	{tag: "ST", f: fShort},
	{tag: "OP", f: fOriginal},
	{tag: "TT", f: fTranslated},
	{tag: "AU", f: fAuthors},
	{tag: "A1", f: fAuthors, alias: true},
	{tag: "A2", f: fEditors},
	{tag: "ED", f: fEditors, alias: true},
	{tag: "DA", f: fDate, raw: true, write: risDate},
	{tag: "PY", f: fYear, raw: true},
	{tag: "Y1", f: fFiner, alias: true, raw: true, write: risYears},
	{tag: "T2", f: fContainer},
	{tag: "JF", f: fContainer, alias: true},
	{tag: "BT", f: fContainer, alias: true},
	{tag: "JO", f: fContainer, alias: true},
	{tag: "J2", f: fAbbrev},
	{tag: "JA", f: fAbbrev, alias: true},
	{tag: "T3", f: fSeries},
	{tag: "ET", f: fEdition},
	{tag: "VL", f: fVolume},
	{tag: "IS", f: fIssue},
	{tag: "CP", f: fIssue, alias: true},
	{tag: "SP", f: fPages, write: risFirstPage},
	{tag: "EP", f: &field{}, read: risReadLastPage, write: risLastPage},
	{tag: "C7", f: fArticle},
	{tag: "PB", f: fPublisher},
	{tag: "CY", f: fPlace},
	{tag: "PP", f: fPlace, alias: true},
	{tag: "AB", f: fAbstract},
	{tag: "N2", f: fAbstract, alias: true},
	{tag: "LA", f: fLanguage},
	{tag: "DO", f: fDOI, read: risDOI},
	{tag: "DI", f: fDOI, alias: true},
	{tag: "M3", f: fPubTypes, read: risWork},
	{tag: "SN", f: fSerial, raw: true},
	{tag: "UR", f: fURL},
	{tag: "LK", f: fURL, alias: true},
	{tag: "C2", f: fPMCID, read: risPMCID},
	{tag: "AN", f: fAccession},
	{tag: "DB", f: fDatabase},
	{tag: "KW", f: fKeywords, write: func(e *Entry) []string { return append(append([]string(nil), e.MeSH...), e.Keywords...) }},
	{tag: "N1", f: fNotes, write: risNotes},
})

// readType gives the reading half of a type: the word is kept, and mapped.
func readType(names map[string]string) func(*Entry, string) bool {
	return func(e *Entry, v string) bool {
		e.RawType, e.Type = v, names[strings.ToUpper(v)]
		if e.Type == "" {
			e.Type = names[strings.ToLower(v)]
		}
		return true
	}
}

// writeType gives the writing half: the word of the file where it still says
// the type, else ours.
func writeType(format Format, types, names map[string]string) func(*Entry) []string {
	return func(e *Entry) []string {
		if e.Format == format && e.RawType != "" {
			t := names[strings.ToUpper(e.RawType)]
			if t == "" {
				t = names[strings.ToLower(e.RawType)]
			}
			if t == e.Type || t == "" && e.Type == Document {
				return []string{e.RawType}
			}
		}
		return []string{types[e.Type]}
	}
}

func risDate(e *Entry) []string {
	if len(e.Date) <= 4 {
		return nil
	}
	if len(e.Date) == 7 {
		return []string{e.Date[:4] + "/" + e.Date[5:] + "//"}
	}
	return []string{e.Date[:4] + "/" + e.Date[5:7] + "/" + e.Date[8:] + "/"}
}

// risYears are the spellings of Y1 that say nothing more than Date.
func risYears(e *Entry) []string {
	if len(e.Date) < 4 {
		return nil
	}
	year := e.Date[:4]
	return append(risDate(e), year, year+"//", year+"///")
}

func risFirstPage(e *Entry) []string {
	if first, _, ok := splitPages(e.Pages); ok {
		return []string{first}
	}
	return fPages.get(e)
}

func risLastPage(e *Entry) []string {
	if _, last, ok := splitPages(e.Pages); ok {
		return []string{last}
	}
	return nil
}

// risReadLastPage comes after SP in the table.
func risReadLastPage(e *Entry, v string) bool {
	switch have := pages(e.Pages); {
	case have == "":
		e.Pages = v
	case !strings.Contains(have, "-"):
		e.Pages = have + "-" + v
	default:
		return have == v || strings.HasSuffix(have, "-"+v)
	}
	return true
}

// risWork reads M3, "type of work"; older files have the DOI there.
func risWork(e *Entry, v string) bool {
	for _, part := range list([]string{v}) {
		if doi := bareDOI(part); looksDOI(part) && (e.DOI == "" || e.DOI == doi) {
			e.DOI = doi
		} else {
			e.PubTypes = append(e.PubTypes, part)
		}
	}
	return true
}

// risDOI keeps another DOI, which M3 had, beside the one of DO.
func risDOI(e *Entry, v string) bool {
	doi := bareDOI(v)
	if e.DOI != "" && e.DOI != doi {
		e.PubTypes = append(e.PubTypes, e.DOI)
	}
	e.DOI = doi
	return true
}

var pmcid = regexp.MustCompile(`(?i)^PMC\d+(\.\d+)?$`)

// risPMCID reads C2, EndNote's field for the PMCID; other programs have other
// things there.
func risPMCID(e *Entry, v string) bool {
	if !pmcid.MatchString(v) {
		return false
	}
	e.PMCID = v
	return true
}

func risNotes(e *Entry) []string {
	var out []string
	for _, x := range noteIDs {
		if v := *x.field(e); v != "" && (x.label != "PMCID: " || !pmcid.MatchString(v)) {
			out = append(out, x.label+v)
		}
	}
	return append(out, e.Notes...)
}

// risFinish settles what depends on several tags.
func risFinish(e *Entry) {
	embase := strings.Contains(strings.ToLower(e.Database), "embase")
	keep := e.Extra[:0]
	for _, x := range e.Extra {
		switch {
		case (x.Name == "JO" || x.Name == "JF") && e.Abbrev == "": // beside T2 these are short titles
			e.Abbrev = x.Value
		case x.Name == "C2" && digits(x.Value) && len(x.Value) >= 5 && len(x.Value) <= 8 && (e.PMID == "" || e.PMID == x.Value): // EBSCO, Embase
			e.PMID = x.Value
		case x.Name == "C5" && embase && digits(x.Value) && (e.PMID == "" || e.PMID == x.Value):
			e.PMID = x.Value
		case x.Name == "U2" && embase && e.Accession == "":
			e.Accession = x.Value
		default:
			keep = append(keep, x)
		}
	}
	e.Extra = keep
	if id, ok := strings.CutPrefix(e.Accession, "PMID:"); ok && e.PMID == "" && digits(strings.TrimSpace(id)) {
		e.PMID = strings.TrimSpace(id)
	}
}

// writeRIS writes one entry, with the line ends of the specification.
func writeRIS(w *bufio.Writer, e *Entry) {
	risTable.write(e, func(tag, v string) {
		if !risTagged(tag) {
			return
		}
		w.WriteString(tag)
		w.WriteString("  - ")
		w.WriteString(v)
		w.WriteString("\r\n")
	})
	w.WriteString("ER  - \r\n\r\n")
}

// risTagged reports whether a name can stand as a tag.
func risTagged(tag string) bool { return len(tag) == 2 && startsLikeTag(tag) && tag != "ER" }
