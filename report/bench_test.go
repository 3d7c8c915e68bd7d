package report

import (
	"fmt"
	"testing"

	"optimistresearch/state"
)

// large is a finished run of n documents with three records each.
func large(n int) *state.State {
	s := state.New(state.Question{Text: "Q", Year: 2026, Started: "2026-01-01T00:00:00Z"}, state.DefaultSettings())
	s.Subquestions = map[string]state.Subquestion{}
	for i := range 5 {
		id := fmt.Sprintf("RQ%d", i+1)
		s.Subquestions[id] = state.Subquestion{ID: id, Text: "What about " + id + "?", Status: state.Open, Priority: i + 1}
	}
	s.Records, s.Documents, s.Links = map[string]state.Record{}, map[string]state.Document{}, map[string]state.Link{}
	s.Evidence, s.Reviews = map[string]state.Evidence{}, map[string]state.Review{}
	for i := range n {
		var d state.Document
		for j, source := range []string{"arxiv", "crossref", "openalex"} {
			p := state.Provenance{Source: source, Via: state.ViaSearch, Query: fmt.Sprint("Q", i%60), Intent: fmt.Sprint("I", i%10), Subquestion: "RQ1", Rank: i%25 + 1, Round: 100 + j}
			r := state.Record{Key: fmt.Sprintf("%s:%d", source, i), Source: source, Title: fmt.Sprintf("The title of work number %d", i), Year: 2000 + i%26, Kind: state.Published,
				Authors: []state.Author{{Name: fmt.Sprint("Ada Author", i), Family: fmt.Sprint("Author", i), Given: "Ada"}}, Abstract: "A sentence about memory. Another sentence.", Seen: map[string]state.Provenance{p.Key(): p}}
			s.Records[r.Key] = r
			d = state.JoinDocuments(d, state.DocumentFrom(r))
			s.Links[r.Key] = state.Link{Record: r.Key, Document: fmt.Sprintf("doc_%04d", i+1), Rule: "title_author"}
		}
		d.ID = fmt.Sprintf("doc_%04d", i+1)
		d.Relevance = map[string]state.Relevance{}
		for q := range s.Subquestions {
			d.Relevance[q] = state.Relevance{Score: float64(i%100) / 100, Note: "shares its terms", By: "builtin"}
		}
		d.Status = state.Screened
		s.Documents[d.ID] = d
		if i%10 == 0 {
			e := state.Evidence{ID: fmt.Sprintf("ev_%06x", i), Document: d.ID, Subquestion: "RQ1", Claim: fmt.Sprintf("Claim %d about memory", i), Quote: "A sentence about memory.", Text: "abstract:arxiv:0", End: 24}
			s.Evidence[e.ID], s.Reviews[e.ID] = e, state.Review{Evidence: e.ID, Admitted: true}
		}
	}
	return s
}

func BenchmarkRender(b *testing.B) {
	s := large(10_000)
	for b.Loop() {
		if _, err := Render(s, nil); err != nil {
			b.Fatal(err)
		}
	}
}
