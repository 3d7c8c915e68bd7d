package biblio

import (
	"fmt"
	"strings"

	"optimistresearch/internal/text"
)

// risTypes maps our types to those of RIS.
var risTypes = map[string]string{
	Journal: "JOUR", Conference: "CPAPER", Book: "BOOK", Chapter: "CHAP", Thesis: "THES", Report: "RPRT", Dataset: "DATA",
	Preprint: "UNPB", Webpage: "ELEC", Document: "GEN",
}

// risNames are the types of RIS that others write for the same things.
var risNames = map[string]string{
	"JOUR": Journal, "JFULL": Journal, "ABST": Journal, "INPR": Journal, "EJOUR": Journal, "MGZN": Journal, "NEWS": Journal,
	"CPAPER": Conference, "CONF": Conference, "BOOK": Book, "EBOOK": Book, "EDBOOK": Book, "SER": Book, "CHAP": Chapter, "ECHAP": Chapter,
	"THES": Thesis, "RPRT": Report, "GOVDOC": Report, "DATA": Dataset, "DBASE": Dataset, "AGGR": Dataset, "UNPB": Preprint, "UNPD": Preprint,
	"ELEC": Webpage, "ICOMM": Webpage, "BLOG": Webpage,
}

// WriteRIS writes entries as RIS, with the line ends of its specification.
func WriteRIS(entries []Entry) []byte {
	var b strings.Builder
	for _, e := range entries {
		e = e.Normal()
		tag := func(name, value string) {
			if value != "" {
				fmt.Fprintf(&b, "%s  - %s\r\n", name, value)
			}
		}
		tag("TY", risTypes[e.Type])
		tag("ID", e.ID)
		tag("TI", e.Title)
		for _, n := range e.Authors {
			tag("AU", n.joined())
		}
		if e.Date != "" {
			tag("PY", e.Date[:4])
			if len(e.Date) > 4 {
				parts := strings.Split(e.Date+"--", "-")
				tag("DA", strings.Join(parts[:3], "/")+"/")
			}
		}
		tag("T2", e.Container)
		tag("VL", e.Volume)
		tag("IS", e.Issue)
		if first, last, ok := strings.Cut(e.Pages, "-"); ok && first != "" && last != "" && !strings.ContainsAny(last, "-,;") && !strings.ContainsAny(first, ",;") {
			tag("SP", first)
			tag("EP", last)
		} else {
			tag("SP", e.Pages)
		}
		tag("PB", e.Publisher)
		tag("AB", e.Abstract)
		tag("LA", e.Language)
		tag("DO", e.DOI)
		tag("UR", e.URL)
		for _, k := range e.Keywords {
			tag("KW", k)
		}
		for _, x := range noteIDs {
			if v := *x.field(&e); v != "" {
				tag("N1", x.label+v)
			}
		}
		for _, n := range e.Notes {
			tag("N1", n)
		}
		b.WriteString("ER  - \r\n\r\n")
	}
	return []byte(b.String())
}

// ReadRIS reads RIS as it is met in the wild: any line ends, a byte order mark,
// values that go on in the next line, a missing ER, lines that belong to no
// entry. What could not be used is in problems; no entry is lost for it.
func ReadRIS(data []byte) (entries []Entry, problems []Problem) {
	r := &risReader{}
	for i, line := range strings.Split(decode(data), "\n") {
		r.line(i+1, line)
	}
	r.end()
	return r.entries, r.problems
}

type risReader struct {
	entries  []Entry
	problems []Problem
	fields   []risField
	start    int // line of the entry that is open, 0 = none
	at       int
}

type risField struct {
	tag, value string
	more       []string // lines in which the value goes on
}

func (r *risReader) problem(line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{Line: line, Message: fmt.Sprintf(format, args...)})
}

