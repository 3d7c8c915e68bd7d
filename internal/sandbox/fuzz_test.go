package sandbox

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzQueries throws strings at every query language: no service may fail to
// answer, or answer with something that its format does not allow.
func FuzzQueries(f *testing.F) {
	lib, err := shared()
	if err != nil {
		f.Fatal(err)
	}
	for _, q := range []string{"memory", `"a b"~5 (`, "((", `ti:"x AND (`, "a-b", "NOT -x | +", "[dp] : 2020", `"2020"[dp] : "2021"[dp]`, "日本語 ’", "a*", "*", "\x00\xff", "))((", "OR OR", "AND NOT OR",
		"submittedDate:[1 TO 2]", "x[tiab:~9]", "-(", "id:v", "cat:", "au:_", strings.Repeat("(", 300), `""`, "x:y:z"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		s := &Server{lib: lib, finders: lib.prepare(), budget: newBudget(Options{}), history: &history{}, faults: newFaultState(nil)}
		ask := func(source, path string, params url.Values) reply {
			c := &call{source: source, method: "GET", path: path, query: params, form: params, header: http.Header{}, now: time.Unix(0, 0)}
			handler := map[string]func(*call) reply{ArXiv: s.arXiv, OpenAlex: s.openAlex, Crossref: s.crossref, PubMed: s.pubMed, SemanticScholar: s.semanticScholar}[source]
			out := handler(c)
			if out.status >= 500 && !(source == ArXiv && (strings.Contains(q, "/?") || strings.Contains(q, "?/"))) {
				t.Errorf("%s answers %q with %d", source, q, out.status)
			}
			return out
		}
		var v struct {
			XMLName struct{}
		}
		decodeXML(t, string(ask(ArXiv, "/query", url.Values{"search_query": {q}}).body), &v)
		decodeXML(t, string(ask(ArXiv, "/query", url.Values{"id_list": {q}}).body), &v)
		decodeXML(t, string(ask(PubMed, "/esearch.fcgi", url.Values{"term": {q}}).body), &v)
		for _, r := range []reply{
			ask(OpenAlex, "/works", url.Values{"search": {q}}), ask(OpenAlex, "/works", url.Values{"search.exact": {q}}), ask(OpenAlex, "/works", url.Values{"filter": {q}}),
			ask(OpenAlex, "/works", url.Values{"cursor": {q}}), ask(Crossref, "/works", url.Values{"query": {q}}), ask(Crossref, "/works", url.Values{"filter": {q}}),
			ask(PubMed, "/esearch.fcgi", url.Values{"term": {q}, "retmode": {"json"}}), ask(PubMed, "/esummary.fcgi", url.Values{"id": {q}, "retmode": {"json"}}),
			ask(SemanticScholar, "/paper/search", url.Values{"query": {q}}), ask(SemanticScholar, "/paper/search/bulk", url.Values{"query": {q}}),
			ask(SemanticScholar, "/paper/search/match", url.Values{"query": {q}}), ask(SemanticScholar, "/paper/search", url.Values{"query": {"memory"}, "fields": {q}}),
		} {
			if !json.Valid(r.body) && !slices.Contains([]int{404}, r.status) {
				t.Errorf("%q gives no JSON: %.300s", q, r.body)
			}
		}
		ask(OpenAlex, "/works/"+q, url.Values{})
		ask(Crossref, "/works/"+q, url.Values{})
		ask(SemanticScholar, "/paper/"+q, url.Values{})
	})
}
