package state

import (
	"crypto/sha256"
	"encoding/hex"
)

// Identifier schemes, the keys of IDs. Values are normalised (see ids.go).
const (
	DOI      = "doi"
	ArXiv    = "arxiv" // without version
	PMID     = "pmid"
	PMCID    = "pmcid" // with the PMC prefix
	OpenAlex = "openalex"
	S2       = "s2" // Semantic Scholar paperId
	CorpusID = "corpusid"
	DBLP     = "dblp"
	ACL      = "acl"
	MAG      = "mag"
)

// IDs holds one normalised identifier per scheme.
type IDs map[string]string

// Kind of a version of a work.
type Kind string

const (
	Published Kind = "published" // peer-reviewed venue
	Preprint  Kind = "preprint"
	Other     Kind = "other" // book, thesis, report, dataset, unknown
)

// Author of a record, as the source names them.
type Author struct {
	Name       string `json:"name"` // display form, "Given Family" or the name of a group
	Family     string `json:"family,omitempty"`
	Given      string `json:"given,omitempty"`
	ORCID      string `json:"orcid,omitempty"`
	Collective bool   `json:"collective,omitempty"`
}

// Record is one work as one source describes it. Text fields are plain text:
// adapters have removed markup. Absent facts are empty or nil, never guessed.
type Record struct {
	Key        string    `json:"key"` // source ":" native id, see RecordKey
	Source     string    `json:"source"`
	IDs        IDs       `json:"ids,omitempty"`
	Title      string    `json:"title"`
	AltTitle   string    `json:"alt_title,omitempty"` // original-language or translated title
	Authors    []Author  `json:"authors,omitempty"`
	AuthorsCut bool      `json:"authors_cut,omitempty"` // the source's list is known to be incomplete
	Year       int       `json:"year,omitempty"`
	Date       string    `json:"date,omitempty"` // YYYY[-MM[-DD]], only as precise as the source
	Venue      string    `json:"venue,omitempty"`
	Type       string    `json:"type,omitempty"` // the source's word, lower case
	Kind       Kind      `json:"kind"`
	Version    string    `json:"version,omitempty"` // "v2" of an arXiv record
	Language   string    `json:"language,omitempty"`
	Abstract   string    `json:"abstract,omitempty"`
	Synopsis   bool      `json:"synopsis,omitempty"` // Abstract is a synopsis of the demonstration library
	Citations  *int      `json:"citations,omitempty"`
	Volume     string    `json:"volume,omitempty"`
	Issue      string    `json:"issue,omitempty"`
	Pages      string    `json:"pages,omitempty"`
	Publisher  string    `json:"publisher,omitempty"`
	ISSN       []string  `json:"issn,omitempty"` // of the venue, NNNN-NNNX
	ISBN       []string  `json:"isbn,omitempty"`
	Keywords   []string  `json:"keywords,omitempty"` // the authors' or the source's free words
	Subjects   []string  `json:"subjects,omitempty"` // controlled terms, MeSH as "Descriptor" or "Descriptor/qualifier", major ones with a leading *
	Funding    []Grant   `json:"funding,omitempty"`
	URL        string    `json:"url,omitempty"`
	Links      []OALink  `json:"links,omitempty"`
	Retraction *Retract  `json:"retraction,omitempty"` // nil: the source does not say
	Notes      []string  `json:"notes,omitempty"`      // quirks met while decoding
	Related    []Related `json:"related,omitempty"`
	// Seen holds every time the record came back, keyed by Provenance.Key.
	Seen map[string]Provenance `json:"seen,omitempty"`
}

// Grant is a funder of a work and the number of the award, either of which may
// be absent.
type Grant struct {
	Funder string `json:"funder,omitempty"`
	Award  string `json:"award,omitempty"`
}

// OALink is a place where an open copy may be.
type OALink struct {
	URL     string `json:"url"`
	Kind    string `json:"kind"` // pdf, html, xml or landing
	License string `json:"license,omitempty"`
	Source  string `json:"source,omitempty"`
}

