package biblio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var formats = []struct {
	name  string
	write func([]Entry) ([]byte, error)
	read  func([]byte) ([]Entry, []Problem)
}{
	{"RIS", func(e []Entry) ([]byte, error) { return WriteRIS(e), nil }, ReadRIS},
	{"BibTeX", func(e []Entry) ([]byte, error) { return WriteBibTeX(e), nil }, ReadBibTeX},
	{"CSL-JSON", WriteCSL, ReadCSL},
}

var sample = []Entry{
	{ID: "doc_0001", Type: Journal, Title: "Paged Memory: 50% of {agents} & \\LaTeX_users <b>", Container: "Journal of Agents & Co.",
		Authors: []Name{{Family: "Packer", Given: "Ada B."}, {Family: "van der Berg", Given: "Jean-Luc"}, {Literal: "Memory and Learning Consortium, Inc"}, {Family: "Smith, Jr", Given: "Bob"}},
		Date:    "2024-03-05", Volume: "12", Issue: "3", Pages: "45–67", Publisher: "Wiley", Abstract: "One.\nTwo \"quoted\" @home ~ $5 ^ # | \\.", Language: "en",
		DOI: "10.1234/a_b(1)", ArXiv: "2301.00001", PMID: "123", PMCID: "PMC9", URL: "https://example.org/a_b?x=%7E1#f", Keywords: []string{"memory", "agents; pages"}, Notes: []string{"Retracted", "see also"}},
	{ID: "doc_0002", Type: Preprint, Title: "记忆机制研究 (ذاكرة)", Authors: []Name{{Family: "李", Given: "明"}, {Family: "张"}}, Date: "2025", ArXiv: "2302.00002"},
	{ID: "x", Type: Document, Title: "Only a title", ArXiv: "2302.00003"},
	{ID: "y", Type: "no such type"},
}

func TestRoundTrip(t *testing.T) {
	var want []Entry
	for _, e := range sample {
		want = append(want, e.Normal())
	}
	for _, f := range formats {
		b, err := f.write(sample)
		if err != nil {
			t.Fatal(err)
		}
		got, problems := f.read(b)
		for _, p := range problems {
			if f.name != "RIS" || !strings.Contains(p.Message, "neither title") {
				t.Errorf("%s: %v", f.name, p)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", f.name, d, b)
		}
	}
}

// Any entry survives any format in its normal form.
func TestRoundTripLaw(t *testing.T) {
	word := rapid.StringOf(rapid.RuneFrom([]rune("abz AZ019-–.,;:{}[]()\\\"'$%&#_~^<>|@=+*/é李ذﬁ\n\t\u00a0\u202e\x00")))
	kinds := rapid.SampledFrom([]string{Journal, Conference, Book, Chapter, Thesis, Report, Dataset, Preprint, Webpage, Document, ""})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 3).Draw(t, "n")
		var in, want []Entry
		for i := range n {
			s := func(name string) string { return word.Draw(t, name) }
			e := Entry{ID: fmt.Sprintf("id%d", i), Type: kinds.Draw(t, "type"), Title: s("title"), Container: s("container"), Date: rapid.SampledFrom([]string{"", "2020", "2020-05", "2020-05-06", "x"}).Draw(t, "date"),
				Volume: s("volume"), Issue: s("issue"), Pages: s("pages"), Publisher: s("publisher"), Abstract: s("abstract"), Language: s("language"),
				DOI: strings.ReplaceAll(s("doi"), "\\", ""), ArXiv: rapid.SampledFrom([]string{"", "2301.00001"}).Draw(t, "arxiv"), URL: s("url"),
				Keywords: []string{s("k1"), s("k2")}, Notes: []string{s("n1"), s("n2")}}
			for range rapid.IntRange(0, 3).Draw(t, "authors") {
				e.Authors = append(e.Authors, Name{Family: s("family"), Given: s("given"), Literal: rapid.SampledFrom([]string{"", "", "A and B", "C, D"}).Draw(t, "literal")})
			}
			in, want = append(in, e), append(want, e.Normal())
		}
		for i := range want {
			if d := cmp.Diff(want[i], want[i].Normal()); d != "" {
				t.Fatalf("Normal is not idempotent:\n%s", d)
			}
		}
		for _, f := range formats {
			b, err := f.write(in)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := f.read(b)
			if len(got) != len(want) {
				t.Fatalf("%s: %d entries became %d:\n%s", f.name, len(want), len(got), b)
			}
			for i := range want {
				if d := cmp.Diff(want[i], got[i]); d != "" {
					t.Fatalf("%s (-want +got):\n%s\n%q", f.name, d, b)
				}
			}
		}
	})
}

