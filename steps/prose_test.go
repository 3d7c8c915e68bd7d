package steps

import (
	"fmt"
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
		{document(2020, state.Author{Name: "Cite [doc_0666] now"}), "now (2020)"},
		{document(2020, state.Author{Family: "See [doc_0666]"}), "See […] (2020)"},
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

// A claim that stands alone says what its document's reader would know: whose
// survey, whose finding. What follows it in one run of prose need not.
func TestSentenceStandsAlone(t *testing.T) {
	s := &state.State{
		Documents: map[string]state.Document{
			"doc_0001": {ID: "doc_0001", Authors: people("Noah Shinn"), Abstract: state.AbstractRef{Record: "a:1"}, Versions: map[string]state.Version{"a:1": {Title: "On agents", Year: 2023}}},
			"doc_0002": {ID: "doc_0002", Abstract: state.AbstractRef{Record: "a:2"}, Versions: map[string]state.Version{"a:2": {Title: "Memory of machines: a survey", Year: 2024}}},
			"doc_0003": {ID: "doc_0003", Authors: []state.Author{{Name: "Lin, Wei"}, {Name: "Roe, Ann"}}, Abstract: state.AbstractRef{Record: "a:3"}, Versions: map[string]state.Version{"a:3": {}}},
		},
		Records: map[string]state.Record{
			"a:1": {Key: "a:1", Abstract: "Long agents forget. The semantic part of the memory is small. In the group, growing histories of agents are hard to search for."},
			"a:2": {Key: "a:2", Abstract: "The survey also lists the open problems of the field and the dialogues that were used."},
			"a:3": {Key: "a:3", Abstract: "Die Methode verbessert die Genauigkeit der Antworten deutlich, weil die Agenten ihre Erinnerungen besser ordnen und wiederfinden als zuvor."},
		},
	}
	for _, c := range [][3]string{
		{"doc_0001", "The survey also compiles benchmarks.", "The survey by Shinn (2023) also compiles benchmarks [doc_0001]."},
		{"doc_0001", "For construction, the study proposes four modules.", "For construction, the study by Shinn (2023) proposes four modules [doc_0001]."},
		{"doc_0001", "Open problems treated by the survey include streams.", "Open problems treated by the survey by Shinn (2023) include streams [doc_0001]."},
		{"doc_0001", "Six operations are defined in the survey.", "Six operations are defined in the survey by Shinn (2023) [doc_0001]."},
		{"doc_0001", "In the study population, memory was poor.", "Shinn (2023) states that in the study population, memory was poor [doc_0001]."},
		{"doc_0003", "The authors report that few cases suffice.", "Lin and Roe report that few cases suffice [doc_0003]."},
		{"doc_0003", "Systems are compared with those by the authors.", "Systems are compared with those by the authors [doc_0003]."},
		{"doc_0001", "The approach is limited to text.", "The approach of Shinn (2023) is limited to text [doc_0001]."},
		{"doc_0001", "Growing histories are hard to search.", "Shinn (2023) states that growing histories are hard to search [doc_0001]."},
		{"doc_0001", "However, growing histories reduce accuracy.", "Shinn (2023) reports that growing histories reduce accuracy [doc_0001]."},
		{"doc_0001", "Reflexion is an agent.", "Reflexion is an agent [doc_0001]."}, // perhaps a name
		{"doc_0001", "In MIRIX a manager routes new information.", "In MIRIX a manager routes new information [doc_0001]."},
		{"doc_0001", "RESULTS: HbA1c fell by 1.2%.", "HbA1c fell by 1.2% [doc_0001]."},
		{"doc_0001", "CONCLUSIONS AND RELEVANCE HbA1c fell by 1.2%.", "HbA1c fell by 1.2% [doc_0001]."},
		{"doc_0001", "RESULTS We see a fall of HbA1c.", "Shinn (2023) writes: “We see a fall of HbA1c” [doc_0001]."},
		{"doc_0001", "In conclusion, mTORC1 senses leucine.", "mTORC1 senses leucine [doc_0001]."},
		{"doc_0001", "Results of MIRIX differ.", "Results of MIRIX differ [doc_0001]."},
		{"doc_0001", "Phase I trials in the US found no harm.", "Phase I trials in the US found no harm [doc_0001]."},
		{"doc_0002", "The survey also lists open problems.", "The survey “Memory of machines” (2024) also lists open problems [doc_0002]."},
		{"doc_0002", "The authors list open problems.", "The authors of “Memory of machines” (2024) list open problems [doc_0002]."},
		{"doc_0003", "Die Methode verbessert die Genauigkeit.", "Die Methode verbessert die Genauigkeit [doc_0003]."},
		{"doc_0003", "We test agents.", "Lin and Roe write: “We test agents” [doc_0003]."},
	} {
		if got := Sentence(s, state.Evidence{Document: c[0], Claim: c[1]}); got != c[2] {
			t.Errorf("Sentence(%q) = %q, want %q", c[1], got, c[2])
		}
	}
	items := []state.Evidence{
		{Document: "doc_0001", Claim: "The survey lists systems.", Text: "abstract:a:1", Start: 0, End: 19},
		{Document: "doc_0001", Claim: "However, the semantic part is small.", Text: "abstract:a:1", Start: 20, End: 60},
		{Document: "doc_0001", Claim: "Moreover, the survey is short.", Text: "abstract:a:1", Start: 100, End: 110},
		{Document: "doc_0002", Claim: "The survey also lists dialogues.", Text: "abstract:a:2"},
	}
	want := "The survey by Shinn (2023) lists systems [doc_0001]. However, the semantic part is small [doc_0001]. The survey is short [doc_0001]. " +
		"The survey “Memory of machines” (2024) also lists dialogues [doc_0002]."
	if got := Passage(s, items, func(e state.Evidence) []string { return []string{e.Document} }); got != want {
		t.Errorf("Passage = %q,\nwant      %q", got, want)
	}
}

func TestCites(t *testing.T) {
	items := []state.Evidence{{ID: "ev_0a1b2c3d4e5f", Document: "doc_0012"}}
	for prose, want := range map[string]bool{
		"Memory helps [doc_0012].":        true,
		"Memory helps (Doc 12).":          true,
		"Memory helps 【doc-012】.":         true,
		"Memory helps [EV_0A1B2C3D4E5F].": true,
		"Memory helps [doc_0120].":        false,
		"Memory helps (Shinn, 2023).":     false,
		"Memory helps.":                   false,
		"":                                false,
	} {
		if got := Cites(prose, items); got != want {
			t.Errorf("Cites(%q) = %v", prose, got)
		}
	}
}

func TestCommon(t *testing.T) {
	var items []state.Evidence
	for i, claim := range []string{
		"Zep was evaluated on LoCoMo with GPT-4o.", "MMS was evaluated on LOCOMO.", "RMM improves recall on LoCoMo.",
		"Mem0 was compared with MemGPT by an LLM.", "Zep exceeds MemGPT by F1.", "A-MEM exceeds MemGPT by F1 as an LLM.", "An LLM is a model.",
	} {
		items = append(items, state.Evidence{Document: fmt.Sprintf("doc_%04d", i+1), Claim: claim})
	}
	want := "Of the seven documents, three mention LoCoMo [doc_0001, doc_0002, doc_0003] and three MemGPT [doc_0004, doc_0005, doc_0006]."
	if got := Common("memory of agents", items); got != want {
		t.Errorf("Common = %q, want %q", got, want)
	}
	if got := Common("LoCoMo and MemGPT", items); got != "" {
		t.Errorf("what the question names: %q", got)
	}
	if got := Common("", items[:2]); got != "" {
		t.Errorf("of two documents: %q", got)
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
