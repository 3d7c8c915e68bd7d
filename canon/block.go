package canon

import (
	"cmp"
	"slices"
	"strings"
)

// Limits of the indexes. A block that grows beyond its limit says little about
// its members; it is either left out, when other blocks bring the same pairs
// together, or compared with near neighbours only.
const (
	blockLimit   = 64 // records compared all with all
	wordLimit    = 48 // records that share a rare word
	rareWords    = 4  // words looked up per record
	neighbours   = 12 // in a block beyond its limit
	edgeLength   = 14 // characters of a title's beginning and end
	personLength = 3
	shards       = 16 // parts of an index that are sorted apart
)

// Kinds of block. Exact ones keep neighbours when they grow too large.
const (
	blockID     = 'i'
	blockTitle  = 't'
	blockStart  = 's'
	blockEnd    = 'e'
	blockPerson = 'p' // first author and a word of the title
	blockWord   = 'w'
	blockPlace  = 'l' // volume, page and year, for records without comparable titles
)

type posting struct {
	key uint64
	rec int32
}

// pair is an unordered pair of profile indexes, i < j.
type pair struct{ i, j int32 }

func (p pair) code() uint64 { return uint64(p.i)<<32 | uint64(p.j) }

func pairOf(code uint64) pair { return pair{int32(code >> 32), int32(code)} }

// blocking finds the pairs worth comparing.
type blocking struct {
	ps      []profile
	fresh   []bool
	workers int
}

// candidates gives the pairs worth comparing, sorted. Only pairs with at least
// one fresh record are given. The number of pairs per record is bounded.
func (b *blocking) candidates() []pair {
	var codes []uint64
	for _, kind := range []byte{blockID, blockTitle, blockStart, blockEnd, blockPerson, blockPlace} {
		index := b.index(kind)
		codes = compacted(append(codes, b.gather(len(index), 1, func(shard, _ int, add func(i, j int32)) {
			groups(index[shard], func(g []posting) { b.pairsOf(kind, g, add) })
		})...))
	}
	codes = compacted(append(codes, b.byRareWords()...))
	out := make([]pair, len(codes))
	for i, c := range codes {
		out[i] = pairOf(c)
	}
	return out
}

// gather runs f over n items in parallel and collects the pairs that it adds.
func (b *blocking) gather(n, size int, f func(from, to int, add func(i, j int32))) []uint64 {
	found := make([][]uint64, (n+size-1)/size)
	inChunks(n, size, b.workers, func(_, c, from, to int) {
		var mine []uint64
		f(from, to, func(i, j int32) {
			if i != j && (b.fresh[i] || b.fresh[j]) {
				mine = append(mine, pair{min(i, j), max(i, j)}.code())
			}
		})
		slices.Sort(mine)
		found[c] = slices.Compact(mine)
	})
	return slices.Concat(found...)
}

func compacted(codes []uint64) []uint64 {
	slices.Sort(codes)
	return slices.Compact(codes)
}

// pairsOf adds the pairs of one block.
func (b *blocking) pairsOf(kind byte, g []posting, add func(i, j int32)) {
	if !b.anyFresh(g) {
		return
	}
	switch {
	case len(g) <= blockLimit:
		exact := kind == blockID || kind == blockTitle || kind == blockPlace
		for x := range g {
			for y := x + 1; y < len(g); y++ {
				i, j := g[x].rec, g[y].rec
				if (b.fresh[i] || b.fresh[j]) && (exact || plausible(&b.ps[i], &b.ps[j])) {
					add(i, j)
				}
			}
		}
	case kind != blockPerson:
		b.sortedNeighbours(g, add)
	}
}

func (b *blocking) anyFresh(g []posting) bool {
	for _, p := range g {
		if b.fresh[p.rec] {
			return true
		}
	}
	return false
}

// sortedNeighbours orders a large block by title, first author, year and place,
// and compares each record with the next ones.
func (b *blocking) sortedNeighbours(g []posting, add func(i, j int32)) {
	g = slices.Clone(g)
	slices.SortFunc(g, func(x, y posting) int {
		p, q := &b.ps[x.rec], &b.ps[y.rec]
		return cmp.Or(cmp.Compare(p.titles[0].key, q.titles[0].key), cmp.Compare(p.first(), q.first()),
			cmp.Compare(p.rec.Year, q.rec.Year), cmp.Compare(p.volume, q.volume), cmp.Compare(p.page, q.page), cmp.Compare(x.rec, y.rec))
	})
	for x := range g {
		for y := x + 1; y < len(g) && y <= x+neighbours; y++ {
			add(g[x].rec, g[y].rec)
		}
	}
}

// index lists the keys of one kind, in shards, each sorted by key, then record.
func (b *blocking) index(kind byte) [][]posting {
	size := max(chunk, (len(b.ps)+15)/16)
	parts := make([][shards][]posting, (len(b.ps)+size-1)/size)
	inChunks(len(b.ps), size, b.workers, func(_, c, from, to int) {
		for i := from; i < to; i++ {
			b.ps[i].keys(kind, func(h hashing) {
				// FNV's low bits are its weakest, the shard is told from higher ones.
				s := (h >> 40) % shards
				parts[c][s] = append(parts[c][s], posting{uint64(h), int32(i)})
			})
		}
	})
	out := make([][]posting, shards)
	inChunks(shards, 1, b.workers, func(_, s, _, _ int) {
		n := 0
		for c := range parts {
			n += len(parts[c][s])
		}
		all := make([]posting, 0, n)
		for c := range parts {
			all = append(all, parts[c][s]...)
			parts[c][s] = nil
		}
		slices.SortFunc(all, func(x, y posting) int { return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.rec, y.rec)) })
		out[s] = slices.Compact(all)
	})
	return out
}

