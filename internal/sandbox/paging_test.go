package sandbox

import (
	"fmt"
	"testing"
)

// TestPagingToTheEnd pages through each list and wants each record once.
func TestPagingToTheEnd(t *testing.T) {
	s := start(t, Options{})
	type pageOf func(state string) (ids []string, next string, total int)
	openAlex := func(params ...string) pageOf {
		return func(cursor string) ([]string, string, int) {
			var v struct {
				Meta struct {
					Count int
					Next  string `json:"next_cursor"`
				}
				Results []struct{ ID string }
			}
			decode(t, get(t, s, OpenAlex, "/works", append(params, "per_page", "37", "cursor", cursor)...).body, &v)
			var ids []string
			for _, r := range v.Results {
				ids = append(ids, r.ID)
			}
			return ids, v.Meta.Next, v.Meta.Count
		}
	}
	cases := map[string]struct {
		first string
		page  pageOf
	}{
		"arXiv": {"0", func(start string) ([]string, string, int) {
			var v struct {
				Total   int `xml:"totalResults"`
				Entries []struct {
					ID string `xml:"id"`
				} `xml:"entry"`
			}
			decodeXML(t, get(t, s, ArXiv, "/api/query", "search_query", "all:memory", "start", start, "max_results", "37").body, &v)
			var ids []string
			for _, e := range v.Entries {
				ids = append(ids, e.ID)
			}
			return ids, nextNumber(start, len(ids), 37), v.Total
		}},
		"OpenAlex, search":     {"*", openAlex("search", "memory")},
		"OpenAlex, everything": {"*", openAlex()},
		"OpenAlex, by page": {"1", func(number string) ([]string, string, int) {
			var v struct {
				Meta    struct{ Count int }
				Results []struct{ ID string }
			}
			decode(t, get(t, s, OpenAlex, "/works", "filter", "publication_year:2025", "per_page", "20", "page", number).body, &v)
			var ids []string
			for _, r := range v.Results {
				ids = append(ids, r.ID)
			}
			if len(ids) == 0 {
				return nil, "", v.Meta.Count
			}
			var n int
			fmt.Sscan(number, &n)
			return ids, itoa(n + 1), v.Meta.Count
		}},
		"Crossref, cursor": {"*", func(cursor string) ([]string, string, int) {
			var v struct {
				Message struct {
					Total int    `json:"total-results"`
					Next  string `json:"next-cursor"`
					Items []struct{ DOI string }
				}
			}
			decode(t, get(t, s, Crossref, "/works", "query", "memory", "rows", "11", "cursor", cursor).body, &v)
			var ids []string
			for _, i := range v.Message.Items {
				ids = append(ids, i.DOI)
			}
			if v.Message.Next == "" {
				t.Error("a page has no cursor")
			}
			if len(ids) == 0 {
				return nil, "", v.Message.Total
			}
			return ids, v.Message.Next, v.Message.Total
		}},
		"Crossref, offset": {"0", func(offset string) ([]string, string, int) {
			var v struct {
				Message struct {
					Total int `json:"total-results"`
					Items []struct{ DOI string }
				}
			}
			decode(t, get(t, s, Crossref, "/works", "query", "memory", "rows", "11", "offset", offset).body, &v)
			var ids []string
			for _, i := range v.Message.Items {
				ids = append(ids, i.DOI)
			}
			return ids, nextNumber(offset, len(ids), 11), v.Message.Total
		}},
		"PubMed": {"0", func(start string) ([]string, string, int) {
			var v struct {
				EsearchResult struct {
					Count  string
					IDList []string
				}
			}
			decode(t, get(t, s, PubMed, "/esearch.fcgi", "term", "memory", "retstart", start, "retmax", "7", "retmode", "json").body, &v)
			var total int
			fmt.Sscan(v.EsearchResult.Count, &total)
			return v.EsearchResult.IDList, nextNumber(start, len(v.EsearchResult.IDList), 7), total
		}},
		"Semantic Scholar": {"0", func(offset string) ([]string, string, int) {
			var v struct {
				Total, Next int
				Data        []struct{ PaperID string }
			}
			decode(t, get(t, s, SemanticScholar, "/paper/search", "query", "memory", "offset", offset, "limit", "37").body, &v)
			var ids []string
			for _, d := range v.Data {
				ids = append(ids, d.PaperID)
			}
			if v.Next == 0 {
				return ids, "", v.Total
			}
			return ids, itoa(v.Next), v.Total
		}},
		"Semantic Scholar, references": {"0", func(offset string) ([]string, string, int) {
			var v struct {
				Next int
				Data []struct{ CitedPaper struct{ Title string } }
			}
			decode(t, get(t, s, SemanticScholar, "/paper/ARXIV:2512.13564/references", "offset", offset, "limit", "50").body, &v)
			var ids []string
			for _, d := range v.Data {
				ids = append(ids, d.CitedPaper.Title)
			}
			if v.Next == 0 {
				return ids, "", 137
			}
			return ids, itoa(v.Next), 137
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			seen, total := map[string]bool{}, -1
			at, pages := c.first, 0
			for ; at != "" && pages < 100; pages++ {
				ids, next, of := c.page(at)
				if total >= 0 && of != total {
					t.Errorf("the total changed from %d to %d", total, of)
				}
				total = of
				for _, id := range ids {
					if seen[id] {
						t.Errorf("%s came twice", id)
					}
					seen[id] = true
				}
				at = next
			}
			if len(seen) != total || total < 8 {
				t.Errorf("%d records of %d on %d pages", len(seen), total, pages)
			}
		})
	}
}

func nextNumber(at string, got, size int) string {
	if got < size {
		return ""
	}
	var n int
	fmt.Sscan(at, &n)
	return itoa(n + got)
}
