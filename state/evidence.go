package state

import (
	"crypto/sha256"
	"encoding/hex"
)

// Evidence is one claim, quoted from one document, for one subquestion.
type Evidence struct {
	ID          string   `json:"id"` // see EvidenceID
	Document    string   `json:"document"`
	Subquestion string   `json:"subquestion"`
	Claim       string   `json:"claim"`
	Quote       string   `json:"quote"`    // verbatim from the stored text
	Text        string   `json:"text"`     // which stored text: "abstract:<record key>" or "fulltext:<raw hash>"
	Start       int      `json:"start"`    // byte offsets of the quote in that text
	End         int      `json:"end"`      //
	Match       string   `json:"match"`    // exact, folded or approximate
	Location    string   `json:"location"` // Abstract, Synopsis, or section and page
	Type        string   `json:"type"`     // empirical, theoretical, review, benchmark, opinion
	Strength    float64  `json:"strength"` // in [0,1], after the caps
	Capped      string   `json:"capped,omitempty"`
	Numbers     []string `json:"numbers,omitempty"`
	Direction   int      `json:"direction,omitempty"` // +1 improves, −1 worsens, 0 none stated
	By          string   `json:"by"`
}

// EvidenceID hashes what the item says, so that the same finding reported
// twice is one item.
func EvidenceID(document, subquestion, claim, quote string) string {
	return "ev_" + shortHash(document, subquestion, claim, quote)
}

func shortHash(parts ...string) string {
	h := sha256.Sum256(canonical(parts))
	return hex.EncodeToString(h[:6])
}

// Reading is what one reading of one document gave beside its evidence.
type Reading struct {
	Revision int      `json:"revision"` // iteration
	Document string   `json:"document"`
	Notes    string   `json:"notes,omitempty"`
	Terms    []string `json:"terms,omitempty"`    // new terms met
	Rejected []string `json:"rejected,omitempty"` // items that failed the quote check, each with its reason
	Text     string   `json:"text,omitempty"`     // the stored text that was read
	By       string   `json:"by"`
}

func (r Reading) revision() int { return r.Revision }

// Review is the verifier's verdict on one evidence item. Only admitted items
// reach synthesis.
type Review struct {
	Revision  int    `json:"revision"` // iteration, higher replaces
	Evidence  string `json:"evidence"`
	Admitted  bool   `json:"admitted"`
	Supports  bool   `json:"supports"`  // the quote supports the claim
	Satisfies bool   `json:"satisfies"` // the claim answers its subquestion
	Unique    bool   `json:"unique"`    // no rival reading is as good
	Rival     string `json:"rival,omitempty"`
	Reason    string `json:"reason,omitempty"`
	Stale     string `json:"stale,omitempty"` // cause, when a plan edit undid the verdict
	By        string `json:"by"`
}

func (r Review) revision() int { return r.Revision }

// ClusterSet groups the claims of one iteration.
type ClusterSet struct {
	Revision int       `json:"revision"`
	Clusters []Cluster `json:"clusters"`
}

func (c ClusterSet) revision() int { return c.Revision }

// Cluster is a group of claims that say the same thing.
type Cluster struct {
	ID           string   `json:"id"`
	Subquestion  string   `json:"subquestion"`
	Claim        string   `json:"claim"` // of the strongest member
	Evidence     []string `json:"evidence"`
	Documents    []string `json:"documents"`
	AuthorGroups int      `json:"author_groups"` // distinct, by shared authors
	MeanStrength float64  `json:"mean_strength"`
	Weak         bool     `json:"weak"` // one document or mean strength < 0.5
}

// Contradiction is a pair of evidence items that cannot both hold as stated.
type Contradiction struct {
	ID          string `json:"id"`
	Subquestion string `json:"subquestion"`
	A           string `json:"a"` // evidence ids, A < B
	B           string `json:"b"`
	Kind        string `json:"kind"` // direction, numbers, stated
	Explanation string `json:"explanation"`
	By          string `json:"by"`
}

// Answer is the synthesis of one subquestion.
type Answer struct {
	Revision    int      `json:"revision"` // iteration
	Subquestion string   `json:"subquestion"`
	Text        string   `json:"text"`                 // prose with [doc_0001] citations
	Gaps        []string `json:"gaps,omitempty"`       // what the evidence does not establish
	Coverage    float64  `json:"coverage"`             // in [0,1]
	Evidence    []string `json:"evidence,omitempty"`   // used, sorted
	NotEnough   bool     `json:"not_enough,omitempty"` // no admitted evidence
	By          string   `json:"by"`
}

func (a Answer) revision() int { return a.Revision }

// Synthesis is the cross-cutting narrative and the outline of the report,
// derived from the findings.
type Synthesis struct {
	Revision  int              `json:"revision"`
	Narrative string           `json:"narrative"`
	Outline   []OutlineSection `json:"outline"`
	By        string           `json:"by"`
}

func (s Synthesis) revision() int { return s.Revision }

// OutlineSection is one findings section and the evidence it may use.
type OutlineSection struct {
	ID       string   `json:"id"` // S1…
	Title    string   `json:"title"`
	Purpose  string   `json:"purpose,omitempty"`
	Evidence []string `json:"evidence"`
}

// Section is a written section of the report.
type Section struct {
	Revision int      `json:"revision"`
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Text     string   `json:"text"` // Markdown
	Removed  []string `json:"removed,omitempty"`
	By       string   `json:"by"`
}

func (s Section) revision() int { return s.Revision }
