package canon

import (
	"regexp"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// place is where a record says that the work was printed.
type place struct {
	volume, issue string
	supplement    string // number of a supplement, named in the volume or the issue
	page, last    string // first and last page, or the article number
	dated         bool   // a spreadsheet turned the pages into a date
	extent        bool   // the pages are a count, as of a thesis: "215 p"
}

func newPlace(r *state.Record) place {
	pl := place{volume: volumeKey(r.Volume), issue: volumeKey(r.Issue)}
	pl.supplement = supplementOf(r.Issue)
	if pl.supplement == "" {
		pl.supplement = supplementOf(r.Volume)
	}
	pl.readPages(r.Pages)
	if pl.page == "" && !pl.extent && len(pl.issue) > 2 && len(r.Issue) > 2 && strings.ContainsAny(r.Issue, "0123456789") {
		// Embase exports the article number as the issue: "10 (11) (no pagination)", "(e0143396)".
		if !monthName(pl.issue) && pl.supplement == "" {
			pl.readPages(strings.Trim(r.Issue, "() "))
			pl.issue = ""
		}
	}
	return pl
}

var (
	pageStart  = regexp.MustCompile(`^[^\pL0-9]*([a-z]{0,4})\.?\s?0*([0-9]+)`)
	pageEnd    = regexp.MustCompile(`^\s*(?:[-:/]+|\?{1,3})\s*([a-z]{0,4})\.?\s?0*([0-9]+)`)
	pageDate   = regexp.MustCompile(`^\W*(?:0?([0-9]{1,2})\s*[-/. ]\s*)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?:\s*[-/. ]\s*([0-9]{1,2}))?\W*$`)
	pageExtent = regexp.MustCompile(`^\W*[0-9]+\s*(p|pp|pages|leaves|s|seiten)\W*$`)
	firstDigit = regexp.MustCompile(`[0-9]+`)
	suppNumber = regexp.MustCompile(`\bsupp?l?(?:ement)?[ .]*([0-9]+)|^s([0-9]+)$`)
)

// readPages reads "221-8" (to 228), "e123", "S28-S42" and what a spreadsheet
// made of "9-11": "11-Sep", whose numbers are both ends of the range.
func (pl *place) readPages(s string) {
	s = fold(capped(s, longestName))
	if s == "" {
		return
	}
	if c := s[len(s)-1]; c >= 'a' && c <= 'z' || c == '.' {
		if pageExtent.MatchString(s) {
			pl.extent = true
			return
		}
	}
	if strings.ContainsAny(s, "abcdefghijlmnoprstuvy") {
		if m := pageDate.FindStringSubmatch(s); m != nil {
			pl.readDate(m[1], m[2], m[3])
			return
		}
	}
	if pl.plainPages(s) {
		return
	}
	m := pageStart.FindStringSubmatch(s)
	if m == nil {
		return
	}
	mark := strings.TrimPrefix(strings.TrimPrefix(m[1], "pp"), "p")
	pl.page, pl.last = mark+m[2], ""
	if e := pageEnd.FindStringSubmatch(s[len(m[0]):]); e != nil {
		pl.last = mark + lastPage(m[2], e[2])
	}
}

// plainPages reads "221-8" and "221", by far the most frequent forms, without
// the general patterns.
func (pl *place) plainPages(s string) bool {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 {
		return false
	}
	start, rest := trimZeros(s[:i]), strings.TrimLeft(s[i:], "- ")
	if len(rest) == len(s)-i && rest != "" {
		return false
	}
	for k := range len(rest) {
		if rest[k] < '0' || rest[k] > '9' {
			return false
		}
	}
	pl.page, pl.last = start, ""
	if rest != "" {
		pl.last = lastPage(start, trimZeros(rest))
	}
	return true
}

// lastPage completes the end of a range: 221-8 ends on 228.
func lastPage(start, end string) string {
	if len(end) < len(start) {
		if full := start[:len(start)-len(end)] + end; full > start {
			return full
		}
	}
	return end
}

func (pl *place) readDate(day, month, year string) {
	if day == "" && year == "" {
		return
	}
	a, b := monthNumber(month), day
	if b == "" {
		b = year
	}
	b = trimZeros(b)
	if len(a) > len(b) || len(a) == len(b) && a > b {
		a, b = b, a
	}
	pl.page, pl.last, pl.dated = a, b, true
}

var months = [...]string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

func monthNumber(s string) string {
	for i, m := range months {
		if strings.HasPrefix(s, m) {
			return [...]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}[i]
		}
	}
	return ""
}

