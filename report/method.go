package report

import (
	"fmt"
	"maps"
	"strings"

	"optimistresearch/state"
)

// limitations says what the review cannot show, from the make-up of its
// evidence and the course of the run.
func (v *view) limitations(p *page) {
	p.head(2, "Limitations")
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if v.q.Demonstration != "" {
		say("The library of a demonstration is small and chosen; what is missing from it is not missing from the literature.")
	}
	if v.q.Library != "" {
		say("Only works in %s could be found; what is missing from it is not missing from the literature.", code(v.q.Library))
	}
	if v.fullTexts() == 0 {
		say("Only abstracts or synopses were read, so methods, sample sizes and limits that stand in the full text could not be checked.")
	}
	preprints, corrected, unknown := 0, 0, 0
	docs := documentsOf(v.admitted)
	for _, id := range docs {
		d := v.s.Documents[id]
		if d.Kind() == state.Preprint {
			preprints++
		}
		switch d.Retracted().Status {
		case state.RetractRetracted, state.RetractConcern:
			corrected++
		case "":
			unknown++
		}
	}
	if preprints > 0 {
		say("%d of the %s that gave evidence %s known only as a preprint, without peer review.", preprints, count(len(docs), "document"), isAre(preprints))
	}
	if corrected > 0 {
		say("%d of the %s that gave evidence %s retracted or under an expression of concern; they are marked wherever they are named.", corrected, count(len(docs), "document"), isAre(corrected))
	}
	if unknown > 0 {
		say("For %d of the documents that gave evidence no source says whether they were retracted; that is not the same as “not retracted”.", unknown)
	}
	if v.s.Clusters != nil && len(v.s.Clusters.Clusters) > 0 {
		weak := 0
		for _, c := range v.s.Clusters.Clusters {
			if c.Weak {
				weak++
			}
		}
		if weak > 0 {
			say("%d of the %s %s weak: one document alone supports them, or their mean strength is below 0.5.", weak, count(len(v.s.Clusters.Clusters), "cluster of claims"), isAre(weak))
		}
	}
	if failed := v.failedSources(); failed != "" {
		say("Some searches got no answer (%s); what these sources hold for them is not known.", failed)
	}
	if t := v.cutLists(); t != "" {
		say("%s", t)
	}
	if v.removed > 0 {
		say("%s removed from the text because they named a document that gave no admitted evidence for the place where they stood.", count(v.removed, "citation")+wasWere(v.removed))
	}
	if v.marked > 0 {
		say("%s without a citation %s marked %s in the text.", count(v.marked, "statement"), isAre(v.marked), NoCitation)
	}
	p.line("%s", strings.Join(out, " "))
	v.diversity(p)
	v.openQuestions(p)
}

