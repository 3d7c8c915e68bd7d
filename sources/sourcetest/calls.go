package sourcetest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/state"
)

func itoa(n int) string { return strconv.Itoa(n) }

// healthy checks results against what the cases say, and that the same
// answers give the same result again.
func (s suite) healthy(t testing.TB) {
	for _, op := range s.operations(t) {
		result := s.succeed(t, op)
		if op.name == "search" && result.Total != op.scenario.Total {
			t.Errorf("search: Total is %d, want %d", result.Total, op.scenario.Total)
		}
		if n := len(result.Records); n == 0 || n != op.scenario.Records {
			t.Errorf("%s: %d records, want %d (and at least one)", op.name, n, op.scenario.Records)
		}
		if n := skipped(result); n != op.scenario.Skips {
			t.Errorf("%s: %d entries skipped, want %d: %+v", op.name, n, op.scenario.Skips, result.Skips)
		}
		if op.name == "lookup" {
			s.accounted(t, op.scenario.IDs, result)
		}
		if again := s.succeed(t, op); !reflect.DeepEqual(result, again) {
			t.Errorf("%s: the same answers gave another result:\n%+v\n%+v", op.name, result, again)
		}
	}
	zero := s.succeed(t, operation{"search without hits", s.cases.Zero, search})
	if zero.Total != 0 || len(zero.Records) != 0 {
		t.Errorf("search without hits: Total %d and %d records, want 0 and 0", zero.Total, len(zero.Records))
	}
}

// accounted checks that every work that was asked for came back, or that the
// result names an identifier of it.
func (s suite) accounted(t testing.TB, asked []state.IDs, result sources.Result) {
	t.Helper()
	r, ok := s.source(NewService(t, nil).Doer()).(sources.Resolver)
	if !ok {
		return
	}
	said := strings.Join(result.Notes, "\n")
	for _, skip := range result.Skips {
		said += "\n" + skip.Reason + " " + skip.Sample
	}
	for _, ids := range asked {
		known, found := "", false
		for _, scheme := range r.Schemes() {
			id := ids[scheme]
			if id == "" {
				continue
			}
			known = id
			found = found || strings.Contains(said, id) || slices.ContainsFunc(result.Records, func(r state.Record) bool { return r.IDs[scheme] == id })
		}
		if known != "" && !found {
			t.Errorf("lookup: %s was asked for, did not come back, and neither Notes nor Skips name it", known)
		}
	}
}

// succeed runs an operation that must succeed and checks its result against
// the laws of every result.
func (s suite) succeed(t testing.TB, op operation) sources.Result {
	t.Helper()
	sc := NewService(t, op.scenario.Answers)
	do := &watch{Doer: sc.Doer(), sent: map[string]bool{}}
	source := s.source(do)
	result, err := op.call(t.Context(), source, op.scenario)
	if err != nil {
		t.Errorf("%s: %v", op.name, err)
		return sources.Result{}
	}
	for _, fault := range ResultFaults(source.Name(), result) {
		t.Errorf("%s: %s", op.name, fault)
	}
	named := map[string]bool{}
	for _, r := range result.Requests {
		named[r] = true
	}
	if !reflect.DeepEqual(named, do.sent) {
		t.Errorf("%s: Requests names %d requests, %d were sent: %v", op.name, len(named), len(do.sent), result.Requests)
	}
	if len(do.sent) > 0 && result.Raw != do.raw {
		t.Errorf("%s: Raw is %q, want the hash of the last response, %q", op.name, result.Raw, do.raw)
	}
	return result
}

func skipped(r sources.Result) int {
	n := 0
	for _, s := range r.Skips {
		n += s.Count
	}
	return n
}

// limit asks for fewer records than the service sends.
func (s suite) limit(t testing.TB) {
	for limit := 1; limit <= min(3, s.cases.Search.Records); limit++ {
		c := s.cases.Search
		c.Request.Limit = limit
		result, err := search(t.Context(), s.source(NewService(t, c.Answers).Doer()), c)
		switch n := len(result.Records); {
		case err != nil:
			t.Errorf("search with limit %d: %v", limit, err)
		case n > limit:
			t.Errorf("search with limit %d: %d records", limit, n)
		case n == 0:
			t.Errorf("search with limit %d: no record", limit)
		}
	}
	for _, op := range s.operations(t) {
		if op.name == "search" || op.name == "lookup" {
			continue
		}
		op.scenario.Limit = 1
		result, err := op.call(t.Context(), s.source(NewService(t, op.scenario.Answers).Doer()), op.scenario)
		if n := len(result.Records); err != nil || n != 1 {
			t.Errorf("%s with limit 1: %d records, error %v", op.name, n, err)
		}
	}
}

