package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"

	"optimistresearch/internal/advice"
	"optimistresearch/internal/atomicfile"
	"optimistresearch/state"
)

// JournalVersion is the version of a journal line. A line is one JSON object:
//
//	{"v":1,"n":17,"sum":"9ae0daaf","delta":{…}}
//
// n counts the lines from 1, sum is the CRC-32 (Castagnoli) of the bytes of
// delta as 8 hex digits. A line that sets earlier ones back has version 2, so
// that a program that does not know of them refuses it.
const (
	JournalVersion = 1
	setBackVersion = 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type line struct {
	V     int             `json:"v"`
	N     int             `json:"n"`
	Sum   string          `json:"sum"`
	Delta json.RawMessage `json:"delta"`
}

// file is what a journal needs of *os.File; tests put a failing one in.
type file interface {
	io.WriterAt
	Sync() error
	Truncate(size int64) error
	Close() error
}

// journal appends lines. Writers queue up their lines; whoever finds no
// writer at work writes all that wait, with one fsync.
type journal struct {
	name string
	f    file

	mu     sync.Mutex
	size   int64 // bytes of whole, synced lines
	n      int   // number of the last line taken
	failed error // set once, then every append returns it
	batch  []byte
	wait   *flush
	busy   bool
}

// flush is one group of lines on its way to the disk.
type flush struct {
	done chan struct{}
	err  error
}

func createJournal(name string) (*journal, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	if err = f.Sync(); err == nil {
		err = atomicfile.SyncDir(filepath.Dir(name))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &journal{name: name, f: f}, nil
}

// openJournal opens a journal whose first good bytes are n whole lines; what
// follows them is cut off.
func openJournal(name string, good int64, n int) (*journal, error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	err = f.Truncate(good)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("cutting the torn end off %s: %w", name, err)
	}
	return &journal{name: name, f: f, size: good, n: n}, nil
}

func encodeLine(n int, d entry) ([]byte, error) {
	var delta bytes.Buffer
	e := json.NewEncoder(&delta)
	e.SetEscapeHTML(false)
	if err := e.Encode(d); err != nil {
		return nil, fmt.Errorf("encoding the delta of task %s: %w", d.Task.ID, err)
	}
	raw := bytes.TrimRight(delta.Bytes(), "\n")
	out := make([]byte, 0, len(raw)+64)
	out = append(out, `{"v":`...)
	version := int64(JournalVersion)
	if len(d.Void) > 0 {
		version = setBackVersion
	}
	out = strconv.AppendInt(out, version, 10)
	out = append(out, `,"n":`...)
	out = strconv.AppendInt(out, int64(n), 10)
	out = fmt.Appendf(out, `,"sum":"%08x","delta":`, crc32.Checksum(raw, castagnoli))
	out = append(out, raw...)
	return append(out, "}\n"...), nil
}

func (j *journal) append(d entry) error {
	j.mu.Lock()
	if j.failed != nil {
		defer j.mu.Unlock()
		return j.failed
	}
	b, err := encodeLine(j.n+1, d)
	if err != nil {
		j.mu.Unlock()
		return err
	}
	j.n++
	j.batch = append(j.batch, b...)
	if j.wait == nil {
		j.wait = &flush{done: make(chan struct{})}
	}
	mine := j.wait
	if j.busy {
		j.mu.Unlock()
		<-mine.done
		return mine.err
	}
	j.busy = true
	for len(j.batch) > 0 && j.failed == nil {
		group, bytes, at := j.wait, j.batch, j.size
		j.wait, j.batch = nil, nil
		j.mu.Unlock()
		err := j.write(bytes, at)
		j.mu.Lock()
		if err != nil {
			j.failed = err
		} else {
			j.size += int64(len(bytes))
		}
		group.err = err
		close(group.done)
	}
	if j.wait != nil { // lines that came in while the last write failed
		j.wait.err = j.failed
		close(j.wait.done)
		j.wait, j.batch = nil, nil
	}
	j.busy = false
	j.mu.Unlock()
	return mine.err
}

// write puts whole lines at the end, or leaves the journal as it was.
func (j *journal) write(b []byte, at int64) error {
	_, err := j.f.WriteAt(b, at)
	if err == nil {
		err = j.f.Sync()
	}
	if err == nil {
		return nil
	}
	cut := j.f.Truncate(at)
	if cut == nil {
		cut = j.f.Sync()
	}
	also := ""
	if cut != nil {
		also = fmt.Sprintf(" (the torn end could not be cut off either: %v; the next start does it)", cut)
	}
	return advice.New(afterWriting(err, "mend the cause"), "writing the journal %s: %w%s; what was stored before is intact", j.name, err, also)
}

func (j *journal) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failed == nil {
		j.failed = fmt.Errorf("the journal %s is closed", j.name)
	}
	return j.f.Close()
}

