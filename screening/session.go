package screening

import (
	"slices"
	"time"
)

// Decision is one entry of the log of a screening. Entries are never changed:
// a later one on the same record takes the place of an earlier one, and one
// without a verdict takes it back.
type Decision struct {
	Record  string    `json:"record_id"`
	Verdict Verdict   `json:"decision"` // "" takes the decision back
	Reason  string    `json:"reason,omitempty"`
	Note    string    `json:"note,omitempty"`
	At      time.Time `json:"at"`
	By      string    `json:"by"`              // name of the person, or provider:model
	Model   bool      `json:"model,omitempty"` // a model decided, not a person
	Score   *float64  `json:"score,omitempty"` // that a model gave, in [0,1]
}

// Session is the state of a screening: the fold of its log. The zero Session is
// empty.
type Session struct {
	person, model map[string]Decision
	order         []string // records that persons decided on, in the order of the last decision
}

// Apply takes the next entry of the log. What a person decided, only a person
// changes; a model's decision on such a record is kept and has no effect until
// the person takes theirs back.
func (s *Session) Apply(d Decision) {
	if s.person == nil {
		s.person, s.model = map[string]Decision{}, map[string]Decision{}
	}
	if d.Model {
		if d.Verdict == "" && d.Score == nil {
			delete(s.model, d.Record)
		} else {
			s.model[d.Record] = d
		}
		return
	}
	if _, ok := s.person[d.Record]; ok {
		s.order = slices.DeleteFunc(s.order, func(id string) bool { return id == d.Record })
	}
	if d.Verdict == "" {
		delete(s.person, d.Record)
		return
	}
	s.person[d.Record] = d
	s.order = append(s.order, d.Record)
}

// Of gives the decision that holds for a record: the person's, else the model's.
func (s *Session) Of(id string) (Decision, bool) {
	if d, ok := s.person[id]; ok {
		return d, true
	}
	d, ok := s.model[id]
	return d, ok
}

// ByPerson gives what a person decided on a record.
func (s *Session) ByPerson(id string) (Decision, bool) {
	d, ok := s.person[id]
	return d, ok
}

// ByModel gives what a model decided on a record, also where a person's decision
// holds.
func (s *Session) ByModel(id string) (Decision, bool) {
	d, ok := s.model[id]
	return d, ok
}

// Read lists the decisions of persons in their order.
func (s *Session) Read() []Decision {
	out := make([]Decision, len(s.order))
	for i, id := range s.order {
		out[i] = s.person[id]
	}
	return out
}

// Last gives the person's last decision that still holds.
func (s *Session) Last() (Decision, bool) {
	if len(s.order) == 0 {
		return Decision{}, false
	}
	return s.person[s.order[len(s.order)-1]], true
}

// Found tells of each record that a person read whether it belongs, or may
// belong, into the review: what [Judge] takes.
func (s *Session) Found() []bool {
	out := make([]bool, len(s.order))
	for i, id := range s.order {
		out[i] = s.person[id].Verdict != Exclude
	}
	return out
}

// Count gives the number of persons' decisions with a verdict.
func (s *Session) Count(v Verdict) int {
	n := 0
	for _, d := range s.person {
		if d.Verdict == v {
			n++
		}
	}
	return n
}
