package arxiv

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// record turns an entry into a record, or says why it cannot be one.
func (e entry) record() (state.Record, string) {
	if e.isError() {
		return state.Record{}, "an error report, not a work"
	}
	id, version := state.NormalizeArXiv(e.ID)
	if id == "" {
		return state.Record{}, "no arXiv id"
	}
	r := state.Record{
		Source:  Name,
		IDs:     state.IDs{state.ArXiv: id},
		Title:   plain(e.Title),
		Kind:    state.Preprint,
		Type:    "preprint",
		Venue:   "arXiv",
		Version: version,
		URL:     "https://arxiv.org/abs/" + id + version,
	}
	if r.Title == "" {
		return state.Record{}, "no title"
	}
	r.Year, r.Date = date(e.Published)
	r.Abstract, r.Synopsis = state.CutSynopsis(plain(e.Summary))
	e.addAuthors(&r)
	e.addPublication(&r)
	withdrawn := withdrawal(plain(e.Comment), r.Abstract)
	if withdrawn != "" {
		r.Notes = append(r.Notes, withdrawn)
	}
	for _, l := range e.Links {
		// A withdrawn paper keeps its entry, but its PDF is gone.
		if l.Title == "pdf" && withdrawn == "" && webAddress.MatchString(l.Href) {
			r.Links = append(r.Links, state.OALink{URL: webAddress.ReplaceAllString(l.Href, "https://"), Kind: "pdf", Source: Name})
		}
	}
	r.Key = state.RecordKey(Name, id, r)
	return r, ""
}

var webAddress = regexp.MustCompile(`^https?://`)

// date reads the day of a time stamp such as 2012-07-31T11:59:59Z.
func date(stamp string) (int, string) {
	m := dayOf.FindString(strings.TrimSpace(stamp))
	if m == "" {
		return 0, ""
	}
	year, _ := strconv.Atoi(m[:4])
	return year, m
}

var dayOf = regexp.MustCompile(`^(1[0-9]|2[0-9])[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])`)

var collective = regexp.MustCompile(`(?i)\b(collaborations?|consortium)$`)

// addAuthors keeps names as arXiv shows them; it does not split them. Lists of
// collaborations hold entries without a letter, such as ":"; they are dropped.
func (e entry) addAuthors(r *state.Record) {
	for _, a := range e.Authors {
		name := plain(a.Name)
		if strings.IndexFunc(name, unicode.IsLetter) < 0 {
			if name != "" {
				r.Notes = append(r.Notes, "dropped “"+cut(name, 40)+"” from the authors: no name")
			}
			continue
		}
		if mend(a.Name) != a.Name {
			r.Notes = append(r.Notes, "the author “"+name+"” comes doubly encoded from arXiv and was mended")
		}
		r.Authors = append(r.Authors, state.Author{Name: name, Collective: collective.MatchString(name)})
	}
}

// plain is a text of the feed without markup, control characters and line
// breaks.
func plain(s string) string {
	return text.Strip(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, mend(s)))
}

// mend undoes UTF-8 that was taken for Latin-1 and encoded again, as in the
// author "Dirk WÃ¼bben" of 1707.08567 (id_list, 2026-04-12). A run of
// characters that was not treated so does not decode, and stays.
func mend(s string) string {
	return doubled.ReplaceAllStringFunc(s, func(run string) string {
		var raw []byte
		for _, r := range run {
			raw = append(raw, byte(r))
		}
		if !utf8.Valid(raw) {
			return run
		}
		return string(raw)
	})
}

var doubled = regexp.MustCompile(`[\x{C2}-\x{DF}][\x{80}-\x{BF}]|[\x{E0}-\x{EF}][\x{80}-\x{BF}]{2}|[\x{F0}-\x{F4}][\x{80}-\x{BF}]{3}`)

// addPublication notes what arXiv says about the published version. The
// preprint keeps its own date and venue.
func (e entry) addPublication(r *state.Record) {
	for _, field := range e.DOIs {
		// Authors put several DOIs into the field, with spaces or commas.
		for _, raw := range strings.FieldsFunc(field, func(c rune) bool { return unicode.IsSpace(c) || c == ',' || c == ';' }) {
			doi := state.NormalizeDOI(raw)
			switch {
			case doi == "":
				r.Notes = append(r.Notes, "the DOI “"+cut(fold(raw), 80)+"” is malformed")
			case strings.HasPrefix(doi, "10.48550/"):
			default:
				if r.IDs[state.DOI] == "" {
					r.IDs[state.DOI] = doi
				}
				r.Related = append(r.Related, state.Related{Type: "is-preprint-of", ID: "doi:" + doi})
			}
		}
	}
	if ref := plain(e.JournalRef); ref != "" {
		r.Notes = append(r.Notes, "published as: "+cut(ref, 300))
	}
}

var (
	withdrawnComment = regexp.MustCompile(`(?i)^\W*withdrawn\b|\b(paper|article|submission|manuscript|preprint|note|version|it)\b.{0,40}\bwithdrawn\b|\bwithdrawal of (this|the) (paper|article|submission)\b`)
	withdrawnSummary = regexp.MustCompile(`(?i)^\W*(this|the) (paper|article|submission|manuscript|preprint|work|note|version)( \S+)? (has been|have been|was|is)( \w+)? withdrawn\b|^\W*withdrawn\b`)
)

// withdrawal is the note for a paper whose comment or abstract says that it was
// withdrawn, such as 0902.4054; "" for others. arXiv has no field for it.
func withdrawal(comment, summary string) string {
	switch {
	case withdrawnComment.MatchString(comment):
		return "withdrawn, says the comment: " + cut(comment, 300)
	case withdrawnSummary.MatchString(summary):
		return "withdrawn, says the abstract: " + cut(summary, 300)
	}
	return ""
}