// folded is the result of reading a journal.
type folded struct {
	state *state.State
	good  int64 // bytes of whole lines
	lines int
	torn  int64 // bytes after them
	// standing are the deltas that count, in order.
	standing []numbered
}

type numbered struct {
	n     int // line of the journal, from 1
	delta state.Delta
}

func foldFile(name string) (folded, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return folded{}, err
	}
	return fold(name, b)
}

// fold decodes the lines on all cores and merges them in order. Only the very
// last line may be torn; a damaged earlier line is an error that names it.
func fold(name string, b []byte) (folded, error) {
	out := folded{state: new(state.State)}
	whole := bytes.LastIndexByte(b, '\n') + 1
	var raw [][]byte
	for rest := b[:whole]; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		raw = append(raw, rest[:i])
		rest = rest[i+1:]
	}
	deltas, errs := decodeAll(raw)
	offset := int64(0)
	for i := range raw {
		if errs[i] != nil {
			if i == len(raw)-1 && whole == len(b) && !errors.Is(errs[i], ErrNewer) {
				break // the last line, whole in length but not in content
			}
			if errors.Is(errs[i], ErrNewer) {
				return folded{}, fmt.Errorf("line %d of %s: %w", i+1, name, errs[i])
			}
			return folded{}, advice.New(fmt.Sprintf("restore the file from a copy, or cut it before that line (head -n %d) and resume", i), "%w: line %d of %s: %v", ErrDamaged, i+1, name, errs[i])
		}
		offset += int64(len(raw[i])) + 1
		out.lines++
	}
	out.good, out.torn = offset, int64(len(b))-offset
	void := map[int]bool{}
	for _, e := range deltas[:out.lines] {
		for _, n := range e.Void {
			void[n] = true
		}
	}
	for i, e := range deltas[:out.lines] {
		if len(e.Void) == 0 && !void[i+1] {
			out.standing = append(out.standing, numbered{i + 1, e.Delta})
			out.state.Apply(e.Delta)
		}
	}
	return out, nil
}

func decodeAll(raw [][]byte) ([]entry, []error) {
	deltas, errs := make([]entry, len(raw)), make([]error, len(raw))
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), max(len(raw), 1))
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(raw); i += workers {
				deltas[i], errs[i] = decodeLine(i+1, raw[i])
			}
		})
	}
	wg.Wait()
	return deltas, errs
}

func decodeLine(n int, b []byte) (entry, error) {
	var d entry
	l, err := splitLine(b)
	if err != nil {
		return d, err
	}
	if l.V > setBackVersion {
		return d, fmt.Errorf("%w: it has version %d, and this program knows versions up to %d", ErrNewer, l.V, setBackVersion)
	}
	if l.V < JournalVersion {
		return d, fmt.Errorf("it has version %d, which there is not", l.V)
	}
	if sum := fmt.Sprintf("%08x", crc32.Checksum(l.Delta, castagnoli)); sum != l.Sum {
		return d, fmt.Errorf("its checksum is %s and should be %s", sum, l.Sum)
	}
	if l.N != n {
		return d, fmt.Errorf("it is numbered %d: a line is missing, doubled or out of order", l.N)
	}
	if err := json.Unmarshal(l.Delta, &d); err != nil {
		return d, fmt.Errorf("its delta cannot be read: %v", err)
	}
	return d, nil
}

// splitLine reads a line in the form that encodeLine writes without decoding
// the delta twice; any other spelling of the same object is read the slow way.
func splitLine(b []byte) (line, error) {
	var l line
	const head, mid, tail = `{"v":1,"n":`, `,"sum":"`, `","delta":`
	if rest, ok := bytes.CutPrefix(b, []byte(head)); ok {
		if num, rest, ok := bytes.Cut(rest, []byte(mid)); ok && len(rest) > 8+len(tail) && string(rest[8:8+len(tail)]) == tail && rest[len(rest)-1] == '}' {
			if n, err := strconv.Atoi(string(num)); err == nil {
				return line{V: 1, N: n, Sum: string(rest[:8]), Delta: json.RawMessage(rest[8+len(tail) : len(rest)-1])}, nil
			}
		}
	}
	if err := json.Unmarshal(b, &l); err != nil {
		return l, fmt.Errorf("it is not a JSON object: %v", err)
	}
	return l, nil
}
