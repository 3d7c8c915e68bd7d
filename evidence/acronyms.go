package evidence

import (
	"regexp"
	"slices"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

var bracketed = regexp.MustCompile(`\(([A-Z][A-Za-z0-9-]{1,9})\)`)

const longestDefined = 60_000 // bytes of a text in which definitions are looked for

// acronyms collects the abbreviations that the texts of the items define by
// their initials ("large language models (LLMs)"): folded short form → words. A
// short form with two meanings is left out, so the order of items does not
// matter.
func acronyms(s *state.State, items []state.Evidence) map[string][]string {
	long := map[string]map[string]bool{}
	read := map[string]bool{}
	collect := func(t string) {
		if read[t] {
			return
		}
		read[t] = true
		for _, m := range bracketed.FindAllStringSubmatchIndex(t[:min(len(t), longestDefined)], 200) {
			short := nameKey(t[m[2]:m[3]])
			if words := definition(t[max(m[0]-120, 0):m[0]], short); words != "" {
				if long[short] == nil {
					long[short] = map[string]bool{}
				}
				long[short][words] = true
			}
		}
	}
	for _, e := range items {
		collect(e.Claim)
		collect(e.Quote)
		collect(s.AbstractText(s.Documents[e.Document]))
	}
	out := map[string][]string{}
	for short, meanings := range long {
		if len(meanings) == 1 {
			for words := range meanings {
				out[short] = strings.Fields(words)
			}
		}
	}
	return out
}

// definition gives the last words of a text whose initials spell short, in a
// form in which singular and plural are equal; "" if they do not.
func definition(before, short string) string {
	words := text.Tokens(before)
	n := len(short)
	if n < 2 || len(words) < n || strings.ContainsAny(short, "0123456789") {
		return ""
	}
	words = slices.Clone(words[len(words)-n:])
	for i, w := range words {
		if w[0] != short[i] {
			return ""
		}
		words[i] = strings.TrimSuffix(w, "s")
	}
	return strings.Join(words, " ")
}

// expand writes the abbreviations of a claim out; the definition in brackets
// goes.
func expand(claim string, short map[string][]string) string {
	if len(short) == 0 {
		return claim
	}
	claim = bracketed.ReplaceAllStringFunc(claim, func(m string) string {
		if _, ok := short[nameKey(m[1:len(m)-1])]; ok {
			return ""
		}
		return m
	})
	fields := strings.Fields(claim)
	for i, f := range fields {
		core := strings.TrimFunc(f, func(r rune) bool { return !letterOrDigit(r) })
		if core == "" || core[0] < 'A' || core[0] > 'Z' {
			continue
		}
		if long, ok := short[nameKey(core)]; ok && strings.ToUpper(core[:2]) == core[:2] {
			fields[i] = strings.Replace(f, core, strings.Join(long, " "), 1)
		}
	}
	return strings.Join(fields, " ")
}
