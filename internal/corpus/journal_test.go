package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"optimistresearch/state"
)

func delta(n int) state.Delta {
	id := fmt.Sprintf("doc_%04d", n)
	return state.Delta{
		Task: state.Task{ID: fmt.Sprintf("it1/read/%s", id), Node: "read", Iteration: 1},
		Part: state.State{
			Ledger:    map[string]state.Spend{"it1/read/" + id: {Documents: 1}},
			Documents: map[string]state.Document{id: {ID: id, Status: state.Read}},
		},
	}
}

func journalOf(t testing.TB, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	for i := range n {
		l, err := encodeLine(i+1, entry{Delta: delta(i + 1)})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(l)
	}
	return b.Bytes()
}

// A journal cut at any byte folds to its whole lines and never to anything
// else (SPEC §4.3: a torn last line is dropped).
func TestFoldOfEveryPrefix(t *testing.T) {
	full := journalOf(t, 4)
	for cut := 0; cut <= len(full); cut++ {
		got, err := fold("journal", full[:cut])
		if err != nil {
			t.Fatalf("cut at byte %d: %v", cut, err)
		}
		want := bytes.Count(full[:cut], []byte("\n"))
		if got.lines != want || len(got.state.Done) != want || got.good+got.torn != int64(cut) {
			t.Fatalf("cut at byte %d: %d lines, %d tasks, %d+%d bytes; want %d lines", cut, got.lines, len(got.state.Done), got.good, got.torn, want)
		}
	}
}

func TestDamageIsNamed(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimRight(string(journalOf(t, 3)), ""), "\n")
	for _, c := range []struct {
		name string
		in   string
		want string
	}{
		{"flipped bit", lines[0] + strings.Replace(lines[1], "doc_0002", "doc_0007", 1) + lines[2], "line 2 "},
		{"garbage", "garbage\n" + lines[1] + lines[2], "line 1 "},
		{"missing line", lines[0] + lines[2], "line 2 "},
		{"doubled line", lines[0] + lines[0] + lines[1], "line 2 "},
		{"no version", lines[0] + strings.Replace(lines[1], `{"v":1`, `{"v":0`, 1) + lines[2], "version 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := fold("run/journal.ndjson", []byte(c.in))
			if c.name == "missing line" {
				// As the last line it cannot be told from a torn one: it is dropped.
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "run/journal.ndjson") {
				t.Errorf("error = %v, want one that names %q and the file", err, c.want)
			}
		})
	}
}

