package llmtest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"optimistresearch/internal/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestScripted(t *testing.T) {
	ctx := context.Background()
	s := NewScripted(Text("common")).
		On(llm.Reader, JSON(map[string]int{"n": 1}), Fail(llm.Quota)).
		Func(func(c llm.Call) Reply { return Text("by function for " + string(c.Role)) })
	want := []struct {
		role llm.Role
		text string
		kind llm.Kind
	}{
		{llm.Reader, `{"n":1}`, ""},
		{llm.Reader, "", llm.Quota},
		{llm.Reader, "common", ""},
		{llm.Reader, "by function for reader", ""},
		{llm.Critic, "by function for critic", ""},
	}
	for i, w := range want {
		done, err := s.Complete(ctx, llm.Call{Role: w.role})
		if done.Text != w.text || llm.KindOf(err) != w.kind {
			t.Errorf("call %d: %q, %v; want %q, %q", i+1, done.Text, err, w.text, w.kind)
		}
	}
	if n := len(s.Calls()); n != len(want) || s.Left() != 0 {
		t.Errorf("%d calls kept, %d replies left", n, s.Left())
	}
}

func TestScriptedUsedUp(t *testing.T) {
	s := NewScripted(Text("a"))
	s.Complete(context.Background(), llm.Call{Role: llm.Critic})
	_, err := s.Complete(context.Background(), llm.Call{Role: llm.Critic, Prompt: "critique"})
	if llm.KindOf(err) != llm.BadRequest || !strings.Contains(err.Error(), `call 2 (critic, prompt "critique")`) {
		t.Errorf("got %v", err)
	}
}

func TestScriptedUsage(t *testing.T) {
	s := NewScripted(Reply{Text: "abcdefgh", Prompt: 100, Cached: 40}, Reply{Text: "a", NoUsage: true})
	done, _ := s.Complete(context.Background(), llm.Call{})
	if want := (llm.Usage{Calls: 1, Prompt: 100, Cached: 40, Output: 2}); done.Usage != want {
		t.Errorf("got %+v, want %+v", done.Usage, want)
	}
	if done, _ := s.Complete(context.Background(), llm.Call{}); done.Usage != (llm.Usage{}) {
		t.Errorf("usage where none was wanted: %+v", done.Usage)
	}
}

func TestScriptedHangEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err := NewScripted(Reply{Hang: true}).Complete(ctx, llm.Call{})
	if llm.KindOf(err) != llm.Cancelled || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// post sends a body as a client would and returns what it reads.
func post(t *testing.T, url, key, body string) (status int, answer string, err error) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 5 * time.Second}
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(raw), err
}

func TestServer(t *testing.T) {
	const body = `{"model":"m","messages":[{"role":"user","content":"hello"}]}`
	s := NewServer(Answer("hi"), Cut("hi there")).Want("k").Refuse("max_tokens")
	defer s.Close()
	chat := s.Base() + "/chat/completions"
	cases := []struct {
		name, url, key, body string
		status               int
		holds                string
	}{
		{"wrong path", s.Base() + "/models", "k", body, 404, "Invalid URL"},
		{"wrong key", chat, "x", body, 401, "invalid_api_key"},
		{"no JSON", chat, "k", "hello", 400, "could not parse"},
		{"no messages", chat, "k", `{"model":"m"}`, 400, "could not parse"},
		{"refused parameter", chat, "k", `{"model":"m","messages":[{"role":"user","content":"x"}],"max_tokens":1}`, 400, `"param":"max_tokens"`},
		{"first step", chat, "k", body, 200, `"content":"hi"`},
	}
	for _, c := range cases {
		status, answer, err := post(t, c.url, c.key, c.body)
		if err != nil || status != c.status || !strings.Contains(answer, c.holds) {
			t.Errorf("%s: %d %s (%v)", c.name, status, answer, err)
		}
	}
	if _, _, err := post(t, chat, "k", body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a cut body reads as %v", err)
	}
	if status, answer, _ := post(t, chat, "k", body); status != 400 || !strings.Contains(answer, "no step left") {
		t.Errorf("used up: %d %s", status, answer)
	}
	if n := len(s.Requests()); n != len(cases)+2 || s.Left() != 0 {
		t.Errorf("%d requests kept, %d steps left", n, s.Left())
	}
}

func TestServerAnswersTheToolThatIsDemanded(t *testing.T) {
	s := NewServer(AnswerJSON(map[string]bool{"ok": true}))
	defer s.Close()
	_, answer, err := post(t, s.Base()+"/chat/completions", "", `{"model":"m","messages":[{"role":"user","content":"x"}],"tool_choice":{"type":"function","function":{"name":"ours"}}}`)
	if err != nil || !strings.Contains(answer, `"arguments":"{\"ok\":true}","name":"ours"`) || !strings.Contains(answer, `"content":null`) {
		t.Errorf("%s (%v)", answer, err)
	}
}

func TestServerCloseFreesHangingRequests(t *testing.T) {
	s := NewServer(Hang())
	failed := make(chan error)
	go func() {
		_, _, err := post(t, s.Base()+"/chat/completions", "", `{"model":"m","messages":[{"role":"user","content":"x"}]}`)
		failed <- err
	}()
	for len(s.Requests()) == 0 {
		time.Sleep(time.Millisecond)
	}
	s.Close()
	s.Close()
	if err := <-failed; err == nil {
		t.Error("a request to a closed server was answered")
	}
}
