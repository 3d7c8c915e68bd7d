// Package screen scores documents against subquestions. One task is one batch.
//
// The package must never score a pair twice, never turn a missing score into
// a 0, and never judge by who wrote a document or where it stood in a list.
// Start with New.
package screen

import (
	"context"
	"embed"
	"fmt"
	"strings"
	"sync"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/text"
	"optimistresearch/state"
	"optimistresearch/steps"
)

//go:embed prompts
var prompts embed.FS

// Screener scores batches.
type Screener struct {
	models steps.Models

	mu     sync.Mutex
	corpus string // what judged was computed for
	index  *lexical.Index
	judged map[string]map[string]lexical.Judgement
}

// New makes a screener.
func New(models steps.Models) *Screener { return &Screener{models: models} }

type answer struct {
	Scores []entry `json:"scores" jsonschema:"maxItems=2000"`
}

type entry struct {
	Record      string  `json:"record"`
	Subquestion string  `json:"subquestion"`
	Score       float64 `json:"score" jsonschema:"minimum=0,maximum=1"`
	Note        string  `json:"note"`
}

type pair struct{ document, subquestion string }

// Run is the node "screen". Its argument is the batch's id in the work list.
func (x *Screener) Run(ctx context.Context, s *state.State, t state.Task) (state.State, error) {
	id, err := steps.Arg(t, 0)
	if err != nil {
		return state.State{}, err
	}
	work := s.Work[state.WorkScreen]
	batch, ok := work.Items[id]
	if !ok {
		return state.State{}, fmt.Errorf("batch %s is not in the work list of round %d", id, work.Round)
	}
	system, version, err := steps.Prompt(prompts, "screener")
	if err != nil {
		return state.State{}, err
	}
	var trail steps.Trail
	want := map[pair]bool{}
	for _, d := range batch.IDs {
		for _, q := range batch.Subquestions {
			want[pair{d, q}] = true
		}
	}
	got := map[pair]state.Relevance{}
	// What a model leaves out is asked for once more, and only that.
	for try := 0; try < 2 && len(want) > 0; try++ {
		docs, qs := pending(batch, want)
		parts, err := steps.AskBatch(ctx, x.models, t, &trail, docs, func(docs []string) steps.Job[answer] {
			return steps.Job[answer]{
				Role: llm.Screener,
				Prompt: llm.Prompt{Name: "screener", Version: version, System: system,
					Stable: listSubquestions(s, qs), Input: listRecords(s, docs)},
				Builtin: func() answer { return x.builtin(s, docs, qs) },
				Subject: "batch " + id,
			}
		})
		if err != nil {
			return state.State{}, err
		}
		for _, a := range parts {
			for _, e := range a.Value.Scores {
				d, okD := llm.RepairID(e.Record, batch.IDs)
				q, okQ := llm.RepairID(e.Subquestion, batch.Subquestions)
				p := pair{d, q}
				if !okD || !okQ || !want[p] {
					continue
				}
				delete(want, p)
				got[p] = state.Relevance{Score: state.Clamp(e.Score), Note: text.Truncate(text.OneLine(e.Note), 300), By: a.By}
			}
		}
	}
	part := state.State{Documents: map[string]state.Document{}}
	for _, d := range batch.IDs {
		doc := state.Document{ID: d, Status: state.Screened, Relevance: map[string]state.Relevance{}}
		for _, q := range batch.Subquestions {
			if r, ok := got[pair{d, q}]; ok {
				doc.Relevance[q] = r
			} else if want[pair{d, q}] {
				if doc.Unscored == nil {
					doc.Unscored = map[string]string{}
				}
				doc.Unscored[q] = "the screener left it out twice"
			}
		}
		part.Documents[d] = doc
	}
	if len(want) > 0 {
		trail.Note(state.Degradation{Iteration: t.Iteration, Step: t.Node, Subject: "batch " + id, Role: string(llm.Screener), Kind: "unscored",
			Reason: fmt.Sprintf("%d of %d pairs came back without a score, also when asked again", len(want), len(batch.IDs)*len(batch.Subquestions)), Fallback: "they count as unscored, not as irrelevant"})
	}
	trail.Into(&part, t)
	return part, nil
}

// pending lists the documents and subquestions of a batch that still lack a
// score.
func pending(batch state.WorkItem, want map[pair]bool) (docs, qs []string) {
	for _, d := range batch.IDs {
		for _, q := range batch.Subquestions {
			if want[pair{d, q}] {
				docs = append(docs, d)
				break
			}
		}
	}
	for _, q := range batch.Subquestions {
		for _, d := range batch.IDs {
			if want[pair{d, q}] {
				qs = append(qs, q)
				break
			}
		}
	}
	return docs, qs
}

// builtin scores by the words of the whole corpus, once for all batches of a
// round.
func (x *Screener) builtin(s *state.State, docs, qs []string) answer {
	var out answer
	for _, q := range qs {
		judged := x.judgements(s, s.Subquestions[q])
		for _, d := range docs {
			j, ok := judged[d]
			if !ok {
				continue
			}
			out.Scores = append(out.Scores, entry{Record: d, Subquestion: q, Score: j.Score, Note: j.Note})
		}
	}
	return out
}

func (x *Screener) judgements(s *state.State, q state.Subquestion) map[string]lexical.Judgement {
	x.mu.Lock()
	defer x.mu.Unlock()
	corpus := fmt.Sprintf("%d/%d/%p", s.Work[state.WorkScreen].Round, len(s.Documents), s)
	if x.corpus != corpus {
		x.corpus, x.index, x.judged = corpus, steps.Index(s), map[string]map[string]lexical.Judgement{}
	}
	key := q.ID + "|" + q.Text
	if j, ok := x.judged[key]; ok {
		return j
	}
	j := lexical.Relevance(x.index, s.Question.Text, strings.Join(q.Focus, ". "))
	j = lexical.ReadScope(s.Question.Scope, s.Question.Year).Shade(x.index, j)
	x.judged[key] = j
	return j
}

func listSubquestions(s *state.State, qs []string) string {
	var b strings.Builder
	b.WriteString(llm.Fence("question", s.Question.Text+"\n"+s.Question.Scope))
	b.WriteString("\n\nSubquestions:\n")
	for _, q := range qs {
		fmt.Fprintf(&b, "%s\n", llm.Fence(q, s.Subquestions[q].Text))
	}
	return b.String()
}

func listRecords(s *state.State, docs []string) string {
	var b strings.Builder
	b.WriteString("Records:\n")
	for _, id := range docs {
		d := s.Documents[id]
		abstract := s.AbstractText(d)
		if abstract == "" {
			abstract = "(no abstract)"
		}
		fmt.Fprintf(&b, "%s\n", llm.FenceN(id, fmt.Sprintf("%s\n%d\n%s", d.Title(), d.Year(), abstract), 6000))
	}
	return b.String()
}
