package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"optimistresearch/internal/atomicfile"
)

// WriteFiles replaces the browsable files of the run, each whole or not at
// all. Names are relative, with slashes. Files of an earlier call that are not
// in this one are removed; nothing else ever is. A name that leads out of the
// run's directory, also through a symbolic link, is an error before anything is
// written.
func (r *Run) WriteFiles(files map[string][]byte) error {
	names := make([]string, 0, len(files))
	for name := range files {
		if err := r.checkName(name); err != nil {
			return err
		}
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		full := filepath.Join(r.Dir, filepath.FromSlash(name))
		if old, err := os.ReadFile(full); err == nil && bytes.Equal(old, files[name]) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return fmt.Errorf("writing %s: %w", full, err)
		}
		if err := atomicfile.WriteFast(full, files[name], 0o644); err != nil {
			return err
		}
	}
	if err := r.removeStale(names); err != nil {
		return err
	}
	list := strings.Join(names, "\n") + "\n"
	return atomicfile.Write(filepath.Join(r.Dir, listFile), []byte(list), 0o644)
}

// own are the files that WriteFiles must not touch.
var own = []string{JournalFile, SnapshotFile, ManifestFile, LogFile, lockFile, listFile}

func (r *Run) checkName(name string) error {
	clean := path.Clean(name)
	if name == "" || clean != name || path.IsAbs(name) || !filepath.IsLocal(filepath.FromSlash(name)) || strings.Contains(name, `\`) {
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

func (r *Run) removeStale(keep []string) error {
	b, err := os.ReadFile(filepath.Join(r.Dir, listFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("writing the corpus: %w", err)
	}
	for _, name := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		if _, found := slices.BinarySearch(keep, name); found || r.checkName(name) != nil {
			continue
		}
		err := os.Remove(filepath.Join(r.Dir, filepath.FromSlash(name)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing a file of the last report: %w", err)
		}
	}
	return nil
}
