// Package report turns the research state into the files that people read: the
// cited report, one page per document, the evidence, the search log, the flow
// of records and the reference lists.
//
// The package is pure: equal states give equal bytes, and no clock, disk or
// network is touched. It must never show a citation of a document that gave no
// admitted evidence, hide a failed source or a fallback, or let text from
// outside act as markup. Start with Render.
package report
