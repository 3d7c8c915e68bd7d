package synth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"optimistresearch/internal/lexical"
	"optimistresearch/state"
	"optimistresearch/steps"
)

// Bounds of the narrative.
const (
	perParagraph   = 4  // subquestions
	mostNamed      = 3  // works named for one subquestion
	leastDirected  = 5  // claims with a direction before they are counted,
	leastShare     = 3  // and one in so many of all
	mostReferences = 20 // documents cited for one statement
)

// narrative sums the evidence up: how much there is on each subquestion, which
// way it points and who gives the strongest of it, what the documents have in
// common, where they state limits, where they contradict each other. It repeats
// no claim; the sections tell them.
func narrative(s *state.State) string {
	items := s.Admitted("")
	if len(items) == 0 {
		return ""
	}
	opening := fmt.Sprintf("This review rests on %s from %s%s.", plural(len(items), "admitted claim"), plural(len(steps.Documents(items)), "document"), years(s, items))
	var on []string
	for _, q := range s.ActiveSubquestions() {
		if x := onSubquestion(s, q); x != "" {
			on = append(on, x)
		}
	}
	var paragraphs []string
	for chunk := range slices.Chunk(on, perParagraph) {
		paragraphs = append(paragraphs, strings.Join(chunk, " "))
	}
	if len(paragraphs) == 0 {
		paragraphs = []string{""}
	}
	paragraphs[0] = strings.TrimSpace(opening + " " + paragraphs[0])
	var across []string
	if c := steps.Common(s.Question.Text, items); c != "" {
		across = append(across, c)
	}
	limits := steps.Documents(slices.DeleteFunc(slices.Clone(items), func(e state.Evidence) bool {
		c := lexical.Cues(e.Claim)
		return !c.Limitation || c.Result
	}))
	if len(limits) > 0 {
		across = append(across, fmt.Sprintf("%s or open problems of the field [%s].", verb(len(limits), "One document states limits of its work", steps.Count(len(limits))+" documents state limits of their work"), cited(limits)))
	}
	if x := opposed(s); x != "" {
		across = append(across, x)
	}
	if len(across) > 0 {
		paragraphs = append(paragraphs, strings.Join(across, " "))
	}
	return strings.TrimSpace(strings.Join(paragraphs, "\n\n"))
}

// years tells from when the documents are.
func years(s *state.State, items []state.Evidence) string {
	from, to := 0, 0
	for _, d := range steps.Documents(items) {
		y := s.Documents[d].Year()
		if y == 0 {
			continue
		}
		if from == 0 || y < from {
			from = y
		}
		to = max(to, y)
	}
	switch {
	case from == 0:
		return ""
	case from == to:
		return fmt.Sprintf(" of %d", from)
	}
	return fmt.Sprintf(" of %d to %d", from, to)
}

// onSubquestion tells how much evidence there is on a subquestion, which way it
// points, and whose is the strongest.
func onSubquestion(s *state.State, q state.Subquestion) string {
	items := s.Admitted(q.ID)
	if len(items) == 0 {
		return ""
	}
	title, phrase := subject(q.Text)
	lead := "On " + small(title)
	if !phrase {
		lead = "On the question “" + title + "”"
	}
	docs := steps.Documents(items)
	out := fmt.Sprintf("%s there %s from %s", lead, verb(len(items), "is one claim", fmt.Sprintf("are %s claims", steps.Few(len(items)))), documents(len(docs)))
	out += directions(items)
	strong := strongest(q, s, items)
	var who []string
	for _, d := range strong {
		who = append(who, steps.Authors(s.Documents[d]))
	}
	if len(docs) == 1 {
		return out + fmt.Sprintf(", by %s [%s].", who[0], docs[0])
	}
	return out + fmt.Sprintf("; the strongest are by %s [%s].", steps.Series(who), strings.Join(strong, ", "))
}

// directions tells how many claims state that something got better or worse,
// when that is what many of them state.
func directions(items []state.Evidence) string {
	better, worse := 0, 0
	for _, e := range items {
		switch {
		case e.Direction > 0:
			better++
		case e.Direction < 0:
			worse++
		}
	}
	n := better + worse
	switch {
	case n < leastDirected || n*leastShare < len(items):
		return ""
	case worse == 0:
		return fmt.Sprintf(", of which by their wording %s state an improvement and none a deterioration", steps.Few(better))
	case better == 0:
		return fmt.Sprintf(", of which by their wording %s state a deterioration and none an improvement", steps.Few(worse))
	}
	return fmt.Sprintf(", of which by their wording %s %s an improvement and %s a deterioration", steps.Few(better), verb(better, "states", "state"), steps.Few(worse))
}

// strongest gives the documents whose claims on a subquestion are strongest,
// setups of tests aside; of equally strong ones those that are more relevant to
// it.
func strongest(q state.Subquestion, s *state.State, items []state.Evidence) []string {
	score := map[string]float64{}
	for _, e := range items {
		x := e.Strength
		if lexical.Cues(e.Claim).Setup {
			x *= setupShare
		}
		score[e.Document] = max(score[e.Document], x)
	}
	docs := state.SortedIDs(score)
	slices.SortStableFunc(docs, func(a, b string) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(s.Documents[b].Relevance[q.ID].Score, s.Documents[a].Relevance[q.ID].Score))
	})
	return docs[:min(len(docs), mostNamed)]
}

// opposed tells how many pairs of admitted claims contradict each other.
func opposed(s *state.State) string {
	n := 0
	var docs []string
	for _, id := range state.Keys(s.Contradictions) {
		c := s.Contradictions[id]
		if s.Reviews[c.A].Admitted && s.Reviews[c.B].Admitted {
			n++
			docs = append(docs, s.Evidence[c.A].Document, s.Evidence[c.B].Document)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s of claims %s each other [%s].", verb(n, "One pair", steps.Count(n)+" pairs"), verb(n, "contradicts", "contradict"), cited(state.Union(docs, nil)))
}

func documents(n int) string { return verb(n, "one document", steps.Few(n)+" documents") }

func cited(docs []string) string {
	return strings.Join(docs[:min(len(docs), mostReferences)], ", ")
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
