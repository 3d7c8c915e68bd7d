package plan

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
)

//go:embed facets.txt
var facetText string

//go:embed cues.txt
var foreignCues string

// facet is one thing that nearly every review of a kind asks. The built-in
// planner knows fields only in outline and plans by facets; what a field calls
// its own themes is found in the literature and comes in through the critic.
// The texts hold the slots that facets.txt explains.
type facet struct {
	question  string
	rationale string
	intents   []facetIntent
}

// facetIntent is a search for a facet, with the words by which its documents
// give themselves away.
type facetIntent struct {
	text string
	cues []string
}

var facetLists = sync.OnceValue(func() map[string][]facet {
	lists, name := map[string][]facet{}, ""
	for line := range strings.Lines(facetText) {
		line = strings.TrimSpace(line)
		mark, rest, _ := strings.Cut(line, " ")
		list := lists[name]
		switch {
		case mark == "?":
			lists[name] = append(list, facet{question: rest})
		case mark == "!":
			list[len(list)-1].rationale = rest
		case mark == ">":
			t, cues, _ := strings.Cut(rest, "|")
			f := &list[len(list)-1]
			f.intents = append(f.intents, facetIntent{strings.TrimSpace(t), cueWords(cues)})
		case strings.HasPrefix(line, "["):
			name = strings.Trim(line, "[]")
		}
	}
	return lists
})

// cueWords splits at spaces; a phrase stands in quotation marks.
func cueWords(s string) []string {
	var out []string
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}

// cuesIn gives cue words in the language of a question, as far as they are
// known: the English words find nothing beside words of another language.
func cuesIn(language string, cues []string) []string {
	if language == "" {
		return cues
	}
	var out []string
	for line := range strings.Lines(foreignCues) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" || !slices.Contains(cues, f[0]) {
			continue
		}
		for _, w := range f[1:] {
			if l, word, _ := strings.Cut(w, "="); l == language {
				out = append(out, word)
			}
		}
	}
	return out
}

// cues are the words of all intents of a facet.
func (f facet) cues() []string {
	var out []string
	for _, in := range f.intents {
		out = append(out, in.cues...)
	}
	return out
}

// fill puts a question's parts into the slots of a text.
func fill(s string, a lexical.Asked) string {
	return text.OneLine(strings.NewReplacer("{T}", a.Topic, "{R}", a.Relation, "{X}", a.Cause, " {S}", pad(a.Setting)).Replace(s))
}

func pad(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

// mostOwn is how many subjects of a scope note become subquestions: more would
// leave no room for the question. The others still count in screening.
const mostOwn = 2

// builtinPlan plans by the facets of the question's kind. What the question or
// the scope note stresses moves the facets that it touches to the front; a
// subject of the note that touches none becomes a subquestion of its own.
func builtinPlan(question string, sc lexical.Scope, most int) planAnswer {
	a := lexical.Ask(question)
	facets := facetLists()[kindOf(a)]
	stressed := slices.Concat(sc.Kinds(), sc.Wanted)
	if a.Kind == lexical.NoRelation { // in a relation the aspect is the relation itself
		stressed = append(stressed, a.Aspects...)
	}
	order := make([]int, len(facets))
	for i := range order {
		order[i] = i
	}
	front := func(i int) bool {
		return i == 0 || slices.ContainsFunc(stressed, func(p string) bool { return touches(facets[i], p) })
	}
	slices.SortStableFunc(order, func(x, y int) int {
		// The first facet stays first: the others need its words.
		switch fx, fy := front(x), front(y); {
		case fx == fy:
			return x - y
		case fx:
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
		add(plannedSubquestion{Text: fill(f.question, a), Rationale: f.rationale, Focus: cuesIn(a.Language, f.cues())})
		if n > 0 {
			continue
		}
		own := 0
		for _, p := range sc.Wanted {
			if own < mostOwn && !slices.ContainsFunc(facets, func(f facet) bool { return touches(f, p) }) && !strings.Contains(text.Fold(a.Topic), text.Fold(p)) {
				own++
				add(plannedSubquestion{Text: "What do studies of " + quotedTopic(a) + " report about " + p + "?", Rationale: "The scope note asks for it.", Focus: []string{p}})
			}
		}
	}
	return out
}

// quotedTopic gives the topic, in quotation marks where it is no noun phrase.
func quotedTopic(a lexical.Asked) string {
	if a.Verbatim {
		return "“" + a.Topic + "”"
	}
	return a.Topic
}

// touches tells whether a phrase shares a word with a facet's question or
// cues.
func touches(f facet, phrase string) bool {
	have := map[string]bool{}
	for _, w := range topical(strings.NewReplacer("{T}", "", "{R}", "", "{X}", "", "{S}", "").Replace(f.question) + " " + strings.Join(f.cues(), " ")) {
		have[w] = true
	}
	return slices.ContainsFunc(topical(phrase), func(w string) bool { return have[w] })
}

// broad are words that stand in facets and notes of any kind.
var broad = []string{"study", "studies", "research", "patient", "patients", "group", "groups", "population", "setting", "settings", "data"}

// topical gives the stems of the words that tell facets apart.
func topical(s string) []string {
	var out []string
	for _, w := range text.Tokens(s) {
		if len(w) > 1 && !text.IsStopword(w) && !slices.Contains(broad, w) {
			out = append(out, text.Stem(w))
		}
	}
	return out
}

// facetOf finds the facet that a subquestion of the built-in planner came
// from.
func facetOf(subquestion string, a lexical.Asked) (facet, bool) {
	for _, f := range facetLists()[kindOf(a)] {
		if fill(f.question, a) == subquestion {
			return f, true
		}
	}
	return facet{}, false
}
