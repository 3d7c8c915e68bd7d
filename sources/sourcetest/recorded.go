package sourcetest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Recorded reads a recorded answer of a service, such as
// "arxiv/search_zero_results.xml", unzipped where its name ends in .gz. The
// recordings lie beside the repository; where they are absent the test is
// skipped.
func Recorded(t testing.TB, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(recordings(t), filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the recording %s is absent", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if body, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return body
}

// recordings is the folder of the recordings.
func recordings(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "..", "shared", "data", "recorded")
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the working directory")
		}
		dir = parent
	}
}

// Recording is a line of the index of recordings.
type Recording struct {
	Source string            `json:"source"`
	Case   string            `json:"case"`
	File   string            `json:"file"`
	Status int               `json:"status"`
	Header map[string]string `json:"headers"`
}

// Recordings lists the recordings of a source as the index has them; where
// there is no index the test is skipped.
func Recordings(t testing.TB, source string) []Recording {
	t.Helper()
	var out []Recording
	for line := range bytes.Lines(Recorded(t, "index.jsonl")) {
		var r Recording
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("the index of recordings: %v", err)
		}
		if r.Source == source {
			out = append(out, r)
		}
	}
	return out
}

// Answer is what a service gives that answers like the recording.
func (r Recording) Answer(t testing.TB) Answer {
	t.Helper()
	a := Answer{Status: r.Status, Header: http.Header{}, Body: string(Recorded(t, r.File))}
	if kind := r.Header["content-type"]; kind != "" {
		a.Header.Set("Content-Type", kind)
	}
	return a
}
