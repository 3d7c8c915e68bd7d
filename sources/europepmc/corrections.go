package europepmc

import (
	"regexp"
	"slices"
	"strings"

	"optimistresearch/state"
)

// relations are the kinds of links between works, as Europe PMC and as we name
// them.
var relations = map[string]string{
	"erratum in": "has-erratum", "erratum for": "erratum-of",
	"corrected and republished in": "has-erratum", "corrected and republished from": "erratum-of",
	"expression of concern in": "has-concern", "expression of concern for": "concern-of",
	"retraction in": "has-retraction", "retraction of": "retraction-of",
	"partial retraction in": "has-retraction", "partial retraction of": "retraction-of",
	"retracted and republished in": "has-retraction", "retracted and republished from": "is-version-of",
	"comment in": "has-comment", "comment on": "comment-on",
	"republished in": "is-version-of", "republished from": "is-version-of", "reprint in": "is-version-of", "reprint of": "is-version-of",
	"update of": "updates", "update in": "updated-by",
	"summary for patients in": "has-summary", "original report in": "summary-of",
	"preprint of": "is-preprint-of", "preprint in": "has-preprint",
}

// notices are the corrections that say something against the work itself. A
// part that was retracted is a concern about the rest.
var notices = map[string]string{
	"retraction in": state.RetractRetracted, "retracted and republished in": state.RetractRetracted,
	"partial retraction in": state.RetractConcern, "expression of concern in": state.RetractConcern,
	"erratum in": state.RetractCorrected, "corrected and republished in": state.RetractCorrected,
}

var ascending = []string{state.RetractNone, state.RetractCorrected, state.RetractConcern, state.RetractRetracted}

// withdrawn begins the title of a preprint, or of an article in press, that
// was withdrawn: Europe PMC has no other mark of it.
var withdrawn = regexp.MustCompile(`(?i)^(withdrawn|retracted)( article)? ?[:—–-] ?\S`)

// correct reads the links to other works, and from them the state of the work:
// the gravest notice wins, an erratum alone is a correction. MEDLINE follows
// the notices for its articles, so that none means none there; of other
// collections silence says nothing.
func (w *work) correct(r *state.Record) {
	status := state.Retract{Status: state.RetractNone}
	for _, c := range w.Corrections.Correction {
		kind := strings.ToLower(field(c.Type, 100))
		ids := c.ids()
		if s := notices[kind]; slices.Index(ascending, s) > slices.Index(ascending, status.Status) {
			status = state.Retract{Status: s}
			if len(ids) > 0 {
				_, status.Notice, _ = strings.Cut(ids[0], ":")
			}
		}
		for _, id := range ids {
			related := state.Related{Type: relations[kind], ID: id}
			if related.Type != "" && !slices.Contains(r.Related, related) && len(r.Related) < mostTerms {
				r.Related = append(r.Related, related)
			}
		}
	}
	types := w.types()
	marked := slices.Contains(types, "retracted publication") || withdrawn.MatchString(r.Title) && !slices.Contains(types, "retraction of publication")
	switch {
	case status.Status == state.RetractRetracted:
	case marked:
		status = state.Retract{Status: state.RetractRetracted}
	case status.Status == state.RetractNone && (w.Source != "MED" || len(types) == 0):
		return
	}
	r.Retraction = &status
}

var mentionedDOI = regexp.MustCompile(`(?i)\bdoi:?\s*(10\.[0-9]{4,9}/\S+)`)

// ids are the identifiers of the other work, the DOI first, with schemes.
func (c correction) ids() []string {
	var out []string
	if m := mentionedDOI.FindStringSubmatch(string(c.Reference[:min(len(c.Reference), longField)])); m != nil {
		if doi := state.NormalizeDOI(m[1]); doi != "" {
			out = append(out, "doi:"+doi)
		}
	}
	scheme := map[scalar]string{"MED": state.PMID, "PMC": state.PMCID, "PPR": PPR}[c.Source]
	if id := identifier(scheme, string(c.ID)); id != "" {
		out = append(out, scheme+":"+id)
	}
	return out
}
