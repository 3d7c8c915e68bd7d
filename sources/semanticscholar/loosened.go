package semanticscholar

import "optimistresearch/sources"

// Loosened implements sources.Loosener: the service looks at titles and
// abstracts, whatever is asked.
func (s *Source) Loosened(e sources.Expr) []string {
	if e.Field == sources.Title {
		return []string{"Semantic Scholar has no search in titles alone: it looks at titles and abstracts"}
	}
	return nil
}
