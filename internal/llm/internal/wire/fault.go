package wire

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"optimistresearch/internal/llm"
)

// Fault is what a server says about a request that it did not answer.
type Fault struct {
	Status   int // HTTP status, or the numeric code of an error object under HTTP 200
	Message  string
	Kind     string // error.type
	Param    string
	Code     string // error.code if it is a word
	Upstream string // error.metadata.raw: what a gateway was told

	Verdict llm.Kind      // what the dialect knows better, "" = by status and words
	After   time.Duration // how long the body asks to wait, 0 = it does not say
}

// ReadFault finds the error in a body:
//
//	{"error":{"message","type","param","code"}}     OpenAI; code may be a number, as with OpenRouter
//	{"error":"…"}                                   Ollama
//	[{"error":{…}}]                                 Google's compatible endpoint
//	{"object":"error","message","type","code"}      vLLM
//	{"detail":"…"}, {"detail":[{"loc","msg"}]}      FastAPI servers
//	{"choices":[{"error":{…}}]}                     OpenRouter, under HTTP 200
//
// found is false for a success. A status of 400 and more is a fault even when
// the body says nothing.
func ReadFault(status int, body []byte) (f Fault, found bool) {
	f.Status = status
	var top struct {
		Error   json.RawMessage `json:"error"`
		Choices []struct {
			Error json.RawMessage `json:"error"`
		} `json:"choices"`
		Detail json.RawMessage `json:"detail"`
		Object Text            `json:"object"`
		errorObject
	}
	body = bytes.TrimSpace(body)
	if bytes.HasPrefix(body, []byte("[")) {
		var list []json.RawMessage
		if json.Unmarshal(body, &list) == nil && len(list) > 0 {
			body = list[0]
		}
	}
	if json.Unmarshal(body, &top) != nil {
		return f, status >= 400
	}
	inner := top.Error
	if absent(inner) && len(top.Choices) > 0 {
		inner = top.Choices[0].Error
	}
	switch {
	case !absent(inner):
		f.fill(inner)
	case status < 400 && top.Object != "error":
		return f, false
	case top.errorObject.Message != "":
		f.take(top.errorObject)
	case !absent(top.Detail):
		f.Message = string(top.Detail)
		var s string
		if json.Unmarshal(top.Detail, &s) == nil {
			f.Message = s
		}
	}
	return f, true
}

type errorObject struct {
	Message  Text            `json:"message"`
	Type     Text            `json:"type"`
	Param    Text            `json:"param"`
	Code     json.RawMessage `json:"code"`
	Metadata struct {
		Raw json.RawMessage `json:"raw"`
	} `json:"metadata"`
}

// fill reads the value of "error".
func (f *Fault) fill(raw json.RawMessage) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		f.Message = s
		return
	}
	var e errorObject
	if json.Unmarshal(raw, &e) == nil {
		f.take(e)
	}
}

func (f *Fault) take(e errorObject) {
	f.Message, f.Kind, f.Param = string(e.Message), string(e.Type), string(e.Param)
	f.Code = strings.Trim(string(e.Code), `"`)
	if n, err := strconv.Atoi(f.Code); err == nil {
		f.Code = ""
		if f.Status < 400 && n >= 400 && n < 600 {
			f.Status = n
		}
	}
	if f.Code == "null" {
		f.Code = ""
	}
	if raw := e.Metadata.Raw; !absent(raw) {
		f.Upstream = string(raw)
		var s string
		if json.Unmarshal(raw, &s) == nil {
			f.Upstream = s
		}
	}
}

func absent(raw json.RawMessage) bool {
	return len(raw) == 0 || string(raw) == "null"
}

// quotaCodes mean an account without credit, whatever the status.
var quotaCodes = map[string]bool{
	"insufficient_quota": true, "billing_hard_limit_reached": true, "billing_not_active": true, "insufficient_balance": true,
}

// contextCodes mean a prompt that does not fit.
var contextCodes = map[string]bool{
	"context_length_exceeded":   true, // OpenAI
	"exceed_context_size_error": true, // llama.cpp, as type
}

// contextPhrases tell the same for servers that have no code for it.
var contextPhrases = []string{
	"maximum context length",      // vLLM: "This model's maximum context length is 6048 tokens. However, you requested 6616 tokens" (ogx-ai/ogx 4534)
	"must be at least 1, got -",   // vLLM: "max_tokens must be at least 1, got -186." (vllm-project/vllm 4667, 2024-06)
	"context length of only",      // LM Studio: "the model is loaded with context length of only 32768 tokens" (lmstudio-bug-tracker 546, 2025-03)
	"greater than the context le", // LM Studio: "tokens to keep … is greater than the context length (n_keep: 13055>= n_ctx: 4096)"
	"exceeds the context length",  // Ollama: "the input length exceeds the context length" (2026-05)
	"max context length",          // Ollama's cloud models: "prompt too long; exceeded max context length by 4 tokens"
	"available context size",      // llama.cpp before its code: "the request exceeds the available context size"
	"context size has been excee", // llama.cpp under HTTP 500: "Context size has been exceeded." (ggml-org/llama.cpp 19774, 2026-02)
	"exceed context limit",        // Anthropic behind a gateway: "input length and `max_tokens` exceed context limit"
	"prompt is too long",          // the same: "prompt is too long: 210000 tokens > 200000 maximum"
	"input token count",           // Google behind a gateway: "The input token count … exceeds the maximum number of tokens allowed"
}

// tooLong tells whether the prompt does not fit the context window.
func (f Fault) tooLong() bool {
	if contextCodes[f.Code] || contextCodes[f.Kind] || f.Status == http.StatusRequestEntityTooLarge {
		return true
	}
	switch f.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError:
	default:
		return false
	}
	said := strings.ToLower(f.Message + "\n" + f.Upstream)
	for _, p := range contextPhrases {
		if strings.Contains(said, p) {
			return true
		}
	}
	return false
}

// verdict is the kind of failure that the fault stands for.
func (f Fault) verdict() llm.Kind {
	switch {
	case f.Verdict != "":
		return f.Verdict
	case quotaCodes[f.Code] || quotaCodes[f.Kind] || f.Status == http.StatusPaymentRequired:
		return llm.Quota
	case f.tooLong():
		return llm.ContextLength
	case f.Code == "content_filter" || f.Code == "content_policy_violation":
		return llm.Invalid
	case f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden || f.Status == http.StatusProxyAuthRequired:
		return llm.Refused
	case f.Status == http.StatusTooManyRequests || f.Code == "rate_limit_exceeded":
		return llm.Throttled
	case f.Status == http.StatusRequestTimeout || f.Status == http.StatusTooEarly || f.Status >= 500 || f.Status < 400:
		return llm.Unreachable
	}
	return llm.BadRequest
}
