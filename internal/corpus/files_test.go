package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

// What a person changed is never lost: their file stays, and a version that
// they have not seen is put beside it, once.
func TestWriteFilesKeepsEdits(t *testing.T) {
	r := newRun(t)
	const page, beside, second = "documents/doc_0001.md", "documents/doc_0001.new.md", "documents/doc_0001.new-2.md"
	edit := func(name, data string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(r.Dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	step := func(data string, notices int, want map[string]string) {
		t.Helper()
		r.Notices = nil
		files := map[string][]byte{"report.md": []byte("the same")}
		if data != "" {
			files[page] = []byte(data)
		}
		if err := r.WriteFiles(files); err != nil {
			t.Fatal(err)
		}
		if len(r.Notices) != notices {
			t.Errorf("notices %q, want %d", r.Notices, notices)
		}
		for _, name := range []string{page, beside, second} {
			if got, _ := os.ReadFile(filepath.Join(r.Dir, name)); string(got) != want[name] {
				t.Errorf("%s holds %q, want %q", name, got, want[name])
			}
		}
	}
	step("1", 0, map[string]string{page: "1"})
	step("2", 0, map[string]string{page: "2"})
	edit(page, "2 and my note")
	step("2", 0, map[string]string{page: "2 and my note"}) // nothing new to show
	step("3", 1, map[string]string{page: "2 and my note", beside: "3"})
	step("3", 0, map[string]string{page: "2 and my note", beside: "3"})
	step("4", 1, map[string]string{page: "2 and my note", beside: "4"})
	edit(beside, "4, merging")
	step("4", 0, map[string]string{page: "2 and my note", beside: "4, merging"})
	step("5", 1, map[string]string{page: "2 and my note", beside: "4, merging", second: "5"})
	if err := os.Remove(filepath.Join(r.Dir, second)); err != nil {
		t.Fatal(err)
	}
	step("5", 0, map[string]string{page: "2 and my note", beside: "4, merging"}) // put away: not again
	step("", 1, map[string]string{page: "2 and my note", beside: "4, merging"})
	// Taking the run's version over ends it.
	edit(page, "6")
	step("6", 0, map[string]string{page: "6", beside: "4, merging"})
	step("7", 0, map[string]string{page: "7", beside: "4, merging"})
}

// A call that was killed half-way leaves nothing that looks like an edit.
func TestWriteFilesAfterACrash(t *testing.T) {
	r := newRun(t)
	old := map[string][]byte{"a.md": []byte("a1"), "b.md": []byte("b1")}
	if err := r.WriteFiles(old); err != nil {
		t.Fatal(err)
	}
	// As the call with a2 and b2 leaves it after a.md: both versions are listed.
	list, err := r.readListing()
	if err != nil {
		t.Fatal(err)
	}
	list.add("a.md", sum([]byte("a2")))
	list.add("b.md", sum([]byte("b2")))
	if err := r.writeListing(list); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"a.md": "a2", ".b.md.tmp-77": "b", ".c.md.tmp-77": "somebody's", ".b.md.tmp-x": "somebody's"} {
		if err := os.WriteFile(filepath.Join(r.Dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.WriteFiles(map[string][]byte{"a.md": []byte("a3"), "b.md": []byte("b3")}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.md": "a3", "b.md": "b3", ".b.md.tmp-77": "", ".c.md.tmp-77": "somebody's", ".b.md.tmp-x": "somebody's"} {
		if got, _ := os.ReadFile(filepath.Join(r.Dir, name)); string(got) != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	if len(r.Notices) != 0 {
		t.Errorf("notices %q", r.Notices)
	}
}

// Opening a run removes what a killed process left of it, and only with the
// lock.
func TestLeftoversAreSwept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r, err := Create(dir, Manifest{Question: "q"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Append(delta(1)); err != nil {
		t.Fatal(err)
	}
	hash := strings.Repeat("ab", 32)
	if err := r.Recorder().Save(hash, &fetch.Recording{Version: 1}); err != nil {
		t.Fatal(err)
	}
	gone := []string{"recordings/ab/." + hash + ".json.gz.tmp-123", ".state.json.tmp-9"}
	kept := []string{"recordings/ab/.notes.tmp-123", ".mine.json.tmp-9", "recordings/ab/" + hash + ".json.gz"}
	for _, name := range append(gone, kept[:2]...) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	left := func() (out int) {
		for _, name := range append(gone, kept...) {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				out++
			}
		}
		return out
	}
	if _, err := OpenReadOnly(dir); err != nil || left() != 5 {
		t.Errorf("reading alone: %v, %d files left, want 5", err, left())
	}
	if _, err := Open(dir); err == nil || left() != 5 {
		t.Errorf("while another holds the lock: %v, %d files left, want 5", err, left())
	}
	r.Close()
	again, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for _, name := range gone {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	if left() != 3 {
		t.Errorf("%d files left, want the 3 that are not ours to remove", left())
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

// A recording is checked against the checksum that was noted when it was
// received, and keeps the time of that.
func TestRecordingsAreChecked(t *testing.T) {
	r, err := Create(filepath.Join(t.TempDir(), "run"), Manifest{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rec := r.Recorder()
	at := time.Date(2026, 3, 1, 23, 30, 0, 0, time.FixedZone("", -3600))
	rec.Now = func() time.Time { return at }
	hash := func(c string) string { return strings.Repeat(c, 64) }
	body := []byte(`{"results":[]}`)
	sum := sha256.Sum256(body)
	raw := hex.EncodeToString(sum[:])
	for _, h := range []string{hash("a"), hash("b"), hash("c")} {
		kept := &fetch.Recording{Version: 1, Service: "arxiv", Body: body, Raw: raw}
		if h == hash("b") {
			kept.Body = []byte(`{"results":[1]}`)
		}
		if err := rec.Save(h, kept); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(r.Dir, filepath.FromSlash(RecordingPath(hash("c")))), []byte("no gzip"), 0o644); err != nil {
		t.Fatal(err)
	}
	for h, want := range map[string]struct {
		says string
		kind error
	}{
		hash("a"): {}, hash("b"): {"is altered: its body has the sha256 ", ErrDamaged}, hash("c"): {"is damaged and cannot be read", ErrDamaged},
		hash("d"): {"is missing", ErrMissing}, "../../etc/passwd": {"cannot be read", nil},
	} {
		got, err := rec.Check(h)
		switch {
		case want.says == "" && (err != nil || got != raw):
			t.Errorf("Check(%.4s) = %q, %v", h, got, err)
		case want.says != "" && (err == nil || !strings.HasPrefix(err.Error(), want.says) || want.kind != nil && !errors.Is(err, want.kind)):
			t.Errorf("Check(%.4s) says %v, want %q", h, err, want.says)
		}
	}
	if got, ok := rec.Received(hash("a")); !ok || got.Format(time.RFC3339) != "2026-03-02T00:30:00Z" {
		t.Errorf("received %v, %v", got, ok)
	}
	if _, ok := rec.Received(hash("d")); ok {
		t.Error("a missing recording has a time")
	}
}

// A run that takes the recordings of another one has them when the other one
// is gone, and keeps its own.
func TestTakeRecordings(t *testing.T) {
	dir := t.TempDir()
	runs := map[string]*Run{}
	for _, name := range []string{"from", "to"} {
		r, err := Create(filepath.Join(dir, name), Manifest{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		runs[name] = r
	}
	from, to := runs["from"], runs["to"]
	save := func(r *Run, hash, service string) {
		t.Helper()
		if err := r.Recorder().Save(hash, &fetch.Recording{Version: 1, Service: service}); err != nil {
			t.Fatal(err)
		}
	}
	a, b, failed := strings.Repeat("a", 64), strings.Repeat("b", 64), strings.Repeat("c", 64)+"-failed"
	if err := to.TakeRecordings(from); err != nil {
		t.Fatalf("of a run without any: %v", err)
	}
	for _, h := range []string{a, b, failed} {
		save(from, h, "arxiv")
	}
	save(to, b, "pubmed")
	if err := os.WriteFile(filepath.Join(from.Dir, Recordings, "aa", "notes.txt"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := to.TakeRecordings(from); err != nil {
			t.Fatal(err)
		}
	}
	save(from, a, "openalex") // replaced there, not here
	if err := os.RemoveAll(from.Dir); err != nil {
		t.Fatal(err)
	}
	for h, want := range map[string]string{a: "arxiv", b: "pubmed", failed: "arxiv"} {
		if got, ok, err := to.Recorder().Load(h); err != nil || !ok || got.Service != want {
			t.Errorf("recording %.4s: %+v, %v, %v; want one of %s", h, got, ok, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(to.Dir, Recordings, "aa", "notes.txt")); err == nil {
		t.Error("a file that is no recording was taken")
	}
}
