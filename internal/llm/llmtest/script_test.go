package llmtest

import (
	"strings"
	"testing"
)

func TestScriptOfAFile(t *testing.T) {
	rules, err := ReadScript(strings.NewReader(`# the first call is throttled
{"when":{"property":"scores"},"times":1,"fail":"throttled","wait_ms":500}

{"when":{"property":"scores","contains":"banana"},"answer":{"scores":[]},"wrap":"fence"}
{"when":{"wire":"google"},"status":503}
{"when":{"model":"small"},"text":"half","finish":"length"}
`))
	if err != nil || len(rules) != 4 {
		t.Fatalf("%d rules, %v", len(rules), err)
	}
	s := NewServer()
	defer s.Close()
	s.Func(Play(rules, func(Request) Step { return Answer("otherwise") }))
	ask := func(model, text string) (int, string) {
		status, body, err := post(t, s.Base()+"/chat/completions", "", `{"model":"`+model+`","messages":[{"role":"user","content":"`+text+`"}],"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":{"properties":{"scores":{}}}}}}`)
		if err != nil {
			t.Fatal(err)
		}
		return status, body
	}
	for i, c := range []struct {
		model, text string
		status      int
		holds       string
	}{
		{"m", "apple", 429, "rate_limit_exceeded"}, {"m", "a banana", 200, "```json"}, {"small", "apple", 200, `"finish_reason":"length"`}, {"m", "apple", 200, "otherwise"},
	} {
		if status, body := ask(c.model, c.text); status != c.status || !strings.Contains(body, c.holds) {
			t.Errorf("call %d: %d %s", i+1, status, body)
		}
	}
	if status, body, err := post(t, s.BaseOf(Google)+"/models/m:generateContent", "", `{"contents":[{"role":"user","parts":[{"text":"x"}]}]}`); err != nil || status != 503 || !strings.Contains(body, "UNAVAILABLE") {
		t.Errorf("%d %s %v", status, body, err)
	}
	for text, says := range map[string]string{
		`{"when":{}}`: "exactly one of", `{"answer":{},"text":"x"}`: "has 2", `{"fail":"fire"}`: "cut, garbage", "\n{\"answr\":1}": "line 2", `{"status":99}`: "between 200",
		`{"when":{"wire":"telex"},"status":500}`: "anthropic, google",
	} {
		if _, err := ReadScript(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v does not say %q", text, err, says)
		}
	}
}

func TestListen(t *testing.T) {
	s, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if status, _, err := post(t, s.Base()+"/chat/completions", "", `{"model":"m","messages":[{"role":"user","content":"x"}]}`); err != nil || status != 400 {
		t.Errorf("%d, %v", status, err)
	}
	if _, err := Listen("nowhere:x"); err == nil {
		t.Error("an address that is none was taken")
	}
}
