package biblio

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

const (
	headSize  = 64 << 10 // bytes looked at to tell encoding and format
	largest   = 4 << 20  // bytes of one record, or of one line
	totalSize = 16 << 30 // bytes of a file, unpacked
)

// open gives the text of a file as UTF-8 with plain line ends, whatever its
// packing and encoding.
func open(r io.Reader, s *Summary) (*bufio.Reader, error) {
	raw := bufio.NewReaderSize(r, headSize)
	head, err := peek(raw)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", oneLine(s.Name), err)
	}
	if bytes.HasPrefix(head, []byte{0x1F, 0x8B}) {
		z, err := gzip.NewReader(raw)
		if err != nil {
			return nil, &FileError{Name: s.Name, Reason: fmt.Sprintf("it begins like a gzip file but is none (%v)", err), Hint: "Unpack it with gunzip to see what is wrong with it.", Kind: ErrBinary}
		}
		raw = bufio.NewReaderSize(&unpacked{z: z, s: s}, headSize)
		if head, err = peek(raw); err != nil {
			return nil, fmt.Errorf("unpacking %s: %w", oneLine(s.Name), err)
		}
	}
	if err := refuseBinary(s.Name, head); err != nil {
		return nil, err
	}
	text, err := toUTF8(raw, head, s)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(&cleaner{in: text, s: s, left: totalSize}, headSize), nil
}

// peek looks at the first bytes; a file may be shorter.
func peek(r *bufio.Reader) ([]byte, error) {
	head, err := r.Peek(headSize)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head, err
}

// unpacked reports a broken end of a gzip file and gives what came before it.
type unpacked struct {
	z   *gzip.Reader
	s   *Summary
	end bool
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.end {
		return 0, io.EOF
	}
	n, err := u.z.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		u.end = true
		u.s.skip(0, "", "", "the packed file is broken or ends too early (%v); what comes after that place is lost, fetch the file again", err)
		return n, io.EOF
	}
	return n, err
}

// binaries are files that people take for exports, by their first bytes.
var binaries = []struct{ magic, what, hint string }{
	{"%PDF-", "it is a PDF", "Use the record of the paper: export it from the database or reference manager as RIS, NBIB, BibTeX or CSV."},
	{"PK\x03\x04", "it is a zip file (also .xlsx, .docx and .ods are)", "In the spreadsheet program save the table as CSV UTF-8; a zip file has to be unpacked first."},
	{"\xD0\xCF\x11\xE0", "it is an old Office file (.xls, .doc)", "In the spreadsheet program save the table as CSV UTF-8; Web of Science also exports plain text."},
	{"SQLite format 3", "it is a database (Zotero's or EndNote's own)", "In the reference manager export the library as RIS, BibTeX or EndNote XML."},
	{"{\\rtf", "it is a formatted text (RTF)", "In the reference manager export the library as RIS, BibTeX or EndNote XML instead of a bibliography."},
	{"7z\xBC\xAF", "it is a 7z file", "Unpack it first."},
	{"Rar!", "it is a rar file", "Unpack it first."},
	{"\x89PNG", "it is an image", "Export the records as RIS, NBIB, BibTeX or CSV."},
	{"\xFF\xD8\xFF", "it is an image", "Export the records as RIS, NBIB, BibTeX or CSV."},
	{"BZh", "it is packed with bzip2", "Unpack it first; gzip is read as it is."},
	{"\xFD7zXZ", "it is packed with xz", "Unpack it first; gzip is read as it is."},
	{"\x28\xB5\x2F\xFD", "it is packed with zstd", "Unpack it first; gzip is read as it is."},
	{"\x1F\x8B", "it is packed twice", "Unpack it once; gzip is read as it is."},
}

func refuseBinary(name string, head []byte) error {
	for _, b := range binaries {
		if bytes.HasPrefix(head, []byte(b.magic)) {
			return &FileError{Name: name, Reason: b.what, Hint: b.hint, Kind: ErrBinary}
		}
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\uFEFF")))) == 0 && len(head) < headSize {
		return &FileError{Name: name, Reason: "it is empty", Hint: "Export the records again and look at the file before you import it.", Kind: ErrEmpty}
	}
	return nil
}

var xmlEncoding = regexp.MustCompile(`^\s*<\?xml[^>]{0,100}encoding=["']([A-Za-z0-9_.:-]{1,40})["']`)

