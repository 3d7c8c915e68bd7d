package sandbox

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

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
