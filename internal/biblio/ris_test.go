package biblio

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// read reads a text and leaves out what hangs on the format.
func read(t *testing.T, name, text string) ([]Entry, Summary) {
	t.Helper()
	var got []Entry
	s, err := Read(strings.NewReader(text), name, func(e Entry) error { got = append(got, e); return nil })
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return got, s
}

func titles(entries []Entry) (out []string) {
	for _, e := range entries {
		out = append(out, e.Title)
	}
	return out
}

func messages(problems []Problem) string {
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(p.Error() + "\n")
	}
	return b.String()
}

func TestRISInTheWild(t *testing.T) {
	in := "\uFEFFProvider: Embase\r\nTY  - JOUR\r\nT1  - First\r\n title goes on\r\nA1  - Doe, Jane\r\nY1  - 2019/05//\r\nSP  - 12\r\nEP  - 19\r\nER  - \r\n" +
		"Link to the Ovid Full Text: http://example.org\r\nTY  - JOUR\r\nTI  - Second\r\nJO  - J Test\r\nTY  - BOOK\r\nTI  - Third\r\nER  -\r\nTI  - Fourth\r\nER  - \r\n" +
		"AU  - Roe, R.\r\nTY  - CONF\r\nTI  - Fifth, TY not first\r\nER  - ,\r\n\r\nTY  - JOUR\r\nER  - \r\nER  - \r\nTY  - JOUR\r\nTI  - Cut off"
	got, s := read(t, "x.ris", in)
	if d := cmp.Diff([]string{"First title goes on", "Second", "Third", "Fourth", "Fifth, TY not first", "Cut off"}, titles(got)); d != "" {
		t.Error(d)
	}
	if got[0].Pages != "12-19" || got[0].Date != "2019-05" || got[0].Authors[0].Family != "Doe" || got[1].Container != "J Test" || got[4].Type != Conference {
		t.Errorf("fields: %+v", got)
	}
	if s.Kept != 6 || s.Skipped != 1 || s.Skips[0].Message != "the record is empty" || s.Skips[0].Line != 24 {
		t.Errorf("%+v", s)
	}
	want := []string{"line 1: the line belongs to no entry", "line 10: the line belongs to no entry", "line 11: entry Second: the entry has no ER line", "line 17: entry Fourth: the entry has no TY line",
		"line 26: ER without an entry", "line 27: entry Cut off: the file ends within the entry"}
	if len(s.Warnings) != len(want) {
		t.Errorf("warnings:\n%s", messages(s.Warnings))
	}
	for i, w := range want {
		if i < len(s.Warnings) && !strings.HasPrefix(s.Warnings[i].Error(), w) {
			t.Errorf("warning %d is %q, want %q", i, s.Warnings[i].Error(), w)
		}
	}
}

// The line that Embase puts behind a record, also inside one: skipped, counted,
// no record and no field changed.
func TestRISUntaggedLines(t *testing.T) {
	got, s := read(t, "embase.ris", "TY  - JOUR\nDB  - Embase\nAN  - L2000\nT1  - A study\nDO  - 10.1000/a\nLink to the Ovid Full Text or citation: http://ovid.example/x\nER  - \n"+
		"Link to the Ovid Full Text or citation: http://ovid.example/y\n\nTY  - JOUR\nT1  - Another\nER  - \nLink to the Ovid Full Text or citation: http://ovid.example/z\n")
	if d := cmp.Diff([]string{"A study", "Another"}, titles(got)); d != "" {
		t.Error(d)
	}
	if got[0].DOI != "10.1000/a" || s.Warned != 3 || s.Skipped != 0 {
		t.Errorf("%+v %+v", got[0], s)
	}
	if s.Warnings[0].Sample == "" || s.Warnings[0].Line != 6 {
		t.Errorf("%+v", s.Warnings[0])
	}
}

func TestRISKeywords(t *testing.T) {
	got, _ := read(t, "x", "TY  - JOUR\nTI  - T\nKW  - asthma\nasthma, bronchial\nadults\nKW  - diet; food\nKW  - a keyword that\n      goes on\nER  - \n")
	if d := cmp.Diff([]string{"asthma", "asthma, bronchial", "adults", "diet", "food", "a keyword that goes on"}, got[0].Keywords); d != "" {
		t.Error(d)
	}
}

// Variants of databases: where the journal's titles, the PMID and the accession
// number stand.
func TestRISOfDatabases(t *testing.T) {
	got, _ := read(t, "x", "TY  - JOUR\nDB  - Embase\nTI  - A\nAU  - Smith J.A.\nAU  - WHO Collaborating Group\nT2  - The Lancet Oncology\nJF  - Lancet Oncol\nPY  - 2023\nC2  - 36123456\nU2  - L2001\nM3  - Review\nSN  - 14702045 (ISSN)\nER  - \n\n"+
		"TY  - JOUR\nT1  - B\nJA  - J Old Test\nM3  - 10.1000/old.doi\nPY  - 1998///Spring\nC2  - PMC123\nER  - \n")
	want := []Entry{
		{Type: Journal, RawType: "JOUR", Title: "A", Database: "Embase", Authors: []Name{{Family: "Smith", Given: "J.A."}, {Literal: "WHO Collaborating Group"}}, Container: "The Lancet Oncology",
			Abbrev: "Lancet Oncol", Date: "2023", PMID: "36123456", Accession: "L2001", PubTypes: []string{"Review"}, ISSN: []string{"1470-2045"}, Format: RIS, Extra: []Field{{"SN", "14702045 (ISSN)"}}},
		{Type: Journal, RawType: "JOUR", Title: "B", Container: "J Old Test", Abbrev: "J Old Test", DOI: "10.1000/old.doi", Date: "1998", PMCID: "PMC123", Format: RIS, Extra: []Field{{"PY", "1998///Spring"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// What is read is written back with the tags that are not mapped, the type of
// the file and its own spellings.
func TestRISKeepsWhatItDoesNotKnow(t *testing.T) {
	in := "TY  - EJOUR\r\nTI  - T\r\nAU  - World Health Organization,\r\nPY  - 1998///Spring\r\nM1  - 7\r\nRN  - my note\r\nER  - \r\n\r\n"
	got, _ := read(t, "x", in)
	if d := cmp.Diff(in, string(WriteRIS(got))); d != "" {
		t.Error(d)
	}
	if bib := string(WriteBibTeX(got)); strings.Contains(bib, "M1") || strings.Contains(bib, "my note") {
		t.Errorf("fields of RIS in BibTeX:\n%s", bib)
	}
}

func TestWriteRIS(t *testing.T) {
	got := string(WriteRIS([]Entry{{ID: "a", Type: Journal, Title: "Two\nlines\r\nER  - \x00", Authors: []Name{{Literal: "Memory Group"}, {Literal: "Plato"}, {Family: "King", Given: "Martin Luther", Suffix: "Jr."}}, Pages: "45–67", Date: "2024-03-05"}}))
	want := "TY  - JOUR\r\nID  - a\r\nTI  - Two lines ER -\r\nAU  - Memory Group,\r\nAU  - Plato\r\nAU  - King, Martin Luther, Jr.\r\nDA  - 2024/03/05/\r\nPY  - 2024\r\nSP  - 45\r\nEP  - 67\r\nER  - \r\n\r\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
