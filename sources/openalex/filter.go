package openalex

import (
	"fmt"
	"regexp"
	"strings"

	"optimistresearch/sources"
)

// types are the service's words for kinds of works. Conference papers have
// none: they are among the articles and the book chapters.
var types = map[string][]string{
	sources.TypeArticle: {"article"}, sources.TypeReview: {"review"}, sources.TypePreprint: {"preprint"},
	sources.TypeBook: {"book"}, sources.TypeChapter: {"book-chapter"}, sources.TypeThesis: {"dissertation"},
	sources.TypeDataset: {"dataset"},
}

// languages has the codes that the service writes in another way.
var languages = map[string][]string{"zh": {"zh", "zh-cn", "zh-tw"}}

var languageCode = regexp.MustCompile(`^[a-z]{2}$`)

// filters writes the limits of a request as the service's own filters, and
// notes those that it cannot apply.
func filters(r sources.Request) (filter string, notes []string) {
	var parts []string
	if r.SinceYear > 0 {
		parts = append(parts, fmt.Sprintf("from_publication_date:%04d-01-01", r.SinceYear))
	}
	if r.UntilYear > 0 {
		parts = append(parts, fmt.Sprintf("to_publication_date:%04d-12-31", r.UntilYear))
	}
	var known []string
	for _, t := range r.Types {
		switch {
		case types[t] != nil:
			known = append(known, types[t]...)
		default:
			notes = append(notes, "OpenAlex cannot be limited to the type "+t)
		}
	}
	if len(known) > 0 {
		parts = append(parts, "type:"+strings.Join(known, "|"))
	}
	known = nil
	for _, l := range r.Languages {
		code := strings.ToLower(l)
		switch {
		case languages[code] != nil:
			known = append(known, languages[code]...)
		case languageCode.MatchString(code):
			known = append(known, code)
		default:
			notes = append(notes, "OpenAlex cannot be limited to the language "+l+", which is no code of two letters")
		}
	}
	if len(known) > 0 {
		parts = append(parts, "language:"+strings.Join(known, "|"))
	}
	return strings.Join(parts, ","), notes
}
