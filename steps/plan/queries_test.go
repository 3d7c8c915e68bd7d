package plan

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/llmtest"
	"optimistresearch/state"
)

func queries(t *testing.T, s *state.State, script *llmtest.Scripted, limit int, skipped map[string]string, sources ...string) ([]state.Query, state.State) {
	t.Helper()
	task := state.Task{ID: "it1/queries", Node: "queries", Iteration: 1, Args: []string{strconv.Itoa(limit)}}
	part, err := planner(script, skipped, sources...).Queries(context.Background(), s, task)
	if err != nil {
		t.Fatal(err)
	}
	var list []state.Query
	for _, id := range state.SortedIDs(part.Queries) {
		q := part.Queries[id]
		if _, known := s.Queries[id]; known || q.ID != id || q.Iteration != 1 || q.Revision != 0 || q.Outcome != "" || len(q.All) == 0 {
			t.Errorf("%s = %+v", id, q)
		}
		list = append(list, q)
	}
	if len(list) > max(limit, 0) {
		t.Errorf("%d queries at a limit of %d", len(list), limit)
	}
	return list, part
}

// intended has two intents for RQ1, RQ2 and RQ3 each.
func intended() *state.State {
	s := memory()
	part := state.State{Subquestions: map[string]state.Subquestion{}, Intents: map[string]state.Intent{}}
	for i := range 3 {
		q := fmt.Sprintf("RQ%d", i+1)
		part.Subquestions[q] = state.Subquestion{ID: q, Text: "Which?", Priority: 3 - i, Status: state.Open} // RQ3 matters most
		for j := range 2 {
			id := fmt.Sprintf("I%d", 2*i+j+1)
			part.Intents[id] = state.Intent{ID: id, Subquestion: q, Description: "studies " + id, Terms: [][]string{{"agent"}, {"memory", "recall"}, {id}}, Iteration: 1, Status: state.Open}
		}
	}
	s.Merge(&part)
	return s
}

func pairsOf(list []state.Query) string {
	var out []string
	for _, q := range list {
		out = append(out, q.Intent+"/"+q.Source)
	}
	return strings.Join(out, " ")
}

// Every subquestion gets its first intent before any gets its second, the most
// important first; the sources take turns.
func TestQueriesInOrderOfValue(t *testing.T) {
	s := intended()
	s.Settings.Plan.QueriesPerIntent = 2
	list, part := queries(t, s, nil, 100, map[string]string{"semanticscholar": "it has no key"}, "arxiv", "openalex", "pubmed")
	want := "I5/arxiv I5/openalex I3/pubmed I3/arxiv I1/openalex I1/pubmed I6/arxiv I6/openalex I4/pubmed I4/arxiv I2/openalex I2/pubmed"
	if got := pairsOf(list); got != want {
		t.Errorf("queries = %s\nwant      %s", got, want)
	}
	for _, q := range list {
		if q.Written != "" || q.By != llm.Builtin || fmt.Sprint(q.All) != fmt.Sprint(s.Intents[q.Intent].Terms) {
			t.Errorf("query = %+v, want the intent's terms, which the source writes itself", q)
		}
	}
	if call := part.Calls["skip/semanticscholar"]; call.Outcome != state.Skipped || call.Reason != "it has no key" {
		t.Errorf("a skipped source leaves no trace: %+v", part.Calls)
	}
	if len(part.Intents) != 0 {
		t.Errorf("intents were closed: %+v", part.Intents)
	}
	// What does not fit the budget is worth least.
	list, _ = queries(t, s, nil, 3, nil, "arxiv", "openalex", "pubmed")
	if got := pairsOf(list); got != "I5/arxiv I5/openalex I3/pubmed" {
		t.Errorf("three queries = %s", got)
	}
	// More per intent than there are sources is every source once.
	s.Settings.Plan.QueriesPerIntent = 9
	list, _ = queries(t, s, nil, 4, nil, "arxiv", "openalex")
	if got := pairsOf(list); got != "I5/arxiv I5/openalex I3/arxiv I3/openalex" {
		t.Errorf("two sources: %s", got)
	}
	for _, limit := range []int{0, -1} {
		if list, part := queries(t, s, nil, limit, nil, "arxiv"); len(list) != 0 || len(part.Intents) != 0 {
			t.Errorf("limit %d: %+v", limit, part)
		}
	}
	if list, _ := queries(t, s, nil, 9, nil); len(list) != 0 {
		t.Errorf("without a source: %+v", list)
	}
}

