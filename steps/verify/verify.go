// Package verify is the gate between evidence and synthesis (PANINI-DR's gate
// on ODR's claims): deterministic checks first, then a verdict in three parts.
// One task is one document's claims.
//
// The package must never admit what evidence.Gate refuses, whatever a model
// says. Start with New.
package verify

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"optimistresearch/evidence"
	"optimistresearch/internal/lexical"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/text"
	"optimistresearch/state"
	"optimistresearch/steps"
)

//go:embed prompts
var prompts embed.FS

// Verifier gives verdicts.
type Verifier struct{ models steps.Models }

// New makes a verifier.
func New(models steps.Models) *Verifier { return &Verifier{models: models} }

type answer struct {
	Verdicts []verdict `json:"verdicts" jsonschema:"maxItems=100"`
}

type verdict struct {
	Evidence  string `json:"evidence"`
	Supports  bool   `json:"supports"`
	Satisfies bool   `json:"satisfies"`
	Unique    bool   `json:"unique"`
	Rival     string `json:"rival"`
	Reason    string `json:"reason"`
}

// Run is the node "verify". Its argument is the document's id.
func (x *Verifier) Run(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	doc, err := steps.Arg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	part := state.State{Reviews: map[string]state.Review{}}
	var open []state.Evidence
	for _, id := range state.Keys(s.Evidence) {
		e := s.Evidence[id]
		if r, ok := s.Reviews[id]; e.Document != doc || ok && r.Stale == "" {
			continue
		}
		if ok, why := evidence.Gate(s, e); !ok {
			part.Reviews[id] = state.Review{Revision: t.Iteration, Evidence: id, Reason: why, By: "rule"}
			continue
		}
		open = append(open, e)
	}
	if len(open) == 0 {
		return part, nil
	}
	system, version, err := steps.Prompt(prompts, "verifier")
	if err != nil {
		return state.State{}, err
	}
	idsOf := func(items []state.Evidence) []string {
		ids := make([]string, len(items))
		for i, e := range items {
			ids[i] = e.ID
		}
		return ids
	}
	ids := idsOf(open)
	var trail steps.Trail
	parts, err := steps.AskBatch(ctx, x.models, t, &trail, open, func(open []state.Evidence) steps.Job[answer] {
		ids := idsOf(open)
		return steps.Job[answer]{
			Role:    llm.Verifier,
			Prompt:  llm.Prompt{Name: "verifier", Version: version, System: system, Input: list(s, open)},
			Builtin: func() answer { return builtin(s, open) },
			Check: func(a answer) error {
				for _, v := range a.Verdicts {
					if _, ok := llm.RepairID(v.Evidence, ids); ok {
						return nil
					}
				}
				return fmt.Errorf("it has no verdict on any of the %d claims", len(ids))
			},
			Subject: doc,
		}
	})
	if err != nil {
		return state.State{}, err
	}
	by := ""
	for _, a := range parts {
		by = a.By
		for _, v := range a.Value.Verdicts {
			id, ok := llm.RepairID(v.Evidence, ids)
			if !ok {
				continue
			}
			r := state.Review{Revision: t.Iteration, Evidence: id, Supports: v.Supports, Satisfies: v.Satisfies, Unique: v.Unique,
				Rival: text.Truncate(text.OneLine(v.Rival), 300), Reason: text.Truncate(text.OneLine(v.Reason), 300), By: by}
			r.Admitted = r.Supports && r.Satisfies && r.Unique
			// Of two verdicts on one claim the first refusal stands.
			if old, twice := part.Reviews[id]; !twice || old.Admitted {
				part.Reviews[id] = r
			}
		}
	}
	missing := 0
	for _, id := range ids {
		if _, ok := part.Reviews[id]; !ok {
			missing++
			part.Reviews[id] = state.Review{Revision: t.Iteration, Evidence: id, Reason: "the verifier gave no verdict", By: by}
		}
	}
	if missing > 0 {
		trail.Note(state.Degradation{Iteration: t.Iteration, Step: t.Node, Subject: doc, Role: string(llm.Verifier), Kind: "no_verdict",
			Reason: fmt.Sprintf("%d of %d claims came back without a verdict", missing, len(ids)), Fallback: "they are not admitted"})
	}
	trail.Into(&part, t)
	return part, nil
}