func (r *risReader) line(n int, line string) {
	r.at = n
	tag, value, ok := risTag(line)
	switch {
	case !ok && strings.TrimSpace(line) == "":
	case !ok && r.start == 0:
		r.problem(n, "the line belongs to no entry and was skipped: %q", text.Truncate(text.OneLine(line), 60))
	case !ok:
		last := &r.fields[len(r.fields)-1]
		last.more = append(last.more, strings.TrimSpace(line))
	case tag == "TY":
		if r.start != 0 {
			r.problem(r.start, "the entry has no ER line; it ends where the next one begins")
			r.end()
		}
		r.start, r.fields = n, []risField{{tag: tag, value: value}}
	case tag == "ER":
		if r.start == 0 {
			r.problem(n, "ER without an entry was skipped")
			return
		}
		r.close()
	case r.start == 0:
		r.problem(n, "the entry has no TY line; it is taken for a document of an unknown type")
		r.start, r.fields = n, []risField{{tag: "TY", value: "GEN"}, {tag: tag, value: value}}
	default:
		r.fields = append(r.fields, risField{tag: tag, value: value})
	}
}

// end closes an entry that the end of the file left open.
func (r *risReader) end() {
	if r.start != 0 {
		r.close()
	}
}

// risTag reads "AU  - value"; fewer spaces are met in the wild.
func risTag(line string) (tag, value string, ok bool) {
	if len(line) < 3 || line[0] < 'A' || line[0] > 'Z' || !(line[1] >= 'A' && line[1] <= 'Z' || line[1] >= '0' && line[1] <= '9') {
		return "", "", false
	}
	rest := line[2:]
	trimmed := strings.TrimLeft(rest, " \t")
	if !strings.HasPrefix(trimmed, "-") || rest[0] == '-' || len(rest)-len(trimmed) > 4 {
		return "", "", false
	}
	return line[:2], strings.TrimSpace(trimmed[1:]), true
}

func (r *risReader) close() {
	e := Entry{}
	first := map[string]string{}
	for _, f := range r.fields {
		f.value = strings.TrimSpace(f.value + " " + strings.Join(f.more, " "))
		if f.value == "" {
			continue
		}
		switch f.tag {
		case "AU", "A1":
			e.Authors = append(e.Authors, split(f.value))
		case "KW":
			e.Keywords = append(e.Keywords, f.value)
		case "N1":
			e.Notes = append(e.Notes, f.value)
		default:
			if first[f.tag] == "" {
				first[f.tag] = f.value
			}
		}
	}
	pick := func(tags ...string) string {
		for _, t := range tags {
			if v := first[t]; v != "" {
				return v
			}
		}
		return ""
	}
	e.Type = risNames[strings.ToUpper(pick("TY"))]
	e.ID = pick("ID")
	e.Title, e.Container = pick("TI", "T1", "CT"), pick("T2", "JO", "JF", "BT", "JA", "J2")
	if bt := pick("BT"); e.Type == Book && e.Title == "" && bt != "" {
		e.Title, e.Container = bt, pick("T2", "T3")
	}
	e.Date = date(pick("DA"))
	if year := date(pick("PY", "Y1")); e.Date == "" || year != "" && !strings.HasPrefix(e.Date, year[:4]) {
		e.Date = year
	}
	e.Volume, e.Issue, e.Publisher = pick("VL"), pick("IS"), pick("PB")
	e.Pages = pick("SP")
	if end := pick("EP"); end != "" && e.Pages != "" && !strings.Contains(e.Pages, "-") {
		e.Pages += "-" + end
	} else if e.Pages == "" {
		e.Pages = end
	}
	e.Abstract, e.Language, e.URL = pick("AB", "N2"), pick("LA"), pick("UR", "L2", "LK")
	e.DOI = pick("DO", "DI")
	e = e.Normal()
	if e.Title == "" && e.DOI == "" && len(e.Authors) == 0 {
		r.problems = append(r.problems, Problem{Line: r.start, Entry: e.ID, Message: "the entry has neither title nor author nor DOI; it is kept as it is"})
	}
	r.entries = append(r.entries, e)
	r.start, r.fields = 0, nil
}
