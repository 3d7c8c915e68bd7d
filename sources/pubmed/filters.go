package pubmed

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"optimistresearch/sources"
)

// typeFilters are PubMed's words for the kinds of works. It has one filter for
// books and their chapters together, and counts preprints, too, among the
// journal articles. A publication type includes the narrower ones: a clinical
// trial may be a randomised one.
var typeFilters = map[string]string{
	sources.TypeArticle:    `("journal article"[pt] NOT preprint[pt])`,
	sources.TypeReview:     `review[pt] OR "systematic review"[pt]`,
	sources.TypePreprint:   `preprint[pt]`,
	sources.TypeConference: `congress[pt]`,
	sources.TypeBook:       `booksdocs[filter]`,
	sources.TypeChapter:    `booksdocs[filter]`,
	sources.TypeThesis:     `"academic dissertation"[pt]`,
	sources.TypeDataset:    `dataset[pt]`,
	sources.TypeTrial:      `"clinical trial"[pt]`,
}

// filtered adds the limits on types and languages to a query, as PubMed's own
// pages do, and lists them. A limit that PubMed does not know is noted.
func (a *answers) filtered(req sources.Request) (term string, filters []string) {
	var types, tongues []string
	for _, t := range req.Types {
		switch filter := typeFilters[t]; {
		case filter == "":
			a.Note("PubMed cannot limit to the type %s", t)
		case !slices.Contains(types, filter):
			types = append(types, filter)
		}
		if t == sources.TypeBook || t == sources.TypeChapter {
			a.Note("PubMed does not tell books from chapters: the limit to the type %s gives both", t)
		}
	}
	for _, code := range req.Languages {
		if medline := medlineCode(code); medline == "" {
			a.Note("PubMed knows no language %s", code)
		} else if filter := medline + "[la]"; !slices.Contains(tongues, filter) {
			tongues = append(tongues, filter)
		}
	}
	for _, limit := range [][]string{types, tongues} {
		if len(limit) > 0 {
			filters = append(filters, strings.Join(limit, " OR "))
		}
	}
	if len(filters) == 0 {
		return req.Query, nil
	}
	return "(" + req.Query + ") AND (" + strings.Join(filters, ") AND (") + ")", filters
}

// years adds the filter on the date of publication and says it in words. Both
// ends must be sent; PubMed's own form fills an open one with these years.
func years(q url.Values, since, until int) string {
	if since <= 0 && until <= 0 {
		return ""
	}
	from, to := "1000", "3000"
	if since > 0 {
		from = fmt.Sprintf("%04d", since)
	}
	if until > 0 {
		to = fmt.Sprintf("%04d", until)
	}
	between(q, from, to)
	return "pdat " + from + ":" + to
}

// between sets the filter on the date of publication.
func between(q url.Values, from, to string) {
	q.Set("datetype", "pdat")
	q.Set("mindate", from)
	q.Set("maxdate", to)
}
