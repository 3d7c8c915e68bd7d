package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a user sets reaches the one HTTP path.
func TestSettingsReachFetch(t *testing.T) {
	o := fetchOptions(testConfig(t, map[string]string{"max_response_mb": "64", "retries": "0", "contact": "a@example.org"}))
	if o.MaxBytes != 64<<20 || o.MaxRetries != -1 || o.Contact != "a@example.org" {
		t.Errorf("options %+v", o)
	}
}

// What is not read in a library is said, ten keys and the number of the others.
func TestLibraryWarnings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lib.jsonl")
	if err := os.WriteFile(path, []byte(`{"title":"A","k01":1,"k02":1,"k03":1,"k04":1,"k05":1,"k06":1,"k07":1,"k08":1,"k09":1,"k10":1,"k11":1,"k12":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := LibraryWarnings(path)
	if err != nil || len(got) != 11 || !strings.Contains(got[0], `"k01" is not read (line 1)`) || !strings.Contains(got[10], "2 more keys") {
		t.Errorf("warnings %q, %v", got, err)
	}
	for _, none := range []string{"", Builtin} {
		if got, err := LibraryWarnings(none); len(got) != 0 || err != nil {
			t.Errorf("%q: %q, %v", none, got, err)
		}
	}
	var wrong *InputError
	if _, err := LibraryWarnings(t.TempDir()); !errors.As(err, &wrong) {
		t.Errorf("a folder gives %v, want an InputError", err)
	}
}
