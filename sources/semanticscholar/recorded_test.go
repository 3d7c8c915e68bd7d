package semanticscholar

import (
	"fmt"
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

// recordings says what the adapter makes of every recorded body.
var recordings = []struct {
	name      string
	operation string
	outcome   state.Outcome
	records   int
	skips     int
	says      string // occurs in the error or in the notes
}{
	{"batch_with_null", "look-up of many", state.Hits, 3, 0, "Semantic Scholar has no record for pmid 1"},
	{"bulk_token_last", "Boolean search", state.Hits, 674, 0, ""},
	{"bulk_token_page1", "Boolean search", state.Hits, 1000, 0, ""},
	{"bulk_token_page2", "Boolean search", state.Hits, 1000, 0, ""},
	{"citation_object_all_fields", "citing works", state.Broken, 0, 0, "neither offset nor data"},
	{"citations_last", "citing works", state.Hits, 81, 0, ""},
	{"citations_page1", "citing works", state.Hits, 100, 0, ""},
	{"citations_rich", "citing works", state.Hits, 3, 0, ""},
	{"error_400_bad_field", "look-up", state.Broken, 0, 0, "unsupported fields"},
	{"error_400_too_large", "citing works", state.Broken, 0, 0, "exceed maximum size"},
	{"error_403_bad_key", "look-up of many", state.Refused, 0, 0, "set OPTIMISTRESEARCH_SOURCE_SEMANTICSCHOLAR_KEY"},
	{"error_404_match", "look-up", state.ZeroHits, 0, 0, "has no record for pmid 1"},
	{"error_404_paper", "look-up", state.ZeroHits, 0, 0, "has no record for pmid 1"},
	{"error_429_no_key", "search", state.Throttled, 0, 0, "share one pool"},
	{"error_429_short", "search", state.Throttled, 0, 0, "share one pool"},
	{"match_wrong_title", "search", state.Broken, 0, 0, "no total"},
	{"paper_by_arxiv_id", "look-up", state.Hits, 1, 0, ""},
	{"paper_doi_2025", "look-up", state.Hits, 1, 0, ""},
	{"paper_doi_no_authors", "look-up", state.Hits, 1, 0, ""},
	{"paper_full_nested", "look-up", state.Hits, 1, 0, ""},
	{"paper_search_bulk_1000", "Boolean search", state.Hits, 1000, 0, ""},
	{"paper_search_relevance", "search", state.Hits, 5, 0, ""},
	{"recommendations", "search", state.Broken, 0, 0, "no total"},
	{"reference_object_all_fields", "references", state.Broken, 0, 0, "neither offset nor data"},
	{"references_page1", "references", state.Hits, 50, 0, ""},
	{"references_page2_last", "references", state.Hits, 17, 0, ""},
	{"references_rich", "references", state.Hits, 3, 0, ""},
	{"search_date_range", "search", state.Hits, 100, 0, ""},
	{"search_empty_no_data_key", "search", state.ZeroHits, 0, 0, ""},
	{"search_match_title", "search", state.Broken, 0, 0, "no total"},
	{"search_open_access", "search", state.ZeroHits, 0, 100, ""},
	{"search_page1", "search", state.Hits, 100, 0, ""},
	{"search_page2", "search", state.Hits, 100, 0, ""},
	{"search_publication_types", "search", state.ZeroHits, 0, 100, ""},
	{"snippet_search", "search", state.Broken, 0, 0, "no total"},
}

// replay gives the recorded body to an operation, and an end to what is asked
// after it.
func replay(t *testing.T, r sourcetest.Recording, operation string, wanted int) (sources.Result, error) {
	t.Helper()
	answer := r.Answer(t)
	s := func(answers ...sourcetest.Answer) *Source {
		return New(sourcetest.NewService(t, answers).Doer(), Config{})
	}
	seed := sourcetest.Answer{Path: "/paper/PMID:1", Body: `{"paperId":"` + hex + `","title":"The seed"}`}
	ids := sources.Seed{IDs: map[string][]string{state.PMID: {"1"}}}
	wanted = max(wanted, 1)
	switch operation {
	case "look-up":
		return s(answer).Lookup(t.Context(), []state.IDs{{state.PMID: "1"}})
	case "look-up of many":
		return s(answer).Lookup(t.Context(), []state.IDs{{state.PMID: "1"}, {state.PMID: "2"}, {state.PMID: "3"}, {state.PMID: "4"}})
	case "references":
		return s(seed, answer).References(t.Context(), ids, wanted)
	case "citing works":
		return s(seed, answer).Citing(t.Context(), ids, wanted)
	case "Boolean search":
		return s(answer).Search(t.Context(), sources.Request{Query: "(kubernetes | docker)", Limit: wanted, Op: "search Q1"})
	}
	end := sourcetest.Answer{Body: `{"total":100,"offset":0}`}
	first := answer
	first.Query = map[string]string{"offset": "0"}
	return s(first, end).Search(t.Context(), sources.Request{Query: "turing", Limit: wanted, Op: "search Q1"})
}

func TestRecordedAnswers(t *testing.T) {
	all := sourcetest.Recordings(t, Name)
	for _, r := range all {
		known := false
		for _, c := range recordings {
			if c.name != r.Case {
				continue
			}
			known = true
			t.Run(c.name, func(t *testing.T) {
				got, err := replay(t, r, c.operation, c.records+c.skips)
				row := sourcetest.RowOf(Name, strings.TrimSuffix(strings.TrimPrefix(c.operation, "Boolean "), " of many"), c.name, got, err)
				if row.Outcome != string(c.outcome) || row.Records != c.records || row.Skips != c.skips || !strings.Contains(row.Note, c.says) {
					t.Errorf("%+v; want %+v", row, c)
				}
				for _, f := range sourcetest.ResultFaults(Name, got) {
					t.Error(f)
				}
				row.Add(t)
			})
		}
		if !known {
			t.Errorf("the recording %s has no row", r.Case)
		}
	}
	if len(all) != len(recordings) {
		t.Errorf("%d recordings and %d rows", len(all), len(recordings))
	}
}

func recordedPaper(t testing.TB, file string) state.Record {
	t.Helper()
	return one(t, string(sourcetest.Recorded(t, Name+"/"+file)))
}

func TestRecordedFields(t *testing.T) {
	r := recordedPaper(t, "paper_doi_2025.json")
	for scheme, want := range (state.IDs{
		state.DOI: "10.1038/s42256-024-00832-8", state.ArXiv: "2304.05376", state.PMID: "38799228", state.PMCID: "PMC11116106",
		state.CorpusID: "258059792", state.DBLP: "journals/natmi/BranCSBWS24", state.S2: "354dcdebf3f8b5feeed5c62090e0bc1f0c28db06",
	}) {
		if r.IDs[scheme] != want {
			t.Errorf("%s is %q, want %q", scheme, r.IDs[scheme], want)
		}
	}
	// The year is the preprint's, the venue the journal's: said, not mended.
	if r.Year != 2023 || r.Venue != "Nat. Mac. Intell." || len(r.Notes) != 1 || r.Pages != "525-535" || r.Links[0].License != "cc-by" {
		t.Errorf("record is %+v", r)
	}
	attention := recordedPaper(t, "paper_by_arxiv_id.json")
	if attention.Links != nil || attention.Date != "2017-06-12" || attention.IDs[state.MAG] != "2963403868" || fmt.Sprint(attention.Subjects) != "[Computer Science]" {
		t.Errorf("an empty open-access address became %+v, date %q, ids %v, subjects %q", attention.Links, attention.Date, attention.IDs, attention.Subjects)
	}
	j := New(nil, Config{}).begin("test")
	if err := j.decodePapers(sourcetest.Recorded(t, Name+"/paper_search_bulk_1000.json.gz")); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, r := range j.Result.Records {
		count[string(r.Kind)]++
		if r.Abstract != "" {
			count["abstract"]++
		}
		if len(r.Subjects) > 0 {
			count["subjects"]++
		}
		for _, l := range r.Links {
			count[l.Source]++
		}
	}
	if got := fmt.Sprint(count); got != "map[abstract:293 bronze open access:107 gold open access:58 green open access:188 hybrid open access:59 other:866 preprint:47 published:87 subjects:1000]" {
		t.Errorf("the thousand papers are %s", got)
	}
}

func BenchmarkDecode(b *testing.B) {
	body := sourcetest.Recorded(b, Name+"/paper_search_bulk_1000.json.gz")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	records := 0
	for b.Loop() {
		j := New(nil, Config{}).begin("test")
		if err := j.decodePapers(body); err != nil {
			b.Fatal(err)
		}
		records += len(j.Result.Records)
	}
	b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
}
