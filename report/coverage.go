package report

import (
	"fmt"
	"strings"

	"optimistresearch/state"
)

// answers counts what became of the searches of one source that were sent.
type answers struct{ sent, failed int }

// Unanswered says in a sentence or two of plain text that a large part of the
// searches failed, at least half of those that were sent or all of a source,
// and which sources the review rests on then. It is "" when that is not so.
func Unanswered(s *state.State) string {
	total, by := answers{}, map[string]answers{}
	for _, id := range state.Keys(s.Queries) {
		q := s.Queries[id]
		if q.Outcome == "" || q.Outcome == state.Skipped {
			continue
		}
		a := by[q.Source]
		a.sent, total.sent = a.sent+1, total.sent+1
		if q.Outcome.Failed() {
			a.failed, total.failed = a.failed+1, total.failed+1
		}
		by[q.Source] = a
	}
	var silent, parts []string
	for _, name := range state.Keys(by) {
		a := by[name]
		if a.failed > 0 {
			parts = append(parts, fmt.Sprintf("%s %d of %d", name, a.failed, a.sent))
		}
		if a.failed == a.sent {
			silent = append(silent, fmt.Sprintf("%s (%d)", name, a.sent))
		}
	}
	var out string
	switch {
	case total.failed == 0:
		return ""
	case total.failed == total.sent && total.sent == 1:
		out = fmt.Sprintf("The one search that was sent failed (%s).", state.Keys(by)[0])
	case total.failed == total.sent:
		out = fmt.Sprintf("All %d searches failed (%s).", total.sent, strings.Join(parts, ", "))
	case 2*total.failed >= total.sent:
		out = fmt.Sprintf("%d of %d searches failed (%s).", total.failed, total.sent, strings.Join(parts, ", "))
	case len(silent) > 0:
		out = fmt.Sprintf("Every search of %s failed, %d of %d in all.", list(silent), total.failed, total.sent)
	default:
		return ""
	}
	from := map[string]bool{}
	for _, r := range s.Records {
		from[r.Source] = true
	}
	rest := "Nothing was found elsewhere"
	if len(from) > 0 {
		rest = "The review rests on records of " + list(state.Keys(from)) + " only"
	}
	return out + " " + rest + "; what the searches without an answer would have found is not known."
}

// cutLists says of how many result lists only the beginning was looked at; ""
// when all were short enough.
func (v *view) cutLists() string {
	type lists struct{ queries, cut, open, hits, looked int }
	by := map[string]*lists{}
	cut, open := 0, 0
	for _, id := range state.Keys(v.s.Queries) {
		q := v.s.Queries[id]
		if q.Outcome != state.Hits {
			continue
		}
		l := by[q.Source]
		if l == nil {
			l = &lists{}
			by[q.Source] = l
		}
		l.queries++
		switch looked := q.Hits + q.Skipped; {
		case q.Total > looked:
			l.cut++
			l.hits += q.Total
			l.looked += looked
			cut++
		case q.Total < 0 && looked >= v.set.Search.HitsPerQuery:
			l.open++
			open++
		}
	}
	var parts []string
	for _, name := range state.Keys(by) {
		l := by[name]
		var what []string
		if l.cut > 0 {
			what = append(what, fmt.Sprintf("%d of %s with %s, of which %s looked at", l.cut, count(l.queries, "list"), count(l.hits, "hit"), thousands(l.looked)+wasWere(l.looked)))
		}
		if l.open > 0 {
			what = append(what, fmt.Sprintf("perhaps %d of %s, since the source gave no total", l.open, count(l.queries, "list")))
		}
		if len(what) > 0 {
			parts = append(parts, md(name)+": "+strings.Join(what, "; "))
		}
	}
	out := ""
	if cut+open > 0 {
		out = fmt.Sprintf("Of long result lists only the beginning was looked at, at most %s each (`search.hits_per_query`), as each source ordered them. Cut short were %s. What stands further down was not seen.",
			count(v.set.Search.HitsPerQuery, "record"), strings.Join(parts, "; "))
	}
	if full := v.fullCitationLists(); full > 0 {
		out = strings.TrimSpace(out + " " + fmt.Sprintf("%s as long as may be taken from one, %s (`snowball.candidates_per_seed`), and may go on.",
			count(full, "citation list")+wasWere(full), count(v.set.Snowball.CandidatesLimit, "record")))
	}
	return out
}

// fullCitationLists counts the citation lists that reached the limit.
func (v *view) fullCitationLists() int {
	n := 0
	for _, c := range v.s.Calls {
		if c.Operation != "search" && c.Outcome == state.Hits && v.set.Snowball.CandidatesLimit > 0 && c.Records+skipped(c.Skipped) >= v.set.Snowball.CandidatesLimit {
			n++
		}
	}
	return n
}
