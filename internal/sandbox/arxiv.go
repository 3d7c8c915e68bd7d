package sandbox

import (
	"cmp"
	"crypto/sha1"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/state"
)

const (
	atomType = "application/atom+xml; charset=utf-8"
	feedHead = "<?xml version='1.0' encoding='UTF-8'?>\n" +
		`<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">` + "\n"
	feedTime = day + "T00:00:00Z"
	// mostEntries is the largest slice, deepest where pages begin to be empty.
	mostEntries = 2000
	deepest     = 10000
)

// arXivID is what arXiv takes for an id, with or without version.
var arXivID = regexp.MustCompile(`^([0-9]{4}\.[0-9]{4,5}|[a-z-]+(\.[A-Z]{2})?/[0-9]{7})(v[0-9]+)?$`)

// arXiv answers /query (live: /api/query) with Atom feeds.
func (s *Server) arXiv(c *call) reply {
	if c.path != "/query" {
		return reply{status: 404, kind: htmlType, body: []byte("<html><body><h1>404 Not Found</h1></body></html>\n")}
	}
	start, fault := wholeNumber(c, "start", 0)
	if fault != "" {
		return feedError(fault)
	}
	size, fault := wholeNumber(c, "max_results", 10)
	if fault != "" {
		return feedError(fault)
	}
	if size > 30000 {
		return feedError("max_results cannot be greater than 30000")
	}
	sort := cmp.Or(c.param("sortBy"), "relevance")
	if !slices.Contains([]string{"relevance", "lastUpdatedDate", "submittedDate"}, sort) {
		return feedError("sortBy must be in: relevance, lastUpdatedDate, submittedDate")
	}
	order := cmp.Or(c.param("sortOrder"), "descending")
	if order != "ascending" && order != "descending" {
		return feedError("sortOrder must be in: ascending, descending")
	}
	raw := strings.TrimSpace(c.param("search_query"))
	if strings.Contains(raw, "/?") || strings.Contains(raw, "?/") {
		// A "/" beside a "?" has been answered with 500.
		return reply{status: 500, kind: htmlType, body: []byte("<html><body><h1>500 Internal Server Error</h1></body></html>\n")}
	}
	f := s.finders[ArXiv]
	query, echo := node(nil), ""
	if raw != "" {
		if query, echo, fault = parseArXiv(raw, f); fault != "" {
			return feedError(fault)
		}
	}
	results, fault := f.arXivResults(query, c.param("id_list"))
	if fault != "" {
		return feedError(fault)
	}
	sortArXiv(f, results, sort, order)
	total := len(results)
	from := c.offset(start)
	shown := results[min(from, total):min(from+min(size, mostEntries), total)]
	if start >= deepest {
		shown = nil
	}
	return f.feed(page(c, shown), c.total(total), start, size, echo, c.param("id_list"))
}

// wholeNumber reads a parameter that may be left out.
func wholeNumber(c *call, name string, otherwise int) (int, string) {
	v := c.param(name)
	if v == "" {
		return otherwise, ""
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		return 0, name + " must be an integer"
	}
	if n < 0 {
		return 0, name + " must be non-negative"
	}
	return n, ""
}

// arXivResult is an entry to show: a record and the version asked for.
type arXivResult struct {
	found
	version string
}

// arXivResults are the hits of the query, of the list of ids, or of the list
// filtered by the query. Unknown ids are left out; a malformed one fails the
// whole call.
func (f finder) arXivResults(query node, idList string) (out []arXivResult, fault string) {
	var hits []found
	if query != nil {
		hits = f.expand(f.eval(query), nil)
	}
	if strings.TrimSpace(idList) == "" {
		for _, h := range hits {
			out = append(out, arXivResult{found: h})
		}
		return out, ""
	}
	passes := map[int32]bool{}
	for _, h := range hits {
		passes[h.record] = true
	}
	for _, id := range strings.Split(idList, ",") {
		id = strings.TrimSpace(id)
		if id == "" {
			continue
		}
		if !arXivID.MatchString(id) {
			return nil, "incorrect id format for " + id
		}
		base, version := state.NormalizeArXiv(id)
		if r := f.find("arxiv", base); r >= 0 && (query == nil || passes[r]) {
			out = append(out, arXivResult{found{record: r}, version})
		}
	}
	return out, ""
}

func sortArXiv(f finder, results []arXivResult, by, order string) {
	if by != "relevance" {
		slices.SortStableFunc(results, func(a, b arXivResult) int {
			return cmp.Compare(published(f.of(b.record)), published(f.of(a.record)))
		})
	}
	if order == "ascending" {
		slices.Reverse(results)
	}
}

// published is the time stamp of the first version: the month that the id
// tells, on its first day.
func published(w *Work) string {
	year, month := arXivMonth(w)
	return fmt.Sprintf("%04d-%02d-01T00:00:00Z", year, month)
}

