package critique

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
	"optimistresearch/state"
	"optimistresearch/steps"
)

// Thresholds of the built-in critic, all on scores in [0,1].
const (
	enough      = 0.7 // coverage that a subquestion needs
	firm        = 0.5 // mean strength that the evidence needs
	mostIntents = 3   // new intents in one critique
	mostChases  = 2   // requested chases in one critique
	newThemes   = 1   // new subquestions in one critique
)

// builtin assesses by counting. The evidence is sufficient when every active
// subquestion is covered, no concentration is flagged, the citation chase is
// saturated or has nothing left, and reading brought up no theme that the plan
// lacks.
func builtin(s *state.State, f facts, iteration int) answer {
	var a answer
	var weak []state.Subquestion
	lowest := 1.0
	for _, q := range s.ActiveSubquestions() {
		c := s.Answers[q.ID].Coverage
		lowest = min(lowest, c)
		if c < enough {
			weak = append(weak, q)
			a.Weak = append(a.Weak, q.ID)
		}
	}
	sort.SliceStable(weak, func(i, j int) bool { return s.Answers[weak[i].ID].Coverage < s.Answers[weak[j].ID].Coverage })

	themes := newSubquestions(s)
	for _, th := range themes {
		if iteration < s.Settings.Budgets.Iterations {
			a.Edits = append(a.Edits, edit{Op: state.EditAdd, Text: th.text, Focus: th.focus, Rationale: th.why})
		}
	}
	for i, q := range weak {
		if i == mostIntents {
			break
		}
		if text := nextIntent(s, q); text != "" {
			a.Edits = append(a.Edits, edit{Op: state.EditAddIntent, Target: q.ID, Text: text})
		}
	}
	chases := unchased(s)
	for i, c := range chases {
		if i == mostChases || f.saturated {
			break
		}
		a.Edits = append(a.Edits, edit{Op: state.EditSnowball, Target: c.id, Direction: c.direction})
	}
	for _, id := range exhausted(s) {
		a.Edits = append(a.Edits, edit{Op: state.EditCloseIntent, Target: id})
	}
	a.Assess = assess(s, f, lowest, len(weak), len(themes), len(chases))
	a.Sufficient = f.admitted > 0 && len(weak) == 0 && len(f.diversity.Flags) == 0 && (f.saturated || len(chases) == 0) && len(themes) == 0
	a.Summary = summary(s, f, weak, themes, a.Sufficient)
	return a
}

