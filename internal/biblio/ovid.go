package biblio

import (
	"bufio"
	"regexp"
	"strings"
)

// ovidTable has the tags of Ovid's text export; those of Embase and MEDLINE
// differ in a few.
var ovidTable = newTable(Ovid, taggedFinish, []row{
	{tag: "UI", f: fAccession},
	{tag: "DB", f: fDatabase},
	{tag: "TI", f: fTitle},
	{tag: "TT", f: fOriginal},
	{tag: "FA", f: fAuthors},
	{tag: "AU", f: fAuthors},
	{tag: "ED", f: fEditors},
	{tag: "YR", f: fYear, raw: true},
	{tag: "DP", f: fFiner, raw: true},
	{tag: "JN", f: fContainer},
	{tag: "JT", f: fContainer},
	{tag: "AS", f: fAbbrev},
	{tag: "JA", f: fAbbrev},
	{tag: "VO", f: fVolume},
	{tag: "IP", f: fIssue},
	{tag: "PG", f: fPages},
	{tag: "AB", f: fAbstract},
	{tag: "IS", f: fSerial, raw: true},
	{tag: "IB", f: fSerial2, raw: true},
	{tag: "DO", f: fDOI},
	{tag: "PM", f: fPMID},
	{tag: "LG", f: fLanguage},
	{tag: "PT", f: fPubTypes},
	{tag: "PB", f: fPublisher},
	{tag: "KW", f: fKeywords},
	{tag: "MH", f: fMeSH},
	{tag: "UR", f: fURL},
})

// enwTable follows EndNote's own import filter.
var enwTable = newTable(EndNoteTagged, taggedFinish, []row{
	{tag: "%0", f: fType, read: readType(endnoteNames)},
	{tag: "%F", f: fID},
	{tag: "%T", f: fTitle},
	{tag: "%Q", f: fTranslated},
	{tag: "%!", f: fShort},
	{tag: "%(", f: fOriginal},
	{tag: "%A", f: fAuthors},
	{tag: "%E", f: fEditors},
	{tag: "%D", f: fYear, raw: true},
	{tag: "%8", f: fFiner, raw: true},
	{tag: "%J", f: fContainer},
	{tag: "%B", f: fContainer},
	{tag: "%O", f: fAbbrev},
	{tag: "%S", f: fSeries},
	{tag: "%7", f: fEdition},
	{tag: "%I", f: fPublisher},
	{tag: "%C", f: fPlace},
	{tag: "%V", f: fVolume},
	{tag: "%N", f: fIssue},
	{tag: "%P", f: fPages},
	{tag: "%]", f: fArticle},
	{tag: "%9", f: fPubTypes},
	{tag: "%G", f: fLanguage},
	{tag: "%X", f: fAbstract},
	{tag: "%R", f: fDOI},
	{tag: "%@", f: fSerial, raw: true},
	{tag: "%U", f: fURL},
	{tag: "%2", f: fPMCID, read: risPMCID},
	{tag: "%K", f: fKeywords},
	{tag: "%M", f: fAccession},
	{tag: "%~", f: fDatabase},
	{tag: "%Z", f: fNotes},
})

func taggedFinish(e *Entry) {
	for _, t := range e.PubTypes {
		if kind := jsonNames[strings.ToLower(t)]; e.Type == "" && kind != "" {
			e.Type = kind
		}
	}
	if e.ID == "" {
		e.ID = e.Accession
	}
}

var ovidHead = regexp.MustCompile(`^<\d+\.? ?>\s*$`)

// readOvid reads Ovid's text: records begin with "<1. >", values go on behind
// blanks.
func readOvid(in *bufio.Reader, k *sink) error {
	return readTagged(in, k, record{k: k, fill: ovidTable.filler(), id: "UI", title: "TI"}, ovidHead.MatchString, risTag, "VN ST")
}

// readEndNoteTagged reads "%0 Journal Article", "%T A title": records begin
// with %0.
func readEndNoteTagged(in *bufio.Reader, k *sink) error {
	return readTagged(in, k, record{k: k, fill: enwTable.filler(), id: "%F", title: "%T"}, func(line string) bool { return strings.HasPrefix(line, "%0 ") }, enwTag, "%0")
}

func enwTag(line string) (tag, text string, ok bool) {
	if len(line) < 3 || line[0] != '%' || line[2] != ' ' || line[1] <= ' ' {
		return "", "", false
	}
	return line[:2], strings.TrimSpace(line[3:]), true
}

// readTagged reads a format of tags whose records begin with a line of their
// own.
func readTagged(in *bufio.Reader, k *sink, r record, begins func(string) bool, split func(string) (string, string, bool), header string) error {
	l := lines{in: in, s: k.Summary}
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		line = strings.TrimPrefix(line, "\uFEFF")
		if begins(line) && r.open() {
			if err := r.close(header); err != nil {
				return err
			}
		}
		tag, text, tagged := split(line)
		switch trimmed := strings.TrimSpace(line); {
		case tagged:
			r.add(l.n, tag, text)
		case trimmed == "" || begins(line):
		case !r.open():
			k.warn(l.n, "", line, "the line belongs to no record and was skipped")
		case r.last() == "IN":
			r.add(l.n, r.last(), trimmed)
		case r.last() == "%K" || r.last() == "%A":
			r.add(l.n, r.last(), trimmed)
		default:
			r.goOn(trimmed)
		}
	}
	if r.open() {
		if err := r.close(header); err != nil {
			return err
		}
	}
	return l.failure()
}
