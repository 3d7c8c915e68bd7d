package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

func TestBuiltinLibrary(t *testing.T) {
	lib, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	// The numbers are those of library/README.md.
	if n := len(lib.Works); n != 243 {
		t.Errorf("%d works", n)
	}
	links, synopses, topics := 0, 0, map[string]int{}
	taken := map[string]string{}
	for i, w := range lib.Works {
		links += len(lib.Cites(i))
		topics[w.Topic]++
		if w.Year < 1960 || w.Year > 2026 || w.VenueYear != 0 && (w.VenueYear < 1960 || w.VenueYear > 2026) {
			t.Errorf("%s is of %d, venue of %d", w.ID, w.Year, w.VenueYear)
		}
		if len(w.Authors) == 0 && !w.Cut {
			t.Errorf("%s has no authors and does not say so", w.ID)
		}
		for _, a := range w.Authors {
			if n := split(a); n.family == "" || strings.IndexFunc(a, unicode.IsControl) >= 0 {
				t.Errorf("%s has the author %q", w.ID, a)
			}
		}
		if w.Abstract != "" {
			t.Errorf("%s has an abstract of its authors; the library ships synopses", w.ID)
		}
		if w.Synopsis != "" {
			synopses++
			if n := len(strings.Fields(w.Synopsis)); n < 80 || n > 200 {
				t.Errorf("the synopsis of %s has %d words", w.ID, n)
			}
			if strings.HasPrefix(w.Synopsis, state.SynopsisMark) || text.OneLine(w.Synopsis) != w.Synopsis {
				t.Errorf("the synopsis of %s is not plain text without mark", w.ID)
			}
		}
		for _, id := range []string{w.DOI, w.ArXiv, w.OpenAlex, w.PMID, w.S2, w.DBLP} {
			if id == "" {
				continue
			}
			if other, twice := taken[id]; twice {
				t.Errorf("%s and %s share %s", w.ID, other, id)
			}
			taken[id] = w.ID
			if Made(id) {
				t.Errorf("the identifier %s of %s lies in a reserved range", id, w.ID)
			}
		}
		if w.CorpusID != 0 && Made(itoa(w.CorpusID)) {
			t.Errorf("the corpus id of %s lies in the reserved range", w.ID)
		}
		if w.CitedBy != nil && (w.CitedBy.Count < 0 || w.CitedBy.Source == "" || w.CitedBy.Date == "") {
			t.Errorf("the citation count of %s has no source or date: %+v", w.ID, *w.CitedBy)
		}
	}
	if links != 344 || synopses != 184 || topics["agent memory"] != 130 || topics["lookalike"] != 38 || topics["retracted"] != 1 {
		t.Errorf("%d links, %d synopses, topics %v", links, synopses, topics)
	}
}

// TestHoldings checks that services differ, and that no work is lost.
func TestHoldings(t *testing.T) {
	lib, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	all := hold(lib)
	alone, in := 0, map[string]int{}
	abstracts := map[string]int{}
	for i := range lib.Works {
		n := 0
		for _, s := range Sources() {
			if r := all[s].main(int32(i)); r >= 0 {
				n++
				in[s]++
				if all[s].records[r].abstract {
					abstracts[s]++
				}
			}
		}
		switch n {
		case 0:
			t.Errorf("no service holds %s", lib.Works[i].ID)
		case 1:
			alone++
		}
	}
	for s, want := range map[string][2]int{ArXiv: {187, 187}, Crossref: {60, 60}, PubMed: {20, 40}, OpenAlex: {210, 242}, SemanticScholar: {210, 242}} {
		if in[s] < want[0] || in[s] > want[1] {
			t.Errorf("%s holds %d works, %v expected", s, in[s], want)
		}
	}
	if alone < 3 || alone > 25 {
		t.Errorf("%d works are in one service only", alone)
	}
	for _, s := range []string{Crossref, OpenAlex, SemanticScholar} {
		if abstracts[s] == 0 || abstracts[s] == in[s] {
			t.Errorf("%s has abstracts of %d in %d works", s, abstracts[s], in[s])
		}
	}
	twins, withLists, arXivOnly := 0, 0, 0
	f := lib.prepare()[OpenAlex]
	for r := range int32(len(f.records)) {
		if f.records[r].preprint {
			twins++
		}
		if w := f.of(r); w.DOI == "" && w.ArXiv != "" && len(lib.Cites(int(f.records[r].work))) > 0 {
			arXivOnly++
			withLists += btoi(len(f.openAlexReferences(r)) > 0)
		}
	}
	if twins < 4 || twins > 12 {
		t.Errorf("OpenAlex has %d preprints beside a venue version", twins)
	}
	if withLists == 0 || withLists == arXivOnly {
		t.Errorf("OpenAlex has the reference lists of %d in %d preprints", withLists, arXivOnly)
	}
}

