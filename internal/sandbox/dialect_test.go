package sandbox

import (
	"encoding/xml"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"
)

// small is a library whose answers can be told by eye. Every service holds
// every work that it could.
const small = `
{"id":"a","title":"Long-term memory for language agents","authors":["Adriano del Maestro","Grace Lee"],"year":2023,"arxiv":"2305.00001","categories":["cs.CL","cs.AI"],"abstract":"Agents store memories and retrieve them later. Covid is not a topic.","references":["b","c"]}
{"id":"b","title":"Working memory capacity in rats","authors":["Grace Lee"],"year":1999,"doi":"10.1000/b","pmid":"101","venue":"Journal of Rats","type":"article","fields":["Psychology"],"abstract":"Rats keep several items in mind. The term long is used here.","references":["c"]}
{"id":"c","title":"The hippocampus and the two's complement of memory","authors":["Ann O'Neill"],"year":2008,"doi":"10.1000/c","pmid":"102","venue":"Hippocampus Letters","type":"article","fields":["Biology"],"abstract":"Hippocampal replay supports retrieval."}
{"id":"d","title":"Cache memory in databases","authors":["Per Larson"],"year":1998,"doi":"10.1000/d","venue":"Database Conference 1998","venue_year":1998,"type":"conference","abstract":"A cache holds pages."}
{"id":"e","title":"Retrieval practice","year":2023,"doi":"10.1000/e","pmid":"103","venue":"Journal of Rats","type":"article","fields":["Psychology"],"language":"fr","retracted":{"notice":"10.1000/n","year":2024}}
{"id":"f","title":"An agent that forgets","authors":["Adriano del Maestro"],"year":2024,"arxiv":"2401.00009","doi":"10.1000/f","venue":"Agents 2025","venue_year":2025,"type":"conference","abstract":"Forgetting helps an agent in COVID-19 times.","references":["a","b"]}
`

func smallServer(t testing.TB) *Server {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(small)) {
		in := []string{"openalex", "semanticscholar"}
		if strings.Contains(line, `"arxiv"`) {
			in = append(in, "arxiv")
		}
		if strings.Contains(line, `"doi"`) {
			in = append(in, "crossref")
		}
		if strings.Contains(line, `"pmid"`) {
			in = append(in, "pubmed")
		}
		b.WriteString(strings.Replace(line, "{", `{"in":["`+strings.Join(in, `","`)+`"],`, 1))
	}
	lib, _, err := readLibrary(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return start(t, Options{Library: lib})
}

// compare compares ids that are told by the first word of the title.
func compare(t *testing.T, what string, got []string, want string) {
	t.Helper()
	letters := map[string]string{"Long": "a", "Working": "b", "The": "c", "Cache": "d", "Retrieval": "e", "An": "f"}
	var ids []string
	for _, title := range got {
		first := strings.FieldsFunc(title, func(r rune) bool { return r == ' ' || r == '-' || r == '\u2010' })[0]
		if !slices.Contains(ids, letters[first]) {
			ids = append(ids, letters[first])
		}
	}
	sort.Strings(ids)
	if joined := strings.Join(ids, ""); joined != want {
		t.Errorf("%s gives %q, %q expected", what, joined, want)
	}
}

