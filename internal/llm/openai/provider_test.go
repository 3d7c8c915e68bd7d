package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type fruit struct {
	IsFruit bool `json:"is_fruit"`
}

const yes = `{"is_fruit":true}`

// call is a small request in the given mode.
func call(mode string) llm.Call {
	zero := 0.0
	return llm.Call{
		Role: llm.Screener, Prompt: "fruit", Model: "m", System: "Answer.", User: "Is a banana a fruit?",
		Schema: llm.SchemaFor[fruit]("fruit"), Mode: mode, MaxOutput: 64, Temperature: &zero,
	}
}

// provider makes a provider over a real client that never sleeps. The waits it
// would have slept are in the returned list.
func provider(t *testing.T, fo fetch.Options, o Options) (*Provider, func() []time.Duration) {
	t.Helper()
	var mu sync.Mutex
	var waits []time.Duration
	fo.Sleep = func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		waits = append(waits, d)
		return ctx.Err()
	}
	client, err := fetch.New(fo)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	o.Doer = client
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p, func() []time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return waits
	}
}

func server(t *testing.T, steps ...llmtest.Step) *llmtest.Server {
	t.Helper()
	s := llmtest.NewServer(steps...)
	t.Cleanup(s.Close)
	return s
}

func TestModes(t *testing.T) {
	const schema = `{"properties":{"is_fruit":{"type":"boolean"}},"additionalProperties":false,"type":"object","required":["is_fruit"]}`
	cases := []struct {
		mode string
		body string // without messages
		said bool   // the schema stands in the system message
	}{
		{llm.ModeSchema, `{"model":"m","response_format":{"type":"json_schema","json_schema":{"name":"fruit","schema":` + schema + `,"strict":true}},"max_completion_tokens":64,"temperature":0,"stream":false}`, false},
		{"", `{"model":"m","response_format":{"type":"json_schema","json_schema":{"name":"fruit","schema":` + schema + `,"strict":true}},"max_completion_tokens":64,"temperature":0,"stream":false}`, false},
		{llm.ModeObject, `{"model":"m","response_format":{"type":"json_object"},"max_completion_tokens":64,"temperature":0,"stream":false}`, true},
		{llm.ModeTool, `{"model":"m","tools":[{"type":"function","function":{"name":"fruit","description":"Takes the answer.","parameters":` + schema + `,"strict":true}}],"tool_choice":{"type":"function","function":{"name":"fruit"}},"max_completion_tokens":64,"temperature":0,"stream":false}`, false},
		{llm.ModePrompt, `{"model":"m","max_completion_tokens":64,"temperature":0,"stream":false}`, true},
	}
	for _, c := range cases {
		t.Run(c.mode, func(t *testing.T) {
			s := server(t, llmtest.Answer(yes)).Want("sk-secret")
			p, _ := provider(t, fetch.Options{}, Options{Base: s.Base() + "/", Key: " sk-secret\n"})
			done, err := p.Complete(context.Background(), call(c.mode))
			if err != nil {
				t.Fatal(err)
			}
			if done.Text != yes || done.Finish != llm.FinishStop || done.Usage.Prompt == 0 || done.Usage.Output == 0 {
				t.Errorf("got %+v", done)
			}
			r := s.Requests()[0]
			system := r.Text("system")
			if strings.Contains(system, schema) != c.said || !strings.HasPrefix(system, "Answer.") || r.Text("user") != "Is a banana a fruit?" {
				t.Errorf("messages %+v", r.Messages())
			}
			delete(r.Body, "messages")
			if got := encode(t, r.Body); got != normal(t, c.body) {
				t.Errorf("sent\n%s\nwant\n%s", got, normal(t, c.body))
			}
		})
	}
}

