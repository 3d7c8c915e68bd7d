package report

import (
	"fmt"
	"net/url"
	"strings"

	"optimistresearch/state"
)

var outcomeTexts = map[state.Outcome]string{
	state.Hits: "hits", state.ZeroHits: "no hits with these strings", state.Skipped: "skipped", state.Throttled: "throttled",
	state.Refused: "refused", state.Broken: "broken reply", state.Down: "down", state.NoList: "the source has no list for this work",
	state.Rejected: "rejected: not the same work", "": "not sent yet",
}

func outcomeWord(o state.Outcome) string {
	if t, ok := outcomeTexts[o]; ok {
		return t
	}
	return words(string(o))
}

// outcomeText says on one line what a query brought.
func outcomeText(q state.Query) string {
	switch {
	case q.Outcome == state.Hits:
		return fmt.Sprintf("%s of %s%s", count(q.Hits, "record"), totalText(q.Total), yes(q.Skipped > 0, fmt.Sprintf(", %d could not be used", q.Skipped)))
	case q.Outcome == state.ZeroHits && q.Skipped > 0:
		return fmt.Sprintf("no usable record, %d could not be used", q.Skipped)
	case q.Reason != "":
		return outcomeWord(q.Outcome) + " (" + md(q.Reason) + ")"
	}
	return outcomeWord(q.Outcome)
}

func totalText(n int) string {
	if n < 0 {
		return "an unknown total"
	}
	return thousands(n)
}

// Days gives the day (UTC, YYYY-MM-DD) on which the answer to a request was
// received, by the hash of the request. What is not in it is not known.
type Days map[string]string

// last is the latest day on which one of the requests was answered, "" if none
// is known.
func (d Days) last(requests []string) string {
	day := ""
	for _, h := range requests {
		day = max(day, d[h])
	}
	return plain(day)
}

// searched is the day of the search of a query.
func (v *view) searched(query string) string { return v.days.last(v.s.Calls["search/"+query].Requests) }

// searchLog is the record of every operation on a source.
func (v *view) searchLog() []byte {
	p := &page{}
	p.head(1, "Search log")
	p.line("Every query as written and as sent, and what the source did. A source that failed is not a source without hits. Days are in UTC; “–” means that no answer is on record. The times and the number of attempts are in the call log: `optimistresearch log RUN`. The queries for a spreadsheet: [search-log.csv](search-log.csv).")
	v.sourceTable(p)
	p.head(2, "Queries")
	if len(v.s.Queries) == 0 {
		p.line("No query was written.")
	}
	for _, id := range state.SortedIDs(v.s.Queries) {
		v.logQuery(p, id, v.s.Queries[id])
	}
	v.logImports(p)
	p.head(2, "Citation chasing")
	none := true
	for _, id := range state.SortedIDs(v.s.Calls) {
		c := v.s.Calls[id]
		if c.Operation == "search" || c.Operation == operationImport {
			continue
		}
		if none {
			p.line("| Seed | Source | Asked for | Day | Outcome | Records | Not usable | Note | Recordings |\n| --- | --- | --- | --- | --- | ---: | ---: | --- | --- |")
			none = false
		}
		p.line("| %s | %s | %s | %s | %s | %d | %d | %s | %s |", v.to("", c.Subject), md(c.Source), md(c.Operation), orDash(v.days.last(c.Requests)), outcomeWord(c.Outcome), c.Records,
			skipped(c.Skipped), cell(c.Reason, 300), recordingLinks("", c.Requests))
	}
	if none {
		p.line("No citation list was asked for.")
	}
	return p.bytes()
}

// operationImport is the operation of a call that stands for a file which the
// run started from.
const operationImport = "import"

// logImports lists the files that the run started from.
func (v *view) logImports(p *page) {
	first := true
	for _, id := range state.SortedIDs(v.s.Calls) {
		c := v.s.Calls[id]
		if c.Operation != operationImport {
			continue
		}
		if first {
			p.head(2, "Imported files")
			p.line("| File | Read as | Records | Not usable | SHA-256 |\n| --- | --- | ---: | ---: | --- |")
			first = false
		}
		p.line("| [%s](imports/%s) | %s | %d | %d | %s |", md(c.Source), url.PathEscape(c.Source), cell(c.Reason, 300), c.Records, skipped(c.Skipped), code(c.Raw))
		for _, s := range c.Skipped {
			p.line("| | not usable: %s | | %d | |", cell(s.Reason+yes(s.Sample != "", ": "+s.Sample), 300), s.Count)
		}
	}
}

