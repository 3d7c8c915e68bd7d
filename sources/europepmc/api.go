package europepmc

import (
	"encoding/json"
	"strings"

	"optimistresearch/sources/internal/wire"
)

// rawRecord is one entry of an answer, decoded on its own so that a broken one
// does not cost its neighbours.
type rawRecord = json.RawMessage

// scalar is a value that may come in another type: the year of a work is a
// string in a search, a number in a list of citations.
type scalar = wire.Scalar

// answer is the answer to any call. Code and Message stand alone.
type answer struct {
	Code    scalar `json:"errCode"`
	Message scalar `json:"errMsg"`
	Hits    scalar `json:"hitCount"`
	Next    scalar `json:"nextCursorMark"`
	Results *struct {
		Records many[rawRecord] `json:"result"`
	} `json:"resultList"`
	Citations *struct {
		Records many[rawRecord] `json:"citation"`
	} `json:"citationList"`
	References *struct {
		Records many[rawRecord] `json:"reference"`
	} `json:"referenceList"`
}

// page is the part of an answer that is used.
type page struct {
	Hits    scalar
	Next    string // the next cursor, "" at the end
	Records []rawRecord
}

// work is a record of a search, in the core or the lite form. Everything may
// be absent. Names are matched without regard to case: the XML form, and JSON
// made from it, write ISSN and ESSN.
type work struct {
	ID           scalar `json:"id"`
	Source       scalar `json:"source"` // MED, PMC, PPR, AGR, CBA, CTX, ETH, HIR, PAT, NBK, CIT
	PMID         scalar `json:"pmid"`
	PMCID        scalar `json:"pmcid"`
	DOI          scalar `json:"doi"`
	Title        scalar `json:"title"`
	AuthorString scalar `json:"authorString"`
	Authors      struct {
		Author many[author] `json:"author"`
	} `json:"authorList"`
	Journal struct {
		Issue   scalar `json:"issue"`
		Volume  scalar `json:"volume"`
		Year    scalar `json:"yearOfPublication"`  // 0 where it is not known
		Month   scalar `json:"monthOfPublication"` // 0 where it is not known
		Journal struct {
			Title   scalar `json:"title"`
			Medline scalar `json:"medlineAbbreviation"`
			ISSN    scalar `json:"issn"`
			ESSN    scalar `json:"essn"`
		} `json:"journal"`
	} `json:"journalInfo"`
	JournalTitle  scalar `json:"journalTitle"`  // lite
	JournalVolume scalar `json:"journalVolume"` // lite
	JournalISSN   scalar `json:"journalIssn"`   // lite: "0962-8452; 1471-2954; "
	Issue         scalar `json:"issue"`         // lite
	Book          struct {
		Title     scalar `json:"comprisingTitle"`
		Publisher scalar `json:"publisher"` // of a preprint: its server
		Year      scalar `json:"yearOfPublication"`
		ISBN10    scalar `json:"isbn10"`
		ISBN13    scalar `json:"isbn13"`
	} `json:"bookOrReportDetails"`
	Year       scalar `json:"pubYear"`
	Pages      scalar `json:"pageInfo"`
	Abstract   scalar `json:"abstractText"` // HTML
	Language   scalar `json:"language"`     // three letters
	Electronic scalar `json:"electronicPublicationDate"`
	First      scalar `json:"firstPublicationDate"`
	Types      struct {
		Type texts `json:"pubType"`
	} `json:"pubTypeList"`
	Type     scalar `json:"pubType"` // lite: "research-article; journal article"
	Keywords struct {
		Keyword texts `json:"keyword"`
	} `json:"keywordList"`
	MeSH struct {
		Heading many[heading] `json:"meshHeading"`
	} `json:"meshHeadingList"`
	Grants struct {
		Grant many[grant] `json:"grant"`
	} `json:"grantsList"`
	FullText struct {
		ID texts `json:"fullTextId"`
	} `json:"fullTextIdList"`
	Links struct {
		URL many[link] `json:"fullTextUrl"`
	} `json:"fullTextUrlList"`
	Corrections struct {
		Correction many[correction] `json:"commentCorrection"`
	} `json:"commentCorrectionList"`
	OpenAccess scalar `json:"isOpenAccess"` // Y or N
	Hosted     scalar `json:"inEPMC"`       // Y or N
	License    scalar `json:"license"`      // "cc by"
	CitedBy    scalar `json:"citedByCount"`
}

type author struct {
	Full       scalar   `json:"fullName"` // "Yu RT"
	First      scalar   `json:"firstName"`
	Last       scalar   `json:"lastName"`
	Suffix     scalar   `json:"suffix"`
	Collective scalar   `json:"collectiveName"` // of a group, instead
	ID         authorID `json:"authorId"`
}

// authorID is {"type":"ORCID","value":"…"}; JSON made from the XML form has
// @type and #text.
type authorID struct {
	Type     scalar `json:"type"`
	Value    scalar `json:"value"`
	FormType scalar `json:"@type"`
	Text     scalar `json:"#text"`
}

type heading struct {
	Name       scalar `json:"descriptorName"`
	Major      scalar `json:"majorTopic_YN"`
	Qualifiers struct {
		Qualifier many[struct {
			Name  scalar `json:"qualifierName"`
			Major scalar `json:"majorTopic_YN"`
		}] `json:"meshQualifier"`
	} `json:"meshQualifierList"`
}

type grant struct {
	ID     scalar `json:"grantId"`
	Agency scalar `json:"agency"`
}

type link struct {
	URL   scalar `json:"url"`
	Style scalar `json:"documentStyle"`    // html, pdf, doi
	Code  scalar `json:"availabilityCode"` // OA open access, F free, S subscription, U unknown
	Site  scalar `json:"site"`             // Europe_PMC, PubMedCentral, Unpaywall, DOI
}

type correction struct {
	ID        scalar `json:"id"`
	Source    scalar `json:"source"`
	Type      scalar `json:"type"` // "Retraction in", "Preprint of", …
	Reference scalar `json:"reference"`
}

// entry is an entry of a list of references or citing works. A reference that
// Europe PMC does not hold has neither id nor source.
type entry struct {
	ID      scalar `json:"id"`
	Source  scalar `json:"source"`
	Type    scalar `json:"citationType"`
	Title   scalar `json:"title"`
	Authors scalar `json:"authorString"`
	Journal scalar `json:"journalAbbreviation"`
	Year    scalar `json:"pubYear"`
	Volume  scalar `json:"volume"`
	Issue   scalar `json:"issue"`
	Pages   scalar `json:"pageInfo"`
	DOI     scalar `json:"doi"`
	CitedBy scalar `json:"citedByCount"`
	Order   scalar `json:"citedOrder"` // of references

	broken string // what stood there instead of an entry
}

type many[T any] = wire.Many[T]

// texts is a list of strings.
type texts = many[scalar]

func yes(s scalar) bool { return strings.EqualFold(string(s), "Y") }
