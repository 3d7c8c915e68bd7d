package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"optimistresearch/internal/advice"
	"optimistresearch/internal/atomicfile"
)

// Imports is the folder of the files that a run started from, as they were.
const Imports = "imports"

// KeepImport stores a file that the run starts from. name is a base name.
func (r *Run) KeepImport(name string, data []byte) error {
	dir := filepath.Join(r.Dir, Imports)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("keeping %s: %w", name, err)
	}
	if err := atomicfile.Write(filepath.Join(dir, filepath.Base(name)), data, 0o644); err != nil {
		return fmt.Errorf("keeping %s: %w", name, err)
	}
	return nil
}

// TakeImports gives the run the files that another one started from.
func (r *Run) TakeImports(from *Run) error {
	files, err := os.ReadDir(filepath.Join(from.Dir, Imports))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("taking the imported files of %s: %w", from.Dir, err)
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			continue
		}
		if err := take(filepath.Join(from.Dir, Imports, f.Name()), filepath.Join(r.Dir, Imports, f.Name())); err != nil {
			return advice.New(afterWriting(err, "mend the cause"), "taking the imported files of %s: %w", from.Dir, err)
		}
	}
	return nil
}
