package snowball

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"optimistresearch/state"
)

// Two kept works cite X, one of them alone cites Y; three candidates hang
// together with them in different ways.
func example() *Web {
	w := NewWeb()
	for _, l := range [][2]string{
		{"kept1", "X"}, {"kept2", "X"}, {"kept2", "Y"}, {"kept1", "classic"},
		{"shares", "X"}, {"single", "Y"}, {"newer", "kept1"}, {"newer", "X"}, {"far", "shares"},
	} {
		w.Add(l[0], l[1])
	}
	return w
}

func TestLinks(t *testing.T) {
	links := example().Links([]string{"kept1", "kept2"}, true)
	rarity := func(n int) float64 { return 1 / math.Log(2+float64(n)) }
	for id, want := range map[string]Link{
		"classic": {CitedBy: 1, Strength: 2},
		"X":       {CitedBy: 2, Strength: 4},
		"Y":       {CitedBy: 1, Strength: 2},
		"newer":   {Cites: 1, Shared: 1, Strength: 2 + rarity(4)},
		"shares":  {Shared: 1, Strength: rarity(4)},
		"single":  {Single: 1, Strength: singleWeight * rarity(2)},
	} {
		got := links[id]
		if math.Abs(got.Strength-want.Strength) > 1e-12 {
			t.Errorf("strength of %s = %v, want %v", id, got.Strength, want.Strength)
		}
		if got.Strength = want.Strength; got != want {
			t.Errorf("link of %s = %+v, want %+v", id, got, want)
		}
	}
	for _, id := range []string{"kept1", "kept2", "far"} {
		if l, ok := links[id]; ok {
			t.Errorf("%s is linked: %+v", id, l)
		}
	}
	if l := example().Links([]string{"kept1", "kept2"}, false)["single"]; l.Strength != 0 {
		t.Errorf("without single works, a work that shares one has %+v", l)
	}
}

func TestThroughTakesCocitedWorksFirst(t *testing.T) {
	w := example()
	w.Cited("Y", 3)
	w.Cited("classic", 90_000)
	if got := w.Through([]string{"kept1", "kept2"}, true); !slices.Equal(got, []string{"X", "Y", "classic"}) {
		t.Errorf("through %v, want the co-cited one, then the less cited", got)
	}
	if got := w.Through([]string{"kept1", "kept2"}, false); !slices.Equal(got, []string{"X"}) {
		t.Errorf("through %v, want the co-cited one alone", got)
	}
}

func TestAWorkDoesNotCiteItself(t *testing.T) {
	w := NewWeb()
	w.Add("a", "a")
	w.Add("", "a")
	if got := w.Links([]string{"a"}, true); len(got) != 0 {
		t.Errorf("links = %v", got)
	}
}

// The order of what is added never shows.
func TestLinksDoNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g"})
		var pairs [][2]string
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			pairs = append(pairs, [2]string{id.Draw(t, "from"), id.Draw(t, "to")})
		}
		one, two := NewWeb(), NewWeb()
		for _, p := range pairs {
			one.Add(p[0], p[1])
		}
		slices.Reverse(pairs)
		for _, p := range pairs {
			two.Add(p[0], p[1])
		}
		kept := []string{"a", "b"}
		x, y := one.Links(kept, true), two.Links([]string{"b", "a"}, true)
		if fmt.Sprint(x) != fmt.Sprint(y) {
			t.Fatalf("%v and %v", x, y)
		}
		for id, l := range x {
			if l.Strength <= 0 {
				t.Fatalf("%s has the link %+v", id, l)
			}
		}
	})
}

func TestOrderJoinsLinksAndWords(t *testing.T) {
	list := []Candidate{
		{ID: "both", Link: Link{Strength: 4}, Likeness: 0.9},
		{ID: "linked", Link: Link{Strength: 9}, Likeness: 0.1},
		{ID: "worded", Link: Link{Strength: 0.1}, Likeness: 0.95},
		{ID: "neither", Link: Link{Strength: 0.2}, Likeness: 0.05},
	}
	Order(list)
	if list[0].ID == "neither" || list[3].ID != "neither" {
		t.Errorf("order %v", list)
	}
	same := []Candidate{{ID: "b"}, {ID: "a"}}
	Order(same)
	if same[0].ID != "a" || same[0].Score != 0 {
		t.Errorf("equal candidates: %+v, want the order of their ids and a score of 0", same)
	}
	Order(nil)
}

func TestLowYield(t *testing.T) {
	set := state.DefaultSettings().Snowball
	for _, c := range []struct {
		found, relevant int
		low             bool
	}{{50, 5, false}, {50, 4, true}, {10, 1, true}, {2, 2, false}, {0, 0, true}} {
		if got := LowYield(set, c.found, c.relevant); got != c.low {
			t.Errorf("%d of %d relevant: low-yield is %v", c.relevant, c.found, got)
		}
	}
}
