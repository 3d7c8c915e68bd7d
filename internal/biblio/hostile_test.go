package biblio

import (
	"strings"
	"testing"
	"time"
)

// No file makes a reader slow: each input has plenty of what is worst for its
// format.
func TestHostileFilesAreQuick(t *testing.T) {
	const n = 60_000
	for name, in := range map[string]struct {
		format Format
		text   string
	}{
		"open braces":          {BibTeX, strings.Repeat("@article{a, b = {\n", n/4)},
		"open braces, no name": {BibTeX, strings.Repeat("@zzz{ b = {{{\n", n/20)},
		"deep braces":          {BibTeX, "@a{b,c=" + strings.Repeat("{", n)},
		"macros that multiply": {BibTeX, "@string{a=\"xxxxxxxxxxxxxxxx\"}" + strings.Repeat("@string{a = a # a # a # a}\n", 50) + "@misc{k, title=a}"},
		"at signs":             {BibTeX, strings.Repeat("@", n*5)},
		"many authors":         {RIS, "TY  - JOUR\n" + strings.Repeat("AU  - Doe, J.\n", n)},
		"many addresses":       {RIS, "TY  - JOUR\n" + strings.Repeat("UR  - http://a.example/x\nSN  - 1234-5678 (x)\n", n/2)},
		"many keywords":        {RIS, "TY  - JOUR\nKW  - " + strings.Repeat("ab;cd;", n)},
		"many empty records":   {RIS, strings.Repeat("TY  - JOUR\nER  - \n", n)},
		"wrapped":              {NBIB, "PMID- 1\nTI  - a\n" + strings.Repeat("      more words\n", n)},
		"quotation marks":      {CSV, "Title,Year\n" + strings.Repeat("a\"b,2020\nc,2021\n", n/4)},
		"one quotation mark":   {CSV, "Title,Year\n\"" + strings.Repeat("a,2020\n", n)},
		"many columns":         {CSV, "Title,Year" + strings.Repeat(",x", n) + "\n" + strings.Repeat("a,2020\n", 1000)},
		"brackets":             {JSONL, strings.Repeat(`{"a":[`, n)},
		"open texts":           {JSONL, strings.Repeat("{\"title\":\"a\n", n/2)},
		"elements":             {EndNoteXML, "<xml><records>" + strings.Repeat("<record><a>", n/4)},
		"ampersands":           {EndNoteXML, "<xml><records><record><a>" + strings.Repeat("&", n) + "</a></record>"},
		"names":                {JSONL, `{"title":"t","author":"` + strings.Repeat("A.B, ", n) + `"}`},
		"points":               {JSONL, `{"title":"t","author":"` + strings.Repeat("Ab C.", n) + `"}`},
	} {
		start := time.Now()
		written := 0
		s, err := ReadAs(strings.NewReader(in.text), name, in.format, func(e Entry) error {
			if written++; written > 20 {
				return nil
			}
			for _, f := range []Format{RIS, BibTeX, CSL} {
				if err := Write(discard{}, f, []Entry{e}); err != nil {
					return err
				}
			}
			return nil
		})
		d := time.Since(start)
		t.Logf("%-22s %8v %s %v", name, d.Round(time.Millisecond), s.String(), err)
		if d > 20*time.Second {
			t.Errorf("%s took %v", name, d)
		}
		if s.Kept+s.Skipped == 0 && err == nil && name != "at signs" {
			t.Errorf("%s: nothing kept and nothing told", name)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
