package corpus

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"optimistresearch/internal/fetch"
)

func newRun(t *testing.T) *Run {
	t.Helper()
	r, err := Create(filepath.Join(t.TempDir(), "run"), Manifest{Question: "q"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestWriteFilesStaysInside(t *testing.T) {
	r := newRun(t)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(r.Dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../x", "/etc/x", "", ".", "a/../../x", "link/x", `a\b`, "state.json", "recordings/ab/x", "run.json"} {
		if err := r.WriteFiles(map[string][]byte{name: []byte("x")}); err == nil {
			t.Errorf("%q was written", name)
		}
	}
	if left, _ := os.ReadDir(outside); len(left) != 0 {
		t.Errorf("something was written outside: %v", left)
	}
}

func TestWriteFilesRemovesOnlyItsOwn(t *testing.T) {
	r := newRun(t)
	if err := os.WriteFile(filepath.Join(r.Dir, "mine.md"), []byte("notes"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, files := range []map[string][]byte{
		{"report.md": []byte("1"), "documents/doc_0001.md": []byte("a"), "documents/doc_0002.md": []byte("b")},
		{"report.md": []byte("2"), "documents/doc_0002.md": []byte("b")},
	} {
		if err := r.WriteFiles(files); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{"report.md": true, "documents/doc_0001.md": false, "documents/doc_0002.md": true, "mine.md": true, JournalFile: true} {
		if _, err := os.Stat(filepath.Join(r.Dir, name)); (err == nil) != want {
			t.Errorf("%s exists: %v, want %v", name, err == nil, want)
		}
	}
}

func TestRecordings(t *testing.T) {
	r := newRun(t)
	rec := r.Recorder()
	hash := strings.Repeat("ab", 32)
	if _, ok, err := rec.Load(hash); ok || err != nil {
		t.Fatalf("an empty recorder answers: %v, %v", ok, err)
	}
	in := &fetch.Recording{Version: 1, Service: "arxiv", Method: "GET", Path: "/api/query", Query: url.Values{"search_query": {"all:α"}}, Status: 200, Body: []byte{0, 1, 0xff}}
	if err := rec.Save(hash, in); err != nil {
		t.Fatal(err)
	}
	out, ok, err := rec.Load(hash)
	if err != nil || !ok {
		t.Fatalf("load: %v, %v", ok, err)
	}
	if d := cmp.Diff(in, out); d != "" {
		t.Error(d)
	}
	name := filepath.Join(r.Dir, RecordingPath(hash))
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 0xff
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := rec.Load(hash); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("a damaged recording gives %v, want an error that names %s", err, name)
	}
	if _, _, err := rec.Load("../../etc/passwd"); err == nil {
		t.Error("a hash that is a path was taken")
	}
}

func TestLogSurvivesATornLine(t *testing.T) {
	r := newRun(t)
	add := func(service string) {
		l, err := r.OpenLog()
		if err != nil {
			t.Fatal(err)
		}
		l.Add(LogEntry{Time: time.Unix(1, 0).UTC(), Kind: "http", Service: service, Outcome: "ok"})
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	add("arxiv")
	f, err := os.OpenFile(filepath.Join(r.Dir, LogFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"time":"20`)
	f.Close()
	add("crossref")
	entries, bad, err := r.ReadLog()
	if err != nil || bad != 1 || len(entries) != 2 || entries[1].Service != "crossref" {
		t.Errorf("entries %+v, %d unreadable, %v; want arxiv and crossref and one unreadable line", entries, bad, err)
	}
}
