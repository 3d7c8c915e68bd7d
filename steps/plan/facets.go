package plan

import (
	"fmt"
	"slices"
	"strings"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
)

// facet is one side of a topic that nearly every review asks about. The
// built-in planner knows no field, so it plans by facets; what a field calls
// its own themes is found in the literature and comes in through the critic.
type facet struct {
	question  string // %s is the topic
	rationale string
	// cues are words by which studies of this facet give themselves away, in
	// two groups, each the mark of one search intent.
	intents [2]string // %s is the topic
	cues    [2][]string
}

var facets = []facet{
	{
		"Which approaches to %s have been proposed, and how do they work?",
		"The review needs a map of the methods before it can compare them.",
		[2]string{"studies of %s in general", "studies that propose a method, framework or system for %s"},
		[2][]string{nil, {"framework", "architecture", "method", "approach"}},
	},
	{
		"How is %s evaluated, and on which benchmarks and data sets?",
		"Results can only be compared when it is clear what was measured.",
		[2]string{"benchmarks and data sets for %s", "evaluations of %s"},
		[2][]string{{"benchmark", "dataset"}, {"evaluation", "evaluating", "assessment"}},
	},
	{
		"What effects of %s do empirical comparisons report?",
		"The effect against a baseline is the core of the evidence.",
		[2]string{"experiments that compare %s with a baseline", "reports on the effectiveness of %s"},
		[2][]string{{"comparison", "baseline", "outperform"}, {"effect", "effectiveness", "performance", "improve"}},
	},
	{
		"Which limitations, costs and failure modes of %s are reported?",
		"A review that leaves out what does not work misleads.",
		[2]string{"limitations and failures of %s", "costs and risks of %s"},
		[2][]string{{"limitation", "failure", "challenge"}, {"cost", "error", "risk"}},
	},
	{
		"Which earlier work and theory does %s build on?",
		"Surveys and foundations tell which ideas are new and which are taken over.",
		[2]string{"surveys and reviews of %s", "theoretical foundations of %s"},
		[2][]string{{"survey", "review", "taxonomy"}, {"theory", "model", "foundation"}},
	},
}

// builtinPlan plans by facets. Phrases of the scope note move the facets that
// they touch to the front, and become a subquestion of their own where they
// touch none.
func builtinPlan(question, scope string, most int) planAnswer {
	topic := Topic(question)
	core, rest := lexical.QuestionPhrases(scope)
	wanted := append(core, rest...)
	order := make([]int, len(facets))
	for i := range order {
		order[i] = i
	}
	touched := func(i int) bool {
		return slices.ContainsFunc(wanted, func(p string) bool { return touches(facets[i], p) })
	}
	slices.SortStableFunc(order, func(a, b int) int {
		// The map of methods stays first: the other facets need its words.
		switch ta, tb := a == 0 || touched(a), b == 0 || touched(b); {
		case ta == tb:
			return a - b
		case ta:
			return -1
		default:
			return 1
		}
	})
	var out planAnswer
	add := func(q plannedSubquestion) {
		if len(out.Subquestions) < most {
			q.Priority = len(out.Subquestions) + 1
			out.Subquestions = append(out.Subquestions, q)
		}
	}
	for n, i := range order {
		f := facets[i]
		add(plannedSubquestion{Text: fmt.Sprintf(f.question, topic), Rationale: f.rationale, Focus: slices.Concat(f.cues[0], f.cues[1])})
		if n == 0 {
			for _, p := range wanted {
				if !slices.ContainsFunc(facets, func(f facet) bool { return touches(f, p) }) && !strings.Contains(text.Fold(topic), text.Fold(p)) {
					add(plannedSubquestion{Text: fmt.Sprintf("What is known about %s in %s?", p, topic), Rationale: "The scope note asks for it.", Focus: []string{p}})
				}
			}
		}
	}
	return out
}

// touches tells whether a phrase shares a word with a facet's cues or
// question.
func touches(f facet, phrase string) bool {
	have := map[string]bool{}
	for _, w := range text.Distinctive(text.Tokens(fmt.Sprintf(f.question, "") + " " + strings.Join(slices.Concat(f.cues[0], f.cues[1]), " "))) {
		have[text.Stem(w)] = true
	}
	for _, w := range text.Distinctive(text.Tokens(phrase)) {
		if have[text.Stem(w)] {
			return true
		}
	}
	return false
}

// facetOf finds the facet that a subquestion of the built-in planner came
// from.
func facetOf(subquestion, topic string) (facet, bool) {
	for _, f := range facets {
		if fmt.Sprintf(f.question, topic) == subquestion {
			return f, true
		}
	}
	return facet{}, false
}
