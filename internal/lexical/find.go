package lexical

// Finding says which parts of Find to leave out.
type Finding int

// The parts of Find.
const (
	FindTopic    Finding = 1 << iota // weighing the topic above the scaffolding of the question
	FindAcronyms                     // the other spelling of acronyms
	FindFeedback                     // the words of the first hits
)

// learnFrom is how many of the first hits Find learns from.
const learnFrom = 5

// Find gives the n best documents for a question in whole sentences, best
// first; n < 1 gives all that score. The topic of the question is searched, by
// BM25 with the other spellings of its acronyms, and again with the words that
// set the first hits apart (see Feedback).
func Find(ix *Index, question string, n int, without Finding) []Hit {
	q := Query{Terms: map[string]float64{}}
	if without&FindTopic != 0 {
		q.addPhrase(question, 1)
	} else {
		q = QueryFrom(question)
	}
	if without&FindAcronyms == 0 {
		q = ix.Expand(q)
	}
	if without&FindFeedback == 0 {
		var first []string
		for _, h := range ix.Search(q, learnFrom) {
			first = append(first, h.ID)
		}
		q = ix.Feedback(q, first, learnFrom)
	}
	return ix.Search(q, n)
}

// FindApart takes a question apart: each phrase of its topic is searched by
// itself, and the lists are joined by reciprocal ranks (Cormack, Clarke and
// Büttcher 2009). A question of one phrase is searched as it is.
func FindApart(ix *Index, question string, n int) []Hit {
	const k = 60
	core, _ := QuestionPhrases(question)
	if len(core) < 2 {
		return Find(ix, question, n, 0)
	}
	sum := map[string]float64{}
	for _, p := range core {
		q := Query{Terms: map[string]float64{}}
		q.addPhrase(p, 1)
		for i, h := range ix.Search(ix.Expand(q), 0) {
			sum[h.ID] += 1 / float64(k+i+1)
		}
	}
	hits := make([]Hit, 0, len(sum))
	for _, id := range sortedKeys(sum) {
		hits = append(hits, Hit{ID: id, Score: sum[id]})
	}
	sortHits(hits)
	if n >= 1 {
		hits = hits[:min(n, len(hits))]
	}
	return hits
}
