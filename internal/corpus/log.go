package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"optimistresearch/internal/advice"
)

// LogEntry is one call of a source or a model: what, when, cost, outcome. It
// holds no secret; addresses are redacted before they get here.
type LogEntry struct {
	Time      time.Time `json:"time"`
	Kind      string    `json:"kind"` // http or model
	Service   string    `json:"service,omitempty"`
	Operation string    `json:"operation,omitempty"`
	URL       string    `json:"url,omitempty"`
	Status    int       `json:"status,omitempty"`
	Outcome   string    `json:"outcome"`
	Attempts  int       `json:"attempts,omitempty"`
	WaitedMS  int64     `json:"waited_ms,omitempty"`
	ElapsedMS int64     `json:"elapsed_ms,omitempty"`
	Bytes     int       `json:"bytes,omitempty"`
	Recorded  bool      `json:"from_recording,omitempty"`
	Request   string    `json:"request,omitempty"` // hash, the name of the recording
	Raw       string    `json:"raw,omitempty"`     // sha256 of the body
	Task      string    `json:"task,omitempty"`
	Role      string    `json:"role,omitempty"`
	Model     string    `json:"model,omitempty"`
	Prompt    string    `json:"prompt,omitempty"` // name@version
	PromptSum string    `json:"prompt_hash,omitempty"`
	Tokens    *Tokens   `json:"tokens,omitempty"`
	Fallback  bool      `json:"fallback,omitempty"`
	Notes     []string  `json:"notes,omitempty"`
}

// Tokens of a model call. Micros is in millionths of a dollar and means
// nothing unless Priced.
type Tokens struct {
	Prompt  int   `json:"prompt"`
	Cached  int   `json:"cached,omitempty"`
	Output  int   `json:"output"`
	Micros  int64 `json:"micros,omitempty"`
	Priced  bool  `json:"priced"`
	Repairs int   `json:"repairs,omitempty"`
}

// Log appends entries to the call log of a run. The log is for people: it is
// not fsynced, and the state never depends on it.
type Log struct {
	mu  sync.Mutex
	f   *os.File
	err error
}

// OpenLog opens the call log for appending. A torn last line of an earlier
// process is ended first, so that the next entry stands on a line of its own.
func (r *Run) OpenLog() (*Log, error) {
	name := filepath.Join(r.Dir, LogFile)
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, advice.New(afterWriting(err, "mend the cause"), "opening the call log: %w", err)
	}
	if st, err := f.Stat(); err == nil && st.Size() > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, st.Size()-1); err == nil && last[0] != '\n' {
			_, err = f.Write([]byte("\n"))
			if err != nil {
				f.Close()
				return nil, fmt.Errorf("opening the call log: %w", err)
			}
		}
	}
	return &Log{f: f}, nil
}

// Add appends an entry. The first error is kept for Close: a call log that
// cannot be written must not stop a run.
func (l *Log) Add(e LogEntry) {
	b, err := json.Marshal(e)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		_, err = l.f.Write(append(b, '\n'))
	}
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("writing the call log: %w", err)
	}
}

// Close closes the log and returns the first error of Add.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.err, l.f.Close())
}

// ReadLog returns the entries of the call log, oldest first, and how many
// lines could not be read.
func (r *Run) ReadLog() (entries []LogEntry, unreadable int, err error) {
	f, err := os.Open(filepath.Join(r.Dir, LogFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reading the call log: %w", err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		if len(bytes.TrimSpace(sc.Bytes())) == 0 {
			continue
		}
		var e LogEntry
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			unreadable++
			continue
		}
		entries = append(entries, e)
	}
	if err := sc.Err(); err != nil {
		return entries, unreadable, fmt.Errorf("reading the call log: %w", err)
	}
	return entries, unreadable, nil
}
