package semanticscholar

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// shapes of recorded answers.
const (
	search = "search"
	edges  = "edges"
	single = "single"
	batch  = "batch"
)

// decodeBody gives what a body holds.
func decodeBody(t testing.TB, shape string, body []byte) *job {
	t.Helper()
	j := New(nil, Config{}).begin("test")
	faults := map[string]func([]byte) error{search: searchFault(0), edges: edgeFault, single: recordFault, batch: batchFault}
	if err := faults[shape](body); err != nil {
		t.Fatal(err)
	}
	var p page
	switch shape {
	case search, edges:
		if _, err := wire.Lenient(body, &p); err != nil {
			t.Fatal(err)
		}
	case single:
		p.Data = []rawRecord{body}
	case batch:
		if err := json.Unmarshal(body, &p.Data); err != nil {
			t.Fatal(err)
		}
	}
	for _, raw := range p.Data {
		switch {
		case shape == edges:
			j.addEdge(raw)
		case shape == search || !isNull(raw):
			j.add(raw)
		}
	}
	for _, f := range sourcetest.ResultFaults(Name, j.result) {
		t.Error(f)
	}
	return j
}

func TestRecordedAnswers(t *testing.T) {
	for _, c := range []struct {
		file, shape                   string
		records, skips, unmatched     int
		published, preprint, abstract int
	}{
		{"batch_with_null.json", batch, 3, 0, 0, 0, 2, 3},
		{"bulk_token_last.json", search, 674, 0, 0, 0, 0, 0},
		{"bulk_token_page1.json", search, 1000, 0, 0, 0, 0, 0},
		{"bulk_token_page2.json.gz", search, 1000, 0, 0, 0, 0, 0},
		{"citations_last.json", edges, 81, 0, 4, 0, 0, 0},
		{"citations_page1.json", edges, 100, 0, 0, 0, 0, 0},
		{"citations_rich.json", edges, 3, 0, 0, 1, 2, 3},
		{"match_wrong_title.json", edges, 0, 1, 0, 0, 0, 0}, // papers, not edges
		{"paper_by_arxiv_id.json", single, 1, 0, 0, 0, 1, 1},
		{"paper_doi_2025.json", single, 1, 0, 0, 1, 0, 0},
		{"paper_doi_no_authors.json", single, 1, 0, 0, 1, 0, 0},
		{"paper_full_nested.json.gz", single, 1, 0, 0, 1, 0, 1},
		{"paper_search_bulk_1000.json.gz", search, 1000, 0, 0, 87, 47, 293},
		{"paper_search_relevance.json", search, 5, 0, 0, 2, 1, 3},
		{"references_page1.json", edges, 50, 0, 10, 0, 0, 0},
		{"references_page2_last.json", edges, 17, 0, 13, 0, 0, 0},
		{"references_rich.json", edges, 3, 0, 0, 2, 0, 1},
		{"search_date_range.json", search, 100, 0, 0, 0, 0, 0},
		{"search_empty_no_data_key.json", search, 0, 0, 0, 0, 0, 0},
		{"search_open_access.json", search, 0, 100, 0, 0, 0, 0}, // asked for no title
		{"search_page1.json", search, 100, 0, 0, 0, 0, 0},
		{"search_page2.json", search, 100, 0, 0, 0, 0, 0},
		{"search_publication_types.json", search, 0, 100, 0, 0, 0, 0}, // asked for no title
	} {
		t.Run(c.file, func(t *testing.T) {
			j := decodeBody(t, c.shape, recorded(t, c.file))
			got := c
			got.skips, got.unmatched, got.published, got.preprint, got.abstract = 0, 0, 0, 0, 0
			got.records = len(j.result.Records)
			for _, s := range j.result.Skips {
				got.skips += s.Count
			}
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
				if r.IDs[state.S2] == "" {
					got.unmatched++
				}
			}
			if got != c {
				t.Errorf("got  %+v\nwant %+v", got, c)
			}
		})
	}
}

func TestRecordedFields(t *testing.T) {
	r := decodeBody(t, single, recorded(t, "paper_doi_2025.json")).result.Records[0]
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
	attention := decodeBody(t, single, recorded(t, "paper_by_arxiv_id.json")).result.Records[0]
	if attention.Links != nil || attention.Date != "2017-06-12" || attention.IDs[state.MAG] != "2963403868" {
		t.Errorf("an empty open-access address became %+v, date %q, ids %v", attention.Links, attention.Date, attention.IDs)
	}
}

func TestRecordedErrors(t *testing.T) {
	for _, file := range []string{
		"error_400_bad_field.json", "error_400_too_large.json", "error_403_bad_key.json", "error_404_match.json",
		"error_404_paper.json", "error_429_no_key.json", "error_429_short.json", "recommendations.json",
	} {
		body := recorded(t, file)
		if searchFault(0)(body) == nil || edgeFault(body) == nil || recordFault(body) == nil || batchFault(body) == nil {
			t.Errorf("%s passes as an answer", file)
		}
		if noneKnown(&fetch.Error{Kind: fetch.BadRequest, Status: 400, Body: body}) {
			t.Errorf("%s passes as a batch without a known id", file)
		}
	}
}
