package biblio

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shared is the folder with the labelled data beside the repository.
func shared(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			data := filepath.Join(dir, "..", "shared", "data")
			if _, err := os.Stat(data); err == nil {
				return data
			}
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Skip("the labelled data is not here")
	return ""
}

// Real records, with all their dirt: every one is kept, and comes back from
// every format.
func TestLabelledData(t *testing.T) {
	data := shared(t)
	for set, count := range map[string]int{"cytology_screening": 1856, "haematology": 1415, "stroke": 1292, "diabetes": 1845, "dblp_acm": 4910, "fuzzycat_pairs": 401, "special_cases": 12} {
		f, err := os.Open(filepath.Join(data, "dedup", set, "records.jsonl.gz"))
		if err != nil {
			t.Skip(err)
		}
		var in []Entry
		s, err := Read(f, f.Name(), func(e Entry) error { in = append(in, e); return nil })
		f.Close()
		if err != nil || s.Kept != count || s.Skipped != 0 || s.Format != JSONL {
			t.Errorf("%s: %s %v", set, s.String(), err)
		}
		in = in[:min(len(in), 300)]
		for _, format := range lawFormats {
			var b bytes.Buffer
			if err := Write(&b, format, in); err != nil {
				t.Fatal(err)
			}
			got, _ := readBack(t, format, b.Bytes())
			if len(got) != len(in) {
				t.Fatalf("%s in %s: %d records of %d", set, format, len(got), len(in))
			}
			for i := range in {
				g, want := got[i], held(format, in[i])
				g.Format, g.RawType, g.Extra = "", "", nil
				g.ID, want.ID = "", "" // BibTeX keys have fewer signs
				if d := cmp.Diff(want, g); d != "" {
					t.Fatalf("%s in %s (-want +got): %s", set, format, d)
				}
			}
		}
	}
}
