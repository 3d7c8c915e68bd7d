package lexical

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"optimistresearch/internal/text"
)

// Parameters of BM25 (Robertson and Zaragoza 2009) and of the title, whose
// words count as this many words of the body.
const (
	k1          = 1.2
	b           = 0.75
	titleWeight = 2
)

// Doc is a document to index. ID must be unique: adding a known ID replaces the
// document. Title and Body may be empty.
type Doc struct{ ID, Title, Body string }

// Hit is a document with its score.
type Hit struct {
	ID    string
	Score float64
}

// Index is an in-memory inverted index over documents. It may be searched by
// several goroutines, but not while documents are added.
type Index struct {
	vocab    map[string]int32 // stem to term number
	terms    []string         // term number to stem
	words    map[string]*word // by folded word
	postings [][]posting
	df       []int // documents alive that hold a term
	docs     []document
	byID     map[string]int
	alive    int
	length   int // sum of the lengths of the documents alive
	acronyms *acronyms
}

// word is a spelling: its term number, or stopTerm, and how often it occurs.
type word struct {
	term  int32
	count int
}

type posting struct {
	doc         int32
	title, body uint16
}

// document is what the index keeps of a Doc: the term numbers of title and
// body in order, with stopTerm and gapTerm between them.
type document struct {
	id          string
	title, body []int32
	defined     []acronym
	length      int
	dead        bool
}

const (
	stopTerm int32 = -1 // a stop word
	gapTerm  int32 = -2 // punctuation: no phrase spans it
)

// NewIndex indexes documents.
func NewIndex(docs []Doc) *Index {
	ix := &Index{vocab: map[string]int32{}, words: map[string]*word{}, byID: map[string]int{}, acronyms: newAcronyms()}
	ix.Add(docs...)
	return ix
}

// Add indexes further documents. A document with a known ID takes the place of
// the earlier one.
func (ix *Index) Add(docs ...Doc) {
	for _, d := range docs {
		if old, ok := ix.byID[d.ID]; ok {
			ix.remove(old)
		}
		ix.add(d)
	}
}

// Len gives the number of documents.
func (ix *Index) Len() int { return ix.alive }

func (ix *Index) add(d Doc) {
	doc := document{id: d.ID, title: ix.sequence(d.Title), body: ix.sequence(d.Body)}
	doc.defined = append(ix.acronyms.learn(d.Title), ix.acronyms.learn(d.Body)...)
	n := int32(len(ix.docs))
	counts := map[int32]posting{}
	for _, t := range doc.title {
		if t >= 0 {
			p := counts[t]
			p.title = min(p.title+1, math.MaxUint16-1)
			counts[t] = p
			doc.length += titleWeight
		}
	}
	for _, t := range doc.body {
		if t >= 0 {
			p := counts[t]
			p.body = min(p.body+1, math.MaxUint16-1)
			counts[t] = p
			doc.length++
		}
	}
	for t, p := range counts { // the order inside one document does not show
		p.doc = n
		ix.postings[t] = append(ix.postings[t], p)
		ix.df[t]++
	}
	ix.docs = append(ix.docs, doc)
	ix.byID[d.ID] = int(n)
	ix.alive++
	ix.length += doc.length
}

// remove takes a document out of the statistics; its postings stay and are
// skipped.
func (ix *Index) remove(n int) {
	doc := &ix.docs[n]
	for t := range doc.termSet() {
		ix.df[t]--
	}
	ix.alive--
	ix.length -= doc.length
	doc.dead = true
	ix.acronyms.forget(doc.defined)
	doc.title, doc.body, doc.defined = nil, nil, nil
}

func (d *document) termSet() map[int32]bool {
	set := make(map[int32]bool, len(d.title)+len(d.body))
	for _, seq := range [...][]int32{d.title, d.body} {
		for _, t := range seq {
			if t >= 0 {
				set[t] = true
			}
		}
	}
	return set
}

// sequence numbers the terms of s.
func (ix *Index) sequence(s string) []int32 {
	if s == "" {
		return nil
	}
	var out []int32
	for _, tok := range text.TokensAt(s) {
		if tok.Gap && len(out) > 0 {
			out = append(out, gapTerm)
		}
		out = append(out, ix.number(tok.Word))
	}
	return out
}

