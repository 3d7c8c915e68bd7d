package openalex

import (
	"strings"
	"testing"

	"optimistresearch/sources/internal/wire"
	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

func one(t testing.TB, raw string) state.Record {
	t.Helper()
	j := New(nil, Config{}).begin("test")
	j.add(rawRecord(raw), -1)
	if len(j.Result.Records) != 1 {
		t.Fatalf("no record of %s: %+v", raw, j.Result.Skips)
	}
	return j.Result.Records[0]
}

func TestSampleRecord(t *testing.T) {
	var p page
	if _, err := wire.Lenient([]byte(sample(t, "search.json")), &p); err != nil {
		t.Fatal(err)
	}
	r := one(t, string(p.Results[0]))
	if r.Title != "Finding water with a forked stick: CO2 & other controls" {
		t.Errorf("title is %q", r.Title)
	}
	if r.Abstract != "Dowsers did not beat chance." { // gaps in the positions, and a heading
		t.Errorf("abstract is %q", r.Abstract)
	}
	if r.IDs[state.DOI] != "10.5555/water.1" || r.IDs[state.PMID] != "1234567" || r.IDs[state.MAG] != "100000001" {
		t.Errorf("ids are %v", r.IDs)
	}
	if len(r.Authors) != 2 || r.Authors[0].ORCID != "0000-0002-1825-0097" || r.Authors[1].Name != "Karl Brunnen" {
		t.Errorf("authors are %+v", r.Authors)
	}
	if *r.Citations != 17 || r.Volume != "12" || r.Pages != "45-61" || r.Date != "2003-04-17" || r.Kind != state.Published {
		t.Errorf("citations %d, volume %q, pages %q, date %q, kind %q", *r.Citations, r.Volume, r.Pages, r.Date, r.Kind)
	}
	want := state.OALink{URL: "https://journal.example.org/water.pdf", Kind: "pdf", License: "cc-by", Source: "Journal of Old Trades"}
	if len(r.Links) != 2 || r.Links[0] != want {
		t.Errorf("links are %+v", r.Links)
	}
	p2 := one(t, string(p.Results[1]))
	if p2.IDs[state.ArXiv] != "2101.00001" || p2.Kind != state.Preprint || p2.Date != "2021" || p2.Retraction != nil || p2.Citations != nil {
		t.Errorf("the preprint became %+v", p2)
	}
}

func TestDecoding(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		ok        func(state.Record) bool
	}{
		{"a retracted work", `{"id":"W1","title":"X","is_retracted":true}`, func(r state.Record) bool {
			return r.Retraction != nil && r.Retraction.Status == state.RetractRetracted
		}},
		{"a title marked by the publisher", `{"id":"W1","title":"RETRACTED: X","is_retracted":false}`, func(r state.Record) bool {
			return r.Retraction.Status == state.RetractRetracted
		}},
		{"a synopsis", `{"id":"W1","title":"X","abstract_inverted_index":{"[Synopsis]":[0],"Words.":[1]}}`, func(r state.Record) bool {
			return r.Synopsis && r.Abstract == "Words."
		}},
		{"Abstract as a word of the text", `{"id":"W1","title":"X","abstract_inverted_index":{"Abstract":[0],"interpretation":[1],"is":[2]}}`, func(r state.Record) bool {
			return r.Abstract == "Abstract interpretation is"
		}},
		{"a hostile position", `{"id":"W1","title":"X","abstract_inverted_index":{"b":[900000000000],"a":[-1,3,"4"]}}`, func(r state.Record) bool {
			return r.Abstract == "a a b"
		}},
		{"retyped fields", `{"id":"W1","title":"X","publication_year":"2011","cited_by_count":[1],"biblio":7,"authorships":{"a":1},"primary_location":"x","locations":[null,3]}`, func(r state.Record) bool {
			return r.Year == 2011 && r.Citations == nil && r.Authors == nil && len(r.Notes) == 1
		}},
		{"year and date disagree", `{"id":"W1","title":"X","publication_year":2019,"publication_date":"2020-03-01"}`, func(r state.Record) bool {
			return r.Year == 2019 && r.Date == "2019" && len(r.Notes) == 1
		}},
		{"a date alone", `{"id":"W1","title":"X","publication_date":"2020-03-01"}`, func(r state.Record) bool { return r.Year == 2020 }},
		{"an impossible date", `{"id":"W1","title":"X","publication_year":2020,"publication_date":"2020-02-31"}`, func(r state.Record) bool {
			return r.Year == 2020 && r.Date == "2020"
		}},
		{"a title as a number", `{"id":"W1","title":1984}`, func(r state.Record) bool { return r.Title == "1984" }},
		{"no id", `{"title":"X","doi":"10.1000/x"}`, func(r state.Record) bool { return strings.HasPrefix(r.Key, "openalex:#") }},
		{"right to left", `{"id":"W1","title":"التعلم العميق \u202eabc"}`, func(r state.Record) bool { return r.Title == "التعلم العميق abc" }},
		{"a script as an address", `{"id":"W1","title":"X","best_oa_location":{"is_oa":true,"pdf_url":"javascript:alert(1)"}}`, func(r state.Record) bool {
			return len(r.Links) == 0
		}},
		{"a long text", `{"id":"W1","title":"` + strings.Repeat("word ", 100_000) + `"}`, func(r state.Record) bool { return len(r.Title) <= longTitle+4 }},
		{"a proceedings paper in a series", `{"id":"W1","title":"X","type":"book-chapter","primary_location":{"source":{"type":"book series"}}}`, func(r state.Record) bool {
			return r.Kind == state.Published
		}},
	} {
		r := one(t, c.raw)
		if !c.ok(r) {
			t.Errorf("%s: %+v, retraction %+v", c.name, r, r.Retraction)
		}
		for _, f := range sourcetest.RecordFaults(Name, r) {
			t.Errorf("%s: %s", c.name, f)
		}
	}
}

