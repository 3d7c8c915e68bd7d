package evidence

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"optimistresearch/state"
)

const (
	// MinSame is the similarity from which two claims without a veto between
	// them say the same thing.
	MinSame = 0.6
	// WeakStrength is the mean strength below which a cluster is weak (ODR,
	// section 9).
	WeakStrength = 0.5

	minCross       = 0.4 // similarity of any two claims in a cluster
	largestCluster = 200 // distinct claims; such a cluster takes no more
)

// Cluster groups the claims of each subquestion that say the same thing. Every
// item is in exactly one cluster. Two claims with different numbers, systems,
// populations, directions or negation are never in one. The result depends on
// the set of items alone, not on their order; ids follow from the members.
func Cluster(s *state.State, items []state.Evidence) []state.Cluster {
	var out []state.Cluster
	short := acronyms(s, items)
	ids, split := bySubquestion(items)
	for _, q := range ids {
		x := newIndex(split[q], s.Subquestions[q].Text, short)
		var clusters []state.Cluster
		for _, group := range x.groups() {
			var members []state.Evidence
			for _, i := range group {
				members = append(members, x.members[i]...)
			}
			clusters = append(clusters, describe(s, q, members))
		}
		slices.SortFunc(clusters, func(a, b state.Cluster) int {
			return cmp.Or(cmp.Compare(len(b.Documents), len(a.Documents)), cmp.Compare(b.MeanStrength, a.MeanStrength), cmp.Compare(a.ID, b.ID))
		})
		out = append(out, clusters...)
	}
	return out
}

// groups merges the most similar claims first; two groups merge only if no pair
// across them is vetoed or too different.
func (x *index) groups() [][]int {
	of := make([]int, len(x.profiles))
	groups := make([][]int, len(x.profiles))
	for i := range groups {
		of[i], groups[i] = i, []int{i}
	}
	for _, p := range x.pairs(MinSame) {
		a, b := of[p.a], of[p.b]
		if a == b || len(groups[a])+len(groups[b]) > largestCluster || !x.mergeable(groups[a], groups[b]) {
			continue
		}
		a, b = min(a, b), max(a, b)
		for _, i := range groups[b] {
			of[i] = a
		}
		groups[a], groups[b] = append(groups[a], groups[b]...), nil
	}
	return slices.DeleteFunc(groups, func(g []int) bool { return g == nil })
}

func (x *index) mergeable(a, b []int) bool {
	for _, i := range a {
		for _, j := range b {
			if !same(x.profiles[i], x.profiles[j]) || similarity(x.profiles[i], x.profiles[j]) < minCross {
				return false
			}
		}
	}
	return true
}

func describe(s *state.State, subquestion string, members []state.Evidence) state.Cluster {
	slices.SortFunc(members, func(a, b state.Evidence) int { return cmp.Compare(a.ID, b.ID) })
	c := state.Cluster{Subquestion: subquestion}
	best := members[0]
	for _, e := range members {
		c.Evidence = append(c.Evidence, e.ID)
		c.Documents = append(c.Documents, e.Document)
		c.MeanStrength += state.Clamp(e.Strength)
		if state.Clamp(e.Strength) > state.Clamp(best.Strength) {
			best = e
		}
	}
	c.Claim = best.Claim
	c.MeanStrength /= float64(len(members))
	c.Documents = state.Union(c.Documents, nil)
	c.AuthorGroups = len(authorGroups(s, c.Documents))
	c.Weak = len(c.Documents) < 2 || c.MeanStrength < WeakStrength
	h := sha256.Sum256([]byte(strings.Join(c.Evidence, "|")))
	c.ID = "c_" + hex.EncodeToString(h[:6])
	return c
}
