// Package conform is the suite that every model provider passes: what an
// answer, a failure, a wait, a stream, a recording and a key must come out as,
// whatever the wire.
//
// It must never know a provider by name; what differs between wires is said in
// Wire. Start with Run.
package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/llmtest"
)

// Wire is a provider under test.
type Wire struct {
	Name  string // one of llmtest.Wires
	Modes []string
	// Refusal is what a declined and Filter what a withheld answer comes out as.
	Refusal, Filter string
	Build           func(Setup) (llm.Provider, error)
}

// Setup is how the suite wants the provider.
type Setup struct {
	Base, Key, KeySetting string
	NeedKey, Stream       bool
	Parallel              int
	Timeout               time.Duration
	Do                    *fetch.Client
}

type fruit struct {
	IsFruit bool `json:"is_fruit"`
}

// Yes is the answer that the suite's servers give.
const Yes = `{"is_fruit":true}`

// Call is a small request in the given mode.
func Call(mode string) llm.Call {
	zero := 0.0
	return llm.Call{
		Role: llm.Screener, Prompt: "fruit", Model: "m", System: "Answer.", User: "Is a banana a fruit?",
		Schema: llm.SchemaFor[fruit]("fruit"), Mode: mode, MaxOutput: 64, Context: 4096, Temperature: &zero,
	}
}

// Client makes a client that never sleeps; the waits that it would have slept
// are in the returned list.
func Client(t *testing.T, o fetch.Options) (*fetch.Client, func() []time.Duration) {
	t.Helper()
	var mu sync.Mutex
	var waits []time.Duration
	o.Sleep = func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		waits = append(waits, d)
		return ctx.Err()
	}
	client, err := fetch.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client, func() []time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(waits)
	}
}

const secret = "sk-secret-0123456789"

// Run runs the suite.
func Run(t *testing.T, w Wire) {
	t.Helper()
	s := suite{w}
	for _, stream := range []bool{false, true} {
		t.Run(fmt.Sprintf("answers, stream %v", stream), func(t *testing.T) { s.answers(t, stream) })
	}
	t.Run("modes", s.modes)
	t.Run("waits", s.waits)
	t.Run("keys", s.keys)
	t.Run("recordings", s.recordings)
	t.Run("spelling", s.spelling)
	t.Run("bad calls", s.badCalls)
	t.Run("parallel", s.parallel)
	t.Run("accounts", s.accounts)
	t.Run("ends with its context", s.cancel)
}

type suite struct{ Wire }

// provider builds the provider over a fresh server with these steps.
func (s suite) provider(t *testing.T, fo fetch.Options, set Setup, steps ...llmtest.Step) (*llmtest.Server, llm.Provider, func() []time.Duration) {
	t.Helper()
	server := llmtest.NewServer(steps...)
	t.Cleanup(server.Close)
	client, waits := Client(t, fo)
	set.Do, set.Base = client, server.BaseOf(s.Name)
	p, err := s.Build(set)
	if err != nil {
		t.Fatal(err)
	}
	return server, p, waits
}

