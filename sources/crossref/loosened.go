package crossref

import (
	"fmt"
	"strings"

	"optimistresearch/sources"
)

// Loosened implements sources.Loosener: Crossref ranks the works that hold most
// of the words, and knows no operator.
func (s *Source) Loosened(e sources.Expr) []string {
	var out []string
	if len(e.Not) > 0 {
		out = append(out, fmt.Sprintf("Crossref has no NOT: works with “%s” are not left out", strings.Join(e.Not, "”, “")))
	}
	words := 0
	for _, group := range e.All {
		words += len(group)
	}
	if words > 1 {
		out = append(out, "Crossref has no AND and no phrases: works that hold only some of the words come too, further down")
	}
	if e.Field == sources.TitleAbstract {
		out = append(out, "Crossref has no search in titles and abstracts alone: it looks at titles, authors, venues and years")
	}
	return out
}
