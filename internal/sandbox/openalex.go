package sandbox

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
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

func dollars(credits int) float64 { return float64(credits) / creditsPerDollar }

// failure is an error in OpenAlex's words.
func failure(status int, kind, message string) reply {
	return reply{status: status, kind: jsonType, body: append(style{}.encode(object{{"error", kind}, {"message", message}}), '\n')}
}

func badParameter(message string) reply {
	return failure(400, "Invalid query parameters error.", message)
}

func badPage(message string) reply { return failure(400, "Pagination error.", message) }

// edge is a refusal before the request reaches the service.
func edge(kind, message, rule string) reply {
	out := reply{status: 400, kind: jsonType}
	out.body = append(style{}.encode(object{{"error", kind}, {"error_source", "openalex-api-proxy"}, {"message", message}}), '\n')
	out.set("x-openalex-edge-reject", rule)
	return out
}

// notFoundPage is the HTML with which OpenAlex answers for an unknown work.
func notFoundPage() reply {
	return reply{status: 404, kind: htmlType, body: []byte("<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n" +
		"<p>The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.</p>\n")}
}

// openAlexThrottled is the 429 for haste; a wait of more than two minutes is
// the budget of the day.
func (s *Server) openAlexThrottled(c *call, wait time.Duration, perSecond int) reply {
	if wait > 2*time.Minute {
		return s.creditless(c, wait)
	}
	cost := openAlexCost(c)
	left, limit := s.budget.spend(0)
	out := reply{status: 429, kind: jsonType}
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	out.body = append(style{}.encode(object{{"error", "Rate limit exceeded"},
		{"message", fmt.Sprintf("Rate limit exceeded: %d requests per second. Please slow down.", perSecond)}, {"retryAfter", seconds},
		{"costUsd", dollars(cost)}, {"dailyRemainingUsd", dollars(left)}, {"prepaidRemainingUsd", 0},
		{"creditsRequired", cost}, {"creditsRemaining", left}, {"onetimeCreditsRemaining", 0}}), '\n')
	retryAfter(&out, wait)
	out.set("X-RateLimit-Limit", itoa(limit))
	out.set("X-RateLimit-Remaining", itoa(left))
	out.set("X-RateLimit-Credits-Required", itoa(cost))
	return out
}

