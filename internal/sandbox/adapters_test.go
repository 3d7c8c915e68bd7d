package sandbox_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/sandbox"
	"optimistresearch/sources"
	"optimistresearch/sources/all"
	"optimistresearch/sources/arxiv"
	"optimistresearch/state"
)

// library is the built-in one, loaded once for all tests.
var library = sync.OnceValues(sandbox.Builtin)

// open starts a sandbox and gives the program's own adapters in front of it.
func open(t *testing.T, opts sandbox.Options) (*sandbox.Server, func(name string) sources.Source) {
	t.Helper()
	lib, err := library()
	if err != nil {
		t.Fatal(err)
	}
	opts.Library = lib
	server, err := sandbox.Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	client, err := fetch.New(fetch.Options{Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server, func(name string) sources.Source {
		if name == sandbox.ArXiv { // without its pause before an empty page is asked for again
			return arxiv.New(client, arxiv.Config{Base: server.URL(name), Pause: -1})
		}
		s, err := all.Build(client, name, all.Config{Base: server.URL(name), Contact: "librarian@example.org"})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func TestAdaptersSearch(t *testing.T) {
	_, source := open(t, sandbox.Options{})
	least := map[string]int{sandbox.ArXiv: 20, sandbox.OpenAlex: 20, sandbox.Crossref: 10, sandbox.PubMed: 5, sandbox.SemanticScholar: 20, sandbox.EuropePMC: 5}
	for _, name := range sandbox.Sources() {
		t.Run(name, func(t *testing.T) {
			s := source(name)
			query := s.Write(sources.Expr{All: [][]string{{"memory"}, {"agent", "agents", "hippocampus", "model", "models", "retrieval"}}})
			got, err := s.Search(t.Context(), sources.Request{Query: query, Limit: 300, Op: "search Q1"})
			if err != nil {
				t.Fatalf("%q: %v", query, err)
			}
			if len(got.Records) < least[name] || len(got.Records) != min(got.Total, 300) {
				t.Fatalf("%q gave %d records of %d, at least %d expected; notes %q, skips %v", query, len(got.Records), got.Total, least[name], got.Notes, got.Skips)
			}
			if len(got.Skips) > 0 {
				t.Errorf("records were skipped: %v", got.Skips)
			}
			synopses := 0
			for _, r := range got.Records {
				if strings.HasPrefix(r.Abstract, "[Synopsis]") || r.Abstract != "" && !r.Synopsis {
					t.Errorf("%s: the synopsis was not recognised: %.60q", r.Key, r.Abstract)
				}
				if r.Synopsis {
					synopses++
				}
				if len(r.IDs) == 0 {
					t.Errorf("%s has no identifier", r.Key)
				}
			}
			if synopses < len(got.Records)/5 {
				t.Errorf("%d of %d records have a synopsis", synopses, len(got.Records))
			}
		})
	}
}

func TestAdaptersZeroHits(t *testing.T) {
	_, source := open(t, sandbox.Options{})
	for _, name := range sandbox.Sources() {
		s := source(name)
		got, err := s.Search(t.Context(), sources.Request{Query: s.Write(sources.Expr{All: [][]string{{"zzqqxx"}}}), Limit: 10, Op: "search Q1"})
		if err != nil || len(got.Records) != 0 || got.Total != 0 {
			t.Errorf("%s: %d records of %d, error %v", name, len(got.Records), got.Total, err)
		}
	}
}

func TestAdaptersYears(t *testing.T) {
	_, source := open(t, sandbox.Options{})
	for _, name := range sandbox.Sources() {
		s := source(name)
		got, err := s.Search(t.Context(), sources.Request{Query: s.Write(sources.Expr{All: [][]string{{"memory"}}}), SinceYear: 2001, UntilYear: 2016, Limit: 100, Op: "search Q1"})
		if err != nil || len(got.Records) == 0 {
			t.Errorf("%s: %d records, error %v", name, len(got.Records), err)
		}
		for _, r := range got.Records {
			if r.Year < 2001 || r.Year > 2016 {
				t.Errorf("%s: %s is of %d", name, r.Key, r.Year)
			}
		}
	}
}

func TestAdaptersLookup(t *testing.T) {
	_, source := open(t, sandbox.Options{})
	asked := []state.IDs{
		{state.ArXiv: "2304.03442", state.DOI: "10.1145/3586183.3606763"}, {state.DOI: "10.1038/nature04533"}, {state.PMID: "11992015", state.DOI: "10.1101/lm.41302"},
		{state.ArXiv: "2310.08560"}, {state.DOI: "10.9999/unknown"},
	}
	want := map[string][]string{
		sandbox.ArXiv:    {"Generative Agents: Interactive Simulacra of Human Behavior", "MemGPT: Towards LLMs as Operating Systems"},
		sandbox.Crossref: {"Generative Agents", "A specific amyloid-β", "Hippocampal Damage"},
		sandbox.PubMed:   {"A specific amyloid-β", "Hippocampal Damage"},
		sandbox.OpenAlex: {"Generative Agents", "A specific amyloid-β", "Hippocampal Damage", "MemGPT"},
	}
	want[sandbox.SemanticScholar] = want[sandbox.OpenAlex]
	want[sandbox.EuropePMC] = want[sandbox.PubMed]
	for name, titles := range want {
		r, ok := source(name).(sources.Resolver)
		if !ok {
			t.Errorf("%s cannot look up", name)
			continue
		}
		got, err := r.Lookup(t.Context(), asked)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, title := range titles {
			if !slices.ContainsFunc(got.Records, func(r state.Record) bool { return strings.HasPrefix(strings.ToLower(r.Title), strings.ToLower(title)) }) {
				t.Errorf("%s: %q was not found among %d records", name, title, len(got.Records))
			}
		}
		for _, r := range got.Records {
			if strings.HasPrefix(strings.ToLower(r.Title), "a specific amyloid") && name != sandbox.SemanticScholar {
				if r.Retraction == nil || r.Retraction.Status != state.RetractRetracted {
					t.Errorf("%s does not say that the work is retracted: %+v", name, r.Retraction)
				}
			}
		}
	}
}

func TestAdaptersCitations(t *testing.T) {
	_, source := open(t, sandbox.Options{})
	rats := sources.Seed{IDs: map[string][]string{state.DOI: {"10.1002/hipo.22165"}, state.PMID: {"23836525"}},
		Title: "Lateral entorhinal cortex is necessary for associative but not nonassociative recognition memory", Year: 2013}
	survey := sources.Seed{IDs: map[string][]string{state.ArXiv: {"2512.13564"}}, Title: "Memory in the Age of AI Agents", Year: 2025}
	react := sources.Seed{IDs: map[string][]string{state.ArXiv: {"2210.03629"}}, Title: "ReAct: Synergizing Reasoning and Acting in Language Models", Year: 2022}
	cases := []struct {
		name       string
		seed       sources.Seed
		references int
		citing     int // −1 = not asked
	}{
		{sandbox.OpenAlex, rats, 4, 0}, {sandbox.PubMed, rats, 4, 0}, {sandbox.EuropePMC, rats, 4, 0}, {sandbox.Crossref, rats, 1, -1}, {sandbox.SemanticScholar, rats, 1, -1},
		{sandbox.SemanticScholar, survey, 100, 0}, {sandbox.OpenAlex, survey, 100, 0}, {sandbox.SemanticScholar, react, -1, 3}, {sandbox.OpenAlex, react, -1, 2},
	}
	for _, c := range cases {
		s, ok := source(c.name).(sources.Citer)
		if !ok {
			t.Errorf("%s has no citations", c.name)
			continue
		}
		check := func(direction string, least int, ask func(context.Context, sources.Seed, int) (sources.Result, error)) {
			if least < 0 {
				return
			}
			got, err := ask(t.Context(), c.seed, 500)
			var e *sources.Error
			if least == 0 {
				if errors.As(err, &e) && e.Outcome == state.NoList || err == nil && len(got.Records) == 0 {
					return
				}
				if err != nil {
					t.Errorf("%s: %s of %q: %v", c.name, direction, c.seed.Title, err)
				}
				return
			}
			if err != nil || len(got.Records) < least {
				t.Errorf("%s: %d %s of %q, at least %d expected; error %v", c.name, len(got.Records), direction, c.seed.Title, least, err)
			}
		}
		check("references", c.references, s.References)
		check("citing works", c.citing, s.Citing)
	}
}

// TestAdaptersOverFaults checks that a run survives what passes, and is told
// what does not.
func TestAdaptersOverFaults(t *testing.T) {
	for _, name := range sandbox.Sources() {
		search := func(t *testing.T, faults ...sandbox.Fault) (sources.Result, error) {
			_, source := open(t, sandbox.Options{Faults: sandbox.Faults{name: faults}})
			s := source(name)
			return s.Search(t.Context(), sources.Request{Query: s.Write(sources.Expr{All: [][]string{{"memory"}}}), Limit: 20, Op: "search Q1"})
		}
		passing := map[string][]sandbox.Fault{
			"throttled twice":   {{Kind: sandbox.Throttle, Times: 2}},
			"with retry-after":  {{Kind: sandbox.Throttle, Times: 2, RetryAfter: 2 * time.Second}},
			"down, then cut":    {{Kind: sandbox.ServerError}, {Kind: sandbox.CutBody}},
			"slow":              {{Kind: sandbox.Slow, Wait: 5 * time.Millisecond}},
			"in another order":  {{Kind: sandbox.Shuffle, Times: -1}},
			"with records lost": {{Kind: sandbox.DropRecords, Times: -1, Drop: 1}},
			"a lying total":     {{Kind: sandbox.LyingTotal, Times: -1}},
			"one page for ever": {{Kind: sandbox.RepeatCursor, Times: -1}},
			"now and then":      {{Kind: sandbox.ServerError, Rate: 0.5}, {Kind: sandbox.Throttle, Rate: 0.5}},
		}
		if name != sandbox.ArXiv { // whose errors in a body are about the request
			passing["error in a body"] = []sandbox.Fault{{Kind: sandbox.BodyError}}
		}
		for what, faults := range passing {
			t.Run(name+" "+what, func(t *testing.T) {
				got, err := search(t, faults...)
				if err != nil || len(got.Records) < 10 {
					t.Errorf("%d records, error %v", len(got.Records), err)
				}
			})
		}
		lasting := map[string]struct {
			fault sandbox.Fault
			want  []state.Outcome
		}{
			"throttled":   {sandbox.Fault{Kind: sandbox.Throttle, Times: -1}, []state.Outcome{state.Throttled}},
			"refused":     {sandbox.Fault{Kind: sandbox.Refuse, Times: -1, Status: 403}, []state.Outcome{state.Refused}},
			"for the day": {sandbox.Fault{Kind: sandbox.DailyBudget, Times: -1, RetryAfter: 11 * time.Hour}, []state.Outcome{state.Throttled}},
			"broken":      {sandbox.Fault{Kind: sandbox.BodyError, Times: -1}, []state.Outcome{state.Broken, state.Down}},
			"down":        {sandbox.Fault{Kind: sandbox.ServerError, Times: -1, Status: 500}, []state.Outcome{state.Down}},
			"empty":       {sandbox.Fault{Kind: sandbox.EmptyBody, Times: -1}, []state.Outcome{state.Broken}},
			"a login":     {sandbox.Fault{Kind: sandbox.WrongType, Times: -1}, []state.Outcome{state.Broken}},
			"cut":         {sandbox.Fault{Kind: sandbox.CutBody, Times: -1}, []state.Outcome{state.Broken, state.Down}},
		}
		for what, c := range lasting {
			t.Run(name+" "+what, func(t *testing.T) {
				got, err := search(t, c.fault)
				var e *sources.Error
				if !errors.As(err, &e) || !slices.Contains(c.want, e.Outcome) {
					t.Errorf("%d records, error %v; %v expected", len(got.Records), err, c.want)
				}
			})
		}
	}
}

// TestAdaptersBoundaries checks that the services understand the types,
// languages and exclusions that the adapters send.
func TestAdaptersBoundaries(t *testing.T) {
	_, source := open(t, sandbox.Options{})
	for _, name := range sandbox.Sources() {
		s := source(name)
		search := func(e sources.Expr, r sources.Request) sources.Result {
			t.Helper()
			r.Query, r.Limit, r.Op = s.Write(e), 100, "search Q1"
			got, err := s.Search(t.Context(), r)
			if err != nil {
				t.Errorf("%s: %q: %v", name, r.Query, err)
			}
			return got
		}
		memory := sources.Expr{All: [][]string{{"memory"}}}
		all := search(memory, sources.Request{})
		for _, kind := range []string{sources.TypeArticle, sources.TypePreprint, sources.TypeConference} {
			got := search(memory, sources.Request{Types: []string{kind}})
			if got.Total > all.Total || got.Filters == all.Filters && got.Total != all.Total {
				t.Errorf("%s: %d hits of the type %s among %d, by the filters %q", name, got.Total, kind, all.Total, got.Filters)
			}
		}
		english := search(memory, sources.Request{Languages: []string{"en"}})
		if len(english.Records) != len(all.Records) {
			t.Errorf("%s: %d of %d records are in English; all of the library are", name, len(english.Records), len(all.Records))
		}
		french := search(memory, sources.Request{Languages: []string{"fr"}})
		if french.Filters != all.Filters && len(french.Records) > 0 {
			t.Errorf("%s: %d records are in French; none of the library is", name, len(french.Records))
		}
		fewer := search(sources.Expr{All: memory.All, Not: []string{"agents"}, Field: sources.Title}, sources.Request{})
		if asked := s.Write(sources.Expr{All: memory.All, Not: []string{"agents"}, Field: sources.Title}); strings.Contains(asked, "agents") {
			for _, r := range fewer.Records {
				if strings.Contains(strings.ToLower(r.Title), "agents") {
					t.Errorf("%s: %q came although %q excludes it", name, r.Title, asked)
					break
				}
			}
		}
	}
}