func encode(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func normal(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return encode(t, v)
}

func TestAnswersAndFailures(t *testing.T) {
	const retries = 1 + fetch.DefaultMaxRetries
	repeat := func(n int, s llmtest.Step) (out []llmtest.Step) {
		for range n {
			out = append(out, s)
		}
		return out
	}
	cases := []struct {
		name     string
		steps    []llmtest.Step
		kind     llm.Kind
		text     string // of the answer, or in the error
		finish   string
		requests int
	}{
		{"valid", repeat(1, llmtest.Answer(yes)), "", yes, llm.FinishStop, 1},
		{"think block is passed on", repeat(1, llmtest.Think(yes)), "", "</think>\n\n" + yes, llm.FinishStop, 1},
		{"fenced is passed on", repeat(1, llmtest.Fenced(yes)), "", "```json\n" + yes, llm.FinishStop, 1},
		{"garbage is passed on", repeat(1, llmtest.Garbage()), "", "carried away", llm.FinishStop, 1},
		{"null content", repeat(1, llmtest.Null()), "", "", llm.FinishStop, 1},
		{"tool call", repeat(1, llmtest.ToolCall("fruit", yes)), "", yes, llm.FinishStop, 1},
		{"length", repeat(1, llmtest.Length(`{"is_fr`)), "", `{"is_fr`, llm.FinishLength, 1},
		{"refusal", repeat(1, llmtest.Refusal("I can't say.")), "", "I can't say.", llm.FinishRefusal, 1},
		{"filter", repeat(1, llmtest.Filtered()), "", "", llm.FinishFilter, 1},

		{"401", repeat(1, llmtest.Unauthorized()), llm.Refused, "set a valid key for openai in THE_KEY", "", 1},
		{"403", repeat(1, llmtest.Failure(403, "x", "", "", "Not your model.")), llm.Refused, "Not your model", "", 1},
		{"402", repeat(1, llmtest.Failure(402, "x", "", "", "Insufficient credits.")), llm.Quota, "add credit", "", 1},
		{"404", repeat(1, llmtest.Failure(404, "x", "", "model_not_found", "The model does not exist.")), llm.BadRequest, `check the model's name "m"`, "", 1},
		{"413", repeat(1, llmtest.Failure(413, "x", "", "", "too large")), llm.ContextLength, "send less", "", 1},
		{"quota is not retried", repeat(1, llmtest.Quota()), llm.Quota, "add credit", "", 1},
		{"too long", repeat(1, llmtest.TooLong()), llm.ContextLength, "8192", "", 1},
		{"too long under 500 is not retried", repeat(1, llmtest.Raw(500, `{"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}`)), llm.ContextLength, "exceeded", "", 1},
		{"too long, vLLM", repeat(1, llmtest.Raw(400, `{"object":"error","message":"'max_tokens' or 'max_completion_tokens' is too large: 64. This model's maximum context length is 40 tokens","type":"BadRequestError","param":null,"code":400}`)), llm.ContextLength, "maximum context length", "", 1},
		{"429 then an answer", []llmtest.Step{llmtest.Throttled(900), llmtest.Throttled(900), llmtest.Answer(yes)}, "", yes, llm.FinishStop, 3},
		{"429 for ever", repeat(retries, llmtest.Throttled(900)), llm.Throttled, "after 5 attempts", "", retries},
		{"503 then an answer", []llmtest.Step{llmtest.Down(503), llmtest.Answer(yes)}, "", yes, llm.FinishStop, 2},
		{"500 for ever", repeat(retries, llmtest.Down(500)), llm.Unreachable, "The server had an error", "", retries},
		{"cut body then an answer", []llmtest.Step{llmtest.Cut(yes), llmtest.Answer(yes)}, "", yes, llm.FinishStop, 2},
		{"cut body for ever", repeat(retries, llmtest.Cut(yes)), llm.Unreachable, "cut short", "", retries},
		{"half of the JSON for ever", repeat(retries, llmtest.Raw(200, `{"choices":[{"mess`)), llm.Unreachable, "not JSON", "", retries},
		{"HTML page", repeat(1, llmtest.Page()), llm.Unreachable, "base URL", "", 1},
		{"gateway throttled under 200, then an answer", []llmtest.Step{llmtest.GatewayError(429, "Provider returned error", "slow down"), llmtest.Answer(yes)}, "", yes, llm.FinishStop, 2},
		{"gateway without credit under 200", repeat(1, llmtest.GatewayError(402, "Insufficient credits", "")), llm.Quota, "Insufficient credits", "", 1},
		{"gateway key refused under 200", repeat(1, llmtest.GatewayError(401, "User not found.", "")), llm.Refused, "User not found", "", 1},
		{"gateway down under 200", repeat(retries, llmtest.GatewayError(502, "Provider returned error", "upstream broke")), llm.Unreachable, "upstream broke", "", retries},
		{"error inside the choice", repeat(1, llmtest.Raw(200, `{"choices":[{"error":{"code":400,"message":"bad tool"},"message":{"content":null}}]}`)), llm.BadRequest, "bad tool", "", 1},
		{"no choices", repeat(1, llmtest.Raw(200, `{"choices":[]}`)), llm.Invalid, "no choices", "", 1},
		{"another type of choices", repeat(1, llmtest.Raw(200, `{"choices":"none"}`)), llm.Invalid, "no chat completion", "", 1},
		{"content filter", repeat(1, llmtest.Failure(400, "x", "prompt", "content_filter", "filtered")), llm.Invalid, "content filter", "", 1},
		{"mode refused", repeat(1, llmtest.Failure(400, "x", "response_format", "", "no")), llm.BadRequest, "json_object, tool, prompt", "", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := server(t, c.steps...)
			p, _ := provider(t, fetch.Options{}, Options{Base: s.Base(), Key: "sk-secret", KeySetting: "THE_KEY"})
			done, err := p.Complete(context.Background(), call(llm.ModeSchema))
			if got := llm.KindOf(err); got != c.kind || (err != nil) != (c.kind != "") {
				t.Fatalf("kind %q (%v), want %q", got, err, c.kind)
			}
			if n := len(s.Requests()); n != c.requests || s.Left() != 0 {
				t.Errorf("%d requests, %d steps left; want %d, 0", n, s.Left(), c.requests)
			}
			if err != nil {
				if !strings.Contains(err.Error(), c.text) {
					t.Errorf("error %q does not say %q", err, c.text)
				}
				if strings.Contains(err.Error(), "sk-secret") || strings.Contains(err.Error(), "127.0.0.1") {
					t.Errorf("the error shows the key or the address: %q", err)
				}
				return
			}
			if !strings.Contains(done.Text, c.text) || c.text == "" && done.Text != "" || done.Finish != c.finish {
				t.Errorf("got %q, %q; want %q, %q", done.Text, done.Finish, c.text, c.finish)
			}
		})
	}
}

