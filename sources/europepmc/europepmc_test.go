package europepmc

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

const noHits = `{"version":"6.9","hitCount":0,"request":{"queryString":"x"},"resultList":{"result":[]}}`

// found is the answer to a search with the given records.
func found(next string, total int, records ...string) string {
	if next != "" {
		next = `"nextCursorMark":` + strconv.Quote(next) + `,`
	}
	return fmt.Sprintf(`{"version":"6.9","hitCount":%d,%s"resultList":{"result":[%s]}}`, total, next, strings.Join(records, ","))
}

func listed(kind string, total int, entries ...string) string {
	return fmt.Sprintf(`{"version":"6.9","hitCount":%d,"%sList":{"%[2]s":[%s]}}`, total, kind, strings.Join(entries, ","))
}

const (
	seedRecord = `{"id":"101","source":"MED","pmid":"101","doi":"10.5555/seed","title":"The seed.","pubYear":"2019","pubTypeList":{"pubType":["Journal Article"]}}`
	water      = `{"id":"202","source":"MED","pmid":"202","doi":"10.5555/water","title":"Finding water.","pubYear":"2010","pubTypeList":{"pubType":["Journal Article"]}}`
	rods       = `{"id":"PPR303","source":"PPR","doi":"10.1101/rods","title":"Rods","pubYear":"2021","pubTypeList":{"pubType":["Preprint"]}}`
)

// pager plays Europe PMC with many hits.
func pager(path string, params url.Values, l sourcetest.Library) string {
	start := 0
	if mark := params.Get("cursorMark"); mark != "*" {
		start, _ = strconv.Atoi(strings.TrimPrefix(mark, "at "))
	}
	size, _ := strconv.Atoi(params.Get("pageSize"))
	first, last := l.Page(start, size)
	var records []string
	for n := first; n <= last; n++ {
		records = append(records, fmt.Sprintf(`{"id":"%d","source":"MED","pmid":"%[1]d","title":"Work %[1]d.","pubYear":"2020"}`, n))
	}
	return found(fmt.Sprint("at ", max(last, start)), l.Total, records...)
}

func TestConformance(t *testing.T) {
	seed := sources.Seed{IDs: map[string][]string{state.DOI: {"10.5555/SEED"}}, Title: "The seed"}
	sourcetest.Run(t, func(t *testing.T, do sourcetest.Doer) sources.Source {
		return New(do, Config{Contact: sourcetest.Contact})
	}, sourcetest.Cases{
		Limit: Limit(""),
		Pager: &sourcetest.Pager{Answer: pager},
		Search: sourcetest.Scenario{
			Request: sources.Request{Query: "dowsing", SinceYear: 2000, Limit: 5, Op: "search Q1"},
			Answers: []sourcetest.Answer{{Path: "/search", Body: sample(t, "search.json")}},
			Total:   6, Records: 4, Skips: 2,
		},
		Zero: sourcetest.Scenario{
			Request: sources.Request{Query: "askldjrq3rjaw938h", Limit: 10, Op: "search Q2"},
			Answers: []sourcetest.Answer{{Path: "/search", Body: noHits}},
		},
		Lookup: &sourcetest.Scenario{
			IDs: []state.IDs{{state.PMID: "202"}, {PPR: "PPR303"}, {state.DOI: "10.5555/gone"}, {state.PMID: "404", state.DOI: "10.5555/seed"}},
			Answers: []sourcetest.Answer{
				{Query: map[string]string{"query": "(EXT_ID:202 AND SRC:MED) OR (EXT_ID:404 AND SRC:MED)"}, Body: found("", 1, water)},
				{Query: map[string]string{"query": "(EXT_ID:PPR303 AND SRC:PPR)"}, Body: found("", 1, rods)},
				{Query: map[string]string{"query": `DOI:"10.5555/gone" OR DOI:"10.5555/seed"`}, Body: found("", 2, seedRecord, strings.ReplaceAll(water, "202", "203"))},
			},
			Records: 3, Skips: 1,
		},
		References: &sourcetest.Scenario{
			Seed: seed,
			Answers: []sourcetest.Answer{
				{Path: "/search", Query: map[string]string{"query": `DOI:"10.5555/seed"`}, Body: found("", 1, seedRecord)},
				{Path: "/MED/101/references", Body: listed("reference", 4,
					`{"id":"202","source":"MED","title":"Finding water.","citedOrder":1}`,
					`{"title":"A book on rods","authorString":"Hazel W.","pubYear":1990,"citedOrder":2,"match":"N"}`,
					`{"citedOrder":3,"match":"N"}`, `{"id":"909","source":"MED","title":"Left out by the look-up.","authorString":"Doe J, van Dam AB.","citedOrder":4}`)},
				{Path: "/search", Body: found("", 1, water)},
			},
			Records: 3, Skips: 1,
		},
		Citing: &sourcetest.Scenario{
			Seed: sources.Seed{IDs: map[string][]string{state.PMID: {"101"}}, Title: "The seed"},
			Answers: []sourcetest.Answer{
				{Path: "/search", Query: map[string]string{"query": "(EXT_ID:101 AND SRC:MED)"}, Body: found("", 1, seedRecord)},
				{Path: "/MED/101/citations", Body: listed("citation", 2, `{"id":"PPR303","source":"PPR","title":"Rods","pubYear":2021}`, `{"id":"202","source":"MED","title":"Finding water."}`)},
				{Path: "/search", Query: map[string]string{"query": "(EXT_ID:PPR303 AND SRC:PPR)"}, Body: found("", 1, rods)}, // limit 1
				{Path: "/search", Body: found("", 2, water, rods)},
			},
			Records: 2,
		},
		NoReferences: &sourcetest.Scenario{Seed: seed, Answers: []sourcetest.Answer{
			{Path: "/search", Body: found("", 1, seedRecord)}, {Path: "/references", Body: `{"version":"6.9","hitCount":0,"request":{"id":"101"}}`},
		}},
		NoCiting: &sourcetest.Scenario{Seed: seed, Answers: []sourcetest.Answer{
			{Path: "/search", Body: found("", 1, seedRecord)}, {Path: "/citations", Status: 404, Body: ""},
		}},
		Failures: []sourcetest.Failure{
			{
				Name: "an error inside 200", Outcome: state.Broken, Says: "Valid size is between 1 and 1000",
				Answers: []sourcetest.Answer{{Body: `{"errCode":404,"errMsg":"Invalid page size provided. Valid size is between 1 and 1000"}`}},
			},
			{Name: "an outage inside 200", Outcome: state.Down, Says: "503", Answers: []sourcetest.Answer{{Body: `{"errCode":503,"errMsg":"down"}`}}},
			{Name: "haste inside 200", Outcome: state.Throttled, Answers: []sourcetest.Answer{{Body: `{"errCode":"429","errMsg":"slow down"}`}}},
			{Name: "the empty shell", Outcome: state.Broken, Says: "empty shell", Answers: []sourcetest.Answer{{Body: `{"version":"6.9"}`}}},
			{Name: "a count without works", Outcome: state.Broken, Says: "holds none", Answers: []sourcetest.Answer{{Body: found("", 12)}}},
			{Name: "a count without a list", Outcome: state.Broken, Says: "no list", Answers: []sourcetest.Answer{{Body: `{"version":"6.9","hitCount":12}`}}},
			{
				Name: "maintenance", Outcome: state.Down,
				Answers: []sourcetest.Answer{{Status: 503, Body: "This API is temporarily unavailable due to maintenance."}},
			},
		},
		Queries: []string{"a NOT ?? b", "a NOT () b", "TITLE: (a OR b)", "PUB_YEAR:[2020 TO 2024]", "TITLE:TITLE:x", `a NOT "" b`, "10.1126/science.1112286", "a/b*"},
	})
}

