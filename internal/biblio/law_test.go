package biblio

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// held is what a format can hold of an entry; every field that is not named
// here comes back from every format.
func held(f Format, e Entry) Entry {
	e = e.Normal()
	e.Format, e.RawType, e.Extra = "", "", nil
	merge := func() { // one list for headings and keywords
		e.Keywords = list(append(slices.Clone(e.MeSH), e.Keywords...))
		e.MeSH = nil
	}
	switch f {
	case RIS, EndNoteXML:
		merge()
	case NBIB:
		e.ShortTitle, e.TranslatedTitle = "", ""
	case WoS:
		merge()
		e.ID, e.ShortTitle, e.OriginalTitle, e.TranslatedTitle = e.Accession, "", "", ""
		e.Edition, e.ArXiv, e.PMCID, e.URL, e.URLs, e.Notes, e.Database = "", "", "", "", nil, nil, ""
		if e.Type == Magazine {
			e.Type = Journal
		}
	}
	return e
}

var lawFormats = []Format{RIS, NBIB, WoS, BibTeX, CSL, EndNoteXML, CSV, Spreadsheet, JSONL}

func readBack(t interface{ Fatalf(string, ...any) }, f Format, b []byte) ([]Entry, Summary) {
	var got []Entry
	s, err := Read(bytes.NewReader(b), "x", func(e Entry) error {
		if e.Format != f && !(f == Spreadsheet && e.Format == CSV) {
			t.Fatalf("%s: read as %s", f, e.Format)
		}
		got = append(got, e)
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v\n%s", f, err, b)
	}
	return got, s
}

// hostile holds what formats use as signs of their own.
const hostile = "abz AZ019-–.,;:{}[]()\\\"'$%&#_~^<>|@=+*/é李ذﬁ\n\t\u00a0\u202e\x00"

func anyEntry(t *rapid.T, i int) Entry {
	word := rapid.StringOf(rapid.RuneFrom([]rune(hostile)))
	s := func(name string) string { return word.Draw(t, name) }
	some := func(name string) []string {
		var out []string
		for range rapid.IntRange(0, 2).Draw(t, name) {
			out = append(out, s(name))
		}
		return out
	}
	pick := func(name string, values ...string) string { return rapid.SampledFrom(values).Draw(t, name) }
	people := func(name string) []Name {
		var out []Name
		for range rapid.IntRange(0, 2).Draw(t, name) {
			out = append(out, Name{Family: s("family"), Given: s("given"), Suffix: pick("suffix", "", "", "Jr.", "III", "x"),
				Literal: pick("literal", "", "", "", "A and B", "C, D", "World Health Organization", "Joon Sung Park", "李明", "Plato")})
		}
		return out
	}
	e := Entry{ID: fmt.Sprintf("id%d", i), Type: pick("type", Journal, Magazine, Newspaper, Conference, Book, Chapter, Thesis, Report, Dataset, Software, Patent, Standard, Preprint, Webpage, Document, ""),
		Title: s("title"), ShortTitle: s("short"), OriginalTitle: s("original"), TranslatedTitle: s("translated"), Authors: people("authors"), Editors: people("editors"),
		Date: pick("date", "", "2020", "2020-05", "2020-05-06", "1999-12-31", "x"), Container: s("container"), Abbrev: s("abbrev"), Series: s("series"), Edition: s("edition"),
		Publisher: s("publisher"), Place: s("place"), Volume: s("volume"), Issue: s("issue"), Pages: s("pages"), ArticleNumber: s("article"), Language: s("language"),
		Abstract: s("abstract"), DOI: pick("doi", "", "10.1000/a_b(1)<2>", "https://doi.org/10.1/x"), ArXiv: pick("arxiv", "", "2301.00001", "hep-th/9901001v2"),
		PMID: pick("pmid", "", "12345"), PMCID: pick("pmcid", "", "PMC77"), URL: s("url"), URLs: some("urls"), ISBN: rapid.SliceOfN(rapid.SampledFrom([]string{"978-3-16-148410-0", "0306406152"}), 0, 2).Draw(t, "isbn"),
		ISSN: rapid.SliceOfN(rapid.SampledFrom([]string{"1234-567X", "0028-0836"}), 0, 2).Draw(t, "issn"), Keywords: some("keywords"), MeSH: some("mesh"), Notes: some("notes"),
		Accession: pick("accession", "", "L2000", "WOS:0001"), Database: pick("database", "", "Embase", "A, B")}
	if rapid.Bool().Draw(t, "worked") {
		e.PubTypes = []string{pick("work", "Randomized Controlled Trial", "Ph.D.", "x=1")}
	}
	return e
}

// Any entry survives any format, as far as the format can hold it.
func TestRoundTripLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in []Entry
		for i := range rapid.IntRange(1, 2).Draw(t, "n") {
			in = append(in, anyEntry(t, i))
		}
		for _, e := range in {
			if d := cmp.Diff(e.Normal(), e.Normal().Normal()); d != "" {
				t.Fatalf("Normal is not idempotent:\n%s", d)
			}
		}
		for _, f := range lawFormats {
			var b bytes.Buffer
			if err := Write(&b, f, in); err != nil {
				t.Fatal(err)
			}
			got, _ := readBack(t, f, b.Bytes())
			if len(got) != len(in) {
				t.Fatalf("%s: %d entries became %d:\n%s", f, len(in), len(got), b.Bytes())
			}
			for i := range in {
				g := got[i]
				g.Format, g.RawType, g.Extra = "", "", nil
				if d := cmp.Diff(held(f, in[i]), g); d != "" {
					t.Fatalf("%s (-want +got):\n%s\n%s", f, d, b.Bytes())
				}
			}
		}
	})
}

