package evidence

import (
	"slices"
	"strings"

	"optimistresearch/internal/text"
)

// unsupported gives the numbers of a claim that its quote does not have, in
// order. A number word counts as its figure ("four tasks", "4 tasks"). A number
// that only names something ("type 2 diabetes", "phase III" written as phase 3)
// may instead stand with the same noun anywhere in the stored text.
func unsupported(claim, quote, stored string) []string {
	has := map[string]bool{}
	for _, n := range text.Numbers(quote) {
		has[n] = true
	}
	words := text.Tokens(quote)
	for _, w := range words {
		for _, n := range lexicon().figures[w] {
			has[n] = true
		}
	}
	var named map[string]bool
	var missing []string
	for _, n := range figures(claim) {
		if has[n] {
			continue
		}
		if label := labelOf(claim, n); label != "" && stored != "" {
			if named == nil {
				named = labels(text.Tokens(stored))
			}
			if named[label] {
				continue
			}
		}
		missing = append(missing, n)
	}
	return missing
}

// figures gives the numbers of a text, those in figures first, then those in
// words that are unmistakably numbers (two, not one), each once.
func figures(s string) []string {
	out := text.Numbers(s)
	for _, w := range text.Tokens(s) {
		if lexicon().numerals[w] {
			out = append(out, lexicon().figures[w][0])
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(n string) bool {
		again := seen[n]
		seen[n] = true
		return again
	})
}

// labelOf gives the label, such as "type 2", if the number n always follows
// such a noun in s, else "".
func labelOf(s, n string) string {
	words := text.Tokens(s)
	label := ""
	for i, w := range words {
		if w != n {
			continue
		}
		if i == 0 || !lexicon().label[words[i-1]] {
			return ""
		}
		label = words[i-1] + " " + n
	}
	return label
}

func labels(words []string) map[string]bool {
	out := map[string]bool{}
	for i := 1; i < len(words); i++ {
		if lexicon().label[words[i-1]] && strings.Trim(words[i], "0123456789.") == "" {
			out[words[i-1]+" "+words[i]] = true
		}
	}
	return out
}
