package sandbox

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
)

// crossrefJSON escapes slashes, as the service does.
var crossrefJSON = style{slash: true}

// crossrefQueries are the query parameters with the parts of a record that
// they look at. Words are ORed and ranked; there is no syntax in a value.
var crossrefQueries = map[string]fields{
	"query": inAll, "query.bibliographic": inTitle | inAuthors | inVenue, "query.title": inTitle, "query.author": inAuthors,
	"query.container-title": inVenue, "query.editor": 0, "query.affiliation": 0,
}

var crossrefParams = strings.Fields(`query query.bibliographic query.title query.author query.container-title query.editor query.affiliation
	filter rows offset cursor sample sort order select facet mailto`)

// crossref answers /works, /works/{doi} and /works/{doi}/agency.
func (s *Server) crossref(c *call) reply {
	var out reply
	list := c.path == "/works"
	switch {
	case list:
		out = s.crossrefList(c)
	case strings.HasPrefix(c.path, "/works/"):
		out = s.crossrefWork(c, strings.TrimPrefix(c.path, "/works/"))
	default:
		out = reply{status: 404, kind: textType, body: []byte("Resource not found.")}
	}
	pool, slots := "public", "1"
	if c.query.Get("mailto") != "" || strings.Contains(c.header.Get("User-Agent"), "mailto:") {
		pool, slots = "polite", "3"
	}
	if apiKey(c) != "" {
		pool, slots = "plus", ""
	}
	if list && pool != "plus" {
		pool += "-array"
	}
	_, limit := s.budget.perSecond(Crossref)
	out.set("x-api-pool", pool)
	out.set("x-rate-limit-limit", itoa(limit))
	out.set("x-rate-limit-interval", "1s")
	if slots != "" {
		out.set("x-concurrency-limit", slots)
	}
	return out
}

// invalid is the 400 for a parameter.
func invalid(kind, value, message string) *reply {
	return &reply{status: 400, kind: "application/json;charset=utf-8", body: crossrefJSON.encode(object{{"status", "failed"},
		{"message-type", "validation-failure"}, {"message", list{object{{"type", kind}, {"value", value}, {"message", message}}}}})}
}

// crossrefWork answers for one DOI.
func (s *Server) crossrefWork(c *call, doi string) reply {
	f := s.finders[Crossref]
	doi, agency := strings.CutSuffix(doi, "/agency")
	for name := range c.query {
		switch {
		case name == "mailto":
		case strings.HasPrefix(name, "query."):
			return *invalid("parameter-not-allowed", "query.*", "This route does not support field query parameters")
		default:
			return *invalid("parameter-not-allowed", name, "This route does not support "+name)
		}
	}
	r := f.find("doi", normalDOI(doi))
	if r < 0 {
		// DOIs of other agencies (arXiv's are DataCite's) are unknown too.
		return reply{status: 404, kind: textType, body: []byte("Resource not found.")}
	}
	if agency {
		return reply{kind: "application/json;charset=utf-8", body: crossrefJSON.encode(object{{"status", "ok"}, {"message-type", "work-agency"},
			{"message-version", "1.0.0"}, {"message", object{{"DOI", f.of(r).DOI}, {"agency", object{{"id", "crossref"}, {"label", "Crossref"}}}}}})}
	}
	return reply{kind: jsonType, body: crossrefJSON.encode(object{{"status", "ok"}, {"message-type", "work"}, {"message-version", "1.0.0"},
		{"message", f.crossrefRecord(r, -1)}})}
}

// crossrefList answers queries and filters.
func (s *Server) crossrefList(c *call) reply {
	f := s.finders[Crossref]
	for name := range c.query {
		if !slices.Contains(crossrefParams, name) {
			return *invalid("parameter-not-allowed", name, "This route does not support "+name)
		}
	}
	rows, fault := bounded(c, "rows", 20, 0, 1000)
	if fault != nil {
		return *fault
	}
	offset, fault := bounded(c, "offset", 0, 0, 10000)
	if fault != nil {
		return *fault
	}
	sample, fault := bounded(c, "sample", 0, 0, 100)
	if fault != nil {
		return *fault
	}
	pass, fault := f.crossrefFilters(c.query.Get("filter"))
	if fault != nil {
		return *fault
	}
	chosen, fault := crossrefSelect(c.query.Get("select"))
	if fault != nil {
		return *fault
	}
	results := f.crossrefResults(c, pass)
	if fault := f.crossrefSort(c, results); fault != nil {
		return *fault
	}
	if c.query.Has("sample") {
		slices.SortStableFunc(results, func(a, b found) int {
			return cmp.Compare(hash(f.records[a.record].id, "sample"), hash(f.records[b.record].id, "sample"))
		})
		results, rows = results[:min(sample, len(results))], sample
	}
	message := object{{"facets", object{}}}
	if cursor := c.query.Get("cursor"); cursor != "" {
		if offset = crossrefCursor(c.cursor(cursor), len(results)); offset < 0 {
			return reply{status: 404, kind: jsonType, body: crossrefJSON.encode(object{{"status", "failed"}, {"message-type", "resource-failure"},
				{"message", list{object{{"type", "cursor-invalid"}, {"value", cursor}, {"message", "Cursor specified but it is invalid"}}}}})}
		}
		// There is a cursor on every page; the end is a page without items.
		next := fmt.Appendf(nil, "sandbox %d of %d", min(offset+rows, len(results)), len(results))
		message = append(message, member{"next-cursor", c.next(cursor, base64.StdEncoding.EncodeToString(next))})
	}
	offset = c.offset(offset)
	items := list{}
	for _, r := range page(c, results[min(offset, len(results)):min(offset+rows, len(results))]) {
		items = append(items, pick(f.crossrefRecord(r.record, r.score), chosen))
	}
	var terms any
	if q := c.query.Get("query"); q != "" {
		terms = q
	}
	start := offset
	if c.query.Has("cursor") {
		start = 0
	}
	message = append(message, member{"total-results", c.total(len(results))}, member{"items", items}, member{"items-per-page", rows},
		member{"query", object{{"start-index", start}, {"search-terms", terms}}})
	return reply{kind: jsonType, body: crossrefJSON.encode(object{{"status", "ok"}, {"message-type", "work-list"}, {"message-version", "1.0.0"},
		{"message", message}})}
}

