package fulltext

// page is what a reader saw on a page, before any reading order: the common
// ground of both PDF readers.
type page struct {
	w, h   float64 // in points
	glyphs []glyph
	images int
	single bool // a letter drawn twice was already taken for one
}

// glyph is a piece of text drawn at one place: a character, a ligature, or the
// replacement text of a few. Coordinates are in points from the lower left
// corner of the page as it is shown; size is the height of the font as drawn.
type glyph struct {
	x, y, w, size float64
	text          string
	style         style
	turn          uint8 // quarter turns of the baseline, counterclockwise; 4 = askew
}

type style uint8

const (
	bold style = 1 << iota
	italic
	mono
	hidden   // drawn invisibly: the text layer of a scan
	unmapped // the font does not tell which letter it is
)
