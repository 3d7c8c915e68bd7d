package expand

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/state"
)

// citer is a source with a citation graph; a nil list is a direction that it
// does not have.
type citer struct {
	name               string
	references, citing func(seed sources.Seed, limit int) (sources.Result, error)
	asked              []string
}

func (c *citer) Name() string              { return c.name }
func (c *citer) Write(sources.Expr) string { return "" }
func (c *citer) Clean(q string) string     { return q }
func (c *citer) Cites() (bool, bool)       { return c.references != nil, c.citing != nil }
func (c *citer) Search(context.Context, sources.Request) (sources.Result, error) {
	return sources.Result{}, nil
}

func (c *citer) References(_ context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	c.asked = append(c.asked, "references")
	return c.references(seed, limit)
}

func (c *citer) Citing(_ context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	c.asked = append(c.asked, "citing")
	return c.citing(seed, limit)
}

// mute is a source without a citation graph.
type mute struct{ sources.Source }

func list(source string, titles ...string) func(sources.Seed, int) (sources.Result, error) {
	return func(sources.Seed, int) (sources.Result, error) {
		res := sources.Result{Sent: "list of " + source, Raw: "raw-" + source, Requests: []string{"h-" + source}, Credits: 1}
		for _, t := range titles {
			res.Records = append(res.Records, state.Record{Key: source + ":" + t, Source: source, Title: t})
		}
		return res, nil
	}
}

func verified(r state.Record, next func(sources.Seed, int) (sources.Result, error)) func(sources.Seed, int) (sources.Result, error) {
	return func(s sources.Seed, n int) (sources.Result, error) {
		res, err := next(s, n)
		res.Verified = &r
		return res, err
	}
}

func fails(source string, o state.Outcome) func(sources.Seed, int) (sources.Result, error) {
	return func(sources.Seed, int) (sources.Result, error) {
		return sources.Result{Requests: []string{"h-" + source}}, &sources.Error{Source: source, Op: "references", Outcome: o, Err: errors.New("because")}
	}
}

var hu = []state.Author{{Name: "Edward J. Hu", Family: "Hu"}, {Name: "Yelong Shen", Family: "Shen"}, {Name: "Phillip Wallis", Family: "Wallis"}}

const lora = "LoRA: Low-Rank Adaptation of Large Language Models"

func corpus() *state.State {
	s := state.New(state.Question{Text: "adaptation of language models", Year: 2026}, state.DefaultSettings())
	s.Merge(&state.State{Documents: map[string]state.Document{"doc_0003": {
		ID: "doc_0003", Authors: hu, IDs: map[string][]string{state.ArXiv: {"2106.09685"}, state.DOI: {"10.48550/arxiv.2106.09685"}},
		Versions: map[string]state.Version{
			"arxiv:2106.09685": {Kind: state.Preprint, Title: lora, Year: 2021},
			"openalex:W3":      {Kind: state.Published, Title: "LoRA, low-rank adaptation of large language models", Year: 2022},
		},
	}}})
	return s
}

func task(direction string) state.Task {
	return state.Task{ID: "it1/expand/2/doc_0003|" + direction, Node: "expand", Iteration: 1, Args: []string{"doc_0003|" + direction, "102"}}
}

func run(t *testing.T, direction string, list ...sources.Source) state.State {
	t.Helper()
	part, err := New(list).Run(context.Background(), corpus(), task(direction))
	if err != nil {
		t.Fatal(err)
	}
	return part
}