func TestReadRISInTheWild(t *testing.T) {
	in := "\uFEFFProvider: Embase\r\nTY  - JOUR\r\nT1  - First\r\n title goes on\r\nA1  - Doe, Jane\r\nY1  - 2019/05//\r\nSP  - 12\r\nEP  - 19\r\nER  - \r\n" +
		"Link to the Ovid Full Text: http://example.org\r\nTY  - JOUR\r\nTI  - Second\r\nJO  - J Test\r\nTY  - BOOK\r\nTI  - Third\r\nER  -\r\nTI  - Fourth\r\nER  - \r\n"
	got, problems := ReadRIS([]byte(in))
	var titles []string
	for _, e := range got {
		titles = append(titles, e.Title)
	}
	if d := cmp.Diff([]string{"First title goes on", "Second", "Third", "Fourth"}, titles); d != "" {
		t.Error(d)
	}
	if len(problems) != 4 {
		t.Errorf("4 problems expected (two stray lines, a missing ER, a missing TY), got %v", problems)
	}
	if got[0].Pages != "12-19" || got[0].Date != "2019-05" || got[0].Authors[0].Family != "Doe" || got[1].Container != "J Test" {
		t.Errorf("fields: %+v", got[0])
	}
	if e, _ := ReadRIS([]byte("TY  - JOUR\nTI  - M\xfcller\nER  - \n")); e[0].Title != "Müller" {
		t.Errorf("Windows-1252 read as %q", e[0].Title)
	}
}

func TestReadBibTeXInTheWild(t *testing.T) {
	in := "% a comment first\n@string{jt = \"Journal of Tests\"}\n@article{a, title = {A {Study}}, journal = jt # {, Part } # \"B\", author = \"M{\\\"u}ller, Jos\\'e and Ludwig van Beethoven\", year = 2020, month = mar, abstract = {write to me@example.org}\n doi = {10.1/x\\_y}}\n" +
		"@article(b, title = \"Paren style\")\n@article{broken, title = {never closed\n@misc{c, title={Last}, eprint={2301.1}, archivePrefix={arXiv}}\n"
	got, problems := ReadBibTeX([]byte(in))
	want := []Entry{
		{ID: "a", Type: Journal, Title: "A Study", Container: "Journal of Tests, Part B", Authors: []Name{{Family: "Müller", Given: "José"}, {Family: "van Beethoven", Given: "Ludwig"}},
			Date: "2020-03", Abstract: "write to me@example.org", DOI: "10.1/x_y"},
		{ID: "b", Type: Journal, Title: "Paren style"},
		{ID: "c", Type: Preprint, Title: "Last", ArXiv: "2301.1"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(problems) != 1 || problems[0].Line != 6 || problems[0].Entry != "broken" {
		t.Errorf("problems: %v", problems)
	}
}

func TestReadCSLInTheWild(t *testing.T) {
	got, problems := ReadCSL([]byte(`[{"id": 7, "type": "article-journal", "title": ["T"], "issued": {"date-parts": [["2020", 5]]}, "volume": 3}, {"id": "x", "author": "not a list"}, {"id":"y","issued":{"raw":"2019-02"}}]`))
	if len(got) != 2 || got[0].ID != "7" || got[0].Title != "T" || got[0].Date != "2020-05" || got[0].Volume != "3" || got[1].Date != "2019-02" {
		t.Errorf("entries: %+v", got)
	}
	if len(problems) != 1 {
		t.Errorf("problems: %v", problems)
	}
	if _, p := ReadCSL([]byte("nonsense")); len(p) != 1 {
		t.Errorf("a file that is not JSON gives %v", p)
	}
}

func FuzzReaders(f *testing.F) {
	for _, s := range []string{"TY  - JOUR\nTI  - a\nER  - ", "@article{a, title = {x}}", `[{"id":1}]`, "@(", "TY  -", "@a{b,c=\"{\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, x := range formats {
			entries, _ := x.read(b)
			for _, e := range entries {
				if d := cmp.Diff(e, e.Normal()); d != "" {
					t.Fatalf("%s gives an entry that is not in normal form: %s", x.name, d)
				}
			}
		}
	})
}
