package steps

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/llmtest"
	"optimistresearch/state"
)

type reply struct {
	Value string `json:"value"`
}

var task = state.Task{ID: "it1/read/doc_0001", Node: "read", Iteration: 1}

func job() Job[reply] {
	return Job[reply]{
		Role:    llm.Reader,
		Prompt:  llm.Prompt{Name: "reader", Version: "3", System: "Read.", Input: "A text."},
		Builtin: func() reply { return reply{"by rule"} },
		Subject: "doc_0001",
	}
}

// collect returns what the trail leaves in a part.
func collect(tr *Trail) (use state.ModelUse, marks []state.Degradation) {
	var part state.State
	tr.Into(&part, task)
	for _, k := range state.Keys(part.Degradations) {
		marks = append(marks, part.Degradations[k])
	}
	return part.Ledger[task.ID].Models[string(llm.Reader)], marks
}

func TestAskWithoutAModel(t *testing.T) {
	for name, router := range map[string]*llm.Router{"no router": nil, "another role": llmtest.NewScripted().Router(llm.Critic)} {
		m := Models{Router: router, Observe: func(Call) { t.Errorf("%s: a call is reported", name) }}
		var trail Trail
		v, by, err := Ask(context.Background(), m, task, &trail, job())
		if err != nil || v.Value != "by rule" || by != llm.Builtin {
			t.Errorf("%s: %+v by %q, %v", name, v, by, err)
		}
		if use, marks := collect(&trail); use != (state.ModelUse{}) || len(marks) != 0 {
			t.Errorf("%s: the built-in method as planned leaves %+v and %+v", name, use, marks)
		}
	}
}

func TestAskAModel(t *testing.T) {
	var calls []Call
	s := llmtest.NewScripted(llmtest.Reply{Text: `<think>{"value":"no"}</think>` + "\n```json\n" + `{"value":"by model"}` + "\n```", Prompt: 1000, Cached: 200, Output: 50})
	m := Models{Router: s.Router(), Observe: func(c Call) { calls = append(calls, c) }}
	var trail Trail
	v, by, err := Ask(context.Background(), m, task, &trail, job())
	if err != nil || v.Value != "by model" || by != "scripted:test" {
		t.Fatalf("%+v by %q, %v", v, by, err)
	}
	use, marks := collect(&trail)
	// One dollar a million prompt tokens, two a million answer tokens; the
	// reasoning had to be taken off, which counts as a repair (R22).
	if want := (state.ModelUse{Calls: 1, Prompt: 1000, Cached: 200, Output: 50, Micros: 1100, Repairs: 1}); use != want {
		t.Errorf("use = %+v, want %+v", use, want)
	}
	if len(marks) != 0 {
		t.Errorf("an answer leaves a degradation: %+v", marks)
	}
	if len(calls) != 1 || calls[0].Prompt != "reader@3" || calls[0].Task.ID != task.ID || calls[0].Fallback || calls[0].Err != nil {
		t.Errorf("reported calls = %+v", calls)
	}
	if sent := s.Calls()[0]; !strings.Contains(sent.System, llm.Instructions()) {
		t.Error("the rule about quoted data is not in the system prompt")
	}
}