// Retract is what a source says about the retraction of a work. Status is
// none, corrected, concern or retracted; a nil *Retract means unknown.
type Retract struct {
	Status string `json:"status"`
	Notice string `json:"notice,omitempty"` // DOI or PMID of the notice
}

// Values of Retract.Status, in ascending order of weight.
const (
	RetractNone      = "none"
	RetractCorrected = "corrected"
	RetractConcern   = "concern"
	RetractRetracted = "retracted"
)

// Related is a typed link that a source states between works.
type Related struct {
	Type string `json:"type"` // is-preprint-of, has-preprint, is-version-of, erratum-of, comment-on, …
	ID   string `json:"id"`   // "doi:…" or "pmid:…"
}

// Provenance is one time a record came back.
type Provenance struct {
	Source      string `json:"source"`
	Via         string `json:"via"` // search, snowball, import
	Subquestion string `json:"subquestion,omitempty"`
	Intent      string `json:"intent,omitempty"`
	Query       string `json:"query,omitempty"`
	Rank        int    `json:"rank,omitempty"` // 1 = first
	Seed        string `json:"seed,omitempty"` // document id
	Direction   string `json:"direction,omitempty"`
	Round       int    `json:"round"`         // of search or snowballing, see Round
	Raw         string `json:"raw,omitempty"` // sha256 of the raw response
}

// Key identifies the occasion.
func (p Provenance) Key() string {
	if p.Via == ViaSnowball {
		return p.Source + "|" + p.Seed + "|" + p.Direction
	}
	return p.Source + "|" + p.Query
}

// Values of Provenance.Via.
const (
	ViaSearch   = "search"
	ViaSnowball = "snowball"
	ViaImport   = "import"
)

// RecordKey builds the key of a record: the source and its native id or, when
// the source gives none, a hash of title, first author and year.
func RecordKey(source, native string, r Record) string {
	if native != "" {
		return source + ":" + native
	}
	first := ""
	if len(r.Authors) > 0 {
		first = r.Authors[0].Name
	}
	h := sha256.Sum256(canonical([]any{r.Title, first, r.Year, r.Venue, r.Pages}))
	return source + ":#" + hex.EncodeToString(h[:8])
}

// joinRecord keeps the fuller description and unites the sightings.
func joinRecord(a, b Record) Record {
	seen := make(map[string]Provenance, len(a.Seen)+len(b.Seen))
	seen = joinMaps(seen, a.Seen, joinBytes[Provenance])
	seen = joinMaps(seen, b.Seen, joinBytes[Provenance])
	a.Seen, b.Seen = nil, nil
	r := joinBytes(a, b)
	if len(seen) > 0 {
		r.Seen = seen
	}
	return r
}

// Link says which document a record belongs to, by which rule and on what
// grounds. The record itself stays, so a link can be undone.
type Link struct {
	Revision int    `json:"revision"`
	Record   string `json:"record"`
	Document string `json:"document"`
	Rule     string `json:"rule"`              // first, doi, arxiv, …, title_author, similarity, person
	With     string `json:"with,omitempty"`    // the record it matched
	Compare  string `json:"compare,omitempty"` // the values compared
	Round    int    `json:"round"`
}

func (l Link) revision() int { return l.Revision }

// Pair is a pair of records that a rule could not decide, or that a veto kept
// apart although an identifier agreed.
type Pair struct {
	Revision int     `json:"revision"`
	A        string  `json:"a"`
	B        string  `json:"b"`
	Why      string  `json:"why"` // uncertain, container_doi, numeral_veto, …
	Detail   string  `json:"detail,omitempty"`
	Score    float64 `json:"score,omitempty"`
	Decision string  `json:"decision,omitempty"` // "", same, different (a person's)
}

func (p Pair) revision() int { return p.Revision }
