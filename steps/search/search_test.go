package search

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/state"
)

// service is a source of words: a group is written (a OR b), a phrase quoted.
type service struct {
	name   string
	sent   []sources.Request
	answer func(query string) (sources.Result, error)
}

func (s *service) Name() string { return s.name }

func (s *service) Write(e sources.Expr) string {
	var parts []string
	for _, g := range e.All {
		var terms []string
		for _, t := range g {
			if strings.Contains(t, " ") {
				t = `"` + t + `"`
			}
			terms = append(terms, t)
		}
		part := strings.Join(terms, " OR ")
		if len(terms) > 1 {
			part = "(" + part + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " AND ")
}

// Clean does as OpenAlex needs it (R15).
func (s *service) Clean(q string) string {
	return strings.TrimSpace(strings.NewReplacer("?", "", "*", "", "’", "'").Replace(q))
}

func (s *service) Search(_ context.Context, r sources.Request) (sources.Result, error) {
	s.sent = append(s.sent, r)
	return s.answer(r.Query)
}

func (s *service) queries() []string {
	var out []string
	for _, r := range s.sent {
		out = append(out, r.Query)
	}
	return out
}

func hits(titles ...string) sources.Result {
	r := sources.Result{Total: len(titles), Raw: "raw", Credits: 10}
	for i, t := range titles {
		r.Records = append(r.Records, state.Record{Key: fmt.Sprintf("openalex:W%d", i+1), Source: "openalex", Title: t})
	}
	return r
}

func zero() sources.Result { return sources.Result{Credits: 10, Requests: []string{"h"}} }

var task = state.Task{ID: "it1/search/Q7", Node: "search", Iteration: 1, Args: []string{"Q7"}}

func plan(q state.Query) *state.State {
	set := state.DefaultSettings()
	set.SinceYear = 2020
	s := state.New(state.Question{Text: "memory of agents", Year: 2026}, set)
	q.ID, q.Iteration, q.Intent, q.Source = "Q7", 1, "I3", "openalex"
	s.Merge(&state.State{
		Intents: map[string]state.Intent{"I3": {ID: "I3", Subquestion: "RQ2"}},
		Queries: map[string]state.Query{"Q7": q},
	})
	return s
}

func run(t *testing.T, src *service, s *state.State) state.State {
	t.Helper()
	part, err := New([]sources.Source{src}, nil).Run(context.Background(), s, task)
	if err != nil {
		t.Fatal(err)
	}
	return part
}

func TestHits(t *testing.T) {
	src := &service{name: "openalex", answer: func(string) (sources.Result, error) {
		r := hits("MemGPT", "Reflexion")
		r.Total, r.Skips, r.Notes = 812, []state.Skip{{Reason: "no title", Count: 2, Sample: "W9"}}, []string{"retried an empty page"}
		return r, nil
	}}
	part := run(t, src, plan(state.Query{Written: "agent memory?", All: [][]string{{"agent"}, {"memory"}}}))
	want := sources.Request{Query: "agent memory", SinceYear: 2020, Limit: 25, Op: "search Q7"}
	if len(src.sent) != 1 || !reflect.DeepEqual(src.sent[0], want) {
		t.Errorf("sent %+v, want %+v: cleaned, with the limits of the question", src.sent, want)
	}
	q := part.Queries["Q7"]
	if q.Outcome != state.Hits || q.Total != 812 || q.Hits != 2 || q.Skipped != 2 || q.Sent != "agent memory" || q.Written != "agent memory" || q.Rung != 0 || q.Rungs != nil || q.Revision != 1 {
		t.Errorf("query = %+v", q)
	}
	call := part.Calls["search/Q7"]
	if call.Outcome != state.Hits || call.Records != 2 || call.Skipped[0].Count != 2 || call.Reason != "retried an empty page" || call.Raw != "raw" {
		t.Errorf("call = %+v", call)
	}
	p := part.Records["openalex:W2"].Seen["openalex|Q7"]
	if want := (state.Provenance{Source: "openalex", Via: state.ViaSearch, Subquestion: "RQ2", Intent: "I3", Query: "Q7", Rank: 2, Round: 100, Raw: "raw"}); p != want {
		t.Errorf("provenance = %+v, want %+v", p, want)
	}
	if sp := part.Ledger[task.ID]; sp.Searches != 1 || sp.Credits["openalex"] != 10 {
		t.Errorf("ledger = %+v", sp)
	}
	if len(part.Degradations) != 0 {
		t.Errorf("degradations = %+v", part.Degradations)
	}
}

// R18: zero hits in a healthy source climbs the ladder, each rung recorded, as
// one search operation.
func TestZeroHitsClimbTheLadder(t *testing.T) {
	all := [][]string{{"agent"}, {"long-term memory store"}, {"benchmark", "data set"}}
	forms := []state.Rung{
		{Sent: `agent AND "long-term memory store" AND (benchmark OR "data set")`, Change: "as written"},
		{Sent: `agent AND (benchmark OR "data set")`, Change: "without the concept “long-term memory store”, the rarest"},
		{Sent: `(agent OR memory)`, Change: "any of the core terms"},
	}
	for answering := range 4 {
		for rungs := range 4 {
			src := &service{name: "openalex"}
			src.answer = func(string) (sources.Result, error) {
				if len(src.sent) == answering+1 {
					return hits("MemGPT"), nil
				}
				return zero(), nil
			}
			s := plan(state.Query{All: all})
			s.Settings.Search.Rungs = rungs
			part := run(t, src, s)
			q := part.Queries["Q7"]
			sent := min(answering+1, rungs+1, len(forms))
			if len(src.sent) != sent {
				t.Errorf("hits on form %d, %d rungs: sent %q", answering, rungs, src.queries())
				continue
			}
			want := slices.Clone(forms[:sent])
			found := answering < sent
			if found {
				want[sent-1].Total = 1
			}
			if sent == 1 {
				want = nil
			}
			if !slices.Equal(q.Rungs, want) || q.Rung != sent-1 || q.Sent != forms[sent-1].Sent || q.Written != forms[0].Sent {
				t.Errorf("hits on form %d, %d rungs: query = %+v", answering, rungs, q)
			}
			if outcome := map[bool]state.Outcome{true: state.Hits, false: state.ZeroHits}[found]; q.Outcome != outcome || part.Calls["search/Q7"].Outcome != outcome {
				t.Errorf("hits on form %d, %d rungs: outcome %s, want %s", answering, rungs, q.Outcome, outcome)
			}
			if sp := part.Ledger[task.ID]; sp.Searches != 1 || sp.Credits["openalex"] != 10*sent {
				t.Errorf("hits on form %d, %d rungs: ledger = %+v, want one search and the credit of all forms", answering, rungs, sp)
			}
		}
	}
}

// Phrases are loosened on a rung of their own where that says something new.
func TestPhrasesAreLoosened(t *testing.T) {
	src := &service{name: "openalex", answer: func(string) (sources.Result, error) { return zero(), nil }}
	q := run(t, src, plan(state.Query{All: [][]string{{"large language model"}, {"language agent"}, {"hippocampus"}}})).Queries["Q7"]
	want := []string{
		`"large language model" AND "language agent" AND hippocampus`,
		`"language agent" AND hippocampus`,
		`language AND agent AND hippocampus`,
		// "agent", the only word of the question, is not worth sending
	}
	if !slices.Equal(src.queries(), want) || q.Outcome != state.ZeroHits || len(q.Rungs) != 4 || q.Rung != 2 {
		t.Errorf("sent %q, want %q; %+v", src.queries(), want, q)
	}
}

// A service without OR takes the first alternative: its last rung would be one
// common word, which finds anything. It is not sent, and the record says so;
// a question that is one word still gets it.
func TestOneCommonWordIsNotSent(t *testing.T) {
	first := func(e sources.Expr) string {
		var out []string
		for _, g := range e.All {
			out = append(out, g[0])
		}
		return strings.Join(out, " ")
	}
	src := &ranked{service{name: "semanticscholar", answer: func(string) (sources.Result, error) { return zero(), nil }}, first}
	q := runOn(t, src, plan(state.Query{All: [][]string{{"agent"}, {"memory"}, {"benchmark", "data set"}}}))
	want := []state.Rung{
		{Sent: "agent memory benchmark", Change: "as written"},
		{Sent: "agent memory", Change: "without the concept “benchmark / data set”, the rarest"},
		{Change: "any of the core terms: not sent, since all that semanticscholar would look for is the word “agent”", Total: -1},
	}
	if !slices.Equal(src.queries(), []string{"agent memory benchmark", "agent memory"}) || !slices.Equal(q.Rungs, want) || q.Rung != 1 || q.Sent != "agent memory" {
		t.Errorf("sent %q; rung %d of %+v", src.queries(), q.Rung, q.Rungs)
	}

	src.sent = nil
	s := plan(state.Query{All: [][]string{{"mnemonics"}, {"benchmark"}}})
	s.Question.Text = "recent research in mnemonics"
	if runOn(t, src, s); !slices.Equal(src.queries(), []string{"mnemonics benchmark", "mnemonics"}) {
		t.Errorf("a question of one word: sent %q", src.queries())
	}
}

// ranked is a service with a dialect of its own.
type ranked struct {
	service
	write func(sources.Expr) string
}

func (r *ranked) Write(e sources.Expr) string { return r.write(e) }

func runOn(t *testing.T, src sources.Source, s *state.State) state.Query {
	t.Helper()
	q := s.Queries["Q7"]
	q.Source = src.Name()
	s.Queries["Q7"] = q
	part, err := New([]sources.Source{src}, nil).Run(context.Background(), s, task)
	if err != nil {
		t.Fatal(err)
	}
	return part.Queries["Q7"]
}

// The rarest term is the one that the corpus of the rounds before uses least;
// what the queries of this round brought, in whatever order, does not count.
func TestTheRarestTermOfEarlierRounds(t *testing.T) {
	s := plan(state.Query{})
	q := s.Queries["Q7"]
	q.Iteration, q.All = 2, [][]string{{"agent"}, {"memory"}, {"forgetting"}}
	s.Queries["Q7"] = q
	put := func(key, title string, round int) {
		p := state.Provenance{Source: "arxiv", Query: key, Round: round}
		s.Merge(&state.State{Records: map[string]state.Record{key: {Key: key, Source: "arxiv", Title: title, Seen: map[string]state.Provenance{p.Key(): p}}}})
	}
	put("arxiv:1", "Memory and forgetting", 100)
	put("arxiv:2", "Agent memory", 101)
	put("arxiv:3", "Forgetting in agent memory", 103)
	put("arxiv:4", "Forgetting memory", 100)
	rungs := func() []string {
		src := &service{name: "openalex", answer: func(string) (sources.Result, error) { return zero(), nil }}
		run(t, src, s)
		return src.queries()
	}
	before := rungs()
	if before[1] != "memory AND forgetting" { // agent is in two, the others in three and four
		t.Errorf("sent %q, want the agent dropped", before)
	}
	for i := range 5 { // siblings of this round are stored first
		put(fmt.Sprintf("arxiv:9%d", i), "Agent of the state", 200)
	}
	if after := rungs(); !slices.Equal(after, before) {
		t.Errorf("after an interruption it sends %q, before %q", after, before)
	}
}

// R20: a failure ends the climb. It is never zero hits, and the report can
// tell.
func TestFailureIsNotZeroHits(t *testing.T) {
	for _, c := range []struct {
		outcome state.Outcome
		at      int // which form fails
	}{{state.Throttled, 0}, {state.Refused, 0}, {state.Broken, 0}, {state.Down, 0}, {state.Throttled, 1}, {state.Down, 2}} {
		src := &service{name: "openalex"}
		src.answer = func(string) (sources.Result, error) {
			if len(src.sent) == c.at+1 {
				return sources.Result{Requests: []string{"h"}}, &sources.Error{Source: "openalex", Op: "search Q7", Outcome: c.outcome, Err: errors.New("HTTP 4xx")}
			}
			return zero(), nil
		}
		part := run(t, src, plan(state.Query{All: [][]string{{"agent"}, {"memory"}, {"forgetting"}}}))
		q, call := part.Queries["Q7"], part.Calls["search/Q7"]
		if len(src.sent) != c.at+1 {
			t.Errorf("%s on form %d: goes on with %q", c.outcome, c.at, src.queries())
		}
		if q.Outcome != c.outcome || call.Outcome != c.outcome || q.Total != -1 || q.Reason == "" || q.Revision != 1 || len(q.Rungs) != c.at || len(call.Requests) != c.at+1 {
			t.Errorf("%s on form %d: query %+v, call %+v", c.outcome, c.at, q, call)
		}
		if len(part.Degradations) != 1 || part.Ledger[task.ID].Searches != 1 {
			t.Errorf("%s: degradations %+v, ledger %+v", c.outcome, part.Degradations, part.Ledger)
		}
		for _, d := range part.Degradations {
			if d.Kind != string(c.outcome) || d.Subject != "Q7" || d.Step != "search" {
				t.Errorf("degradation = %+v", d)
			}
		}
	}
}

// A page that came before a failure is kept.
func TestAPartOfAnAnswerIsKept(t *testing.T) {
	src := &service{name: "openalex", answer: func(string) (sources.Result, error) {
		return hits("MemGPT"), &sources.Error{Source: "openalex", Op: "search", Outcome: state.Throttled}
	}}
	part := run(t, src, plan(state.Query{Written: "x"}))
	if q := part.Queries["Q7"]; len(part.Records) != 1 || q.Hits != 1 || q.Outcome != state.Throttled {
		t.Errorf("records %v, query %+v", part.Records, q)
	}
}

// An answer whose records can't be used is not an empty answer: nothing is
// relaxed, and the skips are told.
func TestSkippedRecordsAreNotZeroHits(t *testing.T) {
	src := &service{name: "openalex", answer: func(string) (sources.Result, error) {
		return sources.Result{Total: 3, Skips: []state.Skip{{Reason: "no title", Count: 2}, {Reason: "broken record", Count: 1}}}, nil
	}}
	part := run(t, src, plan(state.Query{All: [][]string{{"agent"}, {"memory"}}}))
	q := part.Queries["Q7"]
	if len(src.sent) != 1 || q.Outcome != state.Hits || part.Calls["search/Q7"].Outcome != state.Hits || q.Hits != 0 || q.Skipped != 3 || q.Total != 3 {
		t.Errorf("sent %q, query = %+v", src.queries(), q)
	}
}

// A source that is not used is skipped with its reason, at no cost.
func TestSkippedSource(t *testing.T) {
	for _, c := range []struct {
		skipped map[string]string
		want    string
	}{{map[string]string{"openalex": "it has no key"}, "it has no key"}, {nil, "the source is not enabled"}} {
		part, err := New(nil, c.skipped).Run(context.Background(), plan(state.Query{Written: "x"}), task)
		if err != nil {
			t.Fatal(err)
		}
		q, call := part.Queries["Q7"], part.Calls["search/Q7"]
		if q.Outcome != state.Skipped || q.Reason != c.want || q.Total != -1 || q.Revision != 1 || call.Outcome != state.Skipped || call.Reason != c.want || len(part.Ledger) != 0 {
			t.Errorf("query = %+v, call = %+v, ledger = %+v", q, call, part.Ledger)
		}
	}
}

// A query that a person or a model wrote as a string has relaxed forms too.
func TestLadderOfAWrittenQuery(t *testing.T) {
	for _, c := range []struct {
		name    string
		written string
		all     [][]string
		want    []string
	}{
		{"operators and fields are not terms", `ti:"language agent" AND (memory OR forgetting) ANDNOT hippocampus`, nil,
			[]string{`ti:"language agent" AND (memory OR forgetting) ANDNOT hippocampus`, `(memory OR forgetting)`, `(agent OR memory OR forgetting)`}},
		{"what is excluded is not asked for", `memory AND NOT ("working memory" OR rodent) AND agent`, nil,
			[]string{`memory AND NOT ("working memory" OR rodent) AND agent`, "agent", "(memory OR agent)"}},
		{"a word twice", "memory agent memory", nil, []string{"memory agent memory", "agent", "(memory OR agent)"}},
		{"one word", "mnemonics", nil, []string{"mnemonics"}},
		{"nothing left of it", "??", [][]string{{"agent"}, {"memory"}}, []string{"agent AND memory", "agent", "(agent OR memory)"}},
		{"an empty group", "", [][]string{{}, {"agent"}, {}}, []string{"agent"}},
		{"nothing at all", "*", nil, []string{""}},
		{"an open quote", `"agent memory`, nil, []string{`"agent memory`, `agent AND memory`, `(agent OR memory)`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := plan(state.Query{Written: c.written, All: c.all})
			var got []string
			for _, f := range ladder(&service{}, s.Queries["Q7"], s) {
				got = append(got, f.query)
			}
			if len(got) > 4 || !slices.Equal(got[:1], c.want[:1]) || !slices.Equal(got, c.want) {
				t.Errorf("ladder = %q, want %q", got, c.want)
			}
		})
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	src := &service{name: "openalex", answer: func(string) (sources.Result, error) {
		cancel()
		return sources.Result{}, &sources.Error{Source: "openalex", Op: "search", Outcome: state.Down, Err: context.Canceled}
	}}
	part, err := New([]sources.Source{src}, nil).Run(ctx, plan(state.Query{Written: "x"}), task)
	if !errors.Is(err, context.Canceled) || len(part.Queries) != 0 {
		t.Errorf("part = %+v, error = %v; an interruption is no outcome", part, err)
	}
}

func TestUnknownQuery(t *testing.T) {
	_, err := New(nil, nil).Run(context.Background(), plan(state.Query{}), state.Task{ID: "it1/search/Q8", Args: []string{"Q8"}})
	if err == nil || !strings.Contains(err.Error(), "Q8 is not in the plan") {
		t.Errorf("error = %v", err)
	}
}