// The role's model fails in every way it can: the built-in method does the
// step, the report can say so, and only what the next call would meet as well
// counts as failed (R19).
func TestAskFallsBack(t *testing.T) {
	garbage := llmtest.Text("I'd rather chat.")
	for _, c := range []struct {
		name    string
		replies []llmtest.Reply
		kind    string
		failed  int
		calls   int // sent
	}{
		{"no key", []llmtest.Reply{llmtest.Fail(llm.MissingKey)}, "missing_key", 1, 1},
		{"no network", []llmtest.Reply{llmtest.Fail(llm.Unreachable)}, "unreachable", 1, 1},
		{"wrong key", []llmtest.Reply{llmtest.Fail(llm.Refused)}, "refused", 1, 1},
		{"429 for ever", []llmtest.Reply{llmtest.Fail(llm.Throttled)}, "throttled", 1, 1},
		{"no credit", []llmtest.Reply{llmtest.Fail(llm.Quota)}, "quota", 1, 1},
		{"wrong model name", []llmtest.Reply{llmtest.Fail(llm.BadRequest)}, "bad_request", 1, 1},
		{"not in the recordings", []llmtest.Reply{llmtest.Fail(llm.Offline)}, "offline", 1, 1},
		{"garbage twice", []llmtest.Reply{garbage, garbage}, "invalid", 0, 2},
		{"declined", []llmtest.Reply{{Text: "no", Finish: llm.FinishRefusal}}, "invalid", 0, 1},
		{"cut off", []llmtest.Reply{{Text: `{"value":"hal`, Finish: llm.FinishLength}}, "truncated", 0, 1},
		{"too long", []llmtest.Reply{llmtest.Fail(llm.ContextLength)}, "context_length", 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var seen []Call
			s := llmtest.NewScripted(c.replies...)
			var trail Trail
			v, by, err := Ask(context.Background(), Models{Router: s.Router(), Observe: func(c Call) { seen = append(seen, c) }}, task, &trail, job())
			if err != nil || v.Value != "by rule" || by != llm.Builtin {
				t.Fatalf("%+v by %q, %v; want the built-in method", v, by, err)
			}
			use, marks := collect(&trail)
			if use.Calls != 1 || use.Failed != c.failed || len(s.Calls()) != c.calls {
				t.Errorf("use = %+v after %d calls; want one call, %d failed, %d sent", use, len(s.Calls()), c.failed, c.calls)
			}
			if len(marks) != 1 || marks[0].Kind != c.kind || marks[0].Role != "reader" || marks[0].Step != "read" || marks[0].Subject != "doc_0001" ||
				marks[0].Iteration != 1 || marks[0].Fallback == "" || !strings.Contains(marks[0].Reason, "reader with scripted:test") {
				t.Errorf("degradations = %+v, want one of kind %s", marks, c.kind)
			}
			if len(seen) != 1 || !seen[0].Fallback || seen[0].Err == nil {
				t.Errorf("reported calls = %+v", seen)
			}
		})
	}
}

// What the schema cannot say is checked by the step; such an answer is garbage
// too, and is not paid for less.
func TestAskChecksTheAnswer(t *testing.T) {
	j := job()
	j.Check = func(r reply) error {
		if r.Value == "" {
			return errors.New("it is empty")
		}
		return nil
	}
	empty := llmtest.Reply{Text: `{"value":""}`, Prompt: 10, Output: 5}
	var trail Trail
	script := llmtest.NewScripted(empty, empty)
	v, by, err := Ask(context.Background(), Models{Router: script.Router()}, task, &trail, j)
	if err != nil || v.Value != "by rule" || by != llm.Builtin {
		t.Fatalf("%+v by %q, %v", v, by, err)
	}
	use, marks := collect(&trail)
	if use.Failed != 0 || use.Unusable != 1 || use.Prompt != 20 || use.Micros != 40 || len(marks) != 1 || marks[0].Kind != "invalid" || !strings.Contains(marks[0].Reason, "it is empty") {
		t.Errorf("use = %+v, degradations = %+v", use, marks)
	}
	if again := script.Calls()[1].User; !strings.Contains(again, "it is empty") {
		t.Errorf("the model is not told what is wrong: %s", again)
	}
	trail = Trail{}
	if v, _, err := Ask(context.Background(), Models{Router: llmtest.NewScripted(empty, llmtest.JSON(reply{"mended"})).Router()}, task, &trail, j); err != nil || v.Value != "mended" {
		t.Errorf("%+v, %v", v, err)
	}
	if use, marks := collect(&trail); use.Repairs != 1 || use.Unusable != 0 || len(marks) != 0 {
		t.Errorf("use = %+v, degradations = %+v", use, marks)
	}
}

// list is a job that repeats its items.
type list struct {
	Items []string `json:"items"`
}