// A journal of a newer program is whole: the advice is the program to use, and
// nothing is cut, not even as the last line.
func TestNewerVersionIsNotDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r, err := Create(dir, Manifest{Question: "q", Version: "0.9.7"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Append(delta(1)); err != nil {
		t.Fatal(err)
	}
	r.Close()
	name := filepath.Join(dir, JournalFile)
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, `{"v":9,"n":2,"sum":"00000000","delta":{}}`)
	f.Close()
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, open := range []func(string) (*Run, error){Open, OpenReadOnly} {
		_, err = open(dir)
		if !errors.Is(err, ErrNewer) || errors.Is(err, ErrDamaged) {
			t.Fatalf("error = %v, want ErrNewer", err)
		}
		for _, want := range []string{"line 2", "version 9", "nothing was changed", "0.9.7"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v; want it to say %q", err, want)
			}
		}
		if strings.Contains(err.Error(), "head -n") {
			t.Errorf("%v; nothing may be cut", err)
		}
	}
	if after, _ := os.ReadFile(name); !bytes.Equal(before, after) {
		t.Error("the journal was changed")
	}
	manifest := filepath.Join(dir, ManifestFile)
	if err := os.WriteFile(manifest, []byte(`{"format":7,"version":"1.2.3"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "1.2.3") {
		t.Errorf("error = %v, want ErrNewer with the version", err)
	}
}

// Where no run can be made, the error says why and what to type.
func TestCreateWhereItCannotBe(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(base, "closed")
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	places := map[string]string{file: "it is a file", filepath.Join(file, "r"): "part of its path is a file"}
	if os.Getuid() != 0 { // root may write anywhere
		places[closed], places[filepath.Join(closed, "r")] = "no permission", "no permission"
	}
	for dir, want := range places {
		_, err := Create(dir, Manifest{})
		if !errors.Is(err, ErrPlace) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--out") {
			t.Errorf("%s: %v, want ErrPlace with %q and --out", dir, err, want)
		}
	}
	if b, _ := os.ReadFile(file); string(b) != "mine" {
		t.Error("the file was changed")
	}
}

// Of two processes that make a run in one directory at once, one does; the
// other is told so and changes nothing.
func TestCreateAtOnce(t *testing.T) {
	for range 20 {
		dir := filepath.Join(t.TempDir(), "run")
		var wg sync.WaitGroup
		var mu sync.Mutex
		made := []string{}
		for i := range 4 {
			wg.Go(func() {
				question := fmt.Sprint("q", i)
				r, err := Create(dir, Manifest{Question: question})
				if err == nil {
					r.Close()
					mu.Lock()
					defer mu.Unlock()
					made = append(made, question)
				} else if !errors.Is(err, ErrLocked) && !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "--out") {
					t.Errorf("error = %v", err)
				}
			})
		}
		wg.Wait()
		r, err := OpenReadOnly(dir)
		if err != nil || len(made) != 1 || r.Manifest.Question != made[0] {
			t.Fatalf("made %q, found %+v, %v", made, r, err)
		}
	}
}

func TestReopenCutsTheTornEndAndGoesOn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r, err := Create(dir, Manifest{Question: "q"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := r.Append(delta(i + 1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, JournalFile)
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b[:len(b)-5], 0o644); err != nil {
		t.Fatal(err)
	}
	r, err = Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Notices) != 1 || len(r.State().Done) != 2 {
		t.Fatalf("notices %q, %d tasks; want one notice and 2 tasks", r.Notices, len(r.State().Done))
	}
	if err := r.Append(delta(3)); err != nil {
		t.Fatal(err)
	}
	r.Close()
	after, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(after, b) {
		t.Errorf("the journal differs from the one that was not torn (%v)", err)
	}
}

func TestSecondProcessIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r, err := Create(dir, Manifest{Question: "q"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, err = Open(dir)
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("second open: %v; want ErrLocked with the holder's pid %d", err, os.Getpid())
	}
	if ro, err := OpenReadOnly(dir); err != nil {
		t.Errorf("reading a run in progress: %v", err)
	} else {
		ro.Close()
	}
}

func TestCreateRefusesUsedDirectories(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, Manifest{}); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "--out") {
		t.Errorf("error = %v, want ErrExists with --out", err)
	}
	run := filepath.Join(t.TempDir(), "run")
	r, err := Create(run, Manifest{})
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	if _, err := Create(run, Manifest{}); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "resume "+run) {
		t.Errorf("error = %v, want ErrExists with the resume command", err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrNotARun) {
		t.Errorf("opening another directory: %v, want ErrNotARun", err)
	}
}

func TestParallelAppends(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r, err := Create(dir, Manifest{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			if err := r.Append(delta(i + 1)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	r.Close()
	back, err := OpenReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	if n := back.State().Spent().Documents; n != 100 || len(back.Notices) != 0 {
		t.Errorf("%d documents came back, want 100 (%q)", n, back.Notices)
	}
}

// fullDisk takes so many bytes and no more.
type fullDisk struct {
	*os.File
	room int
}

func (d *fullDisk) WriteAt(b []byte, at int64) (int, error) {
	if len(b) > d.room {
		n, _ := d.File.WriteAt(b[:d.room], at)
		return n, &os.PathError{Op: "write", Path: d.Name(), Err: syscall.ENOSPC}
	}
	d.room -= len(b)
	return d.File.WriteAt(b, at)
}

func TestFullDiskKeepsWhatWasCommitted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r, err := Create(dir, Manifest{})
	if err != nil {
		t.Fatal(err)
	}
	r.journal.f = &fullDisk{File: r.journal.f.(*os.File), room: 600}
	stored := 0
	for i := range 20 {
		err = r.Append(delta(i + 1))
		if err != nil {
			break
		}
		stored++
	}
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the disk is full: free some space") {
		t.Fatalf("error = %v, want one that says the disk is full and what to do", err)
	}
	if again := r.Append(delta(99)); again == nil {
		t.Error("an append after a failed one succeeded")
	}
	r.Close()
	back, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	if len(back.State().Done) != stored || stored == 0 || len(back.Notices) != 0 {
		t.Errorf("%d tasks came back of %d stored; notices %q", len(back.State().Done), stored, back.Notices)
	}
}

func FuzzFold(f *testing.F) {
	f.Add(journalOf(f, 2))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := fold("journal", b)
		if err == nil && got.good+got.torn != int64(len(b)) {
			t.Errorf("%d + %d bytes accounted for, %d given", got.good, got.torn, len(b))
		}
	})
}
