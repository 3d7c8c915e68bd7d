package canon

import (
	"encoding/hex"

	"optimistresearch/state"
)

// Values of Decision.Verdict and state.Pair.Decision.
const (
	DecisionSame      = "same"
	DecisionDifferent = "different"
	DecisionNone      = "" // taken back
)

// Decision is what a person said about two records. Decisions stand above every
// rule and veto. They are a log: a later one about the same two records replaces
// an earlier one, and taking one back is an entry too.
//
// Each record is named by its key and by its fingerprint, so a decision holds
// when the file is imported again under other keys, and when a source gives a
// fuller record under the old key.
type Decision struct {
	A       string `json:"a"`
	B       string `json:"b"`
	PrintA  string `json:"print_a,omitempty"`
	PrintB  string `json:"print_b,omitempty"`
	Verdict string `json:"verdict"`
}

// Decide gives the entry that says that two records are one work (DecisionSame)
// or two (DecisionDifferent).
func Decide(a, b state.Record, verdict string) Decision {
	if b.Key < a.Key {
		a, b = b, a
	}
	return Decision{A: a.Key, B: b.Key, PrintA: Fingerprint(a), PrintB: Fingerprint(b), Verdict: verdict}
}

// Undo takes back what the log says about two records: it adds the entry that
// does so, unless nothing is in force. What was undone can be decided again.
func Undo(log []Decision, a, b state.Record) []Decision {
	d := Decide(a, b, DecisionNone)
	for i := len(log) - 1; i >= 0; i-- {
		if log[i].about(d) {
			if log[i].Verdict == DecisionNone {
				break
			}
			return append(log[:len(log):len(log)], d)
		}
	}
	return log
}

// about reports whether two entries name the same two records.
func (d Decision) about(x Decision) bool {
	return same(d.A, d.PrintA, x.A, x.PrintA) && same(d.B, d.PrintB, x.B, x.PrintB) ||
		same(d.A, d.PrintA, x.B, x.PrintB) && same(d.B, d.PrintB, x.A, x.PrintA)
}

func same(key, print, otherKey, otherPrint string) bool {
	return key != "" && key == otherKey || print != "" && print == otherPrint
}

// DecidePair gives the part of a state that records a person's decision on two
// of its records, DecisionNone to take an earlier one back. It holds for records
// that are linked later; see Separate for those that are linked already.
func DecidePair(s *state.State, a, b, verdict string) state.State {
	k := PairKey(a, b)
	p, ok := s.Pairs[k]
	if !ok {
		p = state.Pair{A: min(a, b), B: max(a, b), Why: "uncertain"}
	}
	p.Revision++
	p.Decision = verdict
	return state.State{Pairs: map[string]state.Pair{k: p}}
}

// Separate undoes the link of a record: it gives the part of a state that makes
// the record a document of its own, and notes that a person holds it to be
// another work than the record that it was matched with. The record and the
// document that it leaves stay; the part is empty if there is no such record or
// it is alone.
func Separate(s *state.State, record string, round int) state.State {
	old, ok := s.Links[record]
	r, known := s.Records[record]
	if !ok || !known || old.Document == "" {
		return state.State{}
	}
	with := old.With
	next := 0
	for _, k := range state.Keys(s.Links) {
		l := s.Links[k]
		next = max(next, documentNumber(l.Document))
		if with == "" && k != record && l.Document == old.Document {
			with = k
		}
	}
	for id := range s.Documents {
		next = max(next, documentNumber(id))
	}
	if with == "" {
		return state.State{}
	}
	part := DecidePair(s, record, with, DecisionDifferent)
	id := documentID(next + 1)
	part.Links = map[string]state.Link{record: {Revision: old.Revision + 1, Record: record, Document: id, Rule: rulePerson, Round: round,
		Compare: "a person separated it from " + old.Document}}
	r.Key = record
	d := state.DocumentFrom(r)
	d.ID = id
	d.Depth = s.Documents[old.Document].Depth
	part.Documents = map[string]state.Document{id: d}
	return part
}

// decisions reads what a person said about pairs of records of a state.
func decisions(s *state.State, ps []profile) decided {
	var log []Decision
	for _, k := range state.Keys(s.Pairs) {
		if p := s.Pairs[k]; p.Decision != DecisionNone {
			log = append(log, Decision{A: p.A, B: p.B, Verdict: p.Decision})
		}
	}
	return inForce(log, ps)
}

// inForce finds the records that a log of decisions speaks of. A fingerprint
// finds every copy of its record; where none is left the key counts.
func inForce(log []Decision, ps []profile) decided {
	if len(log) == 0 {
		return decided{}
	}
	keys, prints := map[string][]int32{}, map[string][]int32{}
	for _, d := range log {
		keys[d.A], keys[d.B] = nil, nil
		prints[d.PrintA], prints[d.PrintB] = nil, nil
	}
	for i := range ps {
		if list, ok := keys[ps[i].rec.Key]; ok {
			keys[ps[i].rec.Key] = append(list, int32(i))
		}
		h := hex.EncodeToString(ps[i].print[:])
		if list, ok := prints[h]; ok {
			prints[h] = append(list, int32(i))
		}
	}
	verdicts := map[pair]string{}
	for _, d := range log {
		find := func(key, print string) []int32 {
			if found := prints[print]; print != "" && len(found) > 0 && d.PrintA != d.PrintB {
				return found
			}
			return keys[key]
		}
		for _, i := range find(d.A, d.PrintA) {
			for _, j := range find(d.B, d.PrintB) {
				if i != j {
					verdicts[pair{min(i, j), max(i, j)}] = d.Verdict
				}
			}
		}
	}
	var out decided
	for p, v := range verdicts {
		out.put(p.i, p.j, v)
	}
	return out
}
