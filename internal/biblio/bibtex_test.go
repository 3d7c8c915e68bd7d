package biblio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBibTeXInTheWild(t *testing.T) {
	in := "% a comment first\n@string{jt = \"Journal of Tests\"}\n@article{a, title = {A {Study}}, journal = jt # {, Part } # \"B\", author = \"M{\\\"u}ller, Jos\\'e and Ludwig van Beethoven\", year = 2020, month = mar, abstract = {write to me@example.org}\n doi = {10.1/x\\_y}}\n" +
		"@article(b, title = \"Paren style\")\n@article{broken, title = {never closed\n@misc{c, title={Last}, eprint={2301.1}, archivePrefix={arXiv}}\n"
	got, s := read(t, "x.bib", in)
	want := []Entry{
		{ID: "a", Type: Journal, RawType: "article", Title: "A Study", Container: "Journal of Tests, Part B", Authors: []Name{{Family: "Müller", Given: "José"}, {Family: "van Beethoven", Given: "Ludwig"}},
			Date: "2020-03", Abstract: "write to me@example.org", DOI: "10.1/x_y", Format: BibTeX},
		{ID: "b", Type: Journal, RawType: "article", Title: "Paren style", Format: BibTeX},
		{ID: "c", Type: Preprint, RawType: "misc", Title: "Last", ArXiv: "2301.1", Format: BibTeX},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if s.Skipped != 1 || s.Skips[0].Line != 6 || s.Skips[0].Entry != "broken" {
		t.Errorf("%+v", s)
	}
}

func TestBibTeXValues(t *testing.T) {
	for _, c := range []struct{ in, field, want string }{
		{`title = {{\'E}cole {\o}f \"{U}ber na{\"\i}ve $\alpha$-helices \& more}`, "title", "École øf Über naïve α-helices & more"},
		{`title = "Quoted {"}inner{"} mark"`, "title", `Quoted "inner" mark`},
		{`title = {Escaped \{0,1\} braces}`, "title", "Escaped {0,1} braces"},
		{`title = {One \{ brace}`, "title", "One { brace"},
		{`title = {50\% of \$5 in A\_B~C}`, "title", "50% of $5 in A_B C"},
		{"title = {Deep {{{{nested}}}} braces}", "title", "Deep nested braces"},
		{`keywords = {one, two; three, four}`, "keywords", "one, two|three, four"},
		{`keywords = {one, two}`, "keywords", "one|two"},
		{`author = {{World Health Organization} and Joon Sung Park and O'Neil, Jr., Ann and others}`, "author", "World Health Organization,|Park, Joon Sung|O'Neil, Ann, Jr.|others"},
		{`author = {Charles Louis Xavier Joseph de la Vall{\'e}e Poussin}`, "author", "de la Vallée Poussin, Charles Louis Xavier Joseph"},
		{`author = {{Barnes and Noble} and {\'E}mile Zola}`, "author", "Barnes and Noble,|Zola, Émile"},
		{`journal = {arXiv preprint arXiv:2005.11401}`, "arxiv", "2005.11401"},
		{`year = {in press}`, "date", ""},
		{`date = {2020-03-05/2020-03-09}`, "date", "2020-03-05"},
		{`url = {\url{https://example.org/a_b?x=1\&y=2}}`, "url", "https://example.org/a_b?x=1&y=2"},
		{`pages = {1--9, 11}`, "pages", "1-9, 11"},
	} {
		got, s := read(t, "x.bib", "@article{k,\n  "+c.in+"\n}\n")
		if len(got) != 1 {
			t.Errorf("%s: %s", c.in, messages(s.Skips))
			continue
		}
		e := got[0]
		have := map[string]string{"title": e.Title, "keywords": strings.Join(e.Keywords, "|"), "author": strings.Join(joinedAll(e.Authors), "|"), "arxiv": e.ArXiv, "date": e.Date, "url": e.URL, "pages": e.Pages}[c.field]
		if have != c.want {
			t.Errorf("%s: %q, want %q", c.in, have, c.want)
		}
	}
}

func TestWriteBibTeX(t *testing.T) {
	got := string(WriteBibTeX([]Entry{
		{ID: "a", Type: Journal, Title: "50% {of} A_B & C\\d", Authors: []Name{DisplayName("Joon Sung Park"), {Literal: "Memory Study Group"}, {Literal: "Plato"}, {Family: "King", Given: "M. L.", Suffix: "Jr."}}, Date: "2024-03", Pages: "1-9", Container: "J"},
		{ID: "a", Type: Preprint, Title: "T", ArXiv: "2301.00001", Date: "2023"},
		{Type: Book, Title: "The Émigré story", Authors: []Name{{Family: "Müller", Given: "A"}}, Date: "1999"},
	}))
	want := `@article{a,
  title = {{50\% \textbraceleft{}of\textbraceright{} A\_B \& C\textbackslash{}d}},
  year = {2024},
  date = {2024-03},
  journal = {J},
  pages = {1--9},
  author = {Park, Joon Sung and {Memory Study Group} and Plato and King, Jr., M. L.}
}

@misc{aentry2,
  title = {{T}},
  year = {2023},
  pubstate = {preprint},
  eprint = {2301.00001},
  archiveprefix = {arXiv}
}

@book{muller1999emigre,
  title = {{The Émigré story}},
  year = {1999},
  author = {Müller, A}
}

`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Unknown fields come back letter for letter, TeX and all.
func TestBibTeXKeepsUnknownFields(t *testing.T) {
	got, _ := read(t, "x.bib", "@mastersthesis{k, title={T}, file = {:C\\:/a b.pdf:PDF}, note = {x}, weird-field = {\\emph{a} {B}}}")
	out := string(WriteBibTeX(got))
	for _, want := range []string{"@mastersthesis{k", `file = {:C\:/a b.pdf:PDF}`, `weird-field = {\emph{a} {B}}`} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing in\n%s", want, out)
		}
	}
}

// Entries in one giant line, and entries far larger than the reading window.
func TestBibTeXLarge(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "@article{k%d, title={Title %d}, year={2020}} ", i, i)
	}
	got, s := read(t, "x.bib", b.String())
	if len(got) != 20_000 || s.Skipped != 0 || got[19_999].ID != "k19999" {
		t.Errorf("%d read, %+v", len(got), s)
	}
	long := strings.Repeat("many words ", 60_000)
	got, s = read(t, "x.bib", "@article{a, abstract={"+long+"}, title={A}}\n@article{b, title={B}}\n")
	if len(got) != 2 || len(got[0].Abstract) != len(long)-1 {
		t.Errorf("%s %s", s.String(), messages(s.Skips))
	}
}
