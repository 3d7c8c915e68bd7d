package evidence

import (
	"optimistresearch/internal/text"
)

// Direction tells what a claim states of its outcome: +1 better, −1 worse, 0
// neither, both or no difference. Less of what is unwanted (mortality, error,
// cost) is better; less of anything else is worse.
func Direction(claim string) int { return readStance(claim).outcome }

// Negated reports whether a text denies something: "not", "no", "fails to",
// "ineffective", but not "not only". "Without" denies only its own object.
func Negated(claim string) bool { return readStance(claim).negated }

// stance is what a claim says about direction.
type stance struct {
	outcome  int  // of the outcome: better, worse, neither or both
	relation int  // outcome × condition: "low X, high Y" is "high X, low Y"
	mixed    bool // both directions are stated
	null     bool // it says that there is no difference or effect
	negated  bool
	signs    string // of all cues in order, when mixed
	main     int    // index of the word that states the direction, −1 if none
	versus   int    // index of the word that compares two sides, −1 if none
	passive  bool
}

// opposed reports whether two stances on the same outcome cannot both hold.
func (a stance) opposed(b stance) bool {
	switch {
	case a.mixed || b.mixed:
		return false
	case a.relation != 0 && b.relation != 0:
		return a.relation != b.relation
	case a.relation != 0 || b.relation != 0:
		return a.null || b.null
	}
	return a.negated != b.negated
}

// compatible reports whether two stances may belong to one claim.
func (a stance) compatible(b stance) bool {
	switch {
	case a.mixed != b.mixed, a.null != b.null, a.negated != b.negated:
		return false
	case a.mixed:
		return a.signs == b.signs
	}
	return a.relation == b.relation
}

// word is a token with its stem.
type word struct {
	text.Token
	stem   string
	joined bool // a hyphen joins it to the word before: "diet-induced"
}

func readWords(s string) []word {
	s = s[:min(len(s), longestRead)]
	toks := text.TokensAt(s)
	out := make([]word, len(toks))
	for i, t := range toks {
		stem := t.Word
		if d, ok := lexicon().denied[t.Word]; ok {
			stem = d
		}
		out[i] = word{t, text.Stem(stem), i > 0 && t.Start == toks[i-1].End+1 && s[t.Start-1] == '-'}
	}
	return out
}

// Reach of a word over those that follow it, in words.
const (
	negationReach = 7
	equalityReach = 25 // of "no difference"
	objectReach   = 5
	longestStance = 400    // words of a text that are looked at
	longestRead   = 16_000 // bytes
)

func isNumber(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' }
