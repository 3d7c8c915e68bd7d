package pubmed

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"optimistresearch/sources"
	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

// recordedOutcomes says what the adapter makes of every recorded answer, as
// the answer of one utility: esearch in a search, efetch in a look-up, elink in
// a search for references or citing works. The other utilities work. An answer
// of a utility that the adapter does not use stands for what a gateway may
// send in place of one.
var recordedOutcomes = map[string]struct {
	utility string
	outcome state.Outcome
	records int
	says    string // in the error or the notes
}{
	"efetch_3_articles":                  {"efetch", state.Hits, 3, ""},
	"efetch_author_suffix":               {"efetch", state.Hits, 1, ""},
	"efetch_book_article":                {"efetch", state.Hits, 1, ""},
	"efetch_bp_pubmed4":                  {"efetch", state.Hits, 1, ""},
	"efetch_bp_pubmed6":                  {"efetch", state.Hits, 1, ""},
	"efetch_bp_pubmed7":                  {"efetch", state.Hits, 1, ""},
	"efetch_collective_author":           {"efetch", state.Hits, 1, ""},
	"efetch_collective_investigators":    {"efetch", state.Hits, 1, ""},
	"efetch_comment_on":                  {"efetch", state.Hits, 1, ""},
	"efetch_erratum_in":                  {"efetch", state.Hits, 1, ""},
	"efetch_error_expired_history":       {"efetch", state.Broken, 0, "Unable to obtain query #1"},
	"efetch_inline_markup":               {"efetch", state.Hits, 1, ""},
	"efetch_missing_pmid":                {"efetch", state.ZeroHits, 0, "PubMed has no record for PMID 1"},
	"efetch_no_abstract":                 {"efetch", state.Hits, 1, ""},
	"efetch_no_abstract_comment":         {"efetch", state.Hits, 1, ""},
	"efetch_no_pmid_2019":                {"efetch", state.Hits, 1, ""},
	"efetch_preprint_update_of":          {"efetch", state.Hits, 1, ""},
	"efetch_references_large":            {"efetch", state.Hits, 1, ""},
	"efetch_structured_abstract":         {"efetch", state.Hits, 1, ""},
	"efetch_structured_mesh_copyright":   {"efetch", state.Hits, 1, ""},
	"efetch_sul_64kb":                    {"efetch", state.Hits, 1, ""},
	"efetch_sul_batch":                   {"efetch", state.Hits, 4, ""},
	"efetch_sul_empty":                   {"efetch", state.ZeroHits, 0, "PubMed has no record for PMID 1"},
	"efetch_text_error_page":             {"efetch", state.Broken, 0, "<html> instead of a PubmedArticleSet"},
	"efetch_vernacular_no_abstract":      {"efetch", state.Hits, 1, ""},
	"efetch_vernacular_title":            {"efetch", state.Hits, 1, ""},
	"elink_empty":                        {"pubmed_pubmed_refs", state.NoList, 0, "no references for PMID 1"},
	"elink_json_error":                   {"pubmed_pubmed_refs", state.Broken, 0, "TXCLIENT"},
	"elink_json_neighbor_score":          {"pubmed_pubmed_refs", state.NoList, 0, ""}, // similar articles only
	"elink_neighbor_refs_citedin":        {"pubmed_pubmed_citedin", state.Hits, 39, ""},
	"elink_scores":                       {"pubmed_pubmed_citedin", state.Hits, 3, ""},
	"epost_invalid_id":                   {"efetch", state.Broken, 0, "Some IDs have invalid value"},
	"epost_ok":                           {"efetch", state.Broken, 0, "<ePostResult> instead of a PubmedArticleSet"},
	"error_400_bad_key":                  {"esearch", state.Refused, 0, "source.pubmed.key"},
	"error_429_no_key":                   {"esearch", state.Throttled, 0, "API rate limit exceeded"},
	"error_429_with_key":                 {"efetch", state.Throttled, 0, "API rate limit exceeded"},
	"esearch_json":                       {"esearch", state.Hits, 3, `PubMed read it as: ("attention"[MeSH Terms]`},
	"esearch_json_author_tag":            {"esearch", state.Hits, 20, "PubMed read it as: Darwin[Author]"},
	"esearch_json_error_empty_term":      {"esearch", state.Broken, 0, "Empty term and query_key"},
	"esearch_json_error_expired_history": {"esearch", state.Broken, 0, "Unable to obtain query #1"},
	"esearch_json_error_retstart_9998":   {"esearch", state.Broken, 0, "Exception: 'retstart' cannot be larger than 9998"},
	"esearch_json_error_unbalanced":      {"esearch", state.Broken, 0, "Query syntax error"},
	"esearch_json_usehistory":            {"esearch", state.Broken, 0, "reports 28198 hits but sent no id"}, // no ids were asked for
	"esearch_json_zero_hits":             {"esearch", state.ZeroHits, 0, "searched without them: zzzxxyyqq"},
	"esearch_xml_errorlist":              {"esearch", state.ZeroHits, 0, "searched without them: abcXYZ"},
	"esearch_xml_history":                {"esearch", state.Hits, 100, "named 100 of them"},
	"esearch_xml_sul_author":             {"esearch", state.Hits, 334, ""},
	"esearch_xml_translation":            {"esearch", state.Hits, 20, "named 20 of them"},
	"esearch_xml_translationset":         {"esearch", state.Hits, 4, ""},
	"esummary_error":                     {"efetch", state.Broken, 0, ""},
	"esummary_json_27933103":             {"efetch", state.Broken, 0, "no XML"},
	"esummary_json_error_too_many":       {"efetch", state.Broken, 0, "no XML"},
	"esummary_json_missing_uid":          {"efetch", state.Broken, 0, "no XML"},
	"esummary_xml":                       {"efetch", state.Broken, 0, "<eSummaryResult> instead of a PubmedArticleSet"},
	"pmc_esearch_json":                   {"esearch", state.Hits, 3, ""},
}

