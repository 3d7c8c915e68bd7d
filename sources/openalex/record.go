package openalex

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"optimistresearch/internal/text"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// Caps in characters on text from outside.
const (
	longTitle    = 1_000
	longAbstract = 20_000
	longField    = 500
	mostLinks    = 30
	authorsShown = 100 // lists cut an author list here
)

func decode(raw rawRecord) (w *work, note string, err error) {
	w = &work{}
	note, err = wire.Lenient(raw, w)
	return w, note, err
}

// name is the best short name of a work, for skips and errors.
func (w *work) name() string {
	return cmp.Or(state.NormalizeDOI(string(w.DOI)), state.NormalizeOpenAlex(string(w.ID)), string(w.Title), "an entry without id")
}

// record turns the wire form into a record, or says why it is none.
func (w *work) record() (r state.Record, why string) {
	title := field(cmp.Or(w.Title, w.DisplayName), longTitle)
	if title == "" {
		return r, "no title" // W4234567890 (2026)
	}
	r = state.Record{
		Source:     Name,
		IDs:        w.ids(),
		Title:      title,
		Authors:    w.authors(),
		AuthorsCut: w.AuthorsCut == "true" || len(w.Authorships) == authorsShown,
		Type:       strings.ToLower(field(w.Type, longField)),
		Language:   strings.ToLower(field(w.Language, 20)),
		Volume:     field(w.Biblio.Volume, longField),
		Issue:      field(w.Biblio.Issue, longField),
		Pages:      w.pages(),
		URL:        w.url(),
		Links:      w.links(),
		ISSN:       w.issns(),
		Keywords:   w.keywords(),
		Subjects:   w.subjects(),
		Funding:    w.funding(),
		Retraction: w.retraction(title),
	}
	r.Year, r.Date, r.Notes = w.dates()
	if p := w.PrimaryLocation; p != nil {
		// raw_source_name may be the address of a copy:
		// "http://www-db.stanford.edu/~backrub/pageranksub.ps" (W1854214752, 2026).
		if name := field(p.SourceName, longField); !strings.Contains(name, "://") {
			r.Venue = name
		}
		if p.Source != nil {
			r.Venue = cmp.Or(field(p.Source.Name, longField), r.Venue)
			r.Publisher = field(p.Source.Host, longField)
		}
	}
	if n, ok := w.CitedBy.Int(); ok && n >= 0 {
		r.Citations = &n
	}
	r.Abstract, r.Synopsis = w.abstract()
	r.Kind = w.kind(r.IDs)
	r.Key = state.RecordKey(Name, r.IDs[state.OpenAlex], r)
	return r, ""
}

// ids are the identifiers of the record itself. An arXiv id is taken only from
// the DOI: the landing page of a location may hang on the wrong work.
func (w *work) ids() state.IDs {
	ids := state.IDs{}
	ids.SetDOI(string(cmp.Or(w.DOI, w.IDs.DOI)))
	for scheme, id := range map[string]string{
		state.OpenAlex: state.NormalizeOpenAlex(string(cmp.Or(w.ID, w.IDs.OpenAlex))),
		state.PMID:     state.NormalizePMID(string(w.IDs.PMID)),
		state.PMCID:    pmcid(string(w.IDs.PMCID)),
		state.MAG:      digits(w.IDs.MAG),
	} {
		if id != "" {
			ids[scheme] = id
		}
	}
	return ids
}

// pmcid reads the address of a record in PubMed Central, which here ends in
// digits alone: https://www.ncbi.nlm.nih.gov/pmc/articles/4397654.
func pmcid(s string) string {
	return state.NormalizePMCID(s[strings.LastIndex(strings.TrimRight(s, "/"), "/")+1:])
}

func digits(s scalar) string {
	if len(s) > 15 || strings.Trim(string(s), "0123456789") != "" {
		return ""
	}
	return string(s)
}

func (w *work) authors() []state.Author {
	var out []state.Author
	for _, a := range w.Authorships {
		name := field(a.Author.Name, longField)
		if name == "" {
			name = field(a.RawName, longField)
			if family, given, one := strings.Cut(name, ", "); one && !strings.Contains(given, ",") {
				name = given + " " + family
			}
		}
		if name == "" {
			continue
		}
		out = append(out, state.Author{Name: name, ORCID: wire.ORCID(string(a.Author.ORCID))})
	}
	return out
}

// dates gives year and date. OpenAlex writes 1 January when it knows the year
// only, so that day is no date.
func (w *work) dates() (year int, date string, notes []string) {
	year, _ = w.Year.Int()
	if year < 1000 || year > 9999 {
		year = 0
	}
	date = string(w.Date)
	day, err := time.Parse(time.DateOnly, date)
	switch {
	case err != nil || day.Year() < 1000:
		date = ""
	case year == 0:
		year = day.Year()
	case day.Year() != year:
		notes = append(notes, fmt.Sprintf("the publication date %s and the year %d disagree; the year is kept", date, year))
		date = ""
	}
	if year > 0 && (date == "" || strings.HasSuffix(date, "-01-01")) {
		date = fmt.Sprintf("%04d", year)
	}
	return year, date, notes
}

func (w *work) pages() string {
	first, last := field(w.Biblio.First, longField), field(w.Biblio.Last, longField)
	if first != "" && last != "" && first != last {
		return first + "-" + last
	}
	return cmp.Or(first, last)
}

func (w *work) url() string {
	if doi := state.NormalizeDOI(string(w.DOI)); doi != "" {
		return "https://doi.org/" + doi
	}
	if w.PrimaryLocation != nil {
		return webAddress(w.PrimaryLocation.Landing)
	}
	return ""
}

