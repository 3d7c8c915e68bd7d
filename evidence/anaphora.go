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
		w, next := toks[i].Word, wordAt(toks, i+1)
		switch {
		case lex.pronoun[w]:
			if j := reportEnd(toks, i+1); w == "it" && j > 0 {
				i = j
				continue
			}
			return claim[toks[i].Start:toks[i].End]
		case w == "the" && lex.backward[next]:
		case w == "both" && named(toks[i+1:]):
			return ""
		case !lex.demonstrative[w], (w == "those" || w == "that") && lex.relative[next]:
			return ""
		case w == "this" && (lex.itself[next] || lex.sign["~"+text.Stem(next)] == 0 && (lex.itself[wordAt(toks, i+2)] || lex.itself[wordAt(toks, i+3)])):
			return "" // "this systematic review"
		case lex.finding[next]:
			if j := reportEnd(toks, i+2); j > 0 {
				i = j
				continue
			}
		}
		return claim[toks[i].Start:toks[min(i+1, len(toks)-1)].End]
	}
	return ""
}

// named reports whether words behind "both" say which two are meant: "both A and
// B", "both data sets of the study".
func named(rest []text.Token) bool {
	for _, t := range rest[:min(len(rest), 6)] {
		if t.Word == "and" || t.Word == "of" {
			return true
		}
	}
	return false
}

func wordAt(toks []text.Token, i int) string {
	if i >= len(toks) {
		return ""
	}
	return toks[i].Word
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
