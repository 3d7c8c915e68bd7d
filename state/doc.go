// Package state is the waist of the program: the research state, the deltas
// that steps produce, and the merge that folds deltas into the state. The
// state model, rather than the order in which steps run, encodes the method.
//
// A State is a join-semilattice: every field merges by value, so Merge is
// associative, commutative and idempotent, and twenty readers that finish in
// any order, a task that ran twice and a run that was resumed all end in the
// same bytes. A delta is therefore nothing but a small State (see Delta).
//
// The package must never import another room, touch a clock, a disk or a
// network, or draw random numbers. Start with New and State.Apply.
package state
