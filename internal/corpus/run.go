// Package corpus is a run on disk: the journal that the state is folded from,
// the snapshot, the lock, the recordings of every response, the call log and
// the browsable files.
//
// It must never lose what Append confirmed, never change a byte of the journal
// but a torn end, never write outside its directory, and never store a key.
// Start with Create or Open.
package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"optimistresearch/internal/atomicfile"
	"optimistresearch/state"
)

// Names of the files of a run.
const (
	JournalFile  = "journal.ndjson"
	SnapshotFile = "state.json"
	ManifestFile = "run.json"
	LogFile      = "log.ndjson"
	Recordings   = "recordings"
	lockFile     = ".lock"
	listFile     = ".generated"
)

// ManifestFormat is the version of the run directory.
const ManifestFormat = 1

// Kinds of errors that a caller tells apart.
var (
	ErrLocked  = errors.New("the run is in use by another process")
	ErrNotARun = errors.New("this is not the directory of a run")
	ErrExists  = errors.New("the directory is not empty")
	ErrDamaged = errors.New("the run is damaged")
)

// Manifest says how a run is started again. It holds no key and no result.
type Manifest struct {
	Format   int    `json:"format"`
	Version  string `json:"version"` // of the program
	Question string `json:"question"`
	Started  string `json:"started"` // RFC 3339
	// Sandbox is "" for a run on the live services, "builtin" for the
	// built-in demonstration library, else the path of a library file.
	Sandbox    string `json:"sandbox,omitempty"`
	ReplayedOf string `json:"replayed_of,omitempty"` // directory of the run whose recordings were used
}

// Run is an open run directory.
type Run struct {
	Dir      string
	Manifest Manifest
	Notices  []string // what was mended while opening, for the user
	state    *state.State
	journal  *journal
	lock     *flock.Flock
}

// Create makes the directory of a new run and locks it.
func Create(dir string, m Manifest) (*Run, error) {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(dir, ManifestFile)); err == nil {
			return nil, fmt.Errorf("creating a run in %s: %w: it holds a run; go on with `optimistresearch resume %s`, or choose another directory with --out", dir, ErrExists, dir)
		}
		return nil, fmt.Errorf("creating a run in %s: %w; choose another one with --out", dir, ErrExists)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("creating a run in %s: %w; choose another directory with --out", dir, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("creating a run: %w; choose another directory with --out", err)
	}
	r := &Run{Dir: dir, Manifest: m, state: new(state.State)}
	r.Manifest.Format = ManifestFormat
	if err := r.acquire(); err != nil {
		return nil, err
	}
	b, err := json.MarshalIndent(r.Manifest, "", " ")
	if err == nil {
		err = atomicfile.Write(filepath.Join(dir, ManifestFile), append(b, '\n'), 0o644)
	}
	if err == nil {
		r.journal, err = createJournal(filepath.Join(dir, JournalFile))
	}
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("creating a run in %s: %w", dir, err)
	}
	return r, nil
}

// Open locks a run and folds its journal, so that it can go on. A torn last
// line is cut off, with a notice.
func Open(dir string) (*Run, error) { return open(dir, true) }

// OpenReadOnly folds the journal of a run without a lock; a run in progress is
// read as it is at this moment.
func OpenReadOnly(dir string) (*Run, error) { return open(dir, false) }

func open(dir string, write bool) (*Run, error) {
	r := &Run{Dir: dir}
	b, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("opening %s: %w: it has no %s; name the directory that `optimistresearch run` printed", dir, ErrNotARun, ManifestFile)
		}
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	}
	if err := json.Unmarshal(b, &r.Manifest); err != nil {
		return nil, fmt.Errorf("opening %s: %w: %s: %v", dir, ErrDamaged, ManifestFile, err)
	}
	if r.Manifest.Format != ManifestFormat {
		return nil, fmt.Errorf("opening %s: the run has format %d and this program reads format %d; use the version that wrote it (%s)", dir, r.Manifest.Format, ManifestFormat, r.Manifest.Version)
	}
	if write {
		if err := r.acquire(); err != nil {
			return nil, err
		}
	}
	name := filepath.Join(dir, JournalFile)
	folded, err := foldFile(name)
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	}
	r.state = folded.state
	if folded.torn > 0 {
		what := "is ignored"
		if write {
			what = "was cut off"
		}
		r.Notices = append(r.Notices, fmt.Sprintf("the last line of %s was written only in part (%d bytes) and %s; what it held is done again", name, folded.torn, what))
	}
	if write {
		if r.journal, err = openJournal(name, folded.good, folded.lines); err != nil {
			r.Close()
			return nil, fmt.Errorf("opening %s: %w", dir, err)
		}
	}
	return r, nil
}

// State is the fold of the journal as it was when the run was opened; the
// caller owns it.
func (r *Run) State() *state.State { return r.state }

// Append stores a delta. When it returns nil the delta survives a crash. It is
// safe for concurrent use; callers that wait together share one fsync. After
// an error (a full disk, say) the journal is cut back to its last whole line
// and every further Append fails.
func (r *Run) Append(d state.Delta) error { return r.journal.append(entry{Delta: d}) }

// Snapshot writes state.json for readers.
func (r *Run) Snapshot(s *state.State) error {
	b, err := s.JSON()
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(r.Dir, SnapshotFile), b, 0o644)
}

// Close releases the lock and the journal.
func (r *Run) Close() error {
	var errs []error
	if r.journal != nil {
		errs = append(errs, r.journal.close())
		r.journal = nil
	}
	if r.lock != nil {
		errs = append(errs, os.Truncate(r.lock.Path(), 0), r.lock.Unlock())
		r.lock = nil
	}
	return errors.Join(errs...)
}

// acquire takes the lock and writes who holds it. The lock is the kernel's, so
// it ends with the process, however that ends.
func (r *Run) acquire() error {
	name := filepath.Join(r.Dir, lockFile)
	l := flock.New(name)
	ok, err := l.TryLock()
	if err != nil {
		return fmt.Errorf("locking %s: %w", r.Dir, err)
	}
	if !ok {
		holder := "another process"
		if b, err := os.ReadFile(name); err == nil {
			if pid, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
				holder = fmt.Sprintf("process %d", pid)
			}
		}
		return fmt.Errorf("locking %s: %w: %s works on it; wait for it or stop it, then try again", r.Dir, ErrLocked, holder)
	}
	if err := os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644); err != nil {
		l.Unlock()
		return fmt.Errorf("locking %s: %w", r.Dir, err)
	}
	r.lock = l
	return nil
}
