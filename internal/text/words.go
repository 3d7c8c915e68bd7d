package text

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed words.txt
var wordLists string

// words holds the lists of words.txt by name. It is read once and never
// changes.
var words = sync.OnceValue(func() map[string]map[string]bool {
	lists, name := map[string]map[string]bool{}, ""
	for line := range strings.Lines(wordLists) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			name = strings.Trim(line, "[]")
			lists[name] = map[string]bool{}
		default:
			for _, w := range strings.Fields(line) {
				lists[name][w] = true
			}
		}
	}
	return lists
})

// IsFunctionWord reports whether a folded word is grammatical: article, pronoun,
// preposition, conjunction, auxiliary. A phrase neither starts nor ends with one.
func IsFunctionWord(word string) bool { return words()["function"][word] }

// IsStopword reports whether a folded word is too frequent to search for. Every
// function word is a stop word.
func IsStopword(word string) bool {
	lists := words()
	return lists["function"][word] || lists["common"][word]
}

// IsGenericWord reports whether a folded word belongs to scholarly writing as
// such ("study", "approach", "editorial") and does not tell two works apart.
func IsGenericWord(word string) bool { return words()["generic"][word] }

// Distinctive keeps the tokens that can tell two titles apart, each once, in
// order: no stop word, no generic word, at least two characters, no bare number
// below 1000.
func Distinctive(tokens []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range tokens {
		if seen[t] || IsStopword(t) || IsGenericWord(t) || len(t) < 2 {
			continue
		}
		if strings.Trim(t, "0123456789.") == "" && len(t) < 4 {
			continue
		}
		seen[t] = true
		out = append(out, t)
	}
	return out
}
