package openalex

import (
	_ "embed"
	"slices"
	"strings"

	"optimistresearch/internal/shape"
	"optimistresearch/sources"
)

//go:embed shapes/works.txt
var worksShape []byte

// Shapes implements sources.Shaped. A work alone looks like one of a list.
func (s *Source) Shapes() []sources.Shape {
	const of = "results[]"
	list := sources.Shape{
		Name: "works", Path: `/works`, Text: worksShape,
		Of: of, Fields: append(strings.Split(selected, ","), "referenced_works"),
		Maps:   []string{of + ".abstract_inverted_index"},
		Used:   slices.Concat(shape.Used("", page{}), shape.Used(of, work{})),
		Needed: []string{"meta", "meta.count", "results", of + ".id", of + ".title", of + ".publication_year", of + ".authorships", of + ".abstract_inverted_index"},
	}
	one := list
	one.Path, one.At, one.Needed = `/works/.+`, of, []string{of + ".id", of + ".title"}
	return []sources.Shape{list, one}
}
