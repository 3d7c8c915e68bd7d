package canon

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/state"
)

// Values of state.Pair.Decision.
const (
	DecisionSame      = "same"
	DecisionDifferent = "different"
)

// Canonicalise links every record of s that has no link and returns the new
// links, the documents that they make or add to, and the pairs that a person
// should look at. s is not changed. round is written into the links.
//
// New documents continue the numbers of the existing ones, in the order of the
// best rank at which a record came back, its source and its key. A record that
// fits two existing documents joins the one with the stronger evidence; the
// documents are never merged here, the pair is noted. A person's decisions on
// pairs are obeyed.
func Canonicalise(s *state.State, round int) state.State {
	keys := state.Keys(s.Records)
	fresh := make([]bool, len(keys))
	documents := make([]string, len(keys))
	news := false
	for i, k := range keys {
		if l, ok := s.Links[k]; ok && l.Document != "" {
			documents[i] = l.Document
			continue
		}
		fresh[i], news = true, true
	}
	part := state.State{}
	if news {
		ps := make([]*profile, len(keys))
		for i, k := range keys {
			r := s.Records[k]
			r.Key = k
			ps[i] = newProfile(r)
		}
		link(s, &part, ps, fresh, documents, round)
	}
	setDepths(s, &part)
	return part
}

func link(s *state.State, part *state.State, ps []*profile, fresh []bool, documents []string, round int) {
	markRecurring(ps)
	decided := decisions(s, ps)
	edges, doubtful := compareAll(ps, candidates(ps, fresh), decided, fresh)
	c := newClusterer(ps, documents, decided)
	c.join(edges)
	number(s, c, fresh)
	part.Links = links(c, edges, fresh, round)
	part.Documents = map[string]state.Document{}
	for i, p := range ps {
		if !fresh[i] {
			continue
		}
		id := c.clusters[c.of[i]].document
		d := state.DocumentFrom(p.rec)
		d.ID = id
		if old, ok := part.Documents[id]; ok {
			d = state.JoinDocuments(old, d)
		}
		part.Documents[id] = d
	}
	part.Pairs = pairs(c, doubtful)
}

// decisions reads what a person said about pairs of records.
func decisions(s *state.State, ps []*profile) map[pair]string {
	index := map[string]int32{}
	out := map[pair]string{}
	for _, k := range state.Keys(s.Pairs) {
		p := s.Pairs[k]
		if p.Decision == "" {
			continue
		}
		if len(index) == 0 {
			for i, q := range ps {
				index[q.rec.Key] = int32(i)
			}
		}
		i, ok := index[p.A]
		j, found := index[p.B]
		if ok && found && i != j {
			out[pair{min(i, j), max(i, j)}] = p.Decision
		}
	}
	return out
}

// compareAll compares the candidates: edges are the pairs held to be one work,
// doubtful those for a person.
func compareAll(ps []*profile, cand []pair, decided map[pair]string, fresh []bool) (edges, doubtful []edge) {
	for p, d := range decided {
		if d == DecisionSame && (fresh[p.i] || fresh[p.j]) {
			v := Verdict{Same: true, Rule: rulePerson, Compare: "a person's decision", Score: 1}
			edges = append(edges, edge{p, v, ruleRank(rulePerson)})
		}
	}
	for _, p := range cand {
		if decided[p] != "" {
			continue
		}
		v := compareProfiles(ps[p.i], ps[p.j], false)
		switch {
		case v.Same:
			edges = append(edges, edge{p, v, ruleRank(v.Rule)})
		case v.Uncertain:
			doubtful = append(doubtful, edge{p, v, ruleRank(v.Rule)})
		}
	}
	return edges, doubtful
}

// number gives ids to the new clusters.
func number(s *state.State, c *clusterer, fresh []bool) {
	var created []*cluster
	for _, x := range c.clusters {
		if x.document == "" && len(x.members) > 0 {
			slices.SortFunc(x.members, func(i, j int32) int { return bySighting(c.ps[i], c.ps[j]) })
			created = append(created, x)
		}
	}
	slices.SortFunc(created, func(x, y *cluster) int { return bySighting(c.ps[x.members[0]], c.ps[y.members[0]]) })
	next := 0
	for id := range s.Documents {
		next = max(next, documentNumber(id))
	}
	for _, l := range s.Links {
		next = max(next, documentNumber(l.Document))
	}
	for i, x := range created {
		x.document = fmt.Sprintf("doc_%04d", next+1+i)
	}
}