// A long query goes as a form, a short one in the address.
func TestLongQueriesAreForms(t *testing.T) {
	service := sourcetest.NewService(t, []sourcetest.Answer{{Method: "POST", Path: "/searchPOST", Body: noHits}, {Method: "GET", Path: "/search", Body: noHits}})
	s := New(service.Doer(), Config{})
	for _, q := range []string{"dowsing", strings.Repeat("dowsing OR ", 200) + "rods"} {
		if _, err := s.Search(t.Context(), sources.Request{Query: q, Limit: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if asked := service.Asked(); len(asked) != 2 || !strings.HasPrefix(asked[0], "GET ") || !strings.HasPrefix(asked[1], "POST ") {
		t.Errorf("asked %.80q", asked)
	}
}

func TestFilters(t *testing.T) {
	for _, c := range []struct {
		r     sources.Request
		want  string
		notes int
	}{
		{sources.Request{}, "", 0},
		{sources.Request{SinceYear: 2020}, "(PUB_YEAR:[2020 TO 3000] OR FIRST_PDATE:[2020-01-01 TO 3000-12-31])", 0},
		{sources.Request{UntilYear: 1999, Languages: []string{"DE", "xx"}}, "(PUB_YEAR:[1000 TO 1999] OR FIRST_PDATE:[1000-01-01 TO 1999-12-31]) AND LANG:ger", 1},
		{sources.Request{Types: []string{sources.TypePreprint, sources.TypeConference}}, "SRC:PPR", 1},
		{sources.Request{Types: []string{sources.TypePreprint, sources.TypeThesis}}, "(SRC:PPR OR SRC:ETH)", 0},
	} {
		got, notes := filter(c.r)
		if got != c.want || len(notes) != c.notes {
			t.Errorf("%+v: %q, notes %q; want %q", c.r, got, notes, c.want)
		}
	}
	service := sourcetest.NewService(t, []sourcetest.Answer{{Query: map[string]string{"query": `LANG:fre AND (a OR b)`}, Body: noHits}})
	if _, err := New(service.Doer(), Config{}).Search(t.Context(), sources.Request{Query: "a OR b", Languages: []string{"fr"}, Limit: 1}); err != nil {
		t.Error(err)
	}
}

// The list of a seed with several identifiers is that of its article.
func TestSeedIsTheArticle(t *testing.T) {
	service := sourcetest.NewService(t, []sourcetest.Answer{
		{Path: "/search", Query: map[string]string{"query": `PMCID:PMC7 OR DOI:"10.5555/seed"`}, Body: found("", 3,
			`{"id":"PMC7","source":"PMC","pmcid":"PMC7","title":"The seed"}`, seedRecord, water)},
		{Path: "/MED/101/citations", Query: map[string]string{"page": "1", "pageSize": "2"}, Body: listed("citation", 857, `{"id":"5","source":"MED","title":"A"}`, `{"id":"6","source":"MED","title":"B"}`)},
		{Path: "/search", Body: found("", 0)},
	})
	got, err := New(service.Doer(), Config{}).Citing(t.Context(), sources.Seed{IDs: map[string][]string{state.PMCID: {"pmc7"}, state.DOI: {"10.5555/seed"}}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if got.Total != 857 || len(got.Records) != 2 || got.Verified == nil || got.Verified.IDs[state.PMID] != "101" || len(got.Notes) != 1 {
		t.Errorf("%+v", got)
	}
}
