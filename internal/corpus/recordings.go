package corpus

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"optimistresearch/internal/atomicfile"
	"optimistresearch/internal/fetch"
)

// Recorder keeps the responses of a run, one gzipped JSON file each, under the
// hash of the request. It implements fetch.Recorder.
type Recorder struct{ dir string }

var _ fetch.Recorder = (*Recorder)(nil)

// Recorder returns the recorder of the run.
func (r *Run) Recorder() *Recorder { return &Recorder{dir: filepath.Join(r.Dir, Recordings)} }

var hashShape = regexp.MustCompile(`^[0-9a-f]{64}[a-z-]{0,16}$`)

// RecordingPath is the file of a recording, relative to the run.
func RecordingPath(hash string) string {
	return filepath.ToSlash(filepath.Join(Recordings, hash[:min(2, len(hash))], hash+".json.gz"))
}

func (c *Recorder) path(hash string) (string, error) {
	if !hashShape.MatchString(hash) {
		return "", fmt.Errorf("%q is not the hash of a request", hash)
	}
	return filepath.Join(filepath.Dir(c.dir), filepath.FromSlash(RecordingPath(hash))), nil
}

// Load returns the recording of a request; ok is false if there is none. A
// damaged recording is an error that names its file.
func (c *Recorder) Load(hash string) (_ *fetch.Recording, ok bool, err error) {
	name, err := c.path(hash)
	if err != nil {
		return nil, false, err
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading a recording: %w", err)
	}
	defer f.Close()
	damaged := func(err error) (*fetch.Recording, bool, error) {
		return nil, false, fmt.Errorf("reading the recording %s: %w: %v; delete the file to have the request sent again", name, ErrDamaged, err)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return damaged(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return damaged(err)
	}
	rec := new(fetch.Recording)
	if err := json.Unmarshal(b, rec); err != nil {
		return damaged(err)
	}
	return rec, true, nil
}

// Save stores a recording durably.
func (c *Recorder) Save(hash string, rec *fetch.Recording) error {
	name, err := c.path(hash)
	if err != nil {
		return err
	}
	b, err := json.Marshal(rec)
	if err != nil {
		return fmt.Errorf("encoding a recording: %w", err)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("encoding a recording: %w", err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("encoding a recording: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("storing a recording: %w", err)
	}
	return atomicfile.Write(name, z.Bytes(), 0o644)
}
