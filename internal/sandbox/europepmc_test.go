package sandbox

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// epmcAnswer is an answer to a search.
type epmcAnswer struct {
	HitCount       int
	NextCursorMark string
	ErrCode        int
	ErrMsg         string
	ResultList     struct {
		Result []struct{ ID, Source, Title string }
	}
}

func epmcAsk(t *testing.T, s *Server, params ...string) epmcAnswer {
	t.Helper()
	var v epmcAnswer
	decode(t, get(t, s, EuropePMC, "/search", append(params, "format", "json", "resultType", "core")...).body, &v)
	return v
}

// epmcSmall is the small library with a biomedical preprint and its article.
func epmcSmall(t *testing.T) *Server {
	t.Helper()
	lib, _, err := readLibrary(strings.NewReader(strings.TrimSpace(small) + "\n" +
		`{"id":"g","title":"Gut memory in mice","authors":["Grace Lee"],"year":2020,"arxiv":"2001.00007","doi":"10.1000/g","venue":"Journal of Rats","venue_year":2021,"type":"article","fields":["Biology"],"abstract":"Mice remember.","references":["b","d"]}`))
	if err != nil {
		t.Fatal(err)
	}
	return start(t, Options{Library: lib})
}

func TestEuropePMCDialect(t *testing.T) {
	s := epmcSmall(t)
	for query, want := range map[string]string{
		"memory":                                               "102 101 990000007 PPR990000007",
		"memory AND rats":                                      "101 990000007 PPR990000007", // the journal is looked at too
		"TITLE:memory TITLE:rats":                              "101",
		`TITLE:("working memory" OR retrieval)`:                "101 103",
		"TITLE_ABS:memory NOT TITLE_ABS:rats":                  "102 990000007 PPR990000007",
		"memory NOT SRC:PPR":                                   "102 101 990000007",
		"SRC:PPR AND (mice)":                                   "PPR990000007",
		"(PUB_YEAR:[2020 TO 2020]) AND mice":                   "PPR990000007",
		"FIRST_PDATE:[1999-01-01 TO 2008-12-31]":               "101 102",
		"LANG:fre":                                             "103",
		`PUB_TYPE:"retracted publication"`:                     "103",
		`PUB_TYPE:"preprint" OR PUB_TYPE:"review"`:             "PPR990000007",
		"(EXT_ID:101 AND SRC:MED) OR (EXT_ID:103 AND SRC:MED)": "101 103",
		"EXT_ID:101 AND SRC:PPR":                               "",
		`DOI:"10.1000/C"`:                                      "102",
		`DOI:"10.48550/arXiv.2001.00007"`:                      "PPR990000007",
		`AUTH:"Grace Lee"`:                                     "101 990000007 PPR990000007",
		"hippoc*":                                              "102",
		"MESH_TERM:memory":                                     "",
		"NOSUCHFIELD:memory":                                   "",
		"NOT memory":                                           "103",
		"zzqqxx":                                               "",
		`"memory in`:                                           "990000007 PPR990000007",
		"((memory":                                             "102 101 990000007 PPR990000007",
	} {
		v := epmcAsk(t, s, "query", query)
		got := map[string]bool{}
		for _, r := range v.ResultList.Result {
			got[r.ID] = true
		}
		same := len(got) == len(strings.Fields(want)) && v.HitCount == len(got)
		for _, id := range strings.Fields(want) {
			same = same && got[id]
		}
		if !same {
			t.Errorf("%s gives %v of %d, want %q", query, got, v.HitCount, want)
		}
	}
}

func TestEuropePMCPaging(t *testing.T) {
	s := start(t, Options{})
	seen := map[string]bool{}
	total, pages := 0, 0
	for cursor := "*"; ; pages++ {
		v := epmcAsk(t, s, "query", "memory", "pageSize", "7", "cursorMark", cursor)
		total = v.HitCount
		if len(v.ResultList.Result) == 0 {
			if v.NextCursorMark != cursor {
				t.Errorf("at the end the cursor is %q after %q", v.NextCursorMark, cursor)
			}
			break
		}
		for _, r := range v.ResultList.Result {
			if seen[r.ID] {
				t.Errorf("%s comes twice", r.ID)
			}
			seen[r.ID] = true
		}
		cursor = v.NextCursorMark
	}
	if len(seen) != total || pages < 2 {
		t.Errorf("%d records of %d on %d pages", len(seen), total, pages)
	}
	form := url.Values{"query": {"memory"}, "format": {"json"}, "pageSize": {"1000"}}.Encode()
	var v epmcAnswer
	posted := fetch(t, http.MethodPost, s.URL(EuropePMC)+"/searchPOST", "application/x-www-form-urlencoded", form)
	decode(t, posted.body, &v)
	if v.HitCount != total || len(v.ResultList.Result) != total || strings.Contains(posted.body, "nextPageUrl") {
		t.Errorf("a form gives %d of %d", len(v.ResultList.Result), v.HitCount)
	}
	if !strings.Contains(get(t, s, EuropePMC, "/search", "query", "memory model", "format", "json").body, "query=memory model&") {
		t.Error("the next address has no raw space")
	}
}

