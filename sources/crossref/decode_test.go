package crossref

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
	if err := j.decodeAnswer([]byte(sample(t, "search.json"))); err != nil {
		t.Fatal(err)
	}
	r := j.Result.Records[0]
	if r.Title != "Finding water with a forked stick: CO2 & other controls" || r.AltTitle != "Wasser finden mit der Wünschelrute" {
		t.Errorf("title %q, original %q", r.Title, r.AltTitle)
	}
	if want := "Aims: We asked whether dowsers beat chance (p < 0.05). Results: They did not."; r.Abstract != want {
		t.Errorf("abstract is %q, want %q", r.Abstract, want)
	}
	authors := []state.Author{
		{Name: "Ana Núñez", Given: "Ana", Family: "Núñez", ORCID: "0000-0002-1825-0097"},
		{Name: "Sumaryadi", Family: "Sumaryadi"},
		{Name: "The Dowsing Trial Group", Collective: true},
	}
	for i, a := range authors {
		if len(r.Authors) != 3 || r.Authors[i] != a {
			t.Errorf("authors are %+v", r.Authors)
			break
		}
	}
	if *r.Retraction != (state.Retract{Status: state.RetractRetracted, Notice: "10.5555/water.3"}) {
		t.Errorf("retraction is %+v", *r.Retraction)
	}
	if len(r.Related) != 1 || r.Related[0] != (state.Related{Type: "has-preprint", ID: "doi:10.5555/pre.1"}) {
		t.Errorf("related are %+v", r.Related)
	}
	if len(r.Links) != 2 || r.Links[1].Kind != "landing" || r.Links[0] != (state.OALink{URL: "https://journal.example.org/water.pdf", Kind: "pdf", License: "cc-by", Source: "Example Press"}) {
		t.Errorf("links are %+v", r.Links)
	}
	if r.Date != "2003-04" || r.Year != 2003 || r.Issue != "" || *r.Citations != 17 {
		t.Errorf("date %q, issue %q, citations %d", r.Date, r.Issue, *r.Citations)
	}
	pre := j.Result.Records[1]
	if pre.Kind != state.Preprint || pre.Date != "2002-11-03" || pre.Venue != "bioRxiv" || len(pre.Related) != 1 {
		t.Errorf("the preprint became %+v", pre)
	}
}

