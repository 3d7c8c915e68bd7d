package openai

import (
	"testing"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/llmtest"
	"optimistresearch/internal/llm/llmtest/conform"
)

func build(s conform.Setup) (llm.Provider, error) {
	return New(Options{Base: s.Base, Key: s.Key, KeySetting: s.KeySetting, NeedKey: s.NeedKey, Stream: s.Stream, Parallel: s.Parallel, Timeout: s.Timeout, Doer: s.Do})
}

func TestConforms(t *testing.T) {
	conform.Run(t, conform.Wire{Name: llmtest.OpenAI, Modes: llm.Modes(), Refusal: llm.FinishRefusal, Filter: llm.FinishFilter, Build: build})
}

func TestRecordedSamples(t *testing.T) {
	conform.Check(t, conform.Samples(t, "openai_", "openrouter_", "ollama_openai_compat"), map[string]conform.Outcome{
		"openai_chat_json_schema": {Text: `{"is_fruit":true}`, Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 50, Output: 13}},
		"openai_chat_length":      {Text: "", Finish: llm.FinishLength, Usage: llm.Usage{Calls: 1, Prompt: 16, Output: 16}},
		"openai_chat_native_output_tools": {
			Text: "{}", Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 71, Output: 12}},
		"openai_chat_native_output_final": {
			Text: `{"city":"Mexico City","country":"Mexico"}`, Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 92, Output: 15}},
		"ollama_openai_compat_json_schema": {
			Text: `{ "city": "Paris", "country": "France" }`, Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 136, Output: 15}},
		"openai_chat_error_401":                    {Kind: llm.Refused, Says: "in THE_KEY"},
		"openai_chat_error_400_schema_unsupported": {Kind: llm.BadRequest, Says: "does not take the mode json_schema"},
		"openai_error_400_context":                 {Kind: llm.ContextLength, Says: "maximum context length is 128000 tokens"},
		"openai_error_429_quota":                   {Kind: llm.Quota, Says: "add credit"},
		"openai_error_429_tpm":                     {Kind: llm.Throttled, Says: "Limit 30000"},
		"openrouter_error_429":                     {Kind: llm.Throttled, Says: "temporarily rate-limited upstream"},
		"openai_responses_error_401":               {Kind: llm.Refused, Says: "HTTP 401"},
		"openai_responses_error_400_context":       {Kind: llm.ContextLength, Says: "exceeds the context window"},
		// Another wire: never taken for an answer.
		"openai_responses_json_schema": {Kind: llm.Invalid, Says: "no choices"},
		"openai_responses_incomplete":  {Kind: llm.Invalid, Says: "no choices"},
	}, build)
}
