package canon

import (
	"cmp"
	"slices"

	"optimistresearch/state"
)

// Options of Dedupe. The zero value is the default policy, no decisions, all
// records new.
type Options struct {
	Policy    Policy     // "" is Versions
	Decisions []Decision // a person's, in the order in which they were made
	// Known names the cluster of records that an earlier call placed, by key.
	// Such records keep their cluster and are not compared with each other again;
	// two known clusters are never joined, the pair is listed as uncertain.
	Known   map[string]string
	Workers int // goroutines, 0 for as many as may run at once; no result depends on it
}

// Result of Dedupe.
type Result struct {
	// Clusters holds every record in exactly one cluster, in the order of the best
	// rank, source and key of their first records; known clusters come first, in
	// the order of their ids.
	Clusters []Cluster
	// Links holds the links by which the clusters were joined, the strongest
	// first: for a cluster of n records n-1 of them, less what was known. Without
	// any one of them its cluster would be two.
	Links []Link
	// Uncertain lists pairs for a person, the strongest for any two clusters.
	Uncertain []Uncertain
	Summary   Summary
}

// Cluster is the set of records of one work.
type Cluster struct {
	ID      string // of the known cluster, or doc_0001, doc_0002, …
	Members []int  // indexes of the records given; the first one came back first
}

// Link says why two records are one work.
type Link struct {
	A, B       string // keys
	Rule       string // a name of Rules
	Compare    string // the values compared, one line
	Similarity float64
}

// Uncertain is a pair of records that a person should look at.
type Uncertain struct {
	A, B       string
	Why        string // uncertain, container_doi, or a veto's name and "_veto"
	Veto       string // a name of Rules, "" if none
	Compare    string
	Similarity float64
}

// Summary counts what Dedupe did.
type Summary struct {
	Records    int
	Clusters   int
	Duplicates int // records beyond the first of their cluster
	Compared   int // pairs of records
	Links      []RuleCount
	Uncertain  []RuleCount // by veto; "uncertain" where none stands
	Sources    []SourceCount
}

// RuleCount counts the links of a rule, or the pairs under a veto.
type RuleCount struct {
	Rule   string
	Reason string
	Count  int
}

// SourceCount counts the records of a source and those among them that are not
// the first of their cluster.
type SourceCount struct {
	Source              string
	Records, Duplicates int
}

// Dedupe finds the records that describe one work. It is the engine of
// Canonicalise for records outside a run; records are neither changed nor kept.
// The result does not depend on their order, but for records that are equal in
// everything, key included.
func Dedupe(records []state.Record, opt Options) Result {
	order := make([]int, len(records))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(records[i].Key, records[j].Key) })
	sorted := make([]*state.Record, len(records))
	documents, fresh := make([]string, len(records)), make([]bool, len(records))
	next := 0
	for n, i := range order {
		sorted[n] = &records[i]
		documents[n] = opt.Known[records[i].Key]
		fresh[n] = documents[n] == ""
	}
	for _, id := range opt.Known {
		next = max(next, documentNumber(id))
	}
	e := newEngine(sorted, opt.Policy, opt.Workers)
	e.decided = inForce(opt.Decisions, e.ps)
	c, found := e.run(documents, fresh)
	c.number(next)
	res := Result{Clusters: c.result(order)}
	if len(c.followed) > 0 {
		res.Links = make([]Link, len(c.followed))
	}
	inChunks(len(c.followed), chunk, e.workers, func(_, _, from, to int) {
		for n := from; n < to; n++ {
			x := c.followed[n]
			v := e.explain(x)
			a, b := e.ps[x.i].rec.Key, e.ps[x.j].rec.Key
			res.Links[n] = Link{A: min(a, b), B: max(a, b), Rule: v.Rule, Compare: v.Compare, Similarity: state.Clamp(v.Score)}
		}
	})
	c.doubts(found.doubtful, func(x edge, v Verdict, why, detail string) {
		a, b := e.ps[x.i].rec.Key, e.ps[x.j].rec.Key
		res.Uncertain = append(res.Uncertain, Uncertain{A: min(a, b), B: max(a, b), Why: why, Veto: v.Veto, Compare: joined(detail, v.Compare), Similarity: state.Clamp(v.Score)})
	})
	res.Summary = summarise(records, res, found.pairs)
	return res
}

// result lists the clusters, with the indexes that the caller knows.
func (c *clusterer) result(order []int) []Cluster {
	var known, created []*cluster
	for _, x := range c.clusters {
		switch {
		case x == nil:
		case c.documents[x.members[0]] != "":
			known = append(known, x)
		default:
			created = append(created, x)
		}
	}
	byID := func(x, y *cluster) int {
		switch {
		case x.document == y.document:
			return 0
		case state.LessID(x.document, y.document):
			return -1
		}
		return 1
	}
	slices.SortFunc(known, byID)
	slices.SortFunc(created, byID)
	out := make([]Cluster, 0, len(known)+len(created))
	for _, x := range append(known, created...) {
		y := Cluster{ID: x.document, Members: make([]int, len(x.members))}
		for k, m := range x.members {
			y.Members[k] = order[m]
		}
		out = append(out, y)
	}
	return out
}

func summarise(records []state.Record, res Result, compared int) Summary {
	s := Summary{Records: len(records), Clusters: len(res.Clusters), Duplicates: len(records) - len(res.Clusters), Compared: compared}
	sources := map[string]*SourceCount{}
	for _, x := range res.Clusters {
		for k, i := range x.Members {
			n := sources[records[i].Source]
			if n == nil {
				n = &SourceCount{Source: records[i].Source}
				sources[records[i].Source] = n
			}
			n.Records++
			if k > 0 {
				n.Duplicates++
			}
		}
	}
	for _, k := range state.Keys(sources) {
		s.Sources = append(s.Sources, *sources[k])
	}
	links, doubts := map[string]int{}, map[string]int{}
	for _, l := range res.Links {
		links[l.Rule]++
	}
	for _, u := range res.Uncertain {
		doubts[cmp.Or(u.Veto, "uncertain")]++
	}
	s.Links, s.Uncertain = ruleCounts(links, true), ruleCounts(doubts, false)
	return s
}

// ruleCounts lists counts, the largest first.
func ruleCounts(m map[string]int, merged bool) []RuleCount {
	var out []RuleCount
	for _, k := range state.Keys(m) {
		out = append(out, RuleCount{Rule: k, Reason: Reason(k, merged), Count: m[k]})
	}
	slices.SortStableFunc(out, func(a, b RuleCount) int { return cmp.Compare(b.Count, a.Count) })
	return out
}
