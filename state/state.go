package state

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Format is the version of the stored state. It changes whenever the meaning
// or the encoding of a field changes.
const Format = 1

// State is everything a run knows. Every map is keyed by the id of what it
// holds; the zero value of every field is the bottom of its join.
type State struct {
	Format         int                      `json:"format,omitempty"`
	Question       *Question                `json:"question,omitempty"`
	Settings       *Settings                `json:"settings,omitempty"`
	Subquestions   map[string]Subquestion   `json:"subquestions,omitempty"`
	Intents        map[string]Intent        `json:"intents,omitempty"`
	Queries        map[string]Query         `json:"queries,omitempty"`
	Records        map[string]Record        `json:"records,omitempty"`
	Links          map[string]Link          `json:"links,omitempty"`
	Pairs          map[string]Pair          `json:"pairs,omitempty"`
	Documents      map[string]Document      `json:"documents,omitempty"`
	Work           map[string]WorkList      `json:"work,omitempty"`
	Evidence       map[string]Evidence      `json:"evidence,omitempty"`
	Reviews        map[string]Review        `json:"reviews,omitempty"`
	Readings       map[string]Reading       `json:"readings,omitempty"`
	Clusters       *ClusterSet              `json:"clusters,omitempty"`
	Contradictions map[string]Contradiction `json:"contradictions,omitempty"`
	Answers        map[string]Answer        `json:"answers,omitempty"`
	Synthesis      *Synthesis               `json:"synthesis,omitempty"`
	Critiques      map[string]Critique      `json:"critiques,omitempty"`
	Applied        map[string]AppliedEdit   `json:"applied,omitempty"`
	Expanded       map[string]Expansion     `json:"expanded,omitempty"`
	Rounds         map[string]Round         `json:"rounds,omitempty"`
	Calls          map[string]SourceCall    `json:"calls,omitempty"`
	Ledger         map[string]Spend         `json:"ledger,omitempty"`
	Degradations   map[string]Degradation   `json:"degradations,omitempty"`
	Sections       map[string]Section       `json:"sections,omitempty"`
	// Halt says that a budget ended the gathering of evidence; what was
	// gathered is still synthesised. Stop ends the search for good.
	Halt *Stop           `json:"halt,omitempty"`
	Stop *Stop           `json:"stop,omitempty"`
	Done map[string]Done `json:"done,omitempty"`
}

// Delta is what one task adds to the state. Part holds only what the task
// found; Apply merges it and marks the task as done.
type Delta struct {
	Task Task  `json:"task"`
	Part State `json:"part"`
}

// New returns the state a run starts from.
func New(q Question, s Settings) *State {
	return &State{Format: Format, Question: &q, Settings: &s}
}

// Apply folds a delta into s, in place, in time proportional to the delta.
// Applying the same delta again changes nothing.
func (s *State) Apply(d Delta) {
	s.Merge(&d.Part)
	if d.Task.ID != "" {
		if s.Done == nil {
			s.Done = map[string]Done{}
		}
		done := Done{Node: d.Task.Node, Iteration: d.Task.Iteration}
		if old, ok := s.Done[d.Task.ID]; ok {
			done = joinBytes(old, done)
		}
		s.Done[d.Task.ID] = done
	}
}

// Merge joins t into s, in place. It is associative, commutative and
// idempotent up to the bytes of State.JSON. t is not changed, but s may share
// its values afterwards: treat what is inside a State as read-only.
func (s *State) Merge(t *State) {
	s.Format = max(s.Format, t.Format)
	s.Question = joinPointers(s.Question, t.Question, joinBytes[Question])
	s.Settings = joinPointers(s.Settings, t.Settings, joinBytes[Settings])
	s.Subquestions = joinMaps(s.Subquestions, t.Subquestions, joinRevised[Subquestion])
	s.Intents = joinMaps(s.Intents, t.Intents, joinRevised[Intent])
	s.Queries = joinMaps(s.Queries, t.Queries, joinRevised[Query])
	s.Records = joinMaps(s.Records, t.Records, joinRecord)
	s.Links = joinMaps(s.Links, t.Links, joinRevised[Link])
	s.Pairs = joinMaps(s.Pairs, t.Pairs, joinRevised[Pair])
	s.Documents = joinMaps(s.Documents, t.Documents, JoinDocuments)
	s.Work = joinMaps(s.Work, t.Work, joinWork)
	s.Evidence = joinMaps(s.Evidence, t.Evidence, joinBytes[Evidence])
	s.Reviews = joinMaps(s.Reviews, t.Reviews, joinRevised[Review])
	s.Readings = joinMaps(s.Readings, t.Readings, joinRevised[Reading])
	s.Clusters = joinPointers(s.Clusters, t.Clusters, joinRevised[ClusterSet])
	s.Contradictions = joinMaps(s.Contradictions, t.Contradictions, joinBytes[Contradiction])
	s.Answers = joinMaps(s.Answers, t.Answers, joinRevised[Answer])
	s.Synthesis = joinPointers(s.Synthesis, t.Synthesis, joinRevised[Synthesis])
	s.Critiques = joinMaps(s.Critiques, t.Critiques, joinRevised[Critique])
	s.Applied = joinMaps(s.Applied, t.Applied, joinBytes[AppliedEdit])
	s.Expanded = joinMaps(s.Expanded, t.Expanded, joinBytes[Expansion])
	s.Rounds = joinMaps(s.Rounds, t.Rounds, joinRevised[Round])
	s.Calls = joinMaps(s.Calls, t.Calls, joinBytes[SourceCall])
	s.Ledger = joinMaps(s.Ledger, t.Ledger, joinSpend)
	s.Degradations = joinMaps(s.Degradations, t.Degradations, joinBytes[Degradation])
	s.Sections = joinMaps(s.Sections, t.Sections, joinRevised[Section])
	s.Halt = joinPointers(s.Halt, t.Halt, joinStop)
	s.Stop = joinPointers(s.Stop, t.Stop, joinStop)
	s.Done = joinMaps(s.Done, t.Done, joinBytes[Done])
}

// JSON is the canonical encoding: indented, keys sorted, UTF-8, a final line
// end, no HTML escapes. Equal states have equal bytes.
func (s *State) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(s); err != nil {
		return nil, fmt.Errorf("encoding the state: %w", err)
	}
	return b.Bytes(), nil
}

// Clone returns a deep copy.
func (s *State) Clone() (*State, error) {
	b, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("copying the state: %w", err)
	}
	t := new(State)
	if err := json.Unmarshal(b, t); err != nil {
		return nil, fmt.Errorf("copying the state: %w", err)
	}
	return t, nil
}
