package sandbox

import (
	"net/http"
	"strings"
	"testing"
)

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
