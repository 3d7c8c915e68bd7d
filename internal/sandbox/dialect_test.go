package sandbox

import (
	"encoding/xml"
	"fmt"
	"net/http"
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

func TestOpenAlexDialect(t *testing.T) {
	s := smallServer(t)
	// By the rules of the sandbox OpenAlex has neither the abstract nor the
	// reference list of a.
	cases := []struct{ param, value, want string }{
		{"search", "memory", "abcd"}, {"search", "agents", "af"}, {"search", "agent memory", "a"}, {"search", "memory NOT rats", "acd"}, {"search", "memory AND (rats OR cache)", "bd"},
		{"search", "rats OR cache agent", "b"}, {"search", `"language agents"`, "a"}, {"search", `"agents language"`, ""}, {"search", `"memory agents"~5`, "a"},
		{"search", "the memory of the", "abcd"}, {"search", "two’s complement", ""}, {"search", "two's complement", "c"}, {"search", "“language agents”", "a"},
		{"search", "memories/agents", "a"}, {"search", "retrieve:", "ce"}, {"search.exact", "agents", "a"}, {"search.exact", "agent*", "af"}, {"search.title", "agents", "af"},
		{"search.title", "covid", ""}, {"search.semantic", "rats in mazes", "b"}, {"search", "(memory", "abcd"}, {"search", "memory)", "abcd"}, {"search", "NOT memory", "ef"},
		{"search", "OR", ""}, {"search", "the", ""}, {"search", "日本語", ""},
		{"filter", "publication_year:2023", "ae"}, {"filter", "publication_year:>2022", "aef"}, {"filter", "publication_year:1998-1999", "bd"}, {"filter", "publication_year:!2023", "bcdf"},
		{"filter", "from_publication_date:2008-01-01,to_publication_date:2023-05-31", "ace"}, {"filter", "doi:10.1000/b|https://doi.org/10.1000/C", "bc"},
		{"filter", "doi:10.48550/arXiv.2305.00001", "a"}, {"filter", "cites:W9900000002", "f"}, {"filter", "cited_by:W9900000006", "ab"}, {"filter", "cited_by:W9900000001", ""}, {"filter", "openalex:W9900000004", "d"},
		{"filter", "is_retracted:true", "e"}, {"filter", "is_retracted:false,title.search:retrieval", ""}, {"filter", "title.search:cache memory", "d"},
		{"filter", "title_and_abstract.search:forgetting", "f"}, {"filter", `default.search:"cache holds"`, "d"}, {"filter", "has_abstract:false", "ae"}, {"filter", "language:fr", "e"},
		{"filter", "pmid:102", "c"}, {"filter", "is_oa:true", "af"}, {"filter", "cited_by_count:>0", "abc"}, {"filter", "raw_author_name.search:Larson", "d"}, {"filter", "type:preprint", "a"},
	}
	for _, c := range cases {
		a := get(t, s, OpenAlex, "/works", c.param, c.value)
		var v struct{ Results []struct{ Title string } }
		if a.status != 200 {
			t.Errorf("%s=%s: status %d %.300s", c.param, c.value, a.status, a.body)
			continue
		}
		decode(t, a.body, &v)
		var titles []string
		for _, r := range v.Results {
			titles = append(titles, r.Title)
		}
		compare(t, c.param+"="+c.value, titles, c.want)
	}
	for _, bad := range []string{"what is memory?", "mem*", "!memory", "a|b", strings.Repeat(`"`+strings.Repeat("long phrase ", 8)+`" `, 4)} {
		if a := get(t, s, OpenAlex, "/works", "search", bad); a.status != 400 {
			t.Errorf("%q: status %d", bad, a.status)
		}
	}
	for path, want := range map[string]string{"/works/doi:10.1000/b": "b", "/works/https://doi.org/10.1000%2Fb": "b", "/works/pmid:102": "c", "/works/W9900000004": "d", "/W9900000004": "d",
		"/works/https://openalex.org/W9900000004": "d", "/works/doi:10.48550/arxiv.2305.00001": "a"} {
		a := get(t, s, OpenAlex, path)
		var v struct{ Title string }
		decode(t, a.body, &v)
		compare(t, path, []string{v.Title}, want)
	}
	var one struct {
		Abstract map[string][]int `json:"abstract_inverted_index"`
		Count    int              `json:"cited_by_count"`
		Refs     []string         `json:"referenced_works"`
	}
	decode(t, get(t, s, OpenAlex, "/works/doi:10.1000/d").body, &one)
	if got := fmt.Sprint(one.Abstract); got != "map[A:[0] cache:[1] holds:[2] pages.:[3]]" {
		t.Errorf("the abstract is %s", got)
	}
	if a := get(t, s, OpenAlex, "/works", "sort", "publication_year:desc", "select", "id,publication_year", "per_page", "1").body; !strings.Contains(a, `"results": [{"id": "https://openalex.org/W9900000006", "publication_year": 2025}]`) {
		t.Errorf("the newest is %s", a)
	}
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

func TestPubMedDialect(t *testing.T) {
	s := smallServer(t)
	cases := []struct{ term, want, translation string }{
		{"memory", "bc", `"memory"[All Fields]`},
		{"retrieval", "ce", `"retrieval"[All Fields]`},
		{"rat", "be", `"rats"[All Fields]`},
		{"memory[ti] AND rats[tiab]", "b", `"memory"[Title] AND "rats"[Title/Abstract]`},
		{"memory OR retrieval NOT rats", "c", ""}, // from left to right
		{"memory OR (retrieval NOT rats)", "bc", ""},
		{`"working memory"`, "b", `"working memory"[All Fields]`},
		{`"memory working"`, "b", ""}, // loosened
		{"working memory[ti]", "b", `"working memory"[Title]`},
		{"hippoc*", "c", `hippoc*[All Fields]`},
		{"hip*", "", ""},
		{"memory zzqqxx", "bc", `"memory"[All Fields]`},
		{"zzqqxx[ti]", "", ""},
		{"Lee G[au]", "b", "Lee G[Author]"},
		{"Lee X[au]", "", ""}, {"O'Neill[au]", "c", ""}, {"2008[dp]", "c", "2008[Date - Publication]"}, {"2000:2024[dp]", "ce", ""},
		{`("2000/01/01"[dp] : "2010"[dp]) AND memory`, "c", ""}, {"memory AND 1990:2000[pdat]", "b", ""}, {"memory[mh] AND rats", "be", ""},
		{"Journal of Rats[ta]", "be", ""}, {"10.1000/c[doi]", "c", ""}, {"103[pmid]", "e", ""}, {"french[la]", "e", ""}, {"retracted publication[pt]", "e", ""},
		{"memory[xx]", "bc", ""}, {"((memory", "bc", ""}, {"memory))", "bc", ""}, {`"items mind"[tiab:~3]`, "b", ""}, {"memory AND", "bc", ""}, {"NOT memory", "e", ""},
	}
	for _, c := range cases {
		var v struct {
			EsearchResult struct {
				Count            string
				IDList           []string
				QueryTranslation string
			}
		}
		decode(t, get(t, s, PubMed, "/esearch.fcgi", "term", c.term, "retmode", "json").body, &v)
		got := ""
		for _, id := range []string{"101", "102", "103"} {
			if slices.Contains(v.EsearchResult.IDList, id) {
				got += map[string]string{"101": "b", "102": "c", "103": "e"}[id]
			}
		}
		if got != c.want || c.translation != "" && v.EsearchResult.QueryTranslation != c.translation || v.EsearchResult.Count != itoa(len(c.want)) {
			t.Errorf("%s gives %q (%s), translated %s; %q, %s expected", c.term, got, v.EsearchResult.Count, v.EsearchResult.QueryTranslation, c.want, c.translation)
		}
	}
	warned := get(t, s, PubMed, "/esearch.fcgi", "term", `memory zzqqxx "memory working" rats[xx] a`, "retmode", "json").body
	for _, want := range []string{`"phrasesnotfound":["zzqqxx"]`, `"fieldsnotfound":["xx"]`, `"quotedphrasesnotfound":["\"memory working\""]`, `"phrasesignored":["a"]`} {
		if !strings.Contains(warned, want) {
			t.Errorf("%s is missing in %s", want, warned)
		}
	}
	order := func(params ...string) string {
		var v struct{ EsearchResult struct{ IDList []string } }
		decode(t, get(t, s, PubMed, "/esearch.fcgi", append(params, "retmode", "json")...).body, &v)
		return strings.Join(v.EsearchResult.IDList, " ")
	}
	if got := order("term", "rats OR memory OR retrieval"); got != "103 102 101" {
		t.Errorf("the default order is %s", got)
	}
	if got := order("term", "working OR memory OR rats", "sort", "relevance"); !strings.HasPrefix(got, "101") {
		t.Errorf("by relevance: %s", got)
	}
	if got := order("term", "rats OR memory OR retrieval", "mindate", "2000", "maxdate", "2010", "datetype", "pdat"); got != "102" {
		t.Errorf("between 2000 and 2010: %s", got)
	}
	// POST, and the history.
	var kept struct {
		EsearchResult struct{ WebEnv, QueryKey string }
	}
	posted := fetch(t, http.MethodPost, s.URL(PubMed)+"/esearch.fcgi", "application/x-www-form-urlencoded", "db=pubmed&term=memory&usehistory=y&retmode=json")
	decode(t, posted.body, &kept)
	for _, tool := range []string{"/efetch.fcgi", "/esummary.fcgi"} {
		if body := get(t, s, PubMed, tool, "WebEnv", kept.EsearchResult.WebEnv, "query_key", kept.EsearchResult.QueryKey, "retmax", "1").body; !strings.Contains(body, "The hippocampus") || strings.Contains(body, "Working memory") {
			t.Errorf("%s from the history gives %s", tool, body)
		}
	}
	if body := get(t, s, PubMed, "/epost.fcgi", "id", "101,102").body; !strings.Contains(body, "<QueryKey>1</QueryKey>") {
		t.Errorf("epost gives %s", body)
	}
	if body := get(t, s, PubMed, "/efetch.fcgi", "id", "103").body; !strings.Contains(body, `RefType="RetractionIn"`) || !strings.Contains(body, "Retracted Publication") || strings.Contains(body, "<Abstract>") {
		t.Errorf("the retracted article is %s", body)
	}
	two := get(t, s, PubMed, "/elink.fcgi", "id", "101", "id", "102", "retmode", "json").body
	if want := `"linksets":[{"dbfrom":"pubmed","ids":["101"],"linksetdbs":[{"dbto":"pubmed","linkname":"pubmed_pubmed_refs","links":["102"]}]},` +
		`{"dbfrom":"pubmed","ids":["102"],"linksetdbs":[{"dbto":"pubmed","linkname":"pubmed_pubmed_citedin","links":["101"]}]}]`; !strings.Contains(two, want) {
		t.Errorf("the links are %s", two)
	}
}

func TestSemanticScholarDialect(t *testing.T) {
	s := smallServer(t)
	titles := func(path string, params ...string) []string {
		t.Helper()
		a := get(t, s, SemanticScholar, "/graph/v1/paper/"+path, append(params, "fields", "title")...)
		if a.status != 200 {
			t.Errorf("%s %v: status %d %s", path, params, a.status, a.body)
		}
		var v struct{ Data []struct{ Title string } }
		decode(t, a.body, &v)
		var out []string
		for _, d := range v.Data {
			out = append(out, d.Title)
		}
		return out
	}
	for _, c := range []struct{ query, want string }{
		{"memory", "abcd"}, {"agents", "af"}, {"memory agents", "a"}, {"long-term memory", ""}, {"long term memory", "a"}, {"COVID-19", ""}, {"memory AND rats", "b"},
		{"working memory rats capacity nonsense", "b"}, {"zzqqxx", ""},
	} {
		compare(t, "search "+c.query, titles("search", "query", c.query), c.want)
	}
	for _, c := range []struct{ name, value, want string }{
		{"year", "2023", "a"}, {"year", "1998-2008", "bcd"}, {"year", "2009-", "a"}, {"year", "-1998", "d"}, {"publicationDateOrYear", "1999-01-01:2008", "bc"},
		{"fieldsOfStudy", "Psychology,Biology", "bc"}, {"publicationTypes", "Conference", "d"}, {"venue", "journal of rats", "b"}, {"minCitationCount", "2", "bc"},
	} {
		compare(t, c.name+"="+c.value, titles("search", "query", "memory", c.name, c.value), c.want)
	}
	for _, c := range []struct{ query, want string }{
		{"memory", "abcd"}, {"memory + rats", "b"}, {"memory -rats", "acd"}, {"rats | cache", "bd"}, {`"cache memory"`, "d"}, {"(rats | cache) + memory", "bd"}, {"forget*", "f"},
		{`"memory agents"~3`, "a"}, {"-memory", "ef"}, {"memory - rats", "acd"}, {"long-term", "a"}, {"cache~2", "d"}, {"(memory", "abcd"}, {")", ""}, {"-(rats | cache) memory", "ac"},
	} {
		compare(t, "bulk "+c.query, titles("search/bulk", "query", c.query), c.want)
	}
	compare(t, "match", titles("search/match", "query", "Cache memories of databases"), "d")
	for id, want := range map[string]string{"ARXIV:2305.00001": "a", "arXiv:2401.00009v2": "f", "DOI:10.1000/F": "f", "10.1000/d": "d", "PMID:102": "c", "CorpusId:990000004": "d",
		"5a4d000000000000000000000000000000000004": "d", "DOI:10.48550/arXiv.2305.00001": "a", "URL:https://arxiv.org/abs/2305.00001": "a"} {
		var v struct{ Title string }
		decode(t, get(t, s, SemanticScholar, "/graph/v1/paper/"+id).body, &v)
		compare(t, id, []string{v.Title}, want)
	}
	batch := fetch(t, http.MethodPost, s.URL(SemanticScholar)+"/paper/batch?fields=title,citations.title", "application/json", `{"ids":["DOI:10.1000/b","DOI:10.1000/none","PMID:103"]}`)
	var papers []*struct {
		Title     string
		Citations []any
	}
	decode(t, batch.body, &papers)
	if len(papers) != 3 || papers[0] == nil || papers[1] != nil || papers[2] == nil || len(papers[0].Citations) != 0 {
		t.Errorf("the batch is %s", batch.body)
	}
	refs := get(t, s, SemanticScholar, "/graph/v1/paper/DOI:10.1000/f/references", "fields", "title,contexts,isInfluential", "limit", "1").body
	if !strings.Contains(refs, `"next": 1, "data": [{"contexts": [], "isInfluential": false, "citedPaper": {"paperId": "5a4d000000000000000000000000000000000001"`) {
		t.Errorf("the references are %s", refs)
	}
	citing := get(t, s, SemanticScholar, "/graph/v1/paper/DOI:10.1000/b/citations", "fields", "title", "offset", "1").body
	if !strings.Contains(citing, `{"offset": 1, "data": [{"citingPaper": {"paperId": "5a4d000000000000000000000000000000000006", "title": `) {
		t.Errorf("the citing works are %s", citing)
	}
	for _, bad := range [][]string{{"search", "query", "x", "limit", "101"}, {"search", "query", "x", "offset", "1000", "limit", "1"}, {"search", "query", "x", "year", "soon"},
		{"search", "limit", "1"}, {"search/bulk", "query", "x", "token", "?"}, {"search/bulk", "query", "x", "sort", "colour"}} {
		if a := get(t, s, SemanticScholar, "/graph/v1/paper/"+bad[0], bad[1:]...); a.status != 400 || !strings.Contains(a.body, `{"error":`) {
			t.Errorf("%v: status %d %s", bad, a.status, a.body)
		}
	}
}
