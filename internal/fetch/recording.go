package fetch

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Mode says whether answers come from the service or from recordings.
type Mode int

const (
	Record Mode = iota // always send; save what is final
	Resume             // answer from recordings first, else send and save; equal requests at the same time are sent once
	Replay             // recordings only; the network is refused with Offline
)

// RecordingVersion is the version of the stored form.
const RecordingVersion = 1

// keptRequestBody is the size up to which a request body is kept as text beside its hash.
const keptRequestBody = 256 << 10

// Recording is one final answer with the question it belongs to: a 2xx, a 404 or another 4xx that asking again would
// not change, or (under another name, for replay alone) how the request failed. Answers that may change (401, 402, 403, 407, 408, 425, 429, 5xx, and whatever Request.OK calls
// Throttled, Refused, Broken or Down) are never recorded as answers. It holds no secret.
type Recording struct {
	Version     int         `json:"version"`
	Service     string      `json:"service"`
	Method      string      `json:"method"`
	Host        string      `json:"host,omitempty"` // only where the address came from data
	Path        string      `json:"path"`
	Query       url.Values  `json:"query,omitempty"`
	RequestSHA  string      `json:"request_sha256,omitempty"` // of the redacted request body
	RequestBody []byte      `json:"request_body,omitempty"`   // redacted; left out above 256 KiB
	Status      int         `json:"status"`
	Header      http.Header `json:"header,omitempty"`  // neither volatile nor secret entries
	Body        []byte      `json:"body"`              // decoded (no gzip), redacted
	Raw         string      `json:"raw_sha256"`        // of Body
	Failure     *Failure    `json:"failure,omitempty"` // set when there was no final answer
}

// usable says why a stored recording cannot answer, or nil.
func (r *Recording) usable() error {
	switch {
	case r == nil:
		return fmt.Errorf("the recording is empty")
	case r.Version != RecordingVersion:
		return fmt.Errorf("the recording has format version %d, this program reads version %d", r.Version, RecordingVersion)
	case r.Raw != sha256Hex(r.Body):
		return fmt.Errorf("the recorded body does not match its checksum")
	}
	return nil
}

// Recorder keeps recordings by request hash. Implementations are safe for concurrent use.
//
// Load returns false without error for an unknown hash. Save returns when the recording is durable; it replaces an
// older one of the same hash and must neither change nor keep r's slices after it returned.
type Recorder interface {
	Load(hash string) (*Recording, bool, error)
	Save(hash string, r *Recording) error
}

// MemoryRecorder keeps recordings in memory, for tests and for runs that leave nothing behind. The zero value is ready.
type MemoryRecorder struct {
	mu   sync.Mutex
	kept map[string]*Recording
}

// Load returns a copy of the recording.
func (m *MemoryRecorder) Load(hash string) (*Recording, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.kept[hash]
	if !ok {
		return nil, false, nil
	}
	return r.clone(), true, nil
}

// Save keeps a copy of r.
func (m *MemoryRecorder) Save(hash string, r *Recording) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[string]*Recording{}
	}
	m.kept[hash] = r.clone()
	return nil
}

// Hashes lists the requests whose answers are kept, sorted; recorded failures are not answers.
func (m *MemoryRecorder) Hashes() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(m.kept)), func(hash string) bool { return strings.HasSuffix(hash, failureSuffix) })
}

func (r *Recording) clone() *Recording {
	c := *r
	c.Query = url.Values(http.Header(r.Query).Clone())
	c.Header = r.Header.Clone()
	c.RequestBody = bytes.Clone(r.RequestBody)
	c.Body = bytes.Clone(r.Body)
	return &c
}
