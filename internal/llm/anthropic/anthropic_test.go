package anthropic

import (
	"encoding/json"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
	"optimistresearch/internal/llm/llmtest"
	"optimistresearch/internal/llm/llmtest/conform"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func build(s conform.Setup) (llm.Provider, error) {
	return New(Options{Base: s.Base, Key: s.Key, KeySetting: s.KeySetting, NeedKey: s.NeedKey, Stream: s.Stream, Parallel: s.Parallel, Timeout: s.Timeout, Doer: s.Do})
}

func TestConforms(t *testing.T) {
	conform.Run(t, conform.Wire{Name: llmtest.Anthropic, Modes: Modes(), Refusal: llm.FinishRefusal, Filter: llm.FinishRefusal, Build: build})
}

func TestRecordedSamples(t *testing.T) {
	conform.Check(t, conform.Samples(t, "anthropic_"), map[string]conform.Outcome{
		"anthropic_json_schema":               {Text: `{"is_fruit": true}`, Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 260, Output: 11}},
		"anthropic_json_schema_stream":        {Text: `{"is_fruit":true}`, Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 193, Output: 10}},
		"anthropic_tool_use":                  {Text: `{"number":132413}`, Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 712, Output: 39}},
		"anthropic_max_tokens":                {Text: "# The Theory of Relativity: A Comprehensive Explanation\n\n## Overview", Finish: llm.FinishLength, Usage: llm.Usage{Calls: 1, Prompt: 18, Output: 16}},
		"anthropic_error_400_prompt_too_long": {Kind: llm.ContextLength, Says: "213462 tokens"},
		"anthropic_error_401":                 {Kind: llm.Refused, Says: "in THE_KEY"},
		"anthropic_error_404_model":           {Kind: llm.BadRequest, Says: "model: bad model"},
		"anthropic_error_429":                 {Kind: llm.Throttled, Says: "exceed your account's rate limit"},
		"anthropic_error_500":                 {Kind: llm.Unreachable, Says: "Overloaded"},
		"anthropic_error_529":                 {Kind: llm.Unreachable, Says: "Overloaded"},
		"anthropic_error_midstream":           {Kind: llm.Unreachable, Says: "Overloaded"},
	}, build)
}

func body(t *testing.T, c llm.Call) request {
	t.Helper()
	raw, err := requestBody(c, wire.Spelling{}, false)
	if err != nil {
		t.Fatal(err)
	}
	var r request
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// The wire wants an output limit, also where the call has none.
func TestOutputLimit(t *testing.T) {
	c := conform.Call("")
	if n := body(t, c).MaxTokens; n != 64 {
		t.Errorf("max_tokens = %d, want 64", n)
	}
	c.MaxOutput, c.Context = 0, 200_000
	if n := body(t, c).MaxTokens; n != DefaultMaxOutput {
		t.Errorf("max_tokens = %d, want %d", n, DefaultMaxOutput)
	}
	c.Context = 8192
	if n := body(t, c).MaxTokens; n != 4096 {
		t.Errorf("max_tokens = %d in a window of 8192", n)
	}
}

// The shared part is marked for the cache where that is worth it, and the text
// stays the same.
func TestCacheMark(t *testing.T) {
	c := conform.Call("")
	c.User = "Shared.\n\n" + c.User
	c.StablePrefix = len("Shared.\n\n")
	if r := body(t, c); len(r.Messages[0].Content) != 1 || r.System[0].Cache != nil {
		t.Errorf("a short prompt is marked: %+v", r)
	}
	long := strings.Repeat("word ", 2000)
	c.User, c.StablePrefix = long+"own", len(long)
	r := body(t, c).Messages[0].Content
	if len(r) != 2 || r[0].Text != long || r[0].Cache == nil || r[1].Text != "own" || r[1].Cache != nil {
		t.Errorf("%d blocks", len(r))
	}
	c.System, c.User, c.StablePrefix = long, "own", 0
	if r := body(t, c); r.System[0].Cache == nil || len(r.Messages[0].Content) != 1 {
		t.Error("the system prompt is not marked")
	}
}

// The wire counts cached tokens apart from the others.
func TestUsage(t *testing.T) {
	a, err := readAnswer([]byte(`{"type":"message","content":[{"type":"thinking","thinking":"{}"},{"type":"text","text":"x"}],"stop_reason":"end_turn",
		"usage":{"input_tokens":100,"cache_read_input_tokens":2000,"cache_creation_input_tokens":300,"output_tokens":5}}`), "s")
	if want := (llm.Usage{Calls: 1, Prompt: 2400, Cached: 2000, Written: 300, Output: 5}); err != nil || a.Usage != want || a.Text != "x" {
		t.Errorf("%+v, %v", a, err)
	}
	price := &llm.Price{Prompt: 4, Cached: 0.2, Written: 5, Output: 20}
	if got := price.Cost(a.Usage); got.Micros != 100*4+400+1500+100 {
		t.Errorf("%d millionths of a dollar", got.Micros)
	}
}

// What the schema cannot say on this wire is left out of it.
func TestSchema(t *testing.T) {
	c := conform.Call(llm.ModeSchema)
	c.Schema.JSON = []byte(`{"type":"object","properties":{"n":{"type":"number","minimum":0,"maximum":1},"l":{"type":"array","maxItems":3,"items":{"type":"string","enum":["a"]}}},"required":["n","l"],"additionalProperties":false}`)
	const want = `{"type":"object","properties":{"n":{"type":"number"},"l":{"type":"array","items":{"type":"string","enum":["a"]}}},"required":["n","l"],"additionalProperties":false}`
	if got := string(body(t, c).OutputConfig.Format.Schema); got != want {
		t.Errorf("sent %s", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"type":"message","content":[{"type":"tool_use","name":"x","input":{"a":1}}],"usage":{"input_tokens":1e99}}`))
	f.Add([]byte("data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if whole, ok := join(body); ok {
			body = whole
		}
		if a, err := readAnswer(body, "x"); err == nil && (a.Finish == "" || a.Usage.Cached > a.Usage.Prompt) {
			t.Errorf("%+v", a)
		}
	})
}