// creditless is the 429 when the budget of the day is used up.
func (s *Server) creditless(c *call, wait time.Duration) reply {
	cost := max(1, openAlexCost(c))
	_, limit := s.budget.spend(0)
	out := reply{status: 429, kind: jsonType}
	out.body = append(style{}.encode(object{{"error", "Rate limit exceeded"},
		{"message", fmt.Sprintf("Insufficient budget. This request costs $%s but you only have $0 remaining. Resets at midnight UTC. "+
			"Need more? Add funds at https://openalex.org/pricing", strconv.FormatFloat(dollars(cost), 'f', -1, 64))},
		{"retryAfter", int(wait / time.Second)}, {"costUsd", dollars(cost)}, {"dailyRemainingUsd", 0}, {"prepaidRemainingUsd", 0},
		{"creditsRequired", cost}, {"creditsRemaining", 0}, {"onetimeCreditsRemaining", 0}}), '\n')
	retryAfter(&out, wait)
	out.set("X-RateLimit-Limit", itoa(limit))
	out.set("X-RateLimit-Remaining", "0")
	out.set("X-RateLimit-Credits-Required", itoa(cost))
	out.set("X-RateLimit-Reset", itoa(int(wait/time.Second)))
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

// openAlexSort applies sort=field:desc,field.
func (f finder) openAlexSort(c *call, results []found, searched bool) *reply {
	keys := c.query.Get("sort")
	if keys == "" {
		return nil
	}
	for _, k := range slices.Backward(strings.Split(keys, ",")) {
		name, direction, _ := strings.Cut(strings.TrimSpace(k), ":")
		var compare func(a, b found) int
		switch name {
		case "relevance_score":
			if !searched {
				out := badParameter("Sorting by relevance_score requires a search query.")
				return &out
			}
			compare = func(a, b found) int { return cmp.Compare(a.score, b.score) }
		case "publication_year", "publication_date":
			compare = func(a, b found) int { return strings.Compare(f.openAlexDate(a.record), f.openAlexDate(b.record)) }
		case "cited_by_count":
			compare = func(a, b found) int { return cmp.Compare(f.openAlexCount(a.record), f.openAlexCount(b.record)) }
		case "display_name", "title":
			compare = func(a, b found) int { return strings.Compare(f.of(a.record).Title, f.of(b.record).Title) }
		default:
			out := badParameter(name + " is not a valid sort field. Valid fields for sort are: cited_by_count, display_name, publication_date, " +
				"publication_year, relevance_score.")
			return &out
		}
		slices.SortStableFunc(results, func(a, b found) int {
			if direction == "desc" {
				a, b = b, a
			}
			return compare(a, b)
		})
	}
	return nil
}

// sampled keeps a sample that the seed fixes.
func sampled(c *call, f finder, results *[]found) *reply {
	v := c.query.Get("sample")
	if v == "" {
		return nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > mostResults {
		out := badParameter("Sample size must be a number between 1 and 10,000.")
		return &out
	}
	seed := "sample" + c.query.Get("seed")
	slices.SortStableFunc(*results, func(a, b found) int {
		return cmp.Compare(hash(f.records[a.record].id, seed), hash(f.records[b.record].id, seed))
	})
	*results = (*results)[:min(n, len(*results))]
	return nil
}

// openAlexPage writes one page, or the groups that were asked for.
func (f finder) openAlexPage(c *call, results []found, searched bool) reply {
	size := 25
	if v := cmp.Or(c.query.Get("per_page"), c.query.Get("per-page")); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > 200 {
			return badPage("per-page parameter must be between 1 and 200")
		}
		size = n
	}
	chosen, fault := chosenFields(c)
	if fault != nil {
		return *fault
	}
	meta := object{{"count", len(results)}, {"db_response_time_ms", 3}}
	from, cursor := 0, c.query.Get("cursor")
	switch {
	case cursor != "":
		if c.query.Get("page") != "" {
			return badPage("Use either page or cursor, not both.")
		}
		if from = readCursor(cursor, results, f); from < 0 {
			return badPage("Invalid cursor value")
		}
		meta = append(meta, member{"page", nil}, member{"per_page", size})
	default:
		number := 1
		if v := c.query.Get("page"); v != "" {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 {
				return badPage("page parameter must be a number greater than 0")
			}
			number = n
		}
		if number*size > mostResults {
			return badPage("Maximum results size of 10,000 records is exceeded. Cursor pagination is required for records beyond 10,000. " +
				"See: https://developers.openalex.org/guides/page-through-results")
		}
		from = (number - 1) * size
		meta = append(meta, member{"page", number}, member{"per_page", size})
	}
	shown := results[min(from, len(results)):min(from+size, len(results))]
	if cursor != "" {
		// A cursor follows every page that is not empty, the last one too.
		var next any
		if len(shown) > 0 {
			next = writeCursor(from+len(shown), f.records[shown[len(shown)-1].record].id)
		}
		meta = append(meta, member{"next_cursor", next})
	}
	spaced := style{spaced: true}
	cost := member{"cost_usd", dollars(openAlexCost(c))}
	if by := cmp.Or(c.query.Get("group_by"), c.query.Get("group-by")); by != "" {
		groups, ok := f.grouped(results, by)
		if !ok {
			return badParameter(by + " is not a valid field for group_by. Valid fields are: is_retracted, language, open_access.is_oa, publication_year, type.")
		}
		meta = append(meta, member{"groups_count", len(groups)}, cost)
		return reply{kind: jsonType, body: spaced.encode(object{{"meta", meta}, {"group_by", groups}})}
	}
	meta = append(meta, member{"groups_count", nil}, cost)
	records := list{}
	for _, r := range page(c, shown) {
		score := -1.0
		if searched {
			score = r.score
		}
		records = append(records, pick(f.openAlexRecord(r.record, score), chosen))
	}
	return reply{kind: jsonType, body: spaced.encode(object{{"meta", meta}, {"results", records}, {"group_by", list{}}})}
}

// A cursor is the base64 of a small list, as OpenAlex's is.
func writeCursor(next int, last string) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, `[%d, "%s"]`, next, openAlexPrefix+last))
}