func TestSkips(t *testing.T) {
	j := New(nil, Config{}).begin("test")
	for _, raw := range []string{`null`, `3`, `"x"`, `[]`, `{}`, `{"id":"W1","title":null}`, `{"id":"W2","title":"  <i></i> "}`, `{"id":"W3","title":"X"}`, `{"id":"W3","title":"X"}`} {
		j.add(rawRecord(raw), -1)
	}
	got := map[string]int{}
	for _, s := range j.Result.Skips {
		got[s.Reason] = s.Count
	}
	if len(j.Result.Records) != 1 || got["not a work record"] != 4 || got["no title"] != 3 || got["sent twice"] != 1 {
		t.Errorf("%d records, skips %v", len(j.Result.Records), got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(sample(f, "search.json")))
	f.Add([]byte(`{"results":[{"title":"x","abstract_inverted_index":{"a":[0,1e99]}},null,[]]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		pageFault(map[string][]string{"cursor": {"*"}})(body)
		recordFault(body)
		verdict(429, nil, body)
		var p page
		if _, err := wire.Lenient(body, &p); err != nil {
			return
		}
		j := New(nil, Config{}).begin("test")
		for _, e := range p.Results {
			j.add(e, -1)
		}
		n := len(j.Result.Records)
		for _, s := range j.Result.Skips {
			n += s.Count
		}
		if n != len(p.Results) {
			t.Errorf("%d entries became %d records and skips", len(p.Results), n)
		}
		for _, fault := range sourcetest.ResultFaults(Name, j.Result) {
			// What only looks like markup may stay: "<A<b>".
			if !strings.Contains(fault, "keeps markup") {
				t.Error(fault)
			}
		}
	})
}

// decodeList adds the works of the answer to a list call.
func (j *job) decodeList(body []byte) error {
	var p page
	if _, err := wire.Lenient(body, &p); err != nil {
		return err
	}
	for _, raw := range p.Results {
		j.add(raw, -1)
	}
	return nil
}
