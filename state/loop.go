package state

// Directions of citation chasing.
const (
	Backward = "backward" // the works a seed cites
	Forward  = "forward"  // the works that cite a seed
)

// Expansion marks a (seed, direction) pair that was chased, keyed
// "doc_0001|backward". It is never chased again.
type Expansion struct {
	Seed      string            `json:"seed"`
	Direction string            `json:"direction"`
	Round     int               `json:"round"`
	Outcomes  map[string]string `json:"outcomes,omitempty"` // source → outcome (hits, no_list, down, rejected, …)
	Found     int               `json:"found"`              // records from all sources
}

// RoundNumber numbers the rounds of a run in the order in which they happen: k
// is 0 for the searches of an iteration and n for its n-th round of citation
// chasing, so 203 is the third snowball round of iteration 2.
func RoundNumber(iteration, k int) int { return iteration*100 + k }

// RoundKey is the key of a round in State.Rounds.
func RoundKey(number int) string { return "r" + itoa(number) }

// Round is one round of search (Snowball false) or citation chasing.
type Round struct {
	Revision  int      `json:"revision"`
	Number    int      `json:"number"` // 1, 2, … over the whole run
	Iteration int      `json:"iteration"`
	Snowball  bool     `json:"snowball"`
	Seeds     []string `json:"seeds,omitempty"` // "doc_0001|backward"
	New       int      `json:"new"`             // documents that this round brought
	Relevant  int      `json:"relevant"`        // of them
	LowYield  bool     `json:"low_yield,omitempty"`
	// Empty is set when no source had a list for any seed: such a round says
	// nothing about saturation.
	Empty  bool `json:"empty,omitempty"`
	Closed bool `json:"closed"`
}

func (r Round) revision() int { return r.Revision }

// SourceCall is one operation on one source. When it was sent and how often
// is in the call log; only what does not change on replay is here.
type SourceCall struct {
	ID        string   `json:"id"`
	Source    string   `json:"source"`
	Operation string   `json:"operation"` // search, lookup, references, citing
	Subject   string   `json:"subject"`   // query id or document id
	Sent      string   `json:"sent,omitempty"`
	Outcome   Outcome  `json:"outcome"`
	Reason    string   `json:"reason,omitempty"`
	Records   int      `json:"records"`
	Skipped   []Skip   `json:"skipped,omitempty"`
	Raw       string   `json:"raw,omitempty"`      // sha256 of the (last) raw response
	Requests  []string `json:"requests,omitempty"` // hashes of the requests, keys of the recordings
}

// Skip is a record that a source returned and the adapter could not use.
type Skip struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
	Sample string `json:"sample,omitempty"` // the first one, cut
}

// Spend is what one task used. Totals are sums over the ledger.
type Spend struct {
	Documents int `json:"documents,omitempty"`
	Searches  int `json:"searches,omitempty"`
	Rounds    int `json:"rounds,omitempty"`
	// Models is the use per role.
	Models map[string]ModelUse `json:"models,omitempty"`
	// Credits is the use per source.
	Credits map[string]int `json:"credits,omitempty"`
}

// ModelUse counts the calls of one role. Micros is in millionths of a dollar;
// Unpriced counts calls whose price is not known. Failed calls gave no answer;
// Unusable ones gave one that could not be used even when asked again.
type ModelUse struct {
	Calls    int   `json:"calls"`
	Failed   int   `json:"failed,omitempty"`
	Unusable int   `json:"unusable,omitempty"`
	Prompt   int   `json:"prompt"`
	Cached   int   `json:"cached,omitempty"`
	Output   int   `json:"output"`
	Micros   int64 `json:"micros,omitempty"`
	Unpriced int   `json:"unpriced,omitempty"`
	Repairs  int   `json:"repairs,omitempty"`
}

// joinSpend takes the larger figure of each: the same task counted twice
// counts once, and a half-done attempt never hides a finished one.
func joinSpend(a, b Spend) Spend {
	return Spend{
		Documents: max(a.Documents, b.Documents), Searches: max(a.Searches, b.Searches), Rounds: max(a.Rounds, b.Rounds),
		Models: joinCopies(a.Models, b.Models, func(x, y ModelUse) ModelUse {
			return ModelUse{max(x.Calls, y.Calls), max(x.Failed, y.Failed), max(x.Unusable, y.Unusable), max(x.Prompt, y.Prompt), max(x.Cached, y.Cached),
				max(x.Output, y.Output), max(x.Micros, y.Micros), max(x.Unpriced, y.Unpriced), max(x.Repairs, y.Repairs)}
		}),
		Credits: joinCopies(a.Credits, b.Credits, maxInt),
	}
}