// The lists of all sources are united, each record with its road.
func TestUnionOverSources(t *testing.T) {
	oa := &citer{name: "openalex", references: list("openalex", "A", "B"), citing: list("openalex", "X")}
	cr := &citer{name: "crossref", references: list("crossref", "B", "C", "D")}
	s2 := &citer{name: "semanticscholar", references: list("semanticscholar", "A"), citing: list("semanticscholar", "X", "Y")}
	part := run(t, state.Backward, oa, cr, mute{}, s2)
	want := []string{"crossref:B", "crossref:C", "crossref:D", "openalex:A", "openalex:B", "semanticscholar:A"}
	if got := state.Keys(part.Records); !slices.Equal(got, want) {
		t.Errorf("records = %v, want %v", got, want)
	}
	x := part.Expanded["doc_0003|backward"]
	if x.Found != 6 || x.Round != 102 || x.Seed != "doc_0003" || x.Direction != state.Backward || len(x.Outcomes) != 3 || x.Outcomes["crossref"] != "hits" {
		t.Errorf("expansion = %+v", x)
	}
	p := part.Records["crossref:D"].Seen["crossref|doc_0003|backward"]
	if want := (state.Provenance{Source: "crossref", Via: state.ViaSnowball, Seed: "doc_0003", Direction: state.Backward, Rank: 3, Round: 102, Raw: "raw-crossref"}); p != want {
		t.Errorf("provenance = %+v, want %+v", p, want)
	}
	call := part.Calls["backward/doc_0003/openalex"]
	if call.Outcome != state.Hits || call.Records != 2 || call.Operation != "references" || call.Raw != "raw-openalex" || call.Requests[0] != "h-openalex" {
		t.Errorf("call = %+v", call)
	}
	if credits := part.Ledger[task(state.Backward).ID].Credits; credits["openalex"] != 1 || credits["crossref"] != 1 {
		t.Errorf("credits = %v", credits)
	}

	part = run(t, state.Forward, oa, cr, s2)
	if got := state.Keys(part.Records); !slices.Equal(got, []string{"openalex:X", "semanticscholar:X", "semanticscholar:Y"}) {
		t.Errorf("citing works = %v", got)
	}
	if _, asked := part.Expanded["doc_0003|forward"].Outcomes["crossref"]; asked || slices.Contains(cr.asked, "citing") {
		t.Error("crossref was asked for citing works, which it does not have")
	}
}

func TestTheSeedIsAskedForWithAllThatIsKnown(t *testing.T) {
	var got sources.Seed
	limit := 0
	c := &citer{name: "openalex", references: func(s sources.Seed, n int) (sources.Result, error) {
		got, limit = s, n
		return list("openalex", "A")(s, n)
	}}
	run(t, state.Backward, c)
	if got.Year != 2021 || got.IDs[state.ArXiv][0] != "2106.09685" || !slices.Equal(got.Authors, []string{"Edward J. Hu", "Yelong Shen", "Phillip Wallis"}) || !strings.HasPrefix(got.Title, "LoRA") || limit != 100 {
		t.Errorf("seed = %+v, limit %d", got, limit)
	}
}

// R5: the service answers with another work under the seed's identifier.
// Matching authors do not rescue it; nothing of its list enters the corpus.
func TestAMismatchedRecordIsRejected(t *testing.T) {
	impostor := state.Record{Key: "openalex:W9", Source: "openalex", Title: "LoRA Fine-Tuning of a 3B Code LLM for Algorithmic Efficiency", Authors: hu, Year: 2021, IDs: state.IDs{state.ArXiv: "2106.09685"}}
	oa := &citer{name: "openalex", references: verified(impostor, list("openalex", "Wrong one", "Wrong two"))}
	cr := &citer{name: "crossref", references: verified(state.Record{Title: lora, Authors: hu, Year: 2021}, list("crossref", "Right one"))}
	var first state.State
	for i := range 20 { // the same words every time, whatever the order of a map
		part := run(t, state.Backward, oa, cr)
		if i == 0 {
			first = part
		}
		if part.Calls["backward/doc_0003/openalex"].Reason != first.Calls["backward/doc_0003/openalex"].Reason {
			t.Fatalf("two reasons for one rejection:\n%s\n%s", part.Calls["backward/doc_0003/openalex"].Reason, first.Calls["backward/doc_0003/openalex"].Reason)
		}
	}
	if got := state.Keys(first.Records); !slices.Equal(got, []string{"crossref:Right one"}) {
		t.Errorf("records = %v; a list of another work was believed", got)
	}
	call := first.Calls["backward/doc_0003/openalex"]
	if call.Outcome != state.Rejected || call.Records != 0 || !strings.Contains(call.Reason, "3B Code LLM") {
		t.Errorf("call = %+v", call)
	}
	if x := first.Expanded["doc_0003|backward"]; x.Outcomes["openalex"] != "rejected" || x.Found != 1 {
		t.Errorf("expansion = %+v", x)
	}
	if len(first.Degradations) != 0 {
		t.Errorf("a rejection is a decision, not a failure: %+v", first.Degradations)
	}
}