// A model's strings are cleaned for their source; a pair that it forgets is
// written from the terms, and what nobody asked for is ignored.
func TestModelWritesQueries(t *testing.T) {
	s := intended()
	s.Settings.Plan.QueriesPerIntent = 2
	script := llmtest.NewScripted(llmtest.JSON(queryAnswer{[]plannedQuery{
		{"I5: studies I5", "arxiv", "all:agent AND all:memory?"},
		{"I5", "source: openalex", "agent memory"},
		{"I3", "arxiv", "???"},
		{"I3", "scopus", "no such source"},
		{"I99", "arxiv", "no such intent"},
		{"I6", "arxiv", "not in these pairs"},
	}}))
	list, part := queries(t, s, script, 4, nil, "arxiv", "openalex")
	var got []string
	for _, q := range list {
		got = append(got, fmt.Sprintf("%s/%s %q %s", q.Intent, q.Source, q.Written, q.By))
	}
	want := []string{`I5/arxiv "all:agent AND all:memory" scripted:test`, `I5/openalex "agent memory" scripted:test`, `I3/arxiv "" builtin`, `I3/openalex "" builtin`}
	if !slices.Equal(got, want) {
		t.Errorf("queries = %q\nwant      %q", got, want)
	}
	if part.Ledger["it1/queries"].Models["query"].Calls != 1 || len(part.Degradations) != 0 {
		t.Errorf("ledger = %+v", part.Ledger)
	}
	if user := script.Calls()[0].User; !strings.Contains(user, "I3 for openalex\n") || !strings.Contains(user, "terms: agent; memory OR recall; I3") || strings.Contains(user, "I1") {
		t.Errorf("prompt:\n%s", user)
	}
}

func TestQueriesFallback(t *testing.T) {
	want, _ := queries(t, intended(), nil, 6, nil, "arxiv")
	list, part := queries(t, intended(), llmtest.NewScripted(llmtest.Fail(llm.Refused)), 6, nil, "arxiv")
	if fmt.Sprint(list) != fmt.Sprint(want) || len(part.Degradations) != 1 || part.Ledger["it1/queries"].Models["query"].Failed != 1 {
		t.Errorf("queries = %+v, degradations = %+v", list, part.Degradations)
	}
}

// A string is sent to a source once; an intent that gives nothing new is
// closed.
func TestQueriesAreNotRepeated(t *testing.T) {
	s := intended()
	s.Merge(&state.State{Queries: map[string]state.Query{
		"Q7": {ID: "Q7", Source: "arxiv", Written: "Agent Memory", Intent: "I1"},
		"Q8": {ID: "Q8", Source: "arxiv", All: s.Intents["I3"].Terms, Intent: "I1"},
	}})
	script := llmtest.NewScripted(llmtest.JSON(queryAnswer{[]plannedQuery{
		{"I5", "arxiv", "agent memory"}, // sent before, in another case
		{"I1", "arxiv", "memory of agents"},
		{"I6", "arxiv", "memory of agents"}, // the same in this list
	}}))
	list, part := queries(t, s, script, 6, nil, "arxiv")
	if got := pairsOf(list); got != "I1/arxiv I4/arxiv I2/arxiv" || list[0].ID != "Q9" {
		t.Errorf("queries = %s from %s", got, list[0].ID)
	}
	if got := state.Keys(part.Intents); !slices.Equal(got, []string{"I3", "I5", "I6"}) {
		t.Errorf("closed intents = %v, want I3, I5 and I6", got)
	}
	s.Merge(&part)
	if s.Intents["I5"].Status != state.Closed {
		t.Error("the closed intent does not replace the open one")
	}
}

