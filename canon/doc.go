// Package canon decides which records describe one work. It links every record
// to a document by an ordered list of rules, with vetoes above them, and says
// on what grounds; it checks that what a source returned for an identifier is
// the work that was asked for.
//
// A missed duplicate costs one redundant reading, a false merge gives one
// paper's evidence to another. So the package prefers to keep two records apart
// and to list the pair for a person. A merge is a link that can be undone; no
// record is ever changed or dropped. The result never depends on the order in
// which records arrive, and candidate pairs come from indexes only, so that
// cost grows close to linearly.
//
// The decisions stand in one table, rules.go, that [Rules] gives to a reader:
// the first row that holds for two records decides. A [Policy] says which
// publications are one work; a person's [Decision] stands above every row.
//
// The package must never import another room than state and internal/text,
// touch a clock, a disk or a network, or draw random numbers. Start with
// [Canonicalise] within a run and with [Dedupe] for records from files; both are
// the same engine. [Compare] explains a single pair, [VerifyLookup] and
// [VerifyText] tell whether what came back is what was asked for.
package canon
