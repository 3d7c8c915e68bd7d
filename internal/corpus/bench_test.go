package corpus

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"optimistresearch/state"
)

// corpusDeltas are the deltas of a run over n documents: for each a record
// with an abstract of 1,500 characters, its document with link, relevance to
// five subquestions, and one reading with three evidence items.
func corpusDeltas(n int) []state.Delta {
	abstract := strings.Repeat("Agents with a memory answer more questions than agents without. ", 24)[:1500]
	var out []state.Delta
	for i := range n {
		id, key := fmt.Sprintf("doc_%04d", i+1), fmt.Sprintf("openalex:W%d", i+1)
		cites := i % 100
		r := state.Record{Key: key, Source: "openalex", IDs: state.IDs{state.OpenAlex: fmt.Sprintf("W%d", i+1), state.DOI: fmt.Sprintf("10.1234/x%d", i)},
			Title: fmt.Sprintf("A study of memory number %d", i), Authors: []state.Author{{Name: "Ada Lovelace", Family: "Lovelace"}, {Name: "Alan Turing", Family: "Turing"}},
			Year: 2000 + i%26, Venue: "Journal", Kind: state.Published, Abstract: abstract, Citations: &cites,
			Seen: map[string]state.Provenance{"openalex|Q1": {Source: "openalex", Via: state.ViaSearch, Query: "Q1", Intent: "I1", Rank: i}}}
		d := state.DocumentFrom(r)
		d.ID = id
		d.Relevance = map[string]state.Relevance{}
		for q := range 5 {
			d.Relevance[fmt.Sprintf("RQ%d", q+1)] = state.Relevance{Score: float64(q) / 5, Note: "names agent memory in the title", By: "builtin"}
		}
		out = append(out, state.Delta{Task: state.Task{ID: "search/" + id}, Part: state.State{
			Records: map[string]state.Record{key: r}, Documents: map[string]state.Document{id: d},
			Links: map[string]state.Link{key: {Record: key, Document: id, Rule: "first"}}}})
	}
	return out
}

func readDelta(i int) state.Delta {
	id := fmt.Sprintf("doc_%04d", i+1)
	task := "it1/read/" + id
	part := state.State{
		Documents: map[string]state.Document{id: {ID: id, Status: state.Read, ReadFor: map[string]string{"RQ1": task}}},
		Evidence:  map[string]state.Evidence{}, Ledger: map[string]state.Spend{task: {Documents: 1}},
	}
	for k := range 3 {
		e := state.Evidence{Document: id, Subquestion: "RQ1", Claim: strings.Repeat("claim ", 20) + fmt.Sprint(k), Quote: strings.Repeat("quote ", 20), Strength: 0.5}
		e.ID = state.EvidenceID(e.Document, e.Subquestion, e.Claim, e.Quote)
		part.Evidence[e.ID] = e
	}
	return state.Delta{Task: state.Task{ID: task, Node: "read", Iteration: 1}, Part: part}
}

// BenchmarkFold10000 loads and folds the journal of a run over 10,000
// documents, all of them read.
func BenchmarkFold10000(b *testing.B) {
	const n = 10_000
	var journal bytes.Buffer
	line := 0
	for i, d := range corpusDeltas(n) {
		for _, d := range []state.Delta{d, readDelta(i)} {
			line++
			l, err := encodeLine(line, entry{Delta: d})
			if err != nil {
				b.Fatal(err)
			}
			journal.Write(l)
		}
	}
	b.SetBytes(int64(journal.Len()))
	b.ReportAllocs()
	for b.Loop() {
		got, err := fold("journal", journal.Bytes())
		if err != nil || len(got.state.Documents) != n {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppendRead stores and merges one reading into a corpus of n
// documents: the cost must not depend on n.
func BenchmarkAppendRead(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r, err := Create(filepath.Join(b.TempDir(), "run"), Manifest{})
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			s := new(state.State)
			for _, d := range corpusDeltas(n) {
				s.Apply(d)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				d := readDelta(i % n)
				i++
				if err := r.Append(d); err != nil {
					b.Fatal(err)
				}
				s.Apply(d)
			}
		})
	}
}

// BenchmarkApplyRead is the merge alone, without the disk.
func BenchmarkApplyRead(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := new(state.State)
			for _, d := range corpusDeltas(n) {
				s.Apply(d)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				s.Apply(readDelta(i % n))
				i++
			}
		})
	}
}
