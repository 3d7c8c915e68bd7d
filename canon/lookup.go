package canon

import (
	"fmt"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// VerifyLookup reports whether got, which a source returned for an identifier or
// a title, is the work with the given title, authors and year (0 = unknown). The
// titles must agree: the same, at least 0.93 similar, or one a cut form of the
// other by the rules on truncation, with the same numerals. Matching authors
// never rescue another title. Where the title alone is weak evidence, authors
// must agree, or the year when authors are unknown. why says in one sentence
// what was compared, also when ok is true.
func VerifyLookup(title string, authors []string, year int, got state.Record) (ok bool, why string) {
	want := state.Record{Title: title, Year: year}
	for _, a := range authors {
		want.Authors = append(want.Authors, state.Author{Name: a})
	}
	p, q := newProfile(want), newProfile(got)
	c := comparison{p: p, q: q, facts: compareFacts(p, q), authors: overlap(p.authors, q.authors)}
	c.titles("lookup")
	heading := fmt.Sprintf("asked for “%s”, got “%s”", p.label(), q.label())
	switch {
	case p.titles[0].key == "" || q.titles[0].key == "":
		return false, heading + ": a title is missing, so the look-up can't be verified"
	case p.titles[0].notice != q.titles[0].notice:
		return false, fmt.Sprintf("%s: one is a notice about the work (%s)", heading, string(max(p.titles[0].notice, q.titles[0].notice)))
	case c.grade <= unknownGrade:
		if c.sim == 0 {
			c.sim = text.Similarity(c.a.key, c.b.key)
		}
		if c.sim >= nearTitle && !equal(c.a.numbers, c.b.numbers) {
			return false, heading + ": the numerals in the titles differ"
		}
		return false, fmt.Sprintf("%s: the titles differ (similarity %.2f)", heading, c.sim)
	case !equal(c.a.numbers, c.b.numbers):
		return false, heading + ": the numerals in the titles differ"
	}
	short := c.a
	if len(c.b.compact) < len(c.a.compact) {
		short = c.b
	}
	if need := map[grade]int{subtitle: 3, prefix: 3, contained: 4}[c.grade]; len(short.distinct) < need {
		return false, fmt.Sprintf("%s: the shorter title has too few distinctive words to stand for the longer one", heading)
	}
	who := c.authors.verdict()
	strong := c.grade == full && !c.a.weak()
	switch {
	case strong || who == agree:
		return true, fmt.Sprintf("%s: title similarity %.2f", heading, c.sim)
	case who == differ && c.grade != full:
		return false, heading + ": the titles agree only in part and the authors differ"
	case who == differ && (!c.facts.near() || c.a.generic()):
		return false, heading + ": the title tells too little and the authors differ"
	case who == unknown && !c.facts.near():
		return false, heading + ": the title tells too little and neither authors nor year confirm it"
	}
	return true, fmt.Sprintf("%s: title similarity %.2f, years at most one apart", text.OneLine(heading), c.sim)
}
