package crossref

import (
	"fmt"
	"strings"

	"optimistresearch/sources"
)

// types are the registered types of the kinds of works. Reviews and trials are
// journal articles like any other here.
var types = map[string][]string{
	sources.TypeArticle: {"journal-article"}, sources.TypePreprint: {"posted-content"},
	sources.TypeConference: {"proceedings-article"},
	sources.TypeBook:       {"book", "monograph", "edited-book", "reference-book"},
	sources.TypeChapter:    {"book-chapter", "book-section", "book-part"},
	sources.TypeThesis:     {"dissertation"}, sources.TypeDataset: {"dataset"},
}

// filters writes the limits of a request as the service's own filters, and
// notes those that it cannot apply. A filter that is given several times means
// any of its values.
func filters(r sources.Request) (filter string, notes []string) {
	var parts []string
	if r.SinceYear > 0 {
		parts = append(parts, fmt.Sprintf("from-pub-date:%04d", r.SinceYear))
	}
	if r.UntilYear > 0 {
		parts = append(parts, fmt.Sprintf("until-pub-date:%04d", r.UntilYear))
	}
	for _, t := range r.Types {
		if types[t] == nil {
			notes = append(notes, "Crossref cannot be limited to the type "+t)
		}
		for _, registered := range types[t] {
			parts = append(parts, "type:"+registered)
		}
	}
	for _, l := range r.Languages {
		notes = append(notes, "Crossref cannot be limited to the language "+l)
	}
	return strings.Join(parts, ","), notes
}
