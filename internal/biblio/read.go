package biblio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// reader reads the records of one format.
type reader func(in *bufio.Reader, k *sink) error

var readers = map[Format]reader{
	RIS: readRIS, NBIB: readNBIB, WoS: readWoS, Ovid: readOvid, EndNoteTagged: readEndNoteTagged, BibTeX: readBibTeX, CSL: readJSON, JSONL: readJSON,
	EndNoteXML: readEndNote, CSV: readCSV, Spreadsheet: readCSV,
}

// Read reads the records of a file and hands each to fn, in the order of the
// file and in normal form. name is the name of the file: its ending helps where
// the content does not tell the format, and it stands in messages. Packed files
// (gzip) and all encodings that are met (UTF-8, UTF-16, Windows-1252) are read
// as they are. Memory is bounded by one record.
//
// The error is a *FileError when the file cannot be read at all, the error of
// fn, which ends the reading, or that of r. The Summary holds in every case
// what was read up to then.
func Read(r io.Reader, name string, fn func(Entry) error) (Summary, error) {
	return ReadAs(r, name, "", fn)
}

// ReadAs is Read for a file whose format is known; "" looks at the content.
func ReadAs(r io.Reader, name string, format Format, fn func(Entry) error) (Summary, error) {
	s := &Summary{Name: name, Format: format}
	in, err := open(r, s)
	if err != nil {
		return *s, err
	}
	head, err := peek(in)
	if err != nil {
		return *s, readError(s, err)
	}
	sure := true
	if format == "" {
		if s.Format, sure, err = sniff(head, name); err != nil {
			return *s, err
		}
	}
	read, ok := readers[s.Format]
	if !ok {
		return *s, &FileError{Name: name, Reason: fmt.Sprintf("%q is no format that can be read", s.Format), Hint: readable(), Kind: ErrUnknown}
	}
	if err := read(in, &sink{Summary: s, fn: fn}); err != nil {
		var stop stopped
		if errors.As(err, &stop) {
			return *s, stop.err
		}
		return *s, readError(s, err)
	}
	if s.Kept+s.Skipped == 0 && (s.Warned > 0 || !sure) {
		return *s, &FileError{Name: name, Reason: "there is no record in the format " + s.Format.Label() + " in it", Hint: "Look at the file, or export it again. " + readable(), Kind: ErrUnknown}
	}
	return *s, nil
}

// readError says how far the reading came.
func readError(s *Summary, err error) error {
	if errors.As(err, new(*FileError)) {
		return err
	}
	return fmt.Errorf("reading %s after %d records: %w", oneLine(s.Name), s.Kept, err)
}

// all reads a file that is in memory.
func all(data []byte, format Format) (entries []Entry, problems []Problem) {
	s, err := ReadAs(bytes.NewReader(data), "the file", format, func(e Entry) error {
		entries = append(entries, e)
		return nil
	})
	problems = slices.Concat(s.Skips, s.Warnings)
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
	if err != nil && !errors.Is(err, ErrEmpty) {
		problems = append(problems, Problem{Message: err.Error()})
	}
	for i := range entries { // nothing hangs on the format any more
		if len(entries[i].Extra) == 0 {
			entries[i].Format, entries[i].RawType = "", ""
		}
	}
	return entries, problems
}

// ReadRIS reads RIS that is in memory. Problems are what was skipped and what
// is doubtful, by line.
func ReadRIS(data []byte) ([]Entry, []Problem) { return all(data, RIS) }

// ReadBibTeX reads BibTeX that is in memory.
func ReadBibTeX(data []byte) ([]Entry, []Problem) { return all(data, BibTeX) }

// ReadCSL reads CSL-JSON that is in memory.
func ReadCSL(data []byte) ([]Entry, []Problem) { return all(data, CSL) }
