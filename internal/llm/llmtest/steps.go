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

	bill Bill
}

// said is an answer in no wire's words.
type said struct {
	text       *string
	finish     string // one of the Finish constants of llm
	tool, args string // a call instead of text
	refusal    string
	prompt     int // reported tokens, 0 = as many as estimated
}

// Answer is a completion with that text: as the input of the tool if the
// request demands one, else as content.
func Answer(text string) Step {
	return completion(func(r Request, a *said) {
		if a.tool = r.Tool(); a.tool != "" {
			a.args = text
			return
		}
		a.text = &text
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
	return plain("<think>\nFirst {\"draft\": true}, then…\n</think>\n\n" + text)
}

// Fenced is text in a Markdown code fence, with a sentence before it.
func Fenced(text string) Step { return plain("Here is the JSON:\n```json\n" + text + "\n```") }

// Garbage is prose instead of JSON.
func Garbage() Step { return plain("I am sorry, I got carried away. Let me tell you about {braces.") }

// Null is a completion without content, refusal or tool call.
func Null() Step { return completion(func(Request, *said) {}) }

// ToolCall is a completion whose text stands in the input of a tool, whether or
// not the request has one.
func ToolCall(name, arguments string) Step {
	return completion(func(_ Request, a *said) { a.tool, a.args = name, arguments })
}

// Length is a completion that stopped at its length limit after text.
func Length(text string) Step {
	return completion(func(_ Request, a *said) { a.text, a.finish = &text, llm.FinishLength })
}

// Refusal is a model that declines. Wires without a word for it answer in
// prose, or withhold the answer.
func Refusal(why string) Step {
	return completion(func(_ Request, a *said) { a.refusal, a.finish = why, llm.FinishRefusal })
}

// Filtered is an answer that the server withheld.
func Filtered() Step {
	return completion(func(_ Request, a *said) { a.finish = llm.FinishFilter })
}

// PromptCount is Answer with another number of prompt tokens in its usage.
func PromptCount(n int, text string) Step {
	return completion(func(_ Request, a *said) { a.text, a.prompt = &text, n })
}

// Unauthorized is a wrong key.
func Unauthorized() Step {
	return func(r Request) Response {
		if r.Wire == Google { // a plain bad request there; the reason stands in the details
			return googleFault(http.StatusBadRequest, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.",
				map[string]any{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"})
		}
		return Failure(http.StatusUnauthorized, "invalid_request_error", "", "invalid_api_key", "Incorrect API key provided: sk-wrong.")(r)
	}
}

// Throttled is a rate limit that asks to wait so many milliseconds: in a header,
// or in the body where the wire does that.
func Throttled(millis int) Step {
	return func(r Request) Response {
		if r.Wire == Google {
			wait := strconv.FormatFloat(float64(millis)/1000, 'f', -1, 64) + "s"
			return googleFault(http.StatusTooManyRequests, "RESOURCE_EXHAUSTED", "You exceeded your current quota. Please retry in "+wait+".",
				map[string]any{"violations": []any{map[string]any{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}}},
				map[string]any{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": wait})
		}
		res := Failure(http.StatusTooManyRequests, "tokens", "", "rate_limit_exceeded", "Rate limit reached on tokens per min (TPM).")(r)
		res.Header = map[string]string{"Retry-After-Ms": strconv.Itoa(millis)}
		return res
	}
}

// Quota is an account without credit, or one whose quota of the day is used up.
func Quota() Step {
	return func(r Request) Response {
		switch r.Wire {
		case Google:
			return googleFault(http.StatusTooManyRequests, "RESOURCE_EXHAUSTED", "You exceeded your current quota.",
				map[string]any{"violations": []any{map[string]any{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "quotaValue": "50"}}},
				map[string]any{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "41s"})
		case Anthropic:
			return Failure(http.StatusBadRequest, "invalid_request_error", "", "", "Your credit balance is too low to access the Anthropic API.")(r)
		case Ollama:
			return Failure(http.StatusPaymentRequired, "", "", "", "this model needs a subscription: add credit")(r)
		}
		return Failure(http.StatusTooManyRequests, "insufficient_quota", "", "insufficient_quota", "You exceeded your current quota.")(r)
	}
}

// TooLong is a prompt that does not fit the model's window.
func TooLong() Step {
	return func(r Request) Response {
		says := map[string]string{
			Anthropic: "prompt is too long: 9000 tokens > 8192 maximum",
			Google:    "The input token count (9000) exceeds the maximum number of tokens allowed (8192).",
			Ollama:    "the input length exceeds the context length of 8192",
			OpenAI:    "This model's maximum context length is 8192 tokens.",
		}[r.Wire]
		return Failure(http.StatusBadRequest, "invalid_request_error", "messages", "context_length_exceeded", says)(r)
	}
}

// Down is a server error with that status.
func Down(status int) Step {
	return Failure(status, "server_error", "", "", "The server had an error while processing your request.")
}

// Failure is an error object with that HTTP status, in the words of the wire.
// kind, param and code are those of the OpenAI wire, where empty ones are null.
func Failure(status int, kind, param, code, message string) Step {
	return func(r Request) Response {
		switch r.Wire {
		case Anthropic:
			kind := map[int]string{400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
				413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error"}[status]
			if kind == "" {
				kind = "api_error"
			}
			return Response{Status: status, Body: encode(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}, "request_id": "req_test"})}
		case Google:
			return googleFault(status, map[int]string{400: "INVALID_ARGUMENT", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE"}[status], message)
		case Ollama:
			return Response{Status: status, Body: encode(map[string]any{"error": message})}
		}
		e := map[string]any{"message": message, "type": kind, "param": nil, "code": nil}
		if param != "" {
			e["param"] = param
		}
		if code != "" {
			e["code"] = code
		}
		return Response{Status: status, Body: encode(map[string]any{"error": e})}
	}
}

func googleFault(status int, word, message string, details ...any) Response {
	e := map[string]any{"code": status, "message": message, "status": word}
	if len(details) > 0 {
		e["details"] = details
	}
	return Response{Status: status, Body: encode(map[string]any{"error": e})}
}

// MidStream is an overload that comes after the first piece of a stream, under
// HTTP 200; to a request without a stream it is Down(503).
func MidStream() Step {
	return func(r Request) Response {
		if !r.Stream() {
			return Down(http.StatusServiceUnavailable)(r)
		}
		half := "{"
		res := stream(r, said{text: &half}, Bill{}, false)
		fault := Failure(529, "overloaded_error", "", "", "Overloaded")(Request{Wire: r.Wire}).Body
		switch r.Wire {
		case Ollama:
			res.Body += fault + "\n"
		case Anthropic:
			res.Body += "event: error\ndata: " + fault + "\n\n"
		default:
			res.Body += "data: " + fault + "\n\n"
		}
		return res
	}
}

// HalfStream is a stream that ends before the answer does; to a request without
// a stream it is Cut.
func HalfStream(text string) Step {
	return func(r Request) Response {
		if !r.Stream() {
			return Cut(text)(r)
		}
		return stream(r, said{text: &text}, Bill{}, false)
	}
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

func plain(text string) Step {
	return completion(func(_ Request, a *said) { a.text = &text })
}

// completion builds an answer in the words of the wire; its prompt tokens are as
// many as estimated, a tenth of them cached where the wire has a cache.
func completion(fill func(Request, *said)) Step {
	return func(r Request) Response {
		a := said{finish: llm.FinishStop}
		fill(r, &a)
		bill := Bill{Answers: 1, Prompt: a.prompt, Output: 1}
		for _, m := range r.Messages() {
			if a.prompt == 0 {
				bill.Prompt += llm.EstimateTokens(m.Content)
			}
		}
		if r.Wire != Ollama {
			bill.Cached = bill.Prompt / 10
		}
		if a.text != nil {
			bill.Output += llm.EstimateTokens(*a.text)
		}
		bill.Output += llm.EstimateTokens(a.args)
		if r.Stream() {
			return stream(r, a, bill, true)
		}
		return Response{Status: http.StatusOK, Body: encode(whole(r, a, bill)), bill: bill}
	}
}

// encode writes what this package builds, which always has a JSON form.
func encode(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(raw)
}
