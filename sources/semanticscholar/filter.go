package semanticscholar

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"optimistresearch/sources"
)

// types are the service's words for kinds of works.
var types = map[string]string{
	sources.TypeArticle: "JournalArticle", sources.TypeReview: "Review", sources.TypeConference: "Conference",
	sources.TypeBook: "Book", sources.TypeChapter: "BookSection", sources.TypeDataset: "Dataset", sources.TypeTrial: "ClinicalTrial",
}

// filters writes the limits of a request as the service's own parameters, and
// notes those that it cannot apply. Papers without a type, which are many, are
// found by no type.
func filters(r sources.Request) (filter url.Values, notes []string) {
	filter = url.Values{}
	if years := yearRange(r.SinceYear, r.UntilYear); years != "" {
		filter.Set("year", years)
	}
	var known []string
	for _, t := range r.Types {
		switch {
		case types[t] == "":
			notes = append(notes, "Semantic Scholar cannot be limited to the type "+t)
		case !slices.Contains(known, types[t]):
			known = append(known, types[t])
		}
	}
	if len(known) > 0 {
		filter.Set("publicationTypes", strings.Join(known, ","))
	}
	for _, l := range r.Languages {
		notes = append(notes, "Semantic Scholar cannot be limited to the language "+l)
	}
	return filter, notes
}

// described are the filters as they are sent, in one text.
func described(filter url.Values) string {
	var parts []string
	for _, name := range []string{"year", "publicationTypes"} {
		if v := filter.Get(name); v != "" {
			parts = append(parts, name+"="+v)
		}
	}
	return strings.Join(parts, "&")
}

// yearRange is the publication window in the service's own notation.
func yearRange(since, until int) string {
	switch {
	case since > 0 && until > 0:
		return fmt.Sprintf("%04d-%04d", since, until)
	case since > 0:
		return fmt.Sprintf("%04d-", since)
	case until > 0:
		return fmt.Sprintf("-%04d", until)
	}
	return ""
}