// concurrent uses one source from several goroutines; the race detector and
// the comparison see what they share.
func (s suite) concurrent(t testing.TB) {
	for _, a := range s.cases.Search.Answers {
		if a.Times > 0 {
			t.Skip("the answers of the search depend on how often they were asked for")
		}
	}
	source := s.source(NewService(t, s.cases.Search.Answers).Doer())
	results := make([]sources.Result, 4)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() {
			result, err := search(t.Context(), source, s.cases.Search)
			if err != nil {
				t.Errorf("search beside other searches: %v", err)
			}
			results[i] = result
		})
	}
	all.Wait()
	for _, r := range results[1:] {
		if !reflect.DeepEqual(r, results[0]) {
			t.Error("searches side by side gave different results")
		}
	}
}

// nothingToSend checks that a call without anything to ask for asks nothing.
func (s suite) nothingToSend(t testing.TB) {
	sc := NewService(t, nil) // every request fails the test
	source := s.source(sc.Doer())
	for _, q := range []string{"", " \t\n"} {
		if _, err := source.Search(t.Context(), sources.Request{Query: q, Limit: 10, Op: "search Q0"}); err == nil {
			t.Errorf("search for %q: no error; nothing was asked, so nothing can be said", q)
		}
	}
	foreign := state.IDs{"no-such-scheme": "1"}
	if r, ok := source.(sources.Resolver); ok {
		if len(r.Schemes()) == 0 {
			t.Error("a Resolver without a scheme")
		}
		for _, ids := range [][]state.IDs{nil, {}, {nil}, {foreign}} {
			result, err := r.Lookup(t.Context(), ids)
			if err != nil || len(result.Records) != 0 {
				t.Errorf("lookup of %v: %d records, error %v; want none and none", ids, len(result.Records), err)
			}
		}
	}
	if c, ok := source.(sources.Citer); ok {
		for _, seed := range []sources.Seed{{}, {IDs: map[string][]string{"no-such-scheme": {"1"}}}} {
			references, citing := c.Cites()
			if _, err := c.References(t.Context(), seed, 10); references && sources.OutcomeOf(err) != state.Skipped {
				t.Errorf("references of a seed that the source cannot know: %v, want kind Skipped: nothing was asked", err)
			}
			if _, err := c.Citing(t.Context(), seed, 10); citing && sources.OutcomeOf(err) != state.Skipped {
				t.Errorf("citing works of a seed that the source cannot know: %v, want kind Skipped: nothing was asked", err)
			}
		}
	}
}

// noList checks that a work without a list is not a work that cites nothing.
func (s suite) noList(t testing.TB) {
	for _, c := range []struct {
		name     string
		scenario *Scenario
		call     func(context.Context, sources.Source, Scenario) (sources.Result, error)
	}{
		{"references", s.cases.NoReferences, referencesOf},
		{"citing", s.cases.NoCiting, citingOf},
	} {
		if c.scenario == nil {
			continue
		}
		source := s.source(NewService(t, c.scenario.Answers).Doer())
		result, err := c.call(t.Context(), source, *c.scenario)
		checkError(t, c.name+" without a list", source.Name(), result, err, state.NoList)
	}
}

// cancelled checks that a call on a context that is done sends nothing, and
// that a call whose context ends on the way stops there and says so.
func (s suite) cancelled(t testing.TB) {
	for _, op := range s.operations(t) {
		sc := NewService(t, op.scenario.Answers)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		source := s.source(sc.Doer())
		_, err := op.call(ctx, source, op.scenario)
		if sc.requests() > 0 {
			t.Errorf("%s on a cancelled context: %d requests were sent", op.name, sc.requests())
		}
		checkCancelled(t, op.name+" on a cancelled context", source.Name(), err)

		probe := NewService(t, op.scenario.Answers)
		if _, err := op.call(t.Context(), s.source(probe.Doer()), op.scenario); err != nil {
			t.Errorf("%s: the healthy call failed: %v", op.name, err)
			continue
		}
		for n := 1; n <= probe.requests(); n++ {
			ctx, cancel := context.WithCancel(t.Context())
			sc := NewService(t, op.scenario.Answers)
			sc.onAsk = func(asked int) {
				if asked == n {
					cancel()
				}
			}
			source := s.source(sc.Doer())
			_, err := op.call(ctx, source, op.scenario)
			cancel()
			name := op.name + ", cancelled during request " + itoa(n)
			if sc.requests() > n {
				t.Errorf("%s: %d requests were sent", name, sc.requests())
			}
			// The last answer may have arrived whole; then the call may succeed.
			if n < probe.requests() || err != nil {
				checkCancelled(t, name, source.Name(), err)
			}
		}
	}
}

func checkCancelled(t testing.TB, name, source string, err error) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("%s: no error", name)
	case !errors.Is(err, context.Canceled):
		t.Errorf("%s: errors.Is(err, context.Canceled) is false: %v", name, err)
	case !strings.Contains(err.Error(), source):
		t.Errorf("%s: the error does not name %s: %v", name, source, err)
	}
}