// bounded reads a number within limits.
func bounded(c *call, name string, otherwise, low, high int) (int, *reply) {
	v := c.query.Get(name)
	if v == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < low || n > high {
		return 0, invalid("integer-not-valid", v, fmt.Sprintf("Integer specified as %s but must be a positive integer less than or equal to %d. ", v, high))
	}
	return n, nil
}

// crossrefCursor gives the place at which a cursor goes on, −1 if it is none.
func crossrefCursor(cursor string, total int) int {
	if cursor == "*" {
		return 0
	}
	raw, err := base64.StdEncoding.DecodeString(cursor)
	var at, of int
	if err != nil {
		return -1
	}
	if _, err := fmt.Sscanf(string(raw), "sandbox %d of %d", &at, &of); err != nil || of != total || at < 0 || at > total {
		return -1
	}
	return at
}

// crossrefResults ranks what matches any word of each query parameter; without
// one it gives all.
func (f finder) crossrefResults(c *call, pass func(int32) bool) []found {
	var query allOf
	for _, name := range crossrefParams {
		in, isQuery := crossrefQueries[name]
		value := c.query.Get(name)
		if !isQuery || value == "" {
			continue
		}
		any := anyOf{}
		for _, w := range text.Tokens(value) {
			if in != 0 && !text.IsFunctionWord(w) {
				any = append(any, words{any: []string{w}, in: in})
			}
		}
		query = append(query, any)
	}
	if len(query) == 0 {
		all := f.everything(pass)
		for i := range all {
			all[i].score = 1
		}
		return all
	}
	return f.expand(f.eval(query), pass)
}

// crossrefSort applies sort and order.
func (f finder) crossrefSort(c *call, results []found) *reply {
	by := c.query.Get("sort")
	var compare func(a, b found) int
	switch by {
	case "", "score", "relevance":
		compare = func(a, b found) int { return cmp.Compare(a.score, b.score) }
	case "published", "published-print", "published-online", "issued":
		compare = func(a, b found) int { return cmp.Compare(f.records[a.record].year, f.records[b.record].year) }
	case "is-referenced-by-count":
		compare = func(a, b found) int { return cmp.Compare(f.crossrefCount(a.record), f.crossrefCount(b.record)) }
	case "references-count":
		compare = func(a, b found) int {
			return cmp.Compare(len(f.lib.Cites(int(f.records[a.record].work))), len(f.lib.Cites(int(f.records[b.record].work))))
		}
	case "updated", "deposited", "indexed", "created":
		compare = func(a, b found) int { return 0 }
	default:
		return invalid("sort-not-available", by, "Sort field '"+by+"' specified but there is no such sort field for this route. Valid sort fields are: "+
			"created, deposited, indexed, is-referenced-by-count, issued, published, published-online, published-print, references-count, relevance, score, updated")
	}
	order := c.query.Get("order")
	if order != "" && order != "asc" && order != "desc" {
		return invalid("order-not-available", order, "Order specified as '"+order+"' but must be one of: asc, desc")
	}
	slices.SortStableFunc(results, func(a, b found) int {
		if order != "asc" {
			a, b = b, a
		}
		return compare(a, b)
	})
	return nil
}

// crossrefSelectable are the members that select takes.
var crossrefSelectable = strings.Fields(`abstract URL resource member posted score created degree update-policy short-title license ISSN container-title
	issued update-to issue prefix approved indexed article-number clinical-trial-number accepted author group-title DOI is-referenced-by-count updated-by event
	chair standards-body original-title funder translator published archive published-print alternative-id subject subtitle published-online
	publisher-location content-domain reference title link type publisher volume references-count ISBN issn-type assertion deposited page
	content-created short-container-title relation editor language subtype`)

func crossrefSelect(v string) (map[string]bool, *reply) {
	if v == "" {
		return nil, nil
	}
	chosen := map[string]bool{}
	for _, name := range strings.Split(v, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(crossrefSelectable, name) {
			valid := slices.Sorted(slices.Values(crossrefSelectable))
			return nil, invalid("select-not-available", name, "Select '"+name+"' specified but there is no such select for this route. Valid selects for "+
				"this route are: "+strings.Join(valid, ", "))
		}
		chosen[name] = true
	}
	return chosen, nil
}
