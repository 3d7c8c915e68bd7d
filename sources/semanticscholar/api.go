package semanticscholar

import (
	"encoding/json"

	"optimistresearch/sources/internal/wire"
)

// What is asked for. In lists the names mean the paper at the other end.
const (
	fields     = "paperId,externalIds,title,abstract,year,publicationDate,venue,publicationVenue,journal,authors,publicationTypes,citationCount,openAccessPdf,fieldsOfStudy,s2FieldsOfStudy"
	seedFields = fields + ",referenceCount"
	edgeFields = fields
)

// rawRecord is one entry of an answer, decoded on its own so that a broken one
// does not cost its neighbours.
type rawRecord = json.RawMessage

// page is the answer of a search or of a list. Without a hit there is no data
// at all; data is null where a publisher withholds a list.
type page struct {
	Total scalar      `json:"total"` // of a search, an estimate
	Next  scalar      `json:"next"`  // of a ranked search or a list; absent at the end
	Token scalar      `json:"token"` // of a Boolean search; null or absent at the end
	Data  []rawRecord `json:"data"`
}

// edge is one entry of a list.
type edge struct {
	Cited  rawRecord `json:"citedPaper"`
	Citing rawRecord `json:"citingPaper"`
}

// paper is a record of the graph. Everything may be null.
type paper struct {
	PaperID     scalar `json:"paperId"` // 40 hex digits; null for a reference that was not matched
	ExternalIDs struct {
		DOI      scalar `json:"DOI"` // often in capitals
		ArXiv    scalar `json:"ArXiv"`
		PubMed   scalar `json:"PubMed"`
		PMC      scalar `json:"PubMedCentral"` // digits only
		CorpusID scalar `json:"CorpusId"`      // a number
		MAG      scalar `json:"MAG"`
		DBLP     scalar `json:"DBLP"`
		ACL      scalar `json:"ACL"`
	} `json:"externalIds"`
	Title            scalar `json:"title"`
	Abstract         scalar `json:"abstract"` // null for 707 of 1,000: withheld for publishers
	Year             scalar `json:"year"`
	Date             scalar `json:"publicationDate"`
	Venue            scalar `json:"venue"`
	PublicationVenue struct {
		Name   scalar   `json:"name"`
		Type   scalar   `json:"type"`
		ISSN   scalar   `json:"issn"`
		Others []scalar `json:"alternate_issns"`
	} `json:"publicationVenue"`
	Journal struct {
		Name   scalar `json:"name"`
		Volume scalar `json:"volume"` // "abs/1706.03762" for arXiv
		Pages  scalar `json:"pages"`  // "525 - 535"
	} `json:"journal"`
	Authors []struct {
		Name scalar `json:"name"`
	} `json:"authors"`
	Types    []scalar `json:"publicationTypes"` // JournalArticle, Conference, Review, Book, …
	Fields   []scalar `json:"fieldsOfStudy"`
	S2Fields []struct {
		Category scalar `json:"category"`
	} `json:"s2FieldsOfStudy"`
	CitationCount  scalar `json:"citationCount"`
	ReferenceCount scalar `json:"referenceCount"`
	OpenAccess     struct {
		URL        scalar `json:"url"`    // "" beside a disclaimer
		Status     scalar `json:"status"` // GOLD, GREEN, HYBRID, BRONZE, CLOSED
		License    scalar `json:"license"`
		Disclaimer scalar `json:"disclaimer"` // "… fields have been elided by the publisher: {\'abstract\'} …"
	} `json:"openAccessPdf"`
}

// scalar is a value that may come in another type.
type scalar = wire.Scalar
