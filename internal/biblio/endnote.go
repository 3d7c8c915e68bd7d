package biblio

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
)

// endnoteTypes are the reference types of EndNote: name and number.
var endnoteTypes = []struct {
	name   string
	number int
	kind   string
}{
	{"Journal Article", 17, Journal}, {"Magazine Article", 19, Magazine}, {"Newspaper Article", 23, Newspaper}, {"Conference Paper", 47, Conference}, {"Book", 6, Book},
	{"Book Section", 5, Chapter}, {"Thesis", 32, Thesis}, {"Report", 27, Report}, {"Dataset", 59, Dataset}, {"Computer Program", 9, Software}, {"Patent", 25, Patent},
	{"Standard", 58, Standard}, {"Unpublished Work", 34, Preprint}, {"Web Page", 12, Webpage}, {"Generic", 13, Document},
	// Read, and written back as they were:
	{"Electronic Article", 43, Journal}, {"Conference Proceedings", 10, Conference}, {"Edited Book", 28, Book}, {"Electronic Book", 44, Book}, {"Serial", 57, Book},
	{"Classical Work", 49, Book}, {"Catalog", 8, Book}, {"Electronic Book Section", 60, Chapter}, {"Dictionary", 52, Chapter}, {"Encyclopedia", 53, Chapter},
	{"Government Document", 46, Report}, {"Pamphlet", 24, Report}, {"Grant", 54, Report}, {"Online Database", 45, Dataset}, {"Aggregated Database", 55, Dataset},
	{"Manuscript", 36, Preprint}, {"Blog", 56, Webpage}, {"Online Multimedia", 48, Webpage},
}

var endnoteNames, endnoteWrite = func() (names, write map[string]string) {
	names, write = map[string]string{}, map[string]string{}
	for _, t := range endnoteTypes {
		names[strings.ToLower(t.name)] = t.kind
		if write[t.kind] == "" {
			write[t.kind] = t.name
		}
	}
	return names, write
}()

// endnoteTable has paths below <record>. The meaning of the custom fields is
// that of EndNote's journal article: 2 is the PMCID, 7 the article number.
var endnoteTable = newTable(EndNoteXML, endnoteFinish, []row{
	{tag: "rec-number", f: &field{}, alias: true, read: func(e *Entry, v string) bool { return true }},
	{tag: "ref-type", f: fType, read: readType(endnoteNames), write: writeType(EndNoteXML, endnoteWrite, endnoteNames)},
	{tag: "contributors/authors/author", f: fAuthors},
	{tag: "contributors/secondary-authors/author", f: fEditors},
	{tag: "titles/title", f: fTitle},
	{tag: "titles/secondary-title", f: fContainer},
	{tag: "titles/tertiary-title", f: fSeries},
	{tag: "titles/short-title", f: fShort},
	{tag: "titles/translated-title", f: fTranslated},
	{tag: "periodical/full-title", f: fContainer, alias: true},
	{tag: "periodical/abbr-1", f: fAbbrev},
	{tag: "titles/alt-title", f: fAbbrev, alias: true},
	{tag: "alt-periodical/full-title", f: fAbbrev, alias: true},
	{tag: "pages", f: fPages},
	{tag: "volume", f: fVolume},
	{tag: "number", f: fIssue},
	{tag: "issue", f: fIssue, alias: true},
	{tag: "edition", f: fEdition},
	{tag: "keywords/keyword", f: fKeywords, write: func(e *Entry) []string { return append(append([]string(nil), e.MeSH...), e.Keywords...) }},
	{tag: "dates/year", f: fYear, raw: true},
	{tag: "dates/pub-dates/date", f: fEndnoteDate, raw: true},
	{tag: "pub-location", f: fPlace},
	{tag: "publisher", f: fPublisher},
	{tag: "orig-pub", f: fOriginal},
	{tag: "isbn", f: fSerial, raw: true, write: func(e *Entry) []string { return joinList(fSerial.get(e)) }},
	{tag: "accession-num", f: fAccession},
	{tag: "electronic-resource-num", f: fDOI},
	{tag: "abstract", f: fAbstract},
	{tag: "label", f: fID},
	{tag: "notes", f: fNotes, write: func(e *Entry) []string { return joinList(risNotes(e)) }},
	{tag: "work-type", f: fPubTypes, write: func(e *Entry) []string { return joinList(e.PubTypes) }},
	{tag: "urls/related-urls/url", f: fURL},
	{tag: "urls/web-urls/url", f: fURL, alias: true},
	{tag: "custom2", f: fPMCID, read: risPMCID},
	{tag: "custom7", f: fArticle},
	{tag: "remote-database-name", f: fDatabase},
	{tag: "language", f: fLanguage},
})

// fEndnoteDate is the date in words, with or without the year.
var fEndnoteDate = &field{
	get: func(e *Entry) []string {
		if len(e.Date) <= 4 {
			return nil
		}
		return []string{e.Date}
	},
	put: func(e *Entry, v string) bool {
		d := date(v)
		if d == "" && len(e.Date) >= 4 {
			d = date(e.Date[:4] + " " + v)
		}
		return d != "" && fFiner.put(e, d)
	},
}

func endnoteFinish(e *Entry) {
	if e.Type == "" { // a program's own name with EndNote's number
		e.Type = Document
	}
}

// xmlPath is what a name of an extra field must look like to be written.
var xmlPath = regexp.MustCompile(`^[a-z][a-z0-9-]*(/[a-z][a-z0-9-]*){0,5}( [a-z][a-z0-9-]*="[^"<>&]*")*$`)

// xmlNode is an element that is written.
type xmlNode struct {
	name, attributes, text string
	children               []*xmlNode
}

// child gives the last child of a name, which is made when there is none.
func (n *xmlNode) child(name string) *xmlNode {
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	c := &xmlNode{name: name}
	n.children = append(n.children, c)
	return c
}

func (n *xmlNode) write(b *bytes.Buffer) error {
	b.WriteString("<" + n.name + n.attributes + ">")
	if err := xml.EscapeText(b, []byte(n.text)); err != nil {
		return err
	}
	for _, c := range n.children {
		if err := c.write(b); err != nil {
			return err
		}
	}
	b.WriteString("</" + n.name + ">")
	return nil
}

// writeEndNote writes the record with a running number.
func writeEndNote(w *bufio.Writer, e *Entry, n int) error {
	record := &xmlNode{name: "record"}
	record.child("rec-number").text = strconv.Itoa(n)
	endnoteTable.write(e, func(tag, v string) {
		if !xmlPath.MatchString(tag) {
			return
		}
		tag, attributes, _ := strings.Cut(tag, " ")
		if tag == "ref-type" {
			attributes = `name="` + refName(v) + `"`
			v = refNumber(v)
		}
		at := record
		parts := strings.Split(tag, "/")
		for _, p := range parts[:len(parts)-1] {
			at = at.child(p)
		}
		leaf := &xmlNode{name: parts[len(parts)-1], text: v}
		if attributes != "" {
			leaf.attributes = " " + attributes
		}
		at.children = append(at.children, leaf)
	})
	var b bytes.Buffer
	if err := record.write(&b); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := w.Write(b.Bytes())
	return err
}

func refName(s string) string {
	var b bytes.Buffer
	if xml.EscapeText(&b, []byte(s)) != nil {
		return ""
	}
	return b.String()
}

func refNumber(name string) string {
	for _, t := range endnoteTypes {
		if strings.EqualFold(t.name, name) {
			return strconv.Itoa(t.number)
		}
	}
	return "13"
}
