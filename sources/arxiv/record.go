package arxiv

import (
	"regexp"
	"slices"
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
	r.Keywords = e.keywords()
	comment := plain(e.Comment)
	if withdrawn := withdrawal(comment, r.Abstract); withdrawn != "" {
		r.Notes = append(r.Notes, withdrawn)
		r.Retraction = &state.Retract{Status: state.RetractRetracted}
	} else {
		if comment != "" {
			r.Notes = append(r.Notes, "comment: "+text.Truncate(comment, 300))
		}
		e.addLinks(&r)
	}
	r.Key = state.RecordKey(Name, id, r)
	return r, ""
}

// htmlSince is the day from which on arXiv turns what it gets into HTML pages;
// for older versions there mostly is none (404).
const htmlSince = "2023-12-01"

// addLinks takes the open copies. A withdrawn paper keeps its entry, but its
// copies are gone. arXiv's feed does not give the licence.
func (e entry) addLinks(r *state.Record) {
	if _, updated := date(e.Updated); updated >= htmlSince && r.Version != "" {
		r.Links = append(r.Links, state.OALink{URL: "https://arxiv.org/html/" + r.IDs[state.ArXiv] + r.Version, Kind: "html", Source: Name})
	}
	for _, l := range e.Links {
		if l.Title == "pdf" && webAddress.MatchString(l.Href) {
			r.Links = append(r.Links, state.OALink{URL: webAddress.ReplaceAllString(l.Href, "https://"), Kind: "pdf", Source: Name})
		}
	}
}

// keywords are the categories, the primary one first: arXiv's own, and those
// of the MSC and ACM schemes, of which a paper has several in one term.
func (e entry) keywords() []string {
	var out []string
	for _, c := range append([]category{e.Primary}, e.Categories...) {
		for _, term := range strings.FieldsFunc(c.Term, func(r rune) bool { return r == ',' || r == ';' }) {
			if term = plain(term); term != "" && !slices.Contains(out, term) {
				out = append(out, term)
			}
		}
	}
	return out
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
				r.Notes = append(r.Notes, "dropped “"+text.Truncate(name, 40)+"” from the authors: no name")
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
	if !strings.Contains(s, "\xC2") { // the first byte of U+0080 to U+00BF, one of which is in every such run
		return s
	}
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
				r.Notes = append(r.Notes, "the DOI “"+text.Truncate(text.OneLine(raw), 80)+"” is malformed")
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
		r.Notes = append(r.Notes, "published as: "+text.Truncate(ref, 300))
	}
}

var (
	withdrawnComment = regexp.MustCompile(`(?i)^\W*withdrawn\b|\b(paper|article|submission|manuscript|preprint|note|version|it)\b.{0,40}\bwithdrawn\b|\bwithdrawal of (this|the) (paper|article|submission)\b`)
	// another is a paper that the comment speaks of beside this one.
	another          = regexp.MustCompile(`(?i)\b(supersed\w+|replac\w+|merged|previous|earlier|instead of|not)\b.{0,60}\bwithdrawn\b`)
	withdrawnSummary = regexp.MustCompile(`(?i)^\W*(this|the) (paper|article|submission|manuscript|preprint|work|note|version)( \S+)? (has been|have been|was|is)( \w+)? withdrawn\b|^\W*withdrawn\b`)
)

// withdrawal is the note for a paper whose comment or abstract says that it was
// withdrawn, such as 0902.4054; "" for others. arXiv has no field for it.
func withdrawal(comment, summary string) string {
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), "withdraw") }
	if !has(comment) && !has(summary) {
		return ""
	}
	switch {
	case withdrawnComment.MatchString(comment) && !another.MatchString(comment):
		return "withdrawn, says the comment: " + text.Truncate(comment, 300)
	case withdrawnSummary.MatchString(summary):
		return "withdrawn, says the abstract: " + text.Truncate(summary, 300)
	}
	return ""
}
