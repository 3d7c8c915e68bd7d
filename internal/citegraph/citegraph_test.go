package citegraph

import (
	"context"
	"errors"
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/state"
)

const sample = `{"record_id":"https://openalex.org/W1","title":"Exercise and falls","year":2010,"cited_by_count":7,"references":["W9","W2","W9","W1"],"label_included":1}
{"record_id":"W2","title":"Balance training","year":2005,"references":[]}

{"record_id":"W3","title":"Falls in <b>old</b> age","year":2015,"references":["W1","W9"]}
{"record_id":"W3","title":"again"}
{"title":"no id"}
not json
`

func read(t *testing.T) *Library {
	t.Helper()
	l, err := Read(strings.NewReader(sample))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func names(records []state.Record) string {
	var out []string
	for _, r := range records {
		out = append(out, ID(r))
	}
	return strings.Join(out, " ")
}

func TestRead(t *testing.T) {
	l := read(t)
	if got := names(l.Records()); got != "W1 W2 W3" {
		t.Errorf("works %s", got)
	}
	if len(l.Skipped) != 3 || l.Skipped[0].Line != 5 || !strings.Contains(l.Skipped[1].Reason, "no record_id") || !strings.Contains(l.Skipped[2].Reason, "JSON") {
		t.Errorf("skipped %+v", l.Skipped)
	}
	for _, bad := range []string{"", "\n\n", "[]", `{"title":"x"}`, "\x1f\x8b"} {
		if _, err := Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read as a library", bad)
		}
	}
}

func TestCitations(t *testing.T) {
	l := read(t)
	ctx := context.Background()
	seed := func(id string) sources.Seed {
		return sources.Seed{IDs: map[string][]string{state.OpenAlex: {id}}, Title: "t"}
	}
	res, err := l.References(ctx, seed("W1"), 10)
	if err != nil || names(res.Records) != "W9 W2" || res.Records[0].Title != "" {
		t.Errorf("references of W1: %s, %v", names(res.Records), err)
	}
	if res.Verified == nil || res.Verified.Title != "Exercise and falls" {
		t.Errorf("verified %+v: the caller cannot check whose list it is", res.Verified)
	}
	res, err = l.Citing(ctx, seed("W9"), 10) // not in the library itself
	if err != nil || names(res.Records) != "W1 W3" {
		t.Errorf("citing W9: %s, %v", names(res.Records), err)
	}
	if res, _ := l.Citing(ctx, seed("W9"), 1); names(res.Records) != "W1" || res.Capped == "" {
		t.Errorf("a limit of 1 gives %s, capped %q", names(res.Records), res.Capped)
	}
	for _, f := range []func(context.Context, sources.Seed, int) (sources.Result, error){l.References, l.Citing} {
		_, err := f(ctx, seed("W777"), 10)
		var e *sources.Error
		if !errors.As(err, &e) || e.Outcome != state.NoList {
			t.Errorf("an unknown work: %v, want no list", err)
		}
	}
	if _, err := l.References(ctx, seed("W2"), 10); sources.OutcomeOf(err) != state.NoList {
		t.Errorf("a work without references: %v, want no list", err)
	}
}

func TestDescribe(t *testing.T) {
	l := read(t)
	r := state.Record{Title: "other", Abstract: "About falls.", IDs: state.IDs{state.DOI: "10.1/x", state.PMID: "77"}, Year: 1999}
	if !l.Describe("W1", r) || l.Describe("W9", r) {
		t.Fatal("W1 is in the library and W9 is not")
	}
	res, err := l.Lookup(context.Background(), []state.IDs{{state.PMID: "77"}, {state.DOI: "10.1/none"}, {state.DOI: "10.1/x"}})
	if err != nil || names(res.Records) != "W1" {
		t.Fatalf("found %s, %v", names(res.Records), err)
	}
	if got := res.Records[0]; got.Abstract == "" || got.Title != "Exercise and falls" || got.Year != 2010 || *got.Citations != 7 || got.Key != "library:W1" {
		t.Errorf("described as %+v", got)
	}
}

func TestSearch(t *testing.T) {
	l := read(t)
	res, err := l.Search(context.Background(), sources.Request{Query: l.Write(sources.Expr{All: [][]string{{"fall", "falls"}, {"exercise"}}}), Limit: 5})
	if err != nil || names(res.Records) != "W1 W3" || res.Total != 2 {
		t.Errorf("found %s of %d, %v", names(res.Records), res.Total, err)
	}
	if res, _ := l.Search(context.Background(), sources.Request{Query: "falls", SinceYear: 2012, Limit: 5}); names(res.Records) != "W3" {
		t.Errorf("since 2012: %s", names(res.Records))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(sample)
	f.Fuzz(func(t *testing.T, s string) {
		l, err := Read(strings.NewReader(s))
		if err != nil {
			return
		}
		for _, r := range l.Records() {
			if ID(r) == "" || strings.Contains(ID(r), "|") {
				t.Fatalf("the id %q", ID(r))
			}
			_, _ = l.Citing(context.Background(), sources.Seed{IDs: map[string][]string{Scheme: {ID(r)}}}, 3)
		}
	})
}
