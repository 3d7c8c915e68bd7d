package sandbox

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"optimistresearch/state"
)

const (
	openAlexPrefix = "https://openalex.org/"
	doiPrefix      = "https://doi.org/"
	mostResults    = 10_000
	longSearch     = 1_500
	longRequest    = 8_190

	creditsPerDollar = 10_000
)

// openAlexParams are the parameters of lists, with their synonyms.
var openAlexParams = strings.Fields(`search search.exact search.title search.title.exact search.title_and_abstract search.title_and_abstract.exact
	search.semantic filter sort page per_page per-page cursor select group_by group-by sample seed api_key api-key mailto corpus include_xpac data-version`)

// openAlexSearches maps the parameters of a search to where they look and
// whether they stem.
var openAlexSearches = map[string]struct {
	in    fields
	exact bool
}{
	"search": {inText, false}, "search.exact": {inText, true}, "search.title": {inTitle, false}, "search.title.exact": {inTitle, true},
	"search.title_and_abstract": {inText, false}, "search.title_and_abstract.exact": {inText, true}, "search.semantic": {inText, false},
}

// openAlexCost is the price of a call in credits.
func openAlexCost(c *call) int {
	switch {
	case strings.HasPrefix(c.path, "/works/https://"):
		return 1
	case c.path != "/works":
		return 0
	}
	for name := range openAlexSearches {
		if c.query.Get(name) != "" {
			return 10
		}
	}
	if strings.Contains(c.query.Get("filter"), "search") {
		return 10
	}
	return 1
}

// openAlex answers /works and /works/{id}. All others of its paths are unknown
// here.
func (s *Server) openAlex(c *call) reply {
	var out reply
	switch {
	case len(c.url) > longRequest:
		out = failure(400, "Request URL too long", fmt.Sprintf("Your request URL is %d bytes, over the %d-byte limit (roughly 8 KB, "+
			"mostly the 'search' value). Split a large Boolean query into smaller chunks, request each separately, and combine the returned IDs client-side.",
			len(c.url), longRequest))
	case c.path == "/works":
		out = s.openAlexList(c)
	case strings.HasPrefix(c.path, "/works/"):
		out = s.openAlexWork(c, strings.TrimPrefix(c.path, "/works/"))
	case strings.HasPrefix(c.path, "/W") || strings.HasPrefix(c.path, "/w"):
		out = s.openAlexWork(c, c.path[1:])
	default:
		out = notFoundPage()
	}
	cost := openAlexCost(c)
	if out.status >= 400 {
		cost = 0
	}
	left, limit := s.budget.spend(cost)
	usd := func(credits int) string { return strconv.FormatFloat(dollars(credits), 'f', -1, 64) }
	for name, value := range map[string]string{
		"Limit": itoa(limit), "Remaining": itoa(left), "Credits-Used": itoa(cost), "Onetime-Remaining": "0",
		"Reset":     itoa(int(untilMidnight(c.now) / time.Second)),
		"Limit-USD": usd(limit), "Remaining-USD": usd(left), "Prepaid-Remaining-USD": "0", "Cost-USD": usd(cost),
	} {
		out.set("X-RateLimit-"+name, value)
	}
	return out
}

// openAlexWork answers for one work by OpenAlex id, DOI, PubMed id or address.
func (s *Server) openAlexWork(c *call, id string) reply {
	for name := range c.query {
		if !slices.Contains([]string{"select", "api_key", "api-key", "mailto", "per_page", "per-page", "cursor", "data-version"}, name) {
			return badParameter(name + " is not a valid parameter for a single work.")
		}
	}
	chosen, fault := chosenFields(c)
	if fault != nil {
		return *fault
	}
	f := s.finders[OpenAlex]
	r := int32(-1)
	lower := strings.ToLower(id)
	switch {
	case strings.HasPrefix(lower, "pmid:"):
		r = f.find("pmid", state.NormalizePMID(id))
	case strings.HasPrefix(lower, "pmcid:"):
		r = f.find("pmcid", state.NormalizePMCID(id))
	case normalDOI(id) != "":
		r = f.find("doi", normalDOI(id))
	case state.NormalizeOpenAlex(id) != "":
		r = f.find("openalex", state.NormalizeOpenAlex(id))
	}
	if r < 0 {
		return notFoundPage()
	}
	return reply{kind: jsonType, body: append(style{}.encode(pick(f.openAlexRecord(r, -1), chosen)), '\n')}
}

// openAlexList answers a search, a filter, or both.
func (s *Server) openAlexList(c *call) reply {
	f := s.finders[OpenAlex]
	for name, values := range c.query {
		switch {
		case name == "limit":
			return edge("Invalid request rejected at the API edge",
				"The 'limit' parameter is not valid. Did you mean 'per-page'? e.g. /works?search=foo&per-page=5", "f1:limit_param")
		case !slices.Contains(openAlexParams, name):
			return badParameter(name + " is not a valid parameter. Valid parameters are: " + strings.Join(openAlexParams, ", ") + ".")
		case name == "filter" && len(values) > 1:
			return badParameter("Only one filter parameter is allowed. Your URL contains filters like: /works?filter=publication_year:2020&" +
				"filter=is_open_access:true. Combine and separate filters with a comma, like: /works?filter=publication_year:2020,is_open_access:true.")
		}
	}
	query, searched, fault := f.openAlexSearch(c)
	if fault != nil {
		return *fault
	}
	filters, filterQuery, fault := f.openAlexFilters(c.query.Get("filter"), c.url)
	if fault != nil {
		return *fault
	}
	if len(filterQuery) > 0 {
		searched = true
		if query != nil {
			filterQuery = append(filterQuery, query)
		}
		query = filterQuery
	}
	var results []found
	if searched {
		results = f.expand(f.boosted(f.eval(query)), filters)
	} else {
		results = f.everything(filters)
	}
	if fault := f.openAlexSort(c, results, searched); fault != nil {
		return *fault
	}
	if fault := sampled(c, f, &results); fault != nil {
		return *fault
	}
	return f.openAlexPage(c, results, searched)
}

// openAlexSearch reads the search parameters, of which one may be used.
func (f finder) openAlexSearch(c *call) (node, bool, *reply) {
	for _, name := range openAlexParams {
		how, isSearch := openAlexSearches[name]
		value := c.query.Get(name)
		if !isSearch || !c.query.Has(name) {
			continue
		}
		if n := utf8.RuneCountInString(value); n > longSearch {
			out := edge("Search query too long", fmt.Sprintf("Your search is too long (%d characters; the limit is %d). Very long pasted-text or "+
				"Boolean searches are disproportionately expensive. Get an API key on a paid plan for large searches, or split the text into several "+
				"shorter requests. See https://openalex.org/pricing", n, longSearch), "search_volume")
			return nil, false, &out
		}
		if name == "search.semantic" {
			return f.stemmed(value), true, nil
		}
		n, message := parseOpenAlex(value, f, how.in, how.exact)
		if message != "" {
			out := badParameter(message)
			return nil, false, &out
		}
		return n, true, nil
	}
	return nil, false, nil
}

// boosted lifts cited works a little, as OpenAlex's ranking does.
func (f finder) boosted(hits []hit) []hit {
	for i := range hits {
		if r := f.main(hits[i].work); r >= 0 {
			hits[i].score *= 1 + 0.1*math.Log1p(float64(f.openAlexCount(r)))
		}
	}
	return hits
}
