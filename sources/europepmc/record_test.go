package europepmc

import (
	"encoding/json"
	"testing"

	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

func one(t *testing.T, body string) state.Record {
	t.Helper()
	w, note, err := decode(json.RawMessage(body))
	if err != nil {
		t.Fatal(err)
	}
	r, why := w.record(note)
	if why != "" {
		t.Fatal(why)
	}
	for _, f := range sourcetest.RecordFaults(Name, r) {
		t.Error(f)
	}
	return r
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	g, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	w, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if string(g) != string(w) {
		t.Errorf("%s: %s, want %s", what, g, w)
	}
}

func TestRecord(t *testing.T) {
	r := one(t, sample(t, "record.json"))
	same(t, "key", r.Key, "europepmc:MED/101")
	same(t, "title", r.Title, "Dowsing with CO2 rods")
	same(t, "authors", r.Authors, []state.Author{{Name: "Willow R Hazel", Family: "Hazel", Given: "Willow R", ORCID: "0000-0002-1825-0097"}, {Name: "Rods Working Group", Collective: true}})
	same(t, "ids", r.IDs, state.IDs{state.PMID: "101", state.PMCID: "PMC77", state.DOI: "10.5555/dowsing"})
	same(t, "abstract", r.Abstract, "Objectives: To find water. Methods & materials: p < 0.05 with H2O. Nothing was found.")
	same(t, "date", r.Date, "2019-05")
	same(t, "language", r.Language, "de")
	same(t, "subjects", r.Subjects, []string{"Animals", "*Water/analysis", "Water/supply & distribution", "*Rods"})
	same(t, "keywords", r.Keywords, []string{"hazel"})
	same(t, "funding", r.Funding, []state.Grant{{Funder: "Water Board", Award: "W-1"}, {Funder: "Rod Fund"}})
	same(t, "ISSN", r.ISSN, []string{"1234-5678", "8765-432X"})
	same(t, "type", []string{r.Type, string(r.Kind)}, []string{"randomized controlled trial", "published"})
	same(t, "retraction", r.Retraction, state.Retract{Status: state.RetractRetracted, Notice: "10.5555/notice"})
	same(t, "related", r.Related, []state.Related{{Type: "has-erratum", ID: "pmid:102"}, {Type: "has-retraction", ID: "doi:10.5555/notice"},
		{Type: "has-retraction", ID: "pmid:103"}, {Type: "has-preprint", ID: "ppr:PPR9"}})
	same(t, "links", r.Links, []state.OALink{
		{URL: "https://europepmc.org/articles/PMC77", Kind: "html", License: "cc-by", Source: "Europe_PMC"},
		{URL: "https://europepmc.org/articles/PMC77?pdf=render", Kind: "pdf", License: "cc-by", Source: "Europe_PMC"},
		{URL: DefaultBase + "/PMC77/fullTextXML", Kind: "xml", License: "cc-by", Source: "Europe_PMC"},
	})
}

func TestRetraction(t *testing.T) {
	none := &state.Retract{Status: state.RetractNone}
	for _, c := range []struct {
		name, body string
		want       *state.Retract
	}{
		{"a notice is not retracted itself", `{"id":"1","source":"MED","title":"Retraction: Rods","pubTypeList":{"pubType":["Retraction of Publication"]},"commentCorrectionList":{"commentCorrection":{"id":"2","source":"MED","type":"Retraction of"}}}`, none},
		{"MEDLINE says so by silence", `{"id":"1","source":"MED","title":"Rods","pubTypeList":{"pubType":["Journal Article"]}}`, none},
		{"a lite record without types does not say", `{"id":"1","source":"MED","title":"Rods"}`, nil},
		{"of a preprint silence says nothing", `{"id":"PPR1","source":"PPR","title":"Rods","pubType":"preprint"}`, nil},
		{"a withdrawn preprint", `{"id":"PPR1","source":"PPR","title":"WITHDRAWN: Rods","pubType":"preprint"}`, &state.Retract{Status: state.RetractRetracted}},
		{"withdrawal as a subject", `{"id":"PPR1","source":"PPR","title":"Withdrawn patients in trials"}`, nil},
		{"the type alone", `{"id":"1","source":"MED","title":"Rods","pubTypeList":{"pubType":["Retracted Publication"]}}`, &state.Retract{Status: state.RetractRetracted}},
		{"a concern outweighs an erratum", `{"id":"1","source":"PMC","title":"Rods","commentCorrectionList":{"commentCorrection":[{"id":"2","source":"MED","type":"Expression of concern in"},{"id":"3","source":"MED","type":"Erratum in"}]}}`, &state.Retract{Status: state.RetractConcern, Notice: "2"}},
	} {
		same(t, c.name, one(t, c.body).Retraction, c.want)
	}
}

func TestTitlesAndNames(t *testing.T) {
	r := one(t, `{"id":"3","source":"MED","title":"[On rods].","authorString":"Doe J, van der Berg JT, Rods Group, et al."}`)
	same(t, "title", []any{r.Title, r.Notes, r.AuthorsCut}, []any{"On rods", []string{"the title is a translation"}, true})
	same(t, "authors", r.Authors, []state.Author{{Name: "J Doe", Family: "Doe", Given: "J"}, {Name: "JT van der Berg", Family: "van der Berg", Given: "JT"}, {Name: "Rods Group"}})
	for in, want := range map[string]string{
		"Rods in the U.S.": "Rods in the U.S.", "Rods...": "Rods...", "Do rods work?": "Do rods work?", "[18F]FDG in [sic].": "[18F]FDG in [sic]",
	} {
		if got, _ := title(scalar(in)); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// Whatever stands in a record, decoding gives a lawful record or a reason.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(sample(f, "record.json")))
	f.Add([]byte(`{"id":1,"source":"MED","title":["x"],"authorList":{"author":{"lastName":{"a":1}}},"pubYear":2020.0}`))
	f.Add([]byte(`{"title":"<b>x","firstPublicationDate":"20","commentCorrectionList":{"commentCorrection":"x"}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		w, note, err := decode(body)
		if err != nil {
			return
		}
		if r, why := w.record(note); why == "" {
			for _, fault := range sourcetest.RecordFaults(Name, r) {
				t.Error(fault)
			}
		}
	})
}
