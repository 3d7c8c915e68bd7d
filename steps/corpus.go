package steps

import (
	"slices"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Doc is a document as the built-in method reads it.
func Doc(s *state.State, d state.Document) lexical.Doc {
	return lexical.Doc{ID: d.ID, Title: d.Title(), Body: s.AbstractText(d)}
}

// Index builds the built-in index over the titles and abstracts of a corpus.
func Index(s *state.State) *lexical.Index {
	docs := make([]lexical.Doc, 0, len(s.Documents))
	for _, id := range state.SortedIDs(s.Documents) {
		docs = append(docs, Doc(s, s.Documents[id]))
	}
	return lexical.NewIndex(docs)
}

// Sighted keys the records of one answer and notes on each when it came back.
// A record that an answer holds twice keeps its better rank.
func Sighted(records []state.Record, at func(rank int) state.Provenance) map[string]state.Record {
	out := make(map[string]state.Record, len(records))
	for i, r := range records {
		if _, twice := out[r.Key]; twice {
			continue
		}
		p := at(i + 1)
		r.Seen = map[string]state.Provenance{p.Key(): p}
		out[r.Key] = r
	}
	return out
}

// SharesWord tells whether a phrase uses a word of the question, by stem: such
// a phrase is the topic itself or a kind of it, and no theme of its own.
func SharesWord(phrase, question string) bool {
	asked := map[string]bool{}
	for _, w := range text.Tokens(question) {
		asked[text.Stem(w)] = true
	}
	return slices.ContainsFunc(text.Tokens(phrase), func(w string) bool { return asked[text.Stem(w)] })
}
