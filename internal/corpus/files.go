package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"optimistresearch/internal/advice"
	"optimistresearch/internal/atomicfile"
)

// WriteFiles replaces the browsable files of the run, each whole or not at
// all. Names are relative, with slashes. Files of an earlier call that are not
// in this one are removed; nothing else ever is. A name that leads out of the
// run's directory, also through a symbolic link, is an error before anything is
// written.
//
// What a person has changed is left alone: such a file stays as it is, and if
// the run has another version of it than before, that one is put beside it as
// NAME.new.EXT, with a notice.
func (r *Run) WriteFiles(files map[string][]byte) error {
	names := make([]string, 0, len(files))
	for name := range files {
		if err := r.checkName(name); err != nil {
			return err
		}
		names = append(names, name)
	}
	slices.Sort(names)
	w := &writer{run: r, files: files, now: listing{}}
	var err error
	if w.before, err = r.readListing(); err != nil {
		return err
	}
	r.sweepFiles(names)
	// The hashes of what will be written are stored first: after a crash in
	// between, both the old and the new version are known to be ours.
	intended := listing{}
	for name, sums := range w.before {
		intended[name] = slices.Clone(sums)
	}
	for _, name := range names {
		intended.add(name, sum(files[name]))
	}
	if err := r.writeListing(intended); err != nil {
		return err
	}
	for _, name := range names {
		if err := w.write(name); err != nil {
			return err
		}
	}
	if err := w.removeStale(); err != nil {
		return err
	}
	w.notice()
	return r.writeListing(w.now)
}

// writer is one call of WriteFiles.
type writer struct {
	run         *Run
	files       map[string][]byte
	before, now listing
	edited      []string // changed by hand, with a new version beside them
	other       string   // the name of the last of those
}

// notice says what was left alone.
func (w *writer) notice() {
	const most = 3
	switch n := len(w.edited); {
	case n == 0:
	case n == 1:
		w.run.Notices = append(w.run.Notices, fmt.Sprintf("%s was changed by hand and is left as it is; what the run has now is in %s", w.full(w.edited[0]), w.full(w.other)))
	default:
		which := strings.Join(w.edited[:min(n, most)], ", ")
		if n > most {
			which += fmt.Sprintf(" and %d more", n-most)
		}
		w.run.Notices = append(w.run.Notices, fmt.Sprintf("%d files of %s were changed by hand and are left as they are (%s); what the run has now is beside each, as NAME.new.EXT", n, w.run.Dir, which))
	}
}

func (w *writer) write(name string) error {
	data := w.files[name]
	old, err := os.ReadFile(w.full(name))
	switch {
	case err == nil && bytes.Equal(old, data):
	case err == nil && !w.before.wrote(name, old):
		return w.beside(name, data)
	default:
		if err := w.put(name, data); err != nil {
			return err
		}
	}
	w.now.add(name, sum(data))
	return nil
}

// beside leaves the file of a person alone and puts a version that it does not
// know of next to it.
func (w *writer) beside(name string, data []byte) error {
	w.now.add(name, sum(data))
	// Two versions in the list are those of a call that did not end: what it
	// had to say was not said.
	known := len(w.before[name]) == 1 && w.before.wrote(name, data)
	for n := 1; ; n++ {
		other := newName(name, n)
		if _, taken := w.files[other]; taken {
			continue
		}
		old, err := os.ReadFile(w.full(other))
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case known && missing:
			return nil // seen and put away
		case err == nil && bytes.Equal(old, data):
			w.now.add(other, sum(data))
			return nil
		case !missing && !w.before.wrote(other, old):
			continue // also edited
		}
		if err := w.put(other, data); err != nil {
			return err
		}
		w.now.add(other, sum(data))
		w.edited = append(w.edited, name)
		w.other = other
		return nil
	}
}

// newName is the name beside a file: report.new.md, report.new-2.md, ….
func newName(name string, n int) string {
	ext := path.Ext(name)
	mark := ".new"
	if n > 1 {
		mark = fmt.Sprintf(".new-%d", n)
	}
	return strings.TrimSuffix(name, ext) + mark + ext
}

var besides = regexp.MustCompile(`\.new(-\d+)?(\.[^./]*)?$`)

