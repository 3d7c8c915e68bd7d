package state

import (
	"sort"
	"unicode/utf8"
)

// DocStatus moves only forward: found < screened < selected < read.
type DocStatus string

const (
	Found    DocStatus = "found"
	Screened DocStatus = "screened"
	Selected DocStatus = "selected"
	Read     DocStatus = "read"
)

var docStatusRank = map[DocStatus]int{"": 0, Found: 1, Screened: 2, Selected: 3, Read: 4}

// Document is one work: the join of the records linked to it, plus what the
// run has decided about it.
type Document struct {
	ID         string               `json:"id"`
	Records    []string             `json:"records,omitempty"` // keys, sorted
	IDs        map[string][]string  `json:"ids,omitempty"`     // scheme → sorted values
	Authors    []Author             `json:"authors,omitempty"`
	Versions   map[string]Version   `json:"versions,omitempty"` // by record key
	Abstract   AbstractRef          `json:"abstract,omitzero"`
	Citations  map[string]int       `json:"citations,omitempty"`  // per source
	Retraction map[string]Retract   `json:"retraction,omitempty"` // per source
	Links      map[string]OALink    `json:"links,omitempty"`      // by URL
	Relevance  map[string]Relevance `json:"relevance,omitempty"`  // by subquestion
	Unscored   map[string]string    `json:"unscored,omitempty"`   // subquestion → why no score came back
	// Depth is 0 for a document that a search found, n for one that n
	// snowball steps lead to; nil before it is known.
	Depth     *int                 `json:"depth,omitempty"`
	Status    DocStatus            `json:"status,omitempty"`
	ReadFor   map[string]string    `json:"read_for,omitempty"` // subquestion → task that read it
	Exclusion map[string]Exclusion `json:"exclusion,omitempty"`
	Ranked    map[string]string    `json:"ranked,omitempty"` // iteration ("it1") → its rank score and whether it was read, and why
}

// Version is one version of the work, as one record describes it. Year, venue
// and identifiers of a version always come from one record, never blended.
type Version struct {
	Kind   Kind   `json:"kind"`
	Title  string `json:"title"`
	Year   int    `json:"year,omitempty"`
	Venue  string `json:"venue,omitempty"`
	Type   string `json:"type,omitempty"`
	Source string `json:"source"`
	DOI    string `json:"doi,omitempty"`
	ArXiv  string `json:"arxiv,omitempty"`
}

// AbstractRef points at the record with the longest abstract.
type AbstractRef struct {
	Record   string `json:"record,omitempty"`
	Length   int    `json:"length,omitempty"` // in runes
	Synopsis bool   `json:"synopsis,omitempty"`
}

// Relevance of a document to a subquestion.
type Relevance struct {
	Score float64 `json:"score"` // in [0,1]
	Note  string  `json:"note,omitempty"`
	By    string  `json:"by,omitempty"` // builtin, provider:model, or person
}

// Exclusion records why a document was put aside.
type Exclusion struct {
	Reason string `json:"reason"` // closed list, see ExclusionReasons
	Text   string `json:"text,omitempty"`
	By     string `json:"by"` // rule, model, person
}

// Reasons for exclusion.
const (
	ExcludeOffTopic  = "off_topic"
	ExcludeYear      = "outside_years"
	ExcludeLanguage  = "language"
	ExcludeType      = "publication_type"
	ExcludeRetracted = "retracted"
	ExcludeNoText    = "no_text"
	ExcludePerson    = "person"
)

// DocumentFrom lifts one record to a document without id. The document of a
// work is the join of the lifts of its records.
func DocumentFrom(r Record) Document {
	d := Document{Records: []string{r.Key}, Authors: r.Authors, Status: Found}
	for scheme, v := range r.IDs {
		if v == "" {
			continue
		}
		if d.IDs == nil {
			d.IDs = map[string][]string{}
		}
		d.IDs[scheme] = []string{v}
	}
	d.Versions = map[string]Version{r.Key: {
		Kind: r.Kind, Title: r.Title, Year: r.Year, Venue: r.Venue, Type: r.Type, Source: r.Source,
		DOI: r.IDs[DOI], ArXiv: r.IDs[ArXiv],
	}}
	if r.Abstract != "" {
		d.Abstract = AbstractRef{Record: r.Key, Length: utf8.RuneCountInString(r.Abstract), Synopsis: r.Synopsis}
	}
	if r.Citations != nil {
		d.Citations = map[string]int{r.Source: *r.Citations}
	}
	if r.Retraction != nil {
		d.Retraction = map[string]Retract{r.Source: *r.Retraction}
	}
	for _, l := range r.Links {
		if d.Links == nil {
			d.Links = map[string]OALink{}
		}
		d.Links[l.URL] = l
	}
	return d
}

