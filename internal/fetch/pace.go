package fetch

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limit is the pace of one service, kept for each of its hosts and keys.
type Limit struct {
	Every      time.Duration // least time between the starts of two requests; 0 means no limit
	Burst      int           // requests that may start at once after a quiet time; 0 means 1
	Concurrent int           // requests under way at the same time; 0 means no limit
}

// Pool holds the turns of services. Clients that share a Pool share the pace of each (service, host, key), which is
// what a service counts; give one Pool to all clients of a process. The first client to use a (service, host, key) sets
// its Limit.
type Pool struct {
	mu    sync.Mutex
	lanes map[laneKey]*lane
}

// NewPool returns an empty Pool.
func NewPool() *Pool { return &Pool{lanes: map[laneKey]*lane{}} }

type laneKey struct {
	service, host string
	key           string // hash of the secrets, so that the Pool holds none
}

// lane is one queue: a rate limiter, a cap on requests under way, and a pause that the service asked for.
type lane struct {
	limiter *rate.Limiter
	slots   chan struct{} // nil without limit
	mu      sync.Mutex
	until   time.Time // nobody starts before
}

func (p *Pool) lane(key laneKey, l Limit) *lane {
	p.mu.Lock()
	defer p.mu.Unlock()
	if found := p.lanes[key]; found != nil {
		return found
	}
	// rate.Every of zero is rate.Inf: no limit.
	made := &lane{limiter: rate.NewLimiter(rate.Every(l.Every), max(l.Burst, 1))}
	if l.Concurrent > 0 {
		made.slots = make(chan struct{}, l.Concurrent)
	}
	p.lanes[key] = made
	return made
}

// enter waits for a turn and returns what gives it back. served is the end of a pause that this caller has sat out
// already. The error is the context's or a *tooLate; then nothing is held.
func (l *lane) enter(ctx context.Context, clk clock, served time.Time) (leave func(), waited time.Duration, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	leave = func() {}
	if l.slots != nil {
		began := clk.now()
		select {
		case l.slots <- struct{}{}:
			leave = sync.OnceFunc(func() { <-l.slots })
		case <-ctx.Done():
			return nil, clk.now().Sub(began), ctx.Err()
		}
		waited = clk.now().Sub(began)
	}
	pause := l.pauseLeft(clk.now(), served)
	if err = clk.hold(ctx, pause); err == nil {
		now := clk.now()
		turn := l.limiter.ReserveN(now, 1)
		delay := turn.DelayFrom(now)
		if err = clk.hold(ctx, delay); err == nil {
			return leave, waited + pause + delay, nil
		}
		turn.CancelAt(clk.now())
	}
	leave()
	return nil, waited, err
}

// pause keeps everyone else from starting before until; the caller waits by itself.
func (l *lane) pause(until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.until) {
		l.until = until
	}
}

func (l *lane) pauseLeft(now, served time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.until.After(served) {
		return 0
	}
	return max(l.until.Sub(now), 0)
}