// One version's title is enough.
func TestAnyVersionVerifies(t *testing.T) {
	for _, title := range []string{lora, "LoRA, low-rank adaptation of large language models", "LoRA: low–rank adaptation of large language models."} {
		c := &citer{name: "openalex", references: verified(state.Record{Title: title, Authors: hu, Year: 2022}, list("openalex", "A"))}
		if part := run(t, state.Backward, c); len(part.Records) != 1 {
			t.Errorf("%q: %+v", title, part.Calls)
		}
	}
}

// R7: an empty list means that the source has no list. The others are asked,
// and it is neither zero hits nor a failure.
func TestAnEmptyListIsNoList(t *testing.T) {
	oa := &citer{name: "openalex", references: list("openalex")}
	s2 := &citer{name: "semanticscholar", references: fails("semanticscholar", state.NoList)}
	cr := &citer{name: "crossref", references: list("crossref", "A")}
	part := run(t, state.Backward, oa, s2, cr)
	x := part.Expanded["doc_0003|backward"]
	if x.Outcomes["openalex"] != "no_list" || x.Outcomes["semanticscholar"] != "no_list" || x.Outcomes["crossref"] != "hits" || x.Found != 1 {
		t.Errorf("expansion = %+v", x)
	}
	if len(part.Degradations) != 0 {
		t.Errorf("degradations = %+v", part.Degradations)
	}
	if call := part.Calls["backward/doc_0003/openalex"]; call.Outcome != state.NoList || call.Records != 0 {
		t.Errorf("call = %+v", call)
	}
	// No list anywhere: nothing found, which Close takes for an empty round.
	if x := run(t, state.Backward, oa, s2).Expanded["doc_0003|backward"]; x.Found != 0 {
		t.Errorf("expansion = %+v", x)
	}
	// A list whose entries can't be used is a list.
	skips := &citer{name: "crossref", references: func(sources.Seed, int) (sources.Result, error) {
		return sources.Result{Skips: []state.Skip{{Reason: "no title", Count: 4}}}, nil
	}}
	part = run(t, state.Backward, skips)
	if call := part.Calls["backward/doc_0003/crossref"]; call.Outcome != state.Hits || len(call.Skipped) != 1 {
		t.Errorf("call = %+v", call)
	}
}

// R20: one source is down, the others' lists are used, and the report can
// tell.
func TestAFailedSourceIsNoEmptyList(t *testing.T) {
	for _, o := range []state.Outcome{state.Throttled, state.Refused, state.Broken, state.Down} {
		part := run(t, state.Backward, &citer{name: "openalex", references: fails("openalex", o)}, &citer{name: "crossref", references: list("crossref", "A")})
		if x := part.Expanded["doc_0003|backward"]; x.Outcomes["openalex"] != string(o) || x.Found != 1 || len(part.Records) != 1 {
			t.Errorf("%s: expansion = %+v", o, x)
		}
		if len(part.Degradations) != 1 {
			t.Fatalf("%s: degradations = %+v", o, part.Degradations)
		}
		for _, d := range part.Degradations {
			if d.Kind != string(o) || d.Subject != "doc_0003|backward" || d.Step != "expand" || !strings.Contains(d.Reason, "openalex") {
				t.Errorf("degradation = %+v", d)
			}
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := &citer{name: "openalex", references: func(sources.Seed, int) (sources.Result, error) {
		cancel()
		return sources.Result{}, context.Canceled
	}}
	part, err := New([]sources.Source{c}).Run(ctx, corpus(), task(state.Backward))
	if !errors.Is(err, context.Canceled) || len(part.Expanded) != 0 {
		t.Errorf("part = %+v, error = %v; an interrupted chase is not a chase", part, err)
	}
}

func TestTasksOfAnotherProgram(t *testing.T) {
	for _, args := range [][]string{nil, {"doc_0003|backward"}, {"doc_0003|backward", "x"}, {"doc_0099|backward", "101"}} {
		if _, err := New(nil).Run(context.Background(), corpus(), state.Task{ID: "it1/odd", Args: args}); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
