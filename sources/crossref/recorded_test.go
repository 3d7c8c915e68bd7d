package crossref

import (
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

// recorded reads a real answer kept beside the repository; the test is skipped
// where there is none.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, found := os.Stat(filepath.Join(dir, "go.mod")); found == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			err = os.ErrNotExist
		}
		dir = filepath.Dir(dir)
	}
	f, openErr := os.Open(filepath.Join(dir, "..", "shared", "data", "recorded", Name, name))
	if err != nil || openErr != nil {
		t.Skip("the recorded answers are not here: " + name)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// decodeBody gives what a body of a list or of one work holds.
func decodeBody(t testing.TB, body []byte) *job {
	t.Helper()
	j := New(nil, Config{}).begin("test")
	var entries []rawRecord
	if recordFault(body) == nil {
		var a recordAnswer
		if _, err := wire.Lenient(body, &a); err != nil {
			t.Fatal(err)
		}
		entries = []rawRecord{a.Message}
	} else {
		if err := listFault(false)(body); err != nil {
			t.Fatal(err)
		}
		var a listAnswer
		if _, err := wire.Lenient(body, &a); err != nil {
			t.Fatal(err)
		}
		entries = *a.Message.Items
	}
	for _, e := range entries {
		j.add(e)
	}
	for _, f := range sourcetest.ResultFaults(Name, j.result) {
		t.Error(f)
	}
	return j
}

func TestRecordedAnswers(t *testing.T) {
	for _, c := range []struct {
		file                                 string
		records, skips                       int
		published, preprint, abstract, dated int
	}{
		{"preprint_posted_content.json", 1, 0, 0, 1, 1, 1},
		{"retracted_select.json", 1, 0, 0, 0, 0, 0},
		{"title_query_empty.json", 0, 0, 0, 0, 0, 0},
		{"title_query_hit.json", 1, 0, 1, 0, 1, 1},
		{"work_by_doi.json", 1, 0, 1, 0, 0, 1},
		{"work_by_doi_html_title_jats.json", 1, 0, 1, 0, 1, 1},
		{"work_by_doi_minimal.json", 1, 0, 1, 0, 0, 1},
		{"work_by_doi_proceedings_null_date.json", 1, 0, 1, 0, 0, 0},
		{"work_with_unstructured_refs.json", 1, 0, 1, 0, 1, 1},
		{"works_components_no_title.json", 4, 16, 4, 0, 0, 4},
		{"works_cursor_page1.json", 20, 0, 2, 0, 1, 18},
		{"works_cursor_page2.json", 20, 0, 4, 0, 2, 18},
		{"works_empty_list.json", 0, 0, 0, 0, 0, 0},
		{"works_facet_rows0.json", 0, 0, 0, 0, 0, 0},
		{"works_plos_updates.json.gz", 20, 0, 20, 0, 4, 20},
		{"works_query_2.json", 2, 0, 0, 0, 2, 2},
		{"works_query_author_field.json.gz", 20, 0, 17, 2, 15, 20},
		{"works_query_select_authors.json", 3, 0, 0, 0, 0, 3},
		{"works_reports_org_author.json", 20, 0, 0, 0, 1, 20},
		{"works_sample10_mixed.json", 10, 0, 7, 1, 3, 9},
		{"works_sample2_journal_issue.json", 1, 1, 1, 0, 0, 1},
	} {
		t.Run(c.file, func(t *testing.T) {
			j := decodeBody(t, recorded(t, c.file))
			skips := 0
			for _, s := range j.result.Skips {
				skips += s.Count
			}
			got := c
			got.published, got.preprint, got.abstract, got.dated = 0, 0, 0, 0
			got.records, got.skips = len(j.result.Records), skips
			for _, r := range j.result.Records {
				switch r.Kind {
				case state.Published:
					got.published++
				case state.Preprint:
					got.preprint++
				}
				if r.Abstract != "" {
					got.abstract++
				}
				if r.Year != 0 {
					got.dated++
				}
			}
			if got != c {
				t.Errorf("got  %+v\nwant %+v", got, c)
			}
		})
	}
}

func TestRecordedFields(t *testing.T) {
	one := func(file string) state.Record {
		return decodeBody(t, recorded(t, file)).result.Records[0]
	}
	jats := one("work_by_doi_html_title_jats.json")
	if want := "Construction of a reference material panel for detecting KRAS / NRAS / EGFR / BRAF / MET mutations in plasma ctDNA"; jats.Title != want {
		t.Errorf("title is %q, want %q", jats.Title, want)
	}
	if want := "Background: The absence of high-quality next-generation sequencing (NGS) reference material"; !strings.HasPrefix(jats.Abstract, want) {
		t.Errorf("abstract is %q, want it to begin with %q", jats.Abstract, want)
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
	for _, r := range decodeBody(t, recorded(t, "works_reports_org_author.json")).result.Records {
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
		body := recorded(t, c.file)
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

func TestRecordedErrors(t *testing.T) {
	for _, file := range []string{
		"arxiv_doi_not_in_crossref.txt", "error_400_filter_unknown.json", "error_404_bad_cursor.json", "error_404_doi_text.txt",
		"error_429_html.html", "error_500_exception_json.json", "error_504_html.html", "works_facet_rows0.json", "bibtex_transform.txt",
	} {
		body := recorded(t, file)
		if listFault(true)(body) == nil || recordFault(body) == nil {
			t.Errorf("%s passes as an answer", file)
		}
	}
}
