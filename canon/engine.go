package canon

import (
	"cmp"
	"slices"

	"optimistresearch/state"
)

// engine is one pass over a corpus: profiles, candidates, comparisons, clusters.
// Canonicalise and Dedupe are two ways to call it.
type engine struct {
	policy  Policy
	workers int
	ps      []profile
	fresh   []bool
	decided decided
}

// edge is a pair of records with the row that decided about it.
type edge struct {
	pair
	row   int16 // in table, or rowPerson or rowCatalogue
	score float32
}

// Rows that the table does not hold.
const (
	rowPerson    = -1
	rowCatalogue = 1 << 10
)

// newEngine prepares records. The order of records only settles ties, so sort
// them by what is stable.
func newEngine(records []*state.Record, policy Policy, n int) *engine {
	e := &engine{policy: policy, workers: workers(n), ps: make([]profile, len(records))}
	builders := make([]*builder, e.workers)
	inChunks(len(records), chunk, e.workers, func(w, _, from, to int) {
		if builders[w] == nil {
			builders[w] = newBuilder()
		}
		for i := from; i < to; i++ {
			e.ps[i] = builders[w].profile(records[i])
		}
	})
	return e
}

// compared is what a comparison leaves behind.
type compared struct {
	edges, doubtful []edge
	partners        []edge
	pairs           int // compared
}

// run compares what may be one work and joins it. documents names the existing
// document of each record, "" for a fresh one.
func (e *engine) run(documents []string, fresh []bool) (*clusterer, compared) {
	e.fresh = fresh
	markRecurring(e.ps)
	b := blocking{ps: e.ps, fresh: fresh, workers: e.workers}
	found := e.compare(b.candidates())
	c := newClusterer(e, documents)
	c.join(found.edges)
	c.join(c.matchCatalogues(found.partners))
	return c, found
}

// compare decides about each pair, in parallel.
func (e *engine) compare(pairs []pair) compared {
	parts := make([]compared, (len(pairs)+chunk-1)/chunk)
	inChunks(len(pairs), chunk, e.workers, func(_, n, from, to int) {
		part := &parts[n]
		for _, p := range pairs[from:to] {
			if e.decided.verdict(p) != "" {
				continue
			}
			c := compareOnly(&e.ps[p.i], &e.ps[p.j], e.policy)
			d := c.decide(e.policy)
			x := edge{p, d.index(), c.strength()}
			switch {
			case d.outcome == one:
				part.edges = append(part.edges, x)
			case d.look:
				part.doubtful = append(part.doubtful, x)
			}
			if d.row.partner && c.partners() {
				x.row, x.score = rowCatalogue, c.partnership()
				part.partners = append(part.partners, x)
			}
		}
	})
	out := compared{pairs: len(pairs)}
	for p, v := range e.decided.pairs {
		if v == DecisionSame && (e.fresh[p.i] || e.fresh[p.j]) {
			out.edges = append(out.edges, edge{p, rowPerson, 1})
		}
	}
	for _, p := range parts {
		out.edges = append(out.edges, p.edges...)
		out.doubtful = append(out.doubtful, p.doubtful...)
		out.partners = append(out.partners, p.partners...)
	}
	return out
}

// index is the place of the deciding row in the table.
func (d decision) index() int16 {
	for i := range table {
		if &table[i] == d.row {
			return int16(i)
		}
	}
	return int16(len(table) - 1)
}

// explain gives the verdict on an edge with the values compared.
func (e *engine) explain(x edge) Verdict {
	switch x.row {
	case rowPerson:
		return Verdict{Same: true, Rule: rulePerson, Compare: "a person's decision", Score: 1}
	case rowCatalogue:
		v := compareProfiles(&e.ps[x.i], &e.ps[x.j], e.policy)
		return Verdict{Same: true, Rule: ruleCatalogue, Compare: v.Compare, Score: float64(x.score)}
	}
	return compareProfiles(&e.ps[x.i], &e.ps[x.j], e.policy)
}

// decided holds a person's decisions on pairs of records.
type decided struct {
	pairs  map[pair]string
	others map[int32][]int32 // records called different from a record
}

func (d *decided) put(i, j int32, verdict string) {
	if i == j || verdict != DecisionSame && verdict != DecisionDifferent {
		return
	}
	if d.pairs == nil {
		d.pairs, d.others = map[pair]string{}, map[int32][]int32{}
	}
	d.pairs[pair{min(i, j), max(i, j)}] = verdict
	if verdict == DecisionDifferent {
		d.others[i] = append(d.others[i], j)
		d.others[j] = append(d.others[j], i)
	}
}

func (d *decided) verdict(p pair) string {
	if len(d.pairs) == 0 {
		return ""
	}
	return d.pairs[p]
}

// bySighting orders records by the best rank at which they came back, source
// and key.
func bySighting(p, q *profile, ranks [2]int) int {
	if ranks[0] != ranks[1] {
		return cmp.Compare(ranks[0], ranks[1])
	}
	return cmp.Or(cmp.Compare(p.rec.Source, q.rec.Source), cmp.Compare(p.rec.Key, q.rec.Key),
		slices.Compare(p.print[:], q.print[:]))
}

// bestRank is the best rank of a record; records without a rank come last.
func bestRank(r *state.Record) int {
	best := int(^uint(0) >> 1)
	for _, p := range r.Seen {
		if p.Rank > 0 {
			best = min(best, p.Rank)
		}
	}
	return best
}
