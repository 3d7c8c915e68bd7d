package openai

import (
	"context"
	"slices"
	"strings"
	"testing"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/llmtest"
)

// The whole way from a prompt over the wire to a value.
func TestStructuredOverTheWire(t *testing.T) {
	long := llm.Prompt{Name: "fruit", Version: "1", System: "Answer.", Input: strings.Repeat("word ", 4800)}
	short := llm.Prompt{Name: "fruit", Version: "1", System: "Answer.", Input: "Is a banana a fruit?", MaxOutput: 64}
	cases := []struct {
		name     string
		prompt   llm.Prompt
		steps    []llmtest.Step
		kind     llm.Kind
		requests int
		notes    []string // how each begins
	}{
		{"valid", short, []llmtest.Step{llmtest.Answer(yes)}, "", 1, nil},
		{"think", short, []llmtest.Step{llmtest.Think(yes)}, "", 1, []string{"stripped <think>"}},
		{"fenced", short, []llmtest.Step{llmtest.Fenced(yes)}, "", 1, []string{"took the answer out of a code fence"}},
		{"tool call", short, []llmtest.Step{llmtest.ToolCall("fruit", yes)}, "", 1, nil},
		{"garbage, then valid", short, []llmtest.Step{llmtest.Garbage(), llmtest.Answer(yes)}, "", 2, []string{"repaired after schema error"}},
		{"garbage twice", short, []llmtest.Step{llmtest.Garbage(), llmtest.Garbage()}, llm.Invalid, 2, nil},
		{"null, then valid", short, []llmtest.Step{llmtest.Null(), llmtest.Answer(yes)}, "", 2, []string{"repaired after schema error"}},
		{"length", short, []llmtest.Step{llmtest.Length(`{"is`)}, llm.Truncated, 1, nil},
		{"refusal", short, []llmtest.Step{llmtest.Refusal("No.")}, llm.Invalid, 1, nil},
		{"401", short, []llmtest.Step{llmtest.Unauthorized()}, llm.Refused, 1, nil},
		{"quota", short, []llmtest.Step{llmtest.Quota()}, llm.Quota, 1, nil},
		{"too long", short, []llmtest.Step{llmtest.TooLong()}, llm.ContextLength, 1, nil},
		{"429, then valid", short, []llmtest.Step{llmtest.Throttled(500), llmtest.Answer(yes)}, "", 2, nil},
		{"6,000 tokens read as 4,096", long, []llmtest.Step{llmtest.PromptCount(4096, yes)}, llm.Truncated, 1,
			[]string{"prompt cut: the server read 4096 tokens of a prompt of about 6"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := server(t, c.steps...)
			p, _ := provider(t, fetch.Options{}, Options{Base: s.Base(), Key: "sk-secret", KeySetting: "THE_KEY"})
			r := llm.NewRouter(map[llm.Role]llm.Route{llm.Screener: {
				Spec: "openai:m", Setting: "models.screener", Provider: p, Model: "m", Price: &llm.Price{Prompt: 1, Output: 1}}})
			v, res, err := llm.Structured[fruit](context.Background(), r, llm.Screener, c.prompt)
			if got := llm.KindOf(err); got != c.kind || (err != nil) != (c.kind != "") {
				t.Fatalf("kind %q (%v), want %q", got, err, c.kind)
			}
			if v.IsFruit != (err == nil) {
				t.Errorf("got %+v", v)
			}
			if n := len(s.Requests()); n != c.requests || s.Left() != 0 {
				t.Errorf("%d requests, %d steps left", n, s.Left())
			}
			if !slices.EqualFunc(res.Notes, c.notes, strings.HasPrefix) {
				t.Errorf("notes %q, want %q", res.Notes, c.notes)
			}
			if len(res.Raw) != res.Usage.Calls || err == nil && (res.Usage.Micros == 0 || !res.Usage.PriceKnown) {
				t.Errorf("hashes %q, usage %+v", res.Raw, res.Usage)
			}
			if c.kind == llm.Refused && !(strings.Contains(err.Error(), "THE_KEY") && strings.Contains(err.Error(), "models.screener")) {
				t.Errorf("the error names neither key nor setting: %q", err)
			}
		})
	}
}
