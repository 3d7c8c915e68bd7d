package crossref

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

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
)

// noWorks are types of entries that are parts or containers of works.
var noWorks = map[string]bool{
	"component": true, "journal": true, "journal-issue": true, "journal-volume": true, "peer-review": true,
	"grant": true, "book-series": true, "book-set": true, "proceedings-series": true, "report-series": true,
	"report-component": true,
}

func decode(raw rawRecord) (w *work, note string, err error) {
	w = &work{}
	note, err = wire.Lenient(raw, w)
	return w, note, err
}

// name is the best short name of a work, for skips and errors.
func (w *work) name() string {
	return cmp.Or(state.NormalizeDOI(string(w.DOI)), string(w.DOI), string(first(w.Title)), "an entry without DOI")
}

// record turns the wire form into a record, or says why it is none.
func (w *work) record() (r state.Record, why string) {
	kind := strings.ToLower(field(w.Type, longField))
	title := w.title()
	switch {
	case noWorks[kind]:
		return r, "not a work: " + kind
	case title == "":
		return r, "no title"
	}
	r = state.Record{
		Source:    Name,
		IDs:       state.IDs{},
		Title:     title,
		Authors:   w.authors(),
		Type:      kind,
		Kind:      w.kind(),
		Venue:     field(cmp.Or(first(w.ContainerTitle), w.host(), w.GroupTitle), longField),
		Language:  strings.ToLower(field(w.Language, 20)),
		Volume:    field(w.Volume, longField),
		Issue:     field(w.Issue, longField),
		Pages:     field(cmp.Or(w.Page, w.ArticleNumber), longField),
		Publisher: field(w.Publisher, longField),
		Links:     w.links(),
		ISSN:      wire.ISSNs(w.ISSN),
		ISBN:      wire.ISBNs(w.ISBN),
		Subjects:  wire.Distinct(w.Subject, longField),
		Funding:   w.funding(),
	}
	r.IDs.SetDOI(string(w.DOI))
	if doi := state.NormalizeDOI(string(w.DOI)); doi != "" {
		r.URL = "https://doi.org/" + doi
	}
	if original := field(first(w.OriginalTitle), longTitle); text.TitleKey(original) != text.TitleKey(title) {
		r.AltTitle = original
	}
	for _, d := range []date{w.Issued, w.Published, w.Print, w.Online, w.Posted} {
		if r.Year == 0 {
			r.Year, r.Date = d.read()
		}
	}
	if n, ok := w.CitedBy.Int(); ok && n >= 0 {
		r.Citations = &n
	}
	r.Abstract, r.Synopsis = abstract(string(w.Abstract))
	r.Retraction, r.Related = w.retraction(title), w.related()
	r.Key = state.RecordKey(Name, state.NormalizeDOI(string(w.DOI)), r)
	return r, ""
}

// title joins title and subtitle, unless the title ends in the subtitle.
func (w *work) title() string {
	title, sub := field(first(w.Title), longTitle), field(first(w.Subtitle), longTitle)
	switch {
	case title == "" || sub == "" || strings.HasSuffix(text.TitleKey(title), text.TitleKey(sub)):
		return title
	case strings.HasSuffix(title, ":") || strings.HasSuffix(title, "?") || strings.HasSuffix(title, "!"):
		return title + " " + sub
	}
	return title + ": " + sub
}

func (w *work) authors() []state.Author {
	var out []state.Author
	for _, a := range w.Author {
		given, family := field(a.Given, longField), field(a.Family, longField)
		// A person of one name has "-" or "." as family name
		// (10.21831/imaji.v4i1.6702: "Sumaryadi" "-", 2026).
		if strings.Trim(family, "-. ") == "" {
			given, family = "", given
		}
		full := strings.TrimSpace(strings.Join(strings.Fields(given+" "+family+" "+field(a.Suffix, 20)), " "))
		author := state.Author{Name: full, Family: family, Given: given, ORCID: wire.ORCID(string(a.ORCID))}
		if full == "" {
			author = state.Author{Name: field(a.Name, longField), Collective: true}
		}
		if author.Name != "" {
			out = append(out, author)
		}
	}
	return out
}

