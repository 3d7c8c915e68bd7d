package state

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// deltas draws a list of deltas that collide on purpose: few ids, few values,
// so that every join is exercised.
func deltas(t *rapid.T) []Delta {
	n := rapid.IntRange(1, 12).Draw(t, "n")
	out := make([]Delta, n)
	for i := range out {
		out[i] = Delta{Task: Task{ID: fmt.Sprintf("it1/t%d", rapid.IntRange(0, 5).Draw(t, "task")), Node: "read", Iteration: 1}, Part: part(t)}
	}
	return out
}

var few = rapid.SampledFrom([]string{"a", "b", "éß", "", "ab"})

func part(t *rapid.T) State {
	var p State
	id := func(prefix string) string { return prefix + few.Draw(t, "id") }
	score := rapid.SampledFrom([]float64{0, 0.25, 0.5, 1})
	switch rapid.IntRange(0, 9).Draw(t, "what") {
	case 0:
		k := id("RQ")
		p.Subquestions = map[string]Subquestion{k: {ID: k, Revision: rapid.IntRange(0, 2).Draw(t, "rev"), Text: few.Draw(t, "text"), Status: Open, Priority: rapid.IntRange(1, 3).Draw(t, "p")}}
	case 1:
		k := id("openalex:")
		cites := rapid.IntRange(0, 3).Draw(t, "c")
		r := Record{Key: k, Source: "openalex", Title: few.Draw(t, "title"), Abstract: few.Draw(t, "abs"), Citations: &cites,
			Seen: map[string]Provenance{few.Draw(t, "occasion"): {Source: "openalex", Via: ViaSearch, Rank: rapid.IntRange(1, 3).Draw(t, "rank")}}}
		p.Records = map[string]Record{k: r}
		d := DocumentFrom(r)
		d.ID = id("doc_")
		if rapid.Bool().Draw(t, "deep") {
			depth := rapid.IntRange(0, 2).Draw(t, "depth")
			d.Depth = &depth
		}
		p.Documents = map[string]Document{d.ID: d}
	case 2:
		k := id("doc_")
		p.Documents = map[string]Document{k: {ID: k, Status: rapid.SampledFrom([]DocStatus{Found, Screened, Selected, Read}).Draw(t, "status"),
			Relevance: map[string]Relevance{id("RQ"): {Score: score.Draw(t, "s"), Note: few.Draw(t, "note")}},
			ReadFor:   map[string]string{id("RQ"): few.Draw(t, "by")}}}
	case 3:
		p.Work = map[string]WorkList{WorkRead: {Round: rapid.IntRange(0, 2).Draw(t, "round"), Items: map[string]WorkItem{id("doc_"): {Order: rapid.IntRange(0, 2).Draw(t, "o")}}}}
	case 4:
		p.Ledger = map[string]Spend{id("it1/"): {Documents: rapid.IntRange(0, 1).Draw(t, "docs"), Models: map[string]ModelUse{few.Draw(t, "role"): {Calls: rapid.IntRange(0, 2).Draw(t, "calls"), Micros: rapid.Int64Range(0, 5).Draw(t, "m")}}}}
	case 5:
		p.Evidence = map[string]Evidence{id("ev_"): {Claim: few.Draw(t, "claim"), Strength: score.Draw(t, "s")}}
	case 6:
		p.Stop = &Stop{Iteration: rapid.IntRange(1, 2).Draw(t, "it"), Reason: few.Draw(t, "why")}
	case 7:
		k := id("doc_")
		p.Documents = map[string]Document{k: {ID: k, Retraction: map[string]Retract{few.Draw(t, "src"): {Status: rapid.SampledFrom([]string{RetractNone, RetractCorrected, RetractRetracted}).Draw(t, "r")}},
			Unscored: map[string]string{id("RQ"): few.Draw(t, "why")}, Exclusion: map[string]Exclusion{few.Draw(t, "by"): {Reason: few.Draw(t, "x")}}}}
	case 8:
		p.Clusters = &ClusterSet{Revision: rapid.IntRange(1, 2).Draw(t, "rev"), Clusters: []Cluster{{ID: few.Draw(t, "c")}}}
	case 9:
		p.Question = &Question{Text: few.Draw(t, "q")}
		p.Format = rapid.IntRange(0, 1).Draw(t, "f")
	}
	return p
}

func fold(t interface{ Fatal(...any) }, ds []Delta) string {
	s := new(State)
	for _, d := range ds {
		s.Apply(d)
	}
	b, err := s.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Shuffled, duplicated and regrouped deltas fold to the same bytes (SPEC §4.2).
func TestMergeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := deltas(t)
		want := fold(t, ds)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))

		shuffled := append(append([]Delta(nil), ds...), ds[:rng.IntN(len(ds)+1)]...)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := fold(t, shuffled); got != want {
			t.Fatalf("shuffled and duplicated:\n%s\nin order:\n%s", got, want)
		}

		// Regrouped: fold two halves on their own, then merge the halves.
		cut := rng.IntN(len(ds) + 1)
		left, right := new(State), new(State)
		for _, d := range ds[:cut] {
			left.Apply(d)
		}
		for _, d := range ds[cut:] {
			right.Apply(d)
		}
		for _, pair := range [][2]*State{{left, right}, {right, left}} {
			sum := new(State)
			sum.Merge(pair[0])
			sum.Merge(pair[1])
			sum.Merge(pair[0])
			b, err := sum.JSON()
			if err != nil {
				t.Fatal(err)
			}
			if string(b) != want {
				t.Fatalf("regrouped at %d:\n%s\nin order:\n%s", cut, b, want)
			}
		}
	})
}

// A merge must not reach into the state it took its values from.
func TestMergeLeavesItsArgumentAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := deltas(t)
		var before []string
		for _, d := range ds {
			b, err := d.Part.JSON()
			if err != nil {
				t.Fatal(err)
			}
			before = append(before, string(b))
		}
		fold(t, ds)
		fold(t, ds)
		for i, d := range ds {
			b, err := d.Part.JSON()
			if err != nil {
				t.Fatal(err)
			}
			if string(b) != before[i] {
				t.Fatalf("delta %d changed:\n%s\nwas:\n%s", i, b, before[i])
			}
		}
	})
}

func FuzzMergeLaws(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		ds := deltas(t)
		want := fold(t, ds)
		for i, j := 0, len(ds)-1; i < j; i, j = i+1, j-1 {
			ds[i], ds[j] = ds[j], ds[i]
		}
		if got := fold(t, append(ds, ds...)); got != want {
			t.Fatalf("reversed and doubled:\n%s\nin order:\n%s", got, want)
		}
	}))
}
