package semanticscholar

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"optimistresearch/internal/text"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// Caps in characters on text from outside.
const (
	longTitle    = 1_000
	longAbstract = 20_000
	longField    = 500
)

func decode(raw rawRecord) (p *paper, note string, err error) {
	p = &paper{}
	note, err = wire.Lenient(raw, p)
	return p, note, err
}

// name is the best short name of a paper, for skips and errors.
func (p *paper) name() string {
	return cmp.Or(state.NormalizeDOI(string(p.ExternalIDs.DOI)), string(p.PaperID), string(p.Title), "an entry without id")
}

// record turns the wire form into a record, or says why it is none.
func (p *paper) record() (r state.Record, why string) {
	title := field(p.Title, longTitle)
	if title == "" {
		return r, "no title"
	}
	r = state.Record{
		Source: Name,
		IDs:    p.ids(),
		Title:  title,
		Venue:  field(cmp.Or(p.PublicationVenue.Name, p.Venue, p.Journal.Name), longField),
		Type:   p.typeWords(),
		Pages:  pages(field(p.Journal.Pages, longField)),

		AuthorsCut: len(p.Authors) >= mostAuthors,
		ISSN:       wire.ISSNs(append([]scalar{p.PublicationVenue.ISSN}, p.PublicationVenue.Others...)),
		Subjects:   p.subjects(),
	}
	for _, a := range p.Authors {
		if name := field(a.Name, longField); name != "" {
			r.Authors = append(r.Authors, state.Author{Name: name})
		}
	}
	r.Year, r.Date, r.Notes = p.dates()
	if v := field(p.Journal.Volume, longField); !strings.HasPrefix(v, "abs/") {
		r.Volume = v
	}
	if n, ok := p.CitationCount.Int(); ok && n >= 0 {
		r.Citations = &n
	}
	r.Abstract, r.Synopsis = state.CutSynopsis(field(p.Abstract, longAbstract))
	if r.Abstract == "" && strings.Contains(string(p.OpenAccess.Disclaimer), "elided by the publisher: {'abstract'") {
		r.Notes = append(r.Notes, "the publisher withholds the abstract from Semantic Scholar")
	}
	r.Kind = p.kind(r.IDs, r.Venue)
	if r.Kind == state.Published && r.IDs[state.ArXiv] != "" {
		// ARXIV:2406.14302 has ICLR as its venue and the date of the preprint (2026).
		r.Notes = append(r.Notes, "one record for preprint and publication: year and date may be the preprint's")
	}
	id := state.NormalizeS2(string(p.PaperID))
	if id == "" {
		r.Notes = append(r.Notes, "not matched to a paper: this is all that the citation says")
	} else {
		r.URL = "https://www.semanticscholar.org/paper/" + id
	}
	if address := wire.WebAddress(string(p.OpenAccess.URL)); address != "" && p.OpenAccess.Status != "CLOSED" {
		kind := "pdf"
		if strings.Contains(address, "//doi.org/") {
			kind = "landing"
		}
		r.Links = []state.OALink{{URL: address, Kind: kind, License: licence(string(p.OpenAccess.License)), Source: status(p.OpenAccess.Status)}}
	}
	for _, mark := range []string{"RETRACTED:", "RETRACTED ARTICLE:", "WITHDRAWN:"} {
		if strings.HasPrefix(title, mark) {
			r.Retraction = &state.Retract{Status: state.RetractRetracted}
		}
	}
	r.Key = state.RecordKey(Name, id, r)
	return r, ""
}

func (p *paper) ids() state.IDs {
	ids := state.IDs{}
	ids.SetDOI(string(p.ExternalIDs.DOI))
	arxiv, _ := state.NormalizeArXiv(string(p.ExternalIDs.ArXiv))
	for scheme, id := range map[string]string{
		state.S2:       state.NormalizeS2(string(p.PaperID)),
		state.ArXiv:    arxiv,
		state.PMID:     state.NormalizePMID(string(p.ExternalIDs.PubMed)),
		state.PMCID:    state.NormalizePMCID(string(p.ExternalIDs.PMC)),
		state.CorpusID: digits(p.ExternalIDs.CorpusID),
		state.MAG:      digits(p.ExternalIDs.MAG),
		state.DBLP:     field(p.ExternalIDs.DBLP, 200),
		state.ACL:      acl(p.ExternalIDs.ACL),
	} {
		if id != "" {
			ids[scheme] = id
		}
	}
	return ids
}

