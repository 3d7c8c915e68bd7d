package pubmed

import (
	_ "embed"
	"slices"

	"optimistresearch/internal/shape"
	"optimistresearch/sources"
)

var (
	//go:embed shapes/esearch.txt
	esearchShape []byte
	//go:embed shapes/efetch.txt
	efetchShape []byte
)

// Shapes implements sources.Shaped. No whole answer of elink in JSON is known.
func (s *Source) Shapes() []sources.Shape {
	of := "PubmedArticleSet/PubmedArticle/MedlineCitation/"
	ofBook := "PubmedArticleSet/PubmedBookArticle/BookDocument/"
	return []sources.Shape{
		{Name: "esearch", Path: `/esearch\.fcgi`, Text: esearchShape, Used: []string{"esearchresult.count", "esearchresult.idlist", "esearchresult.querytranslation"},
			Needed: []string{"esearchresult.count", "esearchresult.idlist"}},
		{Name: "efetch", Path: `/efetch\.fcgi`, XML: true, Text: efetchShape, Used: slices.Concat(
			shape.Used("PubmedArticleSet/PubmedArticle", article{}), shape.Used("PubmedArticleSet/PubmedBookArticle", book{})),
			Needed: []string{of + "PMID", of + "Article/ArticleTitle", of + "Article/Abstract/AbstractText", of + "Article/Journal/JournalIssue/PubDate"},
			Leaves: []string{
				of + "Article/ArticleTitle", of + "Article/VernacularTitle", of + "Article/Abstract/AbstractText", of + "OtherAbstract/AbstractText",
				of + "CoiStatement", of + "Article/Abstract/CopyrightInformation", ofBook + "Abstract/AbstractText", ofBook + "ArticleTitle", ofBook + "Book/BookTitle",
				of + "KeywordList/Keyword", "PubmedArticleSet/PubmedArticle/PubmedData/ReferenceList", ofBook + "KeywordList/Keyword", ofBook + "Sections", ofBook + "ReferenceList",
				of + "Article/AuthorList/Author/AffiliationInfo", of + "InvestigatorList/Investigator/AffiliationInfo", of + "Article/AuthorList/Author/CollectiveName",
			}},
	}
}
