package canon

import (
	"regexp"
	"strings"

	"optimistresearch/state"
)

// identifierRules lists the schemes whose agreement is evidence, strongest
// first.
var identifierRules = []string{state.DOI, state.ArXiv, state.PMID, state.PMCID, state.OpenAlex, state.S2, state.CorpusID, state.DBLP, state.ACL, state.MAG}

// Rules beside the identifiers, see table.
const (
	rulePerson     = "person"
	ruleFirst      = "first"
	ruleTitle      = "title_author"
	ruleAuthors    = "title_authors"
	rulePlace      = "title_place"
	ruleYear       = "title_year"
	ruleSimilarity = "similarity"
	ruleTruncation = "truncation"
	ruleCatalogue  = "catalogue"
)

var (
	doiVersion  = regexp.MustCompile(`[._/-]?v[0-9]{1,2}$`)
	openReviews = regexp.MustCompile(`^(10\.(12688|12715|21956)/.*)\.[0-9]+$`) // F1000Research, HRB and Wellcome Open number their versions
	acmArticle  = regexp.MustCompile(`^10\.1145/[0-9]{6,}\.([0-9]{6,})$`)
	discussion  = regexp.MustCompile(`^10\.5194/([a-z]+-[0-9]{4}-[0-9]+$|[a-z]+-discuss|[a-z]+d-)`) // Copernicus discussion papers
	bioRxiv     = regexp.MustCompile(`^10\.1101/[0-9]{4}(\.|[0-9]{2})`)
)

// doiStem drops the version that repositories and preprint servers append
// (figshare ".v1", Research Square "/v2", F1000Research ".3").
//
// Wiley's Angewandte Chemie prints each article in an English and a German
// edition (10.1002/anie.X and 10.1002/ange.X); ACM's article number, after the
// point, stays when proceedings are printed again as an issue of a newsletter.
func doiStem(doi string) string {
	if doi == "" {
		return ""
	}
	if s, ok := strings.CutPrefix(doi, "10.1002/ange."); ok {
		return "10.1002/anie." + s
	}
	switch prefixOf(doi) {
	case "10.1145":
		if m := acmArticle.FindStringSubmatch(doi); m != nil {
			return "10.1145/" + m[1]
		}
	case "10.12688", "10.12715", "10.21956":
		if m := openReviews.FindStringSubmatch(doi); m != nil {
			return m[1]
		}
	}
	if c := doi[len(doi)-1]; c < '0' || c > '9' || !strings.Contains(doi[max(0, len(doi)-3):], "v") {
		return doi
	}
	if s := doiVersion.ReplaceAllString(doi, ""); len(s) > len("10.1000/x") {
		return s
	}
	return doi
}

// repositories are DOI prefixes of preprint servers and self-archives: a work
// there and the same work in a journal are versions of each other.
var repositories = setOf(`10.48550 10.2139 10.31234 10.31219 10.31235 10.31222 10.31223 10.31224 10.31225 10.31226 10.31228 10.21203 10.20944
	10.26434 10.36227 10.5281 10.6084 10.7287 10.22541 10.32942 10.35542 10.33774 10.51094`)

func repositoryDOI(doi string) bool {
	prefix, _, _ := strings.Cut(doi, "/")
	return repositories[prefix] || prefix == "10.1101" && bioRxiv.MatchString(doi) || prefix == "10.5194" && discussion.MatchString(doi) || strings.HasPrefix(doi, "10.1002/essoar")
}

func prefixOf(doi string) string {
	p, _, _ := strings.Cut(doi, "/")
	return p
}

// versioned are archives that give each version of one deposit a DOI of its
// own, without a common stem.
var versioned = setOf("10.5281 10.6084")

var cochraneDOI = regexp.MustCompile(`^10\.1002/14651858\.`)
