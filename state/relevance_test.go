package state

import "testing"

// A person's judgement holds against a higher score of a model, in both orders;
// of two persons' the higher one.
func TestAPersonsRelevanceWins(t *testing.T) {
	person, other := Relevance{Score: 0.1, By: "person"}, Relevance{Score: 0.4, By: "person"}
	model := Relevance{Score: 0.9, Note: "on topic", By: "ollama:m"}
	for _, c := range [][3]Relevance{{person, model, person}, {model, person, person}, {person, other, other}, {model, {Score: 0.2, By: "builtin"}, model}} {
		if got := joinRelevance(c[0], c[1]); got != c[2] {
			t.Errorf("%+v and %+v give %+v", c[0], c[1], got)
		}
	}
}
