package corpus

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"optimistresearch/internal/advice"
	"optimistresearch/internal/atomicfile"
	"optimistresearch/internal/fetch"
)

// Recorder keeps the responses of a run, one gzipped JSON file each, under the
// hash of the request. It implements fetch.Recorder.
type Recorder struct {
	// Now dates what is saved; nil means the clock.
	Now func() time.Time
	dir string
}

var _ fetch.Recorder = (*Recorder)(nil)

// ErrMissing is the kind of a recording that is not there.
var ErrMissing = errors.New("the recording is missing")

// kept is the stored form: when the recording was received, which stands first
// (see Received), and the recording.
type kept struct {
	Received string `json:"received,omitempty"` // RFC 3339, UTC
	*fetch.Recording
}

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
	k, err := c.read(hash)
	if errors.Is(err, ErrMissing) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return k.Recording, true, nil
}

func (c *Recorder) read(hash string) (kept, error) {
	k := kept{Recording: new(fetch.Recording)}
	name, err := c.path(hash)
	if err != nil {
		return k, err
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return k, ErrMissing
	}
	if err != nil {
		return k, fmt.Errorf("reading a recording: %w", err)
	}
	defer f.Close()
	damaged := func(err error) (kept, error) {
		return k, advice.New("delete the file to have the request sent again", "reading the recording %s: %w: %v", name, ErrDamaged, err)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return damaged(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return damaged(err)
	}
	if err := json.Unmarshal(b, &k); err != nil {
		return damaged(err)
	}
	return k, nil
}

// Check looks whether the recording of a request is there and whole, and gives
// the sha256 of the body as it is stored now. The error is a predicate of the
// recording, "is missing" or "is altered: …", and of the kind ErrMissing or
// ErrDamaged.
func (c *Recorder) Check(hash string) (raw string, err error) {
	k, err := c.read(hash)
	switch {
	case errors.Is(err, ErrMissing):
		return "", predicate{"is missing", ErrMissing}
	case errors.Is(err, ErrDamaged):
		return "", predicate{"is damaged and cannot be read", ErrDamaged}
	case err != nil:
		return "", predicate{"cannot be read: " + err.Error(), err}
	}
	sum := sha256.Sum256(k.Body)
	raw = hex.EncodeToString(sum[:])
	if raw != k.Raw {
		return "", predicate{fmt.Sprintf("is altered: its body has the sha256 %s, and %s was noted when it was received", raw, k.Raw), ErrDamaged}
	}
	return raw, nil
}

// predicate is an error that says what is wrong with something that its reader
// names.
type predicate struct {
	text string
	kind error
}

func (p predicate) Error() string { return p.text }
func (p predicate) Unwrap() error { return p.kind }

// Received tells when the answer to a request was received, in UTC; ok is false
// if it is not recorded. It reads no more than the beginning of the file.
func (c *Recorder) Received(hash string) (_ time.Time, ok bool) {
	name, err := c.path(hash)
	if err != nil {
		return time.Time{}, false
	}
	f, err := os.Open(name)
	if err != nil {
		return time.Time{}, false
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return time.Time{}, false
	}
	var tokens [3]json.Token // { "received" : "2026-…"
	d := json.NewDecoder(z)
	for i := range tokens {
		if tokens[i], err = d.Token(); err != nil {
			return time.Time{}, false
		}
	}
	stamp, _ := tokens[2].(string)
	if tokens[1] != "received" {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, stamp)
	return t.UTC(), err == nil
}

// TakeRecordings gives the run the recordings of another one, so that its
// corpus stands on its own. The files are shared where the disk can do that,
// else copied: a recording is never changed in place. What the run has already
// stays.
func (r *Run) TakeRecordings(from *Run) error {
	groups, err := os.ReadDir(filepath.Join(from.Dir, Recordings))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("taking the recordings of %s: %w", from.Dir, err)
	}
	for _, g := range groups {
		files, err := os.ReadDir(filepath.Join(from.Dir, Recordings, g.Name()))
		if err != nil {
			continue // not a folder of ours
		}
		for _, f := range files {
			hash, ok := strings.CutSuffix(f.Name(), ".json.gz")
			if !ok || !hashShape.MatchString(hash) || hash[:2] != g.Name() || !f.Type().IsRegular() {
				continue
			}
			if err := take(filepath.Join(from.Dir, filepath.FromSlash(RecordingPath(hash))), filepath.Join(r.Dir, filepath.FromSlash(RecordingPath(hash)))); err != nil {
				return advice.New(afterWriting(err, "mend the cause"), "taking the recordings of %s: %w", from.Dir, err)
			}
		}
	}
	return nil
}

func take(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return atomicfile.WriteFast(to, b, 0o644)
}

// Save stores a recording durably.
func (c *Recorder) Save(hash string, rec *fetch.Recording) error {
	name, err := c.path(hash)
	if err != nil {
		return err
	}
	now := time.Now
	if c.Now != nil {
		now = c.Now
	}
	b, err := json.Marshal(kept{now().UTC().Format(time.RFC3339), rec})
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
