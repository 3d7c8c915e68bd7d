package lexical

import (
	"math"
	"slices"
)

// Judgement is the relevance of a document in [0,1] and one line that says why.
type Judgement struct {
	Score float64
	Note  string
}

// How the order of the documents is made: shares of the match with the topic, of
// BM25 relative to the best documents, and of the likeness to the best matches.
const (
	matchWeight    = 0.2
	bm25Weight     = 0.1
	likenessWeight = 0.7
	firstBM25      = 0.3 // share of BM25 before anything is learned
)

// Scores from which a document is relevant, and clearly relevant.
const (
	relevant = 0.5
	clearly  = 0.7
)

// How an order becomes a score. Ranks of relevantRank and clearRank get the
// scores relevant and clearly.
const (
	coverageGain  = 0.2 // what the coverage of the topic adds to the rank,
	coverageZero  = 0.3 // and where it begins to take away: one word of several
	relevantRank  = 0.31
	clearRank     = 0.45
	noStrength    = 0.35 // mean match of the best documents below which none can be relevant,
	fullStrength  = 0.6  // and from which nothing is taken off
	leastScale    = 0.3  // what is left of a rank below noStrength: it keeps the order
	strengthFrom  = 5    // documents that the strength is measured on
	aspectPenalty = 0.15 // for a document without the aspects asked about,
	focusPenalty  = 0.25 // and for one without anything of the focus
)

// Relevance judges every document of the index. question names the topic; focus
// narrows it, as phrases in any form of which one is enough ("benchmarks;
// evaluation"), and may be empty. A question without a topic ("Which benchmarks
// are used?") takes it from the focus. What is asked about the topic only shades
// the score: a document that is clearly on the topic stays relevant.
//
// A score of 0.5 or more means relevant, 0.7 or more clearly relevant. It is
// absolute as far as words allow: a document that shares one word of a longer
// topic stays below 0.5 unless it otherwise reads like the documents that match
// the topic best; where no document matches well, none scores high. A question
// without content words scores all documents 0.
func Relevance(ix *Index, question, focus string) map[string]Judgement {
	j := judge{ix: ix, topic: newTopic(ix, question, focus)}
	j.read(question, focus)
	j.learn()
	out := make(map[string]Judgement, ix.alive)
	for n := range ix.docs {
		if d := &ix.docs[n]; !d.dead {
			out[d.id] = Judgement{Score: j.score(n), Note: j.note(n)}
		}
	}
	return out
}

// judge holds the measures of all documents for one question.
type judge struct {
	ix       *Index
	topic    *topic
	seen     []seen
	bm25     []float64 // relative to the best documents
	rank     []float64
	likeness []float64 // nil if there was nothing to learn from
	learned  []int32   // terms of the likeness, heaviest first
	spelling map[int32]string
	strength float64 // how well the best documents match, in [0,1]
}

// read measures every document against the topic.
func (j *judge) read(question, focus string) {
	j.seen = make([]seen, len(j.ix.docs))
	for n := range j.ix.docs {
		if !j.ix.docs[n].dead {
			j.seen[n] = j.topic.look(&j.ix.docs[n])
		}
	}
	q := QueryFrom(question)
	if len(q.Terms) == 0 {
		q = QueryFrom(focus)
	}
	j.bm25 = j.ix.scores(j.ix.Expand(q))
	if ideal := meanOfBest(j.bm25, 3); ideal > 0 {
		for i := range j.bm25 {
			j.bm25[i] = min(1, j.bm25[i]/ideal)
		}
	}
}

// learn ranks the documents, learns from the best how the field speaks, and ranks
// them again.
func (j *judge) learn() {
	matches := make([]float64, len(j.seen))
	j.rank = make([]float64, len(j.seen))
	for i, s := range j.seen {
		matches[i] = s.match
		j.rank[i] = (1-firstBM25)*s.match + firstBM25*j.bm25[i]
	}
	j.strength = math.Pow(meanOfBest(matches, strengthFrom), 1/matchExponent)
	for range rounds {
		likeness, terms := j.ix.contrast(j.rank, matches)
		if likeness == nil {
			break
		}
		j.likeness, j.learned = likeness, terms
		rank := make([]float64, len(j.rank))
		for i, s := range j.seen {
			rank[i] = matchWeight*s.match + bm25Weight*j.bm25[i] + likenessWeight*likeness[i]
		}
		j.rank = rank
	}
	set := map[int32]bool{}
	for _, t := range j.learned {
		set[t] = true
	}
	j.spelling = j.ix.spellings(set)
}

// score gives the relevance of document n.
func (j *judge) score(n int) float64 {
	s := j.seen[n]
	score := s.coverage
	if j.likeness != nil {
		rank := min(max(j.rank[n]+coverageGain*(s.coverage-coverageZero), 0), 1)
		scale := min(max((j.strength-noStrength)/(fullStrength-noStrength), leastScale), 1)
		score = calibrated(rank * scale)
	}
	shaded := score * (1 - aspectPenalty*(1-s.aspects)) * (1 - focusPenalty*(1-s.focus))
	if score >= clearly {
		return max(shaded, relevant)
	}
	return shaded
}

// calibrated maps a rank in [0,1] to a score, linear between the borders.
func calibrated(rank float64) float64 {
	switch {
	case rank < relevantRank:
		return relevant * rank / relevantRank
	case rank < clearRank:
		return relevant + (clearly-relevant)*(rank-relevantRank)/(clearRank-relevantRank)
	}
	return clearly + (1-clearly)*(rank-clearRank)/(1-clearRank)
}

// meanOfBest gives the mean of the n largest values, or of all if there are
// fewer.
func meanOfBest(values []float64, n int) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	sorted = sorted[max(0, len(sorted)-n):]
	sum := 0.0
	for _, v := range sorted {
		sum += v
	}
	return sum / float64(max(len(sorted), 1))
}
