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
	"syscall"

	"github.com/gofrs/flock"

	"optimistresearch/internal/advice"
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
	ErrNewer   = errors.New("a newer version of the program wrote it")
	ErrPlace   = errors.New("no run can be made there")
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

// Create makes the directory of a new run and locks it. An empty directory
// that is there already will do.
func Create(dir string, m Manifest) (*Run, error) {
	if err := free(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, place(dir, err)
	}
	r := &Run{Dir: dir, Manifest: m, state: new(state.State)}
	r.Manifest.Format = ManifestFormat
	if err := r.acquire(); err != nil {
		switch {
		case errors.Is(err, ErrLocked):
			_, next := advice.Split(err)
			return nil, advice.New(next+", or choose another directory with --out", "creating a run in %s: %w: another one is being made there", dir, ErrLocked)
		case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
			return nil, place(dir, err)
		}
		return nil, fmt.Errorf("creating a run in %s: %w", dir, err)
	}
	// Between the first look and the lock another process may have made a run
	// and let it go.
	if err := free(dir); err != nil {
		r.Close()
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
		return nil, advice.New(afterWriting(err, "mend the cause or choose another directory with --out"), "creating a run in %s: %w", dir, err)
	}
	return r, nil
}

// free looks whether a run may be made in a directory: it is empty, apart from
// a lock, or does not exist.
func free(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return place(dir, err)
	}
	for _, e := range entries {
		switch e.Name() {
		case ManifestFile:
			return advice.New(fmt.Sprintf("go on with `optimistresearch resume %s`, or choose another directory with --out", advice.Arg(dir)),
				"creating a run in %s: %w: it holds a run", dir, ErrExists)
		case lockFile:
			continue
		}
		err = advice.New("choose another one with --out", "creating a run in %s: %w", dir, ErrExists)
	}
	return err
}

// place words why a directory cannot be made or used.
func place(dir string, err error) error {
	why := err.Error()
	switch {
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EEXIST):
		why = "a part of its path is a file"
		if st, err := os.Stat(dir); err == nil && !st.IsDir() {
			why = "it is a file"
		}
	case errors.Is(err, syscall.EROFS):
		why = "the disk is read-only"
	case errors.Is(err, fs.ErrPermission):
		why = "you have no permission to write there"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		why = "the disk is full"
	}
	return advice.New("choose another directory with --out", "creating a run in %s: %w: %s", dir, ErrPlace, why)
}

// afterWriting is the advice after a failed write.
func afterWriting(err error, otherwise string) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "the disk is full: free some space"
	case errors.Is(err, syscall.EROFS):
		return "the disk is read-only: make it writable"
	case errors.Is(err, fs.ErrPermission):
		return "you have no permission to write there: change that with chmod or chown"
	}
	return otherwise
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
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return nil, advice.New("name the directory that `optimistresearch run` printed", "opening %s: %w: %s", dir, ErrNotARun, missing(dir))
		}
		return nil, fmt.Errorf("opening %s: %w", dir, err)
	}
	if err := json.Unmarshal(b, &r.Manifest); err != nil {
		return nil, advice.New("restore the file from a copy", "opening %s: %w: %s: %v", dir, ErrDamaged, ManifestFile, err)
	}
	switch f := r.Manifest.Format; {
	case f > ManifestFormat:
		return nil, advice.New(useNewer(r.Manifest.Version), "opening %s: %w: the run has format %d, and this program knows formats up to %d", dir, ErrNewer, f, ManifestFormat)
	case f < ManifestFormat:
		return nil, advice.New("restore the file from a copy", "opening %s: %w: %s names the format %d, which there is not", dir, ErrDamaged, ManifestFile, f)
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
		if errors.Is(err, ErrNewer) {
			return nil, advice.New(useNewer(r.Manifest.Version), "opening %s: %w", dir, err)
		}
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
			return nil, advice.New(afterWriting(err, ""), "opening %s: %w", dir, err)
		}
		r.sweep()
	}
	return r, nil
}

// missing says why a directory is not one of a run.
func missing(dir string) string {
	st, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case err == nil && !st.IsDir():
		return "it is a file"
	}
	return "it has no " + ManifestFile
}

// useNewer is the advice for a run that this program is too old for. wrote is
// the version that began it, which may be older than the one that went on.
func useNewer(wrote string) string {
	return fmt.Sprintf("nothing was changed: go on with the version that wrote it last (it was begun with version %s), or a newer one", wrote)
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
	if err := atomicfile.Write(filepath.Join(r.Dir, SnapshotFile), b, 0o644); err != nil {
		return advice.New(afterWriting(err, "mend the cause"), "%w", err)
	}
	return nil
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
		return advice.New(afterWriting(err, ""), "locking %s: %w", r.Dir, err)
	}
	if !ok {
		holder := "another process"
		if b, err := os.ReadFile(name); err == nil {
			if pid, err := strconv.Atoi(strings.TrimSpace(string(b))); err == nil {
				holder = fmt.Sprintf("process %d", pid)
			}
		}
		return advice.New("wait for it or stop it, then try again", "locking %s: %w: %s works on it", r.Dir, ErrLocked, holder)
	}
	if err := os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644); err != nil {
		l.Unlock()
		return advice.New(afterWriting(err, ""), "locking %s: %w", r.Dir, err)
	}
	r.lock = l
	return nil
}
