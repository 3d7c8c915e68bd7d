package critique

import (
	"fmt"
	"strings"

	"optimistresearch/evidence"
	"optimistresearch/internal/llm"
	"optimistresearch/state"
)

// mostListed is how many weak clusters and how many contradictions a critic is
// shown.
const mostListed = 20

// describe puts the state of the review before the critic, in words. What came
// from outside stands in fences.
func describe(s *state.State, f facts) string {
	var b strings.Builder
	b.WriteString(llm.Fence("question", s.Question.Text+"\n"+s.Question.Scope) + "\n\nPlan and answers:\n")
	for _, id := range state.SortedIDs(s.Subquestions) {
		q := s.Subquestions[id]
		a := s.Answers[id]
		fmt.Fprintf(&b, "%s priority %d, %s, coverage %.2f, %d admitted claims\n%s\n", id, q.Priority, q.Status, a.Coverage, len(s.Admitted(id)), llm.Fence(id, q.Text+"\n"+a.Text+"\nGaps: "+strings.Join(a.Gaps, " ")))
	}
	fmt.Fprintf(&b, "\nWeak clusters: %d of those admitted.\n", len(f.weak))
	for _, c := range f.weak[:min(len(f.weak), mostListed)] {
		fmt.Fprintf(&b, "%s (%s, %d documents, strength %.2f) %s\n", strings.Join(c.Evidence, " "), c.Subquestion, len(c.Documents), c.MeanStrength, llm.Fence("claim", c.Claim))
	}
	fmt.Fprintf(&b, "\nDiversity: %s\n\nContradictions: %d\n", diversity(f.diversity), len(s.Contradictions))
	for i, id := range state.Keys(s.Contradictions) {
		if i == mostListed {
			break
		}
		c := s.Contradictions[id]
		fmt.Fprintf(&b, "%s against %s (%s, %s) %s\n", c.A, c.B, c.Subquestion, c.Kind, llm.Fence("why", c.Explanation))
	}
	fmt.Fprintf(&b, "\nSaturation: %s\n\nIntents:\n", f.saturation)
	for _, id := range state.SortedIDs(s.Intents) {
		in := s.Intents[id]
		found, relevant := s.Yield(id)
		fmt.Fprintf(&b, "%s for %s, %s, %d found, %d relevant: %s\n", id, in.Subquestion, in.Status, found, relevant, llm.Fence(id, in.Description))
	}
	b.WriteString("\nRounds:\n")
	for _, k := range state.SortedIDs(s.Rounds) {
		b.WriteString(k + ": " + round(s.Rounds[k]) + "\n")
	}
	var edits strings.Builder
	for _, k := range state.SortedIDs(s.Applied) {
		ap := s.Applied[k]
		fmt.Fprintf(&edits, "%s %s %s: %s\n", k, ap.Edit.Op, ap.Edit.Target, ap.Result)
	}
	fmt.Fprintf(&b, "\nEdits so far:\n%s\n", llm.Fence("edits", edits.String()))
	terms := map[string]bool{}
	for _, r := range s.Readings {
		for _, t := range r.Terms {
			terms[t] = true
		}
	}
	fmt.Fprintf(&b, "\nTerms met in reading:\n%s\n", llm.Fence("terms", strings.Join(state.Keys(terms), "; ")))
	return b.String()
}

// diversity says how widely the admitted evidence is spread.
func diversity(r evidence.Report) string {
	if r.Items == 0 {
		return "nothing was admitted."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d admitted claims from %d documents, with %d distinct first authors, %d author groups and %d venues. ", r.Items, r.Documents, r.FirstAuthors, r.AuthorGroups, r.Venues)
	fmt.Fprintf(&b, "Most claims come from %s (%.0f %%); the largest author group supplies %.0f %% (%s). ", r.TopDocument, 100*r.TopDocumentShare, 100*r.TopGroupShare, strings.Join(r.TopGroup, ", "))
	fmt.Fprintf(&b, "Of the documents %.0f %% are preprints and %.0f %% other grey literature. ", 100*r.PreprintShare, 100*r.GreyShare)
	if r.MedianYear > 0 {
		fmt.Fprintf(&b, "Their median year is %d; %.0f %% of those with a known year are of the last three years. ", r.MedianYear, 100*r.RecentShare)
	}
	if len(r.Flags) == 0 {
		b.WriteString("No concentration is flagged.")
	} else {
		b.WriteString("Flagged: " + strings.Join(r.Flags, "; ") + ".")
	}
	return b.String()
}

// round says what a round of search or citation chasing brought.
func round(r state.Round) string {
	kind := "search"
	if r.Snowball {
		kind = "citation chasing"
		if len(r.Seeds) > 0 {
			kind += " from " + strings.ReplaceAll(strings.Join(r.Seeds, ", "), "|", " ")
		}
	}
	out := fmt.Sprintf("%s, %d new documents, %d of them relevant", kind, r.New, r.Relevant)
	if r.LowYield {
		out += ", low yield"
	}
	if r.Empty {
		out += ", no source had a list"
	}
	return out
}
