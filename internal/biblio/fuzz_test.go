package biblio

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fuzzFormat checks the laws of one reader: it never fails on text, its entries
// are in normal form, and what it read comes back when it is written in the
// same format.
func fuzzFormat(f *testing.F, format Format, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		first, err := entriesOf(b, format)
		if err != nil || len(first) == 0 {
			return
		}
		for _, e := range first {
			if d := cmp.Diff(e, e.Normal()); d != "" {
				t.Fatalf("an entry that is not in normal form: %s", d)
			}
		}
		if !slices.Contains(Writable(), format) {
			return
		}
		var out bytes.Buffer
		if err := Write(&out, format, first); err != nil {
			t.Fatal(err)
		}
		second, err := entriesOf(out.Bytes(), format)
		if err != nil || len(second) != len(first) {
			t.Fatalf("%d entries became %d: %v\n%s", len(first), len(second), err, out.Bytes())
		}
		for i := range first {
			if d := cmp.Diff(settled(first[i]), settled(second[i])); d != "" {
				t.Fatalf("(-read +read again): %s\n%s", d, out.Bytes())
			}
		}
	})
}

func entriesOf(b []byte, format Format) ([]Entry, error) {
	var out []Entry
	_, err := ReadAs(bytes.NewReader(b), "fuzz", format, func(e Entry) error { out = append(out, e); return nil })
	return out, err
}

// settled sorts what comes back in another order and leaves out the id and the
// word for the type, which some formats make.
func settled(e Entry) Entry {
	e.ID, e.RawType = "", ""
	slices.Sort(e.ISSN)
	slices.Sort(e.ISBN)
	e.Extra = slices.Clone(e.Extra)
	slices.SortFunc(e.Extra, func(a, b Field) int {
		return strings.Compare(a.Name+"\x00"+a.Value, b.Name+"\x00"+b.Value)
	})
	e.Extra = slices.Compact(e.Extra)
	if len(e.Extra) == 0 {
		e.Extra = nil
	}
	return e
}

func FuzzRIS(f *testing.F) {
	fuzzFormat(f, RIS, "TY  - JOUR\nTI  - a\nT1  - b\nPY  - 2019/05//\nY1  - 2019\nSP  - 1-2\nEP  - 3\nC2  - 123456\nER  - ", "TY  -", "AU  - x\nTY  - BOOK\nER", "TY  - JOUR\nJO  - a\nJF  - b\nT2  - c\nM3  - 10.1000/x\nKW  - a\nb; c\nSN  - 12345678 (x)\nN1  - PMID: 3; x")
}

func FuzzNBIB(f *testing.F) {
	fuzzFormat(f, NBIB, nbibSample, "PMID- \nTI  - a\nBTI - b\nPT  - Book Chapter\nAID - x [doi]\nAID - y [doi]\nOID - a: b\nIS  - 1234-567X", "FAU - a, b\nAU  - x\nED  - y z")
}

func FuzzWoS(f *testing.F) {
	fuzzFormat(f, WoS, wosSample, "PT J\nAU a\n   b\nDT Article; X\nPD MAR\nPY 2019\nER\nEF", "PT B\nBP 1-2\nEP 4\nSN 1234-567X\nEI x\nER")
}

func FuzzBibTeX(f *testing.F) {
	fuzzFormat(f, BibTeX, "@article{a, title = {x}}", "@(", "@a{b,c=\"{\"", "@string{a=\"b\"}@misc{k, title=a # a, author={A and {B C} and D, Jr, E}, month=jan # \"~5\", year=2020, eprint={x}, archiveprefix={y}}", "@comment{@article{x,y={z}}}", "@article{title={no key}, keywords={a,b;c}}")
}

func FuzzJSON(f *testing.F) {
	fuzzFormat(f, CSL, `[{"id":1,"issued":{"date-parts":[[2020,1],[2021]]},"author":[{"name":"a b"}],"custom":{"x":[1]},"archive":"z","archive_location":"q"}]`, `{"a":`, `[{"title":"x"},{"title":["a","b"],"DOI":3}]`)
}

func FuzzJSONL(f *testing.F) {
	fuzzFormat(f, JSONL, `{"id":"1","author":"a, b; c","year":2020}`+"\n"+`{"title":"x","extra":[{"name":"a","value":"b"}],"format":"ris"}`, `{"year":"None","date":"2020-01","sentences":["a","b"]}`)
}

func FuzzEndNote(f *testing.F) {
	fuzzFormat(f, EndNoteXML, endnoteSample, "<records><record><ref-type>5</ref-type><label>x</label></record>", "<record><a b=\"c\">d<e/></a><custom2>PMC1</custom2><dates><pub-dates><date>x</date></pub-dates></dates></record>")
}

func FuzzCSV(f *testing.F) {
	fuzzFormat(f, CSV, "Title,Authors,Year,Keywords\na,\"b, c; d\",2020,x\n", "sep=;\nTitle;Year\n\"a\nb\";\"2020", "\"TITLE\",\"a\"\n\"AUTHOR NAMES\",\"b\"", "PT\tAU\tTI\tSO\nJ\ta; b\tc\td\n", "PMID,Title,Citation\n1,a,J. 2020;1(2):3-4.\n")
}

func FuzzOvid(f *testing.F) { fuzzFormat(f, Ovid, "<1. >\nTI  - a\nAU  - b\n  c\nIN  - x\n   y\n") }

func FuzzEndNoteTagged(f *testing.F) {
	fuzzFormat(f, EndNoteTagged, "%0 Book\n%T a\n%A b, c\n%D 2020\n")
}

// FuzzRead looks at any bytes: packed, in any encoding, in any format.
func FuzzRead(f *testing.F) {
	for _, s := range []string{accents, "\xff\xfeT\x00", "\x1f\x8b\x08", "PK\x03\x04", "\xef\xbb\xbf", "T\xfc"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		kept := 0
		s, err := Read(bytes.NewReader(b), "x", func(e Entry) error { kept++; return nil })
		if s.Kept != kept || err == nil && !s.Format.known() {
			t.Fatalf("%+v %v", s, err)
		}
	})
}

func FuzzDisplayName(f *testing.F) {
	for _, s := range []string{"Joon Sung Park", "King, Jr., Martin", "李明", "van der", ", ,", "A.B.C.", "Meta AI"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, n := range append(splitNames(s), DisplayName(s), parse(s).normal()) {
			if n = n.normal(); n == (Name{}) {
				continue
			}
			if again := parse(n.joined()).normal(); again != n {
				t.Fatalf("%q: %+v became %+v", s, n, again)
			}
		}
	})
}
