package evidence

import (
	"optimistresearch/internal/text"
)

// anaphoric gives the words at the start of a claim that point to something
// outside it ("It", "This method"), "" if the claim stands by itself. What
// points to the work itself ("This study", "We") does not count: the citation
// says which work it is. "These results show that …" stands by what follows.
func anaphoric(claim string) string {
	toks := text.TokensAt(claim)
	lex := lexicon()
	i := 0
	for i < len(toks) && lex.connective[toks[i].Word] {
		i++
	}
	for i < len(toks) {
		w := toks[i].Word
		next := ""
		if i+1 < len(toks) {
			next = toks[i+1].Word
		}
		switch {
		case lex.pronoun[w]:
			if w == "it" {
				if j := reportEnd(toks, i+1); j > 0 {
					i = j
					continue
				}
			}
			return original(claim, toks, i, i)
		case lex.demonstrative[w]:
			if lex.itself[next] || (w == "those" || w == "that") && lex.relative[next] {
				return ""
			}
			if lex.finding[next] {
				if j := reportEnd(toks, i+2); j > 0 {
					i = j
					continue
				}
			}
			if next == "is" && i+4 < len(toks) && (lex.itself[toks[i+4].Word] || lex.itself[toks[i+3].Word]) {
				return ""
			}
			return original(claim, toks, i, min(i+1, len(toks)-1))
		}
		return ""
	}
	return ""
}

// reportEnd gives the place after "… that" when the words from i report what
// follows ("it was found that", "show that"), else 0.
func reportEnd(toks []text.Token, i int) int {
	for j := i; j < len(toks) && j < i+6; j++ {
		if toks[j].Word == "that" && j > i {
			return j + 1
		}
		if toks[j].Gap && j > i {
			return 0
		}
	}
	return 0
}

func original(s string, toks []text.Token, from, to int) string {
	return s[toks[from].Start:toks[to].End]
}
