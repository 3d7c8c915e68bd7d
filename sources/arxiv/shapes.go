package arxiv

import (
	_ "embed"

	"optimistresearch/internal/shape"
	"optimistresearch/sources"
)

//go:embed shapes/feed.txt
var feedShape []byte

// Shapes implements sources.Shaped.
func (s *Source) Shapes() []sources.Shape {
	return []sources.Shape{{Name: "feed", Path: path, XML: true, Text: feedShape, Used: shape.Used("feed", wireFeed{}),
		Needed: []string{"feed/totalResults", "feed/entry/id", "feed/entry/title", "feed/entry/summary", "feed/entry/author", "feed/entry/author/name", "feed/entry/published"}}}
}
