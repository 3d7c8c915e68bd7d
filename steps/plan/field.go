package plan

import (
	_ "embed"
	"strings"
	"sync"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
)

//go:embed fields.txt
var fieldWords string

var fieldLists = sync.OnceValue(func() map[string][]string {
	lists, name := map[string][]string{}, ""
	for line := range strings.Lines(fieldWords) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
		default:
			lists[name] = append(lists[name], strings.Fields(line)...)
		}
	}
	return lists
})

// kindOf names the list of facets that fits a question: by its field, and by
// whether it asks about a topic or about the relation of two things.
func kindOf(a lexical.Asked) string {
	if a.Verbatim || a.Topic == "" {
		return "verbatim"
	}
	words := " " + strings.Join(text.Tokens(a.Topic), " ") + " "
	computing := 4*hits(words, "computing sure") + hits(words, "computing")
	clinical := hits(words, "clinical") + 0.5*hits(words, "clinical slight") + endings(words)
	if a.Kind != lexical.NoRelation && computing < 2 {
		computing = 0 // software is made and used by people, whom other fields study
	}
	switch {
	case computing > 0 && (computing > clinical || computing == clinical && a.Kind == lexical.NoRelation):
		if a.Kind != lexical.NoRelation {
			return "computing relation"
		}
		return "computing"
	case clinical >= 1:
		switch {
		case a.Kind == lexical.Effect:
			return "clinical effect"
		case a.Kind == lexical.Association:
			return "clinical association"
		case hits(words, "intervention") > 0:
			return "clinical intervention"
		}
		return "clinical"
	case a.Kind != lexical.NoRelation:
		return "general relation"
	}
	return "general"
}

// hits counts the words of a list in a text of words with spaces around each.
func hits(words, list string) float64 {
	n := 0
	for _, w := range fieldLists()[list] {
		if strings.Contains(words, " "+strings.ReplaceAll(w, "_", " ")+" ") {
			n++
		}
	}
	return float64(n)
}

// endings counts words that end as names of diseases, drugs and procedures do.
func endings(words string) float64 {
	n := 0
	for _, w := range strings.Fields(words) {
		for _, e := range fieldLists()["clinical endings"] {
			if len(w) > len(e)+3 && strings.HasSuffix(w, e) {
				n++
				break
			}
		}
	}
	return float64(n)
}
