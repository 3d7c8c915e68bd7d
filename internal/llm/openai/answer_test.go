package openai

import (
	"testing"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

func TestReadAnswer(t *testing.T) {
	cases := []struct {
		name, body   string
		text, finish string
		usage        llm.Usage
	}{
		{"cached tokens", `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":64}}}`,
			"a", llm.FinishStop, llm.Usage{Calls: 1, Prompt: 100, Cached: 64, Output: 5}},
		{"cached tokens, DeepSeek", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":100,"completion_tokens":5,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}}`,
			"a", llm.FinishStop, llm.Usage{Calls: 1, Prompt: 100, Cached: 64, Output: 5}},
		{"cached tokens, Moonshot", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":100,"completion_tokens":5,"cached_tokens":64}}`,
			"a", llm.FinishStop, llm.Usage{Calls: 1, Prompt: 100, Cached: 64, Output: 5}},
		{"counts of wrong types", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":"many","completion_tokens":5.0,"prompt_tokens_details":null}}`,
			"a", llm.FinishStop, llm.Usage{Calls: 1, Output: 5}},
		{"no usage", `{"choices":[{"message":{"content":"a"},"finish_reason":null}]}`, "a", llm.FinishStop, llm.Usage{}},
		{"content in parts", `{"choices":[{"message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"{\"a\""},{"type":"text","text":":1}"}]},"finish_reason":"stop"}]}`,
			`{"a":1}`, llm.FinishStop, llm.Usage{}},
		{"content null, call of our tool", `{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"other","arguments":"{}"}},{"function":{"name":"ours","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}]}`,
			`{"a":1}`, llm.FinishStop, llm.Usage{}},
		{"arguments as an object", `{"choices":[{"message":{"tool_calls":[{"function":{"name":"ours","arguments":{"a":1}}}]},"finish_reason":"tool_calls"}]}`,
			`{"a":1}`, llm.FinishStop, llm.Usage{}},
		{"content beats tools", `{"choices":[{"message":{"content":"text","tool_calls":[{"function":{"name":"ours","arguments":"{}"}}]}}]}`, "text", llm.FinishStop, llm.Usage{}},
		{"reasoning is no answer", `{"choices":[{"message":{"content":"","reasoning":"{\"a\":1}","reasoning_content":"{}"},"finish_reason":"length"}]}`, "", llm.FinishLength, llm.Usage{}},
		{"refusal", `{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}]}`, "No.", llm.FinishRefusal, llm.Usage{}},
		{"filter", `{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}`, "", llm.FinishFilter, llm.Usage{}},
		{"other reason", `{"choices":[{"message":{"content":"a"},"finish_reason":"eos"}]}`, "a", llm.FinishStop, llm.Usage{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := readAnswer([]byte(c.body), "ours")
			if want := (wire.Answer{Text: c.text, Finish: c.finish, Usage: c.usage}); err != nil || got != want {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":[{"type":"text","text":"x"}]},"error":{"code":429}}],"usage":{"prompt_tokens":1e99}}`))
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\ndata: [DONE]\n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if whole, ok := join(body); ok {
			body = whole
		}
		if a, err := readAnswer(body, "x"); err == nil && (a.Usage.Prompt < 0 || a.Usage.Cached > a.Usage.Prompt || a.Finish == "") {
			t.Errorf("%+v", a)
		}
	})
}