// batch asks about n items of a hundred words each.
func batch(t *testing.T, router *llm.Router, n int) (parts []Answered[string, list], use state.ModelUse, marks []state.Degradation, seen []Call) {
	t.Helper()
	var items []string
	for i := range n {
		items = append(items, fmt.Sprintf("item%02d %s", i, strings.Repeat("word ", 100)))
	}
	var trail Trail
	m := Models{Router: router, Observe: func(c Call) { seen = append(seen, c) }}
	parts, err := AskBatch(context.Background(), m, task, &trail, items, func(items []string) Job[list] {
		return Job[list]{Role: llm.Reader, Prompt: llm.Prompt{Name: "reader", Version: "1", Input: strings.Join(items, "\n")},
			Builtin: func() list { return list{[]string{"by rule"}} }, Subject: items[0][:6]}
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range parts {
		got = append(got, p.Items...)
	}
	if strings.Join(got, "|") != strings.Join(items, "|") {
		t.Errorf("the parts hold %d items, want all %d in their order", len(got), n)
	}
	use, marks = collect(&trail)
	return parts, use, marks, seen
}

// R23: a batch that is too long for the window is asked in parts that fit, and
// nothing is sent to find that out.
func TestALongBatchIsSplitBeforeItIsSent(t *testing.T) {
	s := llmtest.NewScripted().Func(func(c llm.Call) llmtest.Reply { return llmtest.JSON(list{[]string{}}) })
	router := llm.NewRouter(map[llm.Role]llm.Route{llm.Reader: {Spec: "scripted:test", Provider: s, Model: "test", Context: 1000}})
	parts, use, marks, seen := batch(t, router, 16)
	if len(parts) != 4 || use.Calls != 4 || use.Failed+use.Unusable != 0 || len(marks) != 0 || len(seen) != 4 {
		t.Errorf("%d parts, use %+v, degradations %+v, %d calls logged", len(parts), use, marks, len(seen))
	}
	for _, c := range s.Calls() {
		if n := llm.EstimateTokens(c.System + c.User); n > 750 {
			t.Errorf("a prompt of %d tokens was sent", n)
		}
	}
}

// The same when only the server knows: by refusing, or by a cut answer.
func TestALongBatchIsSplitAfterItWasRefused(t *testing.T) {
	for name, reply := range map[string]llmtest.Reply{
		"too long": llmtest.Fail(llm.ContextLength),
		"cut off":  {Text: `{"items":["a`, Finish: llm.FinishLength},
	} {
		s := llmtest.NewScripted().Func(func(c llm.Call) llmtest.Reply {
			if strings.Count(c.User, "item") > 2 {
				return reply
			}
			return llmtest.JSON(list{[]string{}})
		})
		parts, use, marks, seen := batch(t, s.Router(), 5)
		// 5 → 2 + 3 → 1 + 2
		if len(parts) != 3 || use.Calls != 5 || use.Unusable != 2 || use.Failed != 0 || len(marks) != 0 || len(seen) != 5 || seen[0].Fallback || seen[0].Err == nil {
			t.Errorf("%s: %d parts, use %+v, degradations %+v, %d calls logged", name, len(parts), use, marks, len(seen))
		}
	}
}

// An item that is too long by itself falls back, alone.
func TestOneTooLongItemFallsBackAlone(t *testing.T) {
	s := llmtest.NewScripted().Func(func(c llm.Call) llmtest.Reply {
		if strings.Contains(c.User, "item01") {
			return llmtest.Fail(llm.ContextLength)
		}
		return llmtest.JSON(list{[]string{}})
	})
	parts, _, marks, _ := batch(t, s.Router(), 4)
	by := ""
	for _, p := range parts {
		by += fmt.Sprintf("%d %s, ", len(p.Items), p.By)
	}
	if by != "1 scripted:test, 1 builtin, 2 scripted:test, " || len(marks) != 1 || marks[0].Subject != "item01" || marks[0].Kind != "context_length" {
		t.Errorf("parts %s degradations %+v", by, marks)
	}
	if parts, use, marks, seen := batch(t, nil, 3); len(parts) != 1 || parts[0].By != llm.Builtin || use.Calls != 0 || len(marks)+len(seen) != 0 {
		t.Errorf("without a model: %+v, %+v, %+v", parts, use, marks)
	}
}

// An interruption is neither a failure of the model nor a reason to fall back:
// the task did not happen.
func TestAskIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := llmtest.NewScripted().Func(func(llm.Call) llmtest.Reply { cancel(); return llmtest.Reply{Hang: true} })
	var trail Trail
	_, _, err := Ask(ctx, Models{Router: s.Router()}, task, &trail, job())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v", err)
	}
	if use, marks := collect(&trail); use.Calls != 0 || len(marks) != 0 {
		t.Errorf("it leaves %+v and %+v", use, marks)
	}
}

