package chase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"optimistresearch/screening"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// graph is a citer over a map of who cites what, by OpenAlex id.
type graph struct {
	name   string
	cites  map[string][]string
	titles map[string]string // "" = the id
	lies   string            // the work whose list it gives for another's
	down   bool
}

func (g *graph) Name() string              { return g.name }
func (g *graph) Write(sources.Expr) string { return "" }
func (g *graph) Clean(q string) string     { return q }
func (g *graph) Cites() (bool, bool)       { return true, true }
func (g *graph) Search(context.Context, sources.Request) (sources.Result, error) {
	return sources.Result{}, nil
}

func (g *graph) record(id string) state.Record {
	title := g.titles[id]
	if title == "" {
		title = "A study of the subject called " + id
	}
	r := state.Record{Source: g.name, Title: title, Year: 2020, Kind: state.Published, IDs: state.IDs{state.OpenAlex: id, "library": id}}
	r.Key = state.RecordKey(g.name, id, r)
	return r
}

func (g *graph) list(seed sources.Seed, pick func(of string) []string) (sources.Result, error) {
	id := ""
	if ids := seed.IDs[state.OpenAlex]; len(ids) > 0 {
		id = ids[0]
	}
	if g.down {
		return sources.Result{}, &sources.Error{Source: g.name, Op: "list", Outcome: state.Down, Err: errors.New("no route")}
	}
	v := g.record(id)
	if id == g.lies {
		v.Title = "Something else entirely about other matters"
	}
	res := sources.Result{Verified: &v}
	for _, x := range pick(id) {
		res.Records = append(res.Records, g.record(x))
	}
	if len(res.Records) == 0 {
		return res, &sources.Error{Source: g.name, Op: "list", Outcome: state.NoList}
	}
	return res, nil
}

func (g *graph) References(_ context.Context, seed sources.Seed, _ int) (sources.Result, error) {
	return g.list(seed, func(id string) []string { return g.cites[id] })
}

func (g *graph) Citing(_ context.Context, seed sources.Seed, _ int) (sources.Result, error) {
	return g.list(seed, func(id string) []string {
		var out []string
		for _, from := range state.Keys(g.cites) {
			if slices.Contains(g.cites[from], id) {
				out = append(out, from)
			}
		}
		return out
	})
}

// judge keeps the works of a set.
type judge struct{ keep map[string]bool }

func (j judge) Likeness([]Work, []string, map[string]bool) map[string]float64 { return nil }
func (j judge) Keep(_ context.Context, batch []Placed) ([]Decision, error) {
	out := make([]Decision, len(batch))
	for i, p := range batch {
		out[i].Keep = j.keep[p.Name]
	}
	return out, nil
}

func options(g *graph, keep []string, seeds ...string) Options {
	o := Options{Sources: []sources.Source{g}, Settings: state.DefaultSettings(), Year: 2026, Judge: judge{map[string]bool{}}, Backward: true, Forward: true,
		Through: true, Single: true, PerRound: 50, Parallel: 2}
	for _, k := range keep {
		o.Judge.(judge).keep[k] = true
	}
	for _, s := range seeds {
		o.Seeds = append(o.Seeds, g.record(s))
	}
	return o
}