func (s suite) answers(t *testing.T, stream bool) {
	const retries = 1 + fetch.DefaultMaxRetries
	repeat := func(n int, one llmtest.Step) (out []llmtest.Step) {
		for range n {
			out = append(out, one)
		}
		return out
	}
	cases := []struct {
		name   string
		steps  []llmtest.Step
		kind   llm.Kind
		text   string // of the answer, or in the error
		finish string
	}{
		{"valid", repeat(1, llmtest.Answer(Yes)), "", Yes, llm.FinishStop},
		{"think block is passed on", repeat(1, llmtest.Think(Yes)), "", "</think>\n\n" + Yes, llm.FinishStop},
		{"other scripts", repeat(1, llmtest.Answer(`{"is_fruit":true,"名":"バナナ 🍌"}`)), "", "バナナ 🍌", llm.FinishStop},
		{"null content", repeat(1, llmtest.Null()), "", "", llm.FinishStop},
		{"length", repeat(1, llmtest.Length(`{"is_fr`)), "", `{"is_fr`, llm.FinishLength},
		{"length after thinking only", repeat(1, llmtest.Length("")), "", "", llm.FinishLength},
		{"refusal", repeat(1, llmtest.Refusal("I can't say.")), "", "I can't say.", s.Refusal},
		{"filter", repeat(1, llmtest.Filtered()), "", "", s.Filter},

		{"wrong key", repeat(1, llmtest.Unauthorized()), llm.Refused, "THE_KEY", ""},
		{"403", repeat(1, llmtest.Failure(403, "x", "", "", "Not your model.")), llm.Refused, "Not your model", ""},
		{"no such model", repeat(1, llmtest.Failure(404, "x", "", "model_not_found", "model m not found")), llm.BadRequest, "model m not found", ""},
		{"413", repeat(1, llmtest.Failure(413, "x", "", "", "too large")), llm.ContextLength, "send less", ""},
		{"quota is not retried", repeat(1, llmtest.Quota()), llm.Quota, "add credit", ""},
		{"too long", repeat(1, llmtest.TooLong()), llm.ContextLength, "8192", ""},
		{"429 then an answer", []llmtest.Step{llmtest.Throttled(900), llmtest.Throttled(900), llmtest.Answer(Yes)}, "", Yes, llm.FinishStop},
		{"429 for ever", repeat(retries, llmtest.Throttled(900)), llm.Throttled, "after 5 attempts", ""},
		{"529 then an answer", []llmtest.Step{llmtest.Down(529), llmtest.Answer(Yes)}, "", Yes, llm.FinishStop},
		{"500 for ever", repeat(retries, llmtest.Down(500)), llm.Unreachable, "The server had an error", ""},
		{"cut body then an answer", []llmtest.Step{llmtest.Cut(Yes), llmtest.Answer(Yes)}, "", Yes, llm.FinishStop},
		{"stream that stops half way, then an answer", []llmtest.Step{llmtest.HalfStream(Yes), llmtest.Answer(Yes)}, "", Yes, llm.FinishStop},
		{"overload in the middle, then an answer", []llmtest.Step{llmtest.MidStream(), llmtest.Answer(Yes)}, "", Yes, llm.FinishStop},
		{"half of the JSON for ever", repeat(retries, llmtest.Raw(200, `{"a":[{"mess`)), llm.Unreachable, "not JSON", ""},
		{"HTML page", repeat(1, llmtest.Page()), llm.Unreachable, "base URL", ""},
		{"another service", repeat(1, llmtest.Raw(200, `{"hello":"world"}`)), llm.Invalid, "", ""},
		{"another type", repeat(1, llmtest.Raw(200, `[1,2]`)), llm.Invalid, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			server, p, _ := s.provider(t, fetch.Options{}, Setup{Key: secret, KeySetting: "THE_KEY", Stream: stream}, c.steps...)
			done, err := p.Complete(context.Background(), Call(llm.ModeSchema))
			if got := llm.KindOf(err); got != c.kind || (err != nil) != (c.kind != "") {
				t.Fatalf("kind %q (%v), want %q", got, err, c.kind)
			}
			if n := len(server.Requests()); n != len(c.steps) || server.Left() != 0 {
				t.Errorf("%d requests, %d steps left; want %d, 0", n, server.Left(), len(c.steps))
			}
			if err != nil {
				if !strings.Contains(err.Error(), c.text) {
					t.Errorf("error %q does not say %q", err, c.text)
				}
				if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "127.0.0.1") {
					t.Errorf("the error shows the key or the address: %q", err)
				}
				return
			}
			if !strings.Contains(done.Text, c.text) || c.text == "" && done.Text != "" || done.Finish != c.finish {
				t.Errorf("got %q, %q; want %q, %q", done.Text, done.Finish, c.text, c.finish)
			}
			if done.Usage.Prompt == 0 || len(done.Raw) != 64 || len(done.Request) != 64 {
				t.Errorf("usage %+v, hashes %q and %q", done.Usage, done.Request, done.Raw)
			}
		})
	}
}

// Every mode says the schema in one way: to the server, or to the model.
func (s suite) modes(t *testing.T) {
	for _, mode := range s.Modes {
		server, p, _ := s.provider(t, fetch.Options{}, Setup{Key: secret}, llmtest.Answer(Yes))
		done, err := p.Complete(context.Background(), Call(mode))
		if err != nil || done.Text != Yes {
			t.Errorf("%s: %+v, %v", mode, done, err)
			continue
		}
		r := server.Requests()[0]
		system := r.Text("system")
		constrained := slices.Equal(r.Properties(), []string{"is_fruit"})
		if said := strings.Contains(system, `"is_fruit"`); said == constrained || constrained != (mode == llm.ModeSchema || mode == llm.ModeTool) {
			t.Errorf("%s: schema %v, system %q", mode, r.Schema(), system)
		}
		if !strings.HasPrefix(system, "Answer.") || r.Text("user") != "Is a banana a fruit?" || r.Model() != "m" || r.Key() != secret {
			t.Errorf("%s: model %q, messages %+v", mode, r.Model(), r.Messages())
		}
	}
}

