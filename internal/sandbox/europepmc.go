package sandbox

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	epmcVersion = "6.9"
	epmcPage    = 25
	epmcMost    = 1000
)

// europePMC answers /search, /searchPOST, /article/{source}/{id},
// /{source}/{id}/citations, /{source}/{id}/references and /{id}/fullTextXML
// (live: below /europepmc/webservices/rest). Errors come with status 200.
func (s *Server) europePMC(c *call) reply {
	f := s.finders[EuropePMC]
	parts := strings.Split(strings.Trim(c.path, "/"), "/")
	what := parts[len(parts)-1]
	search := len(parts) == 1 && (what == "search" || what == "searchPOST")
	list := len(parts) == 3 && (what == "citations" || what == "references")
	article := len(parts) == 3 && parts[0] == "article"
	switch {
	case len(parts) == 2 && what == "fullTextXML":
		// The library has no full texts: the answer of those that are not open.
		return reply{status: 404, kind: textType}
	case !search && !list && !article:
		return reply{status: 404, kind: htmlType, body: []byte("<html><body><h1>404 Not Found</h1></body></html>\n")}
	case c.param("format") != "json":
		return reply{status: 400, kind: textType, body: []byte("The sandbox gives format=json.\n")}
	case search:
		return f.epmcSearch(c, what == "search")
	case list:
		return f.epmcList(c, parts[0], parts[1], what)
	}
	return f.epmcArticle(c, parts[1], parts[2])
}

func epmcReply(members ...member) reply {
	return reply{kind: jsonType, body: style{}.encode(append(object{{"version", epmcVersion}}, members...))}
}

// epmcError is an error as the service reports it, with status 200.
func epmcError(message string) reply {
	return reply{kind: jsonType, body: style{}.encode(object{{"errCode", 404}, {"errMsg", message}})}
}

// epmcSize reads the page size; false is a size that is refused.
func epmcSize(c *call) (int, bool) {
	v := c.param("pageSize")
	if v == "" {
		return epmcPage, true
	}
	n, err := strconv.Atoi(v)
	return n, err == nil && n >= 1 && n <= epmcMost
}

// epmcSearch answers one page of a search, by cursor.
func (f finder) epmcSearch(c *call, address bool) reply {
	query := strings.TrimSpace(c.param("query"))
	if query == "" {
		return epmcError("No search criteria provided. Please provide a search criteria which is less than 1500 characters.")
	}
	size, ok := epmcSize(c)
	if !ok {
		return epmcError("Invalid page size provided. Valid size is between 1 and 1000")
	}
	q := parseEPMC(query, f)
	results := f.expand(f.eval(q.node), func(r int32) bool { return q.facts(r) != no })
	f.epmcSort(results, c.param("sort"))
	sent := cmp.Or(c.param("cursorMark"), "*")
	from := epmcCursor(c.cursor(sent), len(results))
	if from < 0 {
		return epmcError("Invalid cursorMark provided.")
	}
	end := min(from+size, len(results))
	kind := cmp.Or(strings.ToLower(c.param("resultType")), "lite")
	records := list{}
	for _, r := range page(c, results[from:end]) {
		records = append(records, f.epmcRecord(r.record, kind))
	}
	out := []member{{"hitCount", c.total(len(results))}}
	if len(results) > 1 { // a single hit has no cursor
		next := c.next(sent, base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "sandbox %d of %d", end, len(results))))
		out = append(out, member{"nextCursorMark", next})
		if address {
			// The address holds raw spaces, as it does in life.
			out = append(out, member{"nextPageUrl", "https://www.ebi.ac.uk/europepmc/webservices/rest/search?query=" + query + "&cursorMark=" + next +
				"&resultType=" + kind + "&pageSize=" + itoa(size) + "&format=json"})
		}
	}
	return epmcReply(append(out,
		member{"request", object{{"queryString", query}, {"resultType", kind}, {"cursorMark", sent}, {"pageSize", size}, {"sort", c.param("sort")}, {"synonym", false}}},
		member{"resultList", object{{"result", records}}})...)
}

// epmcCursor gives the place at which a cursor goes on, −1 if it is none.
func epmcCursor(cursor string, total int) int {
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

// epmcSort applies sort=FIELD asc|desc; an unknown field is passed over.
func (f finder) epmcSort(results []found, sort string) {
	by, order, _ := strings.Cut(strings.TrimSpace(sort), " ")
	value := map[string]func(r int32) int{
		"CITED": f.epmcCount, "P_PDATE_D": func(r int32) int { return f.records[r].year }, "FIRST_PDATE_D": func(r int32) int { return f.records[r].year },
	}[strings.ToUpper(by)]
	if value == nil {
		return
	}
	slices.SortStableFunc(results, func(a, b found) int {
		if !strings.EqualFold(strings.TrimSpace(order), "asc") {
			a, b = b, a
		}
		return cmp.Compare(value(a.record), value(b.record))
	})
}

// epmcFind finds a record by collection and id.
func (f finder) epmcFind(source, id string) int32 {
	scheme := map[string]string{"MED": "pmid", "PMC": "pmcid", "PPR": "ppr"}[strings.ToUpper(source)]
	r := f.find(scheme, id)
	if r >= 0 && !strings.EqualFold(f.epmcSource(r), source) && !strings.EqualFold(source, "PMC") {
		return -1
	}
	return r
}

// epmcArticle answers for one record; of an unknown one there is a count of
// zero and no record.
func (f finder) epmcArticle(c *call, source, id string) reply {
	kind := cmp.Or(strings.ToLower(c.param("resultType")), "lite")
	request := member{"request", object{{"id", id}, {"source", source}, {"resultType", kind}}}
	r := f.epmcFind(source, id)
	if r < 0 {
		return epmcReply(member{"hitCount", 0}, request)
	}
	return epmcReply(member{"hitCount", 1}, request, member{"result", f.epmcRecord(r, kind)})
}

// epmcList answers one page of references or citing works.
func (f finder) epmcList(c *call, source, id, which string) reply {
	size, ok := epmcSize(c)
	if !ok {
		return epmcError("Invalid page size provided. Valid size is between 1 and 1000")
	}
	number, err := strconv.Atoi(cmp.Or(c.param("page"), "1"))
	if err != nil || number < 1 {
		return epmcError("Invalid page number provided.")
	}
	var linked []int32
	if r := f.epmcFind(source, id); r >= 0 {
		work := int(f.records[r].work)
		if which == "references" && f.epmcHasReferences(r) {
			linked = f.lib.Cites(work)
		}
		if which == "citations" {
			for _, from := range f.lib.CitedBy(work) {
				if f.main(from) >= 0 {
					linked = append(linked, from)
				}
			}
		}
	}
	offset := c.offset((number - 1) * size)
	name := strings.TrimSuffix(which, "s")
	entries := list{}
	start := min(offset, len(linked))
	for i, to := range page(c, linked[start:min(offset+size, len(linked))]) {
		entries = append(entries, f.epmcEntry(to, which, start+i+1))
	}
	return epmcReply(member{"hitCount", c.total(len(linked))}, member{"request", object{{"id", id}, {"source", source}, {"offSet", offset}, {"pageSize", size}}},
		member{name + "List", object{{name, entries}}})
}
