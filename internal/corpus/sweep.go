package corpus

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"optimistresearch/internal/atomicfile"
)

// sweep removes the temporary files that a killed process left beside the
// recordings and the run's own files. Only the holder of the lock may call it,
// and a file that cannot be removed does no harm.
func (r *Run) sweep() {
	r.sweepDir("", func(final string) bool {
		for _, name := range own {
			if final == name {
				return true
			}
		}
		return false
	})
	groups, err := os.ReadDir(filepath.Join(r.Dir, Recordings))
	if err != nil {
		return
	}
	for _, g := range groups {
		if g.IsDir() {
			r.sweepDir(filepath.Join(Recordings, g.Name()), func(final string) bool {
				hash, ok := strings.CutSuffix(final, ".json.gz")
				return ok && hashShape.MatchString(hash)
			})
		}
	}
}

// sweepDir removes leftovers of files that ours accepts.
func (r *Run) sweepDir(dir string, ours func(final string) bool) {
	full := filepath.Join(r.Dir, dir)
	entries, err := os.ReadDir(full)
	if err != nil {
		return
	}
	for _, e := range entries {
		if final := atomicfile.Leftover(e.Name()); final != "" && e.Type()&fs.ModeType == 0 && ours(final) {
			_ = os.Remove(filepath.Join(full, e.Name()))
		}
	}
}
