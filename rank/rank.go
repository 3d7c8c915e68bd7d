// Package rank orders the relevant documents and fills the reading queue. It
// is deterministic, needs no model, and must never look at a clock: "now" is
// the year in the question. Start with Rank, then Allocate.
package rank

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"optimistresearch/state"
)

// Scored is a document's rank score and its four terms, each in [0,1].
type Scored struct {
	Document      string
	Score         float64
	Relevance     float64 // the highest over the active subquestions
	Impact        float64
	Recency       float64
	Corroboration float64
	Counted       bool // a source reports a citation count
}

// Rank scores the documents that are relevant to an active subquestion, not
// excluded and not retracted (unless the settings include retracted work), and
// sorts them best first, ties by id.
//
// The score is the weighted mean of (ODR, section 7, with SPEC §7's terms):
// relevance = max over subquestions; impact = log(1 + citations per year) over
// the corpus's 95th percentile of it, the median of the known where no source
// counts; recency = 2^(−age/half-life), the median of the known where the year
// is not; corroboration = (sources that returned it − 1)/(sources that
// returned anything − 1).
func Rank(s *state.State) []Scored {
	var active []string
	for _, q := range s.ActiveSubquestions() {
		active = append(active, q.ID)
	}
	w, _ := Weights(s)
	total := w.Relevance + w.Impact + w.Recency + w.Corroboration
	answered := answering(s)
	scale := newImpactScale(s)
	fallback := medianRecency(s)

	var out []Scored
	for _, id := range state.SortedIDs(s.Documents) {
		d := s.Documents[id]
		rel, ok := d.MaxRelevance(active)
		if !ok || rel < s.Settings.Screening.Relevant || !usable(s, d) {
			continue
		}
		x := Scored{Document: id, Relevance: state.Clamp(rel)}
		x.Impact, x.Counted = scale.of(s, d)
		x.Recency = fallback
		if y := d.Year(); y != 0 {
			x.Recency = recency(s, y)
		}
		if answered > 1 {
			x.Corroboration = float64(len(s.Sources(d))-1) / float64(answered-1)
		}
		if total > 0 {
			x.Score = (w.Relevance*x.Relevance + w.Impact*x.Impact + w.Recency*x.Recency + w.Corroboration*x.Corroboration) / total
		}
		out = append(out, x)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	return out
}

// Weights returns the weights in force and why they differ from the settings:
// with one answering source, corroboration says nothing and its weight goes to
// the others in proportion.
func Weights(s *state.State) (state.RankingSettings, string) {
	w := s.Settings.Ranking
	if answering(s) > 1 {
		return w, ""
	}
	rest := w.Relevance + w.Impact + w.Recency
	if w.Corroboration == 0 || rest == 0 {
		return w, ""
	}
	share := 1 + w.Corroboration/rest
	w.Relevance, w.Impact, w.Recency, w.Corroboration = w.Relevance*share, w.Impact*share, w.Recency*share, 0
	return w, fmt.Sprintf("only one source returned documents, so the weight of corroboration (%.2f) is shared out among the other terms", s.Settings.Ranking.Corroboration)
}

// usable tells whether a document may be read at all.
func usable(s *state.State, d state.Document) bool {
	if len(d.Exclusion) > 0 {
		return false
	}
	return s.Settings.Reading.IncludeRetracted || d.Retracted().Status != state.RetractRetracted
}

// answering counts the sources that returned any record.
func answering(s *state.State) int {
	names := map[string]bool{}
	for _, r := range s.Records {
		names[r.Source] = true
	}
	return len(names)
}

func recency(s *state.State, year int) float64 {
	half := s.Settings.Ranking.RecencyHalfLife
	if half <= 0 {
		return 0
	}
	return math.Exp2(-float64(max(s.Question.Year-year, 0)) / half)
}

func medianRecency(s *state.State) float64 {
	var known []float64
	for _, d := range s.Documents {
		if y := d.Year(); y != 0 {
			known = append(known, recency(s, y))
		}
	}
	return quantile(known, 0.5)
}

// impactScale turns citations per year into [0,1] for one corpus.
type impactScale struct{ top, median float64 }

func newImpactScale(s *state.State) impactScale {
	var known []float64
	for _, d := range s.Documents {
		if v, ok := logRate(s, d); ok {
			known = append(known, v)
		}
	}
	return impactScale{top: quantile(known, 0.95), median: quantile(known, 0.5)}
}

func (sc impactScale) of(s *state.State, d state.Document) (float64, bool) {
	v, ok := logRate(s, d)
	if !ok {
		v = sc.median
	}
	if sc.top <= 0 {
		return 0, ok
	}
	return state.Clamp(v / sc.top), ok
}

// logRate is log(1 + citations per year); the year of publication counts as a
// whole year.
func logRate(s *state.State, d state.Document) (float64, bool) {
	n, ok := d.CitationCount()
	if !ok {
		return 0, false
	}
	age := 1
	if y := d.FirstYear(); y != 0 {
		age = max(s.Question.Year-y+1, 1)
	}
	return math.Log1p(float64(max(n, 0)) / float64(age)), true
}

// quantile of a set of numbers, linear between ranks; 0 for none.
func quantile(x []float64, p float64) float64 {
	if len(x) == 0 {
		return 0
	}
	x = slices.Clone(x)
	slices.Sort(x)
	pos := p * float64(len(x)-1)
	low := int(pos)
	if low+1 >= len(x) {
		return x[len(x)-1]
	}
	return x[low] + (pos-float64(low))*(x[low+1]-x[low])
}
