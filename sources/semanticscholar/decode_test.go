package semanticscholar

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
	j := New(nil, Config{}).begin("test")
	if err := j.decodePapers([]byte(sample(t, "search.json"))); err != nil {
		t.Fatal(err)
	}
	r := j.Result.Records[0]
	for scheme, want := range (state.IDs{
		state.S2: hex, state.DOI: "10.5555/water.1", state.ArXiv: "2101.00001", state.PMID: "1234567", state.PMCID: "PMC7654321",
		state.CorpusID: "4711", state.MAG: "100000001", state.DBLP: "journals/old/Nunez03", state.ACL: "P03-1001",
	}) {
		if r.IDs[scheme] != want {
			t.Errorf("%s is %q, want %q", scheme, r.IDs[scheme], want)
		}
	}
	if r.Title != "Finding water with a forked stick" || r.Abstract != "Dowsers did not beat chance (p < 0.05)." {
		t.Errorf("title %q, abstract %q", r.Title, r.Abstract)
	}
	if r.Venue != "Journal of Old Trades" || r.Type != "journalarticle, review" || r.Kind != state.Published || r.Pages != "45-61" || r.Date != "2003-04-17" {
		t.Errorf("venue %q, type %q, kind %q, pages %q, date %q", r.Venue, r.Type, r.Kind, r.Pages, r.Date)
	}
	if len(r.Authors) != 1 || *r.Citations != 17 || r.Retraction != nil || r.Links[0].License != "cc-by-nc" {
		t.Errorf("authors %+v, citations %d, retraction %+v, links %+v", r.Authors, *r.Citations, r.Retraction, r.Links)
	}
	bare := j.Result.Records[1]
	if bare.Year != 0 || bare.Date != "" || bare.Citations != nil || bare.Links != nil || bare.Kind != state.Other {
		t.Errorf("the bare record became %+v", bare)
	}
}

func TestSampleReferences(t *testing.T) {
	j := New(nil, Config{}).begin("test")
	var p page
	if _, err := wire.Lenient([]byte(sample(t, "references.json")), &p); err != nil {
		t.Fatal(err)
	}
	for _, raw := range p.Data {
		j.addEdge(raw, -1)
	}
	if len(j.Result.Records) != 2 || len(j.Result.Skips) != 2 {
		t.Fatalf("%d records, skips %+v", len(j.Result.Records), j.Result.Skips)
	}
	thin := j.Result.Records[1]
	if thin.Title != "World report on wells. 1987" || !strings.HasPrefix(thin.Key, "semanticscholar:#") || thin.Year != 0 || len(thin.Notes) != 1 {
		t.Errorf("the unmatched reference became %+v", thin)
	}
}

func TestDecoding(t *testing.T) {
	id := `"paperId":"` + hex + `","title":"X"`
	for _, c := range []struct {
		name, raw string
		ok        func(state.Record) bool
	}{
		{"R28: venue of the conference, DOI of the preprint", `{` + id + `,"externalIds":{"DOI":"10.48550/arXiv.2406.14302","ArXiv":"2406.14302"},"venue":"International Conference on Learning Representations","year":2024}`, func(r state.Record) bool {
			return r.IDs[state.ArXiv] == "2406.14302" && r.IDs[state.DOI] == "" && r.Kind == state.Published && len(r.Notes) == 1
		}},
		{"a preprint", `{` + id + `,"externalIds":{"ArXiv":"2406.14302"},"venue":"arXiv.org","journal":{"name":"ArXiv","volume":"abs/2406.14302"}}`, func(r state.Record) bool {
			return r.Kind == state.Preprint && r.Volume == "" && r.Notes == nil
		}},
		{"a paper on SSRN under a strange venue", `{` + id + `,"externalIds":{"DOI":"10.2139/SSRN.2250500"},"venue":"ERN: Credit Risk (Topic)"}`, func(r state.Record) bool { return r.Kind == state.Preprint }},
		{"a book", `{` + id + `,"venue":"Springer","publicationTypes":["Book"]}`, func(r state.Record) bool { return r.Kind == state.Other }},
		{"retyped fields", `{` + id + `,"year":"2011","citationCount":"4","authors":{"name":"x"},"externalIds":"none","journal":[],"openAccessPdf":true}`, func(r state.Record) bool {
			return r.Year == 2011 && r.Date == "2011" && *r.Citations == 4 && r.Authors == nil && len(r.Notes) == 1
		}},
		{"year and date disagree", `{` + id + `,"year":2019,"publicationDate":"2020-03-01"}`, func(r state.Record) bool {
			return r.Year == 2019 && r.Date == "2019" && len(r.Notes) == 1
		}},
		{"a date alone", `{` + id + `,"publicationDate":"2020-03-01"}`, func(r state.Record) bool { return r.Year == 2020 && r.Date == "2020-03-01" }},
		{"a marked title", `{"paperId":"` + hex + `","title":"RETRACTED: X"}`, func(r state.Record) bool { return r.Retraction.Status == state.RetractRetracted }},
		{"a synopsis", `{` + id + `,"abstract":"[Synopsis] Words."}`, func(r state.Record) bool { return r.Synopsis && r.Abstract == "Words." }},
		{"a landing page as a PDF", `{` + id + `,"openAccessPdf":{"url":"https://doi.org/10.5555/x"}}`, func(r state.Record) bool { return r.Links[0].Kind == "landing" }},
		{"a script as an address", `{` + id + `,"openAccessPdf":{"url":"javascript:alert(1)"}}`, func(r state.Record) bool { return r.Links == nil }},
		{"roman pages", `{` + id + `,"journal":{"pages":"xi - xiv"}}`, func(r state.Record) bool { return r.Pages == "xi-xiv" }},
		{"strange pages", `{` + id + `,"journal":{"pages":"S1 - S2 - S3"}}`, func(r state.Record) bool { return r.Pages == "S1 - S2 - S3" }},
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

func FuzzDecode(f *testing.F) {
	f.Add([]byte(sample(f, "search.json")))
	f.Add([]byte(sample(f, "references.json")))
	f.Add([]byte(`{"total":1,"data":[{"citedPaper":{"paperId":3,"title":[1]}},null,{"citingPaper":{"title":"x","year":1e9}}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		searchFault(true)(body)
		edgeFault(body)
		recordFault(body)
		batchFault(body)
		var p page
		if _, err := wire.Lenient(body, &p); err != nil {
			return
		}
		for _, add := range []func(*job, rawRecord){func(j *job, raw rawRecord) { j.add(raw, -1) }, func(j *job, raw rawRecord) { j.addEdge(raw, -1) }} {
			j := New(nil, Config{}).begin("test")
			for _, e := range p.Data {
				add(j, e)
			}
			n := len(j.Result.Records)
			for _, s := range j.Result.Skips {
				n += s.Count
			}
			if n != len(p.Data) {
				t.Errorf("%d entries became %d records and skips", len(p.Data), n)
			}
			for _, fault := range sourcetest.ResultFaults(Name, j.Result) {
				// What only looks like markup may stay: "<A<b>".
				if !strings.Contains(fault, "keeps markup") {
					t.Error(fault)
				}
			}
		}
	})
}

// decodePapers adds the papers of an answer to a search.
func (j *job) decodePapers(body []byte) error {
	var p page
	if _, err := wire.Lenient(body, &p); err != nil {
		return err
	}
	for _, raw := range p.Data {
		j.add(raw, -1)
	}
	return nil
}
