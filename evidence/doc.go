// Package evidence decides what may stand as evidence and what the evidence
// amounts to: is a quote in the stored text, how strong may an abstract-only
// item be, which claims say the same thing, which contradict each other, and
// how concentrated is what a review rests on (section 9 of the ODR paper).
//
// It is pure: it reads a state, never changes it, and gives the same answer
// whatever the order of its input. It never asks a model and never admits an
// item whose quote is not in the stored text, or whose words instruct a reader
// instead of stating something: models propose, Check and Gate decide. It must
// never loosen a veto to reach a larger cluster, because a false "independently
// supported" is worse than a missed paraphrase.
//
// Start with Check to turn a reader's draft into evidence.
package evidence
