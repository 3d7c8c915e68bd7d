package evidence

import (
	"fmt"
	"strings"
	"testing"

	"optimistresearch/state"
)

func TestDiversity(t *testing.T) {
	s, _ := corpus("a b", "c d", "e f", "g h", "i j")
	set := func(id string, kind state.Kind, typ string, year int, venue string, authors ...string) {
		d := state.Document{ID: id, Versions: map[string]state.Version{"r": {Kind: kind, Type: typ, Year: year, Venue: venue}}}
		for _, a := range authors {
			d.Authors = append(d.Authors, state.Author{Name: a})
		}
		s.Documents[id] = d
	}
	set("doc_0001", state.Published, "article", 2024, "ICLR", "Ada Lovelace", "Emmy Noether")
	set("doc_0002", state.Preprint, "preprint", 2026, "arXiv", "Kurt Gödel", "E. Noether")
	set("doc_0003", state.Other, "report", 2019, "", "Alan Turing")
	set("doc_0004", state.Other, "book", 2010, "MIT Press", "Grace Hopper")
	set("doc_0005", state.Published, "article", 0, "iclr", "Lovelace, Ada")
	s.Reviews["ev_0005"] = state.Review{Evidence: "ev_0005", Admitted: false}
	r := Diversity(s)
	if r.Items != 4 || r.Documents != 4 || r.FirstAuthors != 4 || r.Venues != 3 || r.AuthorGroups != 3 {
		t.Errorf("%+v", r)
	}
	if r.TopDocumentShare != 0.25 || r.TopDocument != "doc_0001" || r.TopGroupShare != 0.5 || strings.Join(r.TopGroup, " ") != "doc_0001 doc_0002" {
		t.Errorf("%+v", r)
	}
	if r.PreprintShare != 0.25 || r.GreyShare != 0.25 || r.MedianYear != 2019 || r.RecentShare != 0.5 {
		t.Errorf("%+v", r)
	}
	if len(r.Flags) != 1 || !strings.Contains(r.Flags[0], "50 %") {
		t.Errorf("flags %q", r.Flags)
	}
	if got := Diversity(new(state.State)); got.Documents != 0 || len(got.Flags) != 0 {
		t.Errorf("no evidence: %+v", got)
	}
}

func TestDiversityFlags(t *testing.T) {
	s, items := corpus("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
	if r := Diversity(s); len(r.Flags) != 0 {
		t.Errorf("ten works of ten authors: %q", r.Flags)
	}
	for i, e := range items {
		if i < 4 {
			e.Document = "doc_0001"
			s.Evidence[e.ID] = e
		}
	}
	if r := Diversity(s); len(r.Flags) != 2 || !strings.HasPrefix(r.Flags[0], "doc_0001 supplies 40 % of the evidence") {
		t.Errorf("40 %% from one document: %q", r.Flags)
	}
	s, _ = corpus("a", "b", "c")
	if r := Diversity(s); !strings.Contains(strings.Join(r.Flags, " "), "3 distinct first authors") {
		t.Errorf("three first authors: %q", r.Flags)
	}
}

func TestAuthorGroups(t *testing.T) {
	cases := []struct {
		name  string
		lists [][]state.Author
		want  int
	}{
		{"no authors stay apart", [][]state.Author{nil, nil, nil}, 3},
		{"through a third", [][]state.Author{{{Name: "Ada Lovelace"}}, {{Name: "Ada Lovelace"}, {Name: "Emmy Noether"}}, {{Name: "Emmy Noether"}}}, 1},
		{"spellings", [][]state.Author{{{Name: "Kurt Gödel"}}, {{Name: "Godel, K."}}, {{Family: "GÖDEL", Given: "Kurt F."}}, {{Name: "Gödel K"}}}, 1},
		{"an initial that fits two", [][]state.Author{{{Name: "Yan Wang"}}, {{Name: "Yu Wang"}}, {{Name: "Y. Wang"}}}, 3},
		{"particles", [][]state.Author{{{Name: "Anna van der Berg"}}, {{Family: "van der Berg", Given: "A."}}}, 1},
		{"ORCID", [][]state.Author{{{Name: "A. Smith", ORCID: "0000-0001-2345-6789"}}, {{Name: "Anna Jones", ORCID: "https://orcid.org/0000-0001-2345-6789"}}}, 1},
		{"groups of people", [][]state.Author{{{Name: "OpenAI", Collective: true}}, {{Name: "OpenAI"}}}, 1},
		{"nobody", [][]state.Author{{{Name: "Anonymous"}}, {{Name: "Anonymous"}}, {{Name: " "}}}, 3},
		{"Han names", [][]state.Author{{{Name: "王伟"}}, {{Name: "王伟"}}, {{Name: "王芳"}}}, 2},
	}
	for _, c := range cases {
		s := &state.State{Documents: map[string]state.Document{}}
		var ids []string
		for i, a := range c.lists {
			id := fmt.Sprintf("doc_%04d", i)
			s.Documents[id] = state.Document{ID: id, Authors: a}
			ids = append(ids, id)
		}
		if got := authorGroups(s, ids); len(got) != c.want {
			t.Errorf("%s: %d groups %v, want %d", c.name, len(got), got, c.want)
		}
	}
}
