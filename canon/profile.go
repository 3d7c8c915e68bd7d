package canon

import (
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// profile is a record prepared for comparing.
type profile struct {
	rec       state.Record
	titles    []title // the title, then the alternative title if there is one
	authors   []name
	venue     venue
	volume    string
	issue     string
	page      string
	stem      string // DOI without version
	preprint  bool   // preprint or self-archived copy
	typed     notice // told by the publication type
	cochrane  bool
	recurring bool   // a short title that the corpus holds several times, as columns have
	print     string // all that Compare looks at, for ordering
}

func newProfile(r state.Record) *profile {
	p := &profile{rec: r, authors: parseNames(r.Authors), volume: volumeKey(r.Volume), issue: volumeKey(r.Issue), page: startPage(r.Pages)}
	if p.page == "" && len(p.issue) > 2 {
		// Embase exports the article number as the issue: "10 (11) (no pagination)", "(e0143396)".
		p.page, p.issue = startPage(strings.Trim(r.Issue, "() ")), ""
	}
	p.titles = append(p.titles, newTitle(r.Title))
	if r.AltTitle != "" && r.AltTitle != r.Title {
		if alt := newTitle(r.AltTitle); alt.key != "" && alt.key != p.titles[0].key {
			p.titles = append(p.titles, alt)
		}
	}
	p.venue = newVenue(r.Venue, r.Type, r.IDs)
	doi := r.IDs[state.DOI]
	p.stem = doiStem(doi)
	p.preprint = r.Kind == state.Preprint || repositoryDOI(doi) || r.Kind != state.Published && r.IDs[state.ArXiv] != "" && doi == ""
	p.typed = noticeOfType(r.Type)
	p.cochrane = cochraneDOI.MatchString(doi) || strings.Contains(p.venue.key, "cochrane database")
	p.print = p.fingerprint()
	return p
}

// fingerprint is equal for two records that Compare can't tell apart.
func (p *profile) fingerprint() string {
	var b strings.Builder
	for _, t := range p.titles {
		b.WriteString(t.key + "\x00" + t.clean + "\x00")
	}
	for _, n := range p.authors {
		b.WriteString(n.family + "\x01" + n.initials + "\x01" + n.given + "\x02")
	}
	b.WriteString(strconv.Itoa(p.rec.Year) + "\x00" + p.venue.key + "\x00" + p.volume + "\x00" + p.issue + "\x00" + p.page + "\x00" + string(p.rec.Kind) + "\x00" + p.rec.Type)
	for _, scheme := range identifierRules {
		b.WriteString("\x00" + p.rec.IDs[scheme])
	}
	return b.String()
}

// first is the surname of the first author, "" if unknown.
func (p *profile) first() string {
	if len(p.authors) == 0 {
		return ""
	}
	return p.authors[0].family
}

// bare reports whether the record is a deposit of text that says nothing about
// where it was printed, as institutional repositories register them.
func (p *profile) bare() bool {
	return p.venue.key == "" && p.volume == "" && p.page == "" && p.issue == "" && !deposits[strings.ToLower(p.rec.Type)]
}

// printed reports whether the record names a place in print.
func (p *profile) printed() bool { return p.volume != "" || p.page != "" }

// deposits are types of what accompanies a work or is none.
var deposits = setOf("dataset component stub graphic standard software image other report peer-review peer_review entry chapter book")

// facts compares what two records say about the publication.
type facts struct {
	doi, pmid, arxiv, dblp tri
	venue, volume, issue   tri
	page                   tri
	years                  int // difference; only if yearKnown
	yearKnown              bool
	version                bool // one is a preprint, the other is not
	preprints              bool // both are
	located                bool // the same place in print
	classes                bool // one conference, one journal
	meetings               bool // both conference
	issues                 bool // both issues are numbers of at most two digits, not article numbers
	copied                 bool // one is a bare record of a deposit, the other tells where it was printed
	samePrefix             bool // of the DOIs
	sameRepository         bool // that gives each version a DOI
	cochrane               bool // both
}

func compareFacts(p, q *profile) facts {
	a, b := p.rec.IDs, q.rec.IDs
	f := facts{
		doi: sameText(p.stem, q.stem), pmid: sameText(a[state.PMID], b[state.PMID]), arxiv: sameText(a[state.ArXiv], b[state.ArXiv]),
		dblp:  sameText(a[state.DBLP], b[state.DBLP]),
		venue: p.venue.same(q.venue), volume: sameText(p.volume, q.volume), issue: sameText(p.issue, q.issue), page: sameText(p.page, q.page),
		version: p.preprint != q.preprint, preprints: p.preprint && q.preprint,
		cochrane: p.cochrane && q.cochrane,
	}
	if f.dblp == differ && (strings.HasPrefix(a[state.DBLP], "journals/corr/") || strings.HasPrefix(b[state.DBLP], "journals/corr/")) {
		f.dblp = unknown
	}
	if p.rec.Year != 0 && q.rec.Year != 0 {
		f.yearKnown, f.years = true, max(p.rec.Year-q.rec.Year, q.rec.Year-p.rec.Year)
	}
	f.classes = p.venue.class != "" && q.venue.class != "" && p.venue.class != q.venue.class
	f.samePrefix = prefixOf(p.stem) == prefixOf(q.stem)
	f.sameRepository = f.preprints && versioned[prefixOf(p.stem)] && f.samePrefix
	f.issues = len(p.issue) <= 2 && len(q.issue) <= 2
	f.meetings = p.venue.class == conference && q.venue.class == conference
	f.located = f.page == agree && (f.volume == agree || f.venue == agree && f.near() && p.page != "1" ||
		f.yearKnown && f.years == 0 && f.volume != differ && f.venue != differ && len(p.page) > 1)
	f.copied = p.bare() && q.printed() || q.bare() && p.printed()
	return f
}

// near reports whether the years are known and at most one apart.
func (f facts) near() bool { return f.yearKnown && f.years <= 1 }

// far reports whether the years speak against one work. A preprint may come out
// years before its publication.
func (f facts) far() bool {
	if !f.yearKnown {
		return false
	}
	if f.version || f.preprints {
		return f.years > 6
	}
	return f.years > 1
}

// conflict names the contradiction between the publication facts of two records
// whose titles agree, "" if there is none.
func (f facts) conflict() string {
	switch {
	case f.cochrane && (f.doi == differ || f.yearKnown && f.years > 0):
		return "cochrane_update"
	case f.doi == agree:
		return ""
	case f.arxiv == differ && (f.version || f.preprints):
		return "arxiv"
	case f.version:
		return ""
	case f.preprints:
		if f.doi == differ && !f.sameRepository && f.samePrefix {
			return "doi"
		}
		return ""
	case f.pmid == differ && !f.located:
		return "pmid"
	case f.classes && !f.located && f.pmid != agree:
		return "conference_journal"
	case f.dblp == differ:
		return "dblp"
	case f.doi == differ && (!f.located || f.volume == differ || f.issue == differ) && !f.copied:
		return "doi"
	case f.pmid == agree || f.located:
		return ""
	case f.far(), f.meetings && f.yearKnown && f.years > 0 && f.venue != agree:
		return "year"
	case f.venue == differ && (f.page == differ || f.volume == differ || !f.near() || f.years > 0),
		f.page == differ && (f.volume == differ || f.issue == differ),
		f.venue != agree && f.page == differ && f.volume != agree,
		f.volume == differ && f.page == unknown && f.years > 0,
		f.issue == differ && f.page == unknown && f.volume == agree && f.issues:
		return "publication"
	}
	return ""
}

// title of a profile for people.
func (p *profile) label() string { return text.Truncate(text.OneLine(p.rec.Title), 120) }
