package sandbox

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// The tests of this file hold what the sandbox serves beside what the live
// services sent: the same elements and members, in the same order.

func TestArXivShape(t *testing.T) {
	s := start(t, Options{})
	recordings := []map[string]bool{xmlPaths(t, recorded(t, "arxiv/search_page_start0.xml")), xmlPaths(t, recorded(t, "arxiv/id_list_1207.7214.xml"))}
	for _, a := range []answer{
		get(t, s, ArXiv, "/api/query", "search_query", "all:memory", "max_results", "100"),
		get(t, s, ArXiv, "/api/query", "id_list", "2304.03442"),
		get(t, s, ArXiv, "/api/query", "search_query", `all:"zzqqxx"`),
	} {
		if a.status != 200 || a.header.Get("Content-Type") != "application/atom+xml; charset=utf-8" {
			t.Errorf("status %d, %s", a.status, a.header.Get("Content-Type"))
		}
		within(t, xmlPaths(t, []byte(a.body)), recordings...)
	}
}

func TestArXivErrors(t *testing.T) {
	s := start(t, Options{})
	for name, params := range map[string][]string{
		"error_bad_id_400":    {"search_query", "", "id_list", "abc", "start", "0", "max_results", "100"},
		"error_start_not_int": {"search_query", "all:electron", "start", "nope", "max_results", "1"},
	} {
		a := get(t, s, ArXiv, "/api/query", params...)
		// All but the time stamps is the same.
		stamp := func(s string) string {
			for {
				before, rest, ok := strings.Cut(s, "<updated>")
				if !ok {
					return s
				}
				_, after, _ := strings.Cut(rest, "</updated>")
				s = before + "<stamp/>" + after
			}
		}
		if got, want := stamp(a.body), stamp(string(recorded(t, "arxiv/"+name+".xml"))); got != want || a.status != 400 {
			t.Errorf("%s: status %d\n%s\nwant\n%s", name, a.status, got, want)
		}
	}
	zero := get(t, s, ArXiv, "/api/query", "search_query", `all:"zzqqxx not a real phrase anywhere"`, "max_results", "5").body
	_, got, _ := strings.Cut(zero, "<title>")
	_, want, _ := strings.Cut(string(recorded(t, "arxiv/search_zero_results.xml")), "<title>")
	if cutStamp(got) != cutStamp(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func cutStamp(s string) string {
	before, rest, _ := strings.Cut(s, "<updated>")
	_, after, _ := strings.Cut(rest, "</updated>")
	return before + after
}

func TestOpenAlexShape(t *testing.T) {
	s := start(t, Options{})
	open := []string{"results[].abstract_inverted_index", "abstract_inverted_index"}
	lists := []map[string]bool{
		jsonPaths(t, recorded(t, "openalex/works_search_relevance.json"), open...), jsonPaths(t, recorded(t, "openalex/works_title_abstract_search_200.json.gz"), open...),
	}
	page := get(t, s, OpenAlex, "/works", "search", "memory", "per_page", "200")
	served := jsonPaths(t, []byte(page.body), open...)
	within(t, served, lists...)
	within(t, jsonPaths(t, []byte(get(t, s, OpenAlex, "/works", "search", "memory", "cursor", "*").body), open...), lists...)
	within(t, jsonPaths(t, []byte(get(t, s, OpenAlex, "/works", "group_by", "type").body)), jsonPaths(t, recorded(t, "openalex/works_group_by_type.json")))

	// A record has all members of the recording, in its order.
	var got, want struct{ Results []json.RawMessage }
	decode(t, page.body, &got)
	decode(t, string(recorded(t, "openalex/works_search_relevance.json")), &want)
	if g, w := members(t, got.Results[0]), members(t, want.Results[0]); !slices.Equal(g, w) {
		t.Errorf("a record has the members\n%v, the recording\n%v", g, w)
	}
	single := get(t, s, OpenAlex, "/works/W2024032885")
	full := members(t, recorded(t, "openalex/work_full_2026.json"))
	if g := members(t, []byte(single.body)); !slices.Equal(g, full) {
		t.Errorf("a single work has the members\n%v, the recording\n%v", g, full)
	}
	empty := get(t, s, OpenAlex, "/works", "search", "zzqqxx").body
	if g, w := members(t, []byte(empty)), members(t, recorded(t, "openalex/works_search_empty.json")); !slices.Equal(g, w) {
		t.Errorf("an empty page has the members %v, the recording %v", g, w)
	}
	for _, h := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Credits-Used", "X-RateLimit-Reset", "X-RateLimit-Cost-USD",
		"X-RateLimit-Limit-USD", "X-RateLimit-Remaining-USD", "X-RateLimit-Onetime-Remaining", "X-RateLimit-Prepaid-Remaining-USD"} {
		if page.header.Get(h) == "" {
			t.Errorf("the header %s is missing", h)
		}
	}
	if c := page.header.Get("X-RateLimit-Credits-Used"); c != "10" {
		t.Errorf("a search costs %s credits", c)
	}
	if c := single.header.Get("X-RateLimit-Credits-Used"); c != "0" {
		t.Errorf("a single work costs %s credits", c)
	}
}

func TestCrossrefShape(t *testing.T) {
	s := start(t, Options{})
	var lists, singles []map[string]bool
	for _, name := range []string{"works_query_author_field.json.gz", "works_sample10_mixed.json", "works_cursor_page1.json", "works_cursor_page2.json", "works_plos_updates.json.gz",
		"works_query_2.json", "title_query_empty.json"} {
		lists = append(lists, jsonPaths(t, recorded(t, "crossref/"+name)))
	}
	for _, name := range []string{"work_by_doi.json", "work_by_doi_minimal.json", "work_with_unstructured_refs.json", "preprint_posted_content.json", "work_by_doi_proceedings_null_date.json"} {
		singles = append(singles, jsonPaths(t, recorded(t, "crossref/"+name)))
	}
	// Of relations only one kind is at hand in the recordings; subtitle is
	// there in single works.
	known := map[string]bool{"message.relation.has-preprint": true}
	for _, p := range []string{"", "[].id-type", "[].id", "[].asserted-by"} {
		known["message.relation.has-preprint"+p], known["message.items[].relation.has-preprint"+p] = true, true
	}
	a := get(t, s, Crossref, "/works", "query", "memory", "rows", "1000")
	within(t, jsonPaths(t, []byte(a.body)), append(lists, known)...)
	within(t, jsonPaths(t, []byte(get(t, s, Crossref, "/works", "query", "memory", "cursor", "*").body)), append(lists, known)...)
	for _, doi := range []string{"10.1038/nature04533", "10.1016/j.neucom.2025.130193", "10.1145/3748302", "10.1002/hipo.22165"} {
		one := get(t, s, Crossref, "/works/"+doi)
		if one.status != 200 {
			t.Errorf("%s: status %d", doi, one.status)
		}
		within(t, jsonPaths(t, []byte(one.body)), append(singles, known)...)
		var got, want struct{ Message json.RawMessage }
		decode(t, one.body, &got)
		decode(t, string(recorded(t, "crossref/work_by_doi.json")), &want)
		order := members(t, want.Message)
		g := members(t, got.Message)
		inOrder(t, g, order)
		for _, must := range []string{"indexed", "reference-count", "content-domain", "DOI", "type", "created", "source", "is-referenced-by-count", "title", "prefix", "deposited",
			"score", "resource", "subtitle", "short-title", "issued", "references-count", "URL", "relation", "subject", "original-title"} {
			if !slices.Contains(g, must) {
				t.Errorf("%s lacks %s", doi, must)
			}
		}
	}
	if !strings.Contains(a.body, `\/`) || strings.IndexFunc(a.body, func(r rune) bool { return r > 126 }) >= 0 {
		t.Error("slashes and what is not ASCII are not escaped")
	}
	if p, l := a.header.Get("x-api-pool"), a.header.Get("x-rate-limit-interval"); p != "public-array" || l != "1s" || a.header.Get("x-rate-limit-limit") == "" {
		t.Errorf("the pool is %q, the interval %q", p, l)
	}
	if p := get(t, s, Crossref, "/works/10.1038/nature04533", "mailto", "librarian@example.org").header.Get("x-api-pool"); p != "polite" {
		t.Errorf("with an address the pool is %q", p)
	}
}

func TestCrossrefErrors(t *testing.T) {
	s := start(t, Options{})
	same := func(name string, a answer, status int) {
		t.Helper()
		if want := string(recorded(t, "crossref/"+name)); strings.TrimSpace(a.body) != strings.TrimSpace(want) || a.status != status {
			t.Errorf("%s: status %d, %s\nwant %s", name, a.status, a.body, want)
		}
	}
	same("error_404_doi_text.txt", get(t, s, Crossref, "/works/10.1371/notarealdoi"), 404)
	same("arxiv_doi_not_in_crossref.txt", get(t, s, Crossref, "/works/10.48550/arxiv.2304.03442"), 404)
	same("error_400_query_on_singleton.json", get(t, s, Crossref, "/works/10.1038/nature04533", "query.author", "x"), 400)
	same("error_400_sample_over_100.json", get(t, s, Crossref, "/works", "sample", "200"), 400)
	same("error_400_integer.json", get(t, s, Crossref, "/works", "rows", "things"), 400)
	same("error_404_bad_cursor.json", get(t, s, Crossref, "/works", "query", "widget", "cursor", "thing"), 404)
	same("title_query_empty.json", get(t, s, Crossref, "/works", "query.title", "askldjrq3rjaw938h", "rows", "1"), 200)
	var v struct {
		Message []struct{ Type, Value, Message string }
	}
	a := get(t, s, Crossref, "/works", "filter", "has-colour:true")
	decode(t, a.body, &v)
	if a.status != 400 || v.Message[0].Type != "filter-not-available" || !strings.Contains(v.Message[0].Message, "from-pub-date") {
		t.Errorf("an unknown filter gives %d %s", a.status, a.body)
	}
	if agency := get(t, s, Crossref, "/works/10.1038/nature04533/agency").body; !strings.Contains(agency, `"agency":{"id":"crossref","label":"Crossref"}`) {
		t.Errorf("the agency is %s", agency)
	}
}

func TestPubMedShape(t *testing.T) {
	s := start(t, Options{})
	var articles []map[string]bool
	for _, name := range []string{"efetch_3_articles.xml", "efetch_no_abstract.xml", "efetch_erratum_in.xml", "efetch_sul_batch.xml", "efetch_structured_abstract.xml"} {
		articles = append(articles, xmlPaths(t, recorded(t, "pubmed/"+name)))
	}
	// This recording is the article without the set around it.
	articles = append(articles, xmlPaths(t, slices.Concat([]byte("<PubmedArticleSet>"), recorded(t, "pubmed/efetch_no_pmid_2019.xml"), []byte("</PubmedArticleSet>"))))
	ids := get(t, s, PubMed, "/esearch.fcgi", "term", "memory OR learning OR mind", "retmax", "200", "retmode", "json")
	within(t, jsonPaths(t, []byte(ids.body)), jsonPaths(t, recorded(t, "pubmed/esearch_json.json")), jsonPaths(t, recorded(t, "pubmed/esearch_json_zero_hits.json")))
	var found struct{ EsearchResult struct{ IDList []string } }
	decode(t, ids.body, &found)
	if len(found.EsearchResult.IDList) < 15 {
		t.Fatalf("only %d ids", len(found.EsearchResult.IDList))
	}
	list := strings.Join(found.EsearchResult.IDList, ",")
	xml := get(t, s, PubMed, "/efetch.fcgi", "id", list, "rettype", "abstract", "retmode", "xml")
	within(t, xmlPaths(t, []byte(xml.body)), articles...)
	if n := strings.Count(xml.body, "<PubmedArticle>"); n != len(found.EsearchResult.IDList) {
		t.Errorf("%d records for %d ids", n, len(found.EsearchResult.IDList))
	}
	within(t, xmlPaths(t, []byte(get(t, s, PubMed, "/esearch.fcgi", "term", "memory zzqqxx", "usehistory", "y").body)),
		xmlPaths(t, recorded(t, "pubmed/esearch_xml_history.xml")), xmlPaths(t, recorded(t, "pubmed/esearch_xml_errorlist.xml")))
	within(t, jsonPaths(t, []byte(get(t, s, PubMed, "/esearch.fcgi", "term", "memory", "usehistory", "y", "retmode", "json", "retmax", "0").body)),
		jsonPaths(t, recorded(t, "pubmed/esearch_json_usehistory.json")), jsonPaths(t, recorded(t, "pubmed/esearch_json.json")))
	within(t, jsonPaths(t, []byte(get(t, s, PubMed, "/elink.fcgi", "dbfrom", "pubmed", "id", "23836525", "cmd", "neighbor_score", "retmode", "json").body)),
		jsonPaths(t, recorded(t, "pubmed/elink_json_neighbor_score.json")))
	within(t, xmlPaths(t, []byte(get(t, s, PubMed, "/elink.fcgi", "dbfrom", "pubmed", "id", "23836525").body)), xmlPaths(t, recorded(t, "pubmed/elink_neighbor_refs_citedin.xml")))
	summary := get(t, s, PubMed, "/esummary.fcgi", "id", "23836525", "retmode", "json")
	within(t, jsonPaths(t, []byte(summary.body), "result"), jsonPaths(t, recorded(t, "pubmed/esummary_json_27933103.json"), "result"))
	within(t, xmlPaths(t, []byte(get(t, s, PubMed, "/esummary.fcgi", "id", "23836525").body)), xmlPaths(t, recorded(t, "pubmed/esummary_xml.xml")))
}

func TestPubMedErrors(t *testing.T) {
	s := start(t, Options{})
	same := func(name string, a answer) {
		t.Helper()
		if want := string(recorded(t, "pubmed/"+name)); strings.TrimSpace(a.body) != strings.TrimSpace(want) || a.status != 200 {
			t.Errorf("%s: status %d, %s\nwant %s", name, a.status, a.body, want)
		}
	}
	same("esearch_json_error_empty_term.json", get(t, s, PubMed, "/esearch.fcgi", "term", "", "retmode", "json"))
	same("esearch_json_error_retstart_9998.json", get(t, s, PubMed, "/esearch.fcgi", "term", "x", "retstart", "10000", "retmode", "json"))
	same("esearch_json_error_unbalanced.json", get(t, s, PubMed, "/esearch.fcgi", "term", "((", "retmode", "json"))
	same("esearch_json_zero_hits.json", get(t, s, PubMed, "/esearch.fcgi", "term", "zzzxxyyqq", "retmode", "json"))
	same("efetch_error_expired_history.xml", get(t, s, PubMed, "/efetch.fcgi", "query_key", "1", "WebEnv", "MCID_gone", "retmode", "xml"))
	same("efetch_missing_pmid.xml", get(t, s, PubMed, "/efetch.fcgi", "id", "37909814"))
	same("esummary_error.xml", get(t, s, PubMed, "/esummary.fcgi"))
	same("esummary_json_missing_uid.json", get(t, s, PubMed, "/esummary.fcgi", "id", "40482261", "retmode", "json"))
	var ids []string
	for i := range 501 {
		ids = append(ids, itoa(1000+i))
	}
	same("esummary_json_error_too_many.json", get(t, s, PubMed, "/esummary.fcgi", "id", strings.Join(ids, ","), "retmode", "json"))
}

func TestSemanticScholarShape(t *testing.T) {
	s := start(t, Options{})
	fields := "paperId,externalIds,corpusId,publicationVenue,url,title,abstract,venue,year,referenceCount,citationCount,influentialCitationCount,isOpenAccess,openAccessPdf," +
		"fieldsOfStudy,s2FieldsOfStudy,tldr,publicationTypes,publicationDate,journal,citationStyles,authors"
	full := jsonPaths(t, recorded(t, "semanticscholar/paper_full_nested.json.gz"), "externalIds")
	rich := jsonPaths(t, recorded(t, "semanticscholar/paper_search_relevance.json"))
	pdf := map[string]bool{"externalIds.*": true}
	for _, p := range []string{"url", "status", "license", "disclaimer"} {
		pdf["openAccessPdf."+p] = rich["data[].openAccessPdf."+p]
	}
	one := get(t, s, SemanticScholar, "/graph/v1/paper/ARXIV:2304.03442", "fields", fields)
	within(t, jsonPaths(t, []byte(one.body), "externalIds"), full, pdf)
	inOrder(t, members(t, []byte(one.body)), slices.Insert(slices.DeleteFunc(members(t, recorded(t, "semanticscholar/paper_full_nested.json.gz")),
		func(n string) bool { return n == "abstract" || n == "embedding" }), 21, "abstract"))

	search := get(t, s, SemanticScholar, "/graph/v1/paper/search", "query", "memory", "fields", "title,abstract,year,citationCount,influentialCitationCount,isOpenAccess,"+
		"openAccessPdf,authors,externalIds,fieldsOfStudy,s2FieldsOfStudy,publicationDate", "limit", "100")
	within(t, jsonPaths(t, []byte(search.body), "data[].externalIds"), jsonPaths(t, recorded(t, "semanticscholar/paper_search_relevance.json"), "data[].externalIds"))
	var got, want struct{ Data []json.RawMessage }
	decode(t, search.body, &got)
	decode(t, string(recorded(t, "semanticscholar/paper_search_relevance.json")), &want)
	if g, w := members(t, got.Data[0]), members(t, want.Data[0]); !slices.Equal(g, w) {
		t.Errorf("a paper has the members %v, the recording %v", g, w)
	}
	if g, w := members(t, []byte(search.body)), members(t, recorded(t, "semanticscholar/paper_search_relevance.json")); !slices.Equal(g, w) {
		t.Errorf("a page has the members %v, the recording %v", g, w)
	}
	for name, path := range map[string]string{"references_rich.json": "references", "citations_rich.json": "citations"} {
		list := get(t, s, SemanticScholar, "/graph/v1/paper/ARXIV:2310.08560/"+path, "fields", "title,externalIds,url,venue,year,citationCount,openAccessPdf,fieldsOfStudy,publicationDate,authors,abstract", "limit", "1")
		within(t, jsonPaths(t, []byte(list.body)), jsonPaths(t, recorded(t, "semanticscholar/"+name)), map[string]bool{"data[].citingPaper.externalIds.DOI": true,
			"data[].citedPaper.externalIds.ArXiv": true})
		inOrder(t, members(t, []byte(list.body)), members(t, recorded(t, "semanticscholar/"+name)))
	}
	bulk := get(t, s, SemanticScholar, "/graph/v1/paper/search/bulk", "query", "memory", "fields", "title")
	if g, w := members(t, []byte(bulk.body)), members(t, recorded(t, "semanticscholar/bulk_token_last.json")); !slices.Equal(g, w) {
		t.Errorf("a bulk page has the members %v, the recording %v", g, w)
	}
	match := get(t, s, SemanticScholar, "/graph/v1/paper/search/match", "query", "MemGPT towards LLMs as operating systems", "fields", "title")
	within(t, jsonPaths(t, []byte(match.body)), jsonPaths(t, recorded(t, "semanticscholar/search_match_title.json")))
}

func TestSemanticScholarErrors(t *testing.T) {
	s := start(t, Options{})
	same := func(name string, a answer, status int) {
		t.Helper()
		if want := string(recorded(t, "semanticscholar/"+name)); a.body != want || a.status != status {
			t.Errorf("%s: status %d, %s\nwant %s", name, a.status, a.body, want)
		}
	}
	same("error_400_bad_field.json", get(t, s, SemanticScholar, "/graph/v1/paper/ARXIV:2310.08560", "fields", "unknown"), 400)
	same("error_404_paper.json", get(t, s, SemanticScholar, "/graph/v1/paper/0", "fields", "title"), 404)
	same("error_404_match.json", get(t, s, SemanticScholar, "/graph/v1/paper/search/match", "query", "askldjrq3rjaw938h", "fields", "title"), 404)
	same("search_empty_no_data_key.json", get(t, s, SemanticScholar, "/graph/v1/paper/search", "query", "n0 r3sult s3arch t3rm", "fields", "title", "offset", "0", "limit", "100"), 200)
	if a := get(t, s, SemanticScholar, "/graph/v1/paper/search", "query", "x", "rows", "3"); a.status != 400 || !strings.Contains(a.body, `Unacceptable query params: [rows]`) {
		t.Errorf("an unknown parameter gives %d %s", a.status, a.body)
	}
}

func TestOpenAlexErrors(t *testing.T) {
	s := start(t, Options{})
	same := func(name string, a answer, status int) {
		t.Helper()
		if want := string(recorded(t, "openalex/"+name)); strings.TrimSpace(a.body) != strings.TrimSpace(want) || a.status != status {
			t.Errorf("%s: status %d, %s\nwant %s", name, a.status, a.body, want)
		}
	}
	works := func(params ...string) answer { return get(t, s, OpenAlex, "/works", params...) }
	same("error_400_wildcard.json", works("search", "does aspirin prevent cancer?"), 400)
	same("error_400_leading_wildcard.json", works("search.exact", "*phone"), 400)
	same("error_400_limit_param.json", works("search", "x", "limit", "10"), 400)
	same("error_400_bad_cursor.json", works("search", "x", "cursor", "abc"), 400)
	same("error_400_page_over_10000.json", works("search", "x", "per_page", "100", "page", "101"), 400)
	same("error_400_search_too_long.json", works("search", strings.Repeat("a", 1612)), 400)
	same("error_400_two_filters.json", works("filter", "type:article", "filter", "publication_year:2020"), 400)
	same("error_400_or_over_100.json", works("filter", "openalex:"+strings.TrimSuffix(strings.Repeat("W1|", 101), "|")), 400)
	same("error_429_plan_upgrade.json", works("filter", "from_created_date:2026-01-01"), 429)
	same("error_404_doi_html.html", get(t, s, OpenAlex, "/works/https://doi.org/10.1046%2Fj.1365-2699.2003.00795", "select", "open_access,doi"), 404)
	same("error_400_unknown_select.json", get(t, s, OpenAlex, "/works/W2024032885", "select", "DOESNTEXIST"), 400)
	raw := fetch(t, "GET", s.URL(OpenAlex)+"/works?filter=title.search:climate,%20biodiversity", "", "")
	same("error_400_raw_comma_filter.json", raw, 400)
	if raw.header.Get("x-openalex-edge-reject") != "f1:raw_comma_filter" {
		t.Error("the edge does not say why it refused")
	}
	if a := works("filter", "DOESNTEXIST:1"); a.status != 400 || !strings.HasPrefix(a.body, `{"error":"Invalid query parameters error.","message":"DOESNTEXIST is not a valid field. Valid fields are `) {
		t.Errorf("an unknown filter gives %d %s", a.status, a.body)
	}
	if a := works("search", "x", "colour", "red"); a.status != 400 || !strings.Contains(a.body, "colour is not a valid parameter") {
		t.Errorf("an unknown parameter gives %d %s", a.status, a.body)
	}
	long := fetch(t, "GET", s.URL(OpenAlex)+"/works?filter=doi:"+strings.Repeat("a", 9000), "", "")
	if long.status != 400 || !strings.Contains(long.body, "Request URL too long") {
		t.Errorf("a long address gives %d %.100s", long.status, long.body)
	}
}
