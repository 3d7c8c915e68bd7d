package report

import (
	"fmt"
	"strings"
)

// Count is a number of one kind.
type Count struct {
	What string
	N    int
}

// Column is one arm of the flow of records: what searches found, or what
// citation chasing added.
type Column struct {
	Identified   []Count // per source: every time that a record came back
	Repeated     int     // the same record once more, from another query or list
	Searched     int     // of citation chasing: the very same record, which a search found too
	Duplicates   int     // another record of a work that was there already
	Unlinked     int     // records that were not compared yet, in a run that was interrupted
	Ineligible   []Count // works put aside by a rule before screening, by reason
	Unscored     int     // works that no relevance score came back for
	Unscreened   int     // works whose turn had not come
	Screened     int
	Excluded     []Count // by screening, by reason
	Sought       int     // works whose text was wanted
	NotRetrieved []Count // by reason
	Assessed     int     // works read
	Rejected     []Count // put aside after reading, by reason
	Included     int     // works that gave admitted evidence
}

// Flow is the flow of records of a run in the boxes of PRISMA 2020. Works that
// only citation chasing found have a column of their own.
type Flow struct {
	Search  Column
	Chasing Column
}

// Included is the number of works that the review rests on.
func (f Flow) Included() int { return f.Search.Included + f.Chasing.Included }

// Check verifies that the boxes add up. The error names the box that does not.
func (f Flow) Check() error {
	if err := f.Search.check(); err != nil {
		return fmt.Errorf("the flow of records found by searches: %w", err)
	}
	if err := f.Chasing.check(); err != nil {
		return fmt.Errorf("the flow of records found by citation chasing: %w", err)
	}
	return nil
}

func (c Column) check() error {
	for _, x := range []Count{{"repeated", c.Repeated}, {"found by a search too", c.Searched}, {"duplicates", c.Duplicates}, {"unlinked", c.Unlinked}, {"unscored", c.Unscored},
		{"unscreened", c.Unscreened}, {"screened", c.Screened}, {"sought", c.Sought}, {"assessed", c.Assessed}, {"included", c.Included}} {
		if x.N < 0 {
			return fmt.Errorf("%d %s", x.N, x.What)
		}
	}
	for _, list := range [][]Count{c.Identified, c.Ineligible, c.Excluded, c.NotRetrieved, c.Rejected} {
		for _, x := range list {
			if x.N <= 0 {
				return fmt.Errorf("%d for “%s”", x.N, x.What)
			}
		}
	}
	if in, out := Sum(c.Identified), c.Repeated+c.Searched+c.Duplicates+c.Unlinked+Sum(c.Ineligible)+c.Unscored+c.Unscreened+c.Screened; in != out {
		return fmt.Errorf("%d identified, but %d removed, waiting or screened", in, out)
	}
	if out := Sum(c.Excluded) + c.Sought; c.Screened != out {
		return fmt.Errorf("%d screened, but %d excluded or sought", c.Screened, out)
	}
	if out := Sum(c.NotRetrieved) + c.Assessed; c.Sought != out {
		return fmt.Errorf("%d sought, but %d not retrieved or assessed", c.Sought, out)
	}
	if out := Sum(c.Rejected) + c.Included; c.Assessed != out {
		return fmt.Errorf("%d assessed, but %d rejected or included", c.Assessed, out)
	}
	return nil
}

// Sum adds a list of counts.
func Sum(list []Count) int {
	n := 0
	for _, c := range list {
		n += c.N
	}
	return n
}

// csv writes the flow, one box a row.
func (f Flow) csv() []byte {
	var b strings.Builder
	b.WriteString(csvRow("box", "detail", "found_by_searches", "found_by_citation_chasing", "total"))
	row := func(box, detail string, a, c int) {
		b.WriteString(csvRow(box, detail, fmt.Sprint(a), fmt.Sprint(c), fmt.Sprint(a+c)))
	}
	lists := func(box string, a, c []Count) {
		row(box, "", Sum(a), Sum(c))
		for _, what := range union(a, c) {
			row(box, what, of(a, what), of(c, what))
		}
	}
	a, c := f.Search, f.Chasing
	lists("identified", a.Identified, c.Identified)
	row("removed_returned_again", "", a.Repeated, c.Repeated)
	row("removed_found_by_a_search_too", "", a.Searched, c.Searched)
	row("removed_duplicates", "", a.Duplicates, c.Duplicates)
	lists("removed_ineligible", a.Ineligible, c.Ineligible)
	row("not_compared_yet", "", a.Unlinked, c.Unlinked)
	row("not_scored", "", a.Unscored, c.Unscored)
	row("not_screened_yet", "", a.Unscreened, c.Unscreened)
	row("screened", "", a.Screened, c.Screened)
	lists("excluded", a.Excluded, c.Excluded)
	row("sought", "", a.Sought, c.Sought)
	lists("not_retrieved", a.NotRetrieved, c.NotRetrieved)
	row("assessed", "", a.Assessed, c.Assessed)
	lists("excluded_after_reading", a.Rejected, c.Rejected)
	row("included", "", a.Included, c.Included)
	return []byte(b.String())
}

func union(a, b []Count) []string {
	var names []string
	for _, list := range [][]Count{a, b} {
		for _, c := range list {
			if !contains(names, c.What) {
				names = append(names, c.What)
			}
		}
	}
	return names
}

func of(list []Count, what string) int {
	for _, c := range list {
		if c.What == what {
			return c.N
		}
	}
	return 0
}