// links are the open copies, the best one first. A PDF may belong to another
// work (ourresearch/OpenAlex 15): whoever fetches it compares the title page.
func (w *work) links() []state.OALink {
	var out []state.OALink
	add := func(address scalar, kind string, l *location) {
		link := state.OALink{URL: webAddress(address), Kind: kind}
		known := slices.ContainsFunc(out, func(o state.OALink) bool { return o.URL == link.URL })
		if known || len(out) == mostLinks || link.URL == "" {
			return
		}
		if l != nil {
			link.License = field(l.License, 100)
			if l.Source != nil {
				link.Source = field(l.Source.Name, longField)
			}
		}
		out = append(out, link)
	}
	open := append([]*location{w.BestOA}, w.Locations...)
	open = slices.DeleteFunc(open, func(l *location) bool { return l == nil || l.OA != "true" })
	for _, l := range open {
		add(l.PDF, "pdf", l)
	}
	for _, l := range open {
		add(l.Landing, "landing", l)
	}
	kind := "landing"
	if strings.HasSuffix(strings.ToLower(string(w.OpenAccess.URL)), ".pdf") {
		kind = "pdf"
	}
	add(w.OpenAccess.URL, kind, nil)
	return out
}

// webAddress is an http(s) address, "" for anything else. Some come with
// HTML escapes ("…?id=1&amp;page=2", W618607536, 2026).
func webAddress(s scalar) string { return wire.WebAddress(html.UnescapeString(string(s))) }

// retraction is what OpenAlex says: is_retracted true, false or null. A title
// that the publisher has marked weighs more than a false.
func (w *work) retraction(title string) *state.Retract {
	for _, mark := range []string{"RETRACTED:", "RETRACTED ARTICLE:", "WITHDRAWN:"} {
		if strings.HasPrefix(title, mark) {
			return &state.Retract{Status: state.RetractRetracted}
		}
	}
	switch w.Retracted {
	case "true":
		return &state.Retract{Status: state.RetractRetracted}
	case "false":
		return &state.Retract{Status: state.RetractNone}
	}
	return nil
}

// grey are the types, of OpenAlex and of Crossref, that no peer-reviewed venue stands behind.
var grey = map[scalar]bool{
	"book": true, "dissertation": true, "dataset": true, "report": true, "paratext": true, "standard": true,
	"reference-entry": true, "libguides": true, "supplementary-materials": true, "software": true, "other": true,
	"grant": true, "peer-review": true, "database": true, "monograph": true, "edited-book": true, "reference-book": true,
}

// preprintServers are words in the names of repositories that hold preprints.
// An institutional repository says nothing about the kind of a work.
var preprintServers = []string{"rxiv", "arxiv", "ssrn", "research square", "preprints", "repec", "authorea"}

func isPreprintServer(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(preprintServers, func(s string) bool { return strings.Contains(name, s) })
}

// kind decides from the registered type, then the venue, then the version:
// OpenAlex calls many preprints "article".
func (w *work) kind(ids state.IDs) state.Kind {
	l := w.PrimaryLocation
	if l == nil {
		l = &location{}
	}
	venue, name := "", ""
	if l.Source != nil {
		venue, name = string(l.Source.Type), string(l.Source.Name)
	}
	registered := cmp.Or(w.TypeCrossref, l.RawType)
	final := l.Version == "publishedVersion" || l.Version == "acceptedVersion"
	switch {
	case ids[state.ArXiv] != "" || w.Type == "preprint" || registered == "posted-content":
		return state.Preprint
	case registered == "journal-article" || registered == "proceedings-article":
		return state.Published
	case grey[w.Type] || grey[registered]:
		return state.Other
	case venue == "journal" || venue == "conference" || venue == "book series":
		return state.Published
	case venue == "repository" && !final && isPreprintServer(name):
		return state.Preprint
	case final && (venue == "repository" || ids[state.DOI] != "") && w.Type != "book-chapter":
		return state.Published
	}
	return state.Other
}

// abstract rebuilds the text from its inverted index. Positions may have gaps,
// and the text may begin with the word "Abstract".
func (w *work) abstract() (abstract string, synopsis bool) {
	type placed struct {
		at   int
		word string
	}
	var words []placed
	for word, positions := range w.Abstract {
		for _, p := range positions {
			if at, ok := p.Int(); ok && at >= 0 {
				words = append(words, placed{at, word})
			}
		}
	}
	slices.SortFunc(words, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.word, b.word))
	})
	var b strings.Builder
	for _, p := range words {
		if b.Len() > 8*longAbstract {
			break
		}
		b.WriteString(p.word + " ")
	}
	abstract, synopsis = state.CutSynopsis(field(scalar(b.String()), longAbstract))
	return cutHeading(abstract), synopsis
}

// cutHeading removes a heading "Abstract" that became the first word of the
// text. "Abstract interpretation is…" stays.
func cutHeading(s string) string {
	for _, heading := range []string{"Abstract", "ABSTRACT", "Summary", "SUMMARY"} {
		rest, ok := strings.CutPrefix(s, heading)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, ":. ")
		if first, _ := utf8.DecodeRuneInString(rest); len(rest) < len(s)-len(heading) && unicode.IsUpper(first) {
			return rest
		}
	}
	return s
}

// field is the plain text of a field from outside, at most most characters.
func field(s scalar, most int) string {
	return text.Truncate(text.OneLine(text.Strip(string(s))), most)
}
