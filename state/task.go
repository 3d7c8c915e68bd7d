package state

// Task names one run of one node: small, serialisable, and the same on every
// machine. Its id is derived from the state alone, so that a resumed run asks
// for exactly the tasks that are missing.
type Task struct {
	ID        string   `json:"id"`
	Node      string   `json:"node"`
	Iteration int      `json:"iteration,omitempty"`
	Args      []string `json:"args,omitempty"`
}

// Done marks a task whose delta is in the state.
type Done struct {
	Node      string `json:"node"`
	Iteration int    `json:"iteration,omitempty"`
}

// Names of the work lists in State.Work.
const (
	WorkScreen = "screen" // batches of documents to screen
	WorkSeeds  = "seeds"  // (seed, direction) pairs to expand
	WorkRead   = "read"   // the reading queue
	WorkVerify = "verify" // evidence to check
)

// WorkList is one round's list of work for a node. Lists of a higher round
// replace those of a lower one; lists of the same round unite.
type WorkList struct {
	Round int                 `json:"round"`
	Items map[string]WorkItem `json:"items,omitempty"`
}

// WorkItem is one unit: the documents (or other ids) it is about and the
// subquestions it serves. Order is its place in the queue, 0 first.
type WorkItem struct {
	Order        int      `json:"order"`
	IDs          []string `json:"ids,omitempty"`
	Subquestions []string `json:"subquestions,omitempty"`
	Direction    string   `json:"direction,omitempty"`
	Note         string   `json:"note,omitempty"`
}

func joinWork(a, b WorkList) WorkList {
	if a.Round != b.Round {
		if a.Round > b.Round {
			return a
		}
		return b
	}
	items := make(map[string]WorkItem, len(a.Items)+len(b.Items))
	items = joinMaps(items, a.Items, joinBytes[WorkItem])
	items = joinMaps(items, b.Items, joinBytes[WorkItem])
	if len(items) == 0 {
		items = nil
	}
	return WorkList{Round: a.Round, Items: items}
}
