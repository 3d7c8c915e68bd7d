package biblio

import (
	"bufio"
	"strings"
)

var wosTypes = map[string]string{
	Journal: "Article", Magazine: "Article", Newspaper: "News Item", Conference: "Proceedings Paper", Book: "Book", Chapter: "Book Chapter", Thesis: "Dissertation/Thesis",
	Report: "Report", Dataset: "Data Set", Software: "Software", Patent: "Patent", Standard: "Standard", Preprint: "Preprint", Webpage: "Website", Document: "Other",
}

var wosNames = map[string]string{
	"article": Journal, "review": Journal, "letter": Journal, "editorial material": Journal, "note": Journal, "correction": Journal, "meeting abstract": Journal,
	"early access": Journal, "news item": Newspaper, "proceedings paper": Conference, "book": Book, "book chapter": Chapter, "dissertation/thesis": Thesis, "report": Report,
	"data set": Dataset, "data paper": Journal, "data study": Dataset, "software": Software, "patent": Patent, "standard": Standard, "preprint": Preprint, "website": Webpage,
	"other": Document,
}

// wosTable follows the field tags of the Core Collection. AF is the full form
// of AU; both are written, AF is read when it is there.
var wosTable = newTable(WoS, wosFinish, []row{
	{tag: "PT", f: fWosKind},
	{tag: "AF", f: fAuthors},
	{tag: "CA", f: fAuthors, alias: true, read: func(e *Entry, v string) bool {
		e.Authors = append(e.Authors, Name{Literal: v})
		return true
	}},
	{tag: "BE", f: fEditors},
	{tag: "TI", f: fTitle},
	{tag: "SO", f: fContainer},
	{tag: "SE", f: fSeries},
	{tag: "LA", f: fLanguage},
	{tag: "DT", f: fPubTypes, read: func(e *Entry, v string) bool { e.PubTypes = append(e.PubTypes, list([]string{v})...); return true }, write: wosWork},
	{tag: "DE", f: fKeywords, write: func(e *Entry) []string { return joinList(append(append([]string(nil), e.MeSH...), e.Keywords...)) }},
	{tag: "AB", f: fAbstract},
	{tag: "PU", f: fPublisher},
	{tag: "PI", f: fPlace},
	{tag: "SN", f: fSerial, write: firstISSN},
	{tag: "EI", f: fOtherISSN, write: otherISSN},
	{tag: "BN", f: fSerial2},
	{tag: "JI", f: fAbbrev},
	{tag: "J9", f: fAbbrev, alias: true},
	{tag: "PY", f: fYear, raw: true},
	{tag: "PD", f: fWosDay, raw: true},
	{tag: "VL", f: fVolume},
	{tag: "IS", f: fIssue},
	{tag: "BP", f: fPages, write: risFirstPage},
	{tag: "EP", f: &field{}, read: risReadLastPage, write: risLastPage},
	{tag: "AR", f: fArticle},
	{tag: "DI", f: fDOI},
	{tag: "PM", f: fPMID},
	{tag: "UT", f: fAccession},
})

// wosLists are the tags whose every line is a value of its own; in all others
// a further line goes on.
var wosLists = wordSet("AU AF BA BF CA GP BE CR C1 C3 RI OI")

// fWosKind is J, B, S or P; DT says more.
var fWosKind = &field{
	get: func(e *Entry) []string {
		if e.Format == WoS && len(e.RawType) == 1 {
			return []string{e.RawType}
		}
		switch e.Type {
		case Book, Chapter:
			return []string{"B"}
		case Patent:
			return []string{"P"}
		case Conference:
			return []string{"C"}
		}
		return []string{"J"}
	},
	put: func(e *Entry, v string) bool { e.RawType = v; return true },
}

func firstISSN(e *Entry) []string { return e.ISSN[:min(1, len(e.ISSN))] }

func otherISSN(e *Entry) []string {
	if len(e.ISSN) < 2 {
		return nil
	}
	return joinList(e.ISSN[1:])
}

var fOtherISSN = &field{many: true, put: fSerial.put}

