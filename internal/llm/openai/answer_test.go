package openai

import (
	"testing"

	"optimistresearch/internal/llm"
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
			if want := (answer{c.text, c.finish, c.usage}); err != nil || got != want {
				t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
			}
		})
	}
}

func TestReadFault(t *testing.T) {
	cases := []struct {
		name   string
		status int
		body   string
		found  bool
		kind   llm.Kind
		words  string
	}{
		{"completion", 200, `{"choices":[{"message":{"content":"x"}}],"error":null}`, false, "", ""},
		{"Ollama", 404, `{"error":"model 'bad' not found"}`, true, llm.BadRequest, "model 'bad' not found"},
		{"Google", 429, `[{"error":{"code":429,"message":"Resource exhausted","status":"RESOURCE_EXHAUSTED"}}]`, true, llm.Throttled, "Resource exhausted"},
		{"vLLM", 400, `{"object":"error","message":"max_tokens must be at least 1, got -186.","type":"BadRequestError","param":null,"code":400}`, true, llm.ContextLength, "max_tokens must be at least 1, got -186"},
		{"vLLM under 200", 200, `{"object":"error","message":"no","type":"NotFoundError","code":404}`, true, llm.BadRequest, "no"},
		{"llama.cpp under 200", 200, `{"error":{"code":400,"message":"the request exceeds the available context size.","type":"exceed_context_size_error","n_ctx":8192}}`, true, llm.ContextLength, "the request exceeds the available context size"},
		{"FastAPI", 422, `{"detail":"bad body"}`, true, llm.BadRequest, "bad body"},
		{"LM Studio", 400, `{"error":"tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096)"}`, true, llm.ContextLength, "tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096)"},
		{"HTML", 502, `<html>Bad gateway</html>`, true, llm.Unreachable, ""},
		{"empty", 401, ``, true, llm.Refused, ""},
		{"wrong types", 400, `{"error":{"message":7,"code":{"a":1},"param":[]}}`, true, llm.BadRequest, ""},
		{"hostile text", 400, `{"error":{"message":"line\none\u202e\u0007 <b>"}}`, true, llm.BadRequest, "line one <b>"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f, found := readFault(c.status, []byte(c.body))
			if found != c.found || found && (f.verdict() != c.kind || f.words() != c.words) {
				t.Errorf("found %v, kind %q, words %q", found, f.verdict(), f.words())
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(200, []byte(`{"choices":[{"message":{"content":[{"type":"text","text":"x"}]},"error":{"code":429}}],"usage":{"prompt_tokens":1e99}}`))
	f.Add(400, []byte(`[{"error":{"metadata":{"raw":{"a":1}}}}]`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		fault, found := readFault(status, body)
		if found && fault.verdict() == "" {
			t.Errorf("a fault without a kind: %+v", fault)
		}
		if a, err := readAnswer(body, "x"); err == nil && (a.usage.Prompt < 0 || a.usage.Cached > a.usage.Prompt || a.finish == "") {
			t.Errorf("%+v", a)
		}
		judge(status, nil, body)
	})
}
