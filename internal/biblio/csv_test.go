package biblio

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCSVOfDatabases(t *testing.T) {
	for _, c := range []struct {
		name, in, dialect string
		want              []Entry
		warned            int
	}{
		{"Scopus", "\uFEFF\"Authors\",\"Author full names\",\"Author(s) ID\",\"Title\",\"Year\",\"Source title\",\"Volume\",\"Issue\",\"Art. No.\",\"Page start\",\"Page end\",\"Cited by\",\"DOI\",\"Link\",\"Abstract\",\"Author Keywords\",\"PubMed ID\",\"Document Type\",\"Source\",\"EID\"\n" +
			"\"Smith J.; Doe A.B.\",\"Smith, John (57190000001); Doe, Anna B. (57190000002)\",\"1; 2\",\"A \"\"quoted\"\" title\",\"2021\",\"J. Test\",\"4\",\"2\",\"123456\",\"10\",\"19\",\"7\",\"10.1000/sc\",\"https://scopus.example/1\",\"Two\nlines\",\"one; two\",\"345\",\"Conference paper\",\"Scopus\",\"2-s2.0-1\"\n",
			"Scopus", []Entry{{ID: "2-s2.0-1", Accession: "2-s2.0-1", Database: "Scopus", Type: Conference, PubTypes: []string{"Conference paper"}, Title: `A "quoted" title`, Authors: []Name{{Family: "Smith", Given: "John"}, {Family: "Doe", Given: "Anna B."}},
				Date: "2021", Container: "J. Test", Volume: "4", Issue: "2", ArticleNumber: "123456", Pages: "10-19", DOI: "10.1000/sc", URL: "https://scopus.example/1", Abstract: "Two lines", Keywords: []string{"one", "two"}, PMID: "345", Format: CSV,
				Extra: []Field{{"Authors as listed", "Smith J.; Doe A.B."}, {"Author(s) ID", "1; 2"}, {"Cited by", "7"}, {"Source", "Scopus"}}}}, 0},
		{"Web of Science, names", "Publication Type,Authors,Author Full Names,Group Authors,Article Title,Source Title,Document Type,Author Keywords,ISSN,eISSN,Publication Date,Publication Year,Volume,Start Page,End Page,DOI,UT (Unique WOS ID)\n" +
			"J,\"Kowalski, J\",\"Kowalski, Jan\",Mapping Group,A title,SCIENTOMETRICS,Article,a; b,0138-9130,1588-2861,MAY 3,2021,126,1,9,10.1000/w,WOS:1\n",
			"Web of Science", []Entry{{ID: "WOS:1", Accession: "WOS:1", Type: Journal, PubTypes: []string{"Article"}, Title: "A title", Authors: []Name{{Family: "Kowalski", Given: "Jan"}, {Literal: "Mapping Group"}}, Date: "2021-05-03", Container: "SCIENTOMETRICS",
				Volume: "126", Pages: "1-9", DOI: "10.1000/w", Keywords: []string{"a", "b"}, ISSN: []string{"0138-9130", "1588-2861"}, Format: CSV,
				Extra: []Field{{"Authors as listed", "Kowalski, J"}, {"publication date", "MAY 3"}}}}, 0},
		{"Web of Science, tags", "PT\tAU\tAF\tTI\tSO\tDE\tPY\tDI\tUT\nJ\tKowalski, J; Nowak, A\tKowalski, Jan; Nowak, Anna\tA title\tSCIENTOMETRICS\ta; b\t2021\t10.1000/w\tWOS:1\n",
			"Web of Science", []Entry{{ID: "WOS:1", Accession: "WOS:1", Type: Journal, Title: "A title", Authors: []Name{{Family: "Kowalski", Given: "Jan"}, {Family: "Nowak", Given: "Anna"}}, Date: "2021", Container: "SCIENTOMETRICS", DOI: "10.1000/w",
				Keywords: []string{"a", "b"}, Format: CSV, Extra: []Field{{"AU as listed", "Kowalski, J; Nowak, A"}}}}, 0},
		{"Embase", "Embase search\nTitle,Author Names,Source title,Publication Year,First Page,Last Page,Publication Type,Author Keywords,Embase Accession ID,Medline PMID,DOI\nA,\"Smith J., Doe A.B., Asthma Group\",Lancet,2020,1,9,Conference Abstract,\"x, y\",2001,345,10.1000/e\n",
			"Embase", []Entry{{ID: "2001", Accession: "2001", Database: "Embase", Type: Conference, PubTypes: []string{"Conference Abstract"}, Title: "A", Authors: []Name{{Family: "Smith", Given: "J."}, {Family: "Doe", Given: "A.B."}, {Literal: "Asthma Group"}},
				Date: "2020", Container: "Lancet", Pages: "1-9", Keywords: []string{"x", "y"}, PMID: "345", DOI: "10.1000/e", Format: CSV}}, 1},
		{"Embase, a field a row", "\"TITLE\",\"A study\"\n\"AUTHOR NAMES\",\"Smith J.\",\"Doe A.\"\n\"SOURCE TITLE\",\"Lancet\"\n\"PUBLICATION YEAR\",\"2020\"\n\n\"TITLE\",\"Second\"\n\"DOI\",\"10.1000/2\"\n",
			"Embase", []Entry{{Type: Journal, Title: "A study", Authors: []Name{{Family: "Smith", Given: "J."}, {Family: "Doe", Given: "A."}}, Container: "Lancet", Date: "2020", Format: CSV}, {Type: Document, Title: "Second", DOI: "10.1000/2", Format: CSV}}, 0},
		{"PubMed", "PMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,NIHMS ID,DOI\n300,A seed,\"Lira R, de Oliveira ASB, Cruz A Jr, Seed Consortium.\",Econ Bot. 2021 Mar 4;75(2):101-110. doi: 10.1000/eb.,Lira R,Econ Bot,2021,2021/01/04,PMC5,,10.1000/eb\n",
			"PubMed", []Entry{{ID: "300", PMID: "300", Database: "PubMed", Type: Journal, Title: "A seed", Authors: []Name{{Family: "Lira", Given: "R"}, {Family: "de Oliveira", Given: "ASB"}, {Family: "Cruz", Given: "A", Suffix: "Jr"}, {Literal: "Seed Consortium"}},
				Date: "2021-03-04", Container: "Econ Bot", Volume: "75", Issue: "2", Pages: "101-110", PMCID: "PMC5", DOI: "10.1000/eb", Format: CSV,
				Extra: []Field{{"Citation", "Econ Bot. 2021 Mar 4;75(2):101-110. doi: 10.1000/eb."}, {"First Author", "Lira R"}, {"Create Date", "2021/01/04"}}}}, 0},
		{"semicolons, and a short row", "sep=;\nTitle;Authors;Year\nA;Doe, Jane;2020\n\nB;\"Roe, R.\"\n", "",
			[]Entry{{Type: Document, Title: "A", Authors: []Name{{Family: "Doe", Given: "Jane"}}, Date: "2020", Format: CSV}, {Type: Document, Title: "B", Authors: []Name{{Family: "Roe", Given: "R."}}, Format: CSV}}, 1},
		{"stray quotation marks", "Title,Year\nA 5\" disk,2020\nB 3\" disk,2021\nC,2022\n\"never closed,2023\nD,2024\n", "",
			[]Entry{{Type: Document, Title: `A 5" disk`, Date: "2020", Format: CSV}, {Type: Document, Title: `B 3" disk`, Date: "2021", Format: CSV}, {Type: Document, Title: "C", Date: "2022", Format: CSV},
				{Type: Document, Title: "never closed,2023", Format: CSV}, {Type: Document, Title: "D", Date: "2024", Format: CSV}}, 4},
	} {
		got, s := read(t, "x.csv", c.in)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if s.Dialect != c.dialect || s.Warned != c.warned || s.Skipped != 0 {
			t.Errorf("%s: %s\n%s", c.name, s.String(), messages(s.Warnings))
		}
	}
}

