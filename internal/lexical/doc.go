// Package lexical is the built-in method: screening, key phrases, sentence
// selection and grouping by words alone, for a run without a model and as the
// fallback of a single failed model call.
//
// It is pure and deterministic: no clock, no randomness, no network, no files;
// the same documents and question give the same result, whatever the order in
// which the documents were added. It knows no subject: what a question is about
// is read from the question, what belongs together is learned from the documents
// given. It must never invent text: every sentence it returns is a slice of the
// document it came from, and every score has a note or a formula behind it.
//
// Start with [NewIndex] over the documents and ask [Relevance] how well each
// answers a question; [Select] then takes the sentences that report something,
// [Cues] and [Type] say what kind of evidence they are.
package lexical