// feed writes a page of entries.
func (f finder) feed(shown []arXivResult, total, start, size int, echo, idList string) reply {
	title := fmt.Sprintf("arXiv Query: search_query=%s&id_list=%s&start=%d&max_results=%d", echo, idList, start, size)
	sum := sha1.Sum([]byte(title))
	var b strings.Builder
	b.WriteString(feedHead)
	fmt.Fprintf(&b, "  <id>https://arxiv.org/api/%s</id>\n", base64.RawStdEncoding.EncodeToString(sum[:]))
	fmt.Fprintf(&b, "  <title>%s</title>\n  <updated>%s</updated>\n", escapeText(title), feedTime)
	self := fmt.Sprintf("https://arxiv.org/api/query?search_query=%s&start=%d&max_results=%d&id_list=%s",
		strings.NewReplacer("%3A", ":", "%28", "(", "%29", ")", "%2C", ",").Replace(url.QueryEscape(echo)), start, size, idList)
	fmt.Fprintf(&b, `  <link href="%s" type="application/atom+xml"/>`+"\n", escapeXML(self))
	fmt.Fprintf(&b, "  <opensearch:itemsPerPage>%d</opensearch:itemsPerPage>\n  <opensearch:totalResults>%d</opensearch:totalResults>\n", size, total)
	fmt.Fprintf(&b, "  <opensearch:startIndex>%d</opensearch:startIndex>\n", start)
	for _, r := range shown {
		f.entry(&b, r)
	}
	b.WriteString("</feed>\n")
	return reply{kind: atomType, body: []byte(b.String())}
}

// entry writes one paper. Only v1 is in the library; another version that is
// asked for is the same text under that version.
func (f finder) entry(b *strings.Builder, r arXivResult) {
	w := f.of(r.record)
	id := w.ArXiv + cmp.Or(r.version, "v1")
	line := func(format string, args ...any) {
		for i, a := range args {
			if s, ok := a.(string); ok {
				args[i] = escapeText(s)
			}
		}
		fmt.Fprintf(b, format+"\n", args...)
	}
	line("  <entry>")
	line("    <id>http://arxiv.org/abs/%s</id>", id)
	line("    <title>%s</title>", titleIn(ArXiv, w))
	line("    <updated>%s</updated>", published(w))
	line(`    <link href="https://arxiv.org/abs/%s" rel="alternate" type="text/html"/>`, id)
	line(`    <link href="https://arxiv.org/pdf/%s" rel="related" type="application/pdf" title="pdf"/>`, id)
	line("    <summary>%s</summary>", summary(w))
	for _, term := range categories(w) {
		line(`    <category term="%s" scheme="http://arxiv.org/schemas/atom"/>`, term)
	}
	line("    <published>%s</published>", published(w))
	line(`    <arxiv:primary_category term="%s"/>`, categories(w)[0])
	if said(w) {
		line("    <arxiv:journal_ref>%s</arxiv:journal_ref>", w.Venue)
	}
	for _, a := range w.Authors {
		line("    <author>\n      <name>%s</name>\n    </author>", split(a).full())
	}
	if w.DOI != "" && said(w) {
		line("    <arxiv:doi>%s</arxiv:doi>", w.DOI)
		line(`    <link rel="related" href="https://doi.org/%s" title="doi"/>`, w.DOI)
	}
	line("  </entry>")
}

// said reports whether the authors told arXiv of the publication; half do.
func said(w *Work) bool { return w.Venue != "" && share(w.ID, "journal_ref", 50) }

// summary is the abstract; some begin with two spaces, as arXiv's do.
func summary(w *Work) string {
	if w.text() != "" && share(w.ID, "indent", 10) {
		return "  " + w.text()
	}
	return w.text()
}

// unclassified stands for the category of a work of which the library tells
// none; no archive of arXiv has that name.
const unclassified = "unclassified"

func categories(w *Work) []string {
	var out []string
	for _, c := range w.Categories {
		if arXivCategory.MatchString(c) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return []string{unclassified}
	}
	return out
}

var arXivCategory = regexp.MustCompile(`^[a-z-]+(\.[A-Za-z-]+)?$`)

// feedError is the feed of one entry in which arXiv reports a bad request.
func feedError(reason string) reply {
	id := "https://arxiv.org/api/errors#" + strings.Join(strings.FieldsFunc(reason, func(r rune) bool { return r == ' ' || r == '#' }), "_")
	var b strings.Builder
	b.WriteString(feedHead)
	fmt.Fprintf(&b, `  <id>https://arxiv.org/</id>
  <title>arXiv Search Results</title>
  <updated>%[1]s</updated>
  <opensearch:itemsPerPage>1</opensearch:itemsPerPage>
  <opensearch:totalResults>1</opensearch:totalResults>
  <opensearch:startIndex>0</opensearch:startIndex>
  <entry>
    <id>%[2]s</id>
    <title>Error</title>
    <updated>%[1]s</updated>
    <link href="%[2]s" rel="alternate" type="text/html"/>
    <summary>%[3]s</summary>
    <author>
      <name>arXiv api core</name>
    </author>
  </entry>
</feed>
`, feedTime, escapeXML(id), escapeXML(reason))
	return reply{status: 400, kind: atomType, body: []byte(b.String())}
}

// escapeXML makes text safe in an element or an attribute.
func escapeXML(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return ""
	}
	return b.String()
}

// escapeText makes text safe in an element, with the quotation marks bare, as
// the services write them.
func escapeText(s string) string {
	return strings.NewReplacer("&#39;", "'", "&#34;", `"`).Replace(escapeXML(s))
}
