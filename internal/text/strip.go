package text

import "strings"

// Strip gives the words of a title or abstract without their markup: HTML, JATS
// and MathML tags under any prefix, also when escaped ("&lt;i&gt;"), TeX
// commands, accents and simple formulas, character references. Scripts, styles
// and comments go with their content; a block element leaves a space, an inline
// one nothing, so CO<sub>2</sub> becomes "CO2". White space is collapsed.
//
// What only looks like markup stays: "p < 0.05", "a<b and c>d", "costs $5".
// Letters keep their case and accents; see [Fold] for comparing.
func Strip(s string) string {
	s, _ = decodeEntities(s, false)
	if strings.IndexByte(s, '<') >= 0 {
		s = stripTags(s)
	}
	if strings.ContainsAny(s, "\\${") {
		s = stripTeX(s)
	}
	return foldSpace(s)
}
