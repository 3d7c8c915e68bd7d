package biblio

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

const accents = "TY  - JOUR\r\nTI  - Müller – “naïve” café\r\nAU  - Núñez, José\r\nER  - \r\n"

func TestEncodings(t *testing.T) {
	encode := func(e encoding.Encoding, s string) string {
		out, err := e.NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, c := range []struct{ name, in, encoding string }{
		{"plain", accents, "UTF-8"},
		{"BOM", "\uFEFF" + accents, "UTF-8 with BOM"},
		{"UTF-16LE", encode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), accents), "UTF-16LE"},
		{"UTF-16BE", encode(unicode.UTF16(unicode.BigEndian, unicode.UseBOM), accents), "UTF-16BE"},
		{"UTF-16LE without BOM", encode(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), accents), "UTF-16LE"},
		{"UTF-16BE without BOM", encode(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), accents), "UTF-16BE"},
		{"UTF-32", encode(utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), accents), "UTF-32LE"},
		{"Windows-1252", encode(charmap.Windows1252, accents), "UTF-8 and Windows-1252"},
		{"old Macintosh line ends", strings.ReplaceAll(accents, "\r\n", "\r"), "UTF-8"},
		{"Unix line ends", strings.ReplaceAll(accents, "\r\n", "\n"), "UTF-8"},
	} {
		for _, packed := range []bool{false, true} {
			in := []byte(c.in)
			if packed {
				var b bytes.Buffer
				z := gzip.NewWriter(&b)
				z.Write(in)
				z.Close()
				in = b.Bytes()
			}
			var got []Entry
			s, err := Read(&slow{r: bytes.NewReader(in)}, "x.ris", func(e Entry) error { got = append(got, e); return nil })
			if err != nil || len(got) != 1 || got[0].Title != "Müller – “naïve” café" || got[0].Authors[0] != (Name{Family: "Núñez", Given: "José"}) {
				t.Errorf("%s: %+v %v", c.name, got, err)
			}
			if s.Encoding != c.encoding {
				t.Errorf("%s: encoding %s", c.name, s.Encoding)
			}
		}
	}
	// Latin-1 behind UTF-8: files that were put together.
	got, s := read(t, "x", accents+encode(charmap.Windows1252, accents))
	if len(got) != 2 || got[0].Title != got[1].Title || s.Warned != 1 || s.Warnings[0].Line != 6 {
		t.Errorf("%+v %s", got, messages(s.Warnings))
	}
	xml := `<?xml version="1.0" encoding="windows-1252"?><xml><records><record><titles><title>Müller</title></titles></record></records></xml>`
	if got, s := read(t, "x", encode(charmap.Windows1252, xml)); len(got) != 1 || got[0].Title != "Müller" || s.Warned != 0 {
		t.Errorf("%+v", got)
	}
}

// slow gives a byte at a time, as some readers do.
type slow struct{ r io.Reader }

func (s *slow) Read(p []byte) (int, error) { return s.r.Read(p[:min(1, len(p))]) }

func TestFilesThatCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		name, in string
		kind     error
		says     string
	}{
		{"a.ris", "", ErrEmpty, "it is empty"},
		{"a.ris", "\uFEFF \r\n\r\n", ErrEmpty, "it is empty"},
		{"a.pdf", "%PDF-1.7\n\x00", ErrBinary, "it is a PDF"},
		{"a.xlsx", "PK\x03\x04\x14\x00", ErrBinary, "save the table as CSV UTF-8"},
		{"a.xls", "\xD0\xCF\x11\xE0\xA1\xB1", ErrBinary, "old Office file"},
		{"zotero.sqlite", "SQLite format 3\x00", ErrBinary, "export the library"},
		{"a.rtf", "{\\rtf1 x}", ErrBinary, "RTF"},
		{"a.bin", strings.Repeat("\x00\x01\x02\x03\xff", 300), ErrBinary, "it is not text"},
		{"a.html", "<!DOCTYPE html><html><body>log in</body></html>", ErrUnknown, "it is a web page"},
		{"a.xml", "<?xml version=\"1.0\"?><PubmedArticleSet><PubmedArticle></PubmedArticle></PubmedArticleSet>", ErrUnknown, "format PubMed (.nbib)"},
		{"a.xml", "<?xml version=\"1.0\"?><svg></svg>", ErrUnknown, "not EndNote's"},
		{"a.txt", "just some words\nin two lines", ErrUnknown, "none of the known formats"},
		{"a.ris", "just some words\nin two lines", ErrUnknown, "no record in the format RIS"},
		{"a.bib", "just some words\nin two lines", ErrUnknown, "no record in the format BibTeX"},
		{"a.csv", "1,2,3\n4,5,6\n", ErrUnknown, "names of columns"},
	} {
		s, err := Read(strings.NewReader(c.in), c.name, func(Entry) error { return nil })
		var file *FileError
		if !errors.Is(err, c.kind) || !errors.As(err, &file) || !strings.Contains(err.Error(), c.says) || file.Hint == "" || s.Kept != 0 {
			t.Errorf("%s %.20q: %v", c.name, c.in, err)
		}
	}
}

func TestBrokenEnds(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for range 2000 {
		z.Write([]byte(accents))
	}
	z.Close()
	kept := 0
	s, err := Read(bytes.NewReader(b.Bytes()[:b.Len()-30]), "x.ris.gz", func(Entry) error { kept++; return nil })
	if err != nil || kept == 0 || !strings.Contains(messages(s.Skips), "ends too early") {
		t.Errorf("%d %v %s", kept, err, messages(s.Skips))
	}
	stop := errors.New("stop")
	if s, err := Read(strings.NewReader(accents+accents), "x", func(Entry) error { return stop }); err != stop || s.Kept != 0 {
		t.Errorf("%v %+v", err, s)
	}
	broken := errors.New("the disk is gone")
	if _, err := Read(io.MultiReader(strings.NewReader(accents), &failing{broken}), "x", func(Entry) error { return nil }); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// One giant line, or one giant record, costs bounded memory and is told.
func TestGiants(t *testing.T) {
	giant := strings.Repeat("word ", largest/4)
	for name, in := range map[string]string{
		"line":    "TY  - JOUR\nTI  - T\nAB  - " + giant + "\nER  - \n",
		"record":  "TY  - JOUR\nTI  - T\n" + strings.Repeat("N1  - "+giant[:1<<20]+"\n", 8) + "ER  - \n",
		"wrapped": "TY  - JOUR\nTI  - T\nAB  - a\n" + strings.Repeat("more of the same words in the abstract\n", 200_000) + "ER  - \n",
	} {
		got, s := read(t, "x.ris", in+accents)
		if len(got) != 2 || s.Warned == 0 {
			t.Errorf("%s: %d entries, %s", name, len(got), messages(s.Warnings))
		}
	}
}
