package rank

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"optimistresearch/state"
)

type doc struct {
	id        string
	year      int
	cites     int // −1 = no source counts
	sources   []string
	relevance map[string]float64
	read      []string
	retracted bool
}

// corpus builds a state with subquestions RQ1… in priority order.
func corpus(subquestions int, docs ...doc) *state.State {
	s := state.New(state.Question{Text: "q", Year: 2026}, state.DefaultSettings())
	part := state.State{Subquestions: map[string]state.Subquestion{}, Records: map[string]state.Record{}, Documents: map[string]state.Document{}}
	for i := range subquestions {
		id := fmt.Sprintf("RQ%d", i+1)
		part.Subquestions[id] = state.Subquestion{ID: id, Text: id, Priority: i + 1, Status: state.Open}
	}
	for _, d := range docs {
		var out state.Document
		for _, src := range d.sources {
			r := state.Record{Key: src + ":" + d.id, Source: src, Title: d.id, Year: d.year, Kind: state.Published, Abstract: "text"}
			if d.cites >= 0 {
				r.Citations = &d.cites
			}
			if d.retracted {
				r.Retraction = &state.Retract{Status: state.RetractRetracted}
			}
			part.Records[r.Key] = r
			out = state.JoinDocuments(out, state.DocumentFrom(r))
		}
		out.ID = d.id
		out.Relevance = map[string]state.Relevance{}
		for q, score := range d.relevance {
			out.Relevance[q] = state.Relevance{Score: score}
		}
		for _, q := range d.read {
			if out.ReadFor == nil {
				out.ReadFor = map[string]string{}
			}
			out.ReadFor[q] = "it1/read"
		}
		part.Documents[d.id] = out
	}
	s.Merge(&part)
	return s
}

func rq(score float64) map[string]float64 { return map[string]float64{"RQ1": score} }

func ids(r []Scored) []string {
	var out []string
	for _, x := range r {
		out = append(out, x.Document)
	}
	return out
}

func TestScoreByHand(t *testing.T) {
	s := corpus(1,
		doc{"doc_0001", 2026, 10, []string{"arxiv", "openalex"}, rq(0.9), nil, false},
		doc{"doc_0002", 2021, 0, []string{"openalex"}, rq(0.6), nil, false},
	)
	got := Rank(s)
	// doc_0001: log(1+10/1) is the larger rate of the two (0 and 2.398): the
	// 95th percentile is 0.95·2.398, so impact is capped at 1; recency 2^0 = 1;
	// corroboration (2−1)/(2−1) = 1.
	want := 0.6*0.9 + 0.15*1 + 0.15*1 + 0.10*1
	if math.Abs(got[0].Score-want) > 1e-9 || got[0].Document != "doc_0001" {
		t.Errorf("first = %+v, want score %.4f", got[0], want)
	}
	// doc_0002: impact 0, recency 2^(−5/5) = 0.5, corroboration 0.
	if want := 0.6*0.6 + 0.15*0.5; math.Abs(got[1].Score-want) > 1e-9 {
		t.Errorf("second = %+v, want score %.4f", got[1], want)
	}
}

func TestUnknownCitationsCountAsTheMedian(t *testing.T) {
	s := corpus(1,
		doc{"doc_0001", 2026, 0, []string{"a"}, rq(0.8), nil, false},
		doc{"doc_0002", 2026, -1, []string{"a"}, rq(0.8), nil, false},
		doc{"doc_0003", 2026, 9, []string{"a"}, rq(0.8), nil, false},
		doc{"doc_0004", 2026, 99, []string{"a"}, rq(0.8), nil, false},
	)
	by := map[string]Scored{}
	for _, r := range Rank(s) {
		by[r.Document] = r
	}
	if by["doc_0002"].Counted || by["doc_0002"].Impact != by["doc_0003"].Impact {
		t.Errorf("unknown = %+v, the median document has impact %.3f", by["doc_0002"], by["doc_0003"].Impact)
	}
}

func TestWeightsWithOneSource(t *testing.T) {
	one := corpus(1, doc{"doc_0001", 2026, 1, []string{"arxiv"}, rq(0.9), nil, false})
	w, why := Weights(one)
	if w.Corroboration != 0 || math.Abs(w.Relevance+w.Impact+w.Recency-1) > 1e-9 || why == "" {
		t.Errorf("weights = %+v (%q), want corroboration shared out", w, why)
	}
	if math.Abs(w.Relevance/w.Impact-4) > 1e-9 {
		t.Errorf("weights = %+v: the shares must keep their proportion", w)
	}
	two := corpus(1, doc{"doc_0001", 2026, 1, []string{"arxiv", "crossref"}, rq(0.9), nil, false})
	if w, why := Weights(two); w != two.Settings.Ranking || why != "" {
		t.Errorf("with two sources weights = %+v (%q)", w, why)
	}
}