// host is where a preprint was posted, or a report or thesis written.
func (w *work) host() scalar {
	if !slices.Contains([]scalar{"posted-content", "report", "dissertation"}, w.Type) || len(w.Institution) == 0 {
		return ""
	}
	return w.Institution[0].Name
}

// read gives year and date, no more precise than the parts. [[null]], the way
// in which Crossref says "no date" (10.1109/icdcsw.2003.1203662, 2026), is 0.
func (d date) read() (year int, written string) {
	if len(d.Parts) == 0 {
		return 0, ""
	}
	limits := []struct{ low, high int }{{1000, 9999}, {1, 12}, {1, 31}}
	for i, p := range d.Parts[0][:min(len(d.Parts[0]), 3)] {
		n, ok := p.Int()
		if !ok || n < limits[i].low || n > limits[i].high {
			break
		}
		if i == 0 {
			year, written = n, fmt.Sprintf("%04d", n)
			continue
		}
		written += fmt.Sprintf("-%02d", n)
	}
	return year, written
}

// kinds of the registered types; any other is state.Other. Conference papers
// in book series are registered as book chapters.
var kinds = map[scalar]state.Kind{
	"journal-article": state.Published, "proceedings-article": state.Published, "posted-content": state.Preprint,
}

func (w *work) kind() state.Kind {
	switch {
	case w.Type == "posted-content" && w.Subtype != "" && w.Subtype != "preprint" && w.Subtype != "working_paper":
		return state.Other // a blog post, a report, a dissertation
	case w.Type == "book-chapter" && (w.Event != nil || strings.HasPrefix(string(first(w.ContainerTitle)), "Lecture Notes in ")):
		return state.Published
	}
	return cmp.Or(kinds[w.Type], state.Other)
}

// links are copies that an open licence covers, and the page of the publisher;
// without such a licence the links of a record, which are for text mining, are
// mostly behind a paywall.
func (w *work) links() []state.OALink {
	terms := ""
	for _, l := range w.Licenses {
		if m := creativeCommons.FindStringSubmatch(strings.ToLower(string(l.URL))); m != nil {
			terms = "cc-" + m[1]
			break
		}
	}
	if terms == "" {
		return nil
	}
	var out []state.OALink
	for _, l := range w.Links {
		kind := map[string]string{"application/pdf": "pdf", "text/html": "html", "application/xml": "xml", "text/xml": "xml"}[string(l.ContentType)]
		if kind == "" && strings.HasSuffix(strings.ToLower(string(l.URL)), ".pdf") {
			kind = "pdf"
		}
		address := wire.WebAddress(string(l.URL))
		known := slices.ContainsFunc(out, func(o state.OALink) bool { return o.URL == address })
		if kind == "" || address == "" || known || l.Application == "similarity-checking" || len(out) == mostLinks {
			continue
		}
		out = append(out, state.OALink{URL: address, Kind: kind, License: terms, Source: field(w.Publisher, longField)})
	}
	page := wire.WebAddress(string(w.Resource.Primary.URL))
	if page == "" && state.NormalizeDOI(string(w.DOI)) != "" {
		page = "https://doi.org/" + state.NormalizeDOI(string(w.DOI))
	}
	if wire.WebAddress(page) != "" {
		out = append(out, state.OALink{URL: page, Kind: "landing", License: terms, Source: field(w.Publisher, longField)})
	}
	return out
}

// funding lists the funders, each with its awards.
func (w *work) funding() []state.Grant {
	var out []state.Grant
	for _, f := range w.Funder {
		if len(f.Award) == 0 {
			out = append(out, state.Grant{Funder: string(f.Name)})
		}
		for _, a := range f.Award {
			out = append(out, state.Grant{Funder: string(f.Name), Award: string(a)})
		}
	}
	return wire.Funding(out)
}

var creativeCommons = regexp.MustCompile(`creativecommons\.org/(?:licenses|publicdomain)/([a-z-]+)`)

// field is the plain text of a field from outside, at most most characters.
// Some publishers deposit the word "null" (volume of 10.21326/ksdt.2008..18.018,
// 2026).
func field(s scalar, most int) string {
	if s == "null" {
		return ""
	}
	return text.Truncate(text.OneLine(text.Strip(string(s))), most)
}
