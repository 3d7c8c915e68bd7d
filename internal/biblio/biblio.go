// Package biblio writes and reads the formats of reference managers: RIS,
// BibTeX and CSL-JSON. What it writes it reads back without loss.
//
// The package must never drop an entry in silence or give up on a file because
// of one entry: what cannot be read is a Problem beside the entries that can.
// It touches no disk. Start with WriteRIS or ReadRIS.
package biblio

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"optimistresearch/internal/text"
)

// Types of an Entry: the names of CSL 1.0.2.
const (
	Journal    = "article-journal"
	Conference = "paper-conference"
	Book       = "book"
	Chapter    = "chapter"
	Thesis     = "thesis"
	Report     = "report"
	Dataset    = "dataset"
	Preprint   = "article" // CSL's type of a preprint
	Webpage    = "webpage"
	Document   = "document" // anything else
)

// Name of an author. Literal is the whole name of a group, or of a person
// whose name is not known in parts; Family and Given are empty then.
type Name struct {
	Family  string
	Given   string
	Literal string
}

// Entry is one reference. Values are plain text on one line; what is not known
// is empty.
type Entry struct {
	ID        string
	Type      string
	Title     string
	Container string // journal, proceedings or book
	Authors   []Name
	Date      string // YYYY, YYYY-MM or YYYY-MM-DD
	Volume    string
	Issue     string
	Pages     string // "45-67" or "e123"
	Publisher string
	Abstract  string
	Language  string
	DOI       string
	ArXiv     string
	PMID      string
	PMCID     string
	URL       string
	Keywords  []string
	Notes     []string
}

// Problem is something that a reader could not use, and where.
type Problem struct {
	Line    int    // 1 = first; 0 = not known
	Entry   string // its id or title, when known
	Message string // a sentence
}

func (p Problem) Error() string {
	var b strings.Builder
	if p.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Entry != "" {
		fmt.Fprintf(&b, "entry %s: ", text.Truncate(text.OneLine(p.Entry), 80))
	}
	b.WriteString(p.Message)
	return b.String()
}

// Normal gives the form that every writer keeps: values on one line, names in
// parts or literal, plain hyphens in page ranges, a known type, a date that is
// one.
func (e Entry) Normal() Entry {
	for _, f := range []*string{&e.ID, &e.Title, &e.Container, &e.Volume, &e.Issue, &e.Pages, &e.Publisher, &e.Abstract, &e.Language,
		&e.DOI, &e.ArXiv, &e.PMID, &e.PMCID, &e.URL} {
		*f = text.OneLine(*f)
	}
	for _, f := range []*string{&e.DOI, &e.ArXiv, &e.PMID, &e.PMCID, &e.URL} {
		*f = verbatim.Replace(*f)
	}
	e.Pages = pages(e.Pages)
	if !knownTypes[e.Type] {
		e.Type = Document
	}
	e.Date = date(e.Date)
	var names []Name
	for _, n := range e.Authors {
		if n = n.normal(); n != (Name{}) {
			names = append(names, n)
		}
	}
	e.Authors = names
	e.Keywords = lines(e.Keywords, ",;")
	notes := e.Notes
	e.Notes = nil
	for _, n := range notes {
		for _, part := range strings.Split(text.OneLine(n), "; ") {
			e.note(text.OneLine(part))
		}
	}
	return e
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

// note adds a note; one that names an identifier becomes that identifier.
func (e *Entry) note(value string) {
	for _, x := range noteIDs {
		if v, ok := strings.CutPrefix(value, x.label); ok && (*x.field(e) == "" || *x.field(e) == v) {
			*x.field(e) = verbatim.Replace(v)
			return
		}
	}
	if value != "" {
		e.Notes = append(e.Notes, value)
	}
}

// verbatim percent-encodes in identifiers and addresses what would end a field
// of BibTeX.
var verbatim = strings.NewReplacer("{", "%7B", "}", "%7D", `\`, "%5C", `"`, "%22")

// normal has both parts, or a literal, or nothing.
func (n Name) normal() Name {
	family, given, literal := trimName(n.Family), trimName(n.Given), trimName(n.Literal)
	if literal != "" {
		return Name{Literal: literal}
	}
	// "Smith, Jr" as family name: what follows the comma goes behind the given
	// names, as RIS has it.
	if head, suffix, ok := strings.Cut(family, ","); ok {
		family, given = trimName(head), trimName(given+", "+suffix)
	}
	if family == "" || given == "" {
		return Name{Literal: family + given}
	}
	return Name{Family: family, Given: given}
}

// trimName folds a part of a name. A comma at its end would move the border of
// the parts.
func trimName(s string) string { return strings.Trim(text.OneLine(s), ", ") }

// lines folds each value and drops empty ones; the characters in split
// separate values.
func lines(list []string, split string) []string {
	var out []string
	for _, s := range list {
		for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(split, r) }) {
			if part = text.OneLine(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}

var knownTypes = map[string]bool{Journal: true, Conference: true, Book: true, Chapter: true, Thesis: true, Report: true, Dataset: true,
	Preprint: true, Webpage: true, Document: true}

var dashes = strings.NewReplacer("–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-")

var hyphens = regexp.MustCompile(` *-[- ]*`)

// pages brings ranges to one hyphen without spaces.
func pages(s string) string {
	return strings.Trim(hyphens.ReplaceAllString(dashes.Replace(s), "-"), "- ")
}

// date reads YYYY[-MM[-DD]] in the spellings of the formats and keeps what is
// a date: "2023/05/07/", "2023-5". "" when there is no year.
func date(s string) string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '-' || r == ' ' || r == '.' })
	number := func(i, width, most int) string {
		if i >= len(parts) {
			return ""
		}
		n := 0
		for _, c := range parts[i] {
			if c < '0' || c > '9' || n > 10000 {
				return ""
			}
			n = n*10 + int(c-'0')
		}
		if n == 0 || n > most {
			return ""
		}
		return fmt.Sprintf("%0*d", width, n)
	}
	out := number(0, 4, 9999)
	if out == "" {
		return ""
	}
	for i, most := range []int{12, 31} {
		n := number(i+1, 2, most)
		if n == "" {
			break
		}
		out += "-" + n
	}
	return out
}

// decode gives the text of a file: without a byte order mark, with plain line
// ends; what is not UTF-8 is read as Windows-1252.
func decode(data []byte) string {
	s := strings.TrimPrefix(string(data), "\uFEFF")
	if !utf8.ValidString(s) {
		if w, err := charmap.Windows1252.NewDecoder().String(s); err == nil {
			s = w
		}
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
}

// split takes a name apart at its comma: "Family, Given". Without a comma, or
// with one at the end (a group), it is literal.
func split(s string) Name {
	s = text.OneLine(s)
	if head, ok := strings.CutSuffix(s, ","); ok {
		return Name{Literal: head}
	}
	family, given, ok := strings.Cut(s, ",")
	family, given = strings.TrimSpace(family), strings.TrimSpace(given)
	if !ok || family == "" || given == "" {
		return Name{Literal: strings.Trim(s, ", ")}
	}
	return Name{Family: family, Given: given}
}

// joined is the inverse of split.
func (n Name) joined() string {
	if n.Literal != "" {
		if strings.Contains(n.Literal, ",") {
			return n.Literal + ","
		}
		return n.Literal
	}
	return n.Family + ", " + n.Given
}
