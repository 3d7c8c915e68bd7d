package openalex

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

const lastPage = `{"meta":{"count":120,"next_cursor":null},"results":[]}`

const noHits = `{"meta":{"count":0,"page":null,"per_page":10,"next_cursor":null},"results":[]}`

func TestConformance(t *testing.T) {
	page := sample(t, "search.json")
	seed := `{"id":"https://openalex.org/W100000001","doi":"https://doi.org/10.5555/water.1","title":"Finding water","referenced_works":["https://openalex.org/W100000001","https://openalex.org/W100000002","https://openalex.org/W100000009"]}`
	first := sourcetest.Answer{Path: "/works", Query: map[string]string{"cursor": "*"}, Body: page}
	pmc := `{"id":"https://openalex.org/W100000001","ids":{"pmcid":"https://www.ncbi.nlm.nih.gov/pmc/articles/777"},"title":"In a library"}`
	alone := `{"id":"https://openalex.org/W7","title":"A work without a list","referenced_works":[]}`
	water := sources.Seed{IDs: map[string][]string{state.DOI: {"10.5555/water.1"}}, Title: "Finding water"}
	lonely := sources.Seed{IDs: map[string][]string{state.OpenAlex: {"W7"}}}
	sourcetest.Run(t, func(t *testing.T, do sourcetest.Doer) sources.Source {
		return New(do, Config{Key: sourcetest.Key, Contact: sourcetest.Contact})
	}, sourcetest.Cases{
		Search: sourcetest.Scenario{
			Request: sources.Request{Query: "dowsing", SinceYear: 2000, Limit: 4, Op: "search Q1"},
			Answers: []sourcetest.Answer{first, {Path: "/works", Query: map[string]string{"cursor": "bmV4dA"}, Body: lastPage}},
			Total:   120, Records: 2, Skips: 2,
		},
		Zero: sourcetest.Scenario{
			Request: sources.Request{Query: "askldjrq3rjaw938h", Limit: 10, Op: "search Q2"},
			Answers: []sourcetest.Answer{{Path: "/works", Body: noHits}},
		},
		Lookup: &sourcetest.Scenario{
			IDs: []state.IDs{{state.DOI: "10.5555/water.1"}, {state.ArXiv: "2101.00001"}, {state.DOI: "10.5555/a,b"}, {state.PMCID: "PMC777"}, {state.DOI: "10.5555/gone"}},
			Answers: []sourcetest.Answer{
				{Path: "/works/doi:10.5555/a,b", Body: `{"id":"W5","doi":"10.5555/a,b","title":"A comma in the DOI"}`},
				{Path: "/works/doi:10.48550/arxiv.2101.00001", Body: `{"id":"W6","doi":"10.48550/arxiv.2101.00001","title":"A preprint about springs"}`},
				{Path: "/works/pmcid:PMC777", Body: pmc},
				{Path: "/works", Body: `{"meta":{"count":1,"next_cursor":null},"results":[{"id":"https://openalex.org/W100000009","doi":"https://doi.org/10.5555/water.1","title":"Finding water"}]}`},
			},
			Records: 4,
		},
		References: &sourcetest.Scenario{
			Seed: water,
			Answers: []sourcetest.Answer{
				{Path: "/works/doi:10.5555/water.1", Body: seed},
				{Path: "/works", Body: page},
			},
			Records: 2, Skips: 3,
		},
		Citing: &sourcetest.Scenario{
			Seed: water, Limit: 4,
			Answers: []sourcetest.Answer{
				{Path: "/works/doi:10.5555/water.1", Body: seed},
				{Path: "/works", Query: map[string]string{"filter": "cites:W100000001", "cursor": "*"}, Body: page},
				{Path: "/works", Query: map[string]string{"cursor": "bmV4dA"}, Body: lastPage},
			},
			Records: 2, Skips: 2,
		},
		NoReferences: &sourcetest.Scenario{Seed: lonely, Answers: []sourcetest.Answer{{Path: "/works/W7", Body: alone}}},
		NoCiting: &sourcetest.Scenario{Seed: lonely, Answers: []sourcetest.Answer{
			{Path: "/works/W7", Body: alone}, {Path: "/works", Body: noHits},
		}},
		Failures: []sourcetest.Failure{
			{
				Name: "the budget of the day is used up", Outcome: state.Throttled, Says: "midnight UTC",
				Answers: []sourcetest.Answer{{Status: 429, Body: `{"error":"Rate limit exceeded","message":"Insufficient budget.","retryAfter":40447,"creditsRequired":10,"creditsRemaining":0}`}},
			},
			{
				Name: "plan upgrade", Outcome: state.Broken, Says: "requires a plan",
				Answers: []sourcetest.Answer{{Status: 429, Body: `{"error":"Plan upgrade required","message":"The filter requires a plan."}`}},
			},
			{
				Name: "too broad", Outcome: state.Broken, Says: "narrow the query",
				Answers: []sourcetest.Answer{{Status: 504, Body: `{"error":"Gateway timeout","message":"Please narrow the query.","reason":"query_timeout"}`}},
			},
			{
				Name: "a count without works", Outcome: state.Broken, Says: "holds none",
				Answers: []sourcetest.Answer{{Body: `{"meta":{"count":12},"results":[]}`}},
			},
		},
		Limit:   Limit(sourcetest.Key),
		Pager:   &sourcetest.Pager{Answer: played},
		Queries: []string{"search.title=a (b", "title_and_abstract.search:(a OR b)", "search=search.title=x", "-a +b|c", "'machine learning' AND x", "a NOT (b OR c)", `"a b"~5 AND NOT d`, "Hello, John"},
	})
}

// played is the service with many hits.
func played(_ string, q url.Values, l sourcetest.Library) string {
	start, _ := strconv.Atoi(strings.TrimPrefix(q.Get("cursor"), "*"))
	per, _ := strconv.Atoi(q.Get("per_page"))
	first, last := l.Page(start, per)
	var works []string
	for n := first; n <= last; n++ {
		works = append(works, fmt.Sprintf(`{"id":"https://openalex.org/W%d","title":"Work number %[1]d"}`, n))
	}
	next := "null"
	if start+per < l.Hits || l.Repeats {
		next = fmt.Sprintf(`"%d"`, start+per)
	}
	if l.Repeats {
		next = `"7"`
	}
	return fmt.Sprintf(`{"meta":{"count":%d,"next_cursor":%s},"results":[%s]}`, l.Total, next, strings.Join(works, ","))
}