func TestEuropePMCErrors(t *testing.T) {
	s := start(t, Options{})
	for name, params := range map[string][]string{"error_no_query": {"query", ""}, "error_page_size": {"query", "x", "pageSize", "1001"}} {
		a := get(t, s, EuropePMC, "/search", append(params, "format", "json")...)
		if want := string(recorded(t, "europepmc/"+name+".json")); a.body != strings.TrimSpace(want) || a.status != 200 {
			t.Errorf("%s: %d %s, recorded %s", name, a.status, a.body, want)
		}
	}
	if a := get(t, s, EuropePMC, "/PMC1/fullTextXML"); a.status != 404 || a.body != "" {
		t.Errorf("a full text gives %d %q", a.status, a.body)
	}
	faulty := start(t, Options{Faults: Faults{EuropePMC: {{Kind: BodyError}}}})
	if a := get(t, faulty, EuropePMC, "/search", "query", "x", "format", "json"); a.status != 200 || a.body != strings.TrimSpace(string(recorded(t, "europepmc/empty_shell_200.json"))) {
		t.Errorf("the shell is %d %s", a.status, a.body)
	}
}

func TestEuropePMCLists(t *testing.T) {
	s := epmcSmall(t)
	type entry struct {
		ID, Source, Title, Match string
		CitedOrder               int
	}
	var v struct {
		HitCount      int
		ReferenceList struct{ Reference []entry }
		CitationList  struct{ Citation []entry }
	}
	f := s.finders[EuropePMC]
	r := f.find("doi", "10.1000/g")
	if !f.epmcHasReferences(r) {
		t.Skip("the list of this work is one of those that are missing")
	}
	decode(t, get(t, s, EuropePMC, "/MED/990000007/references", "format", "json").body, &v)
	// Work d is not in Europe PMC: the entry has a title and no id.
	if l := v.ReferenceList.Reference; v.HitCount != 2 || len(l) != 2 || l[0].ID != "101" || l[0].Match != "Y" || l[1].ID != "" || l[1].Title == "" || l[1].CitedOrder != 2 {
		t.Errorf("references %+v", v)
	}
	decode(t, get(t, s, EuropePMC, "/MED/101/citations", "format", "json", "pageSize", "1").body, &v)
	if v.HitCount != 1 || v.CitationList.Citation[0].ID != "990000007" {
		t.Errorf("citing works %+v", v)
	}
	decode(t, get(t, s, EuropePMC, "/MED/424242/citations", "format", "json").body, &v)
	if v.HitCount != 0 {
		t.Errorf("an unknown work is cited %d times", v.HitCount)
	}
	if a := get(t, s, EuropePMC, "/article/MED/424242", "format", "json"); a.status != 200 || strings.Contains(a.body, `"result"`) {
		t.Errorf("an unknown article: %d %s", a.status, a.body)
	}
	if a := get(t, s, EuropePMC, "/article/PPR/PPR990000007", "format", "json", "resultType", "core"); !strings.Contains(a.body, `"Preprint of"`) || !Made("PPR990000007") {
		t.Errorf("the preprint: %s", a.body)
	}
}

func TestEuropePMCShape(t *testing.T) {
	s := start(t, Options{})
	known := map[string]bool{}
	for p := range jsonPaths(t, recorded(t, "europepmc/search_core.json")) {
		known[p] = true
	}
	for p := range jsonPaths(t, recorded(t, "europepmc/search_preprint_json.json")) {
		known[p] = true
	}
	// Not in the recordings: the notices, documented for the service.
	for _, p := range []string{"", ".commentCorrection", ".commentCorrection[].id", ".commentCorrection[].source", ".commentCorrection[].reference", ".commentCorrection[].type", ".commentCorrection[].orderIn"} {
		known["resultList.result[].commentCorrectionList"+p] = true
	}
	for _, kind := range []string{"core", "lite", "idlist"} {
		within(t, jsonPaths(t, []byte(get(t, s, EuropePMC, "/search", "query", "memory", "resultType", kind, "format", "json", "pageSize", "1000").body)), known)
	}
	var cited string
	f := s.finders[EuropePMC]
	for r := range int32(len(f.records)) {
		if f.epmcCount(r) > 0 && cited == "" {
			cited = f.records[r].id
		}
	}
	if cited == "" {
		t.Fatal("no work of Europe PMC is cited by another")
	}
	within(t, jsonPaths(t, []byte(get(t, s, EuropePMC, fmt.Sprintf("/%s/citations", cited), "format", "json").body)), jsonPaths(t, recorded(t, "europepmc/citations_json.json")))
}
