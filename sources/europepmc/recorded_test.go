package europepmc

import (
	"encoding/json"
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

// recordings says what each recorded body gives. Those without an outcome
// belong to the reading of full texts, which is no operation of this adapter.
var recordings = []struct {
	name, file     string
	operation      string
	status         int
	kind           string // content type
	outcome        state.Outcome
	records, skips int
	says           string // in the error or in the notes
}{
	{name: "search_core", file: "search_core.json", operation: "search", outcome: state.Hits, records: 3},
	{name: "core_result_PMC8118396", file: "core_result_PMC8118396.json", operation: "look-up", outcome: state.Hits, records: 1},
	{name: "search_preprint_json", file: "search_preprint_json.json", operation: "search", outcome: state.Hits, records: 1},
	{name: "citations_json", file: "citations_json.json", operation: "citing works", outcome: state.Hits, records: 2, says: "took the first 2 of 857"},
	{name: "empty_shell_200", file: "empty_shell_200.json", operation: "search", outcome: state.Broken, says: "empty shell"},
	{name: "error_no_query", file: "error_no_query.json", operation: "search", outcome: state.Broken, says: "less than 1500 characters"},
	{name: "error_page_size", file: "error_page_size.json", operation: "search", outcome: state.Broken, says: "between 1 and 1000"},
	{name: "error_503_maintenance", file: "error_503_maintenance.txt", operation: "search", status: 503, kind: "text/plain", outcome: state.Down, says: "maintenance"},
	{name: "search_xml", file: "search_xml.xml", operation: "search", kind: "application/xml", outcome: state.Broken, says: "application/xml"},
	{name: "search_xml_empty", file: "search_xml_empty.xml", operation: "search", kind: "application/xml", outcome: state.Broken, says: "application/xml"},
	{name: "fulltext_404_empty", file: "fulltext_404_empty.txt", operation: "citing works", status: 404, outcome: state.NoList},
	{name: "fulltext_PMC8118396", file: "fulltext_PMC8118396.xml"},
	{name: "fulltext_PMC8249384", file: "fulltext_PMC8249384.xml"},
}

func TestRecorded(t *testing.T) {
	seed := `{"id":"37258680","source":"MED","pmid":"37258680","title":"The seed."}`
	for _, c := range recordings {
		if c.operation == "" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			body := string(sourcetest.Recorded(t, Name+"/"+c.file))
			answer := sourcetest.Answer{Status: c.status, Body: body}
			if c.kind != "" {
				answer.Header = map[string][]string{"Content-Type": {c.kind}}
			}
			var got sources.Result
			var err error
			switch c.operation {
			case "search":
				// The recordings are single pages, of one, two or three records.
				s := New(sourcetest.NewService(t, []sourcetest.Answer{answer}).Doer(), Config{})
				got, err = s.Search(t.Context(), sources.Request{Query: "attention mechanism", Limit: max(c.records, 1), Op: "search Q1"})
			case "look-up":
				answer.Body = found("", 1, body)
				s := New(sourcetest.NewService(t, []sourcetest.Answer{answer}).Doer(), Config{})
				got, err = s.Lookup(t.Context(), []state.IDs{{state.PMCID: "PMC8118396"}})
			case "citing works":
				answer.Path = "/MED/37258680/citations"
				s := New(sourcetest.NewService(t, []sourcetest.Answer{answer,
					{Query: map[string]string{"query": "(EXT_ID:37258680 AND SRC:MED)"}, Body: found("", 1, seed)}, {Body: noHits}}).Doer(), Config{})
				got, err = s.Citing(t.Context(), sources.Seed{IDs: map[string][]string{state.PMID: {"37258680"}}}, 2)
			}
			skips := 0
			for _, k := range got.Skips {
				skips += k.Count
			}
			outcome, said := state.Hits, strings.Join(got.Notes, "; ")
			if err != nil {
				outcome, said = sources.OutcomeOf(err), err.Error()
			}
			if outcome != c.outcome || len(got.Records) != c.records || skips != c.skips || !strings.Contains(said, c.says) {
				t.Errorf("%s with %d records and %d skips, saying %q; want %s, %d, %d, %q", outcome, len(got.Records), skips, said, c.outcome, c.records, c.skips, c.says)
			}
			for _, f := range sourcetest.ResultFaults(Name, got) {
				t.Error(f)
			}
			sourcetest.Row{Source: Name, Operation: c.operation, Case: c.name, Outcome: string(outcome), Records: len(got.Records), Skips: skips, Note: said}.Add(t)
		})
	}
}

