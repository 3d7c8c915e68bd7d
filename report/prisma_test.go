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
		Chasing: Column{Identified: []Count{{"crossref", 2}}, Searched: 1, Screened: 1, Sought: 1, NotRetrieved: []Count{{"no text available", 1}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
}

// What citation chasing brings again is told apart: the very record that a
// search found, the same record from a second list, another record of a work.
func TestChasedAgain(t *testing.T) {
	s := fixture(t)
	chased := func(seed string) state.Provenance {
		return state.Provenance{Source: "crossref", Via: state.ViaSnowball, Seed: seed, Direction: state.Forward, Round: 101}
	}
	add := func(key string, ps ...state.Provenance) {
		r := s.Records[key]
		r.Key, r.Source = key, "crossref"
		seen := map[string]state.Provenance{}
		for k, p := range r.Seen {
			seen[k] = p
		}
		for _, p := range ps {
			seen[p.Key()] = p
		}
		r.Seen = seen
		s.Records[key] = r
	}
	add("arxiv:2302.00002", chased("doc_0001"), chased("doc_0006"))
	add("crossref:10.1/twin", chased("doc_0001"))
	s.Links["crossref:10.1/twin"] = state.Link{Record: "crossref:10.1/twin", Document: "doc_0002"}
	got := PRISMA(s)
	want := Column{Identified: []Count{{"crossref", 5}}, Repeated: 1, Searched: 2, Duplicates: 1, Screened: 1, Sought: 1, NotRetrieved: []Count{{"no text available", 1}}}
	if d := cmp.Diff(want, got.Chasing); d != "" {
		t.Error(d)
	}
	if err := got.Check(); err != nil {
		t.Error(err)
	}
	if got.Search.Searched != 0 {
		t.Errorf("searches have %d records that a search found too", got.Search.Searched)
	}
	for name, want := range map[string]string{
		"report.md": "| Removed: the very same record, which a search found too | 0 | 2 |", "prisma.csv": "removed_found_by_a_search_too,,0,2,2", "prisma.svg": "a record that a search found (n = 2)",
	} {
		if page := render(t, s)[name]; !strings.Contains(page, want) {
			t.Errorf("%s does not hold %q", name, want)
		}
	}
}

// A relevant work that was not read is left for the reason that the run ended,
// and not always for the reading budget.
func TestWhyRelevantWorksWereNotRead(t *testing.T) {
	for _, c := range []struct {
		name string
		stop *state.Stop
		halt bool
		read int // documents, of a budget of 40
		list int // the iteration of the last reading list
		want string
	}{
		{"going on", nil, false, 0, 0, "its turn has not come yet"},
		{"budget of documents", &state.Stop{Reason: state.StopBudget, Iteration: 2}, false, 40, 2, overBudget},
		{"last iteration used its part", &state.Stop{Reason: state.StopIterations, Iteration: 3}, false, 38, 3, overBudget},
		{"last iteration, searches failed", &state.Stop{Reason: state.StopUnreachable, Iteration: 3}, false, 38, 3, overBudget},
		{"budget of searches", &state.Stop{Reason: state.StopBudget, Iteration: 1}, false, 20, 1, "a budget ended the run first"},
		{"wall time", &state.Stop{Reason: state.StopBudget, Iteration: 3}, true, 3, 3, "a budget ended the run first"},
		{"sufficient", &state.Stop{Reason: state.StopSufficient, Iteration: 1}, false, 20, 1, "the evidence was judged sufficient first"},
		{"nothing to do", &state.Stop{Reason: state.StopNothingToDo, Iteration: 1}, false, 20, 1, "the run ended first, with nothing left to do"},
		{"failure", &state.Stop{Reason: state.StopModelFailed, Iteration: 1}, false, 0, 0, "the run ended first, since a model failed"},
		{"no evidence", &state.Stop{Reason: state.StopNoEvidence, Iteration: 1}, false, 2, 1, "the run ended first"},
	} {
		s := fixture(t)
		d := s.Documents["doc_0004"]
		d.Status, d.Exclusion = state.Screened, nil
		d.Relevance = map[string]state.Relevance{"RQ1": {Score: 0.9, By: "builtin"}}
		s.Documents["doc_0004"] = d
		s.Stop, s.Halt = c.stop, nil
		if c.halt {
			s.Halt = c.stop
		}
		s.Ledger = map[string]state.Spend{"reading": {Documents: c.read}}
		s.Work = map[string]state.WorkList{state.WorkRead: {Round: c.list}}
		v, err := newView(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.stage["doc_0004"]; got != (stage{notRetrieved, c.want}) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFlowCheckNamesTheBox(t *testing.T) {
	good := PRISMA(fixture(t))
	for want, spoil := range map[string]func(*Flow){
		"7 identified":      func(f *Flow) { f.Search.Repeated++ },
		"5 screened":        func(f *Flow) { f.Search.Screened++; f.Search.Repeated-- },
		"3 sought":          func(f *Flow) { f.Search.Sought++; f.Search.Screened++; f.Search.Repeated-- },
		"2 assessed":        func(f *Flow) { f.Search.Included-- },
		"citation chasing":  func(f *Flow) { f.Chasing.Searched = 0 },
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
		if _, err := Render(s, nil); err != nil {
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
