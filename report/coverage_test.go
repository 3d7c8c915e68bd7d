package report

import (
	"fmt"
	"strings"
	"testing"

	"optimistresearch/state"
)

// searches makes queries of one source with one outcome.
func searches(s *state.State, source string, outcome state.Outcome, n int) {
	for range n {
		id := fmt.Sprint("Q", len(s.Queries)+1)
		s.Queries[id] = state.Query{ID: id, Revision: 1, Source: source, Intent: "I1", Iteration: 1, Outcome: outcome, Total: -1}
	}
}

func TestUnanswered(t *testing.T) {
	for name, c := range map[string]struct {
		hits, zero, down, skipped map[string]int
		want                      string
	}{
		"none failed":           {hits: map[string]int{"arxiv": 3}, zero: map[string]int{"pubmed": 3}},
		"a few":                 {hits: map[string]int{"arxiv": 3, "pubmed": 2}, down: map[string]int{"pubmed": 1}},
		"skipped is not failed": {hits: map[string]int{"arxiv": 1}, skipped: map[string]int{"pubmed": 9}},
		"most": {hits: map[string]int{"arxiv": 3, "crossref": 1}, down: map[string]int{"crossref": 9, "pubmed": 20},
			want: "29 of 33 searches failed (crossref 9 of 10, pubmed 20 of 20). The review rests on records of arxiv and crossref only; what the searches without an answer would have found is not known."},
		"half": {hits: map[string]int{"arxiv": 2}, down: map[string]int{"arxiv": 2},
			want: "2 of 4 searches failed (arxiv 2 of 4). The review rests on records of arxiv and crossref only"},
		"a whole source": {hits: map[string]int{"arxiv": 9}, down: map[string]int{"pubmed": 4},
			want: "Every search of pubmed (4) failed, 4 of 13 in all. The review rests on"},
		"one": {down: map[string]int{"arxiv": 1}, want: "The one search that was sent failed (arxiv)."},
		"all": {down: map[string]int{"arxiv": 2, "pubmed": 1}, want: "All 3 searches failed (arxiv 2 of 2, pubmed 1 of 1)."},
	} {
		s := fixture(t)
		s.Queries = map[string]state.Query{}
		for outcome, m := range map[state.Outcome]map[string]int{state.Hits: c.hits, state.ZeroHits: c.zero, state.Down: c.down, state.Skipped: c.skipped} {
			for source, n := range m {
				searches(s, source, outcome, n)
			}
		}
		got := Unanswered(s)
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		files := render(t, s)
		for _, page := range []string{"report.md", "README.md"} {
			top, _, _ := strings.Cut(files[page], "\n*Scope")
			if said := strings.Contains(top, "> **Searches failed.** "); said != (c.want != "") {
				t.Errorf("%s: the top of %s says so: %v", name, page, said)
			}
		}
	}
	s := fixture(t)
	s.Records = nil
	s.Queries = map[string]state.Query{}
	searches(s, "arxiv", state.Throttled, 2)
	if got := Unanswered(s); got != "All 2 searches failed (arxiv 2 of 2). Nothing was found elsewhere; what the searches without an answer would have found is not known." {
		t.Error(got)
	}
}

