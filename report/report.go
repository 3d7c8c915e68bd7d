package report

import (
	"fmt"
	"strings"

	"optimistresearch/state"
)

// finding is a findings section, ready to print.
type finding struct {
	title, text string
	cites       []string
}

// reportPage is report.md: the answer, the findings in the order of the
// outline, and behind them the sections that follow from the state alone.
func (v *view) reportPage() []byte {
	if len(v.admitted) == 0 {
		return v.diagnostic()
	}
	answer, cites := v.answer()
	findings := v.findings()
	for _, f := range findings {
		cites = append(cites, f.cites...)
	}
	p := &page{}
	p.head(1, headText(v.q.Text))
	v.banner(p, "under “Scope and method”")
	p.line("%s\n", answer)
	for _, f := range findings {
		p.head(2, f.title)
		p.line("%s", f.text)
	}
	cites = append(cites, v.contradictions(p)...)
	for _, id := range cites {
		v.cites[id] = true
	}
	v.limitations(p)
	v.method(p)
	v.flowSection(p)
	v.guide(p)
	v.stopSection(p)
	v.nextSteps(p)
	v.degradations(p)
	v.references(p)
	p.defs("", cites)
	return p.bytes()
}

// banner says what a reader must know before the first sentence. whole says
// where the question stands in full, in case the heading had to cut it.
func (v *view) banner(p *page, whole string) {
	if v.q.Demonstration != "" {
		p.line("> **Demonstration.** This run searched %s, not the live services. The bibliographic records are facts about real works; the texts that were read are synopses written for the library, not the authors' abstracts. Do not cite this review as a search of the literature.\n", md(v.q.Demonstration))
	}
	if v.q.Library != "" {
		p.line("> **Not a search of the live services.** This run searched %s, a library of your own, in a simulation of the services. Records and texts are as that file gives them; no service confirmed them, and works that are not in it could not be found.\n", code(v.q.Library))
	}
	if t := Unanswered(v.s); t != "" {
		p.line("> **Searches failed.** %s\n", md(t))
	}
	if v.s.Stop == nil {
		p.line("> **Not finished.** %s.\n", capital(StopText(state.Stop{})))
	}
	if isLong(v.q.Text) || isLong(v.q.Scope) {
		p.line("*Cut here: question and scope stand in full %s.*\n", whole)
	}
	if v.q.Scope != "" {
		p.line("*Scope: %s*\n", sentence(headText(v.q.Scope)))
	}
	if t := v.scopeTaken(); t != "" {
		p.line("%s\n", t)
	}
}

// answer is the paragraph up front: the narrative of the synthesis or, when
// there is none yet, what the review rests on.
func (v *view) answer() (string, []string) {
	if y := v.s.Synthesis; y != nil && strings.TrimSpace(y.Narrative) != "" {
		return v.prose(y.Narrative, y.By, v.admitted, true)
	}
	return fmt.Sprintf("This review rests on %s from %s. Its synthesis has not been written yet.", count(len(v.admitted), "admitted claim"), count(len(documentsOf(v.admitted)), "document")), nil
}

// findings are the sections of the outline; without an outline, the answers on
// the subquestions.
func (v *view) findings() []finding {
	var out []finding
	if y := v.s.Synthesis; y != nil && len(y.Outline) > 0 {
		for _, o := range y.Outline {
			f := finding{title: orDash(headText(o.Title))}
			sec, ok := v.s.Sections[o.ID]
			if !ok || strings.TrimSpace(sec.Text) == "" {
				f.text = fmt.Sprintf("*This section has not been written yet. Its evidence is in [the list of claims](evidence/clusters.md): %s.*", count(len(o.Evidence), "claim"))
			} else {
				f.text, f.cites = v.prose(sec.Text, sec.By, v.chosen(o.Evidence), true)
			}
			out = append(out, f)
		}
		return out
	}
	for _, q := range v.subquestions() {
		a, ok := v.s.Answers[q.ID]
		if !ok || strings.TrimSpace(a.Text) == "" {
			continue
		}
		f := finding{title: headText(q.Text)}
		f.text, f.cites = v.prose(a.Text, a.By, v.s.Admitted(q.ID), true)
		out = append(out, f)
	}
	return out
}

// chosen are the admitted items among the ids.
func (v *view) chosen(ids []string) []state.Evidence {
	in := toSet(ids)
	var out []state.Evidence
	for _, e := range v.admitted {
		if in[e.ID] {
			out = append(out, e)
		}
	}
	return out
}

