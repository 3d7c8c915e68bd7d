package evidence

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

const (
	abstractRef = "abstract:"
	fullTextRef = "fulltext:"
)

// Gate runs the deterministic checks that evidence must pass before a verifier
// looks at it (SPEC 9.7): its document is in the registry and not retracted, the
// stored text still holds the quote at its offsets, its subquestion is active,
// its type is known, its numbers are in the quote, neither claim nor quote
// instructs the reader, and the claim can be checked by itself. The reason is a sentence, "" when ok. A full text is not part of
// the state: of such an item only the form of the reference is checked here.
func Gate(s *state.State, e state.Evidence) (ok bool, reason string) {
	stored, reason := gateDocument(s, e)
	if reason != "" {
		return false, reason
	}
	q, found := s.Subquestions[s.Resolve(e.Subquestion)]
	switch {
	case !found:
		reason = fmt.Sprintf("subquestion %q is not in the plan", e.Subquestion)
	case !q.Status.Active():
		reason = fmt.Sprintf("subquestion %s is %s", q.ID, q.Status)
	case !slices.Contains(types, e.Type):
		reason = fmt.Sprintf("%q is not an evidence type; the types are %s", text.Truncate(text.OneLine(e.Type), 40), strings.Join(types, ", "))
	case !strings.ContainsFunc(e.Claim, letterOrDigit):
		reason = "the claim is empty"
	}
	if reason != "" {
		return false, reason
	}
	if missing := unsupported(e.Claim, e.Quote, stored); len(missing) > 0 {
		return false, missingNumbers(missing)
	}
	if why := addressed(e.Claim, e.Quote, stored, e.Start, e.End); why != "" {
		return false, why
	}
	if word := anaphoric(e.Claim); word != "" {
		return false, fmt.Sprintf("the claim cannot be checked by itself: it does not say what %q stands for", word)
	}
	return true, ""
}

// gateDocument checks document and quote and gives the stored text, if the
// state has it.
func gateDocument(s *state.State, e state.Evidence) (stored, reason string) {
	d, found := s.Documents[e.Document]
	switch {
	case !found:
		return "", fmt.Sprintf("document %q is not in the registry", e.Document)
	case d.Retracted().Status == state.RetractRetracted && !(s.Settings != nil && s.Settings.Reading.IncludeRetracted):
		return "", fmt.Sprintf("%s is retracted; --include-retracted would let it in", e.Document)
	case !strings.ContainsFunc(e.Quote, letterOrDigit):
		return "", "the quote is empty"
	}
	if hash, full := strings.CutPrefix(e.Text, fullTextRef); full {
		if hash == "" || e.Start < 0 || e.End-e.Start != len(e.Quote) {
			return "", "the place of the quote in the full text is not valid"
		}
		return "", ""
	}
	key, isAbstract := strings.CutPrefix(e.Text, abstractRef)
	if !isAbstract {
		return "", fmt.Sprintf("%q names no stored text", text.Truncate(text.OneLine(e.Text), 80))
	}
	r, found := s.Records[key]
	switch {
	case !found:
		return "", fmt.Sprintf("record %q is not in the corpus", key)
	case !slices.Contains(d.Records, key):
		return "", fmt.Sprintf("record %s does not belong to %s", key, e.Document)
	case e.Start < 0 || e.End > len(r.Abstract) || e.Start >= e.End || r.Abstract[e.Start:e.End] != e.Quote:
		return "", fmt.Sprintf("the stored text of %s does not hold the quote at its place", key)
	case !utf8.ValidString(e.Quote):
		return "", "the quote is not valid UTF-8"
	case s.Settings != nil && state.Clamp(e.Strength) > state.Clamp(s.Settings.Reading.AbstractStrengthCap):
		return "", fmt.Sprintf("strength %.2f is above the cap of %.2f for abstracts", e.Strength, s.Settings.Reading.AbstractStrengthCap)
	}
	return r.Abstract, ""
}
