package canon

import (
	"cmp"
	"slices"

	"optimistresearch/state"
)

// edge is a pair of records that a rule holds to be one work.
type edge struct {
	pair
	verdict Verdict
	rank    int
}

// cluster is a set of records that are one work.
type cluster struct {
	members  []int32
	reps     []int32 // members that Compare can tell apart
	document string  // of the existing document, "" for a new one
}

// clusterer joins clusters along edges, strongest first.
type clusterer struct {
	ps        []*profile
	decided   map[pair]string // a person's decisions
	of        []int32         // cluster of each record
	clusters  []*cluster
	refused   []refusal
	vetoes    map[pair]string // what was compared while joining
	documents []string        // existing document of each record, "" if none
}

// refusal is an edge that was not followed.
type refusal struct {
	pair
	verdict Verdict
	why     string // numeral, …, or "documents" when two existing documents would be joined
	a, b    string // the two documents
}

func newClusterer(ps []*profile, documents []string, decided map[pair]string) *clusterer {
	c := &clusterer{ps: ps, decided: decided, vetoes: map[pair]string{}, of: make([]int32, len(ps)), documents: documents}
	byDocument := map[string]int32{}
	for i, d := range documents {
		if n, ok := byDocument[d]; ok && d != "" {
			c.of[i] = n
			c.clusters[n].add(int32(i), ps)
			continue
		}
		n := int32(len(c.clusters))
		c.of[i] = n
		c.clusters = append(c.clusters, &cluster{document: d})
		c.clusters[n].add(int32(i), ps)
		if d != "" {
			byDocument[d] = n
		}
	}
	return c
}

func (c *cluster) add(i int32, ps []*profile) {
	c.members = append(c.members, i)
	for _, r := range c.reps {
		if ps[r].print == ps[i].print {
			return
		}
	}
	c.reps = append(c.reps, i)
}

// sortEdges puts the strongest evidence first; ties by the existing document,
// then by record.
func (c *clusterer) sortEdges(edges []edge) {
	doc := func(e edge) string { return max(c.documents[e.i], c.documents[e.j]) }
	slices.SortFunc(edges, func(x, y edge) int {
		if n := cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(y.verdict.Score, x.verdict.Score)); n != 0 {
			return n
		}
		if a, b := doc(x), doc(y); a != b {
			switch {
			case a == "":
				return 1
			case b == "":
				return -1
			case state.LessID(a, b):
				return -1
			default:
				return 1
			}
		}
		return cmp.Or(cmp.Compare(x.i, y.i), cmp.Compare(x.j, y.j))
	})
}

// join follows the edges in order.
func (c *clusterer) join(edges []edge) {
	c.sortEdges(edges)
	for _, e := range edges {
		a, b := c.of[e.i], c.of[e.j]
		if a == b {
			continue
		}
		x, y := c.clusters[a], c.clusters[b]
		if x.document != "" && y.document != "" {
			c.refused = append(c.refused, refusal{e.pair, e.verdict, "documents", x.document, y.document})
			continue
		}
		if why := c.vetoed(x, y, e); why != "" {
			c.refused = append(c.refused, refusal{e.pair, e.verdict, why, "", ""})
			continue
		}
		if x.document == "" && (y.document != "" || len(x.members) < len(y.members)) {
			a, b, x, y = b, a, y, x
		}
		for _, i := range y.members {
			c.of[i] = a
			x.add(i, c.ps)
		}
		c.clusters[b] = &cluster{}
	}
}

// veto compares two records once.
func (c *clusterer) veto(p pair) string {
	if veto, known := c.vetoes[p]; known {
		return veto
	}
	v := compareProfiles(c.ps[p.i], c.ps[p.j], false)
	if v.Same {
		v.Veto = ""
	}
	c.vetoes[p] = v.Veto
	return v.Veto
}

// mostDescriptions is the number of different descriptions that one work may
// have. What exceeds it is no work but the content of a container.
const mostDescriptions = 64

// vetoed compares every record of one cluster with every record of the other
// and gives the first veto. What a person called the same is not compared.
func (c *clusterer) vetoed(x, y *cluster, e edge) string {
	for p, d := range c.decided {
		if d == DecisionDifferent && (c.clusters[c.of[p.i]] == x && c.clusters[c.of[p.j]] == y || c.clusters[c.of[p.i]] == y && c.clusters[c.of[p.j]] == x) {
			return rulePerson
		}
	}
	if len(x.reps)+len(y.reps) > mostDescriptions {
		return "container"
	}
	for _, i := range x.reps {
		for _, j := range y.reps {
			p := pair{min(i, j), max(i, j)}
			if p == e.pair || c.decided[p] == DecisionSame {
				continue
			}
			if veto := c.veto(p); veto != "" {
				return veto
			}
		}
	}
	return ""
}
