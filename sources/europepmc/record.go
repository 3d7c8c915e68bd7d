package europepmc

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// Caps in characters, and in numbers, on text from outside.
const (
	longTitle    = 1_000
	longAbstract = 20_000
	longField    = 500
	mostLinks    = 20
	mostTerms    = 200
)

func decode(raw rawRecord) (w *work, note string, err error) {
	w = &work{}
	note, err = wire.Lenient(raw, w)
	return w, note, err
}

// name is the best short name of a work, for skips.
func (w *work) name() string {
	return cmp.Or(strings.Trim(string(w.Source+"/"+w.ID), "/"), string(w.DOI), string(w.Title), "an entry without id")
}

// record turns the wire form into a record, or says why it is none. note is
// what was odd about the wire form.
func (w *work) record(note string) (r state.Record, why string) {
	r = state.Record{
		Source: Name, IDs: state.IDs{},
		Authors:   w.authors(),
		Venue:     field(cmp.Or(w.Journal.Journal.Title, w.JournalTitle, w.Journal.Journal.Medline, w.Book.Title, w.server()), longField),
		Volume:    field(cmp.Or(w.Journal.Volume, w.JournalVolume), longField),
		Issue:     field(cmp.Or(w.Journal.Issue, w.Issue), longField),
		Pages:     field(w.Pages, longField),
		Publisher: field(w.Book.Publisher, longField),
		Language:  language(w.Language),
		Type:      w.kindWord(),
		Kind:      w.kind(),
		Keywords:  terms(w.Keywords.Keyword),
		Subjects:  w.subjects(),
		ISSN:      issns(string(w.Journal.Journal.ISSN), string(w.Journal.Journal.ESSN), string(w.JournalISSN)),
		ISBN:      isbns(string(w.Book.ISBN13), string(w.Book.ISBN10)),
		Funding:   w.funding(),
		Links:     w.links(),
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	r.AuthorsCut = len(w.Authors.Author) == 0 && etAl.MatchString(string(w.AuthorString))
	translated := false
	if r.Title, translated = title(w.Title); translated {
		r.Notes = append(r.Notes, "the title is a translation")
	}
	if r.Title == "" {
		return r, "no title"
	}
	w.identify(&r)
	w.date(&r)
	r.Abstract, r.Synopsis = abstract(string(w.Abstract))
	if n, ok := w.CitedBy.Int(); ok && n >= 0 {
		r.Citations = &n
	}
	w.correct(&r)
	native := ""
	if w.ID != "" && w.Source != "" {
		native = field(w.Source, 20) + "/" + field(w.ID, 100)
		r.URL = "https://europepmc.org/article/" + url.PathEscape(field(w.Source, 20)) + "/" + url.PathEscape(field(w.ID, 100))
	}
	r.Key = state.RecordKey(Name, native, r)
	return r, ""
}

// identify takes the identifiers. The id of a record is that of its
// collection.
func (w *work) identify(r *state.Record) {
	pmid, pmcid, ppr := string(w.PMID), string(w.PMCID), ""
	switch w.Source {
	case "MED":
		pmid = cmp.Or(pmid, string(w.ID))
	case "PMC":
		pmcid = cmp.Or(pmcid, string(w.ID))
	case "PPR":
		ppr = string(w.ID)
	}
	for scheme, value := range map[string]string{state.PMID: pmid, state.PMCID: pmcid, PPR: ppr} {
		if id := identifier(scheme, value); id != "" {
			r.IDs[scheme] = id
		}
	}
	r.IDs.SetDOI(string(w.DOI))
}

// server is where a preprint was posted.
func (w *work) server() scalar {
	if w.Source == "PPR" {
		return w.Book.Publisher
	}
	return ""
}

var dayShape = regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`)

// date sets the year that the service counts a work to, and a date of that
// year: of the electronic publication, or the month of the issue. The first
// publication of a preprint is its posting; that of a printed article is made
// up from its issue.
func (w *work) date(r *state.Record) {
	for _, s := range []scalar{w.Year, w.Journal.Year, w.Book.Year, w.First[:min(4, len(w.First))]} {
		if n, ok := s.Int(); ok && n >= 1000 && n <= 9999 {
			r.Year, r.Date = n, fmt.Sprintf("%04d", n)
			break
		}
	}
	if r.Year == 0 {
		return
	}
	days := []scalar{w.Electronic}
	if w.Source == "PPR" || w.Year == "" {
		days = append(days, w.First)
	}
	for _, d := range days {
		if dayShape.MatchString(string(d)) && strings.HasPrefix(string(d), r.Date[:4]) {
			r.Date = string(d)
			return
		}
	}
	year, _ := w.Journal.Year.Int()
	if month, ok := w.Journal.Month.Int(); ok && year == r.Year && month >= 1 && month <= 12 {
		r.Date += fmt.Sprintf("-%02d", month)
	}
}

func (w *work) authors() []state.Author {
	var out []state.Author
	for _, a := range w.Authors.Author {
		given, family := field(a.First, longField), field(a.Last, longField)
		full := strings.Join(strings.Fields(given+" "+family+" "+field(a.Suffix, 20)), " ")
		author := state.Author{Name: cmp.Or(full, field(a.Full, longField)), Family: family, Given: given}
		if author.Name == "" {
			author = state.Author{Name: field(a.Collective, longField), Collective: true}
		}
		if strings.EqualFold(string(cmp.Or(a.ID.Type, a.ID.FormType)), "orcid") {
			author.ORCID = orcid(string(cmp.Or(a.ID.Value, a.ID.Text)))
		}
		if author.Name != "" {
			out = append(out, author)
		}
	}
	if len(out) == 0 {
		return named(w.AuthorString)
	}
	return out
}

var (
	etAl = regexp.MustCompile(`(?i)\bet al\b\.?\s*$`)
	// shortName is "Liu Y" or "van der Berg JT".
	shortName  = regexp.MustCompile(`^(\S.*?) ([\p{Lu}-]{1,4})(?: (Jr|Sr|2nd|3rd|II|III))?$`)
	orcidShape = regexp.MustCompile(`^[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]$`)
)

// named reads the authors of one string, "Liu Y, Gao H, Tian T.".
func named(s scalar) []state.Author {
	all := strings.TrimSuffix(strings.TrimSpace(etAl.ReplaceAllString(field(s, longAbstract), "")), ".")
	var out []state.Author
	for part := range strings.SplitSeq(all, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		author := state.Author{Name: text.Truncate(part, longField)}
		if m := shortName.FindStringSubmatch(part); m != nil {
			author = state.Author{Name: strings.TrimSpace(m[2] + " " + m[1] + " " + m[3]), Family: m[1], Given: m[2]}
		}
		out = append(out, author)
	}
	return out
}

func orcid(s string) string {
	s = strings.ToUpper(s[strings.LastIndex(s, "/")+1:])
	if !orcidShape.MatchString(s) {
		return ""
	}
	return s
}

// links are the open copies: what Europe PMC names as open or free, and the
// full text as XML where it is in the open subset.
func (w *work) links() []state.OALink {
	terms := strings.Join(strings.Fields(strings.ToLower(field(w.License, 100))), "-")
	var out []state.OALink
	add := func(address, kind, site string) {
		known := slices.ContainsFunc(out, func(o state.OALink) bool { return o.URL == address })
		if address != "" && !known && len(out) < mostLinks {
			out = append(out, state.OALink{URL: address, Kind: kind, License: terms, Source: site})
		}
	}
	for _, l := range w.Links.URL {
		kind := map[scalar]string{"html": "html", "pdf": "pdf", "doi": "landing"}[l.Style]
		if kind != "" && (l.Code == "OA" || l.Code == "F") {
			add(webAddress(l.URL), kind, field(l.Site, longField))
		}
	}
	// The open subset only: an article that is merely hosted answers 404
	// (PMC2832744, August 2026).
	if yes(w.OpenAccess) && yes(w.Hosted) {
		for _, id := range append(slices.Clone(w.FullText.ID), w.PMCID) {
			if fullTextID.MatchString(string(id)) {
				add(DefaultBase+"/"+string(id)+"/fullTextXML", "xml", "Europe_PMC")
				break
			}
		}
	}
	return out
}

var fullTextID = regexp.MustCompile(`^(PMC|PPR)[0-9]{1,12}$`)

// webAddress is an http(s) address, "" for anything else.
func webAddress(s scalar) string {
	address := strings.TrimSpace(string(s))
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || len(address) > 2_000 ||
		strings.Contains(address, " ") || text.OneLine(address) != address {
		return ""
	}
	return address
}

// field is the plain text of a field from outside, at most most characters.
func field(s scalar, most int) string {
	return text.Truncate(text.OneLine(text.Strip(string(s))), most)
}