// A query that was sent before takes nothing of the limit.
func TestRepeatedQueriesMakeRoom(t *testing.T) {
	s := intended()
	s.Merge(&state.State{Queries: map[string]state.Query{
		"Q1": {ID: "Q1", Source: "arxiv", All: s.Intents["I5"].Terms, Intent: "I9"},
		"Q2": {ID: "Q2", Source: "arxiv", All: s.Intents["I3"].Terms, Intent: "I9"},
	}})
	list, part := queries(t, s, nil, 3, nil, "arxiv")
	if got := pairsOf(list); got != "I1/arxiv I6/arxiv I4/arxiv" {
		t.Errorf("queries = %s", got)
	}
	if got := state.Keys(part.Intents); !slices.Equal(got, []string{"I3", "I5"}) {
		t.Errorf("closed intents = %v, want I3 and I5; I2 had no turn", got)
	}
}

// What the budget left without a query is taken up in the next iteration,
// after what that iteration asks for itself.
func TestUnsearchedIntentsAreCarriedOver(t *testing.T) {
	s := intended()
	s.Settings.Plan.QueriesPerIntent = 1
	list, part := queries(t, s, nil, 3, nil, "arxiv")
	if got := pairsOf(list); got != "I5/arxiv I3/arxiv I1/arxiv" {
		t.Fatalf("first iteration: %s", got)
	}
	s.Merge(&part)
	s.Merge(&state.State{Intents: map[string]state.Intent{
		"I7": {ID: "I7", Subquestion: "RQ2", Description: "studies I7", Terms: [][]string{{"x"}}, Iteration: 2, Status: state.Open, Origin: state.FromCritic},
		"I2": {ID: "I2", Revision: 1, Subquestion: "RQ1", Description: "studies I2", Iteration: 1, Status: state.Closed},
	}})
	task := state.Task{ID: "it2/queries", Node: "queries", Iteration: 2, Args: []string{"9"}}
	part, err := planner(nil, nil, "arxiv").Queries(context.Background(), s, task)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, id := range state.SortedIDs(part.Queries) {
		got = append(got, part.Queries[id].Intent)
	}
	if want := []string{"I6", "I7", "I4"}; !slices.Equal(got, want) {
		t.Errorf("second iteration searches %v, want %v: I4 and I6 had no query, I2 was closed", got, want)
	}
	s.Merge(&part)
	if part, err = planner(nil, nil, "arxiv").Queries(context.Background(), s, state.Task{ID: "it3/queries", Iteration: 3, Args: []string{"9"}}); err != nil || len(part.Queries) != 0 {
		t.Errorf("third iteration: %+v, %v; nothing is left", part.Queries, err)
	}
	if l := listIntents(intended()); !strings.Contains(l, "I1 (RQ1, not searched yet, but planned)") {
		t.Errorf("a model is told of unsearched intents as searched:\n%s", l)
	}
}

// An intent in words alone is searched by the question's and its own words.
func TestQueriesOfAnIntentWithoutTerms(t *testing.T) {
	s := memory()
	s.Merge(&state.State{
		Subquestions: map[string]state.Subquestion{"RQ1": {ID: "RQ1", Priority: 1, Status: state.Open}},
		Intents:      map[string]state.Intent{"I1": {ID: "I1", Subquestion: "RQ1", Description: "studies of forgetting curves", Iteration: 1, Status: state.Open, Origin: state.FromCritic}},
	})
	list, _ := queries(t, s, nil, 1, nil, "arxiv")
	words := fmt.Sprint(list[0].All)
	for _, want := range []string{"agent", "memory", "forgetting"} {
		if !strings.Contains(words, want) {
			t.Errorf("searches for %s, without %q", words, want)
		}
	}
}
