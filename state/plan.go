package state

// Question is what the person asked, and when.
type Question struct {
	Text  string `json:"text"`
	Scope string `json:"scope,omitempty"`
	// Understood says how the scope note was taken, and which limits the
	// question's own words set; NotUsed what of the note was left unused.
	Understood string `json:"understood,omitempty"`
	NotUsed    string `json:"not_used,omitempty"`
	Started    string `json:"started"` // RFC 3339, UTC, whole seconds
	Year       int    `json:"year"`    // the year that "recent" is measured from
	Version    string `json:"version"` // of the program
	// Demonstration names the library that comes with the program when the run
	// searched that one, in simulated services; empty for a real run.
	Demonstration string `json:"demonstration,omitempty"`
	// Library is the file, without its folder, of a library of the person's
	// own when the run searched that one, in simulated services.
	Library string `json:"library,omitempty"`
}

// Status of a subquestion or an intent.
type Status string

const (
	Open     Status = "open"
	Answered Status = "answered"
	Closed   Status = "closed"
	Merged   Status = "merged"
	Split    Status = "split"
)

// Active reports whether work on the item goes on.
func (s Status) Active() bool { return s == Open || s == Answered }

// Origin says who brought an item into the plan.
type Origin string

const (
	FromPlanner   Origin = "planner"
	FromCritic    Origin = "critic"
	FromDiscovery Origin = "discovery"
	FromPerson    Origin = "person"
)

// Subquestion says what we need to know.
type Subquestion struct {
	ID         string   `json:"id"`
	Revision   int      `json:"revision"` // 0 as planned, then the iteration that edited it
	Text       string   `json:"text"`
	Rationale  string   `json:"rationale,omitempty"`
	Focus      []string `json:"focus,omitempty"` // key phrases that tell it from its siblings
	Priority   int      `json:"priority"`        // 1 is the highest
	Status     Status   `json:"status"`
	Origin     Origin   `json:"origin"`
	Parent     string   `json:"parent,omitempty"`
	MergedInto string   `json:"merged_into,omitempty"`
	DependsOn  []string `json:"depends_on,omitempty"`
	AnswerType string   `json:"answer_type,omitempty"`
	By         string   `json:"by,omitempty"` // rule, model name, or person
}

func (q Subquestion) revision() int { return q.Revision }

// Intent describes a kind of document that would help a subquestion.
type Intent struct {
	ID          string `json:"id"`
	Revision    int    `json:"revision"`
	Subquestion string `json:"subquestion"`
	Description string `json:"description"`
	// Terms are the words to search with, when whoever proposed the intent
	// gave them: AND over groups, OR inside a group.
	Terms     [][]string `json:"terms,omitempty"`
	Iteration int        `json:"iteration"` // in which it is searched
	Status    Status     `json:"status"`
	Origin    Origin     `json:"origin"`
	By        string     `json:"by,omitempty"`
}

func (i Intent) revision() int { return i.Revision }

// Query is one string for one source. Revision 0 is the plan, 1 the outcome.
type Query struct {
	ID        string     `json:"id"`
	Revision  int        `json:"revision"`
	Iteration int        `json:"iteration"`
	Intent    string     `json:"intent"`
	Source    string     `json:"source"`
	Written   string     `json:"written"`        // as the planner or a person wrote it
	All       [][]string `json:"all,omitempty"`  // AND over groups, OR inside a group; a term with a space is a phrase
	Sent      string     `json:"sent,omitempty"` // the string that gave the outcome
	Filters   string     `json:"filters,omitempty"`
	Rung      int        `json:"rung,omitempty"` // of the relaxation ladder, 0 = unrelaxed
	Rungs     []Rung     `json:"rungs,omitempty"`
	Outcome   Outcome    `json:"outcome,omitempty"`
	Reason    string     `json:"reason,omitempty"` // why it was skipped or failed
	Total     int        `json:"total,omitempty"`  // as reported by the source; −1 unknown
	Hits      int        `json:"hits,omitempty"`   // records decoded
	Skipped   int        `json:"skipped,omitempty"`
	By        string     `json:"by,omitempty"`
}

func (q Query) revision() int { return q.Revision }

// Rung is one step of the relaxation ladder that was climbed.
type Rung struct {
	Sent   string `json:"sent"`
	Change string `json:"change"` // "as written", "dropped the rarest term “x”", …
	Total  int    `json:"total"`
}

// Outcome tells apart what a source did. They are never mixed up: a failed
// source is not "no hits".
type Outcome string

const (
	Hits      Outcome = "hits"
	ZeroHits  Outcome = "zero_hits"
	Skipped   Outcome = "skipped"
	Throttled Outcome = "throttled"
	Refused   Outcome = "refused"
	Broken    Outcome = "broken_reply"
	Down      Outcome = "down"
	NoList    Outcome = "no_list" // citation chasing: the source has no list for this work
	Rejected  Outcome = "rejected"
)

// Failed reports whether the source gave no usable answer.
func (o Outcome) Failed() bool {
	return o == Throttled || o == Refused || o == Broken || o == Down
}
