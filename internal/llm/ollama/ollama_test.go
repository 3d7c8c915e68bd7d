package ollama

import (
	"encoding/json"
	"testing"

	"go.uber.org/goleak"

	"optimistresearch/internal/fetch"
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
	conform.Run(t, conform.Wire{Name: llmtest.Ollama, Modes: Modes(), Refusal: llm.FinishStop, Filter: llm.FinishStop, Build: build})
}

func TestRecordedSamples(t *testing.T) {
	conform.Check(t, conform.Samples(t, "ollama_"), map[string]conform.Outcome{
		"ollama_json_schema":        {Text: `{"is_fruit": true}`, Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 29, Output: 8}},
		"ollama_json_schema_stream": {Text: `{"is_fruit": true}`, Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 26, Output: 8}},
		"ollama_length":             {Text: "The theory of relativity, developed by Albert Einstein, is one of the most profound", Finish: llm.FinishLength, Usage: llm.Usage{Calls: 1, Prompt: 18, Output: 16}},
		"ollama_error_404_model":    {Kind: llm.BadRequest, Says: "ollama pull m"},
		// Another wire: never taken for an answer.
		"ollama_openai_compat_json_schema": {Kind: llm.Invalid, Says: "no message"},
	}, build)
}

// Every request names the window, and tells the server not to cut.
func TestTheContextIsOnEveryCall(t *testing.T) {
	for _, c := range []struct{ asked, sent int }{{0, DefaultContext}, {32_768, 32_768}} {
		for _, mode := range Modes() {
			call := conform.Call(mode)
			call.Context = c.asked
			raw, err := requestBody(call, wire.Spelling{}, false)
			if err != nil {
				t.Fatal(err)
			}
			var r map[string]any
			if err := json.Unmarshal(raw, &r); err != nil {
				t.Fatal(err)
			}
			opt, _ := r["options"].(map[string]any)
			if opt["num_ctx"] != float64(c.sent) || opt["num_predict"] != 64.0 || r["truncate"] != false || r["shift"] != false || r["stream"] != false {
				t.Errorf("%s: sent %s", mode, raw)
			}
		}
	}
}

// A base that was written for the OpenAI-compatible wire leads to the same
// server.
func TestBases(t *testing.T) {
	s := llmtest.NewServer()
	defer s.Close()
	s.Func(func(llmtest.Request) llmtest.Step { return llmtest.Answer(conform.Yes) })
	client, _ := conform.Client(t, fetch.Options{})
	for _, tail := range []string{"", "/", "/v1", "/api", "/v1/"} {
		p, err := build(conform.Setup{Base: s.BaseOf(llmtest.Ollama) + tail, Do: client})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Complete(t.Context(), conform.Call("")); err != nil {
			t.Errorf("%q: %v", tail, err)
		}
	}
}
