package conform

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

// Sample is one recorded response of a real server.
type Sample struct {
	Case    string            `json:"case"`
	File    string            `json:"file"`
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	body    []byte
}

// RoundTrip answers everything with the sample.
func (s Sample) RoundTrip(r *http.Request) (*http.Response, error) {
	h := http.Header{}
	for k, v := range s.Headers {
		h.Set(k, v)
	}
	return &http.Response{StatusCode: s.Status, Header: h, Body: io.NopCloser(bytes.NewReader(s.body)), Request: r, ContentLength: int64(len(s.body))}, nil
}

// Samples reads the recorded responses whose case begins with one of the
// prefixes. It skips the test where there are none.
func Samples(t *testing.T, prefixes ...string) []Sample {
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
	f, err := os.Open(filepath.Join(dir, "index.jsonl"))
	if err != nil {
		t.Skip("no recorded responses here: ", err)
	}
	defer f.Close()
	var out []Sample
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s Sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatalf("index.jsonl: %v", err)
		}
		if !strings.HasPrefix(s.File, "llm/") {
			continue
		}
		for _, p := range prefixes {
			if strings.HasPrefix(s.Case, p) {
				if s.body, err = os.ReadFile(filepath.Join(dir, s.File)); err != nil {
					t.Fatal(err)
				}
				out = append(out, s)
				break
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// Outcome is what a sample must come out as.
type Outcome struct {
	Kind         llm.Kind // "" = an answer
	Text, Finish string
	Usage        llm.Usage
	Says         string // in the error
}

// Check sends a call to each sample and compares. Every sample needs an outcome
// and every outcome a sample.
func Check(t *testing.T, samples []Sample, want map[string]Outcome, build func(Setup) (llm.Provider, error)) {
	t.Helper()
	if len(samples) != len(want) {
		t.Errorf("%d samples found, %d expected", len(samples), len(want))
	}
	for _, s := range samples {
		t.Run(s.Case, func(t *testing.T) {
			w, known := want[s.Case]
			if !known {
				t.Fatal("no expectation for this sample; add one")
			}
			client, _ := Client(t, fetch.Options{Transport: s})
			p, err := build(Setup{Base: "https://model.test/v1", Key: "bad-api-key", KeySetting: "THE_KEY", Do: client})
			if err != nil {
				t.Fatal(err)
			}
			done, err := p.Complete(context.Background(), Call(llm.ModeSchema))
			if got := llm.KindOf(err); got != w.Kind {
				t.Fatalf("kind %q (%v), want %q", got, err, w.Kind)
			}
			if err != nil {
				if !strings.Contains(err.Error(), w.Says) {
					t.Errorf("error %q does not say %q", err, w.Says)
				}
				return
			}
			if done.Text != w.Text || done.Finish != w.Finish || done.Usage != w.Usage {
				t.Errorf("got %q, %q, %+v\nwant %q, %q, %+v", done.Text, done.Finish, done.Usage, w.Text, w.Finish, w.Usage)
			}
			if len(done.Raw) != 64 || len(done.Request) != 64 {
				t.Errorf("hashes %q, %q", done.Request, done.Raw)
			}
		})
	}
}
