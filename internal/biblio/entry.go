package biblio

import "strings"

// Types of an Entry: the names of CSL 1.0.2.
const (
	Journal    = "article-journal"
	Magazine   = "article-magazine"
	Newspaper  = "article-newspaper"
	Conference = "paper-conference"
	Book       = "book"
	Chapter    = "chapter"
	Thesis     = "thesis"
	Report     = "report"
	Dataset    = "dataset"
	Software   = "software"
	Patent     = "patent"
	Standard   = "standard"
	Preprint   = "article" // CSL's type of a preprint
	Webpage    = "webpage"
	Document   = "document" // anything else
)

// Entry is one reference. Values are plain text on one line; what is not known
// is empty. The JSON form is in json.go.
type Entry struct {
	ID       string
	Type     string   // one of the types above
	RawType  string   // the word of the format that Format names, such as "JOUR" or "inproceedings"
	PubTypes []string // publication types in the words of the source: "Randomized Controlled Trial", "Conference Abstract"

	Title           string
	ShortTitle      string
	OriginalTitle   string // in the language of the work, when Title is a translation
	TranslatedTitle string // when Title is in the language of the work

	Authors []Name
	Editors []Name
	Date    string // YYYY, YYYY-MM or YYYY-MM-DD

	Container     string // journal, proceedings or book
	Abbrev        string // abbreviated title of the journal
	Series        string
	Edition       string
	Publisher     string // or the school, or the institution
	Place         string // of publication
	Volume        string
	Issue         string
	Pages         string // "45-67" or "e123"
	ArticleNumber string

	Language string // as the source has it: "en", "eng", "English"
	Abstract string
	DOI      string // without "https://doi.org/"
	ArXiv    string
	PMID     string
	PMCID    string
	ISBN     []string
	ISSN     []string
	URL      string
	URLs     []string // further addresses

	Keywords  []string // the authors'
	MeSH      []string // headings with their qualifiers, as NBIB has them: "Asthma/*therapy"
	Accession string   // number of the record in Database
	Database  string
	Notes     []string

	Format Format  // that the entry was read from; decides who writes Extra and RawType
	Extra  []Field // fields of Format that have no place above, in the order of the file
}

// Field is a field of a format: its name there and its value.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Year is the year of the date, 0 when it is not known.
func (e Entry) Year() int {
	if len(e.Date) < 4 {
		return 0
	}
	y, ok := number(e.Date[:4])
	if !ok {
		return 0
	}
	return y
}

var knownTypes = map[string]bool{Journal: true, Magazine: true, Newspaper: true, Conference: true, Book: true, Chapter: true, Thesis: true, Report: true,
	Dataset: true, Software: true, Patent: true, Standard: true, Preprint: true, Webpage: true, Document: true}

// Normal gives the form that every writer keeps and every reader gives: values
// on one line, names in parts or literal, plain hyphens in ranges, a known
// type, a date that is one, lists without empty or repeated members.
func (e Entry) Normal() Entry {
	for _, f := range []*string{&e.ID, &e.RawType, &e.Title, &e.ShortTitle, &e.OriginalTitle, &e.TranslatedTitle, &e.Container, &e.Abbrev, &e.Series, &e.Edition,
		&e.Publisher, &e.Place, &e.ArticleNumber, &e.Language, &e.Abstract, &e.Accession, &e.Database} {
		*f = oneLine(*f)
	}
	for _, f := range []*string{&e.DOI, &e.ArXiv, &e.PMID, &e.PMCID, &e.URL} {
		*f = verbatim(oneLine(*f))
	}
	e.DOI = bareDOI(e.DOI)
	e.ArXiv = bareArXiv(e.ArXiv)
	e.URL = address(e.URL)
	if e.Container == "" {
		e.Container = e.Abbrev // all that is known of the journal
	}
	e.Volume, e.Issue = plainDashes(oneLine(e.Volume)), plainDashes(oneLine(e.Issue))
	e.Pages, e.ArticleNumber = pages(e.Pages), plainDashes(e.ArticleNumber)
	if !knownTypes[e.Type] {
		e.Type = Document
	}
	e.Date = date(e.Date)
	e.Authors, e.Editors = names(e.Authors), names(e.Editors)
	e.PubTypes, e.Keywords, e.MeSH = list(e.PubTypes), list(e.Keywords), list(e.MeSH)
	e.ISBN, e.ISSN = list(e.ISBN), list(e.ISSN)
	e.urls()
	e.notes()
	e.ArXiv = bareArXiv(e.ArXiv)
	e.extra()
	if e.Format != "" && !e.Format.known() {
		e.Format = ""
	}
	return e
}

// urls makes the first address URL and keeps the others apart, each once.
func (e *Entry) urls() {
	if len(e.URLs) == 0 {
		return
	}
	all := e.URLs
	e.URLs = nil
	for _, u := range all {
		e.addURL(u)
	}
}

func (e *Entry) addURL(u string) {
	u = address(verbatim(oneLine(u)))
	switch {
	case u == "" || u == e.URL:
		return
	case e.URL == "":
		e.URL = u
		return
	}
	if !contains(e.URLs, u) {
		e.URLs = append(e.URLs, u)
	}
}

func (e *Entry) notes() {
	if len(e.Notes) == 0 {
		return
	}
	all := e.Notes
	e.Notes = nil
	for _, n := range all {
		for _, part := range strings.Split(oneLine(n), "; ") {
			e.note(oneLine(part))
		}
	}
}

// note adds a note; one that names an identifier becomes that identifier,
// because some formats can only carry it there.
func (e *Entry) note(value string) {
	for _, x := range noteIDs {
		if len(value) > len(x.label) && value[:len(x.label)] == x.label {
			v := verbatim(value[len(x.label):])
			if *x.field(e) == "" || *x.field(e) == v {
				*x.field(e) = v
				return
			}
		}
	}
	if value != "" {
		e.Notes = append(e.Notes, value)
	}
}

// noteIDs are the identifiers that some formats can only carry in a note.
var noteIDs = []struct {
	label string
	field func(*Entry) *string
}{
	{"arXiv: ", func(e *Entry) *string { return &e.ArXiv }},
	{"PMID: ", func(e *Entry) *string { return &e.PMID }},
	{"PMCID: ", func(e *Entry) *string { return &e.PMCID }},
}

// extra keeps fields that have a name and a value, and none without a format
// that could write them.
func (e *Entry) extra() {
	if len(e.Extra) == 0 || !e.Format.known() {
		e.Extra = nil
		if !e.Format.known() {
			e.RawType = ""
		}
		return
	}
	kept := make([]Field, 0, len(e.Extra))
	for _, f := range e.Extra {
		f.Name, f.Value = oneLine(f.Name), oneLine(f.Value)
		if f.Name != "" && f.Value != "" {
			kept = append(kept, f)
		}
	}
	if e.Extra = kept; len(kept) == 0 {
		e.Extra = nil
	}
}
