package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"
)

func TestKindOf(t *testing.T) {
	e := &Error{Kind: Throttled, Err: errors.New("x")}
	for _, c := range []struct {
		err  error
		want Kind
	}{
		{nil, ""}, {e, Throttled}, {fmt.Errorf("openalex: %w", e), Throttled}, {errors.New("x"), ""},
		{context.Canceled, Cancelled}, {fmt.Errorf("x: %w", context.DeadlineExceeded), Cancelled},
	} {
		if got := KindOf(c.err); got != c.want {
			t.Errorf("KindOf(%v) = %q, want %q", c.err, got, c.want)
		}
	}
	if !errors.Is(fmt.Errorf("x: %w", e), Throttled) || errors.Is(e, Refused) {
		t.Error("errors.Is with a Kind")
	}
}

// Case R19: a wrong key ends at once, and the message names the service and what to type.
func TestMessages(t *testing.T) {
	for _, c := range []struct {
		name string
		err  Error
		want string
	}{
		{"wrong key", Error{Kind: Refused, Service: "openai", Op: "planner", Status: 401, Attempts: 1, Body: []byte(`{"error":{"message":"Incorrect API key provided: REDACTED.","code":"invalid_api_key"}}`), Hint: "check the key of openai: optimistresearch config show"},
			"openai: planner: refused: HTTP 401, it says: Incorrect API key provided: REDACTED.; check the key of openai: optimistresearch config show"},
		{"arXiv", Error{Kind: Throttled, Service: "arxiv", Op: "search Q3", Status: 429, Attempts: 5, Body: []byte("Rate exceeded.")},
			"arxiv: search Q3: throttled after 5 attempts: HTTP 429, it says: Rate exceeded."},
		{"no answer", Error{Kind: Down, Service: "pubmed", Attempts: 1, Err: errors.New("connection refused")}, "pubmed: down: connection refused"},
		{"about the body", Error{Kind: Broken, Service: "s2", Status: 200, Err: errors.New("no field data"), Body: []byte(`{"x":1}`)}, "s2: unusable answer: HTTP 200, no field data"},
		{"bare", Error{}, "failed"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	for k := range phrases {
		e := &Error{Kind: k, Service: "openalex"}
		if e.hint() == "" {
			t.Errorf("%s says nothing about what to type next", k)
		}
		if k != Unsaved && strings.Contains(e.hint(), "resume") {
			t.Errorf("%s: %q; a search on its own has no run to resume", k, e.hint())
		}
	}
}

func TestEveryFailureOfDoHasAHint(t *testing.T) {
	for _, status := range []int{400, 401, 404, 429, 500, 200, 302} {
		_, err := newBench(t, Options{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: http.Header{}, Body: readCloser("")}, nil
		})}).Do(t.Context(), search("http://h"))
		if e, _ := errors.AsType[*Error](err); e == nil || e.Hint == "" || !strings.HasSuffix(e.Error(), "; "+e.Hint) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

func TestMessageOfABody(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{" \n ", ""},
		{"Rate exceeded.", "Rate exceeded."},
		{`{"error":"Invalid or missing API key","message":"Get one"}`, "Get one"},
		{`{"error":"model not found"}`, "model not found"},
		{`{"error":{"message":"quota","type":"t"}}`, "quota"},
		{`{"status":"failed","message":[{"type":"filter","message":"Filter x is not valid"}]}`, "Filter x is not valid"},
		{`{"detail":"Not found"}`, "Not found"},
		{`{"message":[]}`, `{"message":[]}`},
		{`{"message":7}`, `{"message":7}`},
		{`[1,2]`, `[1,2]`},
		{`{"error":{"error":{"error":{"error":{"message":"deep"}}}}}`, `{"error":{"error":{"error":{"error":{"message":"deep"}}}}}`},
		{"<html><title>502\n Bad Gateway</title>", "an HTML page titled 502 Bad Gateway"},
		{"<!DOCTYPE HTML>\n<p>x", "an HTML page"},
		{"a\x1b[31mred\x1b[0m\u202eevil\x00", "a [31mred [0m evil"},
		{"日本語のエラー", "日本語のエラー"},
		{"\xff\xfe", ""},
	} {
		if got := message([]byte(c.in)); got != c.want {
			t.Errorf("message(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	if got := []rune(message([]byte(strings.Repeat("語", 5000)))); len(got) != messageLength+1 {
		t.Errorf("%d runes", len(got))
	}
}

func FuzzMessage(f *testing.F) {
	f.Add([]byte(`{"error":{"message":["a"]}}`))
	f.Add([]byte("<html><title>x</title>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		got := message(body)
		if len([]rune(got)) > messageLength+30 || strings.ContainsFunc(got, unicode.IsControl) {
			t.Errorf("%q", got)
		}
	})
}

func TestBadRequestsAreNotSent(t *testing.T) {
	for name, r := range map[string]Request{
		"no service":   {Base: "http://h"},
		"no base":      {Service: "s"},
		"line break":   {Service: "s", Base: "http://h", Header: http.Header{"Authorization": {"Bearer sk-0123456789\n"}}},
		"method":       {Service: "s", Base: "http://h", Method: "GE T"},
		"key in error": {Service: "s", Base: "http://user:sk-0123456789@h:port", Secrets: []string{"sk-0123456789"}},
	} {
		b := newBench(t, Options{Transport: noNetwork(t)})
		_, err := b.Do(t.Context(), r)
		e := asError(t, err, BadRequest)
		if strings.Contains(e.Error(), "sk-0123456789") || e.Attempts != 0 || b.lastEvent(t).Kind != BadRequest {
			t.Errorf("%s: %v", name, e)
		}
	}
}

func TestOptionsThatCannotWork(t *testing.T) {
	for name, o := range map[string]Options{
		"time-out":    {Timeout: -1},
		"size":        {MaxBytes: -1},
		"pace":        {Limits: map[string]Limit{"arxiv": {Every: -1}}},
		"mode":        {Mode: 7},
		"replay":      {Mode: Replay},
		"user agent":  {UserAgent: "a\nb"},
		"contact":     {Contact: "a@b.c\r\nX-Evil: 1"},
		"concurrency": {Limits: map[string]Limit{"arxiv": {Concurrent: -1}}},
	} {
		if c, err := New(o); err == nil {
			c.Close()
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestIdentity(t *testing.T) {
	s := serve(t, answers("x", 200))
	for want, o := range map[string]Options{
		"optimistresearch/1.2 (mailto:me@example.org)": {UserAgent: "optimistresearch/1.2", Contact: "me@example.org"},
		"optimistresearch": {},
	} {
		if _, err := newBench(t, o).Do(t.Context(), search(s.URL)); err != nil {
			t.Fatal(err)
		}
		if got := s.request(s.count() - 1).Header.Get("User-Agent"); got != want {
			t.Errorf("User-Agent %q, want %q", got, want)
		}
	}
}

func TestProcessDefaultsStayAsTheyAre(t *testing.T) {
	transport := http.DefaultTransport
	s := serve(t, answers("x", 200))
	if _, err := newBench(t, Options{Timeout: time.Second}).Do(t.Context(), search(s.URL)); err != nil {
		t.Fatal(err)
	}
	if c := http.DefaultClient; c.Transport != nil || c.CheckRedirect != nil || c.Jar != nil || c.Timeout != 0 || transport != http.DefaultTransport {
		t.Error("http.DefaultClient or http.DefaultTransport changed")
	}
}

func TestEventIsPlainData(t *testing.T) {
	s := serve(t, answers(`{"a":1}`, 200))
	b := newBench(t, Options{})
	resp, err := b.Do(t.Context(), search(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	e := b.lastEvent(t)
	if e.URL != "/works?search=dowsing+rods" || e.Method != "GET" || e.Service != "openalex" || e.Op != "search Q7" ||
		e.Bytes != 7 || e.Raw != resp.Raw || e.Request != resp.Request || e.Time.IsZero() || e.Status != 200 {
		t.Errorf("%+v", e)
	}
	if _, err := json.Marshal(e); err != nil {
		t.Error(err)
	}
}
