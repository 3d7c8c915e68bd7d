package openai

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/llmtest"
)

// spelling says which of the disputed parameters a request held.
func spelling(r llmtest.Request) string {
	var out []string
	for _, p := range []string{"max_completion_tokens", "max_tokens", "temperature"} {
		if r.Has(p) {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

func spellings(s *llmtest.Server) (out []string) {
	for _, r := range s.Requests() {
		out = append(out, spelling(r))
	}
	return out
}

func TestSpelling(t *testing.T) {
	answer := func(llmtest.Request) llmtest.Step { return llmtest.Answer(yes) }
	fastAPI := func(param string) func(llmtest.Request) llmtest.Step {
		return func(r llmtest.Request) llmtest.Step {
			if r.Has(param) {
				return llmtest.Raw(422, `{"detail":[{"type":"extra_forbidden","loc":["body","`+param+`"],"msg":"Extra inputs are not permitted"}]}`)
			}
			return llmtest.Answer(yes)
		}
	}
	cases := []struct {
		name   string
		refuse []string
		answer func(llmtest.Request) llmtest.Step
		want   []string // spellings of the requests of two calls
	}{
		{"nothing refused", nil, answer, []string{"max_completion_tokens temperature", "max_completion_tokens temperature"}},
		{"old server", []string{"max_completion_tokens"}, answer,
			[]string{"max_completion_tokens temperature", "max_tokens temperature", "max_tokens temperature"}},
		{"reasoning model", []string{"max_tokens", "temperature"}, answer,
			[]string{"max_completion_tokens temperature", "max_completion_tokens", "max_completion_tokens"}},
		{"both", []string{"max_completion_tokens", "temperature"}, answer,
			[]string{"max_completion_tokens temperature", "max_tokens temperature", "max_tokens", "max_tokens"}},
		{"named in the message only", nil, fastAPI("max_completion_tokens"),
			[]string{"max_completion_tokens temperature", "max_tokens temperature", "max_tokens temperature"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := server(t).Refuse(c.refuse...).Func(c.answer)
			p, _ := provider(t, fetch.Options{}, Options{Base: s.Base()})
			for range 2 {
				done, err := p.Complete(context.Background(), call(""))
				if err != nil || done.Text != yes {
					t.Fatalf("%+v, %v", done, err)
				}
			}
			if got := spellings(s); !slices.Equal(got, c.want) {
				t.Errorf("sent %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestSpellingIsPerModel(t *testing.T) {
	s := server(t).Func(func(r llmtest.Request) llmtest.Step {
		if r.Model() == "old" && r.Has("max_completion_tokens") {
			return llmtest.Failure(400, "x", "max_completion_tokens", "unsupported_parameter", "no")
		}
		return llmtest.Answer(yes)
	})
	p, _ := provider(t, fetch.Options{}, Options{Base: s.Base()})
	for _, model := range []string{"old", "new", "old"} {
		c := call("")
		c.Model = model
		if _, err := p.Complete(context.Background(), c); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"max_completion_tokens temperature", "max_tokens temperature", "max_completion_tokens temperature", "max_tokens temperature"}
	if got := spellings(s); !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
}

func TestSpellingIsNotToBlame(t *testing.T) {
	for name, step := range map[string]llmtest.Step{
		"value out of range": llmtest.Failure(400, "invalid_request_error", "max_completion_tokens", "invalid_value", "max_completion_tokens is too large: 64."),
		"another parameter":  llmtest.Failure(400, "invalid_request_error", "messages", "", "max_completion_tokens and temperature are fine"),
		"a wrong key":        llmtest.Failure(401, "x", "temperature", "", "temperature"),
	} {
		s := server(t, step)
		p, _ := provider(t, fetch.Options{}, Options{Base: s.Base()})
		if _, err := p.Complete(context.Background(), call("")); err == nil || len(s.Requests()) != 1 {
			t.Errorf("%s: %v after %d requests", name, err, len(s.Requests()))
		}
	}
	s := server(t).Refuse("max_completion_tokens", "max_tokens")
	p, _ := provider(t, fetch.Options{}, Options{Base: s.Base()})
	if _, err := p.Complete(context.Background(), call("")); llm.KindOf(err) != llm.BadRequest || len(s.Requests()) != 2 {
		t.Errorf("both refused: %v after %d requests", err, len(s.Requests()))
	}
}

// A run whose second call already knew the server's taste must replay in the
// other order, without a network.
func TestReplayInAnotherOrder(t *testing.T) {
	s := server(t).Refuse("max_completion_tokens", "temperature").Func(func(r llmtest.Request) llmtest.Step {
		return llmtest.Answer(fmt.Sprintf(`{"is_fruit":%v}`, strings.Contains(r.Text("user"), "banana")))
	})
	banana, stone := call(""), call("")
	stone.User = "Is a stone a fruit?"
	tape := &fetch.MemoryRecorder{}
	live, _ := provider(t, fetch.Options{Recorder: tape}, Options{Base: s.Base()})
	first := map[string]llm.Completion{}
	for _, c := range []llm.Call{banana, stone} {
		done, err := live.Complete(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		first[c.User] = done
	}
	sent := len(s.Requests())
	if sent != 4 {
		t.Fatalf("%d requests sent, want 4", sent)
	}
	replay, _ := provider(t, fetch.Options{Recorder: tape, Mode: fetch.Replay}, Options{Base: "https://elsewhere.test/v1"})
	for _, c := range []llm.Call{stone, banana, stone} {
		done, err := replay.Complete(context.Background(), c)
		if err != nil {
			t.Fatalf("%s: %v", c.User, err)
		}
		want := first[c.User]
		want.FromRecording = true
		if done != want {
			t.Errorf("%s: replayed %+v, want %+v", c.User, done, want)
		}
	}
	unknown := call("")
	unknown.User = "Is a chair a fruit?"
	if _, err := replay.Complete(context.Background(), unknown); llm.KindOf(err) != llm.Offline {
		t.Errorf("an unrecorded call: %v", err)
	}
	if n := len(s.Requests()); n != sent {
		t.Errorf("the replay sent %d requests", n-sent)
	}
}

func TestConcurrentCalls(t *testing.T) {
	s := server(t).Refuse("max_completion_tokens").Func(func(llmtest.Request) llmtest.Step { return llmtest.Answer(yes) })
	p, _ := provider(t, fetch.Options{}, Options{Base: s.Base()})
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if done, err := p.Complete(context.Background(), call("")); err != nil || done.Text != yes {
				t.Errorf("%+v, %v", done, err)
			}
		})
	}
	wg.Wait()
	if n := len(s.Requests()); n < 17 || n > 32 {
		t.Errorf("%d requests for 16 calls", n)
	}
}
