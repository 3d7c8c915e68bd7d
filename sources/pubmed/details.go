package pubmed

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// addDate takes the first date that has a year: the printed one before the
// electronic one, never a mixture of both. The electronic one is noted where
// it says something else.
func addDate(r *state.Record, dates ...pubDate) {
	for _, d := range dates {
		year, date, free := d.read()
		switch {
		case year == 0:
		case r.Year == 0:
			r.Year, r.Date = year, date
			if free != "" {
				r.Notes = append(r.Notes, "dated “"+text.Truncate(free, 60)+"”")
			}
		case d.Kind == "Electronic" && date != r.Date:
			r.Notes = append(r.Notes, "published online "+date)
			return
		}
	}
}

var (
	fourDigits = regexp.MustCompile(`\b(1[4-9]|2[0-9])[0-9]{2}\b`)
	months     = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
)

// read gives the year and the date as far as it is one. Free text such as
// "1998 Dec-1999 Jan" or "Spring 2000" gives its first year, and itself.
func (d pubDate) read() (year int, date, free string) {
	if m := fourDigits.FindString(d.Year); m != "" {
		year, _ = strconv.Atoi(m)
		date = m
		if month := monthOf(d.Month); month > 0 {
			date += fmt.Sprintf("-%02d", month)
			if day, err := strconv.Atoi(strings.TrimSpace(d.Day)); err == nil && day >= 1 && day <= 31 {
				date += fmt.Sprintf("-%02d", day)
			}
		}
		return year, date, ""
	}
	free = plain(d.Medline)
	m := fourDigits.FindString(free)
	if m == "" {
		return 0, "", ""
	}
	year, _ = strconv.Atoi(m)
	if free == m {
		free = ""
	}
	return year, m, free
}

// monthOf reads "Mar", "March", "3" and "03"; 0 for anything else.
func monthOf(s string) int {
	s = strings.ToLower(strings.TrimSpace(s))
	if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= 12 {
		return n
	}
	for i, m := range months {
		if strings.HasPrefix(s, m) && !strings.ContainsAny(s, " -/") {
			return i + 1
		}
	}
	return 0
}

// addLanguages sets the language of the work, two letters where there are
// two. PubMed names the language of the text first.
func addLanguages(r *state.Record, codes []string) {
	var all []string
	for _, c := range codes {
		if tag := languageOf(c); tag != "" {
			all = append(all, tag)
		}
	}
	if len(all) == 0 {
		return
	}
	r.Language = all[0]
	if len(all) > 1 {
		r.Notes = append(r.Notes, "also in "+strings.Join(all[1:], ", "))
	}
}

// bibliographic are the MEDLINE codes that differ from those of ISO 639-3,
// obsolete the ones that old records keep.
var (
	bibliographic = map[string]string{
		"alb": "sq", "arm": "hy", "baq": "eu", "bur": "my", "chi": "zh", "cze": "cs", "dut": "nl", "fre": "fr", "geo": "ka",
		"ger": "de", "gre": "el", "ice": "is", "mac": "mk", "mao": "mi", "may": "ms", "per": "fa", "rum": "ro", "slo": "sk",
		"tib": "bo", "wel": "cy",
	}
	obsolete = map[string]string{"scr": "hr", "scc": "sr", "mol": "ro"}
)

// medlineCode turns a code such as "de" or "deu" into MEDLINE's "ger"; "" for
// what is no language.
func medlineCode(code string) string {
	base, err := language.ParseBase(strings.ToLower(strings.TrimSpace(code)))
	if err != nil {
		return ""
	}
	for medline, two := range bibliographic {
		if two == base.String() {
			return medline
		}
	}
	return base.ISO3()
}

// languageOf turns a MEDLINE code such as "eng" or "ger" into "en" or "de".
// An undetermined language is none; an unknown code stays as it is.
func languageOf(code string) string {
	code = strings.ToLower(strings.TrimSpace(code))
	if two := cmp.Or(bibliographic[code], obsolete[code]); two != "" {
		return two
	}
	if code == "und" || !languageCode.MatchString(code) {
		return ""
	}
	if base, err := language.ParseBase(code); err == nil {
		return base.String()
	}
	return code
}

var languageCode = regexp.MustCompile(`^[a-z]{2,3}$`)

// addAbstract joins the paragraphs of the abstract. Where there is none, the
// abstracts in other languages stand in, and a note says which; where there is
// one, the others are only named.
func addAbstract(r *state.Record, own []paragraph, others []otherAbstract) {
	r.Abstract, r.Synopsis = state.CutSynopsis(join(own))
	var texts, tongues, kinds []string
	for _, o := range others {
		one := join(o.Texts)
		if one == "" {
			continue
		}
		tongue := cmp.Or(languageOf(o.Language), "an unnamed language")
		texts, tongues = append(texts, one), append(tongues, tongue)
		kinds = append(kinds, strings.TrimSpace(strings.ToLower(plain(o.Type))+" in "+tongue))
	}
	switch {
	case len(texts) == 0:
	case r.Abstract != "":
		r.Notes = append(r.Notes, "has further abstracts: "+text.Truncate(strings.Join(kinds, ", "), 200))
	default:
		if len(texts) > 1 {
			for i := range texts {
				texts[i] = "[" + tongues[i] + "] " + texts[i]
			}
		}
		r.Abstract = strings.Join(texts, " ")
		r.Notes = append(r.Notes, "the abstract is in "+text.Truncate(strings.Join(tongues, ", "), 100)+"; PubMed has no other")
	}
}

// join makes one text of labelled paragraphs.
func join(paragraphs []paragraph) string {
	var parts []string
	for _, p := range paragraphs {
		one, label := plain(p.Inner), plain(p.Label)
		if one == "" {
			continue
		}
		if label != "" && !strings.EqualFold(label, "unlabelled") && !strings.EqualFold(label, "unassigned") {
			one = strings.TrimSuffix(label, ":") + ": " + one
		}
		parts = append(parts, one)
	}
	return strings.Join(parts, " ")
}

// addAuthors reads the names. A misprinted name (ValidYN N) is left out,
// since the right one stands beside it; the investigators of a group are no
// authors and stand elsewhere.
func addAuthors(r *state.Record, lists []authorList) {
	for _, l := range lists {
		r.AuthorsCut = r.AuthorsCut || l.Complete == "N"
		for _, a := range l.Authors {
			if a.Valid == "N" {
				continue
			}
			if name := a.read(); name.Name != "" {
				r.Authors = append(r.Authors, name)
			}
		}
	}
}

func (a author) read() state.Author {
	if group := withoutFullStop(plain(a.Collective.Inner)); group != "" {
		return state.Author{Name: group, Collective: true}
	}
	out := state.Author{
		Family: plain(a.Family.Inner),
		Given:  cmp.Or(cmp.Or(plain(a.Given.Inner), plain(a.First.Inner)), plain(a.Initials)),
	}
	out.Name = strings.Join(strings.Fields(out.Given+" "+out.Family+" "+plain(a.Suffix.Inner)), " ")
	for _, id := range a.Identifiers {
		if id.Source == "ORCID" && out.ORCID == "" {
			out.ORCID = orcid(id.Value)
		}
	}
	return out
}

var orcidDigits = regexp.MustCompile(`([0-9]{4})-?([0-9]{4})-?([0-9]{4})-?([0-9]{3}[0-9Xx])\s*/?$`)

// orcid brings the spellings of an ORCID iD (bare, without hyphens, as an
// address) to the one with hyphens; "" for what is none.
func orcid(s string) string {
	m := orcidDigits.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return ""
	}
	return strings.ToUpper(strings.Join(m[1:], "-"))
}
