package report

import (
	"fmt"
	"slices"
	"strings"

	"optimistresearch/state"
)

// degradations lists what fell back or failed, the same trouble of one source
// or role once, with how often and the first example.
func (v *view) degradations(p *page) {
	p.head(2, "What fell back or failed")
	if len(v.s.Degradations) == 0 {
		p.line("No step fell back and no source failed.")
		return
	}
	p.line("| Step | Source or role | Kind | Why, in the first case | What was done instead | About | Times |\n| --- | --- | --- | --- | --- | --- | ---: |")
	for _, g := range v.troubles() {
		about := md(g.first.Subject)
		if g.n > 1 {
			about += yes(about != "", fmt.Sprintf(" and %s", count(g.n-1, "other")))
		}
		p.line("| %s | %s | %s | %s | %s | %s | %d |", md(g.first.Step), orDash(md(g.who)), words(g.first.Kind), cell(g.first.Reason, 400), cell(g.first.Fallback, 400), orDash(about), g.n)
	}
}

// trouble is one kind of degradation of one source or role.
type trouble struct {
	first state.Degradation
	who   string
	n     int
}

// troubles groups the degradations, in the order of their first.
func (v *view) troubles() []*trouble {
	list := make([]state.Degradation, 0, len(v.s.Degradations))
	for _, k := range state.Keys(v.s.Degradations) {
		list = append(list, v.s.Degradations[k])
	}
	slices.SortStableFunc(list, func(a, b state.Degradation) int {
		switch {
		case a.Iteration != b.Iteration:
			return a.Iteration - b.Iteration
		case a.Step != b.Step:
			return strings.Compare(a.Step, b.Step)
		case a.Subject != b.Subject:
			return compareIDs(a.Subject, b.Subject)
		}
		return strings.Compare(a.Reason, b.Reason)
	})
	sources := map[string]string{} // subject and reason of a call → its source
	for _, id := range state.Keys(v.s.Calls) {
		c := v.s.Calls[id]
		sources[c.Subject+"\x00"+c.Reason] = c.Source
	}
	groups := map[string]*trouble{}
	var out []*trouble
	for _, d := range list {
		who := d.Role
		if who == "" {
			subject, _, _ := strings.Cut(d.Subject, "|") // of a seed: its document and the direction
			who = sources[subject+"\x00"+d.Reason]
		}
		key := strings.Join([]string{d.Step, who, d.Kind, sameButFor(d.Reason), sameButFor(d.Fallback)}, "\x00")
		g := groups[key]
		if g == nil {
			g = &trouble{first: d, who: who}
			groups[key] = g
			out = append(out, g)
		}
		g.n++
	}
	return out
}

// sameButFor takes out of a reason what differs from one case to the next and
// says nothing about the cause: identifiers, times and counts. They are the
// words with a figure; the status of an HTTP answer stays.
func sameButFor(reason string) string {
	words := strings.Fields(reason)
	out := words[:0:0]
	for i, w := range words {
		switch {
		case i > 0 && words[i-1] == "HTTP":
		case strings.ContainsAny(w, "0123456789"):
			// "DOI 10.1/x" is the same as "arXiv 2301.00001".
			if n := len(out); n > 0 && schemes[strings.ToLower(out[n-1])] {
				out = out[:n-1]
			}
			w = "…"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

var schemes = wordSet("doi arxiv pmid pmcid openalex s2 corpusid dblp acl mag")
