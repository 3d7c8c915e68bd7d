package lexical

// Sequence gives the terms of a document in order, title and body, as numbers
// that hold for this index: two documents share a number if they share a stem.
// A number below 0 is a stop word or punctuation. ok is false for an unknown ID.
// The slices must not be changed.
func (ix *Index) Sequence(id string) (title, body []int32, ok bool) {
	n, ok := ix.byID[id]
	if !ok {
		return nil, nil, false
	}
	return ix.docs[n].title, ix.docs[n].body, true
}

// Numbers gives the term numbers of the words of a text that the index knows,
// stop words left out.
func (ix *Index) Numbers(s string) []int32 {
	var out []int32
	for _, t := range stems(s) {
		if n, ok := ix.vocab[t]; ok && ix.df[n] > 0 {
			out = append(out, n)
		}
	}
	return out
}

// Stem gives the stem that a term number stands for.
func (ix *Index) Stem(number int32) string { return ix.terms[number] }
