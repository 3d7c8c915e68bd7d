package report

import (
	"fmt"
	"slices"
	"strings"

	"optimistresearch/state"
)

// Plan renders the plan of a run and its history: subquestions, intents,
// queries, and what each critique changed. nil when the state holds no
// question.
func Plan(s *state.State) []byte {
	v, err := newView(s)
	if err != nil {
		return nil
	}
	return v.plan()
}

func (v *view) plan() []byte {
	p := &page{}
	p.head(1, "Plan")
	p.line("**Question.** %s%s\n", headText(v.q.Text), yes(isLong(v.q.Text), " (in full in the [report](report.md))"))
	if v.q.Scope != "" {
		p.line("**Scope.** %s\n", headText(v.q.Scope))
	}
	if t := v.scopeTaken(); t != "" {
		p.line("%s\n", t)
	}
	p.line("Five levels: the question, subquestions (what we need to know), intents (kinds of documents that would help), queries (one string for one source), sources.")
	for _, q := range v.subquestions() {
		v.planSubquestion(p, q)
	}
	if len(v.s.Subquestions) == 0 {
		p.line("\nThere is no plan yet.")
	}
	v.history(p)
	return p.bytes()
}

func (v *view) planSubquestion(p *page, q state.Subquestion) {
	p.head(2, fmt.Sprintf("%s · %s", v.toSubquestion("", q.ID), headText(q.Text)))
	facts := []string{"status " + words(string(q.Status)), fmt.Sprintf("priority %d", q.Priority), "from the " + words(string(q.Origin))}
	if q.By != "" {
		facts = append(facts, "by "+md(q.By))
	}
	if q.Parent != "" {
		facts = append(facts, "part of "+md(q.Parent))
	}
	if q.MergedInto != "" {
		facts = append(facts, "merged into "+md(q.MergedInto))
	}
	if len(q.DependsOn) > 0 {
		facts = append(facts, "depends on "+md(strings.Join(q.DependsOn, ", ")))
	}
	p.line("%s.", capital(strings.Join(facts, ", ")))
	if q.Rationale != "" {
		p.line("\nWhy: %s", sentence(md(q.Rationale)))
	}
	if len(q.Focus) > 0 {
		p.line("\nFocus: %s.", md(strings.Join(q.Focus, "; ")))
	}
	queries := map[string][]state.Query{}
	for _, id := range state.SortedIDs(v.s.Queries) {
		x := v.s.Queries[id]
		x.ID = id
		queries[x.Intent] = append(queries[x.Intent], x)
	}
	for _, id := range state.SortedIDs(v.s.Intents) {
		in := v.s.Intents[id]
		if in.Subquestion != q.ID {
			continue
		}
		yield := v.notSearched(in, q)
		if len(queries[id]) > 0 {
			found, relevant := v.s.Yield(id)
			yield = fmt.Sprintf("%d found, %d of them relevant%s", found, relevant, v.yetUnscreened(in))
		}
		p.line("\n- **%s** %s  \n  iteration %d, %s, from the %s%s; %s", md(id), md(in.Description),
			in.Iteration, words(string(in.Status)), words(string(in.Origin)), yes(in.By != "", " ("+md(in.By)+")"), yield)
		for _, x := range queries[id] {
			sent := x.Sent
			if sent == "" {
				sent = x.Written
			}
			p.line("  - %s · %s · %s: %s", md(x.ID), md(x.Source), code(sent), outcomeText(x))
		}
	}
}

// yetUnscreened says how many of the documents that an intent found were not
// screened.
func (v *view) yetUnscreened(in state.Intent) string {
	n := 0
	for _, id := range v.docs {
		d := v.s.Documents[id]
		if b := v.stage[id].box; b != unscreened && b != unscored {
			continue
		}
		if slices.ContainsFunc(v.s.Provenance(d), func(p state.Provenance) bool { return p.Intent == in.ID }) {
			n++
		}
	}
	return yes(n > 0, fmt.Sprintf(", %d not screened", n))
}

// scopeTaken says how the scope note was taken, "" when there is nothing to say.
func (v *view) scopeTaken() string {
	var parts []string
	if v.q.Understood != "" {
		parts = append(parts, "understood as: "+md(v.q.Understood))
	}
	if v.q.NotUsed != "" {
		parts = append(parts, "not used: "+md(v.q.NotUsed))
	}
	if len(parts) == 0 {
		return ""
	}
	return "**Scope note** " + strings.Join(parts, "; ") + "."
}