// JoinDocuments merges two descriptions of one document, field by field.
func JoinDocuments(a, b Document) Document {
	d := a
	d.ID = max(a.ID, b.ID)
	d.Records = Union(a.Records, b.Records)
	d.IDs = joinCopies(a.IDs, b.IDs, Union)
	d.Authors = joinAuthors(a.Authors, b.Authors)
	d.Versions = joinCopies(a.Versions, b.Versions, joinBytes[Version])
	d.Abstract = joinAbstract(a.Abstract, b.Abstract)
	d.Citations = joinCopies(a.Citations, b.Citations, maxInt)
	d.Retraction = joinCopies(a.Retraction, b.Retraction, joinRetract)
	d.Links = joinCopies(a.Links, b.Links, joinBytes[OALink])
	d.Relevance = joinCopies(a.Relevance, b.Relevance, joinRelevance)
	d.Unscored = joinCopies(a.Unscored, b.Unscored, func(x, y string) string { return max(x, y) })
	d.Depth = joinPointers(a.Depth, b.Depth, func(x, y int) int { return min(x, y) })
	if docStatusRank[b.Status] > docStatusRank[a.Status] {
		d.Status = b.Status
	}
	d.ReadFor = joinCopies(a.ReadFor, b.ReadFor, func(x, y string) string { return min(x, y) })
	d.Exclusion = joinCopies(a.Exclusion, b.Exclusion, joinBytes[Exclusion])
	d.Ranked = joinCopies(a.Ranked, b.Ranked, func(x, y string) string { return max(x, y) })
	return d
}

// joinCopies joins two maps into a new one, so that documents may share maps
// without one merge changing another document's.
func joinCopies[T any](a, b map[string]T, join func(x, y T) T) map[string]T {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b
	}
	m := make(map[string]T, len(a)+len(b))
	for k, v := range a {
		m[k] = v
	}
	return joinMaps(m, b, join)
}

func joinAuthors(a, b []Author) []Author {
	if len(a) != len(b) {
		if len(a) > len(b) {
			return a
		}
		return b
	}
	return joinBytes(a, b)
}

func joinAbstract(a, b AbstractRef) AbstractRef {
	if a.Length != b.Length {
		if a.Length > b.Length {
			return a
		}
		return b
	}
	return joinBytes(a, b)
}

// joinRelevance keeps the higher score; what a person said stands above what
// anybody else did.
func joinRelevance(a, b Relevance) Relevance {
	if pa, pb := a.By == string(FromPerson), b.By == string(FromPerson); pa != pb {
		if pa {
			return a
		}
		return b
	}
	if a.Score != b.Score {
		if a.Score > b.Score {
			return a
		}
		return b
	}
	return joinBytes(a, b)
}

var retractRank = map[string]int{RetractNone: 1, RetractCorrected: 2, RetractConcern: 3, RetractRetracted: 4}

func joinRetract(a, b Retract) Retract {
	if ra, rb := retractRank[a.Status], retractRank[b.Status]; ra != rb {
		if ra > rb {
			return a
		}
		return b
	}
	return joinBytes(a, b)
}

var kindRank = map[Kind]int{Other: 1, Preprint: 2, Published: 3}

// Best returns the version to cite: published before preprint, then the one
// with most facts, ties by record key. The zero Version if there is none.
func (d Document) Best() Version {
	keys := Keys(d.Versions)
	sort.SliceStable(keys, func(i, j int) bool {
		a, b := d.Versions[keys[i]], d.Versions[keys[j]]
		if kindRank[a.Kind] != kindRank[b.Kind] {
			return kindRank[a.Kind] > kindRank[b.Kind]
		}
		return a.facts() > b.facts()
	})
	if len(keys) == 0 {
		return Version{}
	}
	return d.Versions[keys[0]]
}

func (v Version) facts() int {
	n := 0
	for _, known := range []bool{v.Year != 0, v.Venue != "", v.DOI != "", v.Title != "", v.Type != ""} {
		if known {
			n++
		}
	}
	return n
}

// Title of the version to cite.
func (d Document) Title() string { return d.Best().Title }

// Year of the version to cite, or of any version when that one has none; 0 =
// unknown.
func (d Document) Year() int {
	if y := d.Best().Year; y != 0 {
		return y
	}
	year := 0
	for _, v := range d.Versions {
		if v.Year != 0 && (year == 0 || v.Year < year) {
			year = v.Year
		}
	}
	return year
}

// FirstYear is the earliest year of any version; 0 = unknown.
func (d Document) FirstYear() int {
	year := 0
	for _, v := range d.Versions {
		if v.Year != 0 && (year == 0 || v.Year < year) {
			year = v.Year
		}
	}
	return year
}

// Kind is published if any version is, else preprint if any is, else other.
func (d Document) Kind() Kind { return d.Best().Kind }

// CitationCount is the highest count that a source reports; ok is false when
// none reports one.
func (d Document) CitationCount() (n int, ok bool) {
	for _, c := range d.Citations {
		n, ok = max(n, c), true
	}
	return n, ok
}

// Retracted is the gravest status any source reports and the notice; "" when
// no source says anything.
func (d Document) Retracted() Retract {
	var worst Retract
	for _, k := range Keys(d.Retraction) {
		worst = joinRetract(worst, d.Retraction[k])
	}
	return worst
}

// ID1 returns the first identifier of a scheme, "" if there is none.
func (d Document) ID1(scheme string) string {
	if v := d.IDs[scheme]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// MaxRelevance is the highest relevance over the given subquestions; ok is
// false when none has been scored.
func (d Document) MaxRelevance(subquestions []string) (score float64, ok bool) {
	for _, q := range subquestions {
		if r, found := d.Relevance[q]; found {
			score, ok = max(score, r.Score), true
		}
	}
	return score, ok
}