func (ix *Index) number(spelling string) int32 {
	w := ix.words[spelling]
	if w == nil {
		w = &word{term: stopTerm}
		if !text.IsStopword(spelling) {
			w.term = ix.intern(stem(spelling))
		}
		ix.words[spelling] = w
	}
	w.count++
	return w.term
}

// spellings gives the most frequent spelling of each term in a set, ties by
// alphabet.
func (ix *Index) spellings(set map[int32]bool) map[int32]string {
	out := map[int32]string{}
	for s, w := range ix.words {
		if !set[w.term] {
			continue
		}
		best, ok := out[w.term]
		if !ok || w.count > ix.words[best].count || w.count == ix.words[best].count && s < best {
			out[w.term] = s
		}
	}
	return out
}

func (ix *Index) intern(stem string) int32 {
	if t, ok := ix.vocab[stem]; ok {
		return t
	}
	t := int32(len(ix.terms))
	ix.vocab[stem] = t
	ix.terms = append(ix.terms, stem)
	ix.postings = append(ix.postings, nil)
	ix.df = append(ix.df, 0)
	return t
}

// stem gives the stem of a folded word; the plural of an acronym loses its s
// (LLMs, RCTs), which a stemmer for words leaves.
func stem(word string) string {
	if n := len(word); n >= 3 && n <= 6 && word[n-1] == 's' && !strings.ContainsAny(word[:n-1], "aeiouy") && word[n-2] != 's' {
		return word[:n-1]
	}
	return text.Stem(word)
}

// stems gives the stems of the words of s that are no stop words.
func stems(s string) []string {
	var out []string
	for _, w := range text.Tokens(s) {
		if !text.IsStopword(w) {
			out = append(out, stem(w))
		}
	}
	return out
}

// IDF gives the inverse document frequency of a stem, ln(1 + (N-n+½)/(n+½)); it
// is never negative.
func (ix *Index) IDF(stem string) float64 {
	n := 0
	if t, ok := ix.vocab[stem]; ok {
		n = ix.df[t]
	}
	return idf(ix.alive, n)
}

func idf(docs, df int) float64 {
	return math.Log(1 + (float64(docs-df)+0.5)/(float64(df)+0.5))
}

// Score gives the BM25 score of every document that holds a term of the query.
func (ix *Index) Score(q Query) map[string]float64 {
	out := map[string]float64{}
	for n, s := range ix.scores(q) {
		if s > 0 {
			out[ix.docs[n].id] = s
		}
	}
	return out
}

// scores gives the score of each document by number. Terms are taken in sorted
// order, so that the sums do not depend on the order of a map.
func (ix *Index) scores(q Query) []float64 {
	out := make([]float64, len(ix.docs))
	if ix.alive == 0 {
		return out
	}
	mean := max(float64(ix.length)/float64(ix.alive), 1)
	for _, term := range sortedKeys(q.Terms) {
		t, ok := ix.vocab[term]
		weight := q.Terms[term]
		if !ok || weight == 0 {
			continue
		}
		weight *= idf(ix.alive, ix.df[t])
		for _, p := range ix.postings[t] {
			doc := &ix.docs[p.doc]
			if doc.dead {
				continue
			}
			tf := float64(p.body) + titleWeight*float64(p.title)
			out[p.doc] += weight * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(doc.length)/mean))
		}
	}
	return out
}

// Search gives the n best documents for a query, best first, ties by ID. n < 1
// gives all that score.
func (ix *Index) Search(q Query, n int) []Hit {
	var hits []Hit
	for i, s := range ix.scores(q) {
		if s > 0 {
			hits = append(hits, Hit{ID: ix.docs[i].id, Score: s})
		}
	}
	sortHits(hits)
	if n >= 1 && len(hits) > n {
		hits = hits[:n]
	}
	return hits
}

func sortHits(hits []Hit) {
	slices.SortFunc(hits, func(x, y Hit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.ID, y.ID))
	})
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