// toUTF8 decodes what says of itself, by a byte order mark, its zeros or an XML
// declaration, that it is not UTF-8. Anything else is left to the cleaner.
func toUTF8(r *bufio.Reader, head []byte, s *Summary) (io.Reader, error) {
	s.Encoding = "UTF-8"
	switch {
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE, 0, 0}):
		s.Encoding = "UTF-32LE"
		return utf32.UTF32(utf32.LittleEndian, utf32.UseBOM).NewDecoder().Reader(r), nil
	case bytes.HasPrefix(head, []byte{0, 0, 0xFE, 0xFF}):
		s.Encoding = "UTF-32BE"
		return utf32.UTF32(utf32.BigEndian, utf32.UseBOM).NewDecoder().Reader(r), nil
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		s.Encoding = "UTF-16LE"
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(r), nil
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		s.Encoding = "UTF-16BE"
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Reader(r), nil
	case bytes.HasPrefix(head, []byte("\uFEFF")):
		s.Encoding = "UTF-8 with BOM"
		_, err := r.Discard(3)
		return r, err
	}
	if n := min(len(head), 4096); n >= 4 {
		var zeros [2]int
		for i, c := range head[:n] {
			if c == 0 {
				zeros[i%2]++
			}
		}
		switch {
		case zeros[1] > n/8 && zeros[0] < n/50:
			s.Encoding = "UTF-16LE"
			return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder().Reader(r), nil
		case zeros[0] > n/8 && zeros[1] < n/50:
			s.Encoding = "UTF-16BE"
			return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder().Reader(r), nil
		case zeros[0]+zeros[1] > n/100:
			return nil, &FileError{Name: s.Name, Reason: "it is not text", Hint: "Export the records as RIS, NBIB, BibTeX, CSL-JSON, EndNote XML or CSV.", Kind: ErrBinary}
		}
	}
	if m := xmlEncoding.FindSubmatch(head); m != nil {
		if e, err := htmlindex.Get(string(m[1])); err == nil {
			if name, _ := htmlindex.Name(e); name != "utf-8" {
				s.Encoding = string(m[1])
				return e.NewDecoder().Reader(r), nil
			}
		}
	}
	return r, nil
}

// cleaner gives plain line ends and valid UTF-8: a byte that belongs to no
// character is read as Windows-1252, which holds for Latin-1, for files put
// together from several encodings, and for a character that was cut.
type cleaner struct {
	in    io.Reader
	s     *Summary
	out   []byte // cleaned and not yet given
	keep  int    // bytes at the start of buf that wait for their other half
	buf   [32 << 10]byte
	clean []byte
	line  int
	cr    bool // the last byte was a carriage return
	end   error
	left  int64
}

func (c *cleaner) Read(p []byte) (int, error) {
	for len(c.out) == 0 {
		if c.end != nil {
			return 0, c.end
		}
		c.fill()
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	return n, nil
}

func (c *cleaner) fill() {
	n, err := c.in.Read(c.buf[c.keep:])
	n += c.keep
	c.keep = 0
	b := c.buf[:n]
	if c.left -= int64(n); c.left < 0 && err == nil {
		err = &FileError{Name: c.s.Name, Reason: fmt.Sprintf("it has more than %d GiB", totalSize>>30), Hint: "Split it into several files.", Kind: ErrTooBig}
	}
	if err != nil {
		c.end = err
	} else if cut := incomplete(b); cut > 0 && cut < len(b) {
		defer func(tail []byte) { c.keep = copy(c.buf[:], tail) }(b[len(b)-cut:])
		b = b[:len(b)-cut]
	} else if cut > 0 {
		c.keep = cut
		return
	}
	if !c.cr && bytes.IndexByte(b, '\r') < 0 && utf8.Valid(b) {
		c.line += bytes.Count(b, []byte{'\n'})
		c.out = append(c.clean[:0], b...)
		c.clean = c.out
		return
	}
	c.clean = c.clean[:0]
	for len(b) > 0 {
		if c.cr {
			c.cr = false
			if b[0] == '\n' {
				b = b[1:]
				continue
			}
		}
		if b[0] == '\r' {
			c.clean, c.cr = append(c.clean, '\n'), true
			c.line++
			b = b[1:]
			continue
		}
		run := len(b)
		if i := bytes.IndexByte(b, '\r'); i >= 0 {
			run = i
		}
		c.text(b[:run])
		b = b[run:]
	}
	c.out = c.clean
}

// text adds a run without carriage returns.
func (c *cleaner) text(b []byte) {
	for len(b) > 0 {
		if utf8.Valid(b) {
			c.line += bytes.Count(b, []byte{'\n'})
			c.clean = append(c.clean, b...)
			return
		}
		i := 0
		for i < len(b) {
			r, size := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			i += size
		}
		c.line += bytes.Count(b[:i], []byte{'\n'})
		c.clean = append(c.clean, b[:i]...)
		r := charmap.Windows1252.DecodeByte(b[i])
		c.clean = utf8.AppendRune(c.clean, r)
		c.s.latin(c.line + 1)
		b = b[i+1:]
	}
}

// latin notes that a byte was not UTF-8, once a file in the warnings.
func (s *Summary) latin(line int) {
	const name = "UTF-8 and Windows-1252"
	if s.Encoding == "UTF-8" || s.Encoding == "UTF-8 with BOM" {
		s.Encoding = name
		s.warn(line, "", "", "bytes that are not UTF-8 begin here; they are read as Windows-1252 (Latin-1): look at names with accents")
	}
}

// incomplete gives how many bytes at the end of b may be the beginning of a
// character.
func incomplete(b []byte) int {
	for i := 1; i <= min(3, len(b)); i++ {
		c := b[len(b)-i]
		if utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-i:]) {
				return i
			}
			return 0
		}
	}
	return 0
}
