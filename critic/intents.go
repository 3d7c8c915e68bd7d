package critic

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

func (e *editor) intent(id string) (state.Intent, error) {
	if in, ok := e.intents[id]; ok {
		return in, nil
	}
	if in, ok := e.s.Intents[id]; ok {
		return in, nil
	}
	return state.Intent{}, fmt.Errorf("there is no intent %q", id)
}

func (e *editor) putIntent(in state.Intent) {
	in.Revision = e.c.Iteration
	e.intents[in.ID] = in
}

func (e *editor) addIntent(ed state.Edit) (string, error) {
	q, err := e.active(ed.Target)
	if err != nil {
		return "", err
	}
	t := text.Truncate(text.OneLine(ed.Text), 500)
	key := text.TitleKey(t)
	if key == "" {
		return "", fmt.Errorf("the text is empty")
	}
	n := 0
	for _, m := range []map[string]state.Intent{e.s.Intents, e.intents} {
		for id, in := range m {
			if k, err := strconv.Atoi(strings.TrimPrefix(id, "I")); err == nil {
				n = max(n, k)
			}
			if in.Subquestion == q.ID && in.Status.Active() && text.TitleKey(in.Description) == key {
				return "", fmt.Errorf("%s looks for the same", id)
			}
		}
	}
	in := state.Intent{ID: "I" + strconv.Itoa(n+1), Subquestion: q.ID, Description: t, Iteration: e.c.Iteration + 1,
		Status: state.Open, Origin: state.FromCritic, By: e.c.By}
	e.putIntent(in)
	return "added " + in.ID + " to " + q.ID, nil
}

func (e *editor) closeIntent(ed state.Edit) (string, error) {
	in, err := e.intent(ed.Target)
	if err != nil {
		return "", err
	}
	if !in.Status.Active() {
		return "", fmt.Errorf("%s is %s already", in.ID, in.Status)
	}
	in.Status = state.Closed
	e.putIntent(in)
	return "closed " + in.ID, nil
}

func (e *editor) rewordIntent(ed state.Edit) (string, error) {
	in, err := e.intent(ed.Target)
	if err != nil {
		return "", err
	}
	t := text.Truncate(text.OneLine(ed.Text), 500)
	if text.TitleKey(t) == "" {
		return "", fmt.Errorf("the text is empty")
	}
	if t == in.Description {
		return "", fmt.Errorf("%s has this text already", in.ID)
	}
	// A reworded intent is searched again, under a new number: what its old
	// words found stays on record.
	in.Status = state.Closed
	e.putIntent(in)
	done, err := e.addIntent(state.Edit{Target: in.Subquestion, Text: t})
	if err != nil {
		delete(e.intents, in.ID)
		return "", err
	}
	return "closed " + in.ID + ", " + done, nil
}

func (e *editor) snowball(ed state.Edit) (string, error) {
	d, ok := e.s.Documents[ed.Target]
	if !ok {
		return "", fmt.Errorf("there is no document %q", ed.Target)
	}
	if ed.Direction != state.Backward && ed.Direction != state.Forward {
		return "", fmt.Errorf("direction %q is neither %s nor %s", ed.Direction, state.Backward, state.Forward)
	}
	if _, twice := e.s.Expanded[d.ID+"|"+ed.Direction]; twice {
		return "", fmt.Errorf("%s was chased %s already", d.ID, ed.Direction)
	}
	return "will chase " + d.ID + " " + ed.Direction, nil
}

func (e *editor) contradiction(ed state.Edit) (string, error) {
	a, okA := e.s.Evidence[ed.A]
	b, okB := e.s.Evidence[ed.B]
	switch {
	case !okA:
		return "", fmt.Errorf("there is no evidence %q", ed.A)
	case !okB:
		return "", fmt.Errorf("there is no evidence %q", ed.B)
	case a.ID == b.ID:
		return "", fmt.Errorf("%s cannot contradict itself", a.ID)
	}
	if a.ID > b.ID {
		a, b = b, a
	}
	h := sha256.Sum256([]byte(a.ID + "|" + b.ID))
	c := state.Contradiction{ID: "x_" + hex.EncodeToString(h[:6]), Subquestion: a.Subquestion, A: a.ID, B: b.ID,
		Kind: "stated", Explanation: text.OneLine(ed.Text), By: e.c.By}
	e.contradictions[c.ID] = c
	return "recorded the contradiction of " + a.ID + " and " + b.ID, nil
}

// gap turns a knowledge gap in free text into an intent of the subquestion
// that it most likely concerns.
func (e *editor) gap(ed state.Edit) (string, error) {
	if text.TitleKey(ed.Text) == "" {
		return "", fmt.Errorf("the text is empty")
	}
	target := ed.Target
	if target == "" {
		target = Attach(e.s, e.order(), e.c.Weak, ed.Text)
	}
	return e.addIntent(state.Edit{Target: target, Text: ed.Text})
}

// Attach picks the subquestion that a gap concerns: the one that shares most
// distinctive words with it; ties go to those the critic flagged as weak, then
// to the lowest coverage, then to the higher priority. "" if there is none.
func Attach(s *state.State, subquestions []state.Subquestion, weak []string, gap string) string {
	words := stems(gap)
	best, bestShared := "", -1
	better := func(a, b string) bool {
		wa, wb := slices.Contains(weak, a), slices.Contains(weak, b)
		if wa != wb {
			return wa
		}
		return s.Answers[a].Coverage < s.Answers[b].Coverage
	}
	for _, q := range subquestions {
		shared := 0
		for w := range stems(q.Text + " " + strings.Join(q.Focus, " ")) {
			if words[w] {
				shared++
			}
		}
		if shared > bestShared || shared == bestShared && better(q.ID, best) {
			best, bestShared = q.ID, shared
		}
	}
	return best
}

func stems(t string) map[string]bool {
	out := map[string]bool{}
	for _, w := range text.Distinctive(text.Tokens(t)) {
		out[text.Stem(w)] = true
	}
	return out
}
