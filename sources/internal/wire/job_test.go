package wire

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"optimistresearch/internal/fetch"
	"optimistresearch/state"
)

func TestJob(t *testing.T) {
	j := NewJob()
	if j.Result.Total != -1 || j.Result.CreditsLeft != -1 {
		t.Errorf("a new job reports hits or credit: %+v", j.Result)
	}
	j.Answered(&fetch.Response{Request: "q1", Raw: "r1"})
	j.Answered(&fetch.Response{Request: "q2", Raw: "r2"})
	if j.Result.Raw != "r2" || !slices.Equal(j.Result.Requests, []string{"q1", "q2"}) {
		t.Errorf("hashes %q, %q", j.Result.Raw, j.Result.Requests)
	}
	record := func(n int) state.Record { return state.Record{Key: fmt.Sprint("x:", n)} }
	for _, c := range []struct {
		n     int
		why   string
		fresh bool
	}{{1, "", true}, {1, "", false}, {2, "no title", false}, {3, "", true}, {4, "", true}} {
		if got := j.Keep(record(c.n), c.why, "sample", 2); got != c.fresh {
			t.Errorf("Keep(%d, %q) is %t", c.n, c.why, got)
		}
	}
	want := []state.Skip{{Reason: "sent twice", Count: 1, Sample: "x:1"}, {Reason: "no title", Count: 1, Sample: "sample"}}
	if len(j.Result.Records) != 2 || !slices.Equal(j.Result.Skips, want) {
		t.Errorf("%d records, skips %+v", len(j.Result.Records), j.Result.Skips)
	}
}

// Every identifier is named, however many there are.
func TestAbsent(t *testing.T) {
	var ids []string
	for i := range 120 {
		ids = append(ids, fmt.Sprint("id", i))
	}
	j := NewJob()
	j.Absent("The service", ids)
	if len(j.Result.Notes) != 3 || !strings.HasPrefix(j.Result.Notes[0], "The service has no record for id0, id1, ") {
		t.Errorf("notes %q", j.Result.Notes)
	}
	all := strings.Join(j.Result.Notes, " ")
	for _, id := range ids {
		if !strings.Contains(all, id) {
			t.Errorf("%s is not named", id)
		}
	}
	j = NewJob()
	if j.Absent("The service", nil); len(j.Result.Notes) != 0 {
		t.Errorf("notes on nothing: %q", j.Result.Notes)
	}
}
