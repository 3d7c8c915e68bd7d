package app

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"optimistresearch/internal/atomicfile"
)

// csvRows are the rows of a table, header first.
type csvRows [][]string

func (rows csvRows) bytes() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// safe keeps spreadsheet programs from taking a text for a formula.
func safe(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// streamFile writes a file that may be large, beside its place and then into it.
func streamFile(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".tmp-*")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = errors.Join(write(w), w.Flush(), f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return atomicfile.SyncDir(filepath.Dir(name))
}