func TestWaitIsTheServers(t *testing.T) {
	s := server(t, llmtest.Throttled(1500), llmtest.Answer(yes))
	p, waits := provider(t, fetch.Options{}, Options{Base: s.Base()})
	if _, err := p.Complete(context.Background(), call("")); err != nil {
		t.Fatal(err)
	}
	if w := waits(); len(w) == 0 || w[0] != 1500*time.Millisecond {
		t.Errorf("waited %v, want the 1.5 s that the server asked for", w)
	}
}

func TestKeys(t *testing.T) {
	s := server(t, llmtest.Answer(yes))
	p, _ := provider(t, fetch.Options{}, Options{Name: "openai", Base: s.Base(), NeedKey: true, KeySetting: "OPENAI_API_KEY"})
	_, err := p.Complete(context.Background(), call(""))
	if llm.KindOf(err) != llm.MissingKey || len(s.Requests()) != 0 || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("without a key: %v, %d requests", err, len(s.Requests()))
	}
	p, _ = provider(t, fetch.Options{}, Options{Base: s.Base()})
	if _, err := p.Complete(context.Background(), call("")); err != nil {
		t.Errorf("a server that needs no key: %v", err)
	}
	if h := s.Requests()[0].Header.Get("Authorization"); h != "" {
		t.Errorf("an Authorization header without a key: %q", h)
	}
	echo := server(t, llmtest.Failure(401, "x", "", "invalid_api_key", "Incorrect API key provided: sk-secret-1234. Try again."))
	p, _ = provider(t, fetch.Options{}, Options{Base: echo.Base(), Key: "sk-secret-1234"})
	if _, err := p.Complete(context.Background(), call("")); err == nil || strings.Contains(fmt.Sprintf("%v %+v", err, err), "sk-secret-1234") {
		t.Errorf("the key that the server echoed is in the error: %v", err)
	}
}