func TestDecoding(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		ok        func(state.Record) bool
	}{
		{"R9: a retraction beside corrections", `{"DOI":"10.1126/science.1112286","title":["X"],"is-referenced-by-count":1,"updated-by":[{"DOI":"10.1126/science.1124926","type":"retraction"},{"DOI":"10.1126/x","type":"erratum"}]}`, func(r state.Record) bool {
			return *r.Retraction == state.Retract{Status: state.RetractRetracted, Notice: "10.1126/science.1124926"}
		}},
		{"an expression of concern", `{"DOI":"10.5555/x","title":["X"],"updated-by":[{"DOI":"10.5555/c","type":"expression_of_concern"}]}`, func(r state.Record) bool {
			return r.Retraction.Status == state.RetractConcern
		}},
		{"a whole record without notices", `{"DOI":"10.5555/x","title":["X"],"is-referenced-by-count":0}`, func(r state.Record) bool {
			return r.Retraction.Status == state.RetractNone && *r.Citations == 0
		}},
		{"the notice is not what is retracted", `{"DOI":"10.5555/n","title":["RETRACTED: X"],"is-referenced-by-count":0,"update-to":[{"DOI":"10.5555/x","type":"retraction"}]}`, func(r state.Record) bool {
			return r.Retraction.Status == state.RetractNone && r.Related[0] == state.Related{Type: "retraction-of", ID: "doi:10.5555/x"}
		}},
		{"a marked title", `{"DOI":"10.5555/x","title":["RETRACTED ARTICLE: X"]}`, func(r state.Record) bool {
			return r.Retraction.Status == state.RetractRetracted
		}},
		{"a synopsis", `{"DOI":"10.5555/x","title":["X"],"abstract":"<jats:p>[Synopsis] Words.</jats:p>"}`, func(r state.Record) bool {
			return r.Synopsis && r.Abstract == "Words."
		}},
		{"an abstract without markup", `{"DOI":"10.5555/x","title":["X"],"abstract":"Abstract We found 3 < 4 &amp;amp; more"}`, func(r state.Record) bool {
			return strings.HasPrefix(r.Abstract, "We found 3 < 4")
		}},
		{"a broken abstract", `{"DOI":"10.5555/x","title":["X"],"abstract":"<jats:p>One<br>two</jats:sec> &lt;sub&gt;x&lt;/sub&gt;"}`, func(r state.Record) bool {
			return strings.HasPrefix(r.Abstract, "One two")
		}},
		{"a formula twice", `{"DOI":"10.5555/x","title":["X"],"abstract":"<p>Let <alternatives><tex-math>$\\alpha$</tex-math><mml:math><mml:mi>α</mml:mi></mml:math></alternatives> be.</p>"}`, func(r state.Record) bool {
			return r.Abstract == "Let α be."
		}},
		{"italics inside a word", `{"DOI":"10.5555/x","title":["X"],"abstract":"<p>the <italic>n</italic>th <italic>in vitro</italic>, H<sub>2</sub>O and <italic>trans</italic>-acting</p>"}`, func(r state.Record) bool {
			return r.Abstract == "the nth in vitro, H2O and trans-acting"
		}},
		{"retyped fields", `{"DOI":"10.5555/x","title":"X","author":{"family":"Solo"},"issued":"2011","volume":7,"is-referenced-by-count":"4","relation":[],"license":null}`, func(r state.Record) bool {
			return r.Title == "X" && r.Authors[0].Family == "Solo" && r.Volume == "7" && *r.Citations == 4 && r.Year == 0 && len(r.Notes) == 1
		}},
		{"month 13", `{"DOI":"10.5555/x","title":["X"],"issued":{"date-parts":[["2011",13,1]]}}`, func(r state.Record) bool { return r.Date == "2011" }},
		{"no date, but one online", `{"DOI":"10.5555/x","title":["X"],"issued":{"date-parts":[[null]]},"published-online":{"date-parts":[[2011,5]]}}`, func(r state.Record) bool { return r.Date == "2011-05" }},
		{"a subtitle that is there already", `{"DOI":"10.5555/x","title":["Water: a review"],"subtitle":["A review"]}`, func(r state.Record) bool { return r.Title == "Water: a review" }},
		{"a paper in a series", `{"DOI":"10.1007/x","title":["X"],"type":"book-chapter","container-title":["Lecture Notes in Computer Science","Graphs"]}`, func(r state.Record) bool {
			return r.Kind == state.Published
		}},
		{"a chapter", `{"DOI":"10.1007/x","title":["X"],"type":"book-chapter","container-title":["Graphs"]}`, func(r state.Record) bool { return r.Kind == state.Other }},
		{"a blog post", `{"DOI":"10.5555/x","title":["X"],"type":"posted-content","subtype":"other"}`, func(r state.Record) bool { return r.Kind == state.Other }},
		{"no DOI", `{"title":["X"]}`, func(r state.Record) bool { return strings.HasPrefix(r.Key, "crossref:#") }},
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

func TestThinRecords(t *testing.T) {
	var a recordAnswer
	if _, err := wire.Lenient([]byte(sample(t, "seed.json")), &a); err != nil {
		t.Fatal(err)
	}
	w, _, err := decode(a.Message)
	if err != nil {
		t.Fatal(err)
	}
	var got []state.Record
	for _, raw := range w.References {
		var ref reference
		if _, err := wire.Lenient(raw, &ref); err != nil {
			t.Fatal(err)
		}
		if r, why := ref.record(w.name()); why == "" {
			got = append(got, r)
		}
	}
	if len(got) != 4 {
		t.Fatalf("%d entries with a title, want 4", len(got))
	}
	unknown, springs, arxiv := got[1], got[2], got[3]
	if unknown.Key != "crossref:10.5555/unknown" || unknown.Year != 2004 || unknown.Authors[0].Name != "Ito" || !unknown.AuthorsCut || unknown.Kind != state.Published {
		t.Errorf("the entry with an unknown DOI became %+v", unknown)
	}
	if springs.Title != "Springs & wells" || springs.Year != 0 || springs.Venue != "Proceedings of the Well" || springs.Kind != state.Other || springs.Retraction != nil {
		t.Errorf("the entry without DOI became %+v", springs)
	}
	if arxiv.IDs[state.ArXiv] != "2101.00001" || arxiv.Kind != state.Preprint || arxiv.Year != 2021 {
		t.Errorf("the arXiv entry became %+v", arxiv)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(sample(f, "search.json")))
	f.Add([]byte(sample(f, "seed.json")))
	f.Add([]byte(`{"message":{"items":[{"title":[[]],"abstract":"<a><b>&#x0;</a>"},{"title":"x","issued":{"date-parts":[[1e9]]}}]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		recordFault(body)
		if listFault(true)(body) != nil {
			return
		}
		var a listAnswer
		if _, err := wire.Lenient(body, &a); err != nil {
			t.Fatal(err)
		}
		j := New(nil, Config{}).begin("test")
		for _, e := range *a.Message.Items {
			j.add(e, -1)
		}
		n := len(j.Result.Records)
		for _, s := range j.Result.Skips {
			n += s.Count
		}
		if n != len(*a.Message.Items) {
			t.Errorf("%d entries became %d records and skips", len(*a.Message.Items), n)
		}
		for _, fault := range sourcetest.ResultFaults(Name, j.Result) {
			// What only looks like markup may stay: "<A<b>".
			if !strings.Contains(fault, "keeps markup") {
				t.Error(fault)
			}
		}
	})
}
