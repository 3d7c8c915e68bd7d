package canon

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"optimistresearch/state"
)

// TestLibraryOfDistinctWorks reads works on one narrow topic, with titles much
// alike, as four sources would return them: the records of each work must meet
// and no two works may.
func TestLibraryOfDistinctWorks(t *testing.T) {
	b, err := os.ReadFile(sharedData(t, "agent_memory", "works.jsonl"))
	if err != nil {
		t.Skip(err)
	}
	s := &state.State{}
	work := map[string]string{}
	for line := range strings.Lines(string(b)) {
		var w struct {
			ID, Title, Venue, ArXiv, DOI string
			Authors                      []string
			Year                         int
		}
		if err := json.Unmarshal([]byte(line), &w); err != nil {
			t.Fatal(err)
		}
		for _, r := range renderings(w.ID, w.Title, w.Venue, w.ArXiv, w.DOI, w.Authors, w.Year) {
			with(s, r)
			work[r.Key] = w.ID
		}
	}
	part := Canonicalise(s, 1)
	owner, split := map[string]string{}, map[string]map[string]bool{}
	for _, k := range state.Keys(part.Links) {
		d, w := part.Links[k].Document, work[k]
		if old, ok := owner[d]; ok && old != w {
			t.Errorf("%s and %s are one document: %s", old, w, part.Links[k].Compare)
		}
		owner[d] = w
		if split[w] == nil {
			split[w] = map[string]bool{}
		}
		split[w][d] = true
	}
	for _, w := range state.Keys(split) {
		if len(split[w]) > 1 {
			t.Logf("%s is %d documents", w, len(split[w]))
		}
	}
	t.Logf("%d records of %d works are %d documents, %d uncertain pairs", len(s.Records), len(split), len(part.Documents), len(part.Pairs))
	if len(part.Documents) > len(split)+len(split)/50 {
		t.Errorf("%d documents of %d works", len(part.Documents), len(split))
	}
}

// renderings describes one work as several sources do.
func renderings(id, title, venue, arxiv, doi string, authors []string, year int) []state.Record {
	var full []state.Author
	for _, a := range authors {
		full = append(full, state.Author{Name: a})
	}
	var out []state.Record
	add := func(src string, edit func(*state.Record)) {
		r := state.Record{Key: src + ":" + id, Source: src, Title: title, Authors: full, Year: year, Kind: state.Published, IDs: state.IDs{}}
		edit(&r)
		out = append(out, r)
	}
	if arxiv != "" {
		add("arxiv", func(r *state.Record) { r.Kind, r.IDs[state.ArXiv] = state.Preprint, arxiv })
		add("openalex", func(r *state.Record) { r.Kind = state.Preprint; r.IDs.SetDOI("10.48550/arXiv." + arxiv) })
	}
	if doi != "" {
		add("crossref", func(r *state.Record) { r.IDs.SetDOI(doi); r.Venue = venue; r.Title = strings.ToUpper(title) })
	}
	add("semanticscholar", func(r *state.Record) {
		r.Venue = venue
		for i, a := range r.Authors {
			words := strings.Fields(a.Name)
			if len(words) > 1 {
				r.Authors = append([]state.Author(nil), r.Authors...)
				r.Authors[i] = state.Author{Name: words[0][:1] + ". " + words[len(words)-1]}
			}
		}
	})
	return out
}