// readCursor gives the place at which a cursor goes on, −1 if it is none.
func readCursor(cursor string, results []found, f finder) int {
	if cursor == "*" {
		return 0
	}
	raw, err := base64.StdEncoding.DecodeString(cursor)
	if err != nil {
		return -1
	}
	var parts []json.RawMessage
	var next int
	var last string
	if json.Unmarshal(raw, &parts) != nil || len(parts) != 2 || json.Unmarshal(parts[0], &next) != nil || json.Unmarshal(parts[1], &last) != nil {
		return -1
	}
	if next < 1 || next > len(results) || openAlexPrefix+f.records[results[next-1].record].id != last {
		return -1
	}
	return next
}

// grouped counts results by a field.
func (f finder) grouped(results []found, by string) (list, bool) {
	value := map[string]func(r int32) (key, name string){
		"type": func(r int32) (string, string) {
			t := f.openAlexType(r)
			return openAlexPrefix + "types/" + t, t
		},
		"publication_year": func(r int32) (string, string) {
			y := itoa(f.records[r].year)
			return y, y
		},
		"is_retracted": func(r int32) (string, string) {
			v := strconv.Itoa(btoi(f.of(r).Retracted != nil))
			return v, strconv.FormatBool(v == "1")
		},
		"open_access.is_oa": func(r int32) (string, string) {
			v := strconv.Itoa(btoi(f.of(r).ArXiv != ""))
			return v, strconv.FormatBool(v == "1")
		},
		"language": func(r int32) (string, string) {
			l := language(f.of(r))
			return openAlexPrefix + "languages/" + l, l
		},
	}[by]
	if value == nil {
		return nil, false
	}
	counts, shown := map[string]int{}, map[string]string{}
	var keys []string
	for _, r := range results {
		key, name := value(r.record)
		if counts[key] == 0 {
			keys = append(keys, key)
		}
		counts[key]++
		shown[key] = name
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	groups := list{}
	for _, k := range keys {
		groups = append(groups, object{{"key", k}, {"key_display_name", shown[k]}, {"count", counts[k]}})
	}
	return groups, true
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// openAlexSelectable are the root fields that select takes.
var openAlexSelectable = strings.Fields(`id doi title display_name relevance_score publication_year publication_date ids language primary_location sources
	type type_crossref indexed_in open_access authorships institution_assertions institutions countries_distinct_count institutions_distinct_count
	corresponding_author_ids corresponding_institution_ids apc_list apc_paid fwci is_authors_truncated has_fulltext fulltext_origin cited_by_count
	citation_normalized_percentile cited_by_percentile_year biblio is_retracted is_paratext is_xpac primary_topic topics keywords concepts mesh
	locations_count locations best_oa_location sustainable_development_goals awards funders datasets versions has_content content_urls
	referenced_works_count referenced_works related_works abstract_inverted_index cited_by_api_url counts_by_year updated_date created_date`)

// chosenFields reads select; nil means all fields.
func chosenFields(c *call) (map[string]bool, *reply) {
	v := c.query.Get("select")
	if v == "" {
		return nil, nil
	}
	chosen := map[string]bool{}
	for _, name := range strings.Split(v, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(openAlexSelectable, name) {
			out := badParameter(name + " is not a valid select field. Valid fields for select are: " + strings.Join(openAlexSelectable, ", ") + ".")
			return nil, &out
		}
		chosen[name] = true
	}
	return chosen, nil
}

func pick(o object, chosen map[string]bool) object {
	if chosen == nil {
		return o
	}
	return slices.DeleteFunc(o, func(m member) bool { return !chosen[m.name] })
}