// What a format has beside our fields survives reading and writing in it.
func TestExtraLaw(t *testing.T) {
	names := map[Format][]string{
		RIS: {"C1", "M1", "RN", "U1", "L1"}, NBIB: {"GR", "SO", "CI", "RN"}, WoS: {"CR", "FX", "WC"}, BibTeX: {"file", "timestamp", "mrnumber"},
		CSL: {"event-place", "custom/x", "categories"}, EndNoteXML: {"custom1", "foreign-keys/key app=\"EN\" db-id=\"x\"", "contributors/tertiary-authors/author"},
		CSV: {"Affiliations", "Cited by"}, JSONL: {"label_included", "work"},
	}
	values := rapid.SampledFrom([]string{"plain", "two words; more", "a {b} \\'e", "1", `{"a":[1]}`, "é <b> & \"q\"", "x@y.org, 5%"})
	rapid.Check(t, func(t *rapid.T) {
		for _, f := range lawFormats {
			e := Entry{ID: "a", Type: Journal, Title: "T", Format: f}
			for i := range rapid.IntRange(0, 3).Draw(t, "n") {
				if f == Spreadsheet || f == CSV && i >= len(names[f]) {
					continue
				}
				name := rapid.SampledFrom(names[f]).Draw(t, "name")
				if f == CSV || f == CSL {
					name = names[f][i%len(names[f])]
				}
				e.Extra = append(e.Extra, Field{name, values.Draw(t, "value")})
			}
			if f == CSL || f == CSV {
				e.Extra = slices.CompactFunc(e.Extra, func(a, b Field) bool { return a.Name == b.Name })
				if len(e.Extra) > 2 {
					e.Extra = e.Extra[:2]
				}
			}
			var b bytes.Buffer
			if err := Write(&b, f, []Entry{e}); err != nil {
				t.Fatal(err)
			}
			got, _ := readBack(t, f, b.Bytes())
			want := slices.Clone(e.Normal().Extra)
			if f == CSL || f == EndNoteXML { // members come sorted, elements with those of their kind
				for _, list := range [][]Field{want, got[0].Extra} {
					slices.SortStableFunc(list, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
				}
			}
			if d := cmp.Diff(want, got[0].Extra); d != "" {
				t.Fatalf("%s: %s\n%s", f, d, b.Bytes())
			}
		}
	})
}