// A price that is not known is not 0: the call is counted as unpriced.
func TestUnpricedCallsAreCounted(t *testing.T) {
	s := llmtest.NewScripted(llmtest.JSON(reply{"x"}), llmtest.Fail(llm.MissingKey))
	router := llm.NewRouter(map[llm.Role]llm.Route{llm.Reader: {Spec: "scripted:test", Provider: s, Model: "test"}})
	var trail Trail
	for range 2 {
		if _, _, err := Ask(context.Background(), Models{Router: router}, task, &trail, job()); err != nil {
			t.Fatal(err)
		}
	}
	// The second call was never sent, so nobody wants money for it.
	if use, _ := collect(&trail); use.Calls != 2 || use.Unpriced != 1 || use.Failed != 1 || use.Micros != 0 {
		t.Errorf("use = %+v", use)
	}
}

func TestTrailIntoCompletesTheLedger(t *testing.T) {
	part := state.State{Ledger: map[string]state.Spend{task.ID: {Documents: 1}}}
	var trail Trail
	trail.Into(&part, task)
	if part.Ledger[task.ID].Models != nil || part.Degradations != nil {
		t.Errorf("an empty trail leaves %+v", part)
	}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			trail.add(llm.Reader, llm.Result{Usage: llm.Usage{Calls: 1, Prompt: 3, PriceKnown: true}}, nil)
			trail.Note(state.Degradation{Step: "read", Subject: fmt.Sprint(i % 4), Kind: "invalid"})
		})
	}
	wg.Wait()
	trail.Into(&part, task)
	sp := part.Ledger[task.ID]
	if sp.Documents != 1 || sp.Models["reader"].Calls != 20 || sp.Models["reader"].Prompt != 60 {
		t.Errorf("ledger = %+v", sp)
	}
	if len(part.Degradations) != 4 {
		t.Errorf("%d degradations, want the 4 different ones", len(part.Degradations))
	}
	for id, d := range part.Degradations {
		if d.ID != id || !strings.HasPrefix(id, "dg_") {
			t.Errorf("degradation %q is kept under %q", d.ID, id)
		}
	}
}

func TestArg(t *testing.T) {
	task := state.Task{ID: "it1/expand/1", Args: []string{"doc_0001|backward", "101"}}
	if v, err := Arg(task, 1); err != nil || v != "101" {
		t.Errorf("%q, %v", v, err)
	}
	if _, err := Arg(task, 2); err == nil || !strings.Contains(err.Error(), "it1/expand/1: argument 3 is missing") {
		t.Errorf("error = %v", err)
	}
}

func TestPrompt(t *testing.T) {
	files := fstest.MapFS{
		"prompts/good.md":  {Data: []byte("version: 12\n\nYou read.\n\nWith care.\n")},
		"prompts/bare.md":  {Data: []byte("You read.\n\nWith care.\n")},
		"prompts/short.md": {Data: []byte("version: 1")},
	}
	if text, version, err := Prompt(files, "good"); err != nil || version != "12" || text != "You read.\n\nWith care." {
		t.Errorf("%q, %q, %v", text, version, err)
	}
	for _, name := range []string{"bare", "short", "absent"} {
		if _, _, err := Prompt(files, name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error = %v, want one that names the file", name, err)
		}
	}
}