// How long to wait is the server's to say, in a header or in the body, up to a
// cap.
func (s suite) waits(t *testing.T) {
	_, p, waits := s.provider(t, fetch.Options{}, Setup{}, llmtest.Throttled(37_500), llmtest.Answer(Yes))
	if _, err := p.Complete(context.Background(), Call("")); err != nil {
		t.Fatal(err)
	}
	if w := waits(); len(w) == 0 || w[0] != 37_500*time.Millisecond {
		t.Errorf("waited %v, want the 37.5 s that the server asked for", w)
	}
	server, p, _ := s.provider(t, fetch.Options{RetryAfterCap: time.Minute}, Setup{}, llmtest.Throttled(3_600_000))
	if _, err := p.Complete(context.Background(), Call("")); llm.KindOf(err) != llm.Throttled || len(server.Requests()) != 1 || !strings.Contains(err.Error(), "1h0m0s") {
		t.Errorf("a wait of an hour: %v after %d requests", err, len(server.Requests()))
	}
}

func (s suite) keys(t *testing.T) {
	server, p, _ := s.provider(t, fetch.Options{}, Setup{NeedKey: true, KeySetting: "THE_KEY"}, llmtest.Answer(Yes))
	if _, err := p.Complete(context.Background(), Call("")); llm.KindOf(err) != llm.MissingKey || len(server.Requests()) != 0 || !strings.Contains(err.Error(), "THE_KEY") {
		t.Errorf("without a key: %v, %d requests", err, len(server.Requests()))
	}
	server, p, _ = s.provider(t, fetch.Options{}, Setup{}, llmtest.Answer(Yes))
	if _, err := p.Complete(context.Background(), Call("")); err != nil || server.Requests()[0].Key() != "" {
		t.Errorf("a server that needs no key: %v", err)
	}
	tape := &fetch.MemoryRecorder{}
	var events strings.Builder
	_, p, _ = s.provider(t, fetch.Options{Recorder: tape, Observe: func(e fetch.Event) { fmt.Fprintf(&events, "%+v", e) }}, Setup{Key: secret},
		llmtest.Failure(401, "x", "", "invalid_api_key", "Incorrect API key provided: "+secret+". Try again."))
	_, err := p.Complete(context.Background(), Call(""))
	if err == nil || strings.Contains(fmt.Sprintf("%v %+v %s", err, err, events.String()), secret) {
		t.Errorf("the key that the server echoed is in the error or in an event: %v", err)
	}
}

// A run replays without network and key, and what was no final answer is asked
// again when it is resumed.
func (s suite) recordings(t *testing.T) {
	tape := &fetch.MemoryRecorder{}
	_, live, _ := s.provider(t, fetch.Options{Recorder: tape}, Setup{Key: secret}, llmtest.Answer(Yes))
	first, err := live.Complete(context.Background(), Call(""))
	if err != nil {
		t.Fatal(err)
	}
	server, replay, _ := s.provider(t, fetch.Options{Recorder: tape, Mode: fetch.Replay}, Setup{})
	again, err := replay.Complete(context.Background(), Call(""))
	first.FromRecording = true
	if err != nil || again != first || len(server.Requests()) != 0 {
		t.Errorf("replayed %+v (%v), want %+v", again, err, first)
	}
	other := Call("")
	other.User = "Is a chair a fruit?"
	if _, err := replay.Complete(context.Background(), other); llm.KindOf(err) != llm.Offline {
		t.Errorf("an unrecorded call: %v", err)
	}
	for name, step := range map[string]llmtest.Step{
		"wrong key": llmtest.Unauthorized(), "no credit": llmtest.Quota(),
		"a model that is fetched later": llmtest.Failure(404, "x", "", "model_not_found", "model m not found"),
	} {
		tape := &fetch.MemoryRecorder{}
		_, p, _ := s.provider(t, fetch.Options{Recorder: tape, Mode: fetch.Resume}, Setup{Key: secret}, step)
		_, failed := p.Complete(context.Background(), Call(""))
		if failed == nil {
			t.Errorf("%s: an answer", name)
			continue
		}
		_, p, _ = s.provider(t, fetch.Options{Recorder: tape, Mode: fetch.Replay}, Setup{})
		if _, err := p.Complete(context.Background(), Call("")); llm.KindOf(err) != llm.KindOf(failed) {
			t.Errorf("%s: replayed as %v, was %v", name, err, failed)
		}
		_, p, _ = s.provider(t, fetch.Options{Recorder: tape, Mode: fetch.Resume}, Setup{Key: secret}, llmtest.Answer(Yes))
		if done, err := p.Complete(context.Background(), Call("")); err != nil || done.Text != Yes {
			t.Errorf("%s: the resumed run got %+v, %v", name, done, err)
		}
	}
}

