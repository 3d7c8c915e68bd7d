package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"optimistresearch/state"
)

// What is set back counts no more, stays in the journal, can be done again and
// be set back again; the state is the one of the deltas that stand.
func TestSetBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r, err := Create(dir, Manifest{Version: "1", Question: "q"})
	if err != nil {
		t.Fatal(err)
	}
	append_ := func(r *Run, ns ...int) {
		for _, n := range ns {
			if err := r.Append(delta(n)); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := func(ns ...int) string {
		s := new(state.State)
		for _, n := range ns {
			s.Apply(delta(n))
		}
		b, err := s.JSON()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	got := func(r *Run) string {
		b, err := r.State().JSON()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	append_(r, 1, 2, 3)
	n, err := r.SetBack(func(ds []state.Delta) []int {
		if len(ds) != 3 || ds[1].Task.ID != delta(2).Task.ID {
			t.Errorf("deltas = %+v", ds)
		}
		return []int{2, 1}
	})
	if n != 2 || err != nil || got(r) != want(1) {
		t.Fatalf("n = %d, err = %v, state = %s", n, err, got(r))
	}
	append_(r, 4)
	r.Close()

	r, err = Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got(r) != want(1, 4) {
		t.Errorf("reopened: %s", got(r))
	}
	append_(r, 2) // done again
	if n, err := r.SetBack(func(ds []state.Delta) []int {
		i := slices.IndexFunc(ds, func(d state.Delta) bool { return d.Task.ID == delta(4).Task.ID })
		return []int{i}
	}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := r.SetBack(func([]state.Delta) []int { return nil }); n != 0 || err != nil {
		t.Fatal(n, err)
	}
	if got(r) != want(1, 2) {
		t.Errorf("set back twice: %s", got(r))
	}
	r.Close()
	b, err := os.ReadFile(filepath.Join(dir, JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(b), "\n"); n != 7 {
		t.Errorf("the journal has %d lines, want all 7", n)
	}
	// A torn end of the line that sets back: nothing was set back yet.
	torn := b[:len(b)-3]
	f, err := fold("journal", torn)
	if err != nil || f.torn == 0 {
		t.Fatal(f.torn, err)
	}
	if s, _ := f.state.JSON(); string(s) != want(1, 2, 4) {
		t.Errorf("torn: %s", s)
	}
}
