package report

import (
	"fmt"
	"strings"

	"optimistresearch/state"
)

// diagnostic is the report of a run without admitted evidence: it says why,
// how far each stage came, and what to type next. It cites nothing.
func (v *view) diagnostic() []byte {
	p := &page{}
	p.head(1, headText(v.q.Text))
	v.banner(p, "under “Scope and method”")
	stop := state.Stop{}
	if v.s.Stop != nil {
		stop = *v.s.Stop
	}
	p.line("**This run has no findings.** %s", sentence(capital(md(StopText(stop)))))
	p.head(2, "Where it ended")
	p.line("%s", v.whereItEnded())
	p.head(2, "What to do next")
	for _, step := range v.remedies(stop) {
		p.line("- %s", step)
	}
	v.method(p)
	v.flowSection(p)
	v.stopSection(p)
	v.nextSteps(p)
	v.degradations(p)
	p.head(2, "References")
	p.line("No work is cited.")
	return p.bytes()
}

// whereItEnded names the first stage that gave nothing.
func (v *view) whereItEnded() string {
	sent, failed, skipped := 0, 0, 0
	for _, q := range v.s.Queries {
		switch {
		case q.Outcome == "":
		case q.Outcome == state.Skipped:
			skipped++
		case q.Outcome.Failed():
			failed++
			sent++
		default:
			sent++
		}
	}
	switch {
	case len(v.s.Subquestions) == 0:
		return "The question was not planned: there is no subquestion."
	case len(v.s.Queries) == 0:
		return "No query was written."
	case sent == 0:
		return fmt.Sprintf("No query was sent; %s skipped. See the outcomes below.", count(skipped, "query")+wasWere(skipped))
	case len(v.s.Records) == 0 && failed == sent && sent == 1:
		return "The one query that was sent failed. This says nothing about the literature."
	case len(v.s.Records) == 0 && failed == sent:
		return fmt.Sprintf("All %s that were sent failed. This says nothing about the literature.", count(sent, "query"))
	case len(v.s.Records) == 0:
		return fmt.Sprintf("%s sent, %d failed, and none brought a record. Nothing was found with these strings; that does not mean that there is nothing.", capital(count(sent, "query"))+wasWere(sent), failed)
	}
	return v.whereWorksEnded()
}

// whereWorksEnded names the first stage that no work came through, and keeps
// apart what was judged and what the end of the run left undone.
func (v *view) whereWorksEnded() string {
	a, c := v.flow.Search, v.flow.Chasing
	screened, sought, assessed := a.Screened+c.Screened, a.Sought+c.Sought, a.Assessed+c.Assessed
	ineligible := Sum(a.Ineligible) + Sum(c.Ineligible)
	unlinked, unscored, unscreened := a.Unlinked+c.Unlinked, a.Unscored+c.Unscored, a.Unscreened+c.Unscreened
	open := v.notScreened(unlinked, unscored, unscreened)
	switch {
	case screened == 0 && open != "":
		return fmt.Sprintf("%s found, but none was screened: %s. Whether they are relevant is not known.", capital(count(len(v.s.Records), "record"))+wasWere(len(v.s.Records)), open)
	case screened == 0:
		return fmt.Sprintf("%s found, and rules put all of them aside before screening: %s.", capital(count(ineligible, "work"))+wasWere(ineligible), reasons(a.Ineligible, c.Ineligible))
	case sought == 0 && open != "":
		return fmt.Sprintf("%s screened and none of them judged relevant, but not everything was screened: %s. Whether the rest is relevant is not known.", capital(count(screened, "work"))+wasWere(screened), open)
	case sought == 0:
		return fmt.Sprintf("%s screened, but none was judged relevant: %s.", capital(count(screened, "work"))+wasWere(screened), reasons(a.Excluded, c.Excluded))
	case assessed == 0:
		return fmt.Sprintf("%s screened and %s judged relevant, but none of these was read: %s.", capital(count(screened, "work"))+wasWere(screened), thousands(sought)+wasWere(sought), reasons(a.NotRetrieved, c.NotRetrieved)) +
			yes(open != "", " Of the others "+open+".")
	case len(v.s.Evidence) == 0:
		return fmt.Sprintf("%s read, but no claim with a verifiable quote was found in them.", capital(count(assessed, "work"))+wasWere(assessed)) + v.restUnread()
	}
	claims := len(v.s.Evidence)
	judged := 0
	for id := range v.s.Evidence {
		if _, ok := v.s.Reviews[id]; ok {
			judged++
		}
	}
	found := fmt.Sprintf("%s found in %s", capital(count(claims, "claim"))+wasWere(claims), count(assessed, "work"))
	switch {
	case judged == 0:
		return found + ", but the run ended before any of them was verified. They are in [the list of claims](evidence/clusters.md)."
	case judged < claims:
		return fmt.Sprintf("%s, but the verifier admitted none of the %d that it looked at; %d %s not verified before the run ended. The reasons are in [the list of claims](evidence/clusters.md).", found, judged, claims-judged, strings.TrimSpace(wasWere(claims-judged)))
	}
	return found + ", but the verifier admitted none. The reasons are in [the list of claims](evidence/clusters.md)." + v.restUnread()
}