func TestMade(t *testing.T) {
	lib, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range lib.Works {
		for _, id := range []string{madeW(i), madeWTwin(i), madePMID(i), madePaper(i)} {
			if !Made(id) || seen[id] {
				t.Errorf("%s is not told from real ids, or was given twice", id)
			}
			seen[id] = true
		}
		if state.NormalizePMID(madePMID(i)) == "" || state.NormalizeS2(madePaper(i)) == "" || state.NormalizeOpenAlex(madeW(i)) == "" {
			t.Errorf("the ids of work %d do not have the form of the service's", i)
		}
	}
	for _, id := range []string{"https://openalex.org/W9900000001", "CorpusID:990000001", "PMID:990000012", "S9900000003"} {
		if !Made(id) {
			t.Errorf("%s was made", id)
		}
	}
	for _, id := range []string{"", "W2741809807", "W7104728135", "11992015", "41884867", "263909014", "10.1038/nature04533", "2304.03442",
		"5a4d9f0e00000000000000000000000000000001", "204e3073870fae3d05bcbc2f6a8e263d9b72e776", "https://openalex.org/", "W", "W99000000x1"} {
		if Made(id) {
			t.Errorf("%q is no made id", id)
		}
	}
}

func TestLoadLibrary(t *testing.T) {
	cases := []struct{ name, file, fault string }{
		{"one work", `{"title":"A Study"}`, ""},
		{"byte order mark, blank lines, unknown fields", "\xef\xbb\xbf{\"title\":\"A Study\",\"colour\":\"red\"}\n\n  \n", ""},
		{"identifiers in any form", `{"title":"A","doi":"https://doi.org/10.1000/X.1","arxiv":"arXiv:2301.00001v2","pmid":"PMID: 12","openalex":"https://openalex.org/W12"}`, ""},
		{"empty", "", "there is no work in it"},
		{"no title", `{"title":"A"}` + "\n" + `{"id":"x","year":2020}`, "line 2: the work has no title"},
		{"blank title", `{"title":"  "}`, "line 1: the work has no title"},
		{"not JSON", `{"title":"A"}` + "\n{oops", "line 2: it is not a JSON object"},
		{"a list", `["A"]`, "line 1"},
		{"wrong type", `{"title":"A","year":"2020"}`, `line 1: "year" is a string where int is expected`},
		{"id twice", `{"id":"x","title":"A"}` + "\n" + `{"id":"x","title":"B"}`, `line 2: the id "x" was given before`},
		{"bad DOI", `{"title":"A","doi":"nonsense"}`, `"nonsense" is no DOI`},
		{"junk after the object", `{"title":"A"} {"title":"B"}`, "line 1: it is not a JSON object"},
		{"unknown service", `{"title":"A","in":["scopus"]}`, `the services are arxiv, openalex`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "library.jsonl")
			if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			lib, err := LoadLibrary(path)
			switch {
			case c.fault == "" && (err != nil || len(lib.Works) != 1):
				t.Errorf("got %v", err)
			case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
				t.Errorf("got %v, %q expected", err, c.fault)
			}
		})
	}
	if _, err := LoadLibrary(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "cannot be opened") {
		t.Errorf("a missing file gives %v", err)
	}
}