func TestRankLeavesOut(t *testing.T) {
	s := corpus(1,
		doc{"doc_0001", 2020, 1, []string{"a"}, rq(0.49), nil, false},
		doc{"doc_0002", 2020, 1, []string{"a"}, rq(0.9), nil, true},
		doc{"doc_0003", 0, -1, []string{"a"}, rq(0.5), nil, false},
		doc{"doc_0004", 2020, 1, []string{"a"}, nil, nil, false},
	)
	if got := ids(Rank(s)); !slices.Equal(got, []string{"doc_0003"}) {
		t.Errorf("ranked %v, want only doc_0003: the others are irrelevant, retracted or unscored", got)
	}
	s.Settings.Reading.IncludeRetracted = true
	if got := ids(Rank(s)); !slices.Contains(got, "doc_0002") {
		t.Errorf("ranked %v; the retracted one was asked for", got)
	}
}

// One well-served subquestion must not take the whole budget (ODR, Algorithm 1).
func TestRoundRobin(t *testing.T) {
	s := corpus(2,
		doc{"doc_0001", 2026, 9, []string{"a"}, map[string]float64{"RQ1": 0.9}, nil, false},
		doc{"doc_0002", 2026, 9, []string{"a"}, map[string]float64{"RQ1": 0.88}, nil, false},
		doc{"doc_0003", 2026, 9, []string{"a"}, map[string]float64{"RQ1": 0.86}, nil, false},
		doc{"doc_0004", 2026, 9, []string{"a"}, map[string]float64{"RQ2": 0.6}, nil, false},
	)
	got := Allocate(s, Rank(s), 2)
	if len(got) != 2 || got[0].Document != "doc_0001" || got[1].Document != "doc_0004" {
		t.Errorf("allocated %+v, want doc_0001 for RQ1 and doc_0004 for RQ2", got)
	}
}

// The second phase attaches further subquestions at no cost; a pair that was
// read stays out (the paper's doc_0139 was read again only for RQ6).
func TestSecondPhaseAndReadPairs(t *testing.T) {
	s := corpus(3,
		doc{"doc_0139", 2025, 9, []string{"a"}, map[string]float64{"RQ1": 0.9, "RQ2": 0.8, "RQ3": 0.7}, []string{"RQ1", "RQ2"}, false},
		doc{"doc_0140", 2025, 9, []string{"a"}, map[string]float64{"RQ1": 0.8, "RQ3": 0.6}, nil, false},
	)
	got := Allocate(s, Rank(s), 5)
	want := []Assignment{{Document: "doc_0139", Subquestions: []string{"RQ3"}}, {Document: "doc_0140", Subquestions: []string{"RQ1", "RQ3"}}}
	if len(got) != 2 || got[0].Document != want[0].Document || !slices.Equal(got[0].Subquestions, want[0].Subquestions) || !slices.Equal(got[1].Subquestions, want[1].Subquestions) {
		t.Errorf("allocated %+v, want %+v", got, want)
	}
}

func TestAllocationLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var docs []doc
		for i := range rapid.IntRange(0, 12).Draw(t, "docs") {
			d := doc{id: fmt.Sprintf("doc_%04d", i+1), year: rapid.IntRange(2000, 2026).Draw(t, "year"), cites: rapid.IntRange(-1, 50).Draw(t, "cites"), sources: []string{"a"}, relevance: map[string]float64{}}
			for _, q := range []string{"RQ1", "RQ2", "RQ3"} {
				if rapid.Bool().Draw(t, q) {
					d.relevance[q] = rapid.Float64Range(0, 1).Draw(t, "r")
				}
			}
			docs = append(docs, d)
		}
		s := corpus(3, docs...)
		budget := rapid.IntRange(0, 6).Draw(t, "budget")
		ranked := Rank(s)
		got := Allocate(s, ranked, budget)
		if len(got) > budget {
			t.Fatalf("%d documents for a budget of %d", len(got), budget)
		}
		first := map[string]int{}
		for _, a := range got {
			first[a.Subquestions[0]]++
			for _, q := range a.Subquestions {
				if !wanted(s, s.Documents[a.Document], q) {
					t.Fatalf("%s is assigned to %s, which it is not relevant to", a.Document, q)
				}
			}
		}
		// No subquestion takes two more than one that could have taken another.
		for _, q := range []string{"RQ1", "RQ2", "RQ3"} {
			left := 0
			for _, r := range ranked {
				if wanted(s, s.Documents[r.Document], q) && !slices.ContainsFunc(got, func(a Assignment) bool { return a.Document == r.Document }) {
					left++
				}
			}
			for o, n := range first {
				if left > 0 && n > first[q]+1 {
					t.Fatalf("%s took %d and %s only %d with %d documents left", o, n, q, first[q], left)
				}
			}
		}
	})
}
