package biblio

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
)

// Write writes entries in a format, in the order given and in normal form. It
// fails for a format that is only read, and with the error of w.
func Write(w io.Writer, format Format, entries []Entry) error {
	out, err := NewWriter(w, format)
	if err != nil {
		return err
	}
	for i := range entries {
		if err := out.Write(entries[i]); err != nil {
			return err
		}
	}
	return out.Close()
}

// Writer writes entries one by one, for files that are larger than memory. A
// table (CSV, Spreadsheet) is kept until Close, because its columns depend on
// all entries.
type Writer struct {
	w      *bufio.Writer
	format Format
	one    func(*bufio.Writer, *Entry) error
	n      int
	table  []Entry
}

// NewWriter fails for a format that is only read.
func NewWriter(w io.Writer, format Format) (*Writer, error) {
	if !slices.Contains(Writable(), format) {
		return nil, fmt.Errorf("writing records: %q is no format that can be written; choose one of %v", format, Writable())
	}
	o := &Writer{w: bufio.NewWriterSize(w, 16<<10), format: format}
	plain := func(one func(*bufio.Writer, *Entry)) func(*bufio.Writer, *Entry) error {
		return func(w *bufio.Writer, e *Entry) error { one(w, e); return nil }
	}
	switch format {
	case RIS:
		o.one = plain(writeRIS)
	case NBIB:
		o.one = plain(writeNBIB)
	case WoS:
		o.one = plain(writeWoS)
	case BibTeX:
		o.one = plain((&bibWriter{taken: map[string]bool{}}).write)
	case CSL:
		o.one = plain(o.cslItem)
	case JSONL:
		o.one = plain(func(w *bufio.Writer, e *Entry) { w.Write(append(jsonObject(e), '\n')) })
	case EndNoteXML:
		o.one = func(w *bufio.Writer, e *Entry) error { return writeEndNote(w, e, o.n) }
	}
	o.w.WriteString(map[Format]string{
		WoS:        "FN Clarivate Analytics Web of Science\nVR 1.0\n",
		CSL:        "[",
		EndNoteXML: `<?xml version="1.0" encoding="UTF-8"?>` + "\n<xml><records>\n",
	}[format])
	return o, nil
}

// Write writes one entry.
func (o *Writer) Write(e Entry) error {
	o.n++
	if o.one == nil {
		o.table = append(o.table, e)
		return nil
	}
	e = e.Normal()
	if err := o.one(o.w, &e); err != nil {
		return fmt.Errorf("writing %s: %w", o.format.Label(), err)
	}
	return nil
}

func (o *Writer) cslItem(w *bufio.Writer, e *Entry) {
	if o.n > 1 {
		w.WriteString(",")
	}
	w.WriteString("\n")
	w.Write(cslObject(e))
}

// Close writes the end of the file. It does not close what is below.
func (o *Writer) Close() error {
	if o.one == nil {
		if err := writeCSV(o.w, o.table, o.format); err != nil {
			return fmt.Errorf("writing %s: %w", o.format.Label(), err)
		}
		o.table = nil
	}
	o.w.WriteString(map[Format]string{WoS: "EF\n", CSL: "\n]\n", EndNoteXML: "</records></xml>\n"}[o.format])
	if err := o.w.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", o.format.Label(), err)
	}
	return nil
}

// WriteRIS writes entries as RIS.
func WriteRIS(entries []Entry) []byte { return written(RIS, entries) }

// WriteBibTeX writes entries as BibTeX in UTF-8.
func WriteBibTeX(entries []Entry) []byte { return written(BibTeX, entries) }

// WriteCSL writes entries as CSL-JSON.
func WriteCSL(entries []Entry) ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, CSL, entries)
	return b.Bytes(), err
}

// written is for formats that cannot fail in memory.
func written(format Format, entries []Entry) []byte {
	var b bytes.Buffer
	if Write(&b, format, entries) != nil {
		return nil
	}
	return b.Bytes()
}