// A model that takes no temperature gets none.
func (s suite) spelling(t *testing.T) {
	server, p, _ := s.provider(t, fetch.Options{}, Setup{})
	server.Refuse("temperature").Func(func(llmtest.Request) llmtest.Step { return llmtest.Answer(Yes) })
	for range 2 {
		if _, err := p.Complete(context.Background(), Call("")); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(server.Requests()); n != 3 {
		t.Errorf("%d requests for two calls, want 3: the second call knows", n)
	}
}

func (s suite) badCalls(t *testing.T) {
	server, p, _ := s.provider(t, fetch.Options{}, Setup{})
	for name, change := range map[string]func(*llm.Call){
		"no model":     func(c *llm.Call) { c.Model = " " },
		"unknown mode": func(c *llm.Call) { c.Mode = "yaml" },
		"no schema":    func(c *llm.Call) { c.Schema.JSON = nil },
		"bad schema":   func(c *llm.Call) { c.Schema.JSON = []byte(`{"properties":`) },
	} {
		c := Call("")
		change(&c)
		if _, err := p.Complete(context.Background(), c); llm.KindOf(err) != llm.BadRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	client, _ := Client(t, fetch.Options{})
	for _, base := range []string{"host", "ftp://host/v1", "https://host/v1?key=1"} {
		if _, err := s.Build(Setup{Base: base, Do: client}); err == nil || strings.Contains(err.Error(), "key=1") {
			t.Errorf("the base %q: %v", base, err)
		}
	}
}

// Thirty-two calls at once: never more under way than allowed, all answered,
// also when the server asks to be slower.
func (s suite) parallel(t *testing.T) {
	var mu sync.Mutex
	active, most, n := 0, 0, 0
	server, p, _ := s.provider(t, fetch.Options{}, Setup{Parallel: 6})
	server.Func(func(llmtest.Request) llmtest.Step {
		return func(r llmtest.Request) llmtest.Response {
			mu.Lock()
			active++
			n++
			most = max(most, active)
			throttle := n%7 == 0
			mu.Unlock()
			time.Sleep(2 * time.Millisecond)
			mu.Lock()
			active--
			mu.Unlock()
			if throttle {
				return llmtest.Throttled(300)(r)
			}
			return llmtest.Answer(Yes)(r)
		}
	})
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			if done, err := p.Complete(context.Background(), Call("")); err != nil || done.Text != Yes {
				t.Errorf("%+v, %v", done, err)
			}
		})
	}
	wg.Wait()
	if most > 6+1 { // the server may still count a request whose client has its answer
		t.Errorf("%d calls at once, want at most 6", most)
	}
}

// What the calls add up to is what the server counted.
func (s suite) accounts(t *testing.T) {
	for _, stream := range []bool{false, true} {
		server, p, _ := s.provider(t, fetch.Options{}, Setup{Stream: stream})
		server.Func(func(r llmtest.Request) llmtest.Step {
			return llmtest.Answer(Yes + strings.Repeat(" ", len(r.Text("user"))))
		})
		var sum llm.Usage
		for i := range 5 {
			c := Call("")
			c.User = strings.Repeat("Is a banana a fruit? ", 1+10*i)
			done, err := p.Complete(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			sum = sum.Add(done.Usage)
		}
		got := llmtest.Bill{Answers: sum.Calls, Prompt: sum.Prompt, Cached: sum.Cached, Output: sum.Output}
		if want := server.Bill(); got != want {
			t.Errorf("stream %v: counted %+v, the server %+v", stream, got, want)
		}
	}
}

func (s suite) cancel(t *testing.T) {
	_, p, _ := s.provider(t, fetch.Options{}, Setup{Parallel: 1}, llmtest.Hang(), llmtest.Hang())
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	var wg sync.WaitGroup
	for range 2 { // one under way, one that waits for its turn
		wg.Go(func() {
			if _, err := p.Complete(ctx, Call("")); llm.KindOf(err) != llm.Cancelled || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the caller gave up: %v", err)
			}
		})
	}
	wg.Wait()
}