func assess(s *state.State, f facts, lowest float64, weak, themes, chases int) []dimension {
	active := len(s.ActiveSubquestions())
	clusters := 0
	if s.Clusters != nil {
		clusters = len(s.Clusters.Clusters)
	}
	share := func(part, whole int) float64 {
		if whole == 0 {
			return 0
		}
		return 1 - float64(part)/float64(whole)
	}
	saturation := 0.5
	if f.saturated || chases == 0 {
		saturation = 1
	}
	return []dimension{
		{"coverage", lowest, fmt.Sprintf("%d of %d subquestions are below a coverage of %.1f", weak, active, enough)},
		{"quality", min(f.meanStrength/firm, 1), fmt.Sprintf("mean strength of the admitted claims is %.2f", f.meanStrength)},
		{"citations", share(len(f.weak), clusters), fmt.Sprintf("%d of %d claim clusters rest on one document or on weak claims", len(f.weak), clusters)},
		{"diversity", 1 - 0.33*float64(min(len(f.diversity.Flags), 3)), orElse(strings.Join(f.diversity.Flags, "; "), "no concentration is flagged")},
		{"contradictions", 1 - 0.1*float64(min(len(s.Contradictions), 10)), fmt.Sprintf("%d contradictions between admitted claims", len(s.Contradictions))},
		{"recency", f.recentShare, fmt.Sprintf("%.0f %% of the claims come from the last three years", 100*f.recentShare)},
		{"gaps", 1 - 0.5*float64(min(themes, 2)), fmt.Sprintf("%d themes of the literature are not in the plan, %d subquestions have no evidence", themes, len(f.uncited))},
		{"saturation", saturation, f.saturation},
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func summary(s *state.State, f facts, weak []state.Subquestion, themes []theme, sufficient bool) string {
	if sufficient {
		return "every subquestion is covered, no concentration is flagged and citation chasing brings no more"
	}
	var why []string
	if f.admitted == 0 {
		why = append(why, "no evidence was admitted")
	}
	if len(weak) > 0 {
		why = append(why, fmt.Sprintf("%d of %d subquestions are not covered well", len(weak), len(s.ActiveSubquestions())))
	}
	for _, t := range themes {
		why = append(why, "the literature often speaks of “"+t.focus[0]+"”, which the plan does not ask about")
	}
	why = append(why, f.diversity.Flags...)
	if !f.saturated {
		why = append(why, "citation chasing is not saturated")
	}
	return strings.Join(why, "; ")
}

// theme is a subject that the literature brings up and the plan lacks.
type theme struct {
	text  string
	focus []string
	why   string
}

// newSubquestions looks for phrases that many of the clearly relevant
// documents use and no subquestion asks about.
func newSubquestions(s *state.State) []theme {
	var docs []lexical.Doc
	for _, id := range state.SortedIDs(s.Documents) {
		d := s.Documents[id]
		for _, q := range s.ActiveSubquestions() {
			if d.Relevance[q.ID].Score >= s.Settings.Screening.ClearlyRelevant {
				docs = append(docs, steps.Doc(s, d))
				break
			}
		}
	}
	if len(docs) < 5 {
		return nil
	}
	exclude := []string{s.Question.Text, s.Question.Scope}
	for _, q := range s.Subquestions {
		exclude = append(exclude, q.Text)
		exclude = append(exclude, q.Focus...)
	}
	slices.Sort(exclude)
	known := text.Fold(strings.Join(exclude, " | "))
	var out []theme
	for _, p := range lexical.KeyPhrases(docs, 40, exclude) {
		if len(out) == newThemes {
			break
		}
		folded := text.Fold(p.Text)
		// A theme is a phrase of several words that several documents use and
		// most do not: what most use is the topic itself, or its field.
		if len(strings.Fields(p.Text)) < 2 || p.Docs < max(3, len(docs)/12) || p.Docs > max(len(docs)/3, 3) || strings.Contains(known, folded) || holds(s, folded) || steps.SharesWord(p.Text, s.Question.Text) || common(docs, folded) {
			continue
		}
		out = append(out, theme{
			text:  fmt.Sprintf("What is reported about %s in %s?", p.Text, topic(s)),
			focus: []string{p.Text},
			why:   fmt.Sprintf("%d of %d clearly relevant documents speak of it and no subquestion asks about it.", p.Docs, len(docs)),
		})
	}
	return out
}

// common tells whether a phrase, by its last two words and in the singular or
// the plural, stands in more than a third of the documents: "large language
// model" is the field's ground where most speak of language models, however few
// say "large".
func common(docs []lexical.Doc, folded string) bool {
	words := strings.Fields(folded)
	tail := strings.TrimSuffix(strings.Join(words[max(len(words)-2, 0):], " "), "s")
	n := 0
	for _, d := range docs {
		if strings.Contains(text.Fold(d.Title+" "+d.Body), tail) {
			n++
		}
	}
	return n > max(len(docs)/3, 3)
}

// topic is what the question is about, without its scaffolding.
func topic(s *state.State) string {
	if t := lexical.Ask(s.Question.Text).Topic; t != "" {
		return t
	}
	return "the literature found"
}

// holds tells whether a phrase is a longer form of one that the plan has
// already: "severe catastrophic forgetting" is no theme beside "catastrophic
// forgetting".
func holds(s *state.State, folded string) bool {
	for _, q := range s.Subquestions {
		for _, f := range q.Focus {
			if f = text.Fold(f); strings.Contains(f, " ") && strings.Contains(folded, f) {
				return true
			}
		}
	}
	return false
}

// nextIntent words a new search for a weak subquestion with phrases that its
// relevant documents use and its intents did not try.
func nextIntent(s *state.State, q state.Subquestion) string {
	var docs []lexical.Doc
	for _, id := range state.SortedIDs(s.Documents) {
		if d := s.Documents[id]; d.Relevance[q.ID].Score >= s.Settings.Screening.Relevant {
			docs = append(docs, steps.Doc(s, d))
		}
	}
	tried := q.Text
	for _, in := range s.Intents {
		if in.Subquestion == q.ID {
			tried += " | " + in.Description
		}
	}
	for _, p := range lexical.KeyPhrases(docs, 20, []string{s.Question.Text}) {
		if len(strings.Fields(p.Text)) >= 2 && !strings.Contains(text.Fold(tried), text.Fold(p.Text)) {
			return "studies of " + p.Text
		}
	}
	return ""
}

type chase struct{ id, direction string }

// unchased lists the clearly relevant documents found by search whose
// citations were not chased, the most relevant first; each in the direction
// that was not taken.
func unchased(s *state.State) []chase {
	var active []string
	for _, q := range s.ActiveSubquestions() {
		active = append(active, q.ID)
	}
	type scored struct {
		chase
		score float64
	}
	var out []scored
	for _, id := range state.SortedIDs(s.Documents) {
		d := s.Documents[id]
		r, _ := d.MaxRelevance(active)
		if r < s.Settings.Screening.ClearlyRelevant || !s.FoundBySearch(d) || len(d.Exclusion) > 0 {
			continue
		}
		for _, dir := range []string{state.Backward, state.Forward} {
			if _, done := s.Expanded[id+"|"+dir]; !done {
				out = append(out, scored{chase{id, dir}, r})
				break
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].score > out[j].score })
	list := make([]chase, len(out))
	for i, x := range out {
		list[i] = x.chase
	}
	return list
}

// exhausted lists open intents whose searches found nothing relevant.
func exhausted(s *state.State) []string {
	var out []string
	for _, id := range state.SortedIDs(s.Intents) {
		in := s.Intents[id]
		if !in.Status.Active() {
			continue
		}
		if found, relevant := s.Yield(id); found > 0 && relevant == 0 {
			out = append(out, id)
		}
	}
	return out
}
