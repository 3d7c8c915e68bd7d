package openalex

import (
	"os"
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

const noHits = `{"meta":{"count":0,"page":null,"per_page":10,"next_cursor":null},"results":[]}`

func TestConformance(t *testing.T) {
	page := sample(t, "search.json")
	seed := `{"id":"https://openalex.org/W100000001","doi":"https://doi.org/10.5555/water.1","title":"Finding water","referenced_works":["https://openalex.org/W100000001","https://openalex.org/W100000002","https://openalex.org/W100000009"]}`
	alone := `{"id":"https://openalex.org/W7","title":"A work without a list","referenced_works":[]}`
	water := sources.Seed{IDs: map[string][]string{state.DOI: {"10.5555/water.1"}}, Title: "Finding water"}
	lonely := sources.Seed{IDs: map[string][]string{state.OpenAlex: {"W7"}}}
	sourcetest.Run(t, func(t *testing.T, do sourcetest.Doer) sources.Source {
		return New(do, Config{Key: sourcetest.Key, Contact: sourcetest.Contact})
	}, sourcetest.Cases{
		Search: sourcetest.Scenario{
			Request: sources.Request{Query: "dowsing", SinceYear: 2000, Limit: 4, Op: "search Q1"},
			Answers: []sourcetest.Answer{{Path: "/works", Body: page}},
			Total:   120, Records: 2, Skips: 2,
		},
		Zero: sourcetest.Scenario{
			Request: sources.Request{Query: "askldjrq3rjaw938h", Limit: 10, Op: "search Q2"},
			Answers: []sourcetest.Answer{{Path: "/works", Body: noHits}},
		},
		Lookup: &sourcetest.Scenario{
			IDs: []state.IDs{{state.DOI: "10.5555/water.1"}, {state.ArXiv: "2101.00001"}, {state.DOI: "10.5555/a,b"}},
			Answers: []sourcetest.Answer{
				{Path: "/works/doi:10.5555/a,b", Body: `{"id":"W5","doi":"10.5555/a,b","title":"A comma in the DOI"}`},
				{Path: "/works/doi:10.48550/arxiv.2101.00001", Body: `{"id":"W6","doi":"10.48550/arxiv.2101.00001","title":"A preprint about springs"}`},
				{Path: "/works", Body: `{"meta":{"count":1,"next_cursor":null},"results":[{"id":"https://openalex.org/W100000001","doi":"https://doi.org/10.5555/water.1","title":"Finding water"}]}`},
			},
			Records: 3,
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
				{Path: "/works", Query: map[string]string{"filter": "cites:W100000001"}, Body: page},
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
		Queries: []string{"'machine learning' AND x", "a NOT (b OR c)", `"a b"~5 AND NOT d`, "Hello, John"},
	})
}
