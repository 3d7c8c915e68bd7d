package semanticscholar

import (
	_ "embed"
	"slices"
	"strings"

	"optimistresearch/internal/shape"
	"optimistresearch/sources"
)

var (
	//go:embed shapes/papers.txt
	papersShape []byte
	//go:embed shapes/edges.txt
	edgesShape []byte
)

// Shapes implements sources.Shaped. Papers of a search, of a batch and alone
// look alike, and so does the paper at the other end of a citation.
func (s *Source) Shapes() []sources.Shape {
	const of = "data[]"
	search := sources.Shape{
		Name: "papers", Path: `/paper/search(/bulk)?`, Text: papersShape,
		Of: of, Fields: strings.Split(seedFields, ","), Maps: []string{of + ".citationStyles"},
		Used:   slices.Concat(shape.Used("", page{}), shape.Used(of, paper{})),
		Needed: []string{"total", of + ".paperId", of + ".title"},
	}
	batch := search
	batch.Path, batch.At, batch.Needed = `/paper/batch`, "data", []string{of + ".paperId", of + ".title"}
	edges := sources.Shape{
		Name: "edges", Path: `/paper/.+/(references|citations)`, Text: edgesShape,
		Like: map[string]string{of + ".citedPaper": "papers " + of, of + ".citingPaper": "papers " + of},
		Used: slices.Concat([]string{"next"}, shape.Used(of, edge{}),
			shape.Used(of+".citedPaper", paper{}), shape.Used(of+".citingPaper", paper{})),
	}
	one := search
	one.Path, one.At, one.Needed = `/paper/.+`, of, []string{of + ".paperId", of + ".title"}
	return []sources.Shape{search, batch, edges, one}
}
