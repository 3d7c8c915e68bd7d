package report

import (
	"fmt"

	"optimistresearch/state"
)

// diagnostic is the report of a run without admitted evidence: it says why,
// how far each stage came, and what to type next. It cites nothing.
func (v *view) diagnostic() []byte {
	p := &page{}
	p.head(1, md(v.q.Text))
	v.banner(p)
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
	a, c := v.flow.Search, v.flow.Chasing
	switch {
	case len(v.s.Subquestions) == 0:
		return "The question was not planned: there is no subquestion."
	case len(v.s.Queries) == 0:
		return "No query was written."
	case sent == 0:
		return fmt.Sprintf("No query was sent; %s skipped. See the outcomes below.", count(skipped, "query")+wasWere(skipped))
	case len(v.s.Records) == 0 && failed == sent:
		return fmt.Sprintf("All %s that were sent failed. This says nothing about the literature.", count(sent, "query"))
	case len(v.s.Records) == 0:
		return fmt.Sprintf("%s sent, %d failed, and none brought a record. Nothing was found with these strings; that does not mean that there is nothing.", capital(count(sent, "query"))+wasWere(sent), failed)
	case a.Sought+c.Sought == 0:
		return fmt.Sprintf("%s found and %s screened, but none was judged relevant.", capital(count(len(v.docs), "work"))+wasWere(len(v.docs)), thousands(a.Screened+c.Screened))
	case a.Assessed+c.Assessed == 0:
		return fmt.Sprintf("%s judged relevant, but none was read: no text was available, or the run ended before.", capital(count(a.Sought+c.Sought, "work"))+wasWere(a.Sought+c.Sought))
	case len(v.s.Evidence) == 0:
		return fmt.Sprintf("%s read, but no claim with a verifiable quote was found in them.", capital(count(a.Assessed+c.Assessed, "work"))+wasWere(a.Assessed+c.Assessed))
	}
	return fmt.Sprintf("%s found in %s, but the verifier admitted none. The reasons are in [the list of claims](evidence/clusters.md).",
		capital(count(len(v.s.Evidence), "claim"))+wasWere(len(v.s.Evidence)), count(a.Assessed+c.Assessed, "work"))
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
	case state.StopModelFailed:
		out = append(out, "See which model each role is routed to, and where its key is set: `optimistresearch config show`.",
			"Without a model, set the role to the built-in method: `models.ROLE: builtin`.")
	default:
		out = append(out, "Read the strings that were sent and what came back in [the search log](search-log.md).",
			"Ask more broadly, or with the terms that the field uses; leave out `--since` and `--until` if they are set.",
			fmt.Sprintf("Lower the threshold of relevance, now %s: `screening.relevant`.", score(v.set.Screening.Relevant)),
			"Try other sources with `--sources`.")
	}
	return out
}
