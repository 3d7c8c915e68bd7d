package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/gofrs/flock"

	"optimistresearch/internal/advice"
	"optimistresearch/screening"
)

// decisionsVersion is the version of the log's format.
const decisionsVersion = 1

// largestDecision is the longest line of a log that is read.
const largestDecision = 1 << 20

// DecisionLog keeps the decisions of a screening in a file, one JSON object a
// line, appended and synced before the decision counts as taken. It may be used
// by several goroutines.
type DecisionLog struct {
	Notices []string // what was odd about the file

	mu      sync.Mutex
	path    string
	file    *os.File
	lock    *flock.Flock
	session screening.Session
}

type decisionHeader struct {
	Version  int    `json:"decisions"`
	Question string `json:"question"`
}

// OpenDecisions opens the log at path, or makes it. A last line that a crash
// tore is cut off with a notice; a damaged earlier one is an error that names
// it. One process at a time may have it open.
func OpenDecisions(path, question string) (*DecisionLog, error) {
	l := &DecisionLog{path: path, lock: flock.New(path + ".lock")}
	held, err := l.lock.TryLock()
	if err != nil {
		return nil, wrong("choose a file in a folder that exists and can be written to", "opening the decisions: %w", err)
	}
	if !held {
		return nil, wrong("end the other one, or choose another file with --decisions", "another screening has %s open", path)
	}
	if l.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644); err == nil {
		err = l.load(question)
	} else {
		err = wrong("choose a file that can be written to", "opening the decisions: %w", err)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// load folds the file and leaves it ready to be appended to.
func (l *DecisionLog) load(question string) error {
	data, err := io.ReadAll(l.file)
	if err != nil {
		return fmt.Errorf("reading the decisions in %s: %w", l.path, err)
	}
	whole := data
	if end := bytes.LastIndexByte(data, '\n') + 1; end < len(data) {
		l.Notices = append(l.Notices, fmt.Sprintf("the last line of %s was not complete and was cut off", l.path))
		whole = data[:end]
		if err := l.file.Truncate(int64(end)); err != nil {
			return fmt.Errorf("cutting off the torn end of %s: %w", l.path, err)
		}
	}
	if _, err := l.file.Seek(int64(len(whole)), io.SeekStart); err != nil {
		return fmt.Errorf("opening the decisions in %s: %w", l.path, err)
	}
	if len(whole) == 0 {
		return l.append(decisionHeader{decisionsVersion, question})
	}
	n := 0
	for line := range bytes.Lines(whole) {
		n++
		bad := func(why any) error {
			return wrong("mend or remove that line, or choose another file with --decisions", "%s, line %d, is no decision: %v", l.path, n, why)
		}
		if len(line) > largestDecision {
			return bad("it is too long")
		}
		if n == 1 {
			var h decisionHeader
			if err := json.Unmarshal(line, &h); err != nil || h.Version == 0 {
				return bad(`it must begin with {"decisions":1,…}`)
			}
			if h.Version > decisionsVersion {
				return wrong("use the program that wrote it", "%s has version %d of the format, and this program knows %d", l.path, h.Version, decisionsVersion)
			}
			if h.Question != question && question != "" {
				l.Notices = append(l.Notices, fmt.Sprintf("the decisions in %s were begun for another question: %q", l.path, h.Question))
			}
			continue
		}
		var d screening.Decision
		if err := json.Unmarshal(line, &d); err != nil {
			return bad(err)
		}
		if d.Record == "" {
			return bad("it names no record")
		}
		switch d.Verdict {
		case "", screening.Include, screening.Exclude, screening.Maybe:
		default:
			return bad(fmt.Sprintf("its decision is %q", d.Verdict))
		}
		l.session.Apply(d)
	}
	return nil
}

// Session gives the fold of the log. It must not be used while Keep may run in
// another goroutine.
func (l *DecisionLog) Session() *screening.Session { return &l.session }

// Keep appends a decision and takes it into the session.
func (l *DecisionLog) Keep(d screening.Decision) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.append(d); err != nil {
		return err
	}
	l.session.Apply(d)
	return nil
}

// Append writes a decision that the session has taken already.
func (l *DecisionLog) Append(d screening.Decision) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.append(d)
}

func (l *DecisionLog) append(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("keeping a decision: %w", err)
	}
	if _, err = l.file.Write(append(line, '\n')); err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		return advice.New("the disk may be full or read-only; what was decided before is kept", "keeping a decision in %s: %w", l.path, err)
	}
	return nil
}

// Close lets go of the file.
func (l *DecisionLog) Close() error {
	var err error
	if l.file != nil {
		err = l.file.Close()
	}
	return errors.Join(err, l.lock.Unlock())
}
