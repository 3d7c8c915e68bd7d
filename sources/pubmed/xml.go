package pubmed

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/sources/internal/wire"
)

// article is one PubmedArticle. PMIDs, DOIs and titles also stand in its
// reference list and among its corrections; the paths here lead past those.
type article struct {
	PMID    string `xml:"MedlineCitation>PMID"`
	Article struct {
		Journal struct {
			ISSN  string `xml:"ISSN"`
			Title string `xml:"Title"`
			Short string `xml:"ISOAbbreviation"`
			Issue struct {
				Volume string  `xml:"Volume"`
				Issue  string  `xml:"Issue"`
				Date   pubDate `xml:"PubDate"`
			} `xml:"JournalIssue"`
		} `xml:"Journal"`
		Title      markup       `xml:"ArticleTitle"`
		Vernacular markup       `xml:"VernacularTitle"`
		Pages      pages        `xml:"Pagination"`
		Locations  []location   `xml:"ELocationID"`
		Abstract   []paragraph  `xml:"Abstract>AbstractText"`
		Authors    []authorList `xml:"AuthorList"`
		Languages  []string     `xml:"Language"`
		Types      []string     `xml:"PublicationTypeList>PublicationType"`
		Dates      []pubDate    `xml:"ArticleDate"`
		Grants     []grant      `xml:"GrantList>Grant"`
	} `xml:"MedlineCitation>Article"`
	ISSN        string          `xml:"MedlineCitation>MedlineJournalInfo>ISSNLinking"`
	Headings    []heading       `xml:"MedlineCitation>MeshHeadingList>MeshHeading"`
	Supplements []string        `xml:"MedlineCitation>SupplMeshList>SupplMeshName"`
	Keywords    []markup        `xml:"MedlineCitation>KeywordList>Keyword"`
	Others      []otherAbstract `xml:"MedlineCitation>OtherAbstract"`
	Corrections []correction    `xml:"MedlineCitation>CommentsCorrectionsList>CommentsCorrections"`
	IDs         []articleID     `xml:"PubmedData>ArticleIdList>ArticleId"`
}

// book is one PubmedBookArticle: a book, or a chapter when it has a title of
// its own.
type book struct {
	PMID string      `xml:"BookDocument>PMID"`
	IDs  []articleID `xml:"BookDocument>ArticleIdList>ArticleId"`
	Book struct {
		Publisher string       `xml:"Publisher>PublisherName"`
		Title     markup       `xml:"BookTitle"`
		Date      pubDate      `xml:"PubDate"`
		Authors   []authorList `xml:"AuthorList"`
		Volume    string       `xml:"Volume"`
		ISBN      []string     `xml:"Isbn"`
	} `xml:"BookDocument>Book"`
	Keywords    []markup        `xml:"BookDocument>KeywordList>Keyword"`
	Grants      []grant         `xml:"BookDocument>GrantList>Grant"`
	Title       markup          `xml:"BookDocument>ArticleTitle"`
	Vernacular  markup          `xml:"BookDocument>VernacularTitle"`
	Pages       pages           `xml:"BookDocument>Pagination"`
	Locations   []location      `xml:"BookDocument>ELocationID"`
	Languages   []string        `xml:"BookDocument>Language"`
	Authors     []authorList    `xml:"BookDocument>AuthorList"`
	Types       []string        `xml:"BookDocument>PublicationType"`
	Abstract    []paragraph     `xml:"BookDocument>Abstract>AbstractText"`
	Others      []otherAbstract `xml:"BookDocument>OtherAbstract"`
	Contributed pubDate         `xml:"BookDocument>ContributionDate"`
	Data        []articleID     `xml:"PubmedBookData>ArticleIdList>ArticleId"`
}

// markup is mixed content, with the tags still in it.
type markup struct {
	Inner string `xml:",innerxml"`
}

// heading is a MeSH descriptor with the qualifiers that narrow it; Y marks
// what is a main point of the work.
type heading struct {
	Descriptor meshTerm   `xml:"DescriptorName"`
	Qualifiers []meshTerm `xml:"QualifierName"`
}