func documentNumber(id string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "doc_"))
	if err != nil || !strings.HasPrefix(id, "doc_") {
		return 0
	}
	return n
}

// bySighting orders records by the best rank at which they came back, source
// and key.
func bySighting(p, q *profile) int {
	return cmp.Or(cmp.Compare(bestRank(p.rec), bestRank(q.rec)), cmp.Compare(p.rec.Source, q.rec.Source), cmp.Compare(p.rec.Key, q.rec.Key))
}

// bestRank is the best rank of a record; records without a rank come last.
func bestRank(r state.Record) int {
	best := int(^uint(0) >> 1)
	for _, p := range r.Seen {
		if p.Rank > 0 {
			best = min(best, p.Rank)
		}
	}
	return best
}

// links writes one link per fresh record: the first record of a new document
// stands for itself, the others carry their strongest evidence.
func links(c *clusterer, edges []edge, fresh []bool, round int) map[string]state.Link {
	strongest := make([]int, len(c.ps))
	for n, e := range edges { // sorted, strongest first
		if c.of[e.i] != c.of[e.j] {
			continue
		}
		for _, i := range []int32{e.i, e.j} {
			if strongest[i] == 0 {
				strongest[i] = n + 1
			}
		}
	}
	out := map[string]state.Link{}
	for i, p := range c.ps {
		if !fresh[i] {
			continue
		}
		x := c.clusters[c.of[i]]
		l := state.Link{Record: p.rec.Key, Document: x.document, Rule: ruleFirst, Round: round}
		first := int32(i) == x.members[0]
		if n := strongest[i]; n > 0 && !first {
			e := edges[n-1]
			other := e.i
			if other == int32(i) {
				other = e.j
			}
			l.Rule, l.With, l.Compare = e.verdict.Rule, c.ps[other].rec.Key, e.verdict.Compare
		}
		out[p.rec.Key] = l
	}
	return out
}

// PairKey is the key of a pair of records in state.Pairs.
func PairKey(a, b string) string { return min(a, b) + "|" + max(a, b) }

// pairs lists what a person should look at: one pair, the strongest, for any
// two documents.
func pairs(c *clusterer, doubtful []edge) map[string]state.Pair {
	type couple struct{ a, b string }
	listed := map[couple]bool{}
	out := map[string]state.Pair{}
	put := func(p pair, v Verdict, why, detail string) {
		x, y := c.clusters[c.of[p.i]].document, c.clusters[c.of[p.j]].document
		k := couple{min(x, y), max(x, y)}
		if x == y || listed[k] {
			return
		}
		listed[k] = true
		a, b := c.ps[p.i].rec.Key, c.ps[p.j].rec.Key
		if detail == "" {
			detail = v.Compare
		} else if v.Compare != "" {
			detail += "; " + v.Compare
		}
		out[PairKey(a, b)] = state.Pair{A: min(a, b), B: max(a, b), Why: why, Detail: detail, Score: state.Clamp(v.Score)}
	}
	for _, r := range c.refused {
		switch r.why {
		case rulePerson:
		case "documents":
			a, b := r.a, r.b
			if !state.LessID(a, b) {
				a, b = b, a
			}
			put(r.pair, r.verdict, "uncertain", "would join "+a+" and "+b)
		default:
			put(r.pair, r.verdict, whyOf(r.why), "another record of the document stands against it")
		}
	}
	c.sortEdges(doubtful)
	for _, e := range doubtful {
		put(e.pair, e.verdict, whyOf(e.verdict.Veto), "")
	}
	return out
}

// whyOf turns a veto into a reason for a pair.
func whyOf(veto string) string {
	switch veto {
	case "":
		return "uncertain"
	case "container_doi":
		return veto
	}
	return veto + "_veto"
}
