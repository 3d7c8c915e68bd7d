// Package fulltext reads the full text of a work: a PDF becomes a Doc with title,
// abstract, sections, paragraphs in reading order, captions and references apart.
//
// It decides by content, never by a file's name or a server's word. It never
// touches a network, never trusts what it reads (sizes, counts, depths and time
// are bounded), and never returns guessed text: a scan, an encrypted file, a web
// page in the place of a paper is an error of that kind. What a file says is
// data; it is handed on as text and nothing in it is acted upon.
//
// A PDF is read by up to two readers. The first, our interpreter on the object
// layer of ledongthuc/pdf, is quick; when it fails or its text does not pass the
// quality test, PDFium (in a WebAssembly sandbox) reads the file too, and the
// better text is taken. Doc.Reading says which, and why.
//
// Start with Read:
//
//	doc, err := fulltext.Read(ctx, body, "application/pdf", "https://…")
package fulltext

import "strings"

// Formats of a Doc.
const FormatPDF = "pdf"

// Doc is a work as it was understood.
type Doc struct {
	// Format is the form in which the work was read.
	Format string `json:"format"`
	Title  string `json:"title,omitempty"`
	// Authors are names as printed; a PDF gives them only when its title page
	// lets them be told from affiliations.
	Authors  []string `json:"authors,omitempty"`
	Abstract string   `json:"abstract,omitempty"`
	// DOI and ArXiv are the work's own identifiers where the format has a field
	// for them; those that are printed on the first pages stand in Front.
	DOI   string `json:"doi,omitempty"`
	ArXiv string `json:"arxiv,omitempty"`
	// Language is an ISO 639-1 code, or empty when it is not clear.
	Language string `json:"language,omitempty"`
	// Pages counts the pages of the file, also those beyond the cap; 0 for
	// formats without pages.
	Pages    int       `json:"pages,omitempty"`
	Sections []Section `json:"sections"`
	Captions []Caption `json:"captions,omitempty"`
	// References are the entries of the reference list, one each.
	References []string `json:"references,omitempty"`
	// Partial says that text is known to be missing; Notes say which and why.
	Partial bool     `json:"partial,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	Reading Reading  `json:"reading"`
	// Front is the text of the first two pages as printed, at most 8,000 bytes,
	// with what stands at the margins: where identifiers and the title are printed.
	Front string `json:"front,omitempty"`
}

// Section is a heading and the paragraphs up to the next one. Level is 1 for the
// top level. Text before the first heading has an empty heading.
type Section struct {
	Heading    string      `json:"heading"`
	Level      int         `json:"level"`
	Page       int         `json:"page,omitempty"`
	Paragraphs []Paragraph `json:"paragraphs"`
}

// Paragraph is a paragraph on the page on which it begins, the first being 1;
// 0 for formats without pages.
type Paragraph struct {
	Text string `json:"text"`
	Page int    `json:"page,omitempty"`
}

// Caption is the caption of a table or a figure.
type Caption struct {
	Kind  string `json:"kind"` // "table" or "figure"
	Label string `json:"label,omitempty"`
	Text  string `json:"text"`
	Page  int    `json:"page,omitempty"`
}

// Reading tells how a text was obtained.
type Reading struct {
	// Reader is the reader whose text was taken.
	Reader  string  `json:"reader"`
	Quality Quality `json:"quality"`
	// Tried are all attempts in their order.
	Tried []Attempt `json:"tried,omitempty"`
	// Reason says why this reader's text was taken.
	Reason string `json:"reason,omitempty"`
}

// Attempt is one reader's try at a file.
type Attempt struct {
	Reader string `json:"reader"`
	Error  string `json:"error,omitempty"`
	// Repaired says that the file's lost directory was rebuilt first.
	Repaired bool    `json:"repaired,omitempty"`
	Quality  Quality `json:"quality"`
}

// Text is the whole text in reading order: headings and paragraphs, a blank line
// between them, without captions and references.
func (d *Doc) Text() string {
	var b strings.Builder
	for _, s := range d.Sections {
		if s.Heading != "" {
			b.WriteString(s.Heading + "\n\n")
		}
		for _, p := range s.Paragraphs {
			b.WriteString(p.Text + "\n\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// Words counts the words of Text that white space separates.
func (d *Doc) Words() int {
	n := 0
	for _, s := range d.Sections {
		n += len(strings.Fields(s.Heading))
		for _, p := range s.Paragraphs {
			n += len(strings.Fields(p.Text))
		}
	}
	return n
}
