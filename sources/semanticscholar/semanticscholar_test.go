package semanticscholar

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
	hex   = "0123456789abcdef0123456789abcdef01234567"
	water = `{"paperId":"` + hex + `","externalIds":{"DOI":"10.5555/WATER.1"},"title":"Finding water","referenceCount":4,"citationCount":9}`
	empty = `{"offset":0,"data":[]}`
)

// bulk is the same service asked in its Boolean language.
const bulk = `{"total":2,"token":null,"data":[` + water + `]}`

func TestConformance(t *testing.T) {
	seed := sources.Seed{IDs: map[string][]string{state.DOI: {"10.5555/WATER.1"}}, Title: "Finding water"}
	references := sample(t, "references.json")
	citations := strings.ReplaceAll(references, "citedPaper", "citingPaper")
	last := map[string]string{"offset": "4"}
	sourcetest.Run(t, func(t *testing.T, do sourcetest.Doer) sources.Source {
		return New(do, Config{Key: sourcetest.Key, Contact: sourcetest.Contact})
	}, sourcetest.Cases{
		Search: sourcetest.Scenario{
			Request: sources.Request{Query: "dowsing", SinceYear: 2000, Limit: 4, Op: "search Q1"},
			Answers: []sourcetest.Answer{
				{Path: "/paper/search", Query: map[string]string{"year": "2000-", "offset": "0"}, Body: sample(t, "search.json")},
				{Path: "/paper/search", Query: map[string]string{"offset": "4"}, Body: `{"total":1200,"offset":4}`},
				{Path: "/paper/search/bulk", Body: bulk},
			},
			Total: 1200, Records: 2, Skips: 2,
		},
		Zero: sourcetest.Scenario{
			Request: sources.Request{Query: "n0 r3sult s3arch t3rm", Limit: 10, Op: "search Q2"},
			Answers: []sourcetest.Answer{{Path: "/paper/search", Body: `{"total":0,"offset":0}`}},
		},
		Lookup: &sourcetest.Scenario{
			IDs: []state.IDs{{state.DOI: "10.5555/water.1"}, {state.DOI: "10.5555/gone"}, {state.ArXiv: "2101.00001"}},
			Answers: []sourcetest.Answer{
				{Method: "POST", Path: "/paper/batch", Body: `[` + water + `,null]`},
				{Path: "/paper/ARXIV:2101.00001", Body: `{"paperId":"cccccccccccccccccccccccccccccccccccccccc","externalIds":{"ArXiv":"2101.00001"},"title":"A preprint"}`},
			},
			Records: 2,
		},
		References: &sourcetest.Scenario{
			Seed: seed,
			Answers: []sourcetest.Answer{
				{Path: "/paper/DOI:10.5555/water.1", Body: water},
				{Path: "/paper/" + hex + "/references", Query: last, Body: empty},
				{Path: "/paper/" + hex + "/references", Body: references},
			},
			Records: 2, Skips: 2,
		},
		Citing: &sourcetest.Scenario{
			Seed: seed,
			Answers: []sourcetest.Answer{
				{Path: "/paper/DOI:10.5555/water.1", Body: water},
				{Path: "/paper/" + hex + "/citations", Query: last, Body: empty},
				{Path: "/paper/" + hex + "/citations", Body: citations},
			},
			Records: 2, Skips: 2,
		},
		NoReferences: &sourcetest.Scenario{Seed: seed, Answers: []sourcetest.Answer{
			{Path: "/paper/DOI:10.5555/water.1", Body: water}, {Path: "/references", Body: `{"offset":0,"data":null}`},
		}},
		NoCiting: &sourcetest.Scenario{Seed: seed, Answers: []sourcetest.Answer{
			{Path: "/paper/DOI:10.5555/water.1", Body: water}, {Path: "/citations", Body: empty},
		}},
		Failures: []sourcetest.Failure{
			{
				Name: "a field that is gone", Outcome: state.Broken, Says: "unsupported fields",
				Answers: []sourcetest.Answer{{Status: 400, Body: `{"error":"Unrecognized or unsupported fields: [x]"}`}},
			},
			{
				Name: "the shared pool", Outcome: state.Throttled, Says: "Too Many Requests",
				Answers: []sourcetest.Answer{{Status: 429, Body: `{"message":"Too Many Requests. Please wait and try again.","code":"429"}`}},
			},
			{
				Name: "a total without papers", Outcome: state.Broken, Says: "holds none",
				Answers: []sourcetest.Answer{{Body: `{"total":12,"offset":0}`}},
			},
		},
		Limit:   Limit(sourcetest.Key),
		Pager:   &sourcetest.Pager{Answer: played},
		Queries: []string{"a -b", "a + -(b|c", "a - b", "-(x", `-"y z" w`, "a -?? b", "immun* a*b", "C++ and C#", "a NOT b", "NOT-a b", "COVID-19", "ti:ti:x", "NOT NOT a b"},
	})
}

// played is the service with many hits.
func played(path string, q url.Values, l sourcetest.Library) string {
	start, _ := strconv.Atoi(q.Get("offset") + q.Get("token"))
	size, err := strconv.Atoi(q.Get("limit"))
	if err != nil {
		size = 1000
	}
	first, last := l.Page(start, size)
	var papers []string
	for n := first; n <= last; n++ {
		papers = append(papers, fmt.Sprintf(`{"paperId":"%040x","title":"Paper number %[1]d"}`, n))
	}
	next := ""
	if start+size < l.Hits || l.Repeats {
		next = fmt.Sprintf(`,"next":%d,"token":"%[1]d"`, start+size)
	}
	return fmt.Sprintf(`{"total":%d,"offset":%d%s,"data":[%s]}`, l.Total, start, next, strings.Join(papers, ","))
}
