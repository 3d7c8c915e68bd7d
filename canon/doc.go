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
// The package must never import another room than state and internal/text,
// touch a clock, a disk or a network, or draw random numbers. Start with
// [Canonicalise]; [Compare] explains a single pair.
package canon