// keys puts the keys of one kind of a record.
func (p *profile) keys(kind byte, put func(hashing)) {
	start := hashStart.byte(kind)
	switch kind {
	case blockID:
		if p.stem != "" {
			put(start.text(identifierRules[0]).byte(0).text(p.stem))
		}
		if len(p.rec.IDs) == 0 {
			return
		}
		for _, scheme := range identifierRules[1:] {
			if v := p.rec.IDs[scheme]; v != "" {
				put(start.text(scheme).byte(0).text(v))
			}
		}
	case blockPlace:
		if p.page == "" || p.rec.Year == 0 {
			return
		}
		at := start.text(p.page).byte(0).text(yearText(p.rec.Year)).byte(0)
		if p.volume != "" {
			put(at.text(p.volume))
		}
		if p.last != "" {
			put(at.byte(1).text(p.last).byte(0).text(p.first()))
		}
	default:
		for k := range p.titles {
			p.titleKeys(start, &p.titles[k], kind, put)
		}
	}
}

func (p *profile) titleKeys(start hashing, t *title, kind byte, put func(hashing)) {
	if t.key == "" {
		return
	}
	switch kind {
	case blockTitle:
		put(hashing(t.hash) ^ hashing(kind))
	case blockStart:
		h, n := start, 0
		for _, r := range t.key {
			if r == ' ' {
				continue
			}
			if h, n = h.text(string(r)), n+1; n == edgeLength {
				break
			}
		}
		put(h)
	case blockEnd:
		rs := []rune(strings.ReplaceAll(t.key[max(0, len(t.key)-8*edgeLength):], " ", ""))
		h := start
		for _, r := range rs[max(0, len(rs)-edgeLength):] {
			h = h.text(string(r))
		}
		put(h)
	case blockPerson:
		if len(p.authors) == 0 || len(p.authors[0].family) < personLength {
			return
		}
		h := start.number(p.authors[0].loose)
		for _, w := range t.distinct {
			put(h.number(w))
		}
	case blockWord:
		for _, w := range t.distinct {
			put(start.number(w))
		}
	}
}

// groups calls f for each run of two or more postings with one key.
func groups(posts []posting, f func([]posting)) {
	for i := 0; i < len(posts); {
		j := i + 1
		for j < len(posts) && posts[j].key == posts[i].key {
			j++
		}
		if j-i > 1 {
			f(posts[i:j])
		}
		i = j
	}
}

// rare is a block of records that share a word.
type rare struct {
	key   uint64
	from  uint32
	size  uint16
	shard uint16
}

// byRareWords brings together records that share one of the rarest words of
// either.
func (b *blocking) byRareWords() []uint64 {
	index := b.index(blockWord)
	best := make([][rareWords]rare, len(b.ps))
	for s, posts := range index {
		for i := 0; i < len(posts); {
			j := i + 1
			for j < len(posts) && posts[j].key == posts[i].key {
				j++
			}
			if n := j - i; n > 1 && n <= wordLimit {
				for _, q := range posts[i:j] {
					keepRarest(&best[q.rec], rare{posts[i].key, uint32(i), uint16(n), uint16(s)})
				}
			}
			i = j
		}
	}
	return b.gather(len(b.ps), chunk, func(from, to int, add func(i, j int32)) {
		for i := from; i < to; i++ {
			for _, r := range best[i] {
				if r.size == 0 {
					break
				}
				for _, q := range index[r.shard][r.from : r.from+uint32(r.size)] {
					j := int(q.rec)
					if j == i || !b.fresh[i] && !b.fresh[j] || j < i && holds(&best[j], r.key) {
						continue // the other record brings the pair
					}
					if plausible(&b.ps[i], &b.ps[j]) {
						add(int32(i), q.rec)
					}
				}
			}
		}
	})
}

// keepRarest inserts a block into a list that is sorted by size, then key.
func keepRarest(list *[rareWords]rare, r rare) {
	for k := range list {
		if list[k].size == 0 || r.size < list[k].size || r.size == list[k].size && r.key < list[k].key {
			copy(list[k+1:], list[k:])
			list[k] = r
			return
		}
	}
}

func holds(list *[rareWords]rare, key uint64) bool {
	for k := range list {
		if list[k].size > 0 && list[k].key == key {
			return true
		}
	}
	return false
}

// plausible is a cheap bound: at least half of the distinctive words of the
// shorter title, each once, occur in the other, or the titles have almost none.
func plausible(p, q *profile) bool {
	for i := range p.titles {
		for j := range q.titles {
			a, b := &p.titles[i], &q.titles[j]
			if len(a.distinct) > len(b.distinct) {
				a, b = b, a
			}
			n := len(a.distinct)
			if n <= 1 {
				return true
			}
			most := 0
			for _, w := range a.distinct {
				most += int(b.signature >> (w & 63) & 1)
			}
			if 2*most >= n && 2*common(a.distinct, b.distinct) >= n {
				return true
			}
		}
	}
	return false
}