func TestArXivDialect(t *testing.T) {
	s := smallServer(t)
	cases := []struct{ query, want string }{
		{"memory", "a"}, {"all:agents", "a"}, {"all:agent", "f"}, {"all:Agent AND all:FORGETS", "f"}, {"ti:agents", "a"}, {"abs:agent", "f"},
		{"all:agent OR all:agents", "af"}, {"all:agent all:agents", "af"}, {"agent agents", "af"}, {"all:agent AND all:agents", ""},
		{"(all:agent OR all:agents) AND all:memory", "a"}, {"all:agent OR all:agents AND all:nothing", "f"}, {"all:agents ANDNOT all:memory", ""},
		{`all:"language agents"`, "a"}, {`ti:"agents language"`, ""}, {`all:"term memory"`, "a"}, {`"long term memory"`, "a"},
		{"all:long-term", ""}, {`all:"long-term"`, ""}, {"all:covid-19", "a"}, {`all:"covid 19"`, "f"}, {"all:forget*", "f"},
		{"au:del_maestro", "af"}, {"au:Maestro", "af"}, {`au:"Grace Lee"`, "a"}, {"au:Grace_Maestro", ""}, {"cat:cs.CL", "af"}, {"cat:cs.* AND all:memory", "a"},
		{"cat:cs.CV AND all:memory", ""}, {"cat:nonsense", ""}, {"jr:agents", "f"}, {"id:2305.00001", "a"}, {"co:pages", ""},
		{"all:memory AND submittedDate:[202301010000 TO 202312312359]", "a"}, {"all:memory AND submittedDate:[202401010000 TO 202412312359]", ""},
		{"submittedDate:[2023 TO 2024]", "af"}, {"ti:memory language", "a"},
	}
	for _, c := range cases {
		a := get(t, s, ArXiv, "/api/query", "search_query", c.query)
		if a.status != 200 {
			t.Errorf("%q: status %d %s", c.query, a.status, a.body)
			continue
		}
		compare(t, fmt.Sprintf("%q", c.query), titlesOfFeed(t, a.body), c.want)
	}
	echo := get(t, s, ArXiv, "/api/query", "search_query", "all:attention mechanism", "max_results", "3").body
	if !strings.Contains(echo, "<title>arXiv Query: search_query=all:attention OR all:mechanism&amp;id_list=&amp;start=0&amp;max_results=3</title>") {
		t.Errorf("the echo is %.600s", echo)
	}
	for _, bad := range []string{"(all:a", "all:a)", `all:"a`, "xx:a", "all:a:b", "AND", "all:a AND", "submittedDate:[x TO y]", strings.Repeat("(", 200) + "a"} {
		if a := get(t, s, ArXiv, "/api/query", "search_query", bad); a.status != 400 || !strings.Contains(a.body, "<title>Error</title>") || !strings.Contains(a.body, "api/errors#") {
			t.Errorf("%q: status %d", bad, a.status)
		}
	}
	ids := []struct{ list, want string }{
		{"2305.00001", "a"}, {"2305.00001v3,2401.00009", "af"}, {"2305.00001,9912.99999", "a"}, {"0808.05394", ""}, {"hep-th/9711200", ""}, {" 2305.00001 ,", "a"},
	}
	for _, c := range ids {
		compare(t, c.list, titlesOfFeed(t, get(t, s, ArXiv, "/api/query", "id_list", c.list).body), c.want)
	}
	if body := get(t, s, ArXiv, "/api/query", "id_list", "2305.00001v3").body; !strings.Contains(body, "abs/2305.00001v3<") {
		t.Error("the version asked for is not shown")
	}
	compare(t, "a list filtered by a query", titlesOfFeed(t, get(t, s, ArXiv, "/api/query", "id_list", "2305.00001,2401.00009", "search_query", "all:memory").body), "a")
	newest := titlesOfFeed(t, get(t, s, ArXiv, "/api/query", "search_query", "agent agents", "sortBy", "submittedDate").body)
	if !strings.HasPrefix(newest[0], "An agent") {
		t.Errorf("the newest is %q", newest[0])
	}
}

func titlesOfFeed(t testing.TB, body string) []string {
	t.Helper()
	var feed struct {
		Entries []struct {
			Title string `xml:"title"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(body), &feed); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range feed.Entries {
		out = append(out, e.Title)
	}
	return out
}

func TestCrossrefDialect(t *testing.T) {
	s := smallServer(t)
	cases := []struct{ param, value, want string }{
		{"query", "memory", "bcd"}, {"query", "cache rats", "bde"}, {"query.title", "cache pages", "d"}, {"query.bibliographic", "Larson cache", "d"}, {"query.author", "Lee", "b"},
		{"query.container-title", "rats", "be"}, {"query", `"cache memory" AND NOT rats`, "bcde"}, {"query", "zzqqxx", ""}, {"query.editor", "Lee", ""},
		{"filter", "from-pub-date:2008", "cef"}, {"filter", "from-pub-date:2008,until-pub-date:2023-06", "ce"}, {"filter", "type:proceedings-article", "df"},
		{"filter", "doi:10.1000/b,doi:10.1000/d", "bd"}, {"filter", "has-references:true", "bf"}, {"filter", "prefix:10.1000,type:journal-article", "bce"}, {"filter", "is-update:true", ""},
	}
	for _, c := range cases {
		a := get(t, s, Crossref, "/works", c.param, c.value)
		var v struct {
			Message struct{ Items []struct{ Title []string } }
		}
		decode(t, a.body, &v)
		var titles []string
		for _, r := range v.Message.Items {
			titles = append(titles, r.Title[0])
		}
		compare(t, c.param+"="+c.value, titles, c.want)
	}
	var v struct {
		Message struct {
			Items []map[string]any
			Total int `json:"total-results"`
		}
	}
	decode(t, get(t, s, Crossref, "/works", "query", "cache memory databases", "rows", "1", "select", "DOI,score").body, &v)
	if len(v.Message.Items) != 1 || v.Message.Items[0]["DOI"].(string) != "10.1000/d" || len(v.Message.Items[0]) != 2 || v.Message.Total != 3 {
		t.Errorf("the best of a ranked query is %v of %d", v.Message.Items, v.Message.Total)
	}
	for _, bad := range [][]string{{"rows", "1001"}, {"offset", "10001"}, {"sort", "colour"}, {"select", "colour"}, {"filter", "from-pub-date:soon"}, {"colour", "red"}, {"order", "up"}} {
		if a := get(t, s, Crossref, "/works", bad...); a.status != 400 || !strings.Contains(a.body, "validation-failure") {
			t.Errorf("%v: status %d %s", bad, a.status, a.body)
		}
	}
	var one struct {
		Message struct {
			UpdatedBy []struct{ DOI, Type string } `json:"updated-by"`
			Reference []map[string]string
		}
	}
	decode(t, get(t, s, Crossref, "/works/10.1000%2Fe").body, &one)
	if len(one.Message.UpdatedBy) != 1 || one.Message.UpdatedBy[0].Type != "retraction" || one.Message.UpdatedBy[0].DOI != "10.1000/n" {
		t.Errorf("the retraction is %v", one.Message.UpdatedBy)
	}
}
