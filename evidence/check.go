package evidence

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Draft is an item as a reader proposes it. Nothing in it is trusted.
type Draft struct {
	Document, Subquestion, Claim, Quote, Location, Type string
	Strength                                            float64
	By                                                  string
}

// Source is the stored text that a draft was read from.
type Source struct {
	Text string
	Ref  string // "abstract:<record key>" or "fulltext:<raw hash>"
	Kind string // abstract, synopsis or fulltext; anything else is treated as abstract
}

// Kinds of a Source.
const (
	KindAbstract = "abstract"
	KindSynopsis = "synopsis"
	KindFullText = "fulltext"
)

const (
	longestClaim = 1000 // characters; one assertion is shorter
	longestQuote = 4000 // bytes
)

// Check turns a draft into evidence, or gives the reason why it cannot be. The
// quote of the result is the stored text's own bytes at the offsets given. What
// only an abstract or a synopsis shows is capped here: its location says so and
// its strength is at most set.AbstractStrengthCap (ODR, section 9). A sentence
// that instructs its reader, a person or a model, is no evidence.
func Check(d Draft, src Source, set state.ReadingSettings) (state.Evidence, string) {
	claim := text.OneLine(d.Claim)
	switch {
	case d.Document == "" || d.Subquestion == "":
		return state.Evidence{}, "the item names no document or no subquestion"
	case !strings.ContainsFunc(claim, letterOrDigit):
		return state.Evidence{}, "the claim is empty"
	case utf8.RuneCountInString(claim) > longestClaim:
		return state.Evidence{}, fmt.Sprintf("the claim has more than %d characters; state one assertion", longestClaim)
	case strings.TrimSpace(d.Quote) == "":
		return state.Evidence{}, "the quote is empty"
	case len(d.Quote) > longestQuote:
		return state.Evidence{}, fmt.Sprintf("the quote has more than %d bytes; quote the sentence that supports the claim", longestQuote)
	case !utf8.ValidString(src.Text):
		return state.Evidence{}, "the stored text is not valid UTF-8, so that no place in it can be kept"
	}
	m, ok := FindQuote(d.Quote, src.Text)
	if !ok {
		return state.Evidence{}, "the quote is not in the stored text"
	}
	quote := src.Text[m.Start:m.End]
	if missing := unsupported(claim, quote, src.Text); len(missing) > 0 {
		return state.Evidence{}, missingNumbers(missing)
	}
	if why := addressed(claim, quote, src.Text, m.Start, m.End); why != "" {
		return state.Evidence{}, why
	}
	e := state.Evidence{
		ID:       state.EvidenceID(d.Document, d.Subquestion, claim, quote),
		Document: d.Document, Subquestion: d.Subquestion, Claim: claim, Quote: quote,
		Text: src.Ref, Start: m.Start, End: m.End, Match: m.Kind,
		Type: normaliseType(d.Type), Strength: state.Clamp(d.Strength),
		Numbers: text.Numbers(claim), Direction: Direction(claim), By: d.By,
	}
	e.Location, e.Strength, e.Capped = capped(src.Kind, d.Location, e.Strength, set)
	return e, ""
}

// addressed gives the reason to refuse a claim, or a quote at its place in the
// stored text, that instructs the reader instead of stating something; "" if
// neither does.
func addressed(claim, quote, stored string, start, end int) string {
	found := instruction(claim)
	if found == "" {
		found = instructed(quote, stored, start, end)
	}
	if found == "" {
		return ""
	}
	return fmt.Sprintf("the text tells its reader what to do (%q) instead of stating something of the work", text.Truncate(text.OneLine(found), 80))
}

func missingNumbers(missing []string) string {
	return fmt.Sprintf("the claim's number %s is not in the quote", strings.Join(missing, ", "))
}

// capped applies the rule on what only an abstract shows.
func capped(kind, location string, strength float64, set state.ReadingSettings) (string, float64, string) {
	what, place := "abstract only", "Abstract"
	switch kind {
	case KindFullText:
		location = text.Truncate(text.OneLine(location), 120)
		if location == "" {
			location = "Full text"
		}
		return location, strength, ""
	case KindSynopsis:
		what, place = "synopsis only", "Synopsis"
	}
	limit := state.Clamp(set.AbstractStrengthCap)
	if strength <= limit {
		return place, strength, ""
	}
	return place, limit, fmt.Sprintf("%s: strength %.2f lowered to %.2f", what, strength, limit)
}

// types is the closed list of evidence types.
var types = []string{"empirical", "theoretical", "review", "benchmark", "opinion"}

// normaliseType maps a reader's word to the closed list. What cannot be told is
// opinion, the type that claims least.
func normaliseType(s string) string {
	for _, w := range text.Tokens(text.Truncate(s, 80)) {
		if t, ok := lexicon().types[text.Stem(w)]; ok {
			return t
		}
	}
	return "opinion"
}
