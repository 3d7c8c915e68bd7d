package llmtest

import (
	"encoding/json"
	"net/http"
	"strconv"

	"optimistresearch/internal/llm"
)

// Step makes the response to one request.
type Step func(Request) Response

// Response is what the server sends.
type Response struct {
	Status int
	Header map[string]string
	Body   string
	Hang   bool // send nothing until the client goes away
	Cut    bool // announce more than is sent
}

// Answer is a completion with that text: as the arguments of the tool if the
// request demands one, else as content.
func Answer(text string) Step {
	return completion(func(r Request, c *choice) {
		if tool := r.Tool(); tool != "" {
			c.call(tool, text)
			return
		}
		c.Message.Content = &text
	})
}

// AnswerJSON is Answer with v as JSON. A v without JSON form gives "null".
func AnswerJSON(v any) Step {
	raw, err := json.Marshal(v)
	if err != nil {
		raw = []byte("null")
	}
	return Answer(string(raw))
}

// Think is a reasoning model's answer: a <think> block with a draft, then text.
func Think(text string) Step {
	return content("<think>\nFirst {\"draft\": true}, then…\n</think>\n\n" + text)
}

// Fenced is text in a Markdown code fence, with a sentence before it.
func Fenced(text string) Step { return content("Here is the JSON:\n```json\n" + text + "\n```") }

// Garbage is prose instead of JSON.
func Garbage() Step { return content("I am sorry, I got carried away. Let me tell you about {braces.") }

// Null is a completion without content, refusal or tool call.
func Null() Step { return completion(func(Request, *choice) {}) }

// ToolCall is a completion whose text stands in the arguments of a tool,
// whether or not the request has one.
func ToolCall(name, arguments string) Step {
	return completion(func(_ Request, c *choice) { c.call(name, arguments) })
}

// Length is a completion that stopped at its length limit after text.
func Length(text string) Step {
	return completion(func(_ Request, c *choice) { c.Message.Content, c.Finish = &text, "length" })
}

// Refusal is a model that declines.
func Refusal(why string) Step {
	return completion(func(_ Request, c *choice) { c.Message.Refusal = &why })
}

// Filtered is an answer that the server withheld.
func Filtered() Step {
	return completion(func(_ Request, c *choice) { c.Finish = "content_filter" })
}

// PromptCount is Answer with another number of prompt tokens in its usage.
func PromptCount(n int, text string) Step {
	return func(r Request) Response {
		res := Answer(text)(r)
		var body map[string]any
		if json.Unmarshal([]byte(res.Body), &body) == nil {
			body["usage"].(map[string]any)["prompt_tokens"] = n
			res.Body = encode(body)
		}
		return res
	}
}

// Unauthorized is a wrong key.
func Unauthorized() Step {
	return Failure(http.StatusUnauthorized, "invalid_request_error", "", "invalid_api_key", "Incorrect API key provided: sk-wrong.")
}

// Throttled is a rate limit that asks to wait so many milliseconds.
func Throttled(millis int) Step {
	return func(r Request) Response {
		res := Failure(http.StatusTooManyRequests, "tokens", "", "rate_limit_exceeded", "Rate limit reached on tokens per min (TPM).")(r)
		res.Header = map[string]string{"Retry-After-Ms": strconv.Itoa(millis)}
		return res
	}
}

// Quota is an account without credit.
func Quota() Step {
	return Failure(http.StatusTooManyRequests, "insufficient_quota", "", "insufficient_quota", "You exceeded your current quota.")
}

// TooLong is a prompt that does not fit the model's window.
func TooLong() Step {
	return Failure(http.StatusBadRequest, "invalid_request_error", "messages", "context_length_exceeded", "This model's maximum context length is 8192 tokens.")
}

// Down is a server error with that status.
func Down(status int) Step {
	return Failure(status, "server_error", "", "", "The server had an error while processing your request.")
}

// Failure is an error object with that HTTP status. Empty param and code are
// null.
func Failure(status int, kind, param, code, message string) Step {
	e := map[string]any{"message": message, "type": kind, "param": nil, "code": nil}
	if param != "" {
		e["param"] = param
	}
	if code != "" {
		e["code"] = code
	}
	return Raw(status, encode(map[string]any{"error": e}))
}

// GatewayError is a gateway's error object with a numeric code under HTTP 200.
func GatewayError(code int, message, upstream string) Step {
	return Raw(http.StatusOK, encode(map[string]any{"error": map[string]any{
		"code": code, "message": message, "metadata": map[string]any{"raw": upstream, "provider_name": "upstream"},
	}}))
}

// Raw is any status and body.
func Raw(status int, body string) Step {
	return func(Request) Response { return Response{Status: status, Body: body} }
}

// Page is an HTML page under HTTP 200, as behind a wrong base URL.
func Page() Step {
	return func(Request) Response {
		return Response{Status: http.StatusOK, Header: map[string]string{"Content-Type": "text/html"}, Body: "<!doctype html><title>Welcome</title>"}
	}
}

// Hang sends nothing.
func Hang() Step { return func(Request) Response { return Response{Hang: true} } }

// Cut is an Answer whose connection ends in the middle of the body.
func Cut(text string) Step {
	return func(r Request) Response {
		res := Answer(text)(r)
		res.Body, res.Cut = res.Body[:len(res.Body)/2], true
		return res
	}
}

// choice is choices[0] of a completion.
type choice struct {
	Index   int     `json:"index"`
	Message message `json:"message"`
	Finish  string  `json:"finish_reason"`
}

type message struct {
	Role      string     `json:"role"`
	Content   *string    `json:"content"`
	Refusal   *string    `json:"refusal"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func (c *choice) call(name, arguments string) {
	t := toolCall{ID: "call_1", Type: "function"}
	t.Function.Name, t.Function.Arguments = name, arguments
	c.Message.ToolCalls, c.Finish = []toolCall{t}, "tool_calls"
}

func content(text string) Step {
	return completion(func(_ Request, c *choice) { c.Message.Content = &text })
}

// completion builds a chat completion; its prompt tokens are as many as
// estimated, a tenth of them cached.
func completion(fill func(Request, *choice)) Step {
	return func(r Request) Response {
		c := choice{Message: message{Role: "assistant"}, Finish: "stop"}
		fill(r, &c)
		prompt, output := 0, 1
		for _, m := range r.Messages() {
			prompt += llm.EstimateTokens(m.Content)
		}
		if c.Message.Content != nil {
			output = llm.EstimateTokens(*c.Message.Content) + 1
		}
		return Response{Status: http.StatusOK, Body: encode(map[string]any{
			"id": "chatcmpl-test", "object": "chat.completion", "created": 1767225600, "model": r.Model(),
			"choices": []choice{c},
			"usage": map[string]any{
				"prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output,
				"prompt_tokens_details": map[string]any{"cached_tokens": prompt / 10},
			},
		})}
	}
}

// encode writes what this file builds, which always has a JSON form.
func encode(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(raw)
}
