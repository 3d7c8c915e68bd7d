package crossref

import (
	"cmp"
	"slices"
	"strings"

	"optimistresearch/state"
)

// weights of the updates of a work. A correction, an erratum or a corrigendum
// alone is no retraction; new versions and the like say nothing against it.
var weights = map[string]string{
	"retraction": state.RetractRetracted, "withdrawal": state.RetractRetracted, "removal": state.RetractRetracted,
	"partial_retraction": state.RetractConcern, "expression_of_concern": state.RetractConcern,
	"correction": state.RetractCorrected, "corrected-article": state.RetractCorrected, "erratum": state.RetractCorrected,
	"corrigendum": state.RetractCorrected,
}

var ascending = []string{state.RetractNone, state.RetractCorrected, state.RetractConcern, state.RetractRetracted}

// retraction is the heaviest of what updated-by says, which lists the notices
// of publishers and of Retraction Watch. A whole record without it is one that
// Crossref has no notice for; a record of selected fields does not say. A
// title that the publisher has marked counts as well, unless the record is the
// notice itself.
func (w *work) retraction(title string) *state.Retract {
	out := &state.Retract{Status: state.RetractNone}
	for _, u := range w.UpdatedBy {
		status := weights[strings.ReplaceAll(strings.ToLower(string(u.Type)), " ", "_")]
		if slices.Index(ascending, status) > slices.Index(ascending, out.Status) {
			out.Status, out.Notice = status, state.NormalizeDOI(string(u.DOI))
		}
	}
	for _, mark := range []string{"RETRACTED:", "RETRACTED ARTICLE:", "WITHDRAWN:"} {
		if strings.HasPrefix(title, mark) && len(w.UpdateTo) == 0 && out.Status != state.RetractRetracted {
			return &state.Retract{Status: state.RetractRetracted}
		}
	}
	if whole := w.CitedBy != ""; out.Status == state.RetractNone && !whole {
		return nil
	}
	return out
}

// relationTypes are the relations between works that matter to a review;
// supplements, reviews and the like are left out.
var relationTypes = map[string]string{
	"is-preprint-of": "is-preprint-of", "has-preprint": "has-preprint",
	"is-version-of": "is-version-of", "has-version": "has-version", "is-same-as": "is-version-of",
	"is-identical-to": "is-version-of", "is-translation-of": "is-translation-of", "has-translation": "has-translation",
	"is-comment-on": "comment-on", "has-comment": "has-comment", "is-reply-to": "reply-to", "has-reply": "has-reply",
}

// updateTypes are the relations of a notice to the work that it is about.
var updateTypes = map[string]string{
	"retraction": "retraction-of", "withdrawal": "retraction-of", "removal": "retraction-of",
	"partial_retraction": "retraction-of", "expression_of_concern": "concern-of",
	"correction": "erratum-of", "corrected-article": "erratum-of", "erratum": "erratum-of", "corrigendum": "erratum-of",
	"addendum": "addendum-of", "new_version": "is-version-of", "new_edition": "is-version-of",
}

// related gathers the typed links to other works, sorted.
func (w *work) related() []state.Related {
	self := state.NormalizeDOI(string(w.DOI))
	var out []state.Related
	add := func(kind string, doi scalar) {
		id := state.NormalizeDOI(string(doi))
		// PLOS names a new version by the DOI of the work itself
		// (10.1371/journal.ppat.1006930, 2026).
		if kind != "" && id != "" && id != self {
			out = append(out, state.Related{Type: kind, ID: "doi:" + id})
		}
	}
	for kind, links := range w.Relation {
		for _, l := range links {
			if l.IDType == "doi" {
				add(relationTypes[kind], l.ID)
			}
		}
	}
	for _, u := range w.UpdateTo {
		add(updateTypes[strings.ReplaceAll(strings.ToLower(string(u.Type)), " ", "_")], u.DOI)
	}
	slices.SortFunc(out, func(a, b state.Related) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.ID, b.ID))
	})
	return slices.Compact(out)
}
