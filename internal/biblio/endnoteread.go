package biblio

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// readEndNote reads EndNote's XML. Entities are those of XML and HTML alone;
// nothing that a file declares is expanded or fetched. What breaks one record
// does not lose the next.
func readEndNote(in *bufio.Reader, k *sink) error {
	src := &xmlSource{in: in, line: 1}
	r := &endnoteReader{src: src, k: k, fill: endnoteTable.filler()}
	for src.find("<record") {
		line := src.line
		err := r.record(line)
		switch {
		case err == nil:
		case errors.As(err, new(stopped)):
			return err
		case src.err != nil && !errors.Is(src.err, io.EOF):
			return src.err
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || src.err != nil:
			k.skip(line, r.name(), "", "the file ends within the record; look whether the export is complete")
		default:
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) { // its line counts from the record
				err = errors.New(syntax.Msg)
			}
			k.skip(line, r.name(), "", "the record could not be read: %v", err)
		}
	}
	if src.err != nil && !errors.Is(src.err, io.EOF) {
		return src.err
	}
	return nil
}

type endnoteReader struct {
	src    *xmlSource
	k      *sink
	fill   *filler
	fields []value
}

func (r *endnoteReader) name() string {
	for _, v := range r.fields {
		if v.tag == "titles/title" {
			return v.text
		}
	}
	return ""
}

const deepestXML = 30 // levels of elements below a record

// record reads one record; the source stands behind "<record".
func (r *endnoteReader) record(line int) error {
	r.src.begin("<record")
	d := xml.NewDecoder(r.src)
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	r.fields = r.fields[:0]
	var path []string
	var text bytes.Buffer
	var attributes string
	leaf := false
	for {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "record" && len(path) > 0 {
				r.k.skip(line, r.name(), "", "the record is not closed before the next begins")
				line, path, r.fields, r.src.left = r.src.line, path[:0], r.fields[:0], largest
			}
			if len(path) >= deepestXML {
				return fmt.Errorf("elements are nested more than %d deep", deepestXML)
			}
			if t.Name.Local == "style" {
				path = append(path, "style")
				continue
			}
			path, leaf = append(path, t.Name.Local), true
			text.Reset()
			attributes = xmlAttributes(t)
			if t.Name.Local == "ref-type" && len(path) == 2 {
				attributes = ""
				for _, a := range t.Attr {
					if a.Name.Local == "name" {
						r.fields = append(r.fields, value{tag: "ref-type", text: oneLine(a.Value)})
					}
				}
			}
		case xml.CharData:
			if text.Len() < largest {
				text.Write(t)
			}
		case xml.EndElement:
			closed := path[len(path)-1]
			path = path[:len(path)-1]
			if closed == "style" {
				continue
			}
			if len(path) == 0 {
				return r.close(line)
			}
			if leaf && len(r.fields) < mostValues {
				r.add(append(path[1:len(path):len(path)], closed), attributes, text.String())
			}
			leaf = false
			text.Reset()
		}
	}
}

// add takes the text of an element without children.
func (r *endnoteReader) add(path []string, attributes, text string) {
	tag := strings.Join(path, "/")
	if _, known := endnoteTable.byTag[tag]; !known {
		tag += attributes
	}
	switch tag {
	case "ref-type":
		for _, v := range r.fields {
			if v.tag == tag && endnoteNames[strings.ToLower(v.text)] != "" {
				return // the name is known and says more than the number
			}
		}
		if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
			for _, t := range endnoteTypes {
				if t.number == n {
					kept := r.fields[:0]
					for _, v := range r.fields {
						if v.tag != tag {
							kept = append(kept, v)
						}
					}
					r.fields = append(kept, value{tag: tag, text: t.name})
				}
			}
		}
		return
	case "contributors/authors/author", "contributors/secondary-authors/author":
		for _, line := range strings.Split(text, "\n") {
			r.fields = append(r.fields, value{tag: tag, text: oneLine(line)})
		}
		return
	case "keywords/keyword":
		for _, line := range strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' }) {
			r.fields = append(r.fields, value{tag: tag, text: oneLine(line)})
		}
		return
	}
	r.fields = append(r.fields, value{tag: tag, text: oneLine(text)})
}

func (r *endnoteReader) close(line int) error {
	e := r.fill.fill(r.fields)
	if e.ID == "" {
		for _, v := range r.fields {
			if v.tag == "rec-number" {
				e.ID = v.text
			}
		}
	}
	return r.k.emit(line, e)
}

// xmlAttributes gives attributes in the form that the writer takes.
func xmlAttributes(t xml.StartElement) string {
	var b strings.Builder
	for _, a := range t.Attr {
		v := oneLine(a.Value)
		if strings.ContainsAny(v, `"<>&`) || a.Name.Space != "" || strings.ToLower(a.Name.Local) != a.Name.Local {
			continue
		}
		b.WriteString(" " + a.Name.Local + `="` + v + `"`)
	}
	return b.String()
}

// xmlSource feeds the decoder byte by byte, so that what follows a broken
// record is not lost with it. It counts lines, bounds a record, and blanks the
// control characters that programs put into XML against its rules.
type xmlSource struct {
	in    *bufio.Reader
	line  int
	left  int    // bytes that the record may still have
	first string // what is given before the input goes on
	err   error
}

var errTooLong = errors.New("it has more than 4 MiB")

func (s *xmlSource) begin(first string) { s.first, s.left = first, largest }

func (s *xmlSource) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	c, err := s.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = c
	return 1, nil
}

func (s *xmlSource) ReadByte() (byte, error) {
	if s.first != "" {
		c := s.first[0]
		s.first = s.first[1:]
		return c, nil
	}
	if s.left--; s.left < 0 {
		return 0, errTooLong
	}
	c, err := s.in.ReadByte()
	if err != nil {
		s.err = err
		return 0, err
	}
	switch {
	case c == '\n':
		s.line++
	case c < ' ' && c != '\t':
		return ' ', nil
	case c == '&':
		return s.reference(), nil
	}
	return c, nil
}

// reference looks behind an ampersand for the number of a control character.
func (s *xmlSource) reference() byte {
	ahead, _ := s.in.Peek(9)
	if len(ahead) < 3 || ahead[0] != '#' {
		return '&'
	}
	end := bytes.IndexByte(ahead, ';')
	if end < 2 {
		return '&'
	}
	digits, base := string(ahead[1:end]), 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseInt(digits, base, 32)
	if err != nil || n >= ' ' && (n < 0xD800 || n > 0xDFFF) && n != 0xFFFE && n != 0xFFFF && n <= 0x10FFFF || n == '\n' || n == '\t' || n == '\r' {
		return '&'
	}
	if _, err := s.in.Discard(end + 1); err != nil {
		s.err = err
	}
	return ' '
}

// find moves behind the next "<record", the beginning of an element of that
// name.
func (s *xmlSource) find(what string) bool {
	at := 0
	for s.err == nil {
		c, err := s.in.ReadByte()
		if err != nil {
			s.err = err
			return false
		}
		if c == '\n' {
			s.line++
		}
		switch {
		case at == len(what) && (c == '>' || c == ' ' || c == '\n' || c == '\t'):
			if s.in.UnreadByte() == nil && c == '\n' {
				s.line--
			}
			return true
		case at < len(what) && c == what[at]:
			at++
		case c == what[0]:
			at = 1
		default:
			at = 0
		}
	}
	return false
}
