package sandbox

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"optimistresearch/internal/text"
)

// fields is a set of the indexed parts of a work.
type fields uint8

const (
	inTitle fields = 1 << iota
	inAbstract
	inAuthors
	inVenue
	fieldCount = 4
	inText     = inTitle | inAbstract
	inAll      = inText | inAuthors | inVenue
)

// authorGap keeps a phrase from reaching from one author into the next.
const authorGap = 100

// index is an inverted index of the words of a library with their positions.
// An occurrence is one number, work<<24 | field<<20 | position, so that the
// occurrences of a word are a rising list, kept as varint steps.
type index struct {
	terms map[string]*postings
	vocab []string            // sorted, for words with a wildcard at the end
	stems map[string][]string // stem → words of the vocabulary
	count int                 // works
	size  [fieldCount][]uint16
	mean  [fieldCount]float64
}

type postings struct {
	steps []byte
	last  uint64
	works int
}

const maxPosition = 1<<20 - 1

func newIndex(lib *Library) *index {
	ix := &index{terms: map[string]*postings{}, stems: map[string][]string{}, count: len(lib.Works)}
	for f := range ix.size {
		ix.size[f] = make([]uint16, len(lib.Works))
	}
	for i := range lib.Works {
		w := &lib.Works[i]
		ix.put(i, 0, 0, w.Title)
		abstract := w.Abstract
		if abstract == "" {
			abstract = w.Synopsis
		}
		ix.put(i, 1, 0, abstract)
		at := 0
		for _, a := range w.Authors {
			at = ix.put(i, 2, at, split(a).full()) + authorGap
		}
		ix.put(i, 3, 0, w.Venue)
	}
	for f := range ix.size {
		sum := 0
		for _, n := range ix.size[f] {
			sum += int(n)
		}
		ix.mean[f] = math.Max(1, float64(sum)/math.Max(1, float64(ix.count)))
	}
	ix.vocab = make([]string, 0, len(ix.terms))
	for w := range ix.terms {
		ix.vocab = append(ix.vocab, w)
	}
	slices.Sort(ix.vocab)
	for _, w := range ix.vocab {
		s := text.Stem(w)
		ix.stems[s] = append(ix.stems[s], w)
	}
	return ix
}

// put indexes the words of one field from a position on and gives the position
// after the last.
func (ix *index) put(work, field, at int, s string) int {
	words := text.Tokens(s)
	for _, w := range words {
		if at > maxPosition {
			break
		}
		p := ix.terms[w]
		if p == nil {
			p = &postings{}
			ix.terms[strings.Clone(w)] = p
		}
		key := uint64(work)<<24 | uint64(field)<<20 | uint64(at)
		if p.works == 0 || p.last>>24 != uint64(work) {
			p.works++
		}
		p.steps = binary.AppendUvarint(p.steps, key-p.last)
		p.last = key
		at++
	}
	ix.size[field][work] = uint16(min(int(ix.size[field][work])+len(words), math.MaxUint16))
	return at
}

// occurrences lists where any of the words stands in the fields, in order.
func (ix *index) occurrences(words []string, in fields) []uint64 {
	var all []uint64
	for _, w := range words {
		p := ix.terms[w]
		if p == nil {
			continue
		}
		all = slices.Grow(all, len(p.steps)/3+1)
		key := uint64(0)
		for steps := p.steps; len(steps) > 0; {
			step, n := binary.Uvarint(steps)
			if n <= 0 {
				break
			}
			key += step
			steps = steps[n:]
			if in&(1<<(key>>20&15)) != 0 {
				all = append(all, key)
			}
		}
	}
	if len(words) > 1 {
		slices.Sort(all)
	}
	return all
}

// rarity is the inverse document frequency of a group of words.
func (ix *index) rarity(words []string) float64 {
	n := 0
	for _, w := range words {
		if p := ix.terms[w]; p != nil {
			n += p.works
		}
	}
	n = min(n, ix.count)
	return math.Log(1 + (float64(ix.count)-float64(n)+0.5)/(float64(n)+0.5))
}

// forms are the words of the vocabulary with the stem of a word.
func (ix *index) forms(word string) []string { return ix.stems[text.Stem(word)] }

// starting are the words of the vocabulary that begin so, at most 600.
func (ix *index) starting(prefix string) []string {
	from, _ := slices.BinarySearch(ix.vocab, prefix)
	to := from
	for to < len(ix.vocab) && to-from < 600 && strings.HasPrefix(ix.vocab[to], prefix) {
		to++
	}
	return ix.vocab[from:to]
}
