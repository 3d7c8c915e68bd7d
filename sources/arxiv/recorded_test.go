package arxiv

import (
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

// recordedOutcomes says what the adapter makes of every recorded answer, as
// the answer to every request of one operation: a look-up of the ids where
// there are any, else a search. Pages of arXiv that are no feed stand for what
// a gateway may send in place of one.
var recordedOutcomes = map[string]struct {
	ids     string // of a look-up
	outcome state.Outcome
	records int
	says    string // in the error or the notes
}{
	"abs_0902.4054_withdrawn_html":    {"", state.Broken, 0, "instead of an Atom feed"},
	"abs_1706.03762_html":             {"", state.Broken, 0, "instead of an Atom feed"},
	"error_bad_id_400":                {"abc/1234567", state.ZeroHits, 0, "incorrect id format for abc"},
	"error_start_not_int":             {"", state.Broken, 0, "start must be an integer"},
	"fulltext_html_1706.03762v7":      {"", state.Broken, 0, "instead of an Atom feed"},
	"headers_html_1706.03762v7":       {"", state.Broken, 0, ""},
	"headers_pdf_1706.03762v7":        {"", state.Broken, 0, ""},
	"id_list_1207.7214":               {"1207.7214", state.Hits, 1, ""},
	"id_list_1706.03762":              {"1706.03762", state.Hits, 1, ""},
	"id_list_hep-th_9711200":          {"hep-th/9711200", state.Hits, 1, ""},
	"id_list_no_version":              {"1605.08386", state.Hits, 1, ""},
	"id_list_old_style":               {"astro-ph/0601001", state.Hits, 1, ""},
	"id_list_old_style_version":       {"quant-ph/0201082v1", state.Hits, 1, ""},
	"id_list_two":                     {"0808.05394 1707.08567", state.Hits, 1, "arXiv has no record for 0808.05394"},
	"id_list_unknown_dropped":         {"0808.05394", state.ZeroHits, 0, "arXiv has no record for 0808.05394"},
	"id_list_version":                 {"2104.12255v1", state.Hits, 1, ""},
	"oai_arXivRaw_1706.03762":         {"", state.Broken, 0, "instead of an Atom feed"},
	"oai_arXiv_hep-th_9711200":        {"", state.Broken, 0, "instead of an Atom feed"},
	"rate_exceeded":                   {"", state.Throttled, 0, "wait some minutes"},
	"robots_txt":                      {"", state.Broken, 0, "no XML"},
	"search_100_relevance":            {"", state.Hits, 100, "repeats itself"},
	"search_attention_3_all_versions": {"", state.Hits, 3, "repeats itself"},
	"search_page_start0":              {"", state.Hits, 10, "repeats itself"},
	"search_page_start10":             {"", state.Hits, 10, "repeats itself"},
	"search_zero_results":             {"", state.ZeroHits, 0, "confirmed by a second request"},
}

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
			service := sourcetest.NewService(t, []sourcetest.Answer{r.Answer(t)})
			src := New(service.Doer(), Config{Pause: -1})
			var result sources.Result
			var err error
			operation := "search"
			if want.ids == "" {
				result, err = src.Search(t.Context(), sources.Request{Query: "all:testing", Limit: 200, Op: "search Q1"})
			} else {
				operation = "look-up"
				var ids []state.IDs
				for _, id := range strings.Fields(want.ids) {
					ids = append(ids, state.IDs{state.ArXiv: id})
				}
				result, err = src.Lookup(t.Context(), ids)
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
	body := sourcetest.Recorded(b, "arxiv/search_100_relevance.xml.gz")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	records := 0
	for b.Loop() {
		f, err := decode(body)
		if err != nil {
			b.Fatal(err)
		}
		a := New(nil, Config{}).begin("search", 1000)
		a.take(f.Entries)
		records += len(a.Result.Records)
	}
	b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
}
