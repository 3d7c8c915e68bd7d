package canon

import (
	"cmp"
	"slices"

	"optimistresearch/state"
)

// cluster is a set of records that are one work.
type cluster struct {
	members  []int32
	reps     []int32 // members that no rule takes for each other
	document string  // of the existing document, "" for a new one
}

// clusterer joins clusters along edges, strongest first. A chain a~b~c whose
// ends stand under a veto is not followed: the weaker link is refused and noted.
type clusterer struct {
	e         *engine
	of        []int32 // cluster of each record
	clusters  []*cluster
	followed  []edge
	refused   []refusal
	vetoes    map[pair]int16 // row of the veto, or noVeto: what was compared while joining
	documents []string       // existing document of each record, "" if none
	ranks     []int          // best rank of each record, set by number
}

const noVeto = -2

// refusal is an edge that was not followed.
type refusal struct {
	edge
	why  string // numeral, …, person, container, or documents when two existing documents would be joined
	a, b string // the two documents
}

func newClusterer(e *engine, documents []string) *clusterer {
	c := &clusterer{e: e, vetoes: map[pair]int16{}, of: make([]int32, len(e.ps)), documents: documents}
	c.clusters = make([]*cluster, 0, len(e.ps))
	byDocument := map[string]int32{}
	for i := range e.ps {
		d := documents[i]
		if n, ok := byDocument[d]; ok && d != "" {
			c.of[i] = n
			c.add(c.clusters[n], int32(i))
			continue
		}
		n := int32(len(c.clusters))
		c.of[i] = n
		one := []int32{int32(i)}
		c.clusters = append(c.clusters, &cluster{members: one, reps: one[:1:1], document: d})
		if d != "" {
			byDocument[d] = n
		}
	}
	return c
}

func (c *clusterer) add(x *cluster, i int32) {
	x.members = append(x.members, i)
	for _, r := range x.reps {
		if c.e.ps[r].print == c.e.ps[i].print {
			return
		}
	}
	x.reps = append(x.reps, i)
}

// sortEdges puts the strongest evidence first; ties by the existing document,
// then by record.
func (c *clusterer) sortEdges(edges []edge) {
	doc := func(e edge) string { return max(c.documents[e.i], c.documents[e.j]) }
	slices.SortFunc(edges, func(x, y edge) int {
		if n := cmp.Or(cmp.Compare(x.row, y.row), cmp.Compare(y.score, x.score)); n != 0 {
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
			c.refused = append(c.refused, refusal{e, "documents", x.document, y.document})
			continue
		}
		if why := c.vetoed(x, y, e); why != "" {
			c.refused = append(c.refused, refusal{e, why, "", ""})
			continue
		}
		if x.document == "" && (y.document != "" || len(x.members) < len(y.members)) {
			a, b, x, y = b, a, y, x
		}
		for _, i := range y.members {
			c.of[i] = a
			c.add(x, i)
		}
		c.clusters[b] = nil
		c.followed = append(c.followed, e)
	}
}

// veto compares two records once.
func (c *clusterer) veto(p pair) string {
	row, known := c.vetoes[p]
	if !known {
		d := compareOnly(&c.e.ps[p.i], &c.e.ps[p.j], c.e.policy).decide(c.e.policy)
		if row = noVeto; d.outcome == apart {
			row = d.index()
		}
		c.vetoes[p] = row
	}
	if row == noVeto {
		return ""
	}
	return table[row].name
}

// mostDescriptions is the number of different descriptions that one work may
// have. What exceeds it is no work but the content of a container.
const mostDescriptions = 64

// vetoed compares every record of one cluster with every record of the other
// and gives the first veto. What a person called the same is not compared.
func (c *clusterer) vetoed(x, y *cluster, e edge) string {
	if c.calledDifferent(x, y) {
		return rulePerson
	}
	if len(x.reps)+len(y.reps) > mostDescriptions {
		return "container"
	}
	for _, i := range x.reps {
		for _, j := range y.reps {
			p := pair{min(i, j), max(i, j)}
			if p == e.pair || c.e.decided.verdict(p) == DecisionSame {
				continue
			}
			if veto := c.veto(p); veto != "" {
				return veto
			}
		}
	}
	return ""
}

func (c *clusterer) calledDifferent(x, y *cluster) bool {
	if len(c.e.decided.others) == 0 {
		return false
	}
	if len(x.members) > len(y.members) {
		x, y = y, x
	}
	for _, i := range x.members {
		for _, j := range c.e.decided.others[i] {
			if c.clusters[c.of[j]] == y {
				return true
			}
		}
	}
	return false
}

// number gives ids to the new clusters, in the order of the best rank, source
// and key of their first record, and sorts their members likewise.
func (c *clusterer) number(next int) {
	c.ranks = make([]int, len(c.e.ps))
	for i := range c.ranks {
		c.ranks[i] = bestRank(c.e.ps[i].rec)
	}
	var created []*cluster
	for _, x := range c.clusters {
		if x != nil && x.document == "" {
			slices.SortFunc(x.members, func(i, j int32) int { return c.bySighting(i, j) })
			created = append(created, x)
		}
	}
	slices.SortFunc(created, func(x, y *cluster) int { return c.bySighting(x.members[0], y.members[0]) })
	for i, x := range created {
		x.document = documentID(next + 1 + i)
	}
}

func (c *clusterer) bySighting(i, j int32) int {
	return cmp.Or(bySighting(&c.e.ps[i], &c.e.ps[j], [2]int{c.ranks[i], c.ranks[j]}), cmp.Compare(i, j))
}

// doubts calls put for what a person should look at, the strongest first: one
// pair for any two clusters.
func (c *clusterer) doubts(doubtful []edge, put func(e edge, v Verdict, why, detail string)) {
	listed := map[uint64]bool{}
	once := func(e edge) bool {
		x, y := c.of[e.i], c.of[e.j]
		k := pair{min(x, y), max(x, y)}.code()
		if x == y || listed[k] {
			return false
		}
		listed[k] = true
		return true
	}
	for _, r := range c.refused {
		switch {
		case r.why == rulePerson || !once(r.edge):
		case r.why == "documents":
			a, b := r.a, r.b
			if !state.LessID(a, b) {
				a, b = b, a
			}
			put(r.edge, c.e.explain(r.edge), "uncertain", "would join "+a+" and "+b)
		default:
			put(r.edge, c.e.explain(r.edge), whyOf(r.why), "another record of the document stands against it")
		}
	}
	c.sortEdges(doubtful)
	for _, e := range doubtful {
		if once(e) {
			v := c.e.explain(e)
			put(e, v, whyOf(v.Veto), "")
		}
	}
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