// Add sums two uses.
func (u ModelUse) Add(v ModelUse) ModelUse {
	return ModelUse{u.Calls + v.Calls, u.Failed + v.Failed, u.Unusable + v.Unusable, u.Prompt + v.Prompt, u.Cached + v.Cached,
		u.Output + v.Output, u.Micros + v.Micros, u.Unpriced + v.Unpriced, u.Repairs + v.Repairs}
}

// Degradation is a step that fell back, and why.
type Degradation struct {
	ID        string `json:"id"`
	Iteration int    `json:"iteration"`
	Step      string `json:"step"`
	Subject   string `json:"subject,omitempty"`
	Role      string `json:"role,omitempty"`
	Kind      string `json:"kind"` // missing_key, refused, unreachable, invalid, unscored, source_down, …
	Reason    string `json:"reason"`
	Fallback  string `json:"fallback"` // what was done instead
}

// NewDegradation builds a degradation whose id follows from its content.
func NewDegradation(d Degradation) Degradation {
	d.ID = "dg_" + shortHash(d.Step, d.Subject, d.Role, d.Kind, d.Reason, itoa(d.Iteration))
	return d
}

// Critique is the critic's report on one iteration.
type Critique struct {
	Revision   int         `json:"revision"`
	Iteration  int         `json:"iteration"`
	Sufficient bool        `json:"sufficient"`
	Summary    string      `json:"summary"`
	Assess     []Dimension `json:"assess,omitempty"`
	Gaps       []string    `json:"gaps,omitempty"` // free text, attached to subquestions by code
	Weak       []string    `json:"weak,omitempty"` // subquestions flagged as weak
	Edits      []Edit      `json:"edits,omitempty"`
	By         string      `json:"by"`
}

func (c Critique) revision() int { return c.Revision }

// Dimension is one of the eight that a critic looks at.
type Dimension struct {
	Name    string  `json:"name"` // coverage, quality, citations, diversity, contradictions, recency, gaps, saturation
	Score   float64 `json:"score"`
	Finding string  `json:"finding"`
}

// Operations of an Edit.
const (
	EditAdd           = "add"           // Text, Rationale, Focus
	EditSplit         = "split"         // Target → Texts
	EditMerge         = "merge"         // Target into Into
	EditRephrase      = "rephrase"      // Target, Text
	EditRaise         = "raise"         // Target
	EditLower         = "lower"         // Target
	EditClose         = "close"         // Target
	EditReopen        = "reopen"        // Target
	EditAddIntent     = "add_intent"    // Target (subquestion), Text
	EditCloseIntent   = "close_intent"  // Target (intent)
	EditRewordIntent  = "reword_intent" // Target (intent), Text
	EditSnowball      = "snowball"      // Target (document), Direction
	EditContradiction = "contradiction" // Evidence A, B
	EditNote          = "knowledge_gap" // Text, attached by code
)

// Edit is one typed action that a critic asks for.
type Edit struct {
	Op        string   `json:"op"`
	Target    string   `json:"target,omitempty"`
	Into      string   `json:"into,omitempty"`
	Text      string   `json:"text,omitempty"`
	Texts     []string `json:"texts,omitempty"`
	Focus     []string `json:"focus,omitempty"`
	Rationale string   `json:"rationale,omitempty"`
	Direction string   `json:"direction,omitempty"`
	A         string   `json:"a,omitempty"`
	B         string   `json:"b,omitempty"`
}

// AppliedEdit says what became of an edit, keyed "it1/0".
type AppliedEdit struct {
	Iteration int    `json:"iteration"`
	Edit      Edit   `json:"edit"`
	Applied   bool   `json:"applied"`
	Result    string `json:"result"` // "added RQ6", or why it was refused
}

// Stop says why the search ended. It is set once, by the termination rule.
type Stop struct {
	Iteration int    `json:"iteration"`
	Reason    string `json:"reason"` // closed list below
	Detail    string `json:"detail"`
	Exit      int    `json:"exit"` // exit code of the program
}

// Stop reasons.
const (
	StopSufficient  = "evidence_sufficient"
	StopIterations  = "iterations_done" // the planned iterations: a regular end
	StopBudget      = "budget"
	StopNoCritique  = "no_critique"
	StopNothingToDo = "nothing_actionable"
	StopNoEvidence  = "no_evidence"
	StopUnreachable = "source_unreachable"
	StopModelFailed = "model_unreachable"
	// A model that answers, but never with what was asked for.
	StopModelUseless = "model_unusable"
)

// joinStop keeps the earlier stop.
func joinStop(a, b Stop) Stop {
	if a.Iteration != b.Iteration {
		if a.Iteration < b.Iteration {
			return a
		}
		return b
	}
	return joinBytes(a, b)
}
