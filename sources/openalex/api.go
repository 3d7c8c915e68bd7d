package openalex

import (
	"encoding/json"

	"optimistresearch/sources/internal/wire"
)

// selected are the root fields asked for. relevance_score is left out, so an
// answer has none; the order of the results is the rank.
const selected = "id,doi,title,display_name,publication_year,publication_date,ids,language,type,is_retracted," +
	"primary_location,best_oa_location,locations,open_access,authorships,is_authors_truncated,biblio,cited_by_count," +
	"abstract_inverted_index,keywords,topics,mesh,awards,funders"

// rawRecord is one entry of an answer, decoded on its own so that a broken one
// does not cost its neighbours.
type rawRecord = json.RawMessage

// page is the answer of a list call.
type page struct {
	Meta struct {
		Count      scalar `json:"count"`
		NextCursor scalar `json:"next_cursor"` // null at the end
		CostUSD    scalar `json:"cost_usd"`    // since 2026
	} `json:"meta"`
	Results []rawRecord `json:"results"`
}

// work is a work record of the 2026 schema. Every object may be null.
type work struct {
	ID          scalar `json:"id"`  // https://openalex.org/W…
	DOI         scalar `json:"doi"` // https://doi.org/…
	Title       scalar `json:"title"`
	DisplayName scalar `json:"display_name"` // equals title
	Year        scalar `json:"publication_year"`
	Date        scalar `json:"publication_date"`
	IDs         struct {
		OpenAlex scalar `json:"openalex"`
		DOI      scalar `json:"doi"`
		MAG      scalar `json:"mag"` // string or number
		PMID     scalar `json:"pmid"`
		PMCID    scalar `json:"pmcid"`
	} `json:"ids"`
	Language        scalar       `json:"language"`
	Type            scalar       `json:"type"`
	TypeCrossref    scalar       `json:"type_crossref"` // until 2025
	Retracted       scalar       `json:"is_retracted"`  // may be null
	PrimaryLocation *location    `json:"primary_location"`
	BestOA          *location    `json:"best_oa_location"`
	Locations       []*location  `json:"locations"`
	Authorships     []authorship `json:"authorships"`
	AuthorsCut      scalar       `json:"is_authors_truncated"`
	OpenAccess      struct {
		URL scalar `json:"oa_url"` // landing page or PDF
	} `json:"open_access"`
	Biblio struct {
		Volume scalar `json:"volume"`
		Issue  scalar `json:"issue"`
		First  scalar `json:"first_page"`
		Last   scalar `json:"last_page"`
	} `json:"biblio"`
	CitedBy         scalar              `json:"cited_by_count"`
	Abstract        map[string][]scalar `json:"abstract_inverted_index"` // word → positions
	ReferencedWorks []scalar            `json:"referenced_works"`
	Keywords        []named             `json:"keywords"`
	Topics          []named             `json:"topics"`
	MeSH            []struct {
		Descriptor scalar `json:"descriptor_name"`
		Qualifier  scalar `json:"qualifier_name"`
		Major      scalar `json:"is_major_topic"`
	} `json:"mesh"`
	Awards  []award `json:"awards"`
	Grants  []award `json:"grants"` // until 2025
	Funders []named `json:"funders"`
}

type named struct {
	Name scalar `json:"display_name"`
}

type award struct {
	Funder  scalar `json:"funder_display_name"`
	Award   scalar `json:"funder_award_id"`
	AwardID scalar `json:"award_id"` // until 2025
}

type location struct {
	OA         scalar `json:"is_oa"`
	Landing    scalar `json:"landing_page_url"`
	PDF        scalar `json:"pdf_url"`
	License    scalar `json:"license"`
	Version    scalar `json:"version"` // publishedVersion, acceptedVersion, submittedVersion
	RawType    scalar `json:"raw_type"`
	SourceName scalar `json:"raw_source_name"`
	Source     *struct {
		Name  scalar   `json:"display_name"`
		ISSNL scalar   `json:"issn_l"`
		ISSN  []scalar `json:"issn"`
		Type  scalar   `json:"type"` // journal, conference, repository, ebook platform, book series, …
		Host  scalar   `json:"host_organization_name"`
	} `json:"source"`
}

type authorship struct {
	Author struct {
		Name  scalar `json:"display_name"`
		ORCID scalar `json:"orcid"`
	} `json:"author"`
	RawName scalar `json:"raw_author_name"`
}

// scalar is a value that may come in another type.
type scalar = wire.Scalar
