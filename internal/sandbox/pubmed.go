package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	xmlType     = "text/xml; charset=UTF-8"
	ncbiJSON    = "application/json; charset=UTF-8"
	mostUIDs    = 10_000
	deepestHit  = 9_998
	mostSummary = 500
	xmlHead     = `<?xml version="1.0" encoding="UTF-8" ?>` + "\n"
)

// pubMed answers the E-utilities: esearch, efetch, esummary, elink and epost,
// by GET or POST. Most errors come with status 200.
func (s *Server) pubMed(c *call) reply {
	var out reply
	switch c.path {
	case "/esearch.fcgi":
		out = s.esearch(c)
	case "/efetch.fcgi":
		out = s.efetch(c)
	case "/esummary.fcgi":
		out = s.esummary(c)
	case "/elink.fcgi":
		out = s.elink(c)
	case "/epost.fcgi":
		out = s.epost(c)
	default:
		return reply{status: 404, kind: htmlType, body: []byte("<html><body><h1>404 Not Found</h1></body></html>\n")}
	}
	left, limit := s.budget.perSecond(PubMed)
	out.set("X-RateLimit-Limit", itoa(limit))
	out.set("X-RateLimit-Remaining", itoa(left))
	return out
}

// wantsJSON tells the format; XML is the default.
func wantsJSON(c *call) bool { return strings.EqualFold(c.param("retmode"), "json") }

func ncbi(tool string, body ...member) reply {
	header := member{"header", object{{"type", tool}, {"version", "0.3"}}}
	return reply{kind: ncbiJSON, body: append(style{}.encode(append(object{header}, body...)), '\n')}
}

// esearch finds ids.
func (s *Server) esearch(c *call) reply {
	f := s.finders[PubMed]
	failed := func(message string) reply {
		if wantsJSON(c) {
			// Some messages hold a line break that is not escaped.
			body := `{"header":{"type":"esearch","version":"0.3"},"esearchresult":{"ERROR":"` + message + `"}}` + "\n"
			return reply{kind: ncbiJSON, body: []byte(body)}
		}
		return reply{kind: xmlType, body: []byte(xmlHead + searchDoctype + "<eSearchResult><ERROR>" + escapeText(message) + "</ERROR></eSearchResult>\n")}
	}
	if db := c.param("db"); db != "" && db != "pubmed" {
		return failed("Invalid db name specified: " + strings.Map(plainASCII, db))
	}
	term := c.param("term")
	if strings.TrimSpace(term) == "" {
		return failed("Empty term and query_key - nothing todo")
	}
	start, _ := strconv.Atoi(c.param("retstart"))
	if start > deepestHit {
		return failed("Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. For PubMed, ESearch can only retrieve the first 9,999 " +
			"records matching the query. To obtain more than 9,999 PubMed records, consider using EDirect that contains additional logic to batch " +
			"PubMed search results automatically so that an arbitrary number can be retrieved. For details see https://www.ncbi.nlm.nih.gov/books/NBK25499/")
	}
	size := 20
	if n, err := strconv.Atoi(c.param("retmax")); err == nil {
		size = min(max(n, 0), mostUIDs)
	}
	q := parsePubMed(term, f)
	if q.broken {
		return failed("Search Backend failed: Query syntax error")
	}
	results := f.expand(f.eval(q.node), f.pubMedDates(c))
	f.sortPubMed(results, c.param("sort"))
	total := len(results)
	if total == 0 {
		q.messages = append(q.messages, "No items found.")
	}
	start = c.offset(min(max(start, 0), total))
	shown := page(c, results[start:min(start+size, total)])
	answer := searchAnswer{q: q, count: c.total(total), max: len(shown), start: start}
	for _, r := range shown {
		answer.ids = append(answer.ids, f.records[r.record].id)
	}
	if strings.EqualFold(c.param("usehistory"), "y") {
		all := make([]int32, len(results))
		for i, r := range results {
			all[i] = r.record
		}
		env, key := s.history.keep(c.param("WebEnv"), canonical(c), all)
		answer.env, answer.key = env, itoa(key)
	}
	if wantsJSON(c) {
		return answer.json()
	}
	return answer.xml()
}

func plainASCII(r rune) rune {
	if r < 0x20 || r > 0x7e || r == '"' || r == '\\' {
		return -1
	}
	return r
}

// pubMedDates is the test that mindate, maxdate and reldate make.
func (f finder) pubMedDates(c *call) func(int32) bool {
	year := func(v string) int {
		if len(v) < 4 {
			return 0
		}
		n, _ := strconv.Atoi(v[:4])
		return n
	}
	entered := year(day)
	from, to := year(c.param("mindate")), year(c.param("maxdate"))
	if n, err := strconv.Atoi(c.param("reldate")); err == nil && n > 0 {
		from, to = entered-(n+364)/365, entered
	} else if from == 0 || to == 0 {
		return nil // both are needed
	}
	return func(r int32) bool {
		y := f.records[r].year
		if d := c.param("datetype"); d != "" && d != "pdat" {
			y = entered
		}
		return y != 0 && from <= y && y <= to
	}
}

