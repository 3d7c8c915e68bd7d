package fetch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"
)

// Defaults of Options; durations and sizes that are zero there take these.
const (
	DefaultTimeout       = 60 * time.Second
	DefaultMaxRetries    = 4
	DefaultRetryWait     = time.Second
	DefaultRetryAfterCap = 2 * time.Minute
	DefaultMaxBytes      = 32 << 20
)

// Options configure a Client. There is no option that shows a secret.
type Options struct {
	UserAgent string // "optimistresearch/1.2"
	Contact   string // e-mail address, added to the User-Agent as "(mailto:…)"; services ask for it

	Timeout       time.Duration // one attempt, from the start of sending to the last byte; waiting for a turn does not count
	MaxRetries    int           // attempts after the first; negative means none
	RetryWait     time.Duration // first back-off, doubled each time up to 30 s; never under 200 ms
	RetryAfterCap time.Duration // a service that asks for a longer wait is given up at once, and the error names its wait
	MaxBytes      int64         // of a decoded body

	Limits map[string]Limit // by service; a service that is not here has none
	Pool   *Pool            // turns shared with other clients; nil means own ones

	Recorder Recorder // nil keeps nothing
	Mode     Mode

	// Observe gets one Event for every Do, also for failures and recordings. It is called from the goroutine of Do and
	// must be safe for concurrent use.
	Observe func(Event)

	// Waiting, if set, is told before a request waits half a second or more, for its turn or to be repeated. It is called
	// like Observe.
	Waiting func(Wait)

	// Break leaves a configured service alone for a while after several requests in a row have failed in spite of their
	// retries: the ones that follow fail at once, with the same kind and "not asked". The failure of an answer that blames
	// the request does not count.
	Break bool

	// Transport replaces the network (fakes, tests). Untrusted addresses are then checked only as far as the URL shows
	// them; the check of the resolved address is part of the built-in transport.
	Transport http.RoundTripper

	AllowPrivate bool // let CrossHost and Untrusted requests reach loopback, private, link-local addresses (tests, sandbox)

	Seed  uint64                                           // of the jitter
	Sleep func(ctx context.Context, d time.Duration) error // nil means a real timer
	Now   func() time.Time                                 // nil means time.Now; context deadlines are compared with it
}

// Wait is a wait that has begun.
type Wait struct {
	Service, Op string
	For         time.Duration
	Retry       bool // before another attempt; otherwise for a turn
}

// noticed is the shortest wait that is announced.
const noticed = 500 * time.Millisecond

// Event is one Do, as the call log keeps it. It holds no secret and no configured base URL.
type Event struct {
	Time                time.Time // when Do began
	Service, Op, Method string
	URL                 string // path and query without key and identity; with the host where the address came from data
	Status, Attempts    int
	Bytes               int // of the body handed over
	Waited, Elapsed     time.Duration
	FromRecording       bool
	Kind                Kind   // "" means success
	Request, Raw        string // hash of the request, SHA-256 of the body
}

// withDefaults fills in what is zero and refuses what cannot work.
func (o Options) withDefaults() (Options, error) {
	if o.Timeout < 0 || o.RetryWait < 0 || o.RetryAfterCap < 0 || o.MaxBytes < 0 {
		return o, errors.New("fetch: a time-out, wait or size is negative; set it to 0 for the default")
	}
	for service, l := range o.Limits {
		if l.Every < 0 || l.Burst < 0 || l.Concurrent < 0 {
			return o, fmt.Errorf("fetch: the pace of %s is negative; set it to 0 for no limit", service)
		}
	}
	if o.Mode < Record || o.Mode > Replay {
		return o, fmt.Errorf("fetch: unknown mode %d; use Record, Resume or Replay", o.Mode)
	}
	if o.Mode == Replay && o.Recorder == nil {
		return o, errors.New("fetch: replay needs recordings; name the run to replay")
	}
	if !cleanHeaderValue(o.UserAgent) || !cleanHeaderValue(o.Contact) {
		return o, errors.New("fetch: the User-Agent or the contact address holds a line break; remove it")
	}
	setDefault(&o.UserAgent, "optimistresearch")
	if o.Contact != "" {
		o.UserAgent += " (mailto:" + o.Contact + ")"
	}
	setDefault(&o.Timeout, DefaultTimeout)
	setDefault(&o.RetryWait, DefaultRetryWait)
	setDefault(&o.RetryAfterCap, DefaultRetryAfterCap)
	setDefault(&o.MaxBytes, DefaultMaxBytes)
	setDefault(&o.MaxRetries, DefaultMaxRetries)
	o.MaxRetries = max(o.MaxRetries, 0)
	o.Limits = maps.Clone(o.Limits)
	if o.Pool == nil {
		o.Pool = NewPool()
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Observe == nil {
		o.Observe = func(Event) {}
	}
	if o.Waiting == nil {
		o.Waiting = func(Wait) {}
	}
	return o, nil
}

func setDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}
