package chase

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"optimistresearch/screening"
	"optimistresearch/snowball"
)

// KeepShare is the share of the known works, best first by links and words, that
// the built-in judge keeps.
const KeepShare = 0.3

// Background is works that are known before the chase, such as those of a frozen
// library, indexed and ranked once. The words of all of them say how rare a word
// is; nothing else of them is used.
type Background struct {
	corpus *screening.Corpus
	ranked []screening.Ranked
}

// NewBackground indexes works and ranks them for a review, which may be empty.
func NewBackground(works []Work, rv screening.Review) *Background {
	records := make([]screening.Record, len(works))
	for i, w := range works {
		records[i] = screening.Record{ID: w.ID, Title: w.Title, Abstract: w.Abstract, Keywords: w.Keywords, Year: w.Year}
	}
	b := &Background{corpus: screening.NewCorpus(records)}
	if strings.TrimSpace(rv.Question+rv.Title) != "" {
		b.ranked = screening.Rank(b.corpus, rv, screening.Options{})
	}
	return b
}

// covers tells whether all works are in it.
func (b *Background) covers(works []Work) bool {
	for _, w := range works {
		if _, ok := b.corpus.Find(w.ID); !ok {
			return false
		}
	}
	return true
}

// memory is what a judge has learned. It learns on from round to round as long
// as what it learns on stays the same.
type memory struct {
	on      *Background
	learner *screening.Learner
	learned map[string]screening.Verdict
}

// likeness orders works by the review and the verdicts. given is preferred if it
// covers what is known.
func (m *memory) likeness(given *Background, works []Work, rv screening.Review, verdicts map[string]screening.Verdict) map[string]float64 {
	on := m.on
	switch {
	case given != nil && given.covers(works):
		on = given
	case on == nil || len(on.corpus.Records) != len(works) || !on.covers(works):
		on = NewBackground(works, rv)
	}
	if m.on != on {
		*m = memory{on: on, learner: screening.NewLearner(on.corpus, rv, on.ranked, 0), learned: map[string]screening.Verdict{}}
	}
	for _, id := range slices.Sorted(maps.Keys(verdicts)) { // what is learned depends on the order
		if v := verdicts[id]; m.learned[id] != v {
			m.learned[id] = v
			m.learner.Learn(id, v)
		}
	}
	order := m.learner.Order()
	out := make(map[string]float64, len(order))
	for i, id := range order {
		out[id] = float64(len(order) - i)
	}
	return out
}

// Words is the built-in judge: it keeps the best of what is known, by the words
// of the review, the likeness to the seeds and the links. It learns from the
// seeds alone, never from its own decisions.
type Words struct {
	Review     screening.Review
	Background *Background // nil: what the chase knows is indexed anew each round
	Share      float64     // 0 = KeepShare

	learns memory
}

// Likeness is that of the words to the review and the seeds.
func (j *Words) Likeness(known []Work, seeds []string, _ map[string]bool) map[string]float64 {
	verdicts := map[string]screening.Verdict{}
	for _, s := range seeds {
		verdicts[s] = screening.Include
	}
	return j.learns.likeness(j.Background, known, j.Review, verdicts)
}

// Keep keeps what is among the best.
func (j *Words) Keep(_ context.Context, batch []Placed) ([]Decision, error) {
	share := j.Share
	if share <= 0 {
		share = KeepShare
	}
	out := make([]Decision, len(batch))
	for i, p := range batch {
		out[i].Keep = p.Place < share
		out[i].Reason = fmt.Sprintf("%s; by links and words after %.0f %% of the known works, and the first %.0f %% are kept", Linked(p.Link), 100*p.Place, 100*share)
	}
	return out, nil
}

// Linked words a link.
func Linked(l snowball.Link) string {
	var parts []string
	for _, x := range []struct {
		n    int
		word string
	}{{l.Cites, "cites %d kept"}, {l.CitedBy, "cited by %d kept"}, {l.Shared, "shares %d references with two or more kept"}, {l.Single, "shares %d references with one kept"}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf(x.word, x.n))
		}
	}
	return strings.Join(parts, ", ")
}

// Labels is the judge that knows: it decides as labels do, and learns from what
// it decided. A work without a label is not kept.
type Labels struct {
	Included   map[string]bool  // by the name of a work
	Review     screening.Review // may be empty: then the seeds alone say what to look for
	Background *Background

	learns memory
}

// Likeness is that of the words to what was kept, and the unlikeness to what was
// not.
func (j *Labels) Likeness(known []Work, _ []string, decided map[string]bool) map[string]float64 {
	verdicts := map[string]screening.Verdict{}
	for id, keep := range decided {
		verdicts[id] = screening.Exclude
		if keep {
			verdicts[id] = screening.Include
		}
	}
	return j.learns.likeness(j.Background, known, j.Review, verdicts)
}

// Keep looks the labels up.
func (j *Labels) Keep(_ context.Context, batch []Placed) ([]Decision, error) {
	out := make([]Decision, len(batch))
	for i, p := range batch {
		out[i] = Decision{Keep: j.Included[p.Name], Reason: Linked(p.Link) + "; as labelled"}
	}
	return out, nil
}
