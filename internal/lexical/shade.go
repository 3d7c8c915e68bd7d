package lexical

import (
	"slices"
	"strings"
)

// How a scope note shades a score.
const (
	scopePenalty = 0.15 // for a document with nothing that the note prefers
	excludedFrom = 2    // mentions in the body from which a document is about what is left out
	excludedTop  = 0.4  // its score at most, below relevant; also of one that lacks what is required
)

// criterion is one wish of a scope note: word sequences of which one is enough.
type criterion struct {
	label string
	forms [][]int32
}

// Shade lowers the scores of documents that a scope note does not want. A
// document that is about something left out (by its title, or by two mentions
// elsewhere) is no longer relevant; of kinds of study left out only the title
// tells. Neither is one without a sign of the kinds of study that the note
// requires. One without any of the kinds of study and subjects that the note
// prefers loses a little, but stays relevant if it was. The notes of the
// judgements say so. judged is changed and returned.
func (sc Scope) Shade(ix *Index, judged map[string]Judgement) map[string]Judgement {
	excluded, required, wanted := ix.criteria(sc.Excluded), ix.criteria(sc.Required), ix.criteria(slices.Concat(sc.Designs, sc.Wanted))
	if len(excluded)+len(required)+len(wanted) == 0 {
		return judged
	}
	for n := range ix.docs {
		d := &ix.docs[n]
		j, ok := judged[d.id]
		if d.dead || !ok {
			continue
		}
		meets := func(c criterion) bool { return count(d.title, c.forms)+count(d.body, c.forms) > 0 }
		about := slices.IndexFunc(excluded, func(c criterion) bool {
			return count(d.title, c.forms) > 0 || cuesOf(c.label) == nil && count(d.body, c.forms) >= excludedFrom
		})
		switch {
		case about >= 0:
			j.Score = min(j.Score, excludedTop)
			j.Note = "about what the scope note leaves out ('" + excluded[about].label + "'); " + j.Note
		case len(required) > 0 && !slices.ContainsFunc(required, meets):
			j.Score = min(j.Score, excludedTop)
			j.Note = "no sign of " + either(required) + ", which the scope note requires; " + j.Note
		case len(wanted) > 0 && !slices.ContainsFunc(wanted, meets):
			shaded := j.Score * (1 - scopePenalty)
			if j.Score >= relevant {
				shaded = max(shaded, relevant)
			}
			j.Score = shaded
			j.Note += "; no sign of " + either(wanted) + ", which the scope note prefers"
		}
		judged[d.id] = j
	}
	return judged
}

// either lists the labels of criteria.
func either(list []criterion) string {
	var out []string
	for _, c := range list {
		out = append(out, "'"+c.label+"'")
	}
	return strings.Join(out, " or ")
}

// criteria looks phrases up: kinds of study by their cues, others by their
// words. A phrase that no document has stays, without forms.
func (ix *Index) criteria(phrases []string) []criterion {
	var out []criterion
	for _, p := range phrases {
		c := criterion{label: p}
		seqs := cuesOf(p)
		if seqs == nil {
			for _, q := range parseQuestion(p) {
				seqs = append(seqs, stems(q.text))
			}
		}
		for _, ss := range seqs {
			if seq, _ := ix.lookUp(ss); len(seq) > 0 {
				c.forms = append(c.forms, seq)
			}
		}
		out = append(out, c)
	}
	return out
}

// count gives how often one of the forms occurs in a term sequence.
func count(seq []int32, forms [][]int32) int {
	n := 0
	for i := range seq {
		for _, f := range forms {
			if i+len(f) <= len(seq) && slices.Equal(seq[i:i+len(f)], f) {
				n++
			}
		}
	}
	return n
}