func digits(s scalar) string {
	if len(s) > 15 || strings.Trim(string(s), "0123456789") != "" {
		return ""
	}
	return string(s)
}

var aclShape = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{2,60}$`)

func acl(s scalar) string {
	if id := strings.TrimSpace(string(s)); aclShape.MatchString(id) {
		return id
	}
	return ""
}

// typeWords are the publication types, as the source names them.
func (p *paper) typeWords() string {
	var words []string
	for _, t := range p.Types {
		if w := strings.ToLower(field(t, 50)); w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, ", ")
}

// dates gives year and date; a date of another year is left out.
func (p *paper) dates() (year int, date string, notes []string) {
	year, _ = p.Year.Int()
	if year < 1000 || year > 9999 {
		year = 0
	}
	date = string(p.Date)
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
	if date == "" && year > 0 {
		date = fmt.Sprintf("%04d", year)
	}
	return year, date, notes
}

// pages folds "525 - 535" to "525-535" and "145 - 145" to "145".
func pages(s string) string {
	from, to, ok := strings.Cut(strings.ReplaceAll(s, " ", ""), "-")
	switch {
	case !ok || to == "" || strings.Contains(to, "-"):
		return s
	case from == to:
		return from
	}
	return from + "-" + to
}

// servers are words in the names of preprint servers, prefixes begin the DOIs
// of those that have a registrant of their own.
var (
	servers  = []string{"rxiv", "ssrn", "research square", "preprints.org", "repec", "authorea"}
	prefixes = []string{"10.2139/ssrn.", "10.21203/rs.", "10.26434/chemrxiv", "10.31234/osf.io", "10.31235/osf.io", "10.20944/preprints", "10.36227/techrxiv", "10.22541/au."}
)

func (p *paper) kind(ids state.IDs, venue string) state.Kind {
	is := func(kinds ...scalar) bool {
		return slices.ContainsFunc(p.Types, func(t scalar) bool { return slices.Contains(kinds, t) })
	}
	lower, doi := strings.ToLower(venue), ids[state.DOI]
	server := slices.ContainsFunc(servers, func(s string) bool { return strings.Contains(lower, s) })
	posted := slices.ContainsFunc(prefixes, func(s string) bool { return strings.HasPrefix(doi, s) })
	switch {
	case server || posted || ids[state.ArXiv] != "" && venue == "" && doi == "":
		return state.Preprint
	case is("Book", "BookSection", "Dataset", "News") && !is("JournalArticle", "Conference"):
		return state.Other
	case venue != "" || doi != "" && (ids[state.ArXiv] != "" || is("JournalArticle", "Conference", "Review")):
		return state.Published // an arXiv paper with another DOI as well has appeared elsewhere
	case ids[state.ArXiv] != "":
		return state.Preprint
	}
	return state.Other
}

// licence writes "CCBYNC" as "cc-by-nc".
func licence(s string) string {
	s = strings.ToLower(field(scalar(s), 100))
	rest, ok := strings.CutPrefix(s, "cc")
	if !ok || strings.ContainsAny(s, "- 0") {
		return s
	}
	out := "cc"
	for rest != "" {
		n := min(2, len(rest))
		out, rest = out+"-"+rest[:n], rest[n:]
	}
	return out
}

// status says how open a copy is, in the words of the service.
func status(s scalar) string {
	if s == "" {
		return ""
	}
	return strings.ToLower(field(s, 50)) + " open access"
}

// subjects are the fields of study, those that the service assigns last.
func (p *paper) subjects() []string {
	all := p.Fields
	for _, f := range p.S2Fields {
		all = append(all, f.Category)
	}
	return wire.Distinct(all, longField)
}

// field is the plain text of a field from outside, at most most characters.
func field(s scalar, most int) string {
	return text.Truncate(text.OneLine(text.Strip(string(s))), most)
}
