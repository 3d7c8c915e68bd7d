package crossref

import (
	_ "embed"
	"slices"

	"optimistresearch/internal/shape"
	"optimistresearch/sources"
)

var (
	//go:embed shapes/works.txt
	worksShape []byte
	//go:embed shapes/work.txt
	workShape []byte
)

// Shapes implements sources.Shaped. What a publisher did not deposit is
// absent, so that little is needed of every work.
func (s *Source) Shapes() []sources.Shape {
	const of = "message.items[]"
	list := sources.Shape{
		Name: "works", Path: `/works`, Text: worksShape,
		Maps:   []string{of + ".relation", "message.facets", "message.relation"},
		Used:   slices.Concat(shape.Used("", listAnswer{}), shape.Used(of, work{}), shape.Used(of+".reference[]", reference{})),
		Needed: []string{"message", "message.total-results", "message.items", of + ".DOI", of + ".title", of + ".type"},
	}
	one := sources.Shape{
		Name: "work", Path: `/works/.+`, Text: workShape, Maps: []string{"message.relation"},
		Used:   slices.Concat(shape.Used("", recordAnswer{}), shape.Used("message", work{}), shape.Used("message.reference[]", reference{})),
		Needed: []string{"message", "message.DOI", "message.title", "message.type"},
	}
	return []sources.Shape{list, one}
}