// fullTexts counts the works of which more than the abstract was read.
func (v *view) fullTexts() int {
	n := 0
	for _, r := range v.s.Readings {
		if strings.HasPrefix(r.Text, "fulltext:") {
			n++
		}
	}
	return n
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func wasWere(n int) string {
	if n == 1 {
		return " was"
	}
	return " were"
}

// failedSources names the sources that failed queries, and how.
func (v *view) failedSources() string {
	m := map[string]int{}
	for _, id := range state.Keys(v.s.Queries) {
		if q := v.s.Queries[id]; q.Outcome.Failed() || q.Outcome == state.Skipped {
			m[q.Source+" "+outcomeWord(q.Outcome)]++
		}
	}
	var parts []string
	for _, k := range state.Keys(m) {
		parts = append(parts, fmt.Sprintf("%s: %s", md(k), count(m[k], "query")))
	}
	return strings.Join(parts, "; ")
}

// sharedGap is on how many subquestions a gap is said once for all of them.
const sharedGap = 3

// openQuestions tells per subquestion what the evidence does not establish;
// what holds for several of them is said once.
func (v *view) openQuestions(p *page) {
	var with []state.Subquestion
	on := map[string][]string{} // gap → subquestions
	var order []string
	for _, q := range v.subquestions() {
		if !q.Status.Active() || len(v.s.Answers[q.ID].Gaps) == 0 {
			continue
		}
		with = append(with, q)
		for _, g := range v.s.Answers[q.ID].Gaps {
			if on[g] == nil {
				order = append(order, g)
			}
			on[g] = append(on[g], v.toSubquestion("", q.ID))
		}
	}
	for _, g := range order {
		if len(on[g]) >= sharedGap {
			p.line("\n*On %s:* %s", list(on[g]), sentence(md(g)))
		}
	}
	for _, q := range with {
		a := v.s.Answers[q.ID]
		var out []string
		for _, g := range a.Gaps {
			if len(on[g]) < sharedGap {
				out = append(out, sentence(md(g)))
			}
		}
		if len(out) > 0 {
			p.line("\n*%s* (coverage %s of 1): %s", headText(strings.TrimRight(q.Text, "?. ")), score(a.Coverage), strings.Join(out, " "))
		}
	}
}

// method prints everything that a reader needs to repeat the search.
func (v *view) method(p *page) {
	p.head(2, "Scope and method")
	p.line("The question was “%s”%s. The run started on %s with optimistresearch %s; “recent” is measured from %d.", md(v.q.Text),
		yes(v.q.Scope != "", ", with the scope “"+md(v.q.Scope)+"”"), date(v.q.Started), md(v.q.Version), v.q.Year)
	p.line("\nThe question was split into subquestions, each with intents (kinds of documents that would help) and one query per source and wording. Records were compared and joined into works, works scored for relevance to each subquestion and ranked, citations of clearly relevant works chased, the best works read for claims with quotes, and each claim verified before it was used. A critic looked at the result of each iteration and changed the plan. See the [plan](plan.md) and its history.")
	v.subquestionTable(p)
	v.queryTable(p)
	v.roundTable(p)
	v.parameters(p)
	v.roles(p)
}

func (v *view) subquestionTable(p *page) {
	p.head(3, "Subquestions")
	p.line("| | Subquestion | Status | Origin | Coverage | Admitted claims |\n| --- | --- | --- | --- | ---: | ---: |")
	for _, q := range v.subquestions() {
		coverage := "–"
		if a, ok := v.s.Answers[q.ID]; ok {
			coverage = score(a.Coverage)
		}
		p.line("| %s | %s | %s | %s | %s | %d |", v.toSubquestion("", q.ID), headText(q.Text), words(string(q.Status)), words(string(q.Origin)), coverage, len(v.s.Admitted(q.ID)))
	}
}

// queryTable lists every query string with what its source did.
func (v *view) queryTable(p *page) {
	p.head(3, "Sources and queries")
	v.sourceTable(p)
	p.line("\nEvery query as it was sent; a query without hits was relaxed step by step, and each step is in the [search log](search-log.md).\n")
	p.line("| | Source | Day | For | Query as sent | Filters | Total | Records | Outcome |\n| --- | --- | --- | --- | --- | --- | ---: | ---: | --- |")
	for _, id := range state.SortedIDs(v.s.Queries) {
		q := v.s.Queries[id]
		sent := q.Sent
		if sent == "" {
			sent = q.Written
		}
		outcome := outcomeWord(q.Outcome)
		if q.Rung > 0 {
			outcome += fmt.Sprintf(", relaxed %s", timesWord(q.Rung))
		}
		if q.Outcome != state.Hits && q.Reason != "" {
			outcome += ": " + cell(q.Reason, 200)
		}
		total := "–"
		if q.Outcome == state.Hits || q.Outcome == state.ZeroHits {
			total = totalText(q.Total)
		}
		p.line("| %s | %s | %s | %s | %s | %s | %s | %s | %s |", md(id), md(q.Source), orDash(v.searched(id)), md(v.s.Intents[q.Intent].Subquestion), orDash(codeCell(sent)),
			orDash(codeCell(q.Filters)), total, thousands(q.Hits), outcome)
	}
}

func timesWord(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func (v *view) roundTable(p *page) {
	p.head(3, "Rounds of search and citation chasing")
	if len(v.s.Rounds) == 0 {
		p.line("No round was closed.")
		return
	}
	p.line("| Round | Iteration | Kind | Seeds | Sources | New works | Relevant | Yield |\n| ---: | ---: | --- | --- | --- | ---: | ---: | --- |")
	for _, k := range state.SortedIDs(v.s.Rounds) {
		r := v.s.Rounds[k]
		kind, seeds, sources, yield := "search", "–", "–", "–"
		if r.Snowball {
			kind = "citation chasing"
			seeds, sources = v.seeds(r)
			switch {
			case !r.Closed:
				yield = "not closed"
			case r.Empty:
				yield = "no source had a list"
			case r.LowYield:
				yield = "low"
			default:
				yield = "sufficient"
			}
		}
		p.line("| %d | %d | %s | %s | %s | %d | %d | %s |", r.Number, r.Iteration, kind, seeds, sources, r.New, r.Relevant, yield)
	}
	n := v.set.Snowball
	p.line("\nA round of citation chasing is low-yield when fewer than %.0f %% of its new works are relevant or fewer than %d are; %d such rounds in a row mean saturation. A source without a list for a work says nothing about saturation.", 100*n.LowYieldShare, n.LowYieldMinimum, max(n.LowYieldRounds, 1))
}

// seeds names the seeds of a round and what each source had for them.
func (v *view) seeds(r state.Round) (seeds, sources string) {
	var names, found []string
	outcomes := map[string][]string{}
	for _, key := range r.Seeds {
		id, direction, _ := strings.Cut(key, "|")
		names = append(names, v.label("", id)+" "+md(direction))
		x := v.s.Expanded[key]
		for source, o := range x.Outcomes {
			outcomes[source] = state.Union(outcomes[source], []string{words(o)})
		}
	}
	for _, source := range state.Keys(outcomes) {
		found = append(found, md(source)+": "+strings.Join(outcomes[source], ", "))
	}
	return orDash(strings.Join(names, ", ")), orDash(strings.Join(found, "; "))
}

// closedRoles belong to closed questions; a review has no step for them, so
// they are shown only where they were used.
var closedRoles = []string{"researcher", "finalizer"}

// roles says for each role whether a model or the built-in method did it, and
// at what cost.
func (v *view) roles(p *page) {
	p.head(3, "Who did what")
	use := v.s.Spent().Models
	fellBack := map[string]int{}
	for _, d := range v.s.Degradations {
		if d.Role != "" {
			fellBack[d.Role]++
		}
	}
	names := map[string]bool{}
	for r := range v.set.Models {
		names[r] = !contains(closedRoles, r)
	}
	for r := range use {
		names[r] = true
	}
	maps.DeleteFunc(names, func(_ string, shown bool) bool { return !shown })
	if len(names) == 0 {
		p.line("Every role ran on the built-in method; no model was called.")
		return
	}
	p.line("| Role | Done by | Calls | Failed | Repaired | Fell back | Tokens in (cached) | Tokens out | Cost |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	any := false
	for _, role := range state.Keys(names) {
		u, spec := use[role], v.set.Models[role]
		by := "built-in method"
		if spec != "" && spec != "builtin" {
			by, any = md(spec), true
		}
		if u.Calls == 0 {
			p.line("| %s | %s | – | – | – | – | – | – | – |", md(role), by)
			continue
		}
		cost := fmt.Sprintf("$%.4f", float64(u.Micros)/1e6)
		// A failed call reports no tokens; what the provider took for it is not
		// known.
		if u.Unpriced > 0 || u.Prompt+u.Output == 0 {
			cost = "price unknown"
			if u.Micros > 0 {
				cost = fmt.Sprintf("$%.4f + %s of unknown price", float64(u.Micros)/1e6, count(u.Unpriced, "call"))
			}
		}
		p.line("| %s | %s | %s | %d | %d | %d | %s (%s) | %s | %s |", md(role), by, thousands(u.Calls), u.Failed, u.Repairs, fellBack[role],
			thousands(u.Prompt), thousands(u.Cached), thousands(u.Output), cost)
	}
	if !any {
		p.line("\nEvery role ran on the built-in method: deterministic rules over words, without a model.")
	}
}
