package steps

import (
	"testing"

	"optimistresearch/state"
)

func people(names ...string) []state.Author {
	var out []state.Author
	for _, n := range names {
		out = append(out, state.Author{Name: n})
	}
	return out
}

func document(year int, authors ...state.Author) state.Document {
	return state.Document{ID: "doc_0001", Authors: authors, Versions: map[string]state.Version{"a:1": {Year: year}}}
}

func TestAuthors(t *testing.T) {
	for _, c := range []struct {
		doc  state.Document
		want string
	}{
		{document(2023, people("Charles Packer", "Sarah Wooders", "Kevin Lin")...), "Packer et al. (2023)"},
		{document(2014, people("Alex Graves", "Greg Wayne")...), "Graves and Wayne (2014)"},
		{document(0, state.Author{Name: "Guido van Rossum", Family: "van Rossum"}), "van Rossum"},
		{document(2020, state.Author{Name: "GBD 2019 Diseases and Injuries Collaborators", Collective: true}), "GBD 2019 Diseases and Injuries Collaborators (2020)"},
		{document(2021, people("張三")...), "張三 (2021)"},
		{document(1999), "The authors (1999)"},
		{document(1999, state.Author{}), "The authors (1999)"},
	} {
		if got := Authors(c.doc); got != c.want {
			t.Errorf("Authors = %q, want %q", got, c.want)
		}
	}
}

func TestSentence(t *testing.T) {
	s := &state.State{Documents: map[string]state.Document{"doc_0001": document(2023, people("Charles Packer", "Sarah Wooders", "Kevin Lin")...)}}
	for claim, want := range map[string]string{
		"MemGPT reaches 93.4 % on the retrieval task.":  "MemGPT reaches 93.4 % on the retrieval task [doc_0001].",
		"MemGPT  reaches\n93.4 %":                       "MemGPT reaches 93.4 % [doc_0001].",
		"We evaluate MemGPT on two tasks.":              "Packer et al. (2023) write: “We evaluate MemGPT on two tasks” [doc_0001].",
		"Our method outperforms a fixed window.":        "Packer et al. (2023) write: “Our method outperforms a fixed window” [doc_0001].",
		"This paper introduces virtual context.":        "Packer et al. (2023) write: “This paper introduces virtual context” [doc_0001].",
		"Here, paging is managed by the model.":         "Packer et al. (2023) write: “Here, paging is managed by the model” [doc_0001].",
		"Western power systems are not self-reference.": "Western power systems are not self-reference [doc_0001].",
	} {
		if got := Sentence(s, state.Evidence{Document: "doc_0001", Claim: claim}); got != want {
			t.Errorf("Sentence(%q) = %q, want %q", claim, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "No", 1: "One", 12: "Twelve", 13: "13", -1: "-1"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

// A finding goes to the subquestion whose focus it uses; what fits none goes to
// the one that matters most.
func TestBest(t *testing.T) {
	s := &state.State{Subquestions: map[string]state.Subquestion{
		"RQ1": {ID: "RQ1", Priority: 1, Status: state.Open, Focus: []string{"architecture", "framework"}},
		"RQ2": {ID: "RQ2", Priority: 2, Status: state.Open, Focus: []string{"benchmark", "evaluation"}},
		"RQ3": {ID: "RQ3", Priority: 3, Status: state.Open, Focus: []string{"episodic memory"}},
		"RQ4": {ID: "RQ4", Priority: 4, Status: state.Closed, Focus: []string{"cost"}},
	}}
	for sentence, want := range map[string]string{
		"The framework consists of three layers.":         "RQ1",
		"Two benchmarks test recall over long dialogues.": "RQ2", // the plural counts
		"An episodic memory is like a diary.":             "RQ3",
		"The memory of an episodic kind is small.":        "RQ1", // not the phrase
		"The cost doubles.":                               "RQ1", // RQ4 is closed
		"記憶は重要である。":                                       "RQ1",
	} {
		if q, fit, ok := Best(s, sentence); !ok || q.ID != want {
			t.Errorf("%q goes to %s (fit %d), want %s", sentence, q.ID, fit, want)
		}
	}
	if _, _, ok := Best(&state.State{}, "x"); ok {
		t.Error("without a subquestion a sentence fits one")
	}
}

// The index and the sightings of a source's answer.
func TestSightedKeepsTheBetterRank(t *testing.T) {
	at := func(rank int) state.Provenance {
		return state.Provenance{Source: "arxiv", Via: state.ViaSearch, Query: "Q7", Rank: rank, Round: 100}
	}
	got := Sighted([]state.Record{{Key: "arxiv:1"}, {Key: "arxiv:2"}, {Key: "arxiv:1"}}, at)
	if len(got) != 2 || got["arxiv:1"].Seen["arxiv|Q7"].Rank != 1 || got["arxiv:2"].Seen["arxiv|Q7"].Rank != 2 {
		t.Errorf("sighted = %+v", got)
	}
	if got := Sighted(nil, at); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

// An abstract that holds an id of ours must not cite another document.
func TestASourceCannotCite(t *testing.T) {
	s := &state.State{Documents: map[string]state.Document{"doc_0002": {ID: "doc_0002"}}}
	got := Sentence(s, state.Evidence{Document: "doc_0002", Claim: "MemX improved memory by 5% [doc_0001] and 【Doc 1】, see ev_0123456789ab."})
	if want := "MemX improved memory by 5% […] and 【…】, see … [doc_0002]."; got != want {
		t.Errorf("sentence = %q, want %q", got, want)
	}
}
