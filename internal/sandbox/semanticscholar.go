package sandbox

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// s2JSON is spelled as Python does it.
var s2JSON = style{spaced: true}

const (
	mostBatch = 500
	mostBulk  = 1000
	// deepSearch is how far a ranked search reaches, deepList a list of
	// citations.
	deepSearch = 1000
	deepList   = 10_000
)

// s2Params are the parameters of each call, beside fields.
var s2Params = map[string][]string{
	"search": strings.Fields("query offset limit year publicationDateOrYear venue fieldsOfStudy publicationTypes openAccessPdf minCitationCount"),
	"bulk":   strings.Fields("query token sort limit offset year publicationDateOrYear venue fieldsOfStudy publicationTypes openAccessPdf minCitationCount"),
	"match":  strings.Fields("query offset limit year publicationDateOrYear venue fieldsOfStudy publicationTypes openAccessPdf minCitationCount"),
	"list":   strings.Fields("offset limit publicationDateOrYear"),
	"paper":  {},
	"batch":  {},
}

// semanticScholar answers below /paper (live: /graph/v1/paper).
func (s *Server) semanticScholar(c *call) reply {
	f := s.finders[SemanticScholar]
	path, ok := strings.CutPrefix(c.path, "/paper/")
	if !ok {
		return s2Error(404, "Not found")
	}
	what := "paper"
	id, list := path, ""
	switch path {
	case "search", "search/bulk", "search/match", "batch":
		what = path[strings.LastIndexByte(path, '/')+1:]
	default:
		for _, l := range []string{"/references", "/citations"} {
			if rest, ok := strings.CutSuffix(path, l); ok {
				what, id, list = "list", rest, l[1:]
			}
		}
	}
	var strange []string
	for name := range c.query {
		if name != "fields" && !slices.Contains(s2Params[what], name) {
			strange = append(strange, name)
		}
	}
	if len(strange) > 0 {
		slices.Sort(strange)
		return s2Error(400, "Unacceptable query params: ["+strings.Join(strange, ", ")+"]")
	}
	chosen, unknown := s2Fields(c.query.Get("fields"), list)
	if len(unknown) > 0 {
		return s2Error(400, "Unrecognized or unsupported fields: ["+strings.Join(unknown, ", ")+"]")
	}
	switch what {
	case "search":
		return f.s2Search(c, chosen)
	case "bulk":
		return f.s2Bulk(c, chosen)
	case "match":
		return f.s2Match(c, chosen)
	case "batch":
		return f.s2Batch(c, chosen)
	}
	r := f.s2Find(id)
	if r < 0 {
		return s2Error(404, "Paper with id "+id+" not found")
	}
	if what == "list" {
		return f.s2List(c, r, list, chosen)
	}
	return s2Reply(f.s2Paper(r, chosen))
}

func s2Reply(v any) reply { return reply{kind: jsonType, body: append(s2JSON.encode(v), '\n')} }

func s2Error(status int, message string) reply {
	return reply{status: status, kind: jsonType, body: append(style{}.encode(object{{"error", message}}), '\n')}
}

// s2Find finds a paper by any identifier that the service knows.
func (f finder) s2Find(id string) int32 {
	scheme, value, ok := strings.Cut(id, ":")
	if !ok {
		if p := state.NormalizeS2(id); p != "" {
			return f.find("s2", p)
		}
		return f.s2ByDOI(id)
	}
	switch strings.ToLower(scheme) {
	case "doi":
		return f.s2ByDOI(value)
	case "arxiv":
		a, _ := state.NormalizeArXiv(value)
		return f.find("arxiv", a)
	case "pmid":
		return f.find("pmid", state.NormalizePMID(value))
	case "pmcid":
		return f.find("pmcid", state.NormalizePMCID(value))
	case "corpusid":
		return f.find("corpusid", value)
	case "url":
		if a, _ := state.NormalizeArXiv(value); a != "" {
			return f.find("arxiv", a)
		}
		return f.find("s2", state.NormalizeS2(value))
	}
	return -1
}

func (f finder) s2ByDOI(doi string) int32 {
	if a, _ := state.NormalizeArXiv(normalDOI(doi)); a != "" {
		return f.find("arxiv", a)
	}
	return f.find("doi", normalDOI(doi))
}

// window reads offset and limit.
func window(c *call, otherwise, most, deep int) (offset, limit int, fault *reply) {
	limit = otherwise
	for name, n := range map[string]*int{"offset": &offset, "limit": &limit} {
		v := c.query.Get(name)
		if v == "" {
			continue
		}
		parsed, err := strconv.Atoi(v)
		if err != nil || parsed < 0 {
			out := s2Error(400, name+" must be a non-negative integer")
			return 0, 0, &out
		}
		*n = parsed
	}
	if limit > most {
		out := s2Error(400, fmt.Sprintf("limit must be <= %d", most))
		return 0, 0, &out
	}
	if offset+limit > deep {
		out := s2Error(400, "Requested data for this limit and/or offset is not available")
		return 0, 0, &out
	}
	return offset, limit, nil
}

