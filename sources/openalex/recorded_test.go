package openalex

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"optimistresearch/internal/fetch"
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
	path := filepath.Join(dir, "..", "shared", "data", "recorded", Name, name)
	f, openErr := os.Open(path)
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
	entries := []rawRecord{body}
	if recordFault(body) != nil {
		if err := pageFault(url.Values{})(body); err != nil {
			t.Fatal(err)
		}
		var p page
		if _, err := wire.Lenient(body, &p); err != nil {
			t.Fatal(err)
		}
		entries = p.Results
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
		file                          string
		records, skips                int
		published, preprint, abstract int
	}{
		{"work_by_doi_colon_in_doi.json", 1, 0, 1, 0, 0},
		{"work_by_doi_no_authors.json", 1, 0, 1, 0, 0},
		{"work_by_id_full.json", 1, 0, 1, 0, 0},
		{"work_by_id_null_title.json", 0, 1, 0, 0, 0},
		{"work_full_2026.json", 1, 0, 1, 0, 1},
		{"works_by_ids_or_filter.json", 2, 0, 1, 1, 2},
		{"works_cited_by_filter.json.gz", 37, 1, 28, 3, 29},
		{"works_cites_filter.json", 5, 0, 5, 0, 3},
		{"works_cursor_last_page_empty.json", 0, 0, 0, 0, 0},
		{"works_search_count_only.json", 0, 1, 0, 0, 0},
		{"works_search_empty.json", 0, 0, 0, 0, 0},
		{"works_search_phrase.json", 5, 0, 0, 0, 5},
		{"works_search_relevance.json", 3, 0, 3, 0, 1},
		{"works_title_abstract_search_200.json.gz", 200, 0, 114, 10, 151},
		{"works_title_search_colon.json", 1, 0, 0, 1, 1},
		{"works_title_search_two_versions.json", 2, 0, 1, 1, 2},
	} {
		t.Run(c.file, func(t *testing.T) {
			j := decodeBody(t, recorded(t, c.file))
			skips := 0
			for _, s := range j.result.Skips {
				skips += s.Count
			}
			got := struct{ published, preprint, abstract int }{}
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
			}
			if len(j.result.Records) != c.records || skips != c.skips {
				t.Errorf("%d records and %d skips, want %d and %d", len(j.result.Records), skips, c.records, c.skips)
			}
			if got.published != c.published || got.preprint != c.preprint || got.abstract != c.abstract {
				t.Errorf("%+v, want published %d, preprint %d, with abstract %d", got, c.published, c.preprint, c.abstract)
			}
		})
	}
}

// Bodies that are no list of works must not pass as an empty one.
func TestOtherAnswersAreFaults(t *testing.T) {
	first := url.Values{"cursor": {"*"}}
	for file, list := range map[string]bool{
		"works_group_by_type.json": true, "works_cursor_last_page_empty.json": true,
		"work_by_doi_select_closed.json": false, "works_search_empty.json": false,
	} {
		fault := recordFault
		if list {
			fault = pageFault(first)
		}
		if err := fault(recorded(t, file)); err == nil {
			t.Errorf("%s passes, want a fault", file)
		}
	}
}

func TestRecordedErrors(t *testing.T) {
	for _, c := range []struct {
		file       string
		status     int
		retryAfter string
		kind       fetch.Kind // "" = the verdict of the status stands
		after      time.Duration
	}{
		{"error_400_bad_cursor.json", 400, "", "", 0},
		{"error_400_wildcard.json", 400, "", "", 0},
		{"error_400_raw_comma_filter.json", 400, "", "", 0},
		{"error_400_unknown_filter.json", 400, "", "", 0},
		{"error_401_bad_key.json", 401, "", "", 0},
		{"error_404_doi_html.html", 404, "", "", 0},
		{"error_429_per_second.json", 429, "1", "", 0},
		{"error_429_broad_boolean.json", 429, "1", "", 0},
		{"error_429_daily_budget_anon.json", 429, "40447", fetch.Throttled, 40447 * time.Second},
		{"error_429_daily_budget_anon.json", 429, "", fetch.Throttled, 40447 * time.Second},
		{"error_429_daily_budget_shared_ip.json", 429, "30215", fetch.Throttled, 30215 * time.Second},
		{"error_429_plan_upgrade.json", 429, "", fetch.BadRequest, 0},
		{"error_503_anon_search_paused.json", 503, "60", "", 0},
		{"error_504_query_timeout.json", 504, "", fetch.BadRequest, 0},
	} {
		h := http.Header{}
		if c.retryAfter != "" {
			h.Set("Retry-After", c.retryAfter)
		}
		err := verdict(c.status, h, recorded(t, c.file))
		e, _ := errors.AsType[*fetch.Error](err)
		switch {
		case c.kind == "" && err != nil:
			t.Errorf("%s: %v, want the verdict of the status", c.file, err)
		case c.kind != "" && (e == nil || e.Kind != c.kind || !e.Final || e.After != c.after):
			t.Errorf("%s: %+v, want %s for good after %s", c.file, e, c.kind, c.after)
		}
	}
}

func TestRecordedFields(t *testing.T) {
	full := decodeBody(t, recorded(t, "work_full_2026.json")).result.Records[0]
	if full.IDs[state.DOI] != "10.7717/peerj.4375" || full.IDs[state.PMID] != "29456894" || full.IDs[state.MAG] != "2741809807" {
		t.Errorf("ids are %v", full.IDs)
	}
	if full.Date != "2018-02-13" || full.Venue != "PeerJ" || full.Pages != "e4375" || *full.Citations != 1163 {
		t.Errorf("date %q, venue %q, pages %q, citations %d", full.Date, full.Venue, full.Pages, *full.Citations)
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
	both := decodeBody(t, recorded(t, "works_title_search_two_versions.json")).result.Records
	if both[1].IDs[state.ArXiv] != "2304.05376" || both[1].IDs[state.DOI] != "" || both[1].Date != "2023" {
		t.Errorf("the arXiv DOI became %v, the first of January %q", both[1].IDs, both[1].Date)
	}
}