// contradictions shows both sides of each pair whose sides are both admitted.
func (v *view) contradictions(p *page) (cites []string) {
	p.head(2, "Contradictions")
	n := 0
	for _, id := range state.Keys(v.s.Contradictions) {
		c := v.s.Contradictions[id]
		if !v.isIn[c.A] || !v.isIn[c.B] {
			continue
		}
		n++
		a, b := v.s.Evidence[c.A], v.s.Evidence[c.B]
		p.line("On %s, %s (%s). One side: “%s” [%s]%s. The other: “%s” [%s]%s. %s\n", v.toSubquestion("", c.Subquestion), "two claims do not fit together",
			contradictionKind(c.Kind), md(strings.TrimRight(a.Claim, ".")), a.Document, retraction(v.s.Documents[a.Document]),
			md(strings.TrimRight(b.Claim, ".")), b.Document, retraction(v.s.Documents[b.Document]), sentence(capital(md(c.Explanation))))
		cites = append(cites, a.Document, b.Document)
	}
	switch {
	case n == 0:
		p.line("No two admitted claims were found that cannot both hold as stated. Only claims on the same outcome are compared, so this is no proof of agreement.")
	default:
		p.line("The quotes of both sides are in [contradictions.md](contradictions.md).")
	}
	return cites
}

func (v *view) flowSection(p *page) {
	p.head(2, "Flow of records")
	a, c := v.flow.Search, v.flow.Chasing
	p.line("Searches returned %s. Without repeats (%s), further records of the same work (%s) and works that are ineligible by rule (%s), %s screened. Of these, %s relevant enough to be read, %s read, and %s gave admitted evidence.\n",
		count(Sum(a.Identified), "record"), thousands(a.Repeated), thousands(a.Duplicates), thousands(Sum(a.Ineligible)), count(a.Screened, "work")+wasWere(a.Screened),
		thousands(a.Sought)+wasWere(a.Sought), thousands(a.Assessed)+wasWere(a.Assessed), thousands(a.Included))
	if n := Sum(c.Identified); n > 0 {
		p.line("Citation chasing returned %s; %s screened that no search had found, %s read, and %s gave admitted evidence.\n", count(n, "record"),
			count(c.Screened, "work")+wasWere(c.Screened), thousands(c.Assessed)+wasWere(c.Assessed), thousands(c.Included))
	}
	p.line("| Box of PRISMA 2020 | Found by searches | By citation chasing |\n| --- | ---: | ---: |")
	row := func(what string, x, y int) { p.line("| %s | %s | %s |", what, thousands(x), thousands(y)) }
	rows := func(what string, x, y []Count) {
		row(what, Sum(x), Sum(y))
		for _, w := range union(x, y) {
			row("– "+md(w), of(x, w), of(y, w))
		}
	}
	rows("Records identified", a.Identified, c.Identified)
	row("Removed: the same record again", a.Repeated, c.Repeated)
	row("Removed: the very same record, which a search found too", a.Searched, c.Searched)
	row("Removed: another record of the same work", a.Duplicates, c.Duplicates)
	rows("Removed: ineligible by rule", a.Ineligible, c.Ineligible)
	for _, x := range []struct {
		what string
		a, c int
	}{{"Not compared yet", a.Unlinked, c.Unlinked}, {"No relevance score came back", a.Unscored, c.Unscored}, {"Not screened yet", a.Unscreened, c.Unscreened}} {
		if x.a+x.c > 0 {
			row(x.what, x.a, x.c)
		}
	}
	row("Works screened", a.Screened, c.Screened)
	rows("Excluded", a.Excluded, c.Excluded)
	row("Sought for reading", a.Sought, c.Sought)
	rows("Not read", a.NotRetrieved, c.NotRetrieved)
	row("Read", a.Assessed, c.Assessed)
	rows("Excluded after reading", a.Rejected, c.Rejected)
	row("**Included**", a.Included, c.Included)
	p.line("\n![Flow of records](prisma.svg)\n\nThe same numbers: [prisma.csv](prisma.csv). %s", v.whatWasRead())
}

// whatWasRead names the kinds of texts that were read.
func (v *view) whatWasRead() string {
	abstracts, synopses := v.shortTexts()
	var out []string
	if abstracts > 0 {
		out = append(out, "abstracts")
	}
	if synopses > 0 {
		out = append(out, "synopses")
	}
	if n := v.fullTexts(); n > 0 {
		out = append(out, "the open full texts of "+count(n, "work"))
	}
	if len(out) == 0 {
		return "No text was read."
	}
	return "What was read are " + list(out) + "."
}

// shortTexts counts the works that were read as their authors' abstract and
// as a synopsis by somebody else.
func (v *view) shortTexts() (abstracts, synopses int) {
	for _, id := range v.docs {
		r, read := v.s.Readings[id]
		switch {
		case !read && len(v.byDoc[id]) == 0 || strings.HasPrefix(r.Text, "fulltext:"):
		case v.s.Documents[id].Abstract.Synopsis:
			synopses++
		case v.s.AbstractText(v.s.Documents[id]) != "":
			abstracts++
		}
	}
	return abstracts, synopses
}

