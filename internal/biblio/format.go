package biblio

import "strings"

// Format of a file.
type Format string

// Formats that are read and, but for Ovid and EndNoteTagged, written.
const (
	RIS           Format = "ris"
	NBIB          Format = "nbib" // PubMed's, also called MEDLINE
	WoS           Format = "wos"  // Web of Science plain text
	BibTeX        Format = "bibtex"
	CSL           Format = "csl-json"
	EndNoteXML    Format = "endnote-xml"
	CSV           Format = "csv"
	Spreadsheet   Format = "spreadsheet" // CSV that Excel opens without harm
	JSONL         Format = "jsonl"
	Ovid          Format = "ovid"           // Ovid's tagged text
	EndNoteTagged Format = "endnote-tagged" // "%0 Journal Article"
)

// formats lists what each format is called and how its files end.
var formats = []struct {
	Format
	label string
	ext   string
	names string // that a user may type, beside the format and the ending
}{
	{RIS, "RIS", ".ris", ""},
	{NBIB, "NBIB (PubMed)", ".nbib", "medline pubmed"},
	{WoS, "Web of Science plain text", ".ciw", "isi"},
	{BibTeX, "BibTeX", ".bib", "biblatex"},
	{CSL, "CSL-JSON", ".json", "csl json"},
	{EndNoteXML, "EndNote XML", ".xml", "endnote xml"},
	{CSV, "CSV", ".csv", "tsv"},
	{Spreadsheet, "CSV for spreadsheets", ".csv", "xlsx excel"},
	{JSONL, "JSON lines", ".jsonl", "ndjson"},
	{Ovid, "Ovid tagged text", ".ovd", ""},
	{EndNoteTagged, "EndNote tagged text", ".enw", "refer"},
}

func (f Format) known() bool {
	for _, x := range formats {
		if x.Format == f {
			return true
		}
	}
	return false
}

// Label is the name of the format for a person.
func (f Format) Label() string {
	for _, x := range formats {
		if x.Format == f {
			return x.label
		}
	}
	return string(f)
}

// Ext is the ending of its files, with the point.
func (f Format) Ext() string {
	for _, x := range formats {
		if x.Format == f {
			return x.ext
		}
	}
	return ""
}

// Writable lists the formats that Write takes.
func Writable() []Format {
	return []Format{RIS, NBIB, WoS, BibTeX, CSL, EndNoteXML, CSV, Spreadsheet, JSONL}
}

// FormatOf finds a format by its name, an ending or a common other name.
func FormatOf(name string) (Format, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, x := range formats {
		if name == string(x.Format) || name == x.ext || "."+name == x.ext {
			return x.Format, true
		}
		for _, n := range strings.Fields(x.names) {
			if n == name {
				return x.Format, true
			}
		}
	}
	return "", false
}
