package pubmed

import (
	"regexp"
	"strings"

	"optimistresearch/state"
)

// telling are the publication types that say most about a work, best first.
// Any other is taken where none of these is given, except types that only say
// who paid.
var telling = []string{
	"Retracted Publication", "Retraction of Publication", "Retraction Notice", "Expression of Concern", "Published Erratum",
	"Preprint", "Systematic Review", "Meta-Analysis", "Network Meta-Analysis", "Scoping Review", "Practice Guideline", "Guideline",
	"Randomized Controlled Trial", "Controlled Clinical Trial", "Clinical Trial Protocol", "Clinical Trial", "Observational Study",
	"Review", "Case Reports", "Comment", "Editorial", "Letter", "News", "Dataset",
}

// addTypes sets the type, and notes the other types that say something.
func addTypes(r *state.Record, types []string) {
	r.Type = kindWord(types)
	var others []string
	for _, t := range distinct(types) {
		if l := strings.ToLower(t); l != r.Type && l != "journal article" && !strings.HasPrefix(t, "Research Support") {
			others = append(others, l)
		}
	}
	if len(others) > 0 {
		r.Notes = append(r.Notes, "also of the type "+strings.Join(others, ", "))
	}
}

// kindWord is the publication type that says most, in lower case.
func kindWord(types []string) string {
	given := map[string]bool{}
	for _, t := range types {
		given[plain(t)] = true
	}
	for _, t := range telling {
		if given[t] {
			return strings.ToLower(t)
		}
	}
	for _, t := range types {
		if t = plain(t); t != "" && !strings.HasPrefix(t, "Research Support") {
			return strings.ToLower(t)
		}
	}
	return ""
}

var preprintVenue = regexp.MustCompile(`(?i)\bpreprint server\b|^(arxiv|biorxiv|medrxiv|chemrxiv|research square|ssrn)$`)

func isPreprint(types []string, venue string) bool {
	for _, t := range types {
		if plain(t) == "Preprint" {
			return true
		}
	}
	return preprintVenue.MatchString(venue)
}

// relations are the kinds of links between works, as PubMed and as we name
// them. UpdateOf and UpdateIn mean a preprint or an earlier edition; see
// addCorrections. References ("Cites") are not links of this sort.
var relations = map[string]string{
	"ErratumIn": "has-erratum", "ErratumFor": "erratum-of",
	"CorrectedandRepublishedIn": "has-erratum", "CorrectedandRepublishedFrom": "erratum-of",
	"ExpressionOfConcernIn": "has-concern", "ExpressionOfConcernFor": "concern-of",
	"RetractionIn": "has-retraction", "RetractionOf": "retraction-of",
	"PartialRetractionIn": "has-retraction", "PartialRetractionOf": "retraction-of",
	"RetractedandRepublishedIn": "has-retraction", "RetractedandRepublishedFrom": "is-version-of",
	"CommentIn": "has-comment", "CommentOn": "comment-on",
	"RepublishedIn": "is-version-of", "RepublishedFrom": "is-version-of", "ReprintIn": "is-version-of", "ReprintOf": "is-version-of",
	"UpdateOf": "updates", "UpdateIn": "updated-by",
	"SummaryForPatientsIn": "has-summary", "OriginalReportIn": "summary-of", "AssociatedPublication": "related",
}

// notices are the corrections that say something against the work itself. A
// part that was retracted is a concern about the rest.
var notices = map[string]string{
	"RetractionIn": state.RetractRetracted, "RetractedandRepublishedIn": state.RetractRetracted,
	"PartialRetractionIn": state.RetractConcern, "ExpressionOfConcernIn": state.RetractConcern,
	"ErratumIn": state.RetractCorrected, "CorrectedandRepublishedIn": state.RetractCorrected,
}

var weight = map[string]int{
	state.RetractNone: 0, state.RetractCorrected: 1, state.RetractConcern: 2, state.RetractRetracted: 3,
}

// addCorrections reads the links to other works, and from them the state of
// the work: the gravest notice wins, an erratum alone is a correction. PubMed
// follows notices for all its articles, so none means none.
func addCorrections(r *state.Record, types []string, corrections []correction) {
	status := state.Retract{Status: state.RetractNone}
	for _, c := range corrections {
		kind := strings.TrimSpace(c.Type)
		ids := c.ids()
		relation := relations[kind]
		switch {
		case kind == "UpdateOf" && c.preprint() && r.Kind != state.Preprint:
			relation = "has-preprint"
		case kind == "UpdateIn" && r.Kind == state.Preprint:
			relation = "is-preprint-of"
		}
		if s := notices[kind]; s != "" && weight[s] > weight[status.Status] {
			status = state.Retract{Status: s}
			if len(ids) > 0 {
				status.Notice = strings.TrimPrefix(ids[0], "doi:")
			}
		}
		if relation == "" {
			continue
		}
		for _, id := range ids {
			r.Related = append(r.Related, state.Related{Type: relation, ID: id})
		}
	}
	for _, t := range types {
		if plain(t) == "Retracted Publication" && status.Status != state.RetractRetracted {
			status = state.Retract{Status: state.RetractRetracted}
		}
	}
	r.Retraction = &status
}

var sourceDOI = regexp.MustCompile(`(?i)\bdoi:\s*(10\.\S+)`)

// ids are the identifiers of the other work, the DOI first, with schemes.
func (c correction) ids() []string {
	var out []string
	if m := sourceDOI.FindStringSubmatch(c.Source); m != nil {
		if doi := state.NormalizeDOI(m[1]); doi != "" {
			out = append(out, "doi:"+doi)
		}
	}
	if pmid := state.NormalizePMID(c.PMID); pmid != "" {
		out = append(out, "pmid:"+pmid)
	}
	return out
}

// preprintSource matches what stands in RefSource for a preprint: the short
// name of the server at the beginning, or the beginning of its DOIs. (10.1101
// followed by a letter is a journal of the Cold Spring Harbor Press.)
var preprintSource = regexp.MustCompile(`(?i)^\s*(bioRxiv|medRxiv|arXiv|Res Sq|ChemRxiv|SSRN|Preprints|PsyArXiv|Authorea|EcoEvoRxiv|SportRxiv|JMIR Preprints|VeriXiv|OSF)\b|doi:\s*10\.(1101/[0-9]|64898/|21203/|48550/|26434/|2139/ssrn|20944/|31234/|22541/)`)

func (c correction) preprint() bool { return preprintSource.MatchString(c.Source) }