// sortPubMed orders results; the default is the newest first.
func (f finder) sortPubMed(results []found, by string) {
	number := func(r int32) int {
		n, _ := strconv.Atoi(f.records[r].id)
		return n
	}
	first := func(r int32) string {
		if w := f.of(r); len(w.Authors) > 0 {
			return split(w.Authors[0]).family
		}
		return ""
	}
	slices.SortStableFunc(results, func(a, b found) int {
		newest := cmp.Or(cmp.Compare(f.records[b.record].year, f.records[a.record].year), cmp.Compare(number(b.record), number(a.record)))
		switch strings.ToLower(by) {
		case "relevance":
			return cmp.Compare(b.score, a.score)
		case "author", "first author":
			return cmp.Or(strings.Compare(first(a.record), first(b.record)), newest)
		case "journalname", "journal":
			return cmp.Or(strings.Compare(f.of(a.record).Venue, f.of(b.record).Venue), newest)
		}
		return newest
	})
}

// searchAnswer is what esearch tells.
type searchAnswer struct {
	q                 *pubMedQuery
	count, max, start int
	ids               []string
	env, key          string
}

func (a searchAnswer) faulty() bool {
	return len(a.q.notFound)+len(a.q.noField)+len(a.q.ignored)+len(a.q.noPhrase)+len(a.q.messages) > 0
}

func (a searchAnswer) json() reply {
	result := object{{"count", itoa(a.count)}, {"retmax", itoa(a.max)}, {"retstart", itoa(a.start)}}
	if a.env != "" {
		result = append(result, member{"querykey", a.key}, member{"webenv", a.env})
	}
	translations := list{}
	for _, t := range a.q.translations {
		translations = append(translations, object{{"from", t[0]}, {"to", t[1]}})
	}
	result = append(result, member{"idlist", filled(a.ids)}, member{"translationset", translations}, member{"querytranslation", a.q.translation})
	if a.faulty() {
		result = append(result,
			member{"errorlist", object{{"phrasesnotfound", filled(a.q.notFound)}, {"fieldsnotfound", filled(a.q.noField)}}},
			member{"warninglist", object{{"phrasesignored", filled(a.q.ignored)}, {"quotedphrasesnotfound", filled(a.q.noPhrase)},
				{"outputmessages", filled(a.q.messages)}}})
	}
	return ncbi("esearch", member{"esearchresult", result})
}

// filled is a list that is not null.
func filled(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

const searchDoctype = `<!DOCTYPE eSearchResult PUBLIC "-//NLM//DTD esearch 20060628//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd">` + "\n"

func (a searchAnswer) xml() reply {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s<eSearchResult><Count>%d</Count><RetMax>%d</RetMax><RetStart>%d</RetStart>", xmlHead, searchDoctype, a.count, a.max, a.start)
	if a.env != "" {
		fmt.Fprintf(&b, "<QueryKey>%s</QueryKey><WebEnv>%s</WebEnv>", a.key, a.env)
	}
	if len(a.ids) == 0 {
		b.WriteString("<IdList/>")
	} else {
		b.WriteString("<IdList>\n")
		for _, id := range a.ids {
			b.WriteString("<Id>" + id + "</Id>\n")
		}
		b.WriteString("</IdList>")
	}
	if len(a.q.translations) == 0 {
		b.WriteString("<TranslationSet/>")
	} else {
		b.WriteString("<TranslationSet>")
		for _, t := range a.q.translations {
			fmt.Fprintf(&b, "<Translation>     <From>%s</From>     <To>%s</To>    </Translation>", escapeText(t[0]), escapeText(t[1]))
		}
		b.WriteString("</TranslationSet>")
	}
	fmt.Fprintf(&b, "<QueryTranslation>%s</QueryTranslation>", escapeText(a.q.translation))
	group := func(name string, parts ...any) {
		inner := ""
		for i := 0; i+1 < len(parts); i += 2 {
			for _, v := range parts[i+1].([]string) {
				inner += fmt.Sprintf("<%s>%s</%[1]s>", parts[i], escapeText(v))
			}
		}
		if inner != "" {
			fmt.Fprintf(&b, "<%s>%s</%[1]s>", name, inner)
		}
	}
	group("ErrorList", "PhraseNotFound", a.q.notFound, "FieldNotFound", a.q.noField)
	group("WarningList", "PhraseIgnored", a.q.ignored, "QuotedPhraseNotFound", a.q.noPhrase, "OutputMessage", a.q.messages)
	b.WriteString("</eSearchResult>\n")
	return reply{kind: xmlType, body: []byte(b.String())}
}
