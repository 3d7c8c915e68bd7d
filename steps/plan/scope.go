package plan

import (
	"errors"
	"fmt"
	"strings"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/llm"
	"optimistresearch/state"
)

// ErrNoTopic is the refusal of a question that names no topic.
var ErrNoTopic = errors.New(`the question names no topic; say what the review is about, for example "recent research in AI agent memory"`)

// CheckQuestion gives ErrNoTopic for a question without a word that says what
// it is about: nothing but grammar, scaffolding, numbers or signs.
func CheckQuestion(question string) error {
	if !lexical.HasTopic(question) {
		return ErrNoTopic
	}
	return nil
}

// TakeScope makes limits of the years that the scope note and the question
// name, where the settings leave them open, and writes into the question how
// the note was taken and what of it was not used. It must be called before the
// run's first state is stored: question and settings never change afterwards.
func TakeScope(q *state.Question, set *state.Settings) {
	sc := lexical.ReadScope(q.Scope, q.Year)
	var taken, unused []string
	// limit takes the years of one text, unless the settings or the other text
	// have others already.
	limit := func(y lexical.Years, said, where string) {
		got := lexical.Years{}
		if y.Since != 0 && set.SinceYear == 0 && (set.UntilYear == 0 || y.Since <= set.UntilYear) {
			got.Since = y.Since
		}
		if y.Until != 0 && set.UntilYear == 0 && (set.SinceYear == 0 || y.Until >= set.SinceYear) {
			got.Until = y.Until
		}
		if got != (lexical.Years{}) {
			taken = append(taken, fmt.Sprintf("%s (taken from %s: “%s”)", got, where, said))
		}
		if y.Since != got.Since && y.Since != set.SinceYear || y.Until != got.Until && y.Until != set.UntilYear {
			unused = append(unused, fmt.Sprintf("“%s” of %s, because the years were set otherwise", said, where))
		}
		set.SinceYear, set.UntilYear = max(set.SinceYear, got.Since), max(set.UntilYear, got.Until)
	}
	limit(sc.Years, strings.Join(sc.YearsIn, ", "), "the scope note")
	if y, said := lexical.YearsOf(q.Text, q.Year); said != "" {
		limit(y, said, "the question")
	}
	sc.Years = lexical.Years{}
	if u := sc.Understood(); u != "" {
		taken = append(taken, u)
	}
	q.Understood = strings.Join(taken, "; ")
	// A model that plans and screens reads the note itself.
	if builtin(set, llm.Planner) || builtin(set, llm.Screener) {
		unused = append(unused, sc.Unused...)
	}
	q.NotUsed = strings.Join(unused, "; ")
}

func builtin(set *state.Settings, role llm.Role) bool {
	m := set.Models[string(role)]
	return m == "" || m == llm.Builtin
}
