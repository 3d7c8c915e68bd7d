package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
)

// sample is one line of the index of recorded responses.
type sample struct {
	Case    string            `json:"case"`
	File    string            `json:"file"`
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	body    []byte
}

// RoundTrip answers everything with the sample.
func (s sample) RoundTrip(r *http.Request) (*http.Response, error) {
	h := http.Header{}
	for k, v := range s.Headers {
		h.Set(k, v)
	}
	return &http.Response{StatusCode: s.Status, Header: h, Body: io.NopCloser(bytes.NewReader(s.body)), Request: r, ContentLength: int64(len(s.body))}, nil
}

// recordedDir finds the recorded responses beside the repository.
func recordedDir(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Skip("no go.mod above the test: recorded responses not found")
		}
		dir = parent
	}
	dir = filepath.Join(dir, "..", "shared", "data", "recorded")
	if _, err := os.Stat(filepath.Join(dir, "index.jsonl")); err != nil {
		t.Skip("no recorded responses here: ", err)
	}
	return dir
}

func loadSamples(t *testing.T, dir string) []sample {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "index.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []sample
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatalf("index.jsonl: %v", err)
		}
		ours := strings.HasPrefix(s.Case, "openai_") || strings.HasPrefix(s.Case, "openrouter_") || strings.HasPrefix(s.Case, "ollama_openai_compat")
		if !ours || !strings.HasPrefix(s.File, "llm/") {
			continue
		}
		if s.body, err = os.ReadFile(filepath.Join(dir, s.File)); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRecordedSamples(t *testing.T) {
	want := map[string]struct {
		kind         llm.Kind // "" = an answer
		text, finish string
		usage        llm.Usage
		says         string // in the error
	}{
		"openai_chat_json_schema": {text: `{"is_fruit":true}`, finish: llm.FinishStop, usage: llm.Usage{Calls: 1, Prompt: 50, Output: 13}},
		"openai_chat_length":      {text: "", finish: llm.FinishLength, usage: llm.Usage{Calls: 1, Prompt: 16, Output: 16}},
		"openai_chat_native_output_tools": {
			text: "{}", finish: llm.FinishStop, usage: llm.Usage{Calls: 1, Prompt: 71, Output: 12}},
		"openai_chat_native_output_final": {
			text: `{"city":"Mexico City","country":"Mexico"}`, finish: llm.FinishStop, usage: llm.Usage{Calls: 1, Prompt: 92, Output: 15}},
		"ollama_openai_compat_json_schema": {
			text: `{ "city": "Paris", "country": "France" }`, finish: llm.FinishStop, usage: llm.Usage{Calls: 1, Prompt: 136, Output: 15}},
		"openai_chat_error_401":                    {kind: llm.Refused, says: "in THE_KEY"},
		"openai_chat_error_400_schema_unsupported": {kind: llm.BadRequest, says: "does not take the mode json_schema"},
		"openai_error_400_context":                 {kind: llm.ContextLength, says: "maximum context length is 128000 tokens"},
		"openai_error_429_quota":                   {kind: llm.Quota, says: "add credit"},
		"openai_error_429_tpm":                     {kind: llm.Throttled, says: "Limit 30000"},
		"openrouter_error_429":                     {kind: llm.Throttled, says: "temporarily rate-limited upstream"},
		"openai_responses_error_401":               {kind: llm.Refused, says: "HTTP 401"},
		"openai_responses_error_400_context":       {kind: llm.ContextLength, says: "exceeds the context window"},
		// Another wire: never taken for an answer.
		"openai_responses_json_schema": {kind: llm.Invalid, says: "no choices"},
		"openai_responses_incomplete":  {kind: llm.Invalid, says: "no choices"},
	}
	samples := loadSamples(t, recordedDir(t))
	if len(samples) < len(want) {
		t.Errorf("%d samples found, %d expected", len(samples), len(want))
	}
	for _, s := range samples {
		t.Run(s.Case, func(t *testing.T) {
			w, known := want[s.Case]
			if !known {
				t.Fatal("no expectation for this sample; add one")
			}
			p, _ := provider(t, fetch.Options{Transport: s}, Options{Base: "https://model.test/v1", Key: "bad-api-key", KeySetting: "THE_KEY"})
			done, err := p.Complete(context.Background(), call(llm.ModeSchema))
			if got := llm.KindOf(err); got != w.kind {
				t.Fatalf("kind %q (%v), want %q", got, err, w.kind)
			}
			if err != nil {
				if !strings.Contains(err.Error(), w.says) {
					t.Errorf("error %q does not say %q", err, w.says)
				}
				return
			}
			if done.Text != w.text || done.Finish != w.finish || done.Usage != w.usage {
				t.Errorf("got %q, %q, %+v\nwant %q, %q, %+v", done.Text, done.Finish, done.Usage, w.text, w.finish, w.usage)
			}
			if len(done.Raw) != 64 || len(done.Request) != 64 {
				t.Errorf("hashes %q, %q", done.Request, done.Raw)
			}
		})
	}
}
