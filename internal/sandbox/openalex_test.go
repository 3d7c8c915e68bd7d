package sandbox

import (
	"fmt"
	"strings"
	"testing"
)

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
