package synth

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

// builtinAnswer composes an answer from the claims themselves: the best
// supported first, one per cluster, chosen so that they do not repeat each
// other, in groups by what kind of statement they are.
func builtinAnswer(s *state.State, q state.Subquestion, items []state.Evidence) answer {
	picked := Pick(s, q, items, 8)
	var b strings.Builder
	fmt.Fprintf(&b, "%s", opening(items))
	for _, e := range picked {
		b.WriteString(" " + steps.Sentence(s, e))
	}
	return answer{Answer: b.String(), Gaps: gaps(items), Coverage: Ceiling(s, items)}
}

// setupShare is what a claim counts that names data and baselines and not what
// came out: it is no answer by itself.
const setupShare = 0.4

// Pick chooses at most n items by maximal marginal relevance: strong, widely
// supported, on the subquestion, and different from one another.
func Pick(s *state.State, q state.Subquestion, items []state.Evidence, n int) []state.Evidence {
	support := map[string]int{}
	cluster := map[string]string{}
	if s.Clusters != nil {
		for _, c := range s.Clusters.Clusters {
			for _, id := range c.Evidence {
				support[id], cluster[id] = len(c.Documents), c.ID
			}
		}
	}
	items = slices.Clone(items)
	sort.SliceStable(items, func(i, j int) bool {
		a, b := items[i], items[j]
		if support[a.ID] != support[b.ID] {
			return support[a.ID] > support[b.ID]
		}
		if a.Strength != b.Strength {
			return a.Strength > b.Strength
		}
		return a.ID < b.ID
	})
	var sentences []lexical.Sentence
	byText := map[string]state.Evidence{}
	taken := map[string]bool{}
	for _, e := range items {
		if c := cluster[e.ID]; c != "" {
			if taken[c] {
				continue
			}
			taken[c] = true
		}
		if _, twice := byText[e.Claim]; twice {
			continue
		}
		byText[e.Claim] = e
		score := e.Strength * (1 + 0.25*float64(support[e.ID]))
		if lexical.Cues(e.Claim).Setup {
			score *= setupShare
		}
		sentences = append(sentences, lexical.Sentence{Text: e.Claim, Score: score})
	}
	var out []state.Evidence
	for _, sen := range lexical.MMR(sentences, lexical.QueryFrom(q.Text+". "+strings.Join(q.Focus, ". ")), 0.7, n) {
		out = append(out, byText[sen.Text])
	}
	return out
}

func opening(items []state.Evidence) string {
	docs := map[string]bool{}
	for _, e := range items {
		docs[e.Document] = true
	}
	n := "One document gives"
	if len(docs) > 1 {
		n = fmt.Sprintf("%s documents give", steps.Count(len(docs)))
	}
	return fmt.Sprintf("%s admitted evidence on this subquestion.", n)
}

// gaps says what the evidence does not establish, from its own make-up.
func gaps(items []state.Evidence) []string {
	docs := map[string]bool{}
	shown, compared, limits := 0, 0, 0
	for _, e := range items {
		docs[e.Document] = true
		c := lexical.Cues(e.Claim)
		if c.Number {
			shown++
		}
		if c.Comparison {
			compared++
		}
		if c.Limitation {
			limits++
		}
	}
	var out []string
	if len(docs) < 3 {
		out = append(out, fmt.Sprintf("It rests on %s.", plural(len(docs), "document")))
	}
	if compared == 0 {
		out = append(out, "No claim compares with a baseline.")
	}
	if shown == 0 {
		out = append(out, "No claim gives a figure.")
	}
	if limits == 0 {
		out = append(out, "No claim states a limitation.")
	}
	return append(out, "Only abstracts were read, so methods and sample sizes could not be checked.")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// leastOfItsOwn is how many documents a theme that the critic added needs for a
// section of its own.
const leastOfItsOwn = 3

// builtinSynthesis groups the admitted evidence by what it is about. A theme
// is a phrase that several documents share; what fits no theme is filed under
// its subquestion. A claim that is evidence on several subquestions is in one
// section: that of a theme which the reading brought up, if the theme has enough
// documents for a section, else that of the planned subquestion.
func builtinSynthesis(s *state.State) synthesis {
	items := s.Admitted("")
	var out synthesis
	of := map[string][]string{} // subquestion → evidence
	for _, same := range tellings(items) {
		q := home(s, same)
		for _, e := range same {
			of[q] = append(of[q], e.ID)
		}
	}
	for _, q := range s.ActiveSubquestions() {
		slices.Sort(of[q.ID])
		out.Outline = append(out.Outline, themes(s, q, of[q.ID])...)
	}
	out.Narrative = narrative(s)
	return out
}

// tellings groups the items that state one claim of one document, in the order
// of their first.
func tellings(items []state.Evidence) [][]state.Evidence {
	at := map[string]int{}
	var out [][]state.Evidence
	for _, e := range items {
		key := e.Document + "|" + text.TitleKey(e.Claim)
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], e)
	}
	return out
}

