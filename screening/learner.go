package screening

import (
	"cmp"
	"math"
	"slices"
)

// How the order is learned from decisions.
const (
	learnCost   = 0.1 // what an error on an excluded record costs
	learnPower  = 0.8 // how far the rarer kind of decision is weighed up: the power of their ratio
	learnPasses = 3   // passes over the decisions after each

	// This many records from the lower half of the first order stand in for
	// exclusions until they are read (Cormack and Grossman 2015).
	presumed = 100

	// The first order counts this much beside what is learned before anything is
	// found, and half of it when this many records are.
	priorShare = 2.0
	priorHalf  = 10
)

// Verdict is what was decided on a record.
type Verdict string

// The verdicts. A record that may belong in is read, and nothing is learned
// from it.
const (
	Include Verdict = "include"
	Exclude Verdict = "exclude"
	Maybe   Verdict = "maybe"
)

// Learner keeps the order of the unread records and learns it anew from each
// decision. It is not safe for concurrent use.
type Learner struct {
	c        *Corpus
	svm      *machine
	topic    []cell
	prior    []float64
	presumed []int // places
	without  Part
	verdicts []Verdict
	kept     []int // places of what was included, in the order of decision
	left     []int
	read     int
	score    []float64
	stale    bool
}

// NewLearner starts from the order that [Rank] gave for the corpus. without
// leaves parts out, to see what each is worth; 0 is the method.
func NewLearner(c *Corpus, rv Review, ranked []Ranked, without Part) *Learner {
	n := len(c.Records)
	l := &Learner{c: c, svm: newMachine(c.vector.features, 2*n+1), prior: make([]float64, n), verdicts: make([]Verdict, n),
		without: without, score: make([]float64, n), stale: true}
	l.topic = c.vector.vector(c.ix.Numbers(rv.Title), c.ix.Numbers(lines(rv.Question, ". ")))
	lowest := 0.0
	for _, r := range ranked {
		lowest = min(lowest, r.odds)
	}
	for i := range l.prior {
		l.prior[i] = lowest
	}
	for _, r := range ranked {
		if i, ok := c.at[r.ID]; ok {
			l.prior[i] = r.odds
		}
	}
	standard(l.prior, func(int) bool { return true })
	order := c.best(l.prior)
	for j := range min(presumed, n/2) {
		if without&Presumed != 0 {
			break
		}
		l.presumed = append(l.presumed, order[n-1-j*(n/2)/min(presumed, n/2)])
	}
	return l
}

// Learn takes a decision. It replaces an earlier one on the same record; an
// unknown ID is ignored.
func (l *Learner) Learn(id string, v Verdict) {
	i, ok := l.c.at[id]
	if !ok || l.verdicts[i] == v {
		return
	}
	l.Forget(id)
	l.verdicts[i], l.stale = v, true
	l.read++
	switch v {
	case Include:
		l.kept = append(l.kept, i)
	case Exclude:
		l.left = append(l.left, i)
	}
}

// Forget takes a decision back.
func (l *Learner) Forget(id string) {
	i, ok := l.c.at[id]
	if !ok || l.verdicts[i] == "" {
		return
	}
	without := func(list []int) []int { return slices.DeleteFunc(list, func(x int) bool { return x == i }) }
	switch l.verdicts[i] {
	case Include:
		l.svm.drop(example{key: i, row: l.c.vector.rows[i], y: 1})
		l.kept = without(l.kept)
	case Exclude:
		l.svm.drop(example{key: i, row: l.c.vector.rows[i], y: -1})
		l.left = without(l.left)
	}
	l.verdicts[i], l.stale = "", true
	l.read--
}

// Read gives the number of records with a verdict.
func (l *Learner) Read() int { return l.read }

// Next gives the unread record that is best to read now; ok is false when all
// are read.
func (l *Learner) Next() (id string, ok bool) {
	l.learn()
	best := -1
	for i, v := range l.verdicts {
		if v != "" {
			continue
		}
		if best < 0 || l.before(i, best) < 0 {
			best = i
		}
	}
	if best < 0 {
		return "", false
	}
	return l.c.Records[best].ID, true
}

// Order lists the unread records, best first.
func (l *Learner) Order() []string {
	l.learn()
	var order []int
	for i, v := range l.verdicts {
		if v == "" {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, l.before)
	out := make([]string, len(order))
	for k, i := range order {
		out[k] = l.c.Records[i].ID
	}
	return out
}

func (l *Learner) before(a, b int) int {
	return cmp.Or(cmp.Compare(l.score[b], l.score[a]), cmp.Compare(l.c.Records[a].ID, l.c.Records[b].ID))
}

// learn scores the records anew if a decision came in.
func (l *Learner) learn() {
	if !l.stale {
		return
	}
	l.stale = false
	unread := func(i int) bool { return l.verdicts[i] == "" }
	if len(l.kept)+len(l.left) == 0 {
		copy(l.score, l.prior)
		return
	}
	l.svm.fit(l.examples(), learnPasses)
	for i, row := range l.c.vector.rows {
		if l.verdicts[i] == "" {
			l.score[i] = l.svm.score(row)
		}
	}
	standard(l.score, unread)
	if l.without&Prior != 0 {
		return
	}
	addScaled(l.score, l.prior, priorShare*priorHalf/(priorHalf+float64(len(l.kept))))
}

// examples are the decisions, the topic as one more included record, and the
// records presumed to be off it.
func (l *Learner) examples() []example {
	n, rows := len(l.c.Records), l.c.vector.rows
	out := make([]example, 0, len(l.kept)+len(l.left)+len(l.presumed)+1)
	off := float64(len(l.left) + len(l.presumed))
	cost := learnCost * math.Pow(max(off, 1)/float64(len(l.kept)+1), learnPower)
	if l.without&Topic == 0 {
		out = append(out, example{2 * n, l.topic, 1, cost})
	}
	for _, i := range l.kept {
		out = append(out, example{i, rows[i], 1, cost})
	}
	for _, i := range l.left {
		out = append(out, example{i, rows[i], -1, learnCost})
	}
	for _, i := range l.presumed {
		if e := (example{n + i, rows[i], -1, learnCost}); l.verdicts[i] != "" {
			l.svm.drop(e)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// Replay reads the corpus in the order that the learner gives, with known
// labels in the place of a person, and gives that order. A record without a
// label is excluded.
func Replay(l *Learner, included map[string]bool) []string {
	left := 0
	for _, r := range l.c.Records {
		if included[r.ID] && l.verdicts[l.c.at[r.ID]] == "" {
			left++
		}
	}
	var order []string
	for left > 0 {
		id, ok := l.Next()
		if !ok {
			break
		}
		order = append(order, id)
		v := Exclude
		if included[id] {
			v = Include
			left--
		}
		l.Learn(id, v)
	}
	// Nothing is left to find: what follows depends on no further decision.
	return append(order, l.Order()...)
}
