package canon

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// profile is a record prepared for comparing.
type profile struct {
	rec    *state.Record
	titles []title // the title, then the alternative title and parallel titles
	place
	authors   []name
	venue     *venue
	stem      string // DOI without version
	print     print  // of all that is compared
	typed     notice // told by the publication type
	preprint  bool   // preprint or self-archived copy
	cochrane  bool
	thesis    bool
	recurring bool   // a short title that the corpus holds several times, as columns have
	catalogue string // the bibliography that lists each publication once, "" for other sources
}

// print is equal for two records that no rule can tell apart.
type print [16]byte

// builder makes profiles; it remembers venues, so use one for many records.
type builder struct {
	venues venues
	parts  map[string]string // parts of names, which repeat
	buf    []byte
}

func newBuilder() *builder { return &builder{venues: venues{}, parts: map[string]string{}} }

// mostParts bounds the parts of names that are remembered.
const mostParts = 1 << 16

// shared gives the copy of s that earlier names hold.
func (b *builder) shared(s string) string {
	if t, ok := b.parts[s]; ok {
		return t
	}
	if len(b.parts) < mostParts {
		b.parts[s] = s
	}
	return s
}

// names reads the authors of a record.
func (b *builder) names(r *state.Record) []name {
	names := parseNames(r.Authors)
	for i := range names {
		n := &names[i]
		n.family, n.initials = b.shared(n.family), b.shared(n.initials)
		if n.given == n.initials {
			n.given = n.initials
		} else {
			n.given = b.shared(n.given)
		}
	}
	return names
}

func newProfile(r state.Record) *profile {
	p := newBuilder().profile(&r)
	return &p
}

func (b *builder) profile(r *state.Record) profile {
	p := profile{rec: r, authors: b.names(r), place: newPlace(r)}
	p.titles = append(make([]title, 0, 1), newTitle(r.Title))
	if r.AltTitle != "" && r.AltTitle != r.Title {
		p.addTitle(r.AltTitle, false)
	}
	for _, t := range parallel(r.Title) {
		p.addTitle(t, true)
	}
	p.venue = b.venues.of(r)
	doi := r.IDs[state.DOI]
	p.stem = doiStem(doi)
	p.preprint = r.Kind == state.Preprint || doi != "" && repositoryDOI(doi) || doi == "" && r.Kind != state.Published && r.IDs[state.ArXiv] != ""
	p.typed = noticeOfType(r.Type)
	p.cochrane = p.venue.cochrane || doi != "" && cochraneDOI.MatchString(doi)
	p.thesis = p.isThesis()
	p.catalogue = catalogueOf(r, p.preprint)
	b.fingerprint(&p)
	return p
}

func (p *profile) addTitle(raw string, part bool) {
	t := newTitle(raw)
	if t.part = part; t.key != "" && t.key != p.titles[0].key {
		p.titles = append(p.titles, t)
	}
}

// fingerprint hashes all that is compared.
func (b *builder) fingerprint(p *profile) {
	buf := b.buf[:0]
	add := func(s string) { buf = append(append(buf, s...), 0) }
	for i := range p.titles {
		add(p.titles[i].raw)
	}
	for i := range p.authors {
		n := &p.authors[i]
		add(n.family)
		add(n.initials)
		add(n.given)
	}
	buf = strconv.AppendInt(append(buf, 1), int64(p.rec.Year), 10)
	add(p.rec.Venue)
	add(p.rec.Volume)
	add(p.rec.Issue)
	add(p.rec.Pages)
	add(string(p.rec.Kind))
	add(p.rec.Type)
	add(p.catalogue)
	for _, scheme := range identifierRules {
		add(p.rec.IDs[scheme])
	}
	h := sha256.Sum256(buf)
	copy(p.print[:], h[:])
	b.buf = buf
}

// Fingerprint identifies what a record says, whatever its key: title, authors,
// year, venue, place in print and identifiers. A file that is imported again
// gives the same fingerprints, so a decision of a person finds its records. It
// is 32 hexadecimal digits.
func Fingerprint(r state.Record) string {
	p := newProfile(r)
	return hex.EncodeToString(p.print[:])
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
	return p.venue.key == "" && p.volume == "" && p.page == "" && p.issue == "" && !deposits[strings.ToLower(capped(p.rec.Type, longestName))]
}

// printed reports whether the record names a place in print.
func (p *profile) printed() bool { return p.volume != "" || p.page != "" }

// deposits are types of what accompanies a work or is none.
var deposits = setOf("dataset component stub graphic standard software image other report peer-review peer_review entry chapter book")

// isThesis reports whether the record is a thesis or its entry in Dissertation
// Abstracts, told by venue, type, a degree in the place of the volume, or pages
// that are a count in a record without a venue.
func (p *profile) isThesis() bool {
	if p.venue.theses || p.extent && p.venue.key == "" {
		return true
	}
	if t := strings.ToLower(capped(p.rec.Type, longestName)); strings.Contains(t, "thesis") || strings.Contains(t, "dissertation") {
		return true
	}
	return p.rec.Volume != "" && degrees[compact(titleKey(capped(p.rec.Volume, longestName)))]
}

var degrees = setOf("phd dphil edd psyd dr ma msc ms md thesis dissertation")

// catalogues are bibliographies that list each publication once, so that two of
// their records are two works. Other sources, Crossref and PubMed among them,
// are known to hold some works twice.
var catalogues = setOf("dblp acm")

// catalogueOf names the catalogue that a record comes from. Preprints are out
// of it: DBLP lists the preprint beside the publication.
func catalogueOf(r *state.Record, preprint bool) string {
	src := r.Source
	if !catalogues[src] {
		src, _, _ = strings.Cut(r.Key, ":")
	}
	if preprint || !catalogues[src] || strings.HasPrefix(r.IDs[state.DBLP], "journals/corr/") {
		return ""
	}
	return src
}

// label is the title of a profile for people.
func (p *profile) label() string {
	return text.Truncate(text.OneLine(capped(p.rec.Title, longestTitle)), 120)
}
