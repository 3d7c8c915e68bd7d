package canon

import (
	"testing"

	"optimistresearch/state"
)

func TestDecisions(t *testing.T) {
	one := rec(wounds, "Weber A", 2010, "BMJ", key("a:1"), doi("10.1000/one"))
	two := rec(wounds, "Weber, Ann", 2010, "BMJ", key("a:2"), doi("10.1000/ONE"))
	three := rec("Graph stores in practice", "Weber A", 2009, "TODS", key("a:3"))
	four := rec("Graph stores in use", "Weber A", 2009, "TODS", key("a:4"))
	records := []state.Record{one, two, three, four}
	log := []Decision{Decide(two, one, DecisionDifferent), Decide(three, four, DecisionSame)}
	if log[0].A != "a:1" || log[0].B != "a:2" || log[0].PrintA != Fingerprint(one) {
		t.Errorf("decision %+v", log[0])
	}
	got := together(records, Dedupe(records, Options{Decisions: log}))
	if got["a:1"] == got["a:2"] || got["a:3"] != got["a:4"] {
		t.Errorf("a person's decisions were not obeyed: %v", got)
	}

	// Imported again under other keys, and the first record with a fuller title.
	again := []state.Record{one, two, three, four}
	for i := range again {
		again[i].Key = "b:" + again[i].Key
	}
	if got := together(again, Dedupe(again, Options{Decisions: log})); got["b:a:1"] == got["b:a:2"] || got["b:a:3"] != got["b:a:4"] {
		t.Errorf("decisions did not survive the second import: %v", got)
	}
	fuller := []state.Record{one, two}
	fuller[0].Abstract, fuller[0].Title = "Background.", wounds+": a trial"
	if got := together(fuller, Dedupe(fuller, Options{Decisions: log})); got["a:1"] == got["a:2"] {
		t.Errorf("the decision did not survive a fuller record under the old key: %v", got)
	}

	// A copy of a record shares its decision.
	copied := two
	copied.Key = "c:2"
	more := append(records, copied)
	if got := together(more, Dedupe(more, Options{Decisions: log})); got["c:2"] != got["a:2"] || got["c:2"] == got["a:1"] {
		t.Errorf("copies of a record: %v", got)
	}

	undone := Undo(log, one, two)
	if got := together(records, Dedupe(records, Options{Decisions: undone})); got["a:1"] != got["a:2"] || got["a:3"] != got["a:4"] {
		t.Errorf("undone: %v", got)
	}
	if len(log) != 2 || len(undone) != 3 || len(Undo(undone, one, two)) != 3 || len(Undo(nil, one, two)) != 0 {
		t.Error("undo must add one entry, and none where nothing is in force")
	}
	redone := append(undone, Decide(one, two, DecisionDifferent))
	if got := together(records, Dedupe(records, Options{Decisions: redone})); got["a:1"] == got["a:2"] {
		t.Errorf("decided again: %v", got)
	}
}

// A person's word stands above a veto, but joins no third record under one.
func TestDecisionStandsAboveVetoes(t *testing.T) {
	article := rec(wounds, "Weber A", 2010, "BMJ", key("a:1"))
	notice := rec("Erratum: "+wounds, "Weber A", 2010, "BMJ", key("a:2"))
	copied := rec(wounds, "Weber, Ann", 2010, "BMJ", key("a:3"))
	records := []state.Record{article, notice, copied}
	got := together(records, Dedupe(records, Options{Decisions: []Decision{Decide(article, notice, DecisionSame)}}))
	if got["a:1"] != got["a:2"] {
		t.Errorf("clusters %v", got)
	}
}

func TestSeparate(t *testing.T) {
	s := with(&state.State{},
		rec(wounds, "Weber A", 2010, "BMJ", key("a:1")),
		rec(wounds, "Weber, Ann", 2010, "BMJ", key("a:2")),
		rec("Crop rotation in dry highland farming", "Lee K", 2011, "Soil", key("a:3")))
	run(s, 1)
	if s.Links["a:1"].Document != s.Links["a:2"].Document {
		t.Fatal("not one document")
	}
	part := Separate(s, "a:2", 2)
	s.Merge(&part)
	l := s.Links["a:2"]
	if l.Document == s.Links["a:1"].Document || l.Rule != rulePerson || len(s.Documents[l.Document].Records) != 1 {
		t.Errorf("link %+v, document %+v", l, s.Documents[l.Document])
	}
	// The next round keeps them apart, a copy joins one of them and not both.
	with(s, rec(wounds, "Weber A", 2010, "British Medical Journal", key("a:4")))
	run(s, 3)
	if s.Links["a:1"].Document == s.Links["a:2"].Document {
		t.Error("joined again")
	}
	part = DecidePair(s, "a:1", "a:2", DecisionNone)
	s.Merge(&part)
	if p := s.Pairs[PairKey("a:1", "a:2")]; p.Decision != DecisionNone || p.Revision != 2 {
		t.Errorf("pair %+v", p)
	}
	if part := Separate(s, "nobody", 3); len(part.Links) != 0 {
		t.Error("a link for a record that is not there")
	}
	if part := Separate(s, "a:3", 3); len(part.Links) != 0 {
		t.Error("a record that is alone was separated")
	}
}