// Nothing that a spreadsheet opens is computed, turned into a date or too long.
func TestSpreadsheet(t *testing.T) {
	in := []Entry{{ID: "=1+1", Title: "=HYPERLINK(\"http://x\")", Authors: []Name{{Literal: "@evil"}, {Family: "-Doe", Given: "J"}}, Pages: "9-11", Volume: "3-4", Issue: "1-2", Keywords: []string{"+a", "b"}, Abstract: strings.Repeat("long ", 10_000), Notes: []string{"'=quoted", "x"}, Type: Journal}}
	var b strings.Builder
	if err := Write(&b, Spreadsheet, in); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "\uFEFFID,Type,") {
		t.Errorf("%q", b.String()[:40])
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(b.String(), "\uFEFF"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, cell := range rows[1] {
		if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") || len(cell) > 32767 {
			t.Errorf("%s: %.50q", rows[0][i], cell)
		}
		if rows[0][i] == "Pages" && cell != "9–11" {
			t.Errorf("pages: %q", cell)
		}
	}
	got, _ := read(t, "x.csv", b.String())
	want := held(Spreadsheet, in[0])
	got[0].Format, got[0].RawType, want.Abstract, got[0].Abstract = "", "", "", ""
	if d := cmp.Diff(want, got[0]); d != "" {
		t.Error(d)
	}
}

func TestCSVKeepsColumns(t *testing.T) {
	in := "Authors,Title,Year,Source title,EID,Cited by,Affiliations\n\"Doe, J.\",A,2020,J,2-s2,7,\"Uni A; Uni B\"\n"
	got, _ := read(t, "x.csv", in)
	var b strings.Builder
	if err := Write(&b, CSV, got); err != nil {
		t.Fatal(err)
	}
	again, _ := read(t, "x.csv", b.String())
	for i := range got {
		got[i].RawType, again[i].RawType = "", ""
	}
	if d := cmp.Diff(got, again); d != "" {
		t.Errorf("%s\n%s", d, b.String())
	}
	if len(again[0].Extra) != 2 {
		t.Errorf("%+v", again[0].Extra)
	}
}