func monthName(s string) bool { return s != "" && (s[0] < '0' || s[0] > '9') && monthNumber(s) != "" }

func supplementOf(s string) string {
	if s == "" {
		return ""
	}
	m := suppNumber.FindStringSubmatch(fold(capped(s, longestName)))
	if m == nil {
		return ""
	}
	return trimZeros(m[1] + m[2])
}

// startPage gives the normalised first page or article number, "" if there is
// none.
func startPage(s string) string {
	var pl place
	pl.readPages(s)
	return pl.page
}

// volumeKey gives the first number of a volume or issue, else its folded text.
func volumeKey(s string) string {
	if s == "" {
		return ""
	}
	digits := true
	for i := range len(s) {
		digits = digits && s[i] >= '0' && s[i] <= '9'
	}
	if digits {
		return trimZeros(s)
	}
	s = text.Fold(capped(s, longestName))
	if m := firstDigit.FindString(s); m != "" {
		return trimZeros(m)
	}
	return strings.Trim(s, " .&;")
}

func sameText(a, b string) tri {
	if a == "" || b == "" {
		return unknown
	}
	return triOf(a == b)
}

// sameVolume compares volumes. A volume that is the year, and the number of a
// supplement that was filed as the volume, say nothing.
func sameVolume(p, q *profile) tri {
	t := sameText(p.volume, q.volume)
	if t == differ && (p.volume == yearText(p.rec.Year) || q.volume == yearText(q.rec.Year) ||
		p.volume == q.supplement || q.volume == p.supplement) {
		return unknown
	}
	return t
}

// sameIssue compares issues; the month of an issue is its number in a monthly.
func sameIssue(p, q *profile) tri {
	t := sameText(p.issue, q.issue)
	if t != differ {
		return t
	}
	m, n := monthName(p.issue), monthName(q.issue)
	switch {
	case strings.HasPrefix(p.issue, "sup") || strings.HasPrefix(q.issue, "sup"):
		return unknown // "SUPPL" and "Suppl 2"
	case !m && !n:
		return t
	case m && n:
		return triOf(monthNumber(p.issue) == monthNumber(q.issue))
	case m && monthNumber(p.issue) == q.issue, n && monthNumber(q.issue) == p.issue:
		return agree
	}
	return unknown
}

// samePage compares first pages; a page read from a spreadsheet's date may
// confirm but never contradict.
func samePage(p, q *profile) tri {
	t := sameText(p.page, q.page)
	if t == differ && (p.dated || q.dated) {
		return unknown
	}
	return t
}

// shifted reports whether one record has volume, issue and page one column
// further than the other: no volume, issue 26, page 9 and volume 26, issue 9.
func shifted(p, q *profile) bool {
	one := func(p, q *profile) bool {
		return p.volume == "" && p.issue != "" && p.page != "" && p.issue == q.volume && p.page == q.issue
	}
	return one(p, q) || one(q, p)
}

// samePages reports whether both records name the same range of at least three
// pages. Two works may stand on one page, no two fill the same three.
func samePages(p, q *profile) bool {
	return p.page != "" && p.page == q.page && p.last != "" && p.last == q.last && p.page != "1" && atLeastThree(p.page, p.last)
}

func atLeastThree(first, last string) bool {
	a, b := number(first), number(last)
	return a > 0 && b >= a+2 && b < a+60 // more is a supplement, not an article
}

// number gives the digits at the end of a page as a number, 0 if there are none.
func number(s string) int {
	n := 0
	for i := range len(s) {
		switch {
		case s[i] >= '0' && s[i] <= '9' && n < 1_000_000_000:
			n = 10*n + int(s[i]-'0')
		case n > 0:
			return 0
		}
	}
	return n
}