// Every recorded body of Europe PMC is in the table above.
func TestNoRecordingIsLeftOut(t *testing.T) {
	for line := range strings.Lines(string(sourcetest.Recorded(t, "index.jsonl"))) {
		var entry struct{ Source, Case string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		known := entry.Source != Name
		for _, c := range recordings {
			known = known || c.name == entry.Case
		}
		if !known {
			t.Errorf("the recording %s has no row", entry.Case)
		}
	}
}

func recordedPage(t testing.TB, file string) []state.Record {
	t.Helper()
	p, err := readPage(sourcetest.Recorded(t, Name+"/"+file))
	if err != nil {
		t.Fatal(err)
	}
	j := New(nil, Config{}).begin("test")
	for _, raw := range p.Records {
		j.add(raw)
	}
	return j.Result.Records
}

func TestRecordedFields(t *testing.T) {
	core := recordedPage(t, "search_core.json")
	gaze := core[1]
	same(t, "ids", gaze.IDs, state.IDs{state.PMID: "41744547", state.PMCID: "PMC12938590", state.DOI: "10.3390/biomimetics11020103"})
	same(t, "date", []any{gaze.Year, gaze.Date}, []any{2026, "2026-02-02"})
	same(t, "venue", []string{gaze.Venue, gaze.Volume, gaze.Issue, gaze.Pages, gaze.Language}, []string{"Biomimetics (Basel, Switzerland)", "11", "2", "103", "en"})
	same(t, "funding", gaze.Funding[0], state.Grant{Funder: "National Key Research and Development Program of China", Award: "2018YFB1304600"})
	same(t, "author", gaze.Authors[0], state.Author{Name: "Lihong Dai", Family: "Dai", Given: "Lihong", ORCID: "0000-0003-3617-2691"})
	same(t, "ISSN", gaze.ISSN, []string{"2313-7673"})
	kinds := ""
	for _, l := range gaze.Links {
		kinds += l.Kind + " " + l.License + " "
	}
	same(t, "links", kinds, "html cc-by pdf cc-by xml cc-by ")
	// The third has neither a year nor a volume of its own, only a first date.
	same(t, "date of a record without a year", []any{core[2].Year, core[2].Date, core[2].Key}, []any{2026, "2026-03-26", "europepmc:PMC/PMC13013079"})
	if core[2].Retraction != nil || core[0].Retraction == nil {
		t.Errorf("retractions %+v and %+v", core[0].Retraction, core[2].Retraction)
	}
	preprint := recordedPage(t, "search_preprint_json.json")[0]
	same(t, "preprint", []any{preprint.Kind, preprint.Venue, preprint.IDs, preprint.Date, len(preprint.Authors)},
		[]any{"preprint", "bioRxiv", state.IDs{PPR: "PPR1302423", state.DOI: "10.64898/2026.08.20.745440"}, "2026-08-20", 2})
	w, note, err := decode(sourcetest.Recorded(t, Name+"/core_result_PMC8118396.json"))
	if err != nil {
		t.Fatal(err)
	}
	bug, _ := w.record(note)
	same(t, "from XML", []any{bug.Title, bug.Date, bug.Authors[1].ORCID, bug.ISSN},
		[]any{"Complete mitochondrial genome sequence of the global invasive species Stictocephala bisonia (Hemiptera: Membracidae: Smiliinae)", "2021-05-05", "0000-0003-4309-4847", []string{"2380-2359"}})
}

func BenchmarkDecode(b *testing.B) {
	body := sourcetest.Recorded(b, Name+"/search_core.json")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	records := 0
	for b.Loop() {
		p, err := readPage(body)
		if err != nil {
			b.Fatal(err)
		}
		j := New(nil, Config{}).begin("test")
		for _, raw := range p.Records {
			j.add(raw)
		}
		records += len(j.Result.Records)
	}
	b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "records/s")
}