// notScreened says in words what screening did not reach, "" if it reached all.
func (v *view) notScreened(unlinked, unscored, unscreened int) string {
	var parts []string
	if unlinked > 0 {
		parts = append(parts, count(unlinked, "record")+wasWere(unlinked)+" not compared with the others ("+v.cameFirst()+")")
	}
	if unscreened > 0 {
		parts = append(parts, count(unscreened, "work")+wasWere(unscreened)+" not screened ("+v.cameFirst()+")")
	}
	if unscored > 0 {
		parts = append(parts, "for "+count(unscored, "work")+" no score came back")
	}
	return strings.Join(parts, "; ")
}

// restUnread counts the relevant works that were not read, as a sentence.
func (v *view) restUnread() string {
	a, c := v.flow.Search.NotRetrieved, v.flow.Chasing.NotRetrieved
	if n := Sum(a) + Sum(c); n > 0 {
		return fmt.Sprintf(" %s relevant and not read: %s.", capital(count(n, "other work"))+wasWere(n), reasons(a, c))
	}
	return ""
}

// reasons lists the reasons of both arms, with how many works each concerns.
func reasons(a, c []Count) string {
	var parts []string
	for _, w := range union(a, c) {
		parts = append(parts, fmt.Sprintf("%s (%s)", md(w), thousands(of(a, w)+of(c, w))))
	}
	return strings.Join(parts, ", ")
}

// remedies are the next things to type.
func (v *view) remedies(stop state.Stop) []string {
	var out []string
	switch stop.Reason {
	case "":
		return []string{"Go on where the run stopped: `optimistresearch resume RUN`."}
	case state.StopUnreachable:
		out = append(out, "See whether a source answers from here: `optimistresearch search WORD --source SOURCE`.",
			"Look at the failures one by one: `optimistresearch log RUN`.",
			"Then go on without paying for anything twice: `optimistresearch resume RUN`, or start again with other sources: `--sources`.",
			"Without a network, try the program on its built-in library: `optimistresearch run --sandbox QUESTION`.")
	case state.StopModelUseless:
		out = append(out, "Look at what it answered: `optimistresearch log RUN`.",
			"Start again with another model for the role, or with the built-in method: `--set models.ROLE=builtin`. The models of a run are fixed when it starts.")
	case state.StopModelFailed:
		out = append(out, "See which model each role is routed to, and where its key is set: `optimistresearch config show`.",
			"Without a model, set the role to the built-in method: `models.ROLE: builtin`.")
	case state.StopBudget:
		out = append(out, "Ask again with more of what was used up; the setting is named above: `--set KEY=VALUE`. The settings of a run are fixed when it starts.",
			"See how far the stages came under “Flow of records”.")
	default:
		out = append(out, "Read the strings that were sent and what came back in [the search log](search-log.md).",
			"Ask more broadly, or with the terms that the field uses; leave out `--since` and `--until` if they are set.",
			fmt.Sprintf("Lower the threshold of relevance, now %s: `screening.relevant`.", score(v.set.Screening.Relevant)),
			"Try other sources with `--sources`.")
	}
	return out
}
