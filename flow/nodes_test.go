package flow

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"optimistresearch/state"
)

func corpus(change func(*state.Settings)) *state.State {
	set := state.DefaultSettings()
	set.Screening.Batch = 2
	if change != nil {
		change(&set)
	}
	s := state.New(state.Question{Text: "memory of language agents", Year: 2026}, set)
	s.Merge(&state.State{
		Subquestions: map[string]state.Subquestion{
			"RQ2":  {ID: "RQ2", Text: "Which?", Priority: 1, Status: state.Open},
			"RQ10": {ID: "RQ10", Text: "How?", Priority: 2, Status: state.Answered},
			"RQ3":  {ID: "RQ3", Text: "Why?", Priority: 3, Status: state.Closed},
		},
		Records: map[string]state.Record{}, Documents: map[string]state.Document{},
	})
	return s
}

func add(s *state.State, id string, r state.Record, relevance map[string]float64) {
	r.Key, r.Source = "openalex:"+id, "openalex"
	p := state.Provenance{Source: "openalex", Via: state.ViaSearch, Query: "Q1", Round: 100}
	r.Seen = map[string]state.Provenance{p.Key(): p}
	d := state.DocumentFrom(r)
	d.ID, d.Relevance = id, map[string]state.Relevance{}
	for q, x := range relevance {
		d.Relevance[q] = state.Relevance{Score: x}
	}
	s.Merge(&state.State{Records: map[string]state.Record{r.Key: r}, Documents: map[string]state.Document{id: d}})
}