// home gives the subquestion in whose section a claim stands.
func home(s *state.State, same []state.Evidence) string {
	best := ""
	for _, e := range same {
		q := s.Subquestions[s.Resolve(e.Subquestion)]
		theme := q.Origin != "" && q.Origin != state.FromPlanner
		switch {
		case !q.Status.Active():
		case theme && len(steps.Documents(s.Admitted(q.ID))) >= leastOfItsOwn:
			return q.ID
		case best == "" || !theme:
			best = q.ID
		}
	}
	return best
}

// everywhere tells whether so many of the relevant documents use a phrase that
// it tells none from another.
func everywhere(s *state.State, phrase string) bool {
	phrase = text.Fold(phrase)
	used, n := 0, 0
	for _, d := range s.Documents {
		if d.Status != state.Read {
			continue
		}
		n++
		if strings.Contains(text.Fold(d.Title()+" "+s.AbstractText(d)), phrase) {
			used++
		}
	}
	return 3*used > n
}

// themes splits the evidence of one subquestion when it is large: by the
// phrases that most of its documents share, else not at all.
func themes(s *state.State, q state.Subquestion, ids []string) []section {
	if len(ids) == 0 {
		return nil
	}
	whole := section{Title: heading(q.Text), Purpose: q.Text, Evidence: ids}
	const large = 40
	if len(ids) < large {
		return []section{whole}
	}
	docs := map[string][]string{} // document → evidence
	for _, id := range ids {
		e := s.Evidence[id]
		docs[e.Document] = append(docs[e.Document], id)
	}
	var list []lexical.Doc
	for _, d := range state.SortedIDs(docs) {
		var body []string
		for _, id := range docs[d] {
			body = append(body, s.Evidence[id].Claim)
		}
		list = append(list, lexical.Doc{ID: d, Title: s.Documents[d].Title(), Body: strings.Join(body, " ")})
	}
	used := map[string]bool{}
	var out []section
	for _, p := range lexical.KeyPhrases(list, 30, append([]string{s.Question.Text, q.Text}, q.Focus...)) {
		if len(out) == 3 {
			break
		}
		if len(strings.Fields(p.Text)) < 2 || p.Docs < 3 || p.Docs > len(list)/3 || steps.SharesWord(p.Text, s.Question.Text) {
			continue // too rare for a section, or the topic itself
		}
		if everywhere(s, p.Text) {
			continue // a word of the whole field
		}
		var with []string
		spoken := 0 // documents whose claims, not only titles, speak of it
		for _, d := range list {
			if !strings.Contains(text.Fold(d.Title+" "+d.Body), text.Fold(p.Text)) {
				continue
			}
			if strings.Contains(text.Fold(d.Body), text.Fold(p.Text)) {
				spoken++
			}
			for _, id := range docs[d.ID] {
				if !used[id] {
					with = append(with, id)
				}
			}
		}
		if len(with) < large/8 || spoken < leastOfItsOwn {
			continue
		}
		for _, id := range with {
			used[id] = true
		}
		out = append(out, section{Title: heading(q.Text) + ": " + p.Text, Purpose: q.Text, Evidence: with})
	}
	var left []string
	for _, id := range ids {
		if !used[id] {
			left = append(left, id)
		}
	}
	if len(left) > 0 {
		if len(out) > 0 {
			whole.Title += ": further findings"
		}
		whole.Evidence = left
		out = append([]section{}, append(out, whole)...)
	}
	return out
}
