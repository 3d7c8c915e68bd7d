package crossref

import (
	"encoding/json"
	"strings"

	"optimistresearch/sources/internal/wire"
)

// rawRecord is one entry of an answer, decoded on its own so that a broken one
// does not cost its neighbours.
type rawRecord = json.RawMessage

// listAnswer is the answer of a list call.
type listAnswer struct {
	Message *struct {
		Total scalar       `json:"total-results"`
		Next  scalar       `json:"next-cursor"`
		Items *[]rawRecord `json:"items"`
	} `json:"message"`
}

// list is the part of it that is used.
type list struct {
	Total scalar
	Next  scalar
	Items []rawRecord
}

// recordAnswer is the answer of a call for one work.
type recordAnswer struct {
	Message rawRecord `json:"message"`
}

// work is a record as the publisher deposited it. Everything may be absent.
type work struct {
	DOI            scalar          `json:"DOI"`
	Type           scalar          `json:"type"`
	Subtype        scalar          `json:"subtype"` // of posted-content: preprint, working_paper, dissertation, other, …
	Title          texts           `json:"title"`
	Subtitle       texts           `json:"subtitle"`
	OriginalTitle  texts           `json:"original-title"`
	ContainerTitle texts           `json:"container-title"`
	Author         many[author]    `json:"author"`
	Issued         date            `json:"issued"` // [[y,m,d]], [[y]] or [[null]]
	Published      date            `json:"published"`
	Print          date            `json:"published-print"`
	Online         date            `json:"published-online"`
	Posted         date            `json:"posted"`
	Publisher      scalar          `json:"publisher"`
	Institution    many[named]     `json:"institution"` // of preprints: bioRxiv
	GroupTitle     scalar          `json:"group-title"` // of preprints: SSRN
	Event          *struct{}       `json:"event"`       // a conference
	Volume         scalar          `json:"volume"`
	Issue          scalar          `json:"issue"`
	Page           scalar          `json:"page"`
	ArticleNumber  scalar          `json:"article-number"`
	Language       scalar          `json:"language"`
	Abstract       scalar          `json:"abstract"` // JATS fragment
	CitedBy        scalar          `json:"is-referenced-by-count"`
	ReferenceCount scalar          `json:"reference-count"`
	References     many[rawRecord] `json:"reference"`
	Links          many[link]      `json:"link"`
	Licenses       many[license]   `json:"license"`
	Resource       struct {
		Primary link `json:"primary"`
	} `json:"resource"`
	ISSN      texts        `json:"ISSN"`
	ISBN      texts        `json:"ISBN"`
	Subject   texts        `json:"subject"` // until 2024
	Funder    many[funder] `json:"funder"`
	Relation  relations    `json:"relation"`
	UpdateTo  many[update] `json:"update-to"`  // in a notice
	UpdatedBy many[update] `json:"updated-by"` // in the work that the notice is about
}

type author struct {
	Given  scalar `json:"given"`
	Family scalar `json:"family"`
	Suffix scalar `json:"suffix"`
	Name   scalar `json:"name"` // of an organisation, instead
	ORCID  scalar `json:"ORCID"`
}

type funder struct {
	Name  scalar `json:"name"`
	Award texts  `json:"award"`
}

type named struct {
	Name scalar `json:"name"`
}

type date struct {
	Parts [][]scalar `json:"date-parts"`
}

type link struct {
	URL         scalar `json:"URL"`
	ContentType scalar `json:"content-type"`
	Application scalar `json:"intended-application"` // text-mining, similarity-checking, syndication
}

type license struct {
	URL scalar `json:"URL"`
}

type update struct {
	DOI  scalar `json:"DOI"`
	Type scalar `json:"type"` // retraction, correction, expression_of_concern, new_version, …
}

type related struct {
	IDType scalar `json:"id-type"`
	ID     scalar `json:"id"`
}

// reference is an entry of a deposited list; no field is certain to be there.
type reference struct {
	DOI          scalar `json:"DOI"`
	ArticleTitle scalar `json:"article-title"`
	Author       scalar `json:"author"` // the first one
	Year         scalar `json:"year"`   // may be "2004a"
	JournalTitle scalar `json:"journal-title"`
	VolumeTitle  scalar `json:"volume-title"`
	SeriesTitle  scalar `json:"series-title"`
	Volume       scalar `json:"volume"`
	Issue        scalar `json:"issue"`
	FirstPage    scalar `json:"first-page"`
	Unstructured scalar `json:"unstructured"`
	Key          scalar `json:"key"`

	broken bool
}

// scalar is a value that may come in another type.
type scalar = wire.Scalar

type many[T any] = wire.Many[T]

// texts is a list of strings.
type texts = many[scalar]

// first is the first string that is not blank.
func first(t texts) scalar {
	for _, s := range t {
		if strings.TrimSpace(string(s)) != "" {
			return s
		}
	}
	return ""
}

// relations are typed links by type.
type relations map[string]many[related]