func (v *view) logQuery(p *page, id string, q state.Query) {
	p.head(3, fmt.Sprintf("%s · %s · iteration %d", md(id), md(q.Source), q.Iteration))
	in := v.s.Intents[q.Intent]
	p.line("- For: %s %s (%s)", md(q.Intent), md(in.Description), v.toSubquestion("", in.Subquestion))
	p.line("- Written%s: %s", yes(q.By != "", " by "+md(q.By)), orDash(code(q.Written)))
	p.line("- Sent: %s", orDash(code(q.Sent)))
	if q.Filters != "" {
		p.line("- Filters: %s", code(q.Filters))
	}
	if day := v.searched(id); day != "" {
		p.line("- Searched on: %s", day)
	}
	p.line("- Outcome: %s", outcomeWord(q.Outcome))
	if q.Reason != "" {
		p.line("- Reason: %s", md(q.Reason))
	}
	if q.Outcome != "" && q.Outcome != state.Skipped && !q.Outcome.Failed() {
		p.line("- Total reported: %s; records decoded: %s; not usable: %s", totalText(q.Total), thousands(q.Hits), thousands(q.Skipped))
	}
	c, ok := v.s.Calls["search/"+id]
	if ok {
		for _, k := range c.Skipped {
			p.line("  - %d not usable: %s%s", k.Count, md(k.Reason), yes(k.Sample != "", ", for example "+code(k.Sample)))
		}
		if c.Reason != "" && c.Reason != q.Reason {
			p.line("- Note: %s", md(c.Reason))
		}
	}
	if len(q.Rungs) > 0 {
		p.line("- Relaxed because there were no hits; rung %d gave the outcome:\n", q.Rung)
		p.line("  | Rung | Change | Sent | Total |\n  | ---: | --- | --- | ---: |")
		for i, r := range q.Rungs {
			p.line("  | %d | %s | %s | %s |", i, md(r.Change), codeCell(r.Sent), totalText(r.Total))
		}
		p.line("")
	}
	if ok && len(c.Requests) > 0 {
		p.line("- Recordings: %s", recordingLinks("", c.Requests))
	}
}

func skipped(list []state.Skip) int {
	n := 0
	for _, k := range list {
		n += k.Count
	}
	return n
}

// searchCSV is the search log as a table: one query a row.
func (v *view) searchCSV() []byte {
	var b strings.Builder
	b.WriteString(csvRow("id", "source", "iteration", "subquestion", "intent", "written", "sent", "filters", "relaxed", "searched_on", "outcome", "reason", "total", "records", "not_usable"))
	for _, id := range state.SortedIDs(v.s.Queries) {
		q := v.s.Queries[id]
		total := ""
		if q.Total >= 0 && (q.Outcome == state.Hits || q.Outcome == state.ZeroHits) {
			total = fmt.Sprint(q.Total)
		}
		outcome := string(q.Outcome)
		if outcome == "" {
			outcome = "not_sent_yet"
		}
		b.WriteString(csvRow(id, q.Source, fmt.Sprint(q.Iteration), v.s.Intents[q.Intent].Subquestion, q.Intent, q.Written, q.Sent, q.Filters, fmt.Sprint(q.Rung),
			v.searched(id), outcome, q.Reason, total, fmt.Sprint(q.Hits), fmt.Sprint(q.Skipped)))
	}
	return []byte(b.String())
}

// sourceTable sums up per source what its searches did.
func (v *view) sourceTable(p *page) {
	type row struct {
		queries, records, unusable int
		last                       string // day
		outcomes                   map[state.Outcome]int
		lists, listRecords         int
		listOutcomes               map[state.Outcome]int
	}
	rows := map[string]*row{}
	get := func(source string) *row {
		if rows[source] == nil {
			rows[source] = &row{outcomes: map[state.Outcome]int{}, listOutcomes: map[state.Outcome]int{}}
		}
		return rows[source]
	}
	for _, source := range v.set.Sources {
		get(source)
	}
	for _, id := range state.Keys(v.s.Queries) {
		q := v.s.Queries[id]
		r := get(q.Source)
		r.queries++
		r.records += q.Hits
		r.unusable += q.Skipped
		r.outcomes[q.Outcome]++
		r.last = max(r.last, v.searched(id))
	}
	for _, id := range state.Keys(v.s.Calls) {
		c := v.s.Calls[id]
		if c.Operation == "search" || c.Operation == operationImport {
			continue
		}
		r := get(c.Source)
		r.lists++
		r.listRecords += c.Records
		r.listOutcomes[c.Outcome]++
	}
	p.line("\n| Source | Queries | Last searched | Outcomes | Records | Not usable | Citation lists | Outcomes of lists | Records of lists |")
	p.line("| --- | ---: | --- | --- | ---: | ---: | ---: | --- | ---: |")
	for _, name := range state.Keys(rows) {
		r := rows[name]
		p.line("| %s | %d | %s | %s | %s | %d | %d | %s | %s |", md(name), r.queries, orDash(r.last), outcomes(r.outcomes), thousands(r.records), r.unusable,
			r.lists, outcomes(r.listOutcomes), thousands(r.listRecords))
	}
}

func outcomes(m map[state.Outcome]int) string {
	var parts []string
	for _, o := range state.Keys(m) {
		name := words(string(o))
		if o == "" {
			name = "not sent yet"
		}
		parts = append(parts, fmt.Sprintf("%s %d", name, m[o]))
	}
	return orDash(strings.Join(parts, ", "))
}

// recordingPath is the file of a stored response, relative to the run.
func recordingPath(hash string) string {
	return "recordings/" + hash[:min(2, len(hash))] + "/" + hash + ".json.gz"
}

// recordingLinks links to stored responses from a page "../" deep.
func recordingLinks(up string, requests []string) string {
	var out []string
	for _, h := range requests {
		if h = plain(h); safeHash(h) {
			out = append(out, "["+h[:min(8, len(h))]+"]("+up+recordingPath(h)+")")
		}
	}
	return orDash(strings.Join(out, ", "))
}

func safeHash(h string) bool {
	if h == "" || len(h) > 128 {
		return false
	}
	return strings.Trim(h, "0123456789abcdefghijklmnopqrstuvwxyz-") == ""
}