// fWosDay is the date without its year: "MAR 5", "MAY-JUN".
var fWosDay = &field{
	get: func(e *Entry) []string {
		d := nbibDate(e)
		if len(d) == 0 || len(d[0]) <= 5 {
			return nil
		}
		return []string{strings.ToUpper(d[0][5:])}
	},
	put: func(e *Entry, v string) bool {
		if len(e.Date) < 4 {
			return false
		}
		d := date(e.Date[:4] + " " + v)
		if len(d) <= 4 {
			return false
		}
		e.Date = d
		return true
	},
}

func wosWork(e *Entry) []string {
	t := wosTypes[e.Type]
	if contains(e.PubTypes, t) {
		return joinList(e.PubTypes)
	}
	return joinList(append([]string{t}, e.PubTypes...))
}

func joinList(values []string) []string {
	if len(values) == 0 {
		return nil
	}
	return []string{strings.Join(values, "; ")}
}

func wosFinish(e *Entry) {
	for _, t := range e.PubTypes {
		if kind := wosNames[strings.ToLower(t)]; e.Type == "" && kind != "" {
			e.Type = kind
		}
	}
	if e.Type == "" {
		switch e.RawType {
		case "J":
			e.Type = Journal
		case "B":
			e.Type = Book
		case "P":
			e.Type = Patent
		case "C", "S":
			e.Type = Conference
		}
	}
	if len(e.PubTypes) > 0 && strings.EqualFold(e.PubTypes[0], wosTypes[e.Type]) {
		e.PubTypes = e.PubTypes[1:]
	}
	if e.ID == "" {
		e.ID = e.Accession
	}
}

// readWoS reads the plain text of Web of Science: a tag in two columns, values
// that go on behind three blanks, PT to ER.
func readWoS(in *bufio.Reader, k *sink) error {
	r := record{k: k, fill: wosTable.filler(), id: "UT", title: "TI"}
	l := lines{in: in, s: k.Summary}
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		line = strings.TrimPrefix(line, "\uFEFF")
		tag := ""
		if len(line) >= 2 && startsLikeTag(line) && (len(line) == 2 || line[2] == ' ') {
			tag = line[:2]
		}
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "":
		case tag == "EF" || !r.open() && (tag == "FN" || tag == "VR"):
		case tag == "ER" && !r.open():
			k.warn(l.n, "", line, "ER without a record was skipped")
		case tag == "ER":
			if err := wosClose(&r); err != nil {
				return err
			}
		case tag != "":
			if tag == "PT" && r.open() {
				k.warn(r.start, r.name(), "", "the record has no ER line; it ends where the next one begins")
				if err := wosClose(&r); err != nil {
					return err
				}
			}
			r.add(l.n, tag, strings.TrimSpace(line[2:]))
		case !r.open():
			k.warn(l.n, "", line, "the line belongs to no record and was skipped")
		case wosLists[r.last()]:
			r.add(l.n, r.last(), trimmed)
		default:
			r.goOn(trimmed)
		}
	}
	if r.open() {
		k.warn(r.start, r.name(), "", "the file ends within the record, without its ER line; look whether the export is complete")
		if err := wosClose(&r); err != nil {
			return err
		}
	}
	return l.failure()
}

// wosClose hands a record on: AU is read as AF where AF is missing.
func wosClose(r *record) error {
	if full := r.has("AF"); !full || r.has("AU") {
		kept := r.fields[:0]
		r.flush()
		for _, v := range r.fields {
			if v.tag == "AU" {
				if full {
					continue
				}
				v.tag = "AF"
			}
			kept = append(kept, v)
		}
		r.fields = kept
	}
	return r.close("PT")
}

// writeWoS writes one record.
func writeWoS(w *bufio.Writer, e *Entry) {
	last := ""
	line := func(tag, v string) {
		if !risTagged(tag) || tag == "EF" {
			return
		}
		if tag == last && wosLists[tag] {
			tag = "  "
		} else {
			last = tag
		}
		w.WriteString(tag + " " + v + "\n")
	}
	people := e.Authors
	wosTable.write(e, func(tag, v string) {
		switch tag {
		case "PT":
			line(tag, v)
			for _, n := range people {
				if n.Literal == "" {
					line("AU", n.Family+", "+n.initials())
				}
			}
		default:
			line(tag, v)
		}
	})
	w.WriteString("ER\n\n")
}
