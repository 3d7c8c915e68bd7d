package crossref

import (
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

func sample(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const (
	noHits = `{"status":"ok","message-type":"work-list","message":{"total-results":0,"items":[]}}`
	water  = `{"DOI":"10.5555/WATER.1","type":"journal-article","title":["Finding water"]}`
)

func listOf(items ...string) string {
	return `{"status":"ok","message-type":"work-list","message":{"total-results":1,"items":[` + strings.Join(items, ",") + `]}}`
}

func TestConformance(t *testing.T) {
	seed := sources.Seed{IDs: map[string][]string{state.DOI: {"10.5555/SEED"}}, Title: "The seed"}
	sourcetest.Run(t, func(t *testing.T, do sourcetest.Doer) sources.Source {
		return New(do, Config{Key: sourcetest.Key, Contact: sourcetest.Contact})
	}, sourcetest.Cases{
		Search: sourcetest.Scenario{
			Request: sources.Request{Query: "dowsing", SinceYear: 2000, Limit: 5, Op: "search Q1"},
			Answers: []sourcetest.Answer{
				{Path: "/works", Query: map[string]string{"offset": "5"}, Body: strings.Replace(noHits, `:0,`, `:4100000,`, 1)},
				{Path: "/works", Body: sample(t, "search.json")},
			},
			Total: 4100000, Records: 2, Skips: 3,
		},
		Zero: sourcetest.Scenario{
			Request: sources.Request{Query: "askldjrq3rjaw938h", Limit: 10, Op: "search Q2"},
			Answers: []sourcetest.Answer{{Path: "/works", Body: noHits}},
		},
		Lookup: &sourcetest.Scenario{
			IDs: []state.IDs{{state.DOI: "10.5555/water.1"}, {state.DOI: "10.5555/a,b"}, {state.DOI: "10.5555/gone"}},
			Answers: []sourcetest.Answer{
				{Path: "/works/10.5555/a,b", Body: `{"status":"ok","message":{"DOI":"10.5555/a,b","title":["A comma in the DOI"]}}`},
				{Path: "/works", Body: listOf(water)},
			},
			Records: 2,
		},
		References: &sourcetest.Scenario{
			Seed: seed,
			Answers: []sourcetest.Answer{
				{Path: "/works/10.5555/seed", Body: sample(t, "seed.json")},
				{Path: "/works", Query: map[string]string{"filter": "doi:10.5555/water.1,doi:10.5555/unknown,doi:10.5555/gone"}, Body: listOf(water)},
				{Path: "/works/10.5555/water.1", Body: `{"status":"ok","message":` + water + `}`}, // limit 1
			},
			Records: 4, Skips: 5,
		},
		NoReferences: &sourcetest.Scenario{Seed: seed, Answers: []sourcetest.Answer{
			{Path: "/works/10.5555/seed", Body: `{"status":"ok","message":{"DOI":"10.5555/seed","title":["The seed"],"reference-count":31}}`},
		}},
		Failures: []sourcetest.Failure{
			{
				Name: "an unknown filter", Outcome: state.Broken, Says: "no such filter",
				Answers: []sourcetest.Answer{{Status: 400, Body: `{"status":"failed","message-type":"validation-failure","message":[{"type":"filter-not-available","value":"x","message":"Filter specified but there is no such filter"}]}`}},
			},
			{
				Name: "429 as a page", Outcome: state.Throttled,
				Answers: []sourcetest.Answer{{Status: 429, Body: "<html><body><h1>429 Too Many Requests</h1></body></html>"}},
			},
			{
				Name: "a count without works", Outcome: state.Broken, Says: "holds none",
				Answers: []sourcetest.Answer{{Body: strings.Replace(noHits, `:0,`, `:12,`, 1)}},
			},
		},
		Limit:   Limit(sourcetest.Contact),
		Pager:   &sourcetest.Pager{Answer: played},
		Queries: []string{"query.title=a (b", "query=query.title=x", "a NOT b", `a AND NOT "b c" OR d`, `NO"T a`, "ti:ti:x", "NOT NOT a b"},
	})
}

// played is the service with many hits.
func played(_ string, q url.Values, l sourcetest.Library) string {
	start, _ := strconv.Atoi(q.Get("offset") + strings.TrimPrefix(q.Get("cursor"), "*"))
	rows, _ := strconv.Atoi(q.Get("rows"))
	first, last := l.Page(start, rows)
	var items []string
	for n := first; n <= last; n++ {
		items = append(items, fmt.Sprintf(`{"DOI":"10.5555/%d","type":"journal-article","title":["Work number %[1]d"]}`, n))
	}
	next := strconv.Itoa(start + rows)
	if l.Repeats {
		next = "7"
	}
	return fmt.Sprintf(`{"status":"ok","message":{"total-results":%d,"next-cursor":"%s","items":[%s]}}`, l.Total, next, strings.Join(items, ","))
}
