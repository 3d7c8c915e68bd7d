// Package atomicfile writes files whole or not at all: existence means
// finished. It must never leave a half-written file under the final name.
//
// natefinch/atomic is not used because it syncs neither the directory nor,
// when it replaces a file, keeps the mode that the caller asked for; both
// matter to a run that must survive a power cut.
package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Write puts data under name: a temporary file in the same directory, fsync,
// rename, fsync of the directory. On error the old file, if any, is intact.
func Write(name string, data []byte, perm os.FileMode) (err error) {
	return write(name, data, perm, true)
}

// WriteFast is Write without the two fsyncs: whole or not at all as long as
// the machine does not lose power. For files that can be made again.
func WriteFast(name string, data []byte, perm os.FileMode) error {
	return write(name, data, perm, false)
}

func pattern(base string) string { return "." + base + ".tmp-*" }

func write(name string, data []byte, perm os.FileMode, durable bool) (err error) {
	dir := filepath.Dir(name)
	f, err := os.CreateTemp(dir, pattern(filepath.Base(name)))
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	tmp := f.Name()
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(tmp)
			err = fmt.Errorf("writing %s: %w", name, err)
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Chmod(perm); err != nil {
		return err
	}
	if durable {
		if err = f.Sync(); err != nil {
			return err
		}
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(tmp, name); err != nil {
		return err
	}
	if !durable {
		return nil
	}
	return SyncDir(dir)
}

// Leftover tells which file a process was writing when it was killed, by the
// name of the temporary file that is left; "" if name is not one of ours. Only
// who alone writes in a directory may remove it.
func Leftover(name string) (final string) {
	rest, ok := strings.CutPrefix(name, ".")
	if !ok {
		return ""
	}
	final, number, ok := cutLast(rest, ".tmp-")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	return final
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// SyncDir makes the directory's entries durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
