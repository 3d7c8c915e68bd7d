package google

import (
	"testing"
	"time"

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
	conform.Run(t, conform.Wire{Name: llmtest.Google, Modes: Modes(), Refusal: llm.FinishFilter, Filter: llm.FinishFilter, Build: build})
}

func TestRecordedSamples(t *testing.T) {
	conform.Check(t, conform.Samples(t, "gemini_"), map[string]conform.Outcome{
		"gemini_json_schema":          {Text: `{"is_fruit": true}`, Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 18, Output: 138}},
		"gemini_json_schema_stream":   {Text: `{"is_fruit": true}`, Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 18, Output: 118}},
		"gemini_response_json_schema": {Text: "{\n  \"city\": \"Mexico City\",\n  \"country\": \"Mexico\"\n}", Finish: llm.FinishStop, Usage: llm.Usage{Calls: 1, Prompt: 8, Output: 20}},
		"gemini_max_tokens":           {Finish: llm.FinishLength, Usage: llm.Usage{Calls: 1, Prompt: 10, Output: 12}},
		"gemini_max_tokens_no_parts":  {Finish: llm.FinishLength, Usage: llm.Usage{Calls: 1, Prompt: 15, Output: 2}},
		"gemini_error_400_context":    {Kind: llm.ContextLength, Says: "1300000"},
		"gemini_error_400_key":        {Kind: llm.Refused, Says: "in THE_KEY"},
		"gemini_error_400_model":      {Kind: llm.BadRequest, Says: "unexpected model name format"},
		"gemini_error_429":            {Kind: llm.Throttled, Says: "generate_content_free_tier_requests"},
		"gemini_error_503":            {Kind: llm.Unreachable, Says: "The model is overloaded"},
	}, build)
}

func TestSharpen(t *testing.T) {
	fault := func(details string) wire.Fault {
		f := wire.Fault{Status: 429}
		sharpen(&f, []byte(`{"error":{"details":[`+details+`]}}`))
		return f
	}
	const minute = `{"violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel","quotaValue":"10"}]},{"retryDelay":"37.5s"}`
	if f := fault(minute); f.Verdict != "" || f.After != 37500*time.Millisecond {
		t.Errorf("a quota of the minute: %+v", f)
	}
	for name, d := range map[string]string{
		"of the day":      `{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel","quotaValue":"250"}]},{"retryDelay":"5s"}`,
		"of the day, too": minute + `,{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}`,
		"of nothing":      `{"violations":[{"quotaId":"GenerateContentInputTokensPerModelPerMinute-FreeTier","quotaValue":"0"}]}`,
	} {
		if f := fault(d); f.Verdict != llm.Quota {
			t.Errorf("a quota %s: %+v", name, f)
		}
	}
}

func TestReadAnswer(t *testing.T) {
	for name, c := range map[string]struct{ body, text, finish string }{
		"thoughts are no answer": {`{"candidates":[{"content":{"parts":[{"text":"{}","thought":true},{"text":"a"},{"text":"b"}]},"finishReason":"STOP"}]}`, "ab", llm.FinishStop},
		"prompt blocked":         {`{"promptFeedback":{"blockReason":"SAFETY"}}`, "", llm.FinishFilter},
		"answer withheld":        {`{"candidates":[{"finishReason":"RECITATION"}]}`, "", llm.FinishFilter},
	} {
		a, err := readAnswer([]byte(c.body))
		if err != nil || a.Text != c.text || a.Finish != c.finish {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	if _, err := readAnswer([]byte(`{"candidates":[]}`)); err == nil {
		t.Error("no candidates and no reason: taken for an answer")
	}
}

// A model's name is a part of the path.
func TestModelInPath(t *testing.T) {
	d := dialect()
	for model, want := range map[string]string{"gemini-x": "/models/gemini-x:generateContent", "models/gemini-x": "/models/gemini-x:generateContent", "a b/../c?": "/models/a%20b%2F..%2Fc%3F:generateContent"} {
		c := conform.Call("")
		c.Model = model
		out, err := d.Request(c, wire.Spelling{}, false)
		if err != nil || out.Path != want {
			t.Errorf("%q: %q, %v", model, out.Path, err)
		}
	}
}