func list(s *state.State, items []state.Evidence) string {
	var b strings.Builder
	for _, e := range items {
		fmt.Fprintf(&b, "Claim %s for the subquestion %s\n%s\n%s\n%s\n\n", e.ID,
			llm.Fence("subquestion", s.Subquestions[s.Resolve(e.Subquestion)].Text), llm.Fence("claim", e.Claim), llm.Fence("quote", e.Quote), llm.FenceN("context", surroundings(s, e), 3000))
	}
	return b.String()
}

// surroundings is the stored text around a quote.
func surroundings(s *state.State, e state.Evidence) string {
	t := s.Records[strings.TrimPrefix(e.Text, "abstract:")].Abstract
	if e.End > len(t) || e.Start < 0 || e.Start > e.End {
		return e.Quote
	}
	const around = 600
	from, to := max(e.Start-around, 0), min(e.End+around, len(t))
	return strings.ToValidUTF8(t[from:to], "")
}

// Shares of content words that the built-in verdict asks for.
const (
	supportShare = 0.8 // of the claim's words that the quote must have
	hedgeWindow  = 160 // bytes after a quote in which a reversal counts as a rival reading
)

// builtin gives the verdict by words alone: the quote supports a claim whose
// content words it has; the claim satisfies a subquestion when its document
// was found relevant to it and the claim shares a content word with the
// question or the subquestion's focus; a rival reading is a reversal that
// follows at once ("However, …") or a negation in only one of the two.
func builtin(s *state.State, items []state.Evidence) answer {
	var out answer
	for _, e := range items {
		v := verdict{Evidence: e.ID, Supports: true, Satisfies: true, Unique: true}
		q := s.Subquestions[s.Resolve(e.Subquestion)]
		claim, quote := stems(e.Claim), stems(e.Quote)
		if share := shared(claim, quote); share < supportShare {
			v.Supports, v.Reason = false, fmt.Sprintf("only %.0f %% of the claim's words are in the quote", 100*share)
		}
		about := stems(s.Question.Text + " " + q.Text + " " + strings.Join(q.Focus, " "))
		for w := range stems(s.Documents[e.Document].Title()) {
			about[w] = true // the system or population the document is about
		}
		if rel, _ := s.Documents[e.Document].MaxRelevance([]string{q.ID, e.Subquestion}); rel < s.Settings.Screening.Relevant {
			v.Satisfies, v.Reason = false, "its document is not relevant to "+q.ID
		} else if shared(about, claim) == 0 {
			v.Satisfies, v.Reason = false, "it shares no content word with "+q.ID
		} else if best, fit, ok := steps.Best(s, e.Claim); ok && best.ID != q.ID && steps.Fit(q, e.Claim) == 0 && fit > 1 {
			v.Satisfies, v.Reason = false, "it answers "+best.ID+" and nothing in it answers "+q.ID
		}
		if evidence.Negated(e.Claim) != evidence.Negated(e.Quote) {
			v.Unique, v.Rival, v.Reason = false, "the opposite", "only one of claim and quote is negated"
		} else if rest := after(s, e); reversed(rest) && lexical.Cues(e.Claim).Result {
			v.Unique, v.Rival, v.Reason = false, text.Truncate(text.OneLine(rest), 160), "the text takes the statement back in the next sentence"
		}
		out.Verdicts = append(out.Verdicts, v)
	}
	return out
}

func after(s *state.State, e state.Evidence) string {
	t := s.Records[strings.TrimPrefix(e.Text, "abstract:")].Abstract
	if e.End < 0 || e.End > len(t) {
		return ""
	}
	return strings.ToValidUTF8(strings.TrimSpace(t[e.End:min(e.End+hedgeWindow, len(t))]), "")
}

// reversed tells whether a text begins by taking back what was said before.
func reversed(t string) bool {
	t = strings.ToLower(t)
	for _, p := range []string{"however, this result", "however, these results", "however, this finding", "however, this effect", "however, the effect disappeared", "this was not confirmed", "these results could not be replicated"} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return false
}

func stems(t string) map[string]bool {
	out := map[string]bool{}
	for _, w := range text.Distinctive(text.Tokens(t)) {
		out[text.Stem(w)] = true
	}
	return out
}

// shared is the part of a's words that b has; 0 when a has none.
func shared(a, b map[string]bool) float64 {
	if len(a) == 0 {
		return 0
	}
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}
