package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWriteReplacesWhole(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	for _, data := range []string{"long old content", "new", ""} {
		if err := Write(name, []byte(data), 0o640); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil || string(got) != data {
			t.Fatalf("read %q, %v; want %q", got, err, data)
		}
	}
	st, err := os.Stat(name)
	if err != nil || st.Mode().Perm() != 0o640 {
		t.Errorf("mode = %v, %v; want 0640", st.Mode(), err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files are left, want 1", len(left))
	}
}

// What a killed process leaves is told by its name, and nothing else is.
func TestLeftover(t *testing.T) {
	for name, want := range map[string]string{
		".state.json.tmp-123": "state.json", ".a.tmp-1.tmp-42": "a.tmp-1", ".doc_0001.md.tmp-": "", ".doc_0001.md.tmp-12x": "",
		"state.json.tmp-123": "", ".tmp-1": "", ".": "", "": "", ".hidden": "",
	} {
		if got := Leftover(name); got != want {
			t.Errorf("Leftover(%q) = %q, want %q", name, got, want)
		}
	}
	f, err := os.CreateTemp(t.TempDir(), pattern("report.md"))
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if got := Leftover(filepath.Base(f.Name())); got != "report.md" {
		t.Errorf("the temporary name %s leads to %q", f.Name(), got)
	}
}

func TestFailureLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "d")
	if err := os.MkdirAll(filepath.Join(target, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	// A directory that is not empty cannot be replaced by a file.
	if err := Write(target, []byte("x"), 0o644); err == nil {
		t.Fatal("replacing a directory did not fail")
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("a temporary file was left behind: %v", left)
	}
}