func TestBadCalls(t *testing.T) {
	s := server(t)
	p, _ := provider(t, fetch.Options{}, Options{Base: s.Base()})
	for name, change := range map[string]func(*llm.Call){
		"no model":   func(c *llm.Call) { c.Model = "" },
		"mode":       func(c *llm.Call) { c.Mode = "yaml" },
		"no schema":  func(c *llm.Call) { c.Schema.JSON = nil },
		"bad schema": func(c *llm.Call) { c.Schema.JSON = []byte(`{"properties":`) },
	} {
		c := call("")
		change(&c)
		if _, err := p.Complete(context.Background(), c); llm.KindOf(err) != llm.BadRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestNewRefuses(t *testing.T) {
	client, err := fetch.New(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for name, o := range map[string]Options{
		"no base":          {Doer: client},
		"no scheme":        {Doer: client, Base: "api.openai.com/v1"},
		"another scheme":   {Doer: client, Base: "ftp://host/v1"},
		"query":            {Doer: client, Base: "https://host/v1?key=1"},
		"no client":        {Base: "https://host/v1"},
		"negative timeout": {Doer: client, Base: "https://host/v1", Timeout: -1},
	} {
		if _, err := New(o); err == nil || strings.Contains(err.Error(), "host/v1?") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHang(t *testing.T) {
	s := server(t, llmtest.Hang(), llmtest.Hang())
	p, _ := provider(t, fetch.Options{MaxRetries: -1}, Options{Base: s.Base(), Timeout: 50 * time.Millisecond})
	if _, err := p.Complete(context.Background(), call("")); llm.KindOf(err) != llm.Unreachable {
		t.Errorf("a server that says nothing: %v", err)
	}
	p, _ = provider(t, fetch.Options{}, Options{Base: s.Base()})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := p.Complete(ctx, call(""))
	if llm.KindOf(err) != llm.Cancelled || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller gave up: %v", err)
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("came back after %v", d)
	}
}

func TestNoServer(t *testing.T) {
	s := llmtest.NewServer()
	base := s.Base()
	s.Close()
	p, _ := provider(t, fetch.Options{}, Options{Base: base})
	_, err := p.Complete(context.Background(), call(""))
	if llm.KindOf(err) != llm.Unreachable || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("got %v", err)
	}
}

// fixed is a Doer that always gives the same.
type fixed struct {
	resp *fetch.Response
	err  error
}

func (f fixed) Do(context.Context, fetch.Request) (*fetch.Response, error) { return f.resp, f.err }

func TestForeignDoer(t *testing.T) {
	for name, c := range map[string]struct {
		doer fixed
		want llm.Kind
	}{
		"neither answer nor error": {fixed{}, llm.Unreachable},
		"an error of unknown make": {fixed{err: errors.New("boom")}, llm.Unreachable},
		"a bare context error":     {fixed{err: context.Canceled}, llm.Cancelled},
		"disk full":                {fixed{err: &fetch.Error{Kind: fetch.Unsaved}}, llm.Unreachable},
		"offline":                  {fixed{err: &fetch.Error{Kind: fetch.Offline}}, llm.Offline},
	} {
		p, err := New(Options{Base: "https://model.test/v1", Doer: c.doer})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Complete(context.Background(), call("")); llm.KindOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
