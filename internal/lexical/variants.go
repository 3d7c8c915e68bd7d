package lexical

import (
	"strings"

	"optimistresearch/internal/text"
)

// Variants returns the other common spelling of a search term: the long form
// of a well-known acronym, or the acronym of a well-known long form. Empty for
// most terms. The result is in lower case.
func Variants(term string) []string {
	folded := text.Fold(term)
	key := strings.Join(stems(term), " ")
	for line := range strings.Lines(acronymList) {
		short, long, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		short, long = text.Fold(short), text.Fold(long)
		switch {
		case folded == short:
			return []string{long}
		case key != "" && key == strings.Join(stems(long), " "):
			return []string{short}
		}
	}
	return nil
}