var citedPMID = regexp.MustCompile(`<(?:MedlineCitation|BookDocument)[^>]*>\s*<PMID[^>]*>([0-9]+)<`)

func TestEveryRecording(t *testing.T) {
	recordings := sourcetest.Recordings(t, Name)
	if len(recordings) != len(recordedOutcomes) {
		t.Errorf("%d recordings, %d in the table", len(recordings), len(recordedOutcomes))
	}
	for _, r := range recordings {
		t.Run(r.Case, func(t *testing.T) {
			want, ok := recordedOutcomes[r.Case]
			if !ok {
				t.Fatal("the table does not say what becomes of it")
			}
			body := r.Answer(t)
			utility, link, _ := strings.Cut(want.utility, "_")
			if link != "" {
				utility = "elink"
			}
			service := sourcetest.Play(t, func(path string, q url.Values) sourcetest.Answer {
				if strings.HasSuffix(path, "/"+utility+".fcgi") {
					return body
				}
				return sourcetest.Answer{Body: play(path, q, sourcetest.Library{Hits: 1, Total: 1})}
			})
			src := New(service.Doer(), Config{})
			var result sources.Result
			var err error
			operation := ""
			switch {
			case utility == "esearch":
				operation = "search"
				result, err = src.Search(t.Context(), sources.Request{Query: "attention", Limit: 1000, Op: "search Q1"})
			case utility == "efetch":
				operation = "look-up"
				var ids []state.IDs
				for _, m := range citedPMID.FindAllStringSubmatch(body.Body, -1) {
					ids = append(ids, state.IDs{state.PMID: m[1]})
				}
				if len(ids) == 0 {
					ids = []state.IDs{{state.PMID: "1"}}
				}
				result, err = src.Lookup(t.Context(), ids)
			case strings.HasSuffix(link, "refs"):
				operation = "references"
				result, err = src.References(t.Context(), sources.Seed{IDs: map[string][]string{state.PMID: {"1"}}}, 1000)
			default:
				operation = "citing works"
				result, err = src.Citing(t.Context(), sources.Seed{IDs: map[string][]string{state.PMID: {"1"}}}, 1000)
			}
			row := sourcetest.RowOf(Name, operation, r.Case, result, err)
			if row.Outcome != string(want.outcome) || row.Records != want.records || !strings.Contains(row.Note, want.says) {
				t.Errorf("%+v\nwant %+v", row, want)
			}
			for _, fault := range sourcetest.ResultFaults(Name, result) {
				t.Error(fault)
			}
			row.Add(t)
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	var body strings.Builder
	body.WriteString("<PubmedArticleSet>")
	for _, name := range []string{"efetch_3_articles", "efetch_structured_mesh_copyright", "efetch_inline_markup", "efetch_collective_author", "efetch_sul_batch"} {
		set := string(sourcetest.Recorded(b, "pubmed/"+name+".xml"))
		from, to := strings.Index(set, "<PubmedArticle>"), strings.LastIndex(set, "</PubmedArticleSet>")
		body.WriteString(set[from:to])
	}
	body.WriteString("</PubmedArticleSet>")
	set := []byte(body.String())
	b.SetBytes(int64(len(set)))
	b.ReportAllocs()
	records := 0
	for b.Loop() {
		entries, err := decodeArticles(set)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range entries {
			if r, why := e.record(); why == "" && r.Key != "" {
				records++
			}
		}
	}
	if records == 0 {
		b.Fatal("no record")
	}
	b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
}

// A service whose days have n hits each is searched day by day where it must
// be, and gives every hit once.
func TestHitsBeyondTheDepth(t *testing.T) {
	const days, each = 40, 300 // 12,000 hits from 2020-01-01 on
	start := dayOf(2020, 1, 1)
	searches := 0
	service := sourcetest.Play(t, func(path string, q url.Values) sourcetest.Answer {
		if strings.HasSuffix(path, "/efetch.fcgi") {
			return sourcetest.Answer{Body: play(path, q, sourcetest.Library{})}
		}
		searches++
		first, last := 0, days-1
		if from := q.Get("mindate"); len(from) == len("2020/01/01") {
			first, last = max(first, int(readDay(t, from)-start)), min(last, int(readDay(t, q.Get("maxdate"))-start))
		}
		var list []string
		for d := last; d >= first; d-- {
			for i := range each {
				if len(list) < depth {
					list = append(list, fmt.Sprintf("%q", fmt.Sprint(1_000_000+d*each+i)))
				}
			}
		}
		return sourcetest.Answer{Body: fmt.Sprintf(`{"esearchresult":{"count":"%d","idlist":[%s]}}`, max(last-first+1, 0)*each, strings.Join(list, ","))}
	})
	src := New(service.Doer(), Config{})
	for _, c := range []struct {
		limit, records, mostSearches int
		capped                       bool
	}{
		{sources.MostRecords, days * each, 60, false},
		{500, 500, 1, false},
	} {
		searches = 0
		got, err := src.Search(t.Context(), sources.Request{Query: "rods", Limit: c.limit, SinceYear: 2000})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Records) != c.records || len(got.Skips) != 0 || (got.Capped != "") != c.capped || searches > c.mostSearches || got.Total != days*each {
			t.Errorf("limit %d: %d records of %d after %d searches, Capped %q, skips %+v", c.limit, len(got.Records), got.Total, searches, got.Capped, got.Skips)
		}
	}
}

func readDay(t *testing.T, s string) day {
	var y, m, d int
	if _, err := fmt.Sscanf(s, "%d/%d/%d", &y, &m, &d); err != nil {
		t.Errorf("the date %q: %v", s, err)
	}
	return dayOf(y, time.Month(m), d)
}
