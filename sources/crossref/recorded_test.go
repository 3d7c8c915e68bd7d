package crossref

import (
	"net/http"
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
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
	{"agency", "look-up", state.ZeroHits, 0, 1, ""},
	{"arxiv_doi_not_in_crossref", "look-up", state.ZeroHits, 0, 0, "Crossref has no record for doi 10.5555/asked"},
	{"bibtex_transform", "look-up", state.Broken, 0, 0, ""},
	{"error_400_filter_unknown", "search", state.Broken, 0, 0, "has-full-text"},
	{"error_400_integer", "search", state.Broken, 0, 0, "things"},
	{"error_400_query_on_singleton", "look-up", state.Broken, 0, 0, "field query parameters"},
	{"error_400_sample_over_100", "search", state.Broken, 0, 0, "200"},
	{"error_400_sort", "search", state.Broken, 0, 0, "does not support sort"},
	{"error_404_bad_cursor", "search", state.Broken, 0, 0, "ursor"},
	{"error_404_doi_text", "look-up", state.ZeroHits, 0, 0, "Crossref has no record for doi 10.5555/asked"},
	{"error_429_html", "search", state.Throttled, 0, 0, ""},
	{"error_500_exception_json", "search", state.Down, 0, 0, ""},
	{"error_504_html", "search", state.Down, 0, 0, ""},
	{"preprint_posted_content", "look-up", state.Hits, 1, 0, ""},
	{"retracted_select", "search", state.Hits, 1, 0, ""},
	{"title_query_empty", "search", state.ZeroHits, 0, 0, ""},
	{"title_query_hit", "search", state.Hits, 1, 0, ""},
	{"work_by_doi", "look-up", state.Hits, 1, 0, ""},
	{"work_by_doi_html_title_jats", "look-up", state.Hits, 1, 0, ""},
	{"work_by_doi_minimal", "look-up", state.Hits, 1, 0, ""},
	{"work_by_doi_proceedings_null_date", "look-up", state.Hits, 1, 0, ""},
	{"work_with_unstructured_refs", "look-up", state.Hits, 1, 0, ""},
	{"works_components_no_title", "search", state.Hits, 4, 16, ""},
	{"works_cursor_page1", "search", state.Hits, 20, 0, ""},
	{"works_cursor_page2", "search", state.Hits, 20, 0, ""},
	{"works_empty_list", "search", state.ZeroHits, 0, 0, ""},
	{"works_facet_rows0", "search", state.Broken, 0, 0, "holds none"},
	{"works_plos_updates", "search", state.Hits, 20, 0, ""},
	{"works_query_2", "search", state.Hits, 2, 0, ""},
	{"works_query_author_field", "search", state.Hits, 20, 0, ""},
	{"works_query_select_authors", "search", state.Hits, 3, 0, ""},
	{"works_reports_org_author", "search", state.Hits, 20, 0, ""},
	{"works_sample10_mixed", "search", state.Hits, 10, 0, ""},
	{"works_sample2_journal_issue", "search", state.Hits, 1, 1, ""},
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
				var got sources.Result
				var err error
				end := sourcetest.Answer{Body: noHits}
				answer := r.Answer(t)
				if c.operation == "search" {
					answer.Query = map[string]string{"offset": "0"}
				}
				s := New(sourcetest.NewService(t, []sourcetest.Answer{answer, end}).Doer(), Config{})
				if c.operation == "search" {
					got, err = s.Search(t.Context(), sources.Request{Query: "ecology", Limit: max(c.records+c.skips, 1), Op: "search Q1"})
				} else {
					got, err = s.Lookup(t.Context(), []state.IDs{{state.DOI: "10.5555/asked"}})
				}
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

// recordedRecords are the records of an answer to a list call or to a call for
// one work.
func recordedRecords(t testing.TB, file string) []state.Record {
	t.Helper()
	j := New(nil, Config{}).begin("test")
	if err := j.decodeAnswer(sourcetest.Recorded(t, Name+"/"+file)); err != nil {
		t.Fatal(err)
	}
	return j.Result.Records
}

func (j *job) decodeAnswer(body []byte) error {
	var one recordAnswer
	if recordFault(body) == nil {
		_, err := wire.Lenient(body, &one)
		j.add(one.Message, -1)
		return err
	}
	var a listAnswer
	if err := listFault(false)(body); err != nil {
		return err
	}
	if _, err := wire.Lenient(body, &a); err != nil {
		return err
	}
	for _, raw := range *a.Message.Items {
		j.add(raw, -1)
	}
	return nil
}

func TestRecordedFields(t *testing.T) {
	one := func(file string) state.Record {
		return recordedRecords(t, file)[0]
	}
	jats := one("work_by_doi_html_title_jats.json")
	if want := "Construction of a reference material panel for detecting KRAS / NRAS / EGFR / BRAF / MET mutations in plasma ctDNA"; jats.Title != want {
		t.Errorf("title is %q, want %q", jats.Title, want)
	}
	if want := "Background: The absence of high-quality next-generation sequencing (NGS) reference material"; !strings.HasPrefix(jats.Abstract, want) {
		t.Errorf("abstract is %q, want it to begin with %q", jats.Abstract, want)
	}
	if jats.Funding[0].Funder != "National Key Research and Development Program" || strings.Join(jats.ISSN, " ") != "0021-9746 1472-4146" || jats.Language != "en" {
		t.Errorf("funding %+v, ISSN %v, language %q", jats.Funding, jats.ISSN, jats.Language)
	}
	if len(jats.Links) != 1 || jats.Links[0].Kind != "landing" || jats.Links[0].License != "cc-by-nc" {
		t.Errorf("links are %+v", jats.Links)
	}
	pre := one("preprint_posted_content.json")
	if pre.Venue != "bioRxiv" || len(pre.Related) != 1 || pre.Related[0] != (state.Related{Type: "is-preprint-of", ID: "doi:10.1016/j.xgen.2025.100814"}) {
		t.Errorf("venue %q, related %+v", pre.Venue, pre.Related)
	}
	if want := "pegRNAs targeting SMARCB1 for editing activity"; !strings.Contains(pre.Abstract, want) || strings.HasPrefix(pre.Abstract, "ABSTRACT") {
		t.Errorf("abstract %q does not hold %q, or keeps its heading", pre.Abstract, want)
	}
	erratum := one("work_by_doi.json")
	if want := (state.Retract{Status: state.RetractCorrected, Notice: "10.1371/annotation/c76da2c1-ccb8-4797-94c1-359d3ceceeda"}); *erratum.Retraction != want {
		t.Errorf("an erratum gave %+v, want %+v", *erratum.Retraction, want)
	}
	if r := one("retracted_select.json"); r.Retraction != nil {
		t.Errorf("selected fields do not say whether a work is retracted, but %+v", *r.Retraction)
	}
	for _, r := range recordedRecords(t, "works_reports_org_author.json") {
		if r.IDs[state.DOI] == "10.15554/pci.cta-17" && (len(r.Authors) != 1 || !r.Authors[0].Collective || r.Authors[0].Name != "Concrete Technology Associates") {
			t.Errorf("the organisation became %+v", r.Authors)
		}
	}
}

// Every entry of a recorded reference list becomes a record or a skip, here
// with a Crossref that knows none of the DOIs.
func TestRecordedReferences(t *testing.T) {
	for _, c := range []struct {
		file, doi      string
		records, skips int
	}{
		{"work_with_unstructured_refs.json", "10.1073/pnas.1414271111", 3, 66},
		{"work_by_doi.json", "10.1371/journal.pone.0033693", 69, 1},
		{"work_by_doi_html_title_jats.json", "10.1136/jclinpath-2020-206745", 5, 31},
		{"preprint_posted_content.json", "10.1101/2024.04.01.587366", 12, 38},
	} {
		body := sourcetest.Recorded(t, Name+"/"+c.file)
		s := serve(t, Config{}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.URL.Path == "/works/"+c.doi {
				w.Write(body)
				return
			}
			answer(w, object{"total-results": 0, "items": []object{}})
		})
		r, err := s.References(t.Context(), sources.Seed{IDs: map[string][]string{state.DOI: {c.doi}}}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		skips := 0
		for _, k := range r.Skips {
			skips += k.Count
		}
		if len(r.Records) != c.records || skips != c.skips || len(r.Records)+skips != r.Total {
			t.Errorf("%s: %d records and %d skips of %d, want %d and %d: %+v", c.file, len(r.Records), skips, r.Total, c.records, c.skips, r.Skips)
		}
		for _, f := range sourcetest.ResultFaults(Name, r) {
			t.Errorf("%s: %s", c.file, f)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	body := sourcetest.Recorded(b, Name+"/works_query_author_field.json.gz")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	records := 0
	for b.Loop() {
		j := New(nil, Config{}).begin("test")
		if err := j.decodeAnswer(body); err != nil {
			b.Fatal(err)
		}
		records += len(j.Result.Records)
	}
	b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
}
