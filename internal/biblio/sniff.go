package biblio

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Sniff tells the format of a file from its first bytes (UTF-8, unpacked) and
// its name, which only decides where the content does not.
func Sniff(head []byte, name string) (Format, error) {
	f, _, err := sniff(head, name)
	return f, err
}

var (
	risLine  = regexp.MustCompile(`(?m)^\s?TY {0,3}- `)
	risLines = regexp.MustCompile(`(?m)^(T1|TI|AU|A1|PY|Y1|ER|AB|N2|JO|JF|T2|DO|KW|UR|SP|VL|ID) {1,3}-( |$)`)
	nbibLine = regexp.MustCompile(`(?m)^(PMID- ?\d*|OWN - |STAT- |FAU - |LID - |AID - |DCOM- |JID - |EDAT- )`)
	ovidLine = regexp.MustCompile(`(?m)^<\d+\.? ?>\s*$`)
	wosLine  = regexp.MustCompile(`(?m)^PT [A-Z]\s*$`)
	enwLine  = regexp.MustCompile(`(?m)^%0 `)
	bibLine  = regexp.MustCompile(`(?m)^[ \t]*@[A-Za-z]+[ \t]*[{(]`)
	bibText  = regexp.MustCompile(`@(?i:article|book|inproceedings|misc|phdthesis|techreport|incollection|string|comment|preamble|online|report)\s*[{(]`)
)

// sniff also reports whether the content told it.
func sniff(head []byte, name string) (format Format, sure bool, err error) {
	if format, err = sniffContent(head, name); format != "" || err != nil {
		return format, true, err
	}
	ext := strings.ToLower(path.Ext(strings.TrimSuffix(strings.ToLower(name), ".gz")))
	if ext == ".tsv" {
		return CSV, false, nil
	}
	for _, x := range formats {
		if x.ext == ext && ext != ".xml" {
			return x.Format, false, nil
		}
	}
	return "", false, unknown(head, name)
}

func unknown(head []byte, name string) error {
	return &FileError{Name: name, Reason: fmt.Sprintf("its content is none of the known formats (it begins with %q)", clip(string(head[:min(len(head), 200)]))), Hint: readable(), Kind: ErrUnknown}
}

// sniffContent gives "" when the content does not tell.
func sniffContent(head []byte, name string) (Format, error) {
	head = bytes.TrimLeft(head, "\uFEFF \t\n\r")
	if len(head) == 0 {
		return "", &FileError{Name: name, Reason: "there is nothing in it", Hint: "Export the records again and look at the file before you import it.", Kind: ErrEmpty}
	}
	switch {
	case head[0] == '<' && !ovidLine.Match(head[:min(len(head), 20)]):
		return sniffXML(head, name)
	case head[0] == '[' && bytes.HasPrefix(bytes.TrimLeft(head[1:], " \t\n\r"), []byte("{")), head[0] == '[' && bytes.HasPrefix(bytes.TrimLeft(head[1:], " \t\n\r"), []byte("]")):
		return CSL, nil
	case head[0] == '{' && bytes.HasPrefix(bytes.TrimLeft(head[1:], " \t\n\r"), []byte(`"`)):
		return JSONL, nil
	case risLine.Match(head):
		return RIS, nil
	case ovidLine.Match(head):
		return Ovid, nil
	case nbibLine.Match(head):
		return NBIB, nil
	case bytes.HasPrefix(head, []byte("FN ")) || wosLine.Match(head):
		return WoS, nil
	case enwLine.Match(head):
		return EndNoteTagged, nil
	case bibLine.Match(head):
		return BibTeX, nil
	case looksCSV(head):
		return CSV, nil
	case risLines.Match(head):
		return RIS, nil
	case bibText.Match(head):
		return BibTeX, nil
	}
	return "", nil
}

func readable() string {
	var names []string
	for _, x := range formats {
		if x.Format != Spreadsheet {
			names = append(names, x.label)
		}
	}
	return "Export the records in one of: " + strings.Join(names, ", ") + "."
}

// sniffXML knows EndNote's XML and what others there are.
func sniffXML(head []byte, name string) (Format, error) {
	low := bytes.ToLower(head)
	for _, x := range []struct{ mark, reason, hint string }{
		{"<pubmedarticle", "it is PubMed's XML", "In PubMed choose Save, format PubMed (.nbib)."},
		{"<!doctype html", "it is a web page", "Log in to the database and export the records as RIS, NBIB, BibTeX or CSV; a page saved in the browser has no records."},
		{"<html", "it is a web page", "Log in to the database and export the records as RIS, NBIB, BibTeX or CSV; a page saved in the browser has no records."},
		{"<modscollection", "it is MODS", "In the reference manager export the records as RIS or BibTeX."},
		{"<rdf:rdf", "it is Zotero's RDF", "In Zotero export the library as RIS or BibTeX."},
		{"<feed", "it is a feed", "Use the database itself as a source, or export the records as RIS."},
	} {
		if bytes.Contains(low, []byte(x.mark)) {
			return "", &FileError{Name: name, Reason: x.reason, Hint: x.hint, Kind: ErrUnknown}
		}
	}
	if bytes.Contains(low, []byte("<record")) || bytes.Contains(low, []byte("<xml>")) {
		return EndNoteXML, nil
	}
	return "", &FileError{Name: name, Reason: "it is XML, but not EndNote's", Hint: readable(), Kind: ErrUnknown}
}
