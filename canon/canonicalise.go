package canon

import (
	"fmt"
	"strconv"
	"strings"

	"optimistresearch/state"
)

// Canonicalise links every record of s that has no link and returns the new
// links, the documents that they make or add to, and the pairs that a person
// should look at, under the default policy. s is not changed. round is written
// into the links.
//
// New documents continue the numbers of the existing ones, in the order of the
// best rank at which a record came back, its source and its key. A record that
// fits two existing documents joins the one with the stronger evidence; the
// documents are never merged here, the pair is noted. Records that have a link
// are not compared with each other again. A person's decisions on pairs are
// obeyed.
func Canonicalise(s *state.State, round int) state.State { return Versions.Canonicalise(s, round) }

// Canonicalise is the function of this name under a policy.
func (p Policy) Canonicalise(s *state.State, round int) state.State {
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
		link(s, &part, p, keys, fresh, documents, round)
	}
	setDepths(s, &part)
	return part
}

func link(s *state.State, part *state.State, policy Policy, keys []string, fresh []bool, documents []string, round int) {
	copies := make([]state.Record, len(keys))
	records := make([]*state.Record, len(keys))
	for i, k := range keys {
		copies[i] = s.Records[k]
		copies[i].Key = k
		records[i] = &copies[i]
	}
	e := newEngine(records, policy, 0)
	e.decided = decisions(s, e.ps)
	c, found := e.run(documents, fresh)
	next := 0
	for id := range s.Documents {
		next = max(next, documentNumber(id))
	}
	for _, l := range s.Links {
		next = max(next, documentNumber(l.Document))
	}
	c.number(next)
	part.Links = links(c, found.edges, fresh, round)
	part.Documents = map[string]state.Document{}
	for i, r := range records {
		if !fresh[i] {
			continue
		}
		id := c.clusters[c.of[i]].document
		d := state.DocumentFrom(*r)
		d.ID = id
		if old, ok := part.Documents[id]; ok {
			d = state.JoinDocuments(old, d)
		}
		part.Documents[id] = d
	}
	part.Pairs = pairs(c, found.doubtful)
}

func documentID(n int) string { return fmt.Sprintf("doc_%04d", n) }

func documentNumber(id string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "doc_"))
	if err != nil || !strings.HasPrefix(id, "doc_") {
		return 0
	}
	return n
}

// links writes one link per fresh record: the first record of a new document
// stands for itself, the others carry their strongest evidence.
func links(c *clusterer, edges []edge, fresh []bool, round int) map[string]state.Link {
	strongest := make([]int, len(c.e.ps))
	all := append(edges[:len(edges):len(edges)], c.followed...)
	for n, e := range all { // edges are sorted, strongest first; what was followed besides are the catalogues' partners
		if c.of[e.i] != c.of[e.j] {
			continue
		}
		for _, i := range [...]int32{e.i, e.j} {
			if strongest[i] == 0 {
				strongest[i] = n + 1
			}
		}
	}
	out := map[string]state.Link{}
	for i := range c.e.ps {
		if !fresh[i] {
			continue
		}
		x, p := c.clusters[c.of[i]], &c.e.ps[i]
		l := state.Link{Record: p.rec.Key, Document: x.document, Rule: ruleFirst, Round: round}
		if n := strongest[i]; n > 0 && int32(i) != x.members[0] {
			e := all[n-1]
			other := e.i
			if other == int32(i) {
				other = e.j
			}
			v := c.e.explain(e)
			l.Rule, l.With, l.Compare = v.Rule, c.e.ps[other].rec.Key, v.Compare
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
	out := map[string]state.Pair{}
	c.doubts(doubtful, func(e edge, v Verdict, why, detail string) {
		a, b := c.e.ps[e.i].rec.Key, c.e.ps[e.j].rec.Key
		out[PairKey(a, b)] = state.Pair{A: min(a, b), B: max(a, b), Why: why, Detail: joined(detail, v.Compare), Score: state.Clamp(v.Score)}
	})
	return out
}

func joined(detail, compare string) string {
	if detail == "" || compare == "" {
		return detail + compare
	}
	return detail + "; " + compare
}
