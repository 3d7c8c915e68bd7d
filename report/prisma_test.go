package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"optimistresearch/state"
)

func TestPRISMA(t *testing.T) {
	got := PRISMA(fixture(t))
	want := Flow{
		Search: Column{Identified: []Count{{"arxiv", 4}, {"crossref", 3}}, Repeated: 1, Duplicates: 1, Ineligible: []Count{{"outside the years asked for", 1}},
			Screened: 4, Excluded: []Count{{"below the relevance threshold", 1}, {"retracted", 1}}, Sought: 2, Assessed: 2, Included: 2},
		Chasing: Column{Identified: []Count{{"crossref", 2}}, Duplicates: 1, Screened: 1, Sought: 1, NotRetrieved: []Count{{"no text available", 1}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
}

func TestFlowCheckNamesTheBox(t *testing.T) {
	good := PRISMA(fixture(t))
	for want, spoil := range map[string]func(*Flow){
		"7 identified":      func(f *Flow) { f.Search.Repeated++ },
		"5 screened":        func(f *Flow) { f.Search.Screened++; f.Search.Repeated-- },
		"3 sought":          func(f *Flow) { f.Search.Sought++; f.Search.Screened++; f.Search.Repeated-- },
		"2 assessed":        func(f *Flow) { f.Search.Included-- },
		"citation chasing":  func(f *Flow) { f.Chasing.Duplicates = 0 },
		"-1 included":       func(f *Flow) { f.Search.Included = -1 },
		"0 for “retracted”": func(f *Flow) { f.Search.Excluded = []Count{{"retracted", 0}} },
	} {
		f := good
		spoil(&f)
		if err := f.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check says %v, want %q", err, want)
		}
	}
}

// The boxes add up for any state, however it was interrupted.
func TestPRISMAAddsUp(t *testing.T) {
	base := fixture(t)
	rapid.Check(t, func(t *rapid.T) {
		s := randomState(t, base)
		v, err := newView(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.flow.Check(); err != nil {
			t.Fatal(err)
		}
		works := 0
		for _, c := range []Column{v.flow.Search, v.flow.Chasing} {
			works += Sum(c.Ineligible) + c.Unscored + c.Unscreened + c.Screened
		}
		if works != len(s.Documents) {
			t.Fatalf("%d works in the flow, %d documents", works, len(s.Documents))
		}
		sightings := 0
		for _, r := range s.Records {
			sightings += max(len(r.Seen), 1)
		}
		if n := Sum(v.flow.Search.Identified) + Sum(v.flow.Chasing.Identified); n < sightings {
			t.Fatalf("%d identified, %d sightings", n, sightings)
		}
		with := map[string]bool{}
		for _, e := range s.Admitted("") {
			if _, ok := s.Documents[e.Document]; ok {
				with[e.Document] = true
			}
		}
		if v.flow.Included() != len(with) {
			t.Fatalf("%d included, %d documents with admitted evidence", v.flow.Included(), len(with))
		}
		if err := xmlWellFormed(v.flow.svg()); err != nil {
			t.Fatal(err)
		}
		if _, err := Render(s); err != nil {
			t.Fatal(err)
		}
	})
}

func randomState(t *rapid.T, base *state.State) *state.State {
	s := *base
	s.Records, s.Links, s.Documents = map[string]state.Record{}, map[string]state.Link{}, map[string]state.Document{}
	s.Evidence, s.Reviews, s.Readings = map[string]state.Evidence{}, map[string]state.Review{}, map[string]state.Reading{}
	doc := rapid.SampledFrom([]string{"doc_0001", "doc_0002", "doc_0003", "doc_0004"})
	source := rapid.SampledFrom([]string{"arxiv", "crossref", "", "<odd & \"source\">"})
	for i := range rapid.IntRange(0, 8).Draw(t, "records") {
		r := state.Record{Key: fmt.Sprintf("k%d", i), Source: source.Draw(t, "source"), Title: "T", Abstract: rapid.SampledFrom([]string{"", "Some text."}).Draw(t, "abstract"), Seen: map[string]state.Provenance{}}
		for j := range rapid.IntRange(0, 3).Draw(t, "seen") {
			p := state.Provenance{Source: r.Source, Via: rapid.SampledFrom([]string{state.ViaSearch, state.ViaSnowball, state.ViaImport}).Draw(t, "via"), Query: fmt.Sprint("Q", j), Seed: fmt.Sprint("doc_000", j), Round: j}
			r.Seen[p.Key()] = p
		}
		s.Records[r.Key] = r
		if rapid.Bool().Draw(t, "linked") {
			d := state.DocumentFrom(r)
			d.ID = doc.Draw(t, "doc")
			if old, ok := s.Documents[d.ID]; ok {
				d = state.JoinDocuments(old, d)
			}
			s.Documents[d.ID] = d
			s.Links[r.Key] = state.Link{Record: r.Key, Document: rapid.SampledFrom([]string{d.ID, "doc_0001", "doc_0009"}).Draw(t, "link")}
		}
	}
	if rapid.Bool().Draw(t, "stray") {
		s.Documents["doc_0007"] = state.Document{ID: "doc_0007", Records: []string{"not in the state"}}
	}
	for _, id := range state.Keys(s.Documents) {
		d := s.Documents[id]
		d.Status = rapid.SampledFrom([]state.DocStatus{"", state.Found, state.Screened, state.Selected, state.Read}).Draw(t, "status")
		if rapid.Bool().Draw(t, "scored") {
			d.Relevance = map[string]state.Relevance{"RQ1": {Score: rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "score")}}
		}
		if rapid.Bool().Draw(t, "unscored") {
			d.Unscored = map[string]string{"RQ2": "left out"}
		}
		if who := rapid.SampledFrom([]string{"", "", "rule", "person", "model"}).Draw(t, "who"); who != "" {
			d.Exclusion = map[string]state.Exclusion{who: {Reason: rapid.SampledFrom([]string{state.ExcludeYear, state.ExcludePerson, "", "new reason"}).Draw(t, "why"), By: who}}
		}
		if rapid.Bool().Draw(t, "retracted") {
			d.Retraction = map[string]state.Retract{"crossref": {Status: state.RetractRetracted}}
		}
		s.Documents[id] = d
		if rapid.Bool().Draw(t, "reading") {
			s.Readings[id] = state.Reading{Document: id, Text: rapid.SampledFrom([]string{"", "abstract:k0"}).Draw(t, "text")}
		}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "evidence") {
		id := fmt.Sprint("ev_00000", i)
		s.Evidence[id] = state.Evidence{ID: id, Document: doc.Draw(t, "of"), Subquestion: "RQ1", Claim: "Claim"}
		if rapid.Bool().Draw(t, "reviewed") {
			s.Reviews[id] = state.Review{Evidence: id, Admitted: rapid.Bool().Draw(t, "admitted"), Stale: rapid.SampledFrom([]string{"", "", "RQ1 was split"}).Draw(t, "stale")}
		}
	}
	return &s
}

func xmlWellFormed(b []byte) error {
	d := xml.NewDecoder(strings.NewReader(string(b)))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("the SVG is not well-formed: %w", err)
		}
	}
}