type meshTerm struct {
	Major string `xml:"MajorTopicYN,attr"`
	Name  string `xml:",chardata"`
}

type grant struct {
	ID     string `xml:"GrantID"`
	Agency string `xml:"Agency"`
}

type pubDate struct {
	Kind    string `xml:"DateType,attr"` // "Electronic" for the one on the web
	Year    string `xml:"Year"`
	Month   string `xml:"Month"` // a name or a number
	Day     string `xml:"Day"`
	Medline string `xml:"MedlineDate"` // free text such as "1998 Dec-1999 Jan"
}

type pages struct {
	Medline string `xml:"MedlinePgn"`
	Start   string `xml:"StartPage"`
	End     string `xml:"EndPage"`
}

type location struct {
	Type  string `xml:"EIdType,attr"`
	Valid string `xml:"ValidYN,attr"`
	Value string `xml:",chardata"`
}

type articleID struct {
	Type  string `xml:"IdType,attr"`
	Value string `xml:",chardata"`
}

type paragraph struct {
	Label string `xml:"Label,attr"`
	Inner string `xml:",innerxml"`
}

type otherAbstract struct {
	Type     string      `xml:"Type,attr"`
	Language string      `xml:"Language,attr"`
	Texts    []paragraph `xml:"AbstractText"`
}

type correction struct {
	Type   string `xml:"RefType,attr"`
	Source string `xml:"RefSource"`
	PMID   string `xml:"PMID"`
}

type authorList struct {
	Type     string   `xml:"Type,attr"` // in books: authors or editors
	Complete string   `xml:"CompleteYN,attr"`
	Authors  []author `xml:"Author"`
}

type author struct {
	Valid       string `xml:"ValidYN,attr"` // N: misprinted, the right form stands beside it
	Family      markup `xml:"LastName"`
	Given       markup `xml:"ForeName"`
	First       markup `xml:"FirstName"` // of old records, for ForeName
	Initials    string `xml:"Initials"`
	Suffix      markup `xml:"Suffix"`
	Collective  markup `xml:"CollectiveName"`
	Identifiers []struct {
		Source string `xml:"Source,attr"`
		Value  string `xml:",chardata"`
	} `xml:"Identifier"`
}

// entry is an article or a book.
type entry struct {
	Article *article
	Book    *book
}

// decodeArticles reads an answer of efetch. Only the two kinds of entry are
// read, wherever they stand; an answer without any is empty, not wrong.
func decodeArticles(body []byte) ([]entry, error) {
	var out []entry
	d := wire.XML(body)
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the answer cannot be read: %w", err)
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		var e entry
		switch start.Name.Local {
		case "PubmedArticle":
			e.Article = &article{}
			err = d.DecodeElement(e.Article, &start)
		case "PubmedBookArticle":
			e.Book = &book{}
			err = d.DecodeElement(e.Book, &start)
		default:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("entry %d of the answer cannot be read: %w", len(out)+1, err)
		}
		out = append(out, e)
	}
}

// checkArticles is the verdict on an answer of efetch: is it a whole set of
// articles? An error comes as another root element, under status 200.
func checkArticles(body []byte) error {
	root := wire.RootName(body)
	switch root {
	case "PubmedArticleSet", "PubmedArticle", "PubmedBookArticle":
		if !bytes.HasSuffix(bytes.TrimRight(body, " \t\r\n"), []byte("</"+root+">")) && !bytes.Contains(body, []byte("<"+root+"/>")) {
			return errors.New("the answer is cut short")
		}
		return nil
	case "":
		return errors.New("the answer is no XML")
	}
	var w struct {
		Errors []string `xml:"ERROR"`
	}
	if err := wire.XML(body).Decode(&w); err == nil && len(w.Errors) > 0 {
		return said(strings.Join(w.Errors, "; "))
	}
	return fmt.Errorf("the answer is <%s> instead of a PubmedArticleSet", text.Truncate(root, 40))
}

func isXML(body []byte) bool { return wire.RootName(body) != "" }