// Lists of which only the beginning was looked at are named as a limitation.
func TestCutLists(t *testing.T) {
	s := fixture(t)
	s.Queries = map[string]state.Query{}
	add := func(source string, total, hits, skipped int) {
		id := fmt.Sprint("Q", len(s.Queries)+1)
		s.Queries[id] = state.Query{ID: id, Source: source, Outcome: state.Hits, Total: total, Hits: hits, Skipped: skipped}
	}
	cut := func() string {
		v, err := newView(s)
		if err != nil {
			t.Fatal(err)
		}
		return v.cutLists()
	}
	add("arxiv", 25, 24, 1)
	add("pubmed", 3, 3, 0)
	add("crossref", -1, 7, 0)
	if got := cut(); got != "" {
		t.Errorf("nothing was cut: %q", got)
	}
	add("arxiv", 12_345, 24, 1)
	add("arxiv", 655, 25, 0)
	add("openalex", -1, 25, 0)
	want := "Cut short were arxiv: 2 of 3 lists with 13,000 hits, of which 50 were looked at; openalex: perhaps 1 of 1 list, since the source gave no total. What stands further down was not seen."
	if got := cut(); !strings.Contains(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	s.Settings.Snowball.CandidatesLimit = 2
	if got := cut(); !strings.Contains(got, "1 citation list was as long as may be taken from one, 2 records") {
		t.Error(got)
	}
	if r := render(t, s)["report.md"]; !strings.Contains(r, want) {
		t.Error("the limitations do not say so")
	}
}

// The day of a search is that of its answers; of none it is not known.
func TestSearchesAreDated(t *testing.T) {
	s := fixture(t)
	files := render(t, s)
	for name, want := range map[string][]string{
		"report.md":      {"| Q1 | arxiv | 2026-03-01 |", "| Q2 | crossref | 2026-03-02 |", "| Q3 | arxiv | – |", "| crossref | 1 | 2026-03-02 |"},
		"search-log.md":  {"- Searched on: 2026-03-02", "| crossref | references | 2026-03-02 | hits |"},
		"search-log.csv": {"searched_on", "Q1,arxiv,1,RQ1,I1,", ",0,2026-03-01,hits,,1234,3,0\n", ",1,2026-03-02,hits,,7,3,1\n", ",0,,throttled,"},
	} {
		for _, w := range want {
			if !strings.Contains(files[name], w) {
				t.Errorf("%s does not hold %q:\n%s", name, w, files[name])
			}
		}
	}
}

// Many failures of one source for one reason are one row.
func TestFailuresOfASourceAreOneRow(t *testing.T) {
	s := fixture(t)
	s.Degradations, s.Calls = map[string]state.Degradation{}, map[string]state.SourceCall{}
	fail := func(step, subject, call, source, reason string) {
		s.Calls[call] = state.SourceCall{ID: call, Source: source, Operation: step, Subject: strings.Split(subject, "|")[0], Outcome: state.Down, Reason: reason}
		d := state.NewDegradation(state.Degradation{Iteration: 1, Step: step, Subject: subject, Kind: "down", Reason: reason, Fallback: "what " + source + " holds for this query is not known"})
		s.Degradations[d.ID] = d
	}
	for i := range 29 {
		q := fmt.Sprint("Q", i+2)
		fail("search", q, "search/"+q, "pubmed", fmt.Sprintf("pubmed: search %s: HTTP 503 after 5 attempts in %d.2s", q, i))
	}
	fail("search", "Q40", "search/Q40", "pubmed", "pubmed: search Q40: HTTP 500 after 5 attempts in 1s")
	fail("search", "Q41", "search/Q41", "crossref", "crossref: search Q41: HTTP 503 after 5 attempts in 1s")
	for i := range 3 {
		doc := fmt.Sprintf("doc_%04d", i+1)
		fail("expand", doc+"|backward", "backward/"+doc, "openalex", fmt.Sprintf("openalex: references of %s: HTTP 503", []string{"arxiv 2507.07957", "DOI 10.18653/v1/2025.acl-long.9", "W2741809807"}[i]))
	}
	_, table, _ := strings.Cut(render(t, s)["report.md"], "## What fell back or failed")
	table, _, _ = strings.Cut(table, "\n## ")
	if n := strings.Count(table, "\n| ") - 2; n != 4 {
		t.Errorf("%d rows, want 4:\n%s", n, table)
	}
	for _, w := range []string{"| search | pubmed | down | pubmed: search Q2: HTTP 503", "| Q2 and 28 others | 29 |", "| Q40 | 1 |", "| search | crossref |", "| expand | openalex |", `| doc_0001\|backward and 2 others | 3 |`} {
		if !strings.Contains(table, w) {
			t.Errorf("the table does not hold %q:\n%s", w, table)
		}
	}
}
