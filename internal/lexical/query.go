package lexical

// Query is a bag of stems with weights. A weight of 0 or an unknown stem is
// ignored.
type Query struct{ Terms map[string]float64 }

// QueryFrom makes a query of the words of a text: stop words dropped, stems
// counted. Of a question only its topic counts in full; the words of its other
// phrases count half, its scaffolding not at all ("recent research in", "what is
// known about").
func QueryFrom(s string) Query {
	q := Query{Terms: map[string]float64{}}
	core, rest := QuestionPhrases(s)
	for _, p := range core {
		q.addPhrase(p, 1)
	}
	for _, p := range rest {
		q.addPhrase(p, 0.5)
	}
	if len(q.Terms) == 0 {
		q.addPhrase(s, 1)
	}
	return q
}

func (q Query) addPhrase(s string, weight float64) {
	for _, t := range stems(s) {
		q.Terms[t] += weight
	}
}

// Expand adds to a query the terms of the other spelling of each acronym or
// long form that the index knows (LLM, large language model), at half the weight
// they stand for.
func (ix *Index) Expand(q Query) Query {
	out := Query{Terms: map[string]float64{}}
	for t, w := range q.Terms {
		out.Terms[t] = w
	}
	for _, pair := range ix.acronyms.pairs() {
		if w := q.Terms[pair.short]; w > 0 {
			for _, t := range pair.long {
				out.Terms[t] = max(out.Terms[t], w/2)
			}
		}
		if w := lowest(q, pair.long); w > 0 {
			out.Terms[pair.short] = max(out.Terms[pair.short], w/2)
		}
	}
	return out
}

func lowest(q Query, terms []string) float64 {
	least := 0.0
	for i, t := range terms {
		if w := q.Terms[t]; i == 0 || w < least {
			least = w
		}
	}
	return least
}
