package wire

import (
	"testing"

	"optimistresearch/internal/llm"
)

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
			f, found := ReadFault(c.status, []byte(c.body))
			if found != c.found || found && (f.verdict() != c.kind || f.words() != c.words) {
				t.Errorf("found %v, kind %q, words %q", found, f.verdict(), f.words())
			}
		})
	}
}

func FuzzReadFault(f *testing.F) {
	f.Add(400, []byte(`[{"error":{"metadata":{"raw":{"a":1}}}}]`))
	f.Add(200, []byte(`{"choices":[{"error":{"code":429}}]}`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		fault, found := ReadFault(status, body)
		if found && fault.verdict() == "" {
			t.Errorf("a fault without a kind: %+v", fault)
		}
		(&Client{}).judge(status, body)
	})
}