func batchesOf(t *testing.T, s *state.State) (list []string, part state.State) {
	t.Helper()
	part, err := batches(s, state.Task{ID: "it1/batch/0", Node: Batch, Iteration: 1, Args: []string{"100"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range queue(part.Work[state.WorkScreen], 100) {
		list = append(list, fmt.Sprintf("%v for %v", item.IDs, item.Subquestions))
	}
	return list, part
}

// A pair that was scored, or that a screener left out for good, is never paid
// for again; a new subquestion screens the old corpus only against itself.
func TestBatchesListWhatIsNotScored(t *testing.T) {
	s := corpus(nil)
	for i := range 3 {
		add(s, fmt.Sprintf("doc_000%d", i+1), state.Record{Title: "new", Year: 2024}, nil)
	}
	add(s, "doc_0004", state.Record{Title: "old", Year: 2024}, map[string]float64{"RQ2": 0})
	add(s, "doc_0005", state.Record{Title: "done", Year: 2024}, map[string]float64{"RQ2": 0.9, "RQ10": 0.1})
	add(s, "doc_0006", state.Record{Title: "left out", Year: 2024}, map[string]float64{"RQ10": 0.7})
	s.Merge(&state.State{Documents: map[string]state.Document{"doc_0006": {ID: "doc_0006", Unscored: map[string]string{"RQ2": "left out twice"}}}})
	add(s, "doc_0007", state.Record{Title: "put aside", Year: 2024}, nil)
	s.Merge(&state.State{Documents: map[string]state.Document{"doc_0007": {ID: "doc_0007", Exclusion: map[string]state.Exclusion{"person": {Reason: state.ExcludePerson, By: "person"}}}}})
	want := []string{"[doc_0004] for [RQ10]", "[doc_0001 doc_0002] for [RQ2 RQ10]", "[doc_0003] for [RQ2 RQ10]"}
	got, part := batchesOf(t, s)
	if !slices.Equal(got, want) {
		t.Errorf("batches = %v, want %v", got, want)
	}
	if len(part.Documents) != 0 {
		t.Errorf("documents were put aside: %v", part.Documents)
	}
	if got, _ := batchesOf(t, corpus(nil)); len(got) != 0 {
		t.Errorf("an empty corpus gives %v", got)
	}
}

func TestBatchesPutAsideWhatTheQuestionExcludes(t *testing.T) {
	for _, c := range []struct {
		name   string
		set    func(*state.Settings)
		record state.Record
		reason string // "" = stays in
		text   string
	}{
		{"inside", func(s *state.Settings) { s.SinceYear, s.UntilYear = 2023, 2025 }, state.Record{Year: 2023}, "", ""},
		{"too early", func(s *state.Settings) { s.SinceYear = 2023 }, state.Record{Year: 2022}, state.ExcludeYear, "published 2022, asked for 2023 or later"},
		{"too late", func(s *state.Settings) { s.UntilYear = 2020 }, state.Record{Year: 2021}, state.ExcludeYear, "published 2021, asked for 2020 or earlier"},
		{"too late for a span", func(s *state.Settings) { s.SinceYear, s.UntilYear = 2010, 2020 }, state.Record{Year: 2021}, state.ExcludeYear, "asked for 2010 to 2020"},
		{"year unknown", func(s *state.Settings) { s.SinceYear = 2023 }, state.Record{}, "", ""},
		{"language asked for", func(s *state.Settings) { s.Languages = []string{"en", "de"} }, state.Record{Language: "de"}, "", ""},
		{"another language", func(s *state.Settings) { s.Languages = []string{"en"} }, state.Record{Language: "zh"}, state.ExcludeLanguage, "language zh"},
		{"language unknown", func(s *state.Settings) { s.Languages = []string{"en"} }, state.Record{}, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := corpus(c.set)
			c.record.Title = "A work"
			add(s, "doc_0001", c.record, nil)
			list, part := batchesOf(t, s)
			x := part.Documents["doc_0001"].Exclusion["rule"]
			if x.Reason != c.reason || !strings.Contains(x.Text, c.text) || (c.reason == "") != (len(list) == 1) {
				t.Errorf("exclusion = %+v, batches = %v; want %q", x, list, c.reason)
			}
		})
	}
}

// A preprint from within the limits keeps a work that was published after them.
func TestTheFirstVersionCountsForTheUpperLimit(t *testing.T) {
	s := corpus(func(s *state.Settings) { s.UntilYear = 2023 })
	add(s, "doc_0001", state.Record{Title: "A work", Year: 2024, Kind: state.Published}, nil)
	s.Merge(&state.State{Documents: map[string]state.Document{"doc_0001": {ID: "doc_0001", Versions: map[string]state.Version{"arxiv:1": {Kind: state.Preprint, Title: "A work", Year: 2023}}}}})
	if list, part := batchesOf(t, s); len(list) != 1 || len(part.Documents) != 0 {
		t.Errorf("batches = %v, put aside %v", list, part.Documents)
	}
}

func TestSeedsMakeARound(t *testing.T) {
	s := corpus(nil)
	add(s, "doc_0001", state.Record{Title: "A work", Year: 2025}, map[string]float64{"RQ2": 0.9})
	part, err := seeds(s, state.Task{ID: "it1/seeds/1", Node: Seeds, Iteration: 1, Args: []string{"101"}})
	if err != nil {
		t.Fatal(err)
	}
	r := part.Rounds["r101"]
	if !slices.Equal(r.Seeds, []string{"doc_0001|backward"}) || !r.Snowball || r.Number != 101 || part.Ledger["it1/seeds/1"].Rounds != 1 {
		t.Errorf("round = %+v, ledger = %+v", r, part.Ledger)
	}
	if item := part.Work[state.WorkSeeds].Items["doc_0001|backward"]; item.Direction != state.Backward || item.Note == "" {
		t.Errorf("work item = %+v, want the direction and why", item)
	}
	empty, err := seeds(corpus(nil), state.Task{ID: "it1/seeds/1", Args: []string{"101"}})
	if err != nil || len(empty.Rounds)+len(empty.Ledger) != 0 {
		t.Errorf("no seed made a round: %+v, %v", empty, err)
	}
}

func TestAllocateSelectsWithinTheBudget(t *testing.T) {
	s := corpus(nil)
	for i := range 4 {
		add(s, fmt.Sprintf("doc_000%d", i+1), state.Record{Title: "A work", Abstract: "It has a text.", Year: 2025}, map[string]float64{"RQ2": 0.6 + 0.1*float64(i), "RQ10": 0.55})
	}
	part, err := allocate(s, state.Task{ID: "it1/allocate", Iteration: 1, Args: []string{"2"}})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, item := range queue(part.Work[state.WorkRead], 1) {
		order = append(order, item.IDs[0])
		if !slices.Equal(item.Subquestions, []string{"RQ2", "RQ10"}) && !slices.Equal(item.Subquestions, []string{"RQ10", "RQ2"}) {
			t.Errorf("%s is read for %v, want both", item.IDs[0], item.Subquestions)
		}
	}
	if !slices.Equal(order, []string{"doc_0004", "doc_0003"}) {
		t.Errorf("queue = %v, want the two best, best first", order)
	}
	for id, want := range map[string]string{"doc_0003": "read for RQ2", "doc_0004": "read for RQ2", "doc_0002": "the 2 documents of this iteration's reading budget were chosen", "doc_0001": "not read in this iteration"} {
		d := part.Documents[id]
		if chosen := slices.Contains(order, id); (d.Status == state.Selected) != chosen || !strings.Contains(d.Ranked["it1"], want) && !(chosen && strings.Contains(d.Ranked["it1"], "read for RQ10")) {
			t.Errorf("%s is %q: %q, want %q", id, d.Status, d.Ranked["it1"], want)
		}
	}
}

func TestDecideWithoutACritique(t *testing.T) {
	s := corpus(nil)
	part, err := decide(s, state.Task{ID: "it1/decide", Iteration: 1})
	if err != nil || part.Stop == nil || part.Stop.Reason != state.StopNoEvidence || !strings.Contains(part.Stop.Detail, "no critique was produced") {
		t.Errorf("stop = %+v, %v", part.Stop, err)
	}
}

// A task that flow did not make is an error that names it, never a panic.
func TestTasksOfAnotherProgram(t *testing.T) {
	for name, n := range Pure() {
		if slices.Contains([]string{Cluster, Decide}, name) {
			continue // they need nothing
		}
		for _, args := range [][]string{nil, {"x"}} {
			if args != nil && slices.Contains([]string{Apply, Halt, Gate}, name) {
				continue
			}
			_, err := n(corpus(nil), state.Task{ID: "it1/odd", Node: name, Iteration: 1, Args: args})
			if err == nil || !strings.Contains(err.Error(), "it1/odd") && !strings.Contains(err.Error(), "iteration 1") {
				t.Errorf("%s with %v: error = %v", name, args, err)
			}
		}
	}
}

// Pure and Steps name every node once.
func TestEveryNodeIsProvided(t *testing.T) {
	pure := Pure()
	for _, name := range Steps() {
		if pure[name] != nil {
			t.Errorf("%s is both pure and a step", name)
		}
	}
	w := newWorld()
	for _, wave := range w.run(t, w.start()) {
		for _, d := range wave {
			if pure[d.Task.Node] == nil && !slices.Contains(Steps(), d.Task.Node) {
				t.Errorf("nobody provides %s", d.Task.Node)
			}
		}
	}
}