// notSearched says why an intent has no query.
func (v *view) notSearched(in state.Intent, q state.Subquestion) string {
	for _, key := range state.SortedIDs(v.s.Applied) {
		if a := v.s.Applied[key]; a.Applied && a.Edit.Target == in.ID && (a.Edit.Op == state.EditCloseIntent || a.Edit.Op == state.EditRewordIntent) {
			return "not searched (a critique closed it before its turn)"
		}
	}
	var went []string
	for _, id := range state.SortedIDs(v.s.Queries) {
		if x := v.s.Queries[id]; x.Iteration >= in.Iteration && !slices.Contains(went, x.Intent) {
			went = append(went, x.Intent)
		}
	}
	slices.SortFunc(went, compareIDs)
	switch {
	case !q.Status.Active():
		return "not searched (its subquestion is " + words(string(q.Status)) + ")"
	case !in.Status.Active():
		return "not searched (its queries had been sent already)"
	case v.s.Stop == nil && v.s.Halt == nil:
		return "not searched yet"
	case len(went) == 0:
		return "not searched (the search ended before its turn)"
	}
	const most = 6
	if n := len(went) - most; n > 1 {
		went = append(went[:most], fmt.Sprintf("%d others", n))
	}
	return "not searched (the search budget went to " + md(list(went)) + ")"
}

func compareIDs(a, b string) int {
	switch {
	case a == b:
		return 0
	case state.LessID(a, b):
		return -1
	}
	return 1
}

// history tells what each critique saw and what became of its edits.
func (v *view) history(p *page) {
	if len(v.s.Critiques) == 0 {
		return
	}
	p.head(2, "What the critiques changed")
	for _, k := range state.SortedIDs(v.s.Critiques) {
		c := v.s.Critiques[k]
		verdict := "asked to go on"
		if c.Sufficient {
			verdict = "judged the evidence sufficient"
		}
		p.head(3, fmt.Sprintf("Iteration %d", c.Iteration))
		p.line("The critic (%s) %s. %s", orDash(md(c.By)), verdict, sentence(md(c.Summary)))
		if len(c.Assess) > 0 {
			p.line("\n| Dimension | Score | Finding |\n| --- | ---: | --- |")
			for _, d := range c.Assess {
				p.line("| %s | %s | %s |", md(d.Name), score(d.Score), cell(d.Finding, 400))
			}
		}
		n := 0
		for _, key := range state.SortedIDs(v.s.Applied) {
			a := v.s.Applied[key]
			if a.Iteration != c.Iteration {
				continue
			}
			if n == 0 {
				p.line("")
			}
			n++
			p.line("- %s: %s", v.editText(a.Edit), md(a.Result))
		}
		if n == 0 && len(c.Edits)+len(c.Gaps) > 0 {
			p.line("\nIts %s were not carried out, because the search ended. The report lists them as next steps.", count(len(c.Edits)+len(c.Gaps), "proposal"))
		}
	}
}

// editText says in words what an edit asks for.
func (v *view) editText(e state.Edit) string {
	t, target := md(e.Text), md(e.Target)
	var out string
	switch e.Op {
	case state.EditAdd:
		out = "add the subquestion “" + t + "”"
	case state.EditSplit:
		var parts []string
		for _, x := range e.Texts {
			parts = append(parts, "“"+md(x)+"”")
		}
		out = "split " + target + " into " + list(parts)
	case state.EditMerge:
		out = "merge " + target + " into " + md(e.Into)
	case state.EditRephrase:
		out = "rephrase " + target + " as “" + t + "”"
	case state.EditRaise:
		out = "give " + target + " a higher priority"
	case state.EditLower:
		out = "give " + target + " a lower priority"
	case state.EditClose:
		out = "close " + target
	case state.EditReopen:
		out = "reopen " + target
	case state.EditAddIntent:
		out = "search for " + target + ": “" + t + "”"
	case state.EditCloseIntent:
		out = "stop searching for " + target
	case state.EditRewordIntent:
		out = "reword " + target + " as “" + t + "”"
	case state.EditSnowball:
		out = "chase the citations of " + v.label("", e.Target) + " " + md(e.Direction)
	case state.EditContradiction:
		out = "note the contradiction between " + md(e.A) + " and " + md(e.B)
		if t != "" {
			out += ": " + t
		}
	case state.EditNote:
		out = "close the gap “" + t + "”"
	default:
		out = strings.TrimSpace(words(e.Op) + " " + target + " " + t)
	}
	if e.Rationale != "" {
		out += " (" + md(strings.TrimRight(e.Rationale, ".")) + ")"
	}
	return out
}
