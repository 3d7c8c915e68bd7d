package sandbox

import (
	"strconv"
	"strings"

	"optimistresearch/state"
)

// What follows from the facts of a work, the same for every service.

func itoa(n int) string { return strconv.Itoa(n) }

func pmid(w *Work, work int) string {
	if w.PMID != "" {
		return w.PMID
	}
	return madePMID(work)
}

func paperID(w *Work, work int) string {
	if w.S2 != "" {
		return w.S2
	}
	return madePaper(work)
}

func corpusID(w *Work, work int) int {
	if w.CorpusID != 0 {
		return w.CorpusID
	}
	return madeCorpusID(work)
}

// arXivDOI is the DataCite DOI, in the capitals that arXiv gives it.
func arXivDOI(id string) string { return "10.48550/arXiv." + id }

// arXivMonth is the month of submission, which the id tells. The day is not
// known; services that show a day get the first.
func arXivMonth(w *Work) (year, month int) {
	digits := w.ArXiv[strings.IndexByte(w.ArXiv, '/')+1:]
	if len(digits) < 4 {
		return w.Year, 1
	}
	yy, err1 := strconv.Atoi(digits[:2])
	mm, err2 := strconv.Atoi(digits[2:4])
	if err1 != nil || err2 != nil || mm < 1 || mm > 12 {
		return w.Year, 1
	}
	if yy >= 91 {
		return 1900 + yy, mm
	}
	return 2000 + yy, mm
}

func arXivYear(w *Work) int {
	year, _ := arXivMonth(w)
	return year
}

// venueYear is the year of the venue version, 0 if it is not known: the year
// of a work with a preprint is the preprint's.
func venueYear(w *Work) int {
	if w.VenueYear != 0 || w.ArXiv != "" && w.Venue != "" {
		return w.VenueYear
	}
	return w.Year
}

func language(w *Work) string {
	if w.Language == "" {
		return "en"
	}
	return w.Language
}

// name is an author in parts.
type name struct{ given, family string }

// full is "Given Family".
func (n name) full() string { return strings.TrimSpace(n.given + " " + n.family) }

// inverted is "Family, Given".
func (n name) inverted() string {
	if n.given == "" {
		return n.family
	}
	return n.family + ", " + n.given
}

// initials are those of the given names, with sep after each.
func (n name) initials(sep string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(n.given, func(r rune) bool { return r == ' ' || r == '-' || r == '.' }) {
		for _, r := range part {
			b.WriteRune(r)
			b.WriteString(sep)
			break
		}
	}
	return b.String()
}

// particles stand before a family name and belong to it.
var particles = map[string]bool{"van": true, "von": true, "der": true, "den": true, "de": true, "del": true, "della": true, "di": true,
	"da": true, "dos": true, "la": true, "le": true, "ten": true, "ter": true}

// split tells given from family name: at the comma if there is one, else
// before the last word and the particles in front of it.
func split(author string) name {
	if family, given, ok := strings.Cut(author, ","); ok {
		return name{strings.TrimSpace(given), strings.TrimSpace(family)}
	}
	words := strings.Fields(author)
	if len(words) == 0 {
		return name{}
	}
	at := len(words) - 1
	for at > 1 && particles[strings.ToLower(words[at-1])] {
		at--
	}
	return name{strings.Join(words[:at], " "), strings.Join(words[at:], " ")}
}

// day is the date of the library: the services' own dates (of indexing, of
// update) are all this one, so that answers do not change from day to day.
const day = "2026-11-30"

// normalDOI is a DOI for comparing; the arXiv DOI stays a DOI.
func normalDOI(s string) string { return state.NormalizeDOI(s) }