// A key that is not read is named, with how many works have it, the first line,
// and what may have been meant.
func TestUnknownKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "library.jsonl")
	file := `{"title":"A","Abstract":"read: case does not matter"}` + "\n\n" +
		`{"title":"B","abstrct":"x","cited_by":{"count":3,"total":4}}` + "\n" +
		`{"title":"C","abstrct":"y","colour":"red"}`
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	lib, err := LoadLibrary(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range lib.Unknown {
		got = append(got, u.String())
	}
	want := []string{
		`"abstrct" is not read (2 works, first in line 3); did you mean "abstract"?`,
		`"cited_by.total" is not read (line 3)`,
		`"colour" is not read (line 4)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if lib.Works[0].Abstract == "" || lib.Works[1].CitedBy.Count != 3 || len(lib.Works) != 3 {
		t.Errorf("works %+v", lib.Works)
	}
	if built, err := Builtin(); err != nil || len(built.Unknown) != 0 {
		t.Errorf("the built-in library: %v, %v", built.Unknown, err)
	}
	if _, err := LoadLibrary(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder gives %v", err)
	}
}

func TestLoadLibraryNormalises(t *testing.T) {
	lib, byID, err := readLibrary(strings.NewReader(`{"id":"a","title":" A\n study ","doi":"10.48550/arXiv.2301.00001","references":["b","b","none","a"]}
{"id":"b","title":"B","s2":"204E3073870FAE3D05BCBC2F6A8E263D9B72E776"}`))
	if err != nil {
		t.Fatal(err)
	}
	a, b := lib.Works[byID["a"]], lib.Works[byID["b"]]
	if a.Title != "A study" || a.ArXiv != "2301.00001" || a.DOI != "" || b.S2 != "204e3073870fae3d05bcbc2f6a8e263d9b72e776" {
		t.Errorf("got %+v and %+v", a, b)
	}
	if got := fmt.Sprint(lib.Cites(0), lib.CitedBy(0), lib.CitedBy(1), lib.Cites(7)); got != "[1 0] [0] [0] []" {
		t.Errorf("the links are %s", got)
	}
}

// TestLargeLibrary loads a library of many works and serves it.
func TestLargeLibrary(t *testing.T) {
	const works = 5000
	var file bytes.Buffer
	for i := range works {
		fmt.Fprintf(&file, `{"id":"w%d","title":"Study number %d of the memory of %s","authors":["Given Family%d"],"year":%d,"doi":"10.1000/w%d","abstract":"We examined cohort %d.","references":["w%d"]}`+"\n",
			i, i, []string{"rats", "mice", "agents"}[i%3], i, 1990+i%30, i, i, i/2)
	}
	began := time.Now()
	lib, _, err := readLibrary(&file)
	if err != nil || len(lib.Works) != works {
		t.Fatalf("%v", err)
	}
	f := lib.prepare()[OpenAlex]
	if spent := time.Since(began); spent > 30*time.Second {
		t.Errorf("loading took %v", spent)
	}
	hits := f.eval(f.sequence(text.Tokens("memory of rats"), -1, inText, true))
	if len(hits) < works/3-works/10 || len(hits) > works/3+1 {
		t.Errorf("%d hits", len(hits))
	}
}

func TestNames(t *testing.T) {
	cases := []struct{ in, given, family, initials string }{
		{"Endel Tulving", "Endel", "Tulving", "E"},
		{"Paul C. van Fenema", "Paul C.", "van Fenema", "PC"},
		{"George Bm Van Den Driessche", "George Bm", "Van Den Driessche", "GB"},
		{"Gómez Colmenarejo, Sergio", "Sergio", "Gómez Colmenarejo", "S"},
		{"Jean-Baptiste Lespiau", "Jean-Baptiste", "Lespiau", "JB"},
		{"R. C. Atkinson", "R. C.", "Atkinson", "RC"},
		{"OpenAI", "", "OpenAI", ""},
		{"De Bruijn", "De", "Bruijn", "D"},
		{"", "", "", ""},
	}
	for _, c := range cases {
		n := split(c.in)
		if n.given != c.given || n.family != c.family || n.initials("") != c.initials {
			t.Errorf("%q gives %q, %q, %q", c.in, n.given, n.family, n.initials(""))
		}
	}
}

// TestSpellings checks that every spelling is still recognisably the title.
func TestSpellings(t *testing.T) {
	lib, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string]int{}
	for i := range lib.Works {
		w := &lib.Works[i]
		for _, s := range Sources() {
			title := titleIn(s, w)
			if s == Crossref {
				main, sub := crossrefTitle(w)
				if sub != "" {
					changed["subtitle"]++
					title = main + ": " + sub
				}
			}
			if title != w.Title {
				changed[s]++
			}
			if got, want := text.TitleKey(title), text.TitleKey(w.Title); got != want && !slices.Contains([]string{"arxiv:2402.13718"}, w.ID) {
				t.Errorf("%s writes %q, which is not %q", s, title, w.Title)
			}
		}
	}
	for _, s := range []string{ArXiv, OpenAlex, Crossref, PubMed, SemanticScholar, "subtitle"} {
		if changed[s] == 0 {
			t.Errorf("%s changes no title", s)
		}
	}
}
