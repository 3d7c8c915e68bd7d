package canon

import (
	"cmp"
	"slices"
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

// candidates gives the pairs worth comparing, sorted. Only pairs with at least
// one fresh record are given. The number of pairs per record is bounded.
func candidates(ps []*profile, fresh []bool) []pair {
	var pairs []pair
	add := func(i, j int32) {
		if i != j && (fresh[i] || fresh[j]) {
			pairs = append(pairs, pair{min(i, j), max(i, j)})
		}
	}
	for _, kind := range []byte{blockID, blockTitle, blockStart, blockEnd, blockPerson, blockPlace} {
		posts := postings(ps, kind)
		groups(posts, func(g []posting) {
			switch {
			case len(g) <= blockLimit:
				for x := range g {
					for y := x + 1; y < len(g); y++ {
						if kind == blockID || kind == blockTitle || kind == blockPlace || plausible(ps[g[x].rec], ps[g[y].rec]) {
							add(g[x].rec, g[y].rec)
						}
					}
				}
			case kind != blockPerson:
				sortedNeighbours(ps, g, add)
			}
		})
		pairs = compacted(pairs)
	}
	byRareWords(ps, add)
	return compacted(pairs)
}

func compacted(pairs []pair) []pair {
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j)) })
	return slices.Compact(pairs)
}

// sortedNeighbours orders a large block by title, first author, year and key,
// and compares each record with the next ones.
func sortedNeighbours(ps []*profile, g []posting, add func(i, j int32)) {
	slices.SortFunc(g, func(x, y posting) int {
		p, q := ps[x.rec], ps[y.rec]
		return cmp.Or(cmp.Compare(p.titles[0].compact, q.titles[0].compact), cmp.Compare(p.first(), q.first()),
			cmp.Compare(p.rec.Year, q.rec.Year), cmp.Compare(p.volume, q.volume), cmp.Compare(p.page, q.page), cmp.Compare(x.rec, y.rec))
	})
	for x := range g {
		for y := x + 1; y < len(g) && y <= x+neighbours; y++ {
			add(g[x].rec, g[y].rec)
		}
	}
}

// postings lists the keys of one kind, sorted by key, then record.
func postings(ps []*profile, kind byte) []posting {
	var out []posting
	put := func(i int, parts ...string) { out = append(out, posting{hash(kind, parts...), int32(i)}) }
	for i, p := range ps {
		switch kind {
		case blockID:
			for _, scheme := range identifierRules {
				v := p.rec.IDs[scheme]
				if scheme == identifierRules[0] {
					v = p.stem
				}
				if v != "" {
					put(i, scheme, v)
				}
			}
		case blockPlace:
			if p.page != "" && p.volume != "" && p.rec.Year != 0 {
				put(i, p.volume, p.page, yearText(p.rec.Year))
			}
		default:
			for k := range p.titles {
				titleKeys(p, &p.titles[k], kind, func(parts ...string) { put(i, parts...) })
			}
		}
	}
	slices.SortFunc(out, func(a, b posting) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.rec, b.rec)) })
	return slices.Compact(out)
}

func titleKeys(p *profile, t *title, kind byte, put func(parts ...string)) {
	if t.compact == "" {
		return
	}
	rs := []rune(t.compact)
	switch kind {
	case blockTitle:
		put(t.compact)
	case blockStart:
		put(string(rs[:min(len(rs), edgeLength)]))
	case blockEnd:
		put(string(rs[max(0, len(rs)-edgeLength):]))
	case blockPerson:
		first := loose(p.first())
		if len(first) < personLength {
			return
		}
		for _, w := range t.distinct {
			put(first, w)
		}
	case blockWord:
		for _, w := range t.distinct {
			put(w)
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

// byRareWords brings together records that share one of the rarest words of
// either.
func byRareWords(ps []*profile, add func(i, j int32)) {
	posts := postings(ps, blockWord)
	type block struct{ from, to int }
	perRecord := make([][]block, len(ps))
	for i := 0; i < len(posts); {
		j := i + 1
		for j < len(posts) && posts[j].key == posts[i].key {
			j++
		}
		if n := j - i; n > 1 && n <= wordLimit {
			for _, q := range posts[i:j] {
				perRecord[q.rec] = append(perRecord[q.rec], block{i, j})
			}
		}
		i = j
	}
	for i, blocks := range perRecord {
		slices.SortStableFunc(blocks, func(a, b block) int { return cmp.Compare(a.to-a.from, b.to-b.from) })
		for _, b := range blocks[:min(len(blocks), rareWords)] {
			for _, q := range posts[b.from:b.to] {
				if int(q.rec) != i && plausible(ps[i], ps[q.rec]) {
					add(int32(i), q.rec)
				}
			}
		}
	}
}

// plausible is a cheap bound: at least half of the distinctive words of the
// shorter title, each once, occur in the other, or the titles have almost none.
func plausible(p, q *profile) bool {
	for i := range p.titles {
		for j := range q.titles {
			a, b := p.titles[i].distinct, q.titles[j].distinct
			if len(a) > len(b) {
				a, b = b, a
			}
			if len(a) <= 1 {
				return true
			}
			common := 0
			for _, w := range a {
				if containsWord(b, w) {
					common++
				}
			}
			if 2*common >= len(a) {
				return true
			}
		}
	}
	return false
}

// hash is FNV-1a over the kind and the parts.
func hash(kind byte, parts ...string) uint64 {
	const prime = 1099511628211
	h := (uint64(14695981039346656037) ^ uint64(kind)) * prime
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint64(p[i])) * prime
		}
		h = (h ^ 0xff) * prime
	}
	return h
}