// s2Search ranks. The query is plain text without operators, and a hyphenated
// word finds nothing. Of up to three words all must match, of more most.
func (f finder) s2Search(c *call, chosen s2Chosen) reply {
	query := c.query.Get("query")
	if strings.TrimSpace(query) == "" {
		return s2Error(400, "Missing required parameter: query")
	}
	offset, limit, fault := window(c, 100, 100, deepSearch)
	if fault != nil {
		return *fault
	}
	pass, fault := f.s2Filters(c)
	if fault != nil {
		return *fault
	}
	results := f.expand(f.most(query), pass)
	if len(results) == 0 {
		return s2Reply(object{{"total", 0}, {"offset", offset}}) // without data
	}
	out := object{{"total", c.total(len(results))}, {"offset", offset}}
	offset = c.offset(offset)
	end := min(offset+limit, len(results))
	if end < len(results) && end+limit <= deepSearch {
		out = append(out, member{"next", end})
	}
	data := list{}
	for _, r := range page(c, results[min(offset, len(results)):max(end, min(offset, len(results)))]) {
		data = append(data, f.s2Paper(r.record, chosen))
	}
	return s2Reply(append(out, member{"data", data}))
}

// most matches the works that have enough of the words.
func (f finder) most(query string) []hit {
	for _, w := range strings.Fields(query) {
		if i := strings.IndexAny(w, "-\u2010\u2011"); i > 0 && i < len(w)-1 {
			return nil
		}
	}
	var sum []hit
	matched, n := map[int32]int{}, 0
	for _, w := range text.Tokens(query) {
		if text.IsFunctionWord(w) {
			continue
		}
		n++
		hits := f.eval(words{any: f.forms(w), in: inAll})
		for _, h := range hits {
			matched[h.work]++
		}
		sum = merge(sum, hits, true, true)
	}
	need := n
	if n > 3 {
		need = (2*n + 2) / 3
	}
	return slices.DeleteFunc(sum, func(h hit) bool { return matched[h.work] < need })
}

// s2Match gives the paper with the closest title, however close.
func (f finder) s2Match(c *call, chosen s2Chosen) reply {
	pass, fault := f.s2Filters(c)
	if fault != nil {
		return *fault
	}
	any := anyOf{}
	for _, w := range text.Tokens(c.query.Get("query")) {
		any = append(any, words{any: f.forms(w), in: inTitle})
	}
	candidates := f.expand(f.eval(any), pass)
	best, likeness := -1, 0.0
	want := text.TitleKey(c.query.Get("query"))
	for i, r := range candidates[:min(50, len(candidates))] {
		if s := text.Similarity(want, text.TitleKey(f.of(r.record).Title)); s > likeness {
			best, likeness = i, s
		}
	}
	if best < 0 || likeness < 0.3 {
		return s2Error(404, "Title match not found")
	}
	r := candidates[best]
	return s2Reply(object{{"data", list{append(f.s2Paper(r.record, chosen), member{"matchScore", rounded(r.score * 10)})}}})
}

func rounded(v float64) float64 { return float64(int(v*1e4)) / 1e4 }

// s2Bulk gives all matches of a Boolean query, 1,000 a page, in no order of
// relevance.
func (f finder) s2Bulk(c *call, chosen s2Chosen) reply {
	pass, fault := f.s2Filters(c)
	if fault != nil {
		return *fault
	}
	query := c.query.Get("query")
	var results []found
	if strings.TrimSpace(query) == "" {
		results = f.everything(pass)
	} else {
		results = f.expand(f.eval(parseBulk(query, f)), pass)
	}
	slices.SortFunc(results, func(a, b found) int { return strings.Compare(f.records[a.record].id, f.records[b.record].id) })
	if sort := c.query.Get("sort"); sort != "" {
		by, order, _ := strings.Cut(sort, ":")
		value := map[string]func(r int32) int{
			"paperId": func(int32) int { return 0 }, "publicationDate": func(r int32) int { return f.records[r].year },
			"citationCount": f.s2Count,
		}[by]
		if value == nil || order != "" && order != "asc" && order != "desc" {
			return s2Error(400, "Unsupported sort: "+sort)
		}
		slices.SortStableFunc(results, func(a, b found) int {
			if order == "desc" {
				a, b = b, a
			}
			return value(a.record) - value(b.record)
		})
	}
	from := 0
	if token := c.query.Get("token"); token != "" && c.fault.Kind != RepeatCursor {
		raw, err := base64.RawURLEncoding.DecodeString(token)
		n, err2 := strconv.Atoi(strings.TrimPrefix(string(raw), "sandbox "))
		if err != nil || err2 != nil || n < 0 || n > len(results) {
			return s2Error(400, "Invalid token")
		}
		from = n
	}
	end := min(from+mostBulk, len(results))
	var token any
	if end < len(results) {
		token = base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "sandbox %d", end)) // the same for ever where a cursor repeats
	}
	data := list{}
	for _, r := range page(c, results[from:end]) {
		data = append(data, f.s2Paper(r.record, chosen))
	}
	return s2Reply(object{{"total", c.total(len(results))}, {"token", token}, {"data", data}})
}
