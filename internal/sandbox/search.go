package sandbox

import (
	"cmp"
	"slices"
)

// A query is a tree of these.
type (
	node interface{ isNode() }

	// words matches a work in which any of them stands.
	words struct {
		any []string
		in  fields
	}
	// phrase matches a work in which the words stand one after the other, or,
	// with slop, in any order with at most so many other words between them.
	phrase struct {
		seq  [][]string // at each place any of these
		slop int        // -1 = none, in order
		in   fields
	}
	allOf  []node
	anyOf  []node
	except struct{ from, not node }
	// where matches a work by its facts.
	where struct{ ok func(work int32) bool }
	// these are works by their numbers, in order.
	these []int32
	none  struct{}
)

func (words) isNode()  {}
func (phrase) isNode() {}
func (allOf) isNode()  {}
func (anyOf) isNode()  {}
func (except) isNode() {}
func (where) isNode()  {}
func (these) isNode()  {}
func (none) isNode()   {}

// hit is a work that matched, and how well.
type hit struct {
	work  int32
	score float64
}

// finder evaluates queries over the holdings of one service.
type finder struct {
	*index
	*holdings
}

// Weights of BM25.
const (
	bmK         = 1.2
	bmB         = 0.75
	titleWeight = 2.5
	otherWeight = 1.0
)

// eval gives the works that match, in the order of the library.
func (f finder) eval(n node) []hit {
	switch n := n.(type) {
	case words:
		return f.score(f.visible(f.occurrences(n.any, n.in)), f.rarity(n.any), 1)
	case phrase:
		return f.phrase(n)
	case allOf:
		return f.all(n)
	case anyOf:
		var sum []hit
		for _, c := range n {
			sum = merge(sum, f.eval(c), true, true)
		}
		return sum
	case except:
		return subtract(f.eval(n.from), f.eval(n.not))
	case these:
		var out []hit
		for _, work := range n {
			if f.main(work) >= 0 {
				out = append(out, hit{work: work})
			}
		}
		return out
	case where:
		var out []hit
		for work := range int32(f.count) {
			if f.main(work) >= 0 && n.ok(work) {
				out = append(out, hit{work: work})
			}
		}
		return out
	}
	return nil
}

func (f finder) all(parts allOf) []hit {
	if len(parts) == 0 {
		return nil
	}
	sum := f.eval(parts[0])
	for _, c := range parts[1:] {
		if len(sum) == 0 {
			return nil
		}
		sum = merge(sum, f.eval(c), false, false)
	}
	return sum
}

// visible keeps the occurrences that the service can see: in works that it
// holds, and in abstracts that it has.
func (f finder) visible(occurrences []uint64) []uint64 {
	last, held, abstract := int32(-1), false, false
	return slices.DeleteFunc(occurrences, func(o uint64) bool {
		if work := int32(o >> 24); work != last {
			last = work
			from, to := f.versions(work)
			held = from < to
			abstract = slices.ContainsFunc(f.records[from:to], func(r record) bool { return r.abstract })
		}
		return !held || !abstract && o>>20&15 == 1
	})
}

// score counts occurrences by work and field and weighs them with BM25.
func (f finder) score(occurrences []uint64, rarity, weight float64) []hit {
	var out []hit
	for i := 0; i < len(occurrences); {
		work := int32(occurrences[i] >> 24)
		var n [fieldCount]int
		for ; i < len(occurrences) && int32(occurrences[i]>>24) == work; i++ {
			n[occurrences[i]>>20&15]++
		}
		sum := 0.0
		for field, count := range n {
			if count == 0 {
				continue
			}
			length := float64(f.size[field][work]) / f.mean[field]
			w := otherWeight
			if field == 0 {
				w = titleWeight
			}
			tf := float64(count)
			sum += w * tf * (bmK + 1) / (tf + bmK*(1-bmB+bmB*length))
		}
		out = append(out, hit{work, weight * rarity * sum})
	}
	return out
}

func (f finder) phrase(p phrase) []hit {
	if len(p.seq) == 0 {
		return nil
	}
	rarity := 0.0
	for _, any := range p.seq {
		rarity += f.rarity(any)
	}
	if p.slop >= 0 {
		return f.score(f.near(p), rarity, 1)
	}
	found := f.visible(f.occurrences(p.seq[0], p.in))
	for i, any := range p.seq[1:] {
		if len(found) == 0 {
			return nil
		}
		found = follow(found, f.occurrences(any, p.in), uint64(i+1))
	}
	return f.score(found, rarity, 1)
}

// follow keeps the starts that have an occurrence so many places later.
func follow(starts, next []uint64, distance uint64) []uint64 {
	kept, j := starts[:0], 0
	for _, s := range starts {
		for j < len(next) && next[j] < s+distance {
			j++
		}
		if j < len(next) && next[j] == s+distance {
			kept = append(kept, s)
		}
	}
	return kept
}

// near keeps the occurrences of the first word that have all others in their
// neighbourhood.
func (f finder) near(p phrase) []uint64 {
	reach := uint64(p.slop + len(p.seq) - 1)
	found := f.visible(f.occurrences(p.seq[0], p.in))
	for _, any := range p.seq[1:] {
		next, kept := f.occurrences(any, p.in), found[:0]
		for _, s := range found {
			low := s - min(s&maxPosition, reach)
			i, _ := slices.BinarySearch(next, low)
			for i < len(next) && next[i] == s {
				i++
			}
			if i < len(next) && next[i] <= s+reach && next[i]>>20 == s>>20 {
				kept = append(kept, s)
			}
		}
		found = kept
	}
	return found
}

// merge joins two lists; scores add. left and right say whether what is only
// in one of them stays.
func merge(a, b []hit, left, right bool) []hit {
	out := make([]hit, 0, max(len(a), len(b)))
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case j == len(b) || i < len(a) && a[i].work < b[j].work:
			if left {
				out = append(out, a[i])
			}
			i++
		case i == len(a) || b[j].work < a[i].work:
			if right {
				out = append(out, b[j])
			}
			j++
		default:
			out = append(out, hit{a[i].work, a[i].score + b[j].score})
			i, j = i+1, j+1
		}
	}
	return out
}

func subtract(a, b []hit) []hit {
	out, j := a[:0], 0
	for _, h := range a {
		for j < len(b) && b[j].work < h.work {
			j++
		}
		if j == len(b) || b[j].work != h.work {
			out = append(out, h)
		}
	}
	return out
}

// found is a record in a result list.
type found struct {
	record int32
	score  float64
}

// expand turns works into the records of the service that pass, the best
// first, works of equal score in the order of the library.
func (f finder) expand(hits []hit, pass func(record int32) bool) []found {
	out := make([]found, 0, len(hits))
	for _, h := range hits {
		from, to := f.versions(h.work)
		for r := from; r < to; r++ {
			if pass == nil || pass(r) {
				out = append(out, found{r, h.score})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	return out
}

// everything lists all records of the service that pass, in its own order.
func (f finder) everything(pass func(record int32) bool) []found {
	var out []found
	for r := range int32(len(f.records)) {
		if pass == nil || pass(r) {
			out = append(out, found{record: r})
		}
	}
	return out
}
