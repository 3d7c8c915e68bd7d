package openalex

import (
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

// recordings says what the adapter makes of every recorded body. A list is
// given to the operation that asks for such lists; a limit of 0 is as many
// records as there are.
var recordings = []struct {
	name      string
	operation string
	outcome   state.Outcome
	records   int
	skips     int
	says      string // occurs in the error or in the notes
}{
	{"autocomplete_works", "search", state.Hits, 10, 0, ""},
	{"error_400_bad_cursor", "search", state.Broken, 0, 0, "Invalid cursor value"},
	{"error_400_leading_wildcard", "search", state.Broken, 0, 0, "Leading wildcards are not supported"},
	{"error_400_limit_param", "search", state.Broken, 0, 0, "per-page"},
	{"error_400_or_over_100", "look-up", state.Broken, 0, 0, "Maximum number of values exceeded"},
	{"error_400_page_over_10000", "search", state.Broken, 0, 0, "Cursor pagination is required"},
	{"error_400_raw_comma_filter", "search", state.Broken, 0, 0, "unescaped comma"},
	{"error_400_search_too_long", "search", state.Broken, 0, 0, "the limit is 1500"},
	{"error_400_two_filters", "search", state.Broken, 0, 0, "Only one filter parameter"},
	{"error_400_unknown_filter", "search", state.Broken, 0, 0, "DOESNTEXIST is not a valid field"},
	{"error_400_unknown_select", "look-up", state.Broken, 0, 0, "DOESNTEXIST is not a valid select field"},
	{"error_400_url_too_long", "search", state.Broken, 0, 0, "over the 8190-byte limit"},
	{"error_400_wildcard", "search", state.Broken, 0, 0, "Wildcards (* or ?) require exact"},
	{"error_401_bad_key", "search", state.Refused, 0, 0, "set OPTIMISTRESEARCH_SOURCE_OPENALEX_KEY"},
	{"error_401_content_no_key", "look-up", state.Refused, 0, 0, "set OPTIMISTRESEARCH_SOURCE_OPENALEX_KEY"},
	{"error_404_doi_html", "look-up", state.ZeroHits, 0, 0, "OpenAlex has no record for"},
	{"error_429_broad_boolean", "search", state.Throttled, 0, 0, "9 boolean operators"},
	{"error_429_daily_budget_anon", "search", state.Throttled, 0, 0, "until midnight UTC"},
	{"error_429_daily_budget_shared_ip", "search", state.Throttled, 0, 0, "until midnight UTC"},
	{"error_429_per_second", "search", state.Throttled, 0, 0, "10 requests per second"},
	{"error_429_plan_upgrade", "search", state.Broken, 0, 0, "requires a Premium"},
	{"error_503_anon_search_paused", "search", state.Down, 0, 0, "switched off at times"},
	{"error_504_query_timeout", "search", state.Broken, 0, 0, "narrow the query"},
	{"work_by_doi_colon_in_doi", "look-up", state.Hits, 1, 0, ""},
	{"work_by_doi_no_authors", "look-up", state.Hits, 1, 0, ""},
	{"work_by_doi_select_closed", "look-up", state.Broken, 0, 0, "it has no OpenAlex id"},
	{"work_by_doi_select_oa", "look-up", state.Broken, 0, 0, "it has no OpenAlex id"},
	{"work_by_id_full", "look-up", state.Hits, 1, 0, ""},
	{"work_by_id_null_title", "look-up", state.ZeroHits, 0, 1, ""},
	{"work_full_2026", "look-up", state.Hits, 1, 0, ""},
	{"works_by_ids_or_filter", "search", state.Hits, 2, 0, ""},
	{"works_cited_by_filter", "search", state.Hits, 37, 1, ""},
	{"works_cites_filter", "citing works", state.Hits, 5, 0, ""},
	{"works_cursor_last_page_empty", "search", state.Broken, 0, 0, "holds none"},
	{"works_group_by_type", "search", state.Broken, 0, 0, "no meta or no results"},
	{"works_search_count_only", "search", state.ZeroHits, 0, 1, ""},
	{"works_search_empty", "search", state.ZeroHits, 0, 0, ""},
	{"works_search_phrase", "search", state.Hits, 5, 0, ""},
	{"works_search_relevance", "search", state.Hits, 3, 0, ""},
	{"works_title_abstract_search_200", "search", state.Hits, 200, 0, ""},
	{"works_title_search_colon", "search", state.Hits, 1, 0, ""},
	{"works_title_search_two_versions", "search", state.Hits, 2, 0, ""},
}

// replay gives the recorded body to an operation, and its end to what is asked
// after it.
func replay(t *testing.T, r sourcetest.Recording, operation string, records int) (sources.Result, error) {
	t.Helper()
	answer := r.Answer(t)
	if after := r.Header["retry-after"]; after != "" {
		answer.Header.Set("Retry-After", after)
	}
	end := sourcetest.Answer{Body: `{"meta":{"count":0,"next_cursor":null},"results":[]}`}
	s := func(answers ...sourcetest.Answer) *Source {
		return New(sourcetest.NewService(t, answers).Doer(), Config{})
	}
	switch operation {
	case "look-up":
		return s(answer).Lookup(t.Context(), []state.IDs{{state.OpenAlex: "W2162348455"}})
	case "citing works":
		seed := sourcetest.Answer{Path: "/works/W3046863325", Body: `{"id":"https://openalex.org/W3046863325","title":"The seed"}`}
		return s(seed, answer).Citing(t.Context(), sources.Seed{IDs: map[string][]string{state.OpenAlex: {"W3046863325"}}}, max(records, 1))
	}
	answer.Query = map[string]string{"cursor": "*"}
	return s(answer, end).Search(t.Context(), sources.Request{Query: "attention mechanism", Limit: max(records, 1), Op: "search Q1"})
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
				got, err := replay(t, r, c.operation, c.records)
				row := sourcetest.RowOf(Name, c.operation, c.name, got, err)
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

// A query that cannot succeed is sent once, one that can is sent again.
func TestWhatIsRepeated(t *testing.T) {
	for _, r := range sourcetest.Recordings(t, Name) {
		once, listed := map[string]bool{
			"error_429_plan_upgrade": true, "error_429_daily_budget_anon": true, "error_429_daily_budget_shared_ip": true,
			"error_504_query_timeout": true, "error_400_wildcard": true, "error_401_bad_key": true,
			"error_429_per_second": false, "error_429_broad_boolean": false, "error_503_anon_search_paused": false,
		}[r.Case]
		if !listed {
			continue
		}
		answer := r.Answer(t)
		if after := r.Header["retry-after"]; after != "" {
			answer.Header.Set("Retry-After", after)
		}
		service := sourcetest.NewService(t, []sourcetest.Answer{answer})
		_, err := New(service.Doer(), Config{}).Search(t.Context(), sources.Request{Query: "x", Limit: 1})
		if n := len(service.Asked()); err == nil || (n == 1) != once {
			t.Errorf("%s: asked %d times, want once: %t; error %v", r.Case, n, once, err)
		}
	}
}

func recordedWork(t testing.TB, file string) state.Record {
	t.Helper()
	return one(t, string(sourcetest.Recorded(t, Name+"/"+file)))
}

func TestRecordedFields(t *testing.T) {
	full := recordedWork(t, "work_full_2026.json")
	if full.IDs[state.DOI] != "10.7717/peerj.4375" || full.IDs[state.PMID] != "29456894" || full.IDs[state.MAG] != "2741809807" {
		t.Errorf("ids are %v", full.IDs)
	}
	if full.Date != "2018-02-13" || full.Venue != "PeerJ" || full.Pages != "e4375" || full.Volume != "6" || *full.Citations != 1163 || full.Language != "en" {
		t.Errorf("date %q, venue %q, volume %q, pages %q, citations %d", full.Date, full.Venue, full.Volume, full.Pages, *full.Citations)
	}
	if len(full.Authors) != 9 || full.Authors[0] != (state.Author{Name: "Heather Piwowar", ORCID: "0000-0003-1613-5981"}) {
		t.Errorf("%d authors, first %+v", len(full.Authors), full.Authors[0])
	}
	if !strings.HasPrefix(full.Abstract, "Despite growing interest in Open Access (OA) to scholarly literature, there is an unmet need") {
		t.Errorf("abstract is %q", full.Abstract)
	}
	if full.Retraction == nil || full.Retraction.Status != state.RetractNone {
		t.Errorf("retraction is %+v", full.Retraction)
	}
	if strings.Join(full.ISSN, " ") != "2167-8359" || full.Keywords[0] != "Citation" || full.Subjects[0] != "scientometrics and bibliometrics research" {
		t.Errorf("ISSN %v, keywords %q, subjects %q", full.ISSN, full.Keywords, full.Subjects)
	}
	open := 0
	for _, l := range full.Links {
		if l.License == "cc-by" {
			open++
		}
	}
	if len(full.Links) < 5 || open == 0 || full.Links[0].Kind != "landing" {
		t.Errorf("links are %+v", full.Links)
	}
	mesh := recordedWork(t, "work_by_id_full.json")
	if mesh.Subjects[0] != "Animals" || !strings.Contains(strings.Join(mesh.Subjects, "|"), "*Conservation of Natural Resources") {
		t.Errorf("subjects are %q", mesh.Subjects)
	}
	if len(mesh.Funding) != 2 || mesh.Funding[1] != (state.Grant{Funder: "WWF International"}) {
		t.Errorf("funding is %+v", mesh.Funding)
	}
	both := recordedList(t, "works_title_search_two_versions.json")
	if both[1].IDs[state.ArXiv] != "2304.05376" || both[1].IDs[state.DOI] != "" || both[1].Date != "2023" {
		t.Errorf("the arXiv DOI became %v, the first of January %q", both[1].IDs, both[1].Date)
	}
	if both[0].Funding[0] != (state.Grant{Funder: "National Science Foundation", Award: "1751471"}) {
		t.Errorf("funding is %+v", both[0].Funding)
	}
	kinds := map[state.Kind]int{}
	for _, r := range recordedList(t, "works_title_abstract_search_200.json.gz") {
		kinds[r.Kind]++
	}
	if kinds[state.Published] != 114 || kinds[state.Preprint] != 10 {
		t.Errorf("kinds are %v", kinds)
	}
}

func recordedList(t testing.TB, file string) []state.Record {
	t.Helper()
	j := New(nil, Config{}).begin("test")
	if err := j.decodeList(sourcetest.Recorded(t, Name+"/"+file)); err != nil {
		t.Fatal(err)
	}
	return j.Result.Records
}

func BenchmarkDecode(b *testing.B) {
	body := sourcetest.Recorded(b, Name+"/works_title_abstract_search_200.json.gz")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	records := 0
	for b.Loop() {
		j := New(nil, Config{}).begin("test")
		if err := j.decodeList(body); err != nil {
			b.Fatal(err)
		}
		records += len(j.Result.Records)
	}
	b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
}
