// Package screening orders candidate records for title and abstract screening:
// by the question and the criteria alone before anything is decided, and anew
// after each decision of a person. It estimates what is still to find and keeps
// the decisions.
//
// One set of constants serves every review. The package must never look at what
// a data set says of a record's inclusion, except to measure an order when that
// is what it is asked for; never take a guess for a decision; never let anything
// but a person overrule a person; and never touch the clock, the disk, the
// network or chance: times and names are arguments.
//
// Start with [NewCorpus] and [Rank]; [NewLearner] takes the ranking on, and a
// [Session] keeps the decisions.
package screening
