package europepmc

import (
	_ "embed"
	"slices"

	"optimistresearch/internal/shape"
	"optimistresearch/sources"
)

//go:embed shapes/search.txt
var searchShape []byte

// Shapes implements sources.Shaped. No whole answer of the lists of references
// and citations is known.
func (s *Source) Shapes() []sources.Shape {
	return []sources.Shape{
		{Name: "search", Path: `/search(POST)?`, Text: searchShape,
			Used: slices.Concat(shape.Used("", answer{}), shape.Used("resultList.result[]", work{})),
			Needed: []string{"hitCount", "resultList", "resultList.result", "resultList.result[].id", "resultList.result[].source", "resultList.result[].title",
				"resultList.result[].abstractText", "resultList.result[].authorString", "resultList.result[].pubYear"}},
	}
}
