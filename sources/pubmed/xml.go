package pubmed

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// article is one PubmedArticle. PMIDs, DOIs and titles also stand in its
// reference list and among its corrections; the paths here lead past those.
type article struct {
	PMID    string `xml:"MedlineCitation>PMID"`
	Article struct {
		Journal struct {
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
	} `xml:"MedlineCitation>Article"`
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
	} `xml:"BookDocument>Book"`
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

type pubDate struct {
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
	d := newDecoder(body)
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
	root := rootName(body)
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
	if err := newDecoder(body).Decode(&w); err == nil && len(w.Errors) > 0 {
		return said(strings.Join(w.Errors, "; "))
	}
	return fmt.Errorf("the answer is <%s> instead of a PubmedArticleSet", cut(root, 40))
}

func isXML(body []byte) bool { return rootName(body) != "" }

var prolog = regexp.MustCompile(`^(?:\xef\xbb\xbf|\s+|<\?[^>]*>|<!--(?s:.*?)-->|<![^>]*>)+`)

// rootName is the name of the first element of a document, "" when it does
// not begin like one.
func rootName(body []byte) string {
	head := prolog.ReplaceAll(body[:min(len(body), 4096)], nil)
	if len(head) == 0 || head[0] != '<' {
		return ""
	}
	name := head[1:]
	if i := bytes.IndexAny(name, " \t\r\n/>"); i >= 0 {
		name = name[:i]
	}
	return string(name)
}

// newDecoder reads XML. What XML does not allow inside a text (control
// characters, broken UTF-8) is replaced rather than costing the whole answer.
func newDecoder(body []byte) *xml.Decoder {
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	body = bytes.Map(func(r rune) rune {
		if !legal(r) {
			return ' '
		}
		return r
	}, body)
	if bytes.Contains(body, []byte("&#")) {
		body = charRef.ReplaceAllFunc(body, func(ref []byte) []byte {
			digits, base := string(ref[2:len(ref)-1]), 10
			if digits[0] == 'x' {
				digits, base = digits[1:], 16
			}
			if n, err := strconv.ParseInt(digits, base, 32); err != nil || !legal(rune(n)) {
				return []byte(" ")
			}
			return ref
		})
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	d.Entity = xml.HTMLEntity
	return d
}

var charRef = regexp.MustCompile(`&#(x[0-9a-fA-F]+|[0-9]+);`)

// legal reports whether XML 1.0 allows a character.
func legal(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF
}