func found(out Outcome) string {
	var ids []string
	for _, r := range out.Rows {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

func TestBothWaysAndThroughSharedWorks(t *testing.T) {
	g := &graph{name: "openalex", cites: map[string][]string{"W1": {"W2", "W8"}, "W3": {"W1", "W8"}, "W4": {"W8"}, "W5": {"W4"}}}
	for _, frozen := range []bool{false, true} {
		for _, c := range []struct {
			change func(*Options)
			want   string
		}{
			{func(*Options) {}, "W2 W3 W4 W8"}, // W4 by way of W8, which two kept works cite; W5 cites only what was not kept
			{func(o *Options) { o.Through = false }, "W2 W3 W8"},
			{func(o *Options) { o.Through, o.Forward = false, false }, "W2 W8"},
			{func(o *Options) { o.Through, o.Backward = false, false }, "W3"},
			{func(o *Options) { o.Rounds, o.Single = 1, false }, "W2 W3 W8"},
		} {
			o := options(g, []string{"W2", "W3"}, "W1")
			o.Frozen = frozen
			c.change(&o)
			out, err := Run(context.Background(), o)
			if err != nil || found(out) != c.want {
				t.Errorf("frozen %v: screened %s, want %s (%v, %s)", frozen, found(out), c.want, err, out.Stop)
			}
		}
	}
}

// A list of another work, whatever its id, is not believed.
func TestIdentityIsVerified(t *testing.T) {
	g := &graph{name: "openalex", lies: "W1", cites: map[string][]string{"W1": {"W2"}}}
	out, err := Run(context.Background(), options(g, nil, "W1"))
	if err != nil || len(out.Rows) != 0 || out.Seeds[0].Outcomes["openalex backward"] != string(state.Rejected) {
		t.Errorf("%d rows, %+v, %v", len(out.Rows), out.Seeds, err)
	}
}

func TestASeedWithoutAListCountsForNothing(t *testing.T) {
	g := &graph{name: "openalex", cites: map[string][]string{"W1": {"W2", "W3"}}}
	out, err := Run(context.Background(), options(g, []string{"W2", "W3"}, "W1", "W7"))
	if err != nil || len(out.Seeds) != 2 || out.Seeds[0].NoList || !out.Seeds[1].NoList || out.Seeds[0].References != 2 {
		t.Errorf("seeds %+v, %v", out.Seeds, err)
	}
	out, _ = Run(context.Background(), options(g, nil, "W7"))
	if out.Saturated || len(out.Rounds) != 0 || !strings.Contains(out.Stop, "no source has a list for any of the seeds") {
		t.Errorf("an absent list is taken for saturation: %+v", out)
	}
	g.down = true
	out, _ = Run(context.Background(), options(g, nil, "W1"))
	if out.Saturated || out.FailureCount != 2 {
		t.Errorf("a source that is down: %+v", out)
	}
}

// A star of works that nobody wants ends after two rounds, not when it is used up.
func TestSaturation(t *testing.T) {
	g := &graph{name: "library", cites: map[string][]string{}}
	for i := range 60 {
		g.cites["W1"] = append(g.cites["W1"], fmt.Sprintf("W%d", 100+i))
	}
	o := options(g, nil, "W1")
	o.PerRound, o.Frozen = 10, true
	var seen []Round
	o.Observe = func(r Round) { seen = append(seen, r) }
	out, err := Run(context.Background(), o)
	if err != nil || !out.Saturated || len(out.Rounds) != 2 || len(out.Rows) != 20 || len(seen) != 2 || !seen[1].LowYield {
		t.Errorf("%d rounds, %d rows, %q, %v", len(out.Rounds), len(out.Rows), out.Stop, err)
	}
	o.Rounds = 1
	if out, _ = Run(context.Background(), o); out.Saturated || len(out.Rounds) != 1 {
		t.Errorf("one round was asked for: %+v", out.Rounds)
	}
}

func TestTwoRecordsOfOneWork(t *testing.T) {
	a := &graph{name: "openalex", cites: map[string][]string{"W1": {"W2"}}}
	b := &graph{name: "crossref", cites: map[string][]string{"W1": {"W2", "W3"}}}
	o := options(a, []string{"W2"}, "W1")
	o.Sources = append(o.Sources, b)
	out, err := Run(context.Background(), o)
	if err != nil || found(out) != "W2 W3" {
		t.Errorf("screened %s, %v: W2 comes from two sources and is one work", found(out), err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := &graph{name: "openalex", cites: map[string][]string{"W1": {"W2"}}}
	if _, err := Run(ctx, options(g, nil, "W1")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled chase: %v", err)
	}
}

// The words decide between candidates that are linked alike, and the built-in
// judge keeps the best of them.
func TestWordsKeepTheBest(t *testing.T) {
	g := &graph{name: "library", cites: map[string][]string{}, titles: map[string]string{"W1": "Exercise prevents falls in older adults"}}
	for i, title := range []string{"Exercise programmes for falls in older people: a trial", "Falls and exercise in nursing homes", "Galaxy clusters at high redshift",
		"Zeolite catalysts", "Medieval trade routes", "Perovskite solar cells", "Insect vision", "Bird song", "River deltas", "Prime gaps"} {
		id := fmt.Sprintf("W%d", 10+i)
		g.cites["W1"] = append(g.cites["W1"], id)
		g.titles[id] = title
	}
	for name, rv := range map[string]screening.Review{"question": {Question: "Does exercise prevent falls in older adults?"}, "seeds alone": {}} {
		o := options(g, nil, "W1")
		o.Frozen, o.Judge = true, &Words{Review: rv}
		out, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		for _, r := range out.Rows {
			if r.Kept {
				kept = append(kept, r.ID)
			}
			if r.Reason == "" {
				t.Errorf("%s has no reason", r.ID)
			}
		}
		if !slices.Contains(kept, "W10") || !slices.Contains(kept, "W11") || len(kept) > 3 {
			t.Errorf("by the %s it keeps %v, want the two on falls among at most three of ten", name, kept)
		}
	}
}

func TestLabelsDecideByName(t *testing.T) {
	g := &graph{name: "openalex", cites: map[string][]string{"W1": {"W2", "W3"}}}
	o := options(g, nil, "W1")
	o.Judge = &Labels{Included: map[string]bool{"W3": true}}
	out, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Rows {
		if r.Kept != (r.ID == "W3") {
			t.Errorf("%s kept: %v", r.ID, r.Kept)
		}
	}
}
