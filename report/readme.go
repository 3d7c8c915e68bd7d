package report

import "optimistresearch/state"

// readme is the page that a person opens first.
func (v *view) readme() []byte {
	p := &page{}
	p.head(1, headText(v.q.Text))
	v.banner(p, "in the [report](report.md) under “Scope and method”")
	p.line("A literature review and the corpus it rests on, started on %s with optimistresearch %s. Begin with the **[report](report.md)**.\n", date(v.q.Started), md(v.q.Version))
	stop := state.Stop{}
	if v.s.Stop != nil {
		stop = *v.s.Stop
	}
	a, c := v.flow.Search, v.flow.Chasing
	p.line("| | |\n| --- | ---: |")
	for _, x := range []struct {
		what string
		n    int
	}{{"Records identified", Sum(a.Identified) + Sum(c.Identified)}, {"Works", len(v.docs)}, {"Works screened", a.Screened + c.Screened},
		{"Works read", a.Assessed + c.Assessed}, {"Works included", v.flow.Included()}, {"Claims", len(v.s.Evidence)}, {"Claims admitted", len(v.admitted)},
		{"Works cited in the report", len(v.cites)}, {"Contradictions", len(v.s.Contradictions)}} {
		p.line("| %s | %s |", x.what, thousands(x.n))
	}
	p.line("\nWhy it stopped: %s", sentence(md(StopText(stop))))
	p.head(2, "What is where")
	for _, f := range []struct{ name, what string }{
		{"report.md", "the review: answer, findings, limitations, method, references"},
		{"plan.md", "subquestions, intents, queries, and how the critiques changed them"},
		{"documents/index.md", "every document and what became of it; for a spreadsheet [index.csv](documents/index.csv)"},
		{"evidence/clusters.md", "every claim with its quote and verdict; for programs [evidence.jsonl](evidence/evidence.jsonl), [evidence.csv](evidence/evidence.csv)"},
		{"contradictions.md", "claims that do not fit together"},
		{"search-log.md", "every query as written and as sent, when, and what the source did; for a spreadsheet [search-log.csv](search-log.csv)"},
		{"prisma.svg", "the flow of records; the numbers in [prisma.csv](prisma.csv)"},
		{"references.ris", "the works cited, for reference managers; also [BibTeX](references.bib) and [CSL-JSON](references.json)"},
	} {
		p.line("- [%s](%s): %s", f.name, f.name, f.what)
	}
	p.line("- `state.json`, `journal.ndjson`, `recordings/`: the state of the run, how it came about, and every response as it was received")
	if qs := v.subquestions(); len(qs) > 0 {
		p.head(2, "Subquestions")
		for _, q := range qs {
			p.line("- %s %s%s", v.toSubquestion("", q.ID), headText(q.Text), yes(!q.Status.Active(), " ("+words(string(q.Status))+")"))
		}
	}
	p.head(2, "From here")
	p.line("- `optimistresearch why RUN ID` shows the road of a claim, document or query back to the stored response.")
	p.line("- `optimistresearch resume RUN` goes on with a run that was interrupted.")
	p.line("- Your notes are safe: a file that you change stays as it is. When `resume` has a newer version of it, that one is put beside it as `NAME.new.EXT` (`report.new.md`), and a notice says so.")
	p.line("- `optimistresearch run --replay RUN` derives the same review again from its recordings, without a network.")
	return p.bytes()
}
