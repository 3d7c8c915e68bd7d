// Package text folds, splits, counts and compares the text of bibliographic
// records: titles, abstracts, quotes and full text.
//
// All other rooms compare text through this one, so that "the same" means the
// same thing everywhere. It is pure: no clock, no randomness, no network, no
// files, and it imports no other room. Every function accepts any string
// (invalid UTF-8, a megabyte of markup, nothing at all), never panics, and
// takes time close to linear in its input; where a measure is not linear by
// nature ([Similarity]) its input is capped and the cap is documented.
//
// It must never decide whether two records are one work, whether a document is
// relevant or whether a claim holds: it only gives the measures on which those
// decisions rest.
//
// Start with [TitleKey] to compare titles, [Normalise] and [Find] to look for a
// quote, [Tokens] and [Stem] to index.
package text