func (w *writer) full(name string) string {
	return filepath.Join(w.run.Dir, filepath.FromSlash(name))
}

func (w *writer) put(name string, data []byte) error {
	full := w.full(name)
	err := os.MkdirAll(filepath.Dir(full), 0o755)
	if err == nil {
		err = atomicfile.WriteFast(full, data, 0o644)
	}
	if err != nil {
		return advice.New(afterWriting(err, "mend the cause"), "writing the corpus: %w", err)
	}
	return nil
}

// removeStale removes files of an earlier call that are not in this one, but
// for those that a person has changed.
func (w *writer) removeStale() error {
	for _, name := range names(w.before) {
		if _, kept := w.now[name]; kept || w.run.checkName(name) != nil {
			continue
		}
		full := w.full(name)
		old, err := os.ReadFile(full)
		if err != nil {
			continue
		}
		if !w.before.wrote(name, old) {
			if besides.MatchString(name) {
				continue // a merge under way, of which its owner knows
			}
			w.run.Notices = append(w.run.Notices, fmt.Sprintf("%s is not part of the corpus any more; it was changed by hand and is left as it is", full))
			continue
		}
		if err := os.Remove(full); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing a file of the last report: %w", err)
		}
	}
	return nil
}

// own are the files that WriteFiles must not touch.
var own = []string{JournalFile, SnapshotFile, ManifestFile, LogFile, lockFile, listFile}

func (r *Run) checkName(name string) error {
	clean := path.Clean(name)
	if name == "" || clean != name || path.IsAbs(name) || !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsAny(name, "\\\n") {
		return fmt.Errorf("writing the corpus: %q is not a name inside the run's directory", name)
	}
	if slices.Contains(own, name) || strings.HasPrefix(name, Recordings+"/") {
		return fmt.Errorf("writing the corpus: %q is kept by the run itself", name)
	}
	// No directory on the way may be a link.
	dir := r.Dir
	for _, part := range strings.Split(path.Dir(name), "/") {
		if part == "." {
			break
		}
		dir = filepath.Join(dir, part)
		st, err := os.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return fmt.Errorf("writing the corpus: %w", err)
		}
		if !st.IsDir() {
			return fmt.Errorf("writing the corpus: %s is not a directory; move it away and try again", dir)
		}
	}
	return nil
}

// sweepFiles removes what a killed process left of the named files.
func (r *Run) sweepFiles(names []string) {
	byDir := map[string]map[string]bool{}
	for _, name := range names {
		dir := path.Dir(name)
		if byDir[dir] == nil {
			byDir[dir] = map[string]bool{}
		}
		byDir[dir][path.Base(name)] = true
	}
	for dir, bases := range byDir {
		r.sweepDir(filepath.FromSlash(dir), func(final string) bool { return bases[final] })
	}
}

// listing holds the SHA-256 of every version of a file that may be on disk and
// is ours. On disk it is a line per version, as sha256sum writes them.
type listing map[string][]string

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func (l listing) add(name, sum string) {
	if !slices.Contains(l[name], sum) {
		l[name] = append(l[name], sum)
	}
}

// wrote reports whether a version of a file is one that WriteFiles wrote.
func (l listing) wrote(name string, data []byte) bool {
	return slices.Contains(l[name], sum(data))
}

func names(l listing) []string {
	out := make([]string, 0, len(l))
	for name := range l {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func (r *Run) readListing() (listing, error) {
	b, err := os.ReadFile(filepath.Join(r.Dir, listFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("writing the corpus: %w", err)
	}
	out := listing{}
	for _, line := range strings.Split(string(b), "\n") {
		if sum, name, ok := strings.Cut(line, "  "); ok && name != "" {
			out.add(name, sum)
		}
	}
	return out, nil
}

func (r *Run) writeListing(l listing) error {
	var b bytes.Buffer
	for _, name := range names(l) {
		for _, sum := range l[name] {
			fmt.Fprintf(&b, "%s  %s\n", sum, name)
		}
	}
	if err := atomicfile.Write(filepath.Join(r.Dir, listFile), b.Bytes(), 0o644); err != nil {
		return advice.New(afterWriting(err, "mend the cause"), "writing the corpus: %w", err)
	}
	return nil
}