func (v *view) guide(p *page) {
	p.head(2, "How to read this report")
	example := "a document id in square brackets"
	if ids := state.SortedIDs(v.cites); len(ids) > 0 {
		example = "[" + ids[0] + "]"
	}
	where := "“Abstract” means that only the abstract was read"
	if _, synopses := v.shortTexts(); synopses > 0 {
		where += ", “Synopsis” that a synopsis from the library was read, which is not by the authors"
	}
	p.line("A citation such as %s leads to the page of a document, with its records, where each came from, and every claim with the words it rests on. Each claim has a quote that stands word for word in the stored text. Its location says what was read: %s. Its strength, from 0 to 1, judges how much the text shows of what it asserts and not whether that is true; what was read only as abstract or synopsis cannot exceed %s.\n", example, where, score(v.set.Reading.AbstractStrengthCap))
	p.line("Start from the [overview of the files](README.md), the [list of documents](documents/index.md), the [claims by cluster](evidence/clusters.md), the [plan](plan.md) or the [search log](search-log.md). To follow one claim, document or query back to the stored response, type `optimistresearch why RUN ID`.")
}

func (v *view) stopSection(p *page) {
	p.head(2, "Why the search stopped")
	stop := state.Stop{}
	if v.s.Stop != nil {
		stop = *v.s.Stop
	}
	p.line("%s", sentence(capital(md(StopText(stop)))))
	if h := v.s.Halt; h != nil && h.Detail != stop.Detail {
		p.line("\nThe gathering of evidence had ended before: %s", sentence(md(h.Detail)))
	}
	if t := v.saturation(); t != "" {
		p.line("\n%s", t)
	}
}

// saturation says how citation chasing ended.
func (v *view) saturation() string {
	rounds, row := 0, 0
	for _, k := range state.SortedIDs(v.s.Rounds) {
		r := v.s.Rounds[k]
		if !r.Snowball || !r.Closed {
			continue
		}
		rounds++
		switch {
		case r.Empty:
		case r.LowYield:
			row++
		default:
			row = 0
		}
	}
	need := max(v.set.Snowball.LowYieldRounds, 1)
	switch {
	case rounds == 0:
		return "Citation chasing did not run, so it says nothing about saturation."
	case row >= need:
		return fmt.Sprintf("Citation chasing was saturated: the last %s with a list brought little that is new and relevant.", count(row, "round"))
	}
	return fmt.Sprintf("Citation chasing was not saturated: %d of the %d low-yield rounds in a row that would mean saturation.", row, need)
}

// nextSteps lists what the last critique asked for and the run did not do.
func (v *view) nextSteps(p *page) {
	p.head(2, "Recommended next steps")
	n := 0
	item := func(format string, args ...any) {
		n++
		p.line("- "+format, args...)
	}
	if c, ok := v.lastCritique(); ok {
		for i, e := range c.Edits {
			if _, done := v.s.Applied[fmt.Sprintf("it%d/%d", c.Iteration, i)]; !done {
				item("%s.", capital(v.editText(e)))
			}
		}
		for i, g := range c.Gaps {
			if _, done := v.s.Applied[fmt.Sprintf("it%d/%d", c.Iteration, len(c.Edits)+i)]; !done {
				item("Close the gap: %s", sentence(md(g)))
			}
		}
	}
	if k := of(v.flow.Search.NotRetrieved, overBudget) + of(v.flow.Chasing.NotRetrieved, overBudget); k > 0 {
		item("Read the %s that the budget left out: raise `budgets.documents`. They are in [the list of documents](documents/index.md).", count(k, "relevant work"))
	}
	if k := len(v.s.Pairs); k > 0 {
		undecided := 0
		for _, x := range v.s.Pairs {
			if x.Decision == "" {
				undecided++
			}
		}
		if undecided > 0 {
			item("Look at the %s that the rules could not decide to be one work or two.", count(undecided, "pair of records"))
		}
	}
	if n == 0 {
		p.line("The last critique left nothing open.")
	}
}

func (v *view) lastCritique() (state.Critique, bool) {
	var last state.Critique
	found := false
	for _, k := range state.SortedIDs(v.s.Critiques) {
		if c := v.s.Critiques[k]; !found || c.Iteration >= last.Iteration {
			last, found = c, true
		}
	}
	return last, found
}

// references lists the works that the report cites, by id, each once.
func (v *view) references(p *page) {
	p.head(2, "References")
	ids := state.SortedIDs(v.cites)
	if len(ids) == 0 {
		p.line("No work is cited.")
		return
	}
	for _, id := range ids {
		p.line("- **%s** %s", v.to("", id), Reference(v.s, v.s.Documents[id]))
	}
	p.line("\nThe same list for a reference manager: [references.ris](references.ris), [references.bib](references.bib), [references.json](references.json).")
}
