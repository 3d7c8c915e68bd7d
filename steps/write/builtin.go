package write

import (
	"cmp"
	"slices"
	"strings"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
	"optimistresearch/state"
	"optimistresearch/steps"
)

// Bounds of a paragraph of the built-in writer.
const (
	mostTogether  = 3 // documents
	mostSentences = 9
	mostLookedAt  = 100 // documents, for the next one in a paragraph
)

// builtin writes paragraphs from the claims: what the documents have in common
// first, then document by document, the better supported ones first and beside
// them those that speak of the same things, what is limited or fails at the end.
// A claim that an earlier section of the outline tells is not told again.
func builtin(s *state.State, sec state.OutlineSection, items []state.Evidence) string {
	items = untold(s, sec, items)
	var said []state.Evidence
	support, merged := map[string]int{}, map[string][]string{}
	for _, g := range distinct(s, items) {
		said = append(said, g.lead)
		support[g.lead.ID], merged[g.lead.ID] = g.support, g.documents
	}
	var limits []state.Evidence
	groups := map[string][]state.Evidence{} // by document
	for _, e := range said {
		if c := lexical.Cues(e.Claim); c.Limitation && !c.Result {
			limits = append(limits, e)
			continue
		}
		groups[e.Document] = append(groups[e.Document], e)
	}
	weight := func(d string) (w float64) {
		for _, e := range groups[d] {
			w = max(w, e.Strength+float64(support[e.ID]))
		}
		return w
	}
	for _, list := range groups {
		slices.SortStableFunc(list, func(a, b state.Evidence) int { return cmp.Compare(a.Start, b.Start) })
	}
	docs := state.SortedIDs(groups)
	slices.SortStableFunc(docs, func(a, b string) int { return cmp.Compare(weight(b), weight(a)) })

	cites := func(e state.Evidence) []string { return merged[e.ID] }
	var paragraphs []string
	for _, chunk := range together(docs, groups) {
		var list []state.Evidence
		for _, d := range chunk {
			list = append(list, groups[d]...)
		}
		paragraphs = append(paragraphs, steps.Passage(s, list, cites))
	}
	if opening := steps.Common(s.Question.Text, said); opening != "" && len(paragraphs) > 0 {
		paragraphs[0] = opening + " " + paragraphs[0]
	}
	if len(limits) > 0 {
		slices.SortStableFunc(limits, func(a, b state.Evidence) int {
			return cmp.Or(cmp.Compare(a.Document, b.Document), cmp.Compare(a.Start, b.Start))
		})
		p := steps.Passage(s, limits, cites)
		if 2*len(limits) <= len(said) {
			p = "Limits are stated as well. " + p
		}
		paragraphs = append(paragraphs, p)
	}
	return strings.Join(paragraphs, "\n\n")
}

// telling is what makes two claims one sentence of the report.
func telling(e state.Evidence) string { return e.Document + "|" + text.TitleKey(e.Claim) }

// untold leaves out the claims that an earlier section of the outline tells, one
// claim of a document being evidence on several subquestions. A section that
// would be left empty keeps them.
func untold(s *state.State, sec state.OutlineSection, items []state.Evidence) []state.Evidence {
	told := map[string]bool{}
	for _, o := range s.Synthesis.Outline {
		if o.ID == sec.ID {
			break
		}
		for _, id := range o.Evidence {
			if e, ok := s.Evidence[id]; ok {
				told[telling(e)] = true
			}
		}
	}
	rest := slices.DeleteFunc(slices.Clone(items), func(e state.Evidence) bool { return told[telling(e)] })
	if len(rest) == 0 {
		return items
	}
	return rest
}

// statement is a claim with what else says the same.
type statement struct {
	lead      state.Evidence
	documents []string // the lead's first
	support   int      // documents of its cluster
}

// distinct takes one claim of each cluster, and of equal claims one.
func distinct(s *state.State, items []state.Evidence) []statement {
	cluster := map[string]state.Cluster{}
	if s.Clusters != nil {
		for _, c := range s.Clusters.Clusters {
			for _, id := range c.Evidence {
				cluster[id] = c
			}
		}
	}
	var out []statement
	at := map[string]int{}
	for _, e := range items {
		c, clustered := cluster[e.ID]
		i, known := at["="+text.TitleKey(e.Claim)]
		if clustered && !known {
			i, known = at[c.ID]
		}
		if known {
			if !slices.Contains(out[i].documents, e.Document) {
				out[i].documents = append(out[i].documents, e.Document)
			}
		} else {
			i = len(out)
			out = append(out, statement{e, []string{e.Document}, len(c.Documents)})
		}
		at["="+text.TitleKey(e.Claim)] = i
		if clustered {
			at[c.ID] = i
		}
	}
	return out
}

// together cuts documents into paragraphs: the first that is left, and the ones
// whose claims are most like its own.
func together(docs []string, groups map[string][]state.Evidence) [][]string {
	vectors := map[string]map[string]float64{}
	for _, d := range docs {
		var claims []string
		for _, e := range groups[d] {
			claims = append(claims, e.Claim)
		}
		vectors[d] = lexical.Vector(strings.Join(claims, " "))
	}
	left := slices.Clone(docs)
	var out [][]string
	for len(left) > 0 {
		chunk, sentences := left[:1:1], len(groups[left[0]])
		left = left[1:]
		for len(chunk) < mostTogether && len(left) > 0 {
			best, most := 0, -1.0
			for i, d := range left[:min(len(left), mostLookedAt)] {
				if c := lexical.Cosine(vectors[chunk[0]], vectors[d]); c > most {
					best, most = i, c
				}
			}
			if sentences += len(groups[left[best]]); sentences > mostSentences {
				break
			}
			chunk = append(chunk, left[best])
			left = slices.Delete(slices.Clone(left), best, best+1)
		}
		out = append(out, chunk)
	}
	return out
}
