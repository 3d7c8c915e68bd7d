package wire

import (
	"context"
	"sync"
)

// gate bounds the calls under way at one provider. The bound falls to half when
// the provider asks to be slower, at most once for the calls that were under
// way by then, and rises by one after as many successes in a row as it allows
// calls at once, up to where it began. It uses no clock: how long to wait is
// the matter of fetch.
type gate struct {
	mu     sync.Mutex
	most   int
	limit  int
	active int
	row    int // successes since the bound last changed
	epoch  int // times that the bound fell
	queue  []chan struct{}
}

// ticket is the right to call.
type ticket struct{ epoch int }

func newGate(most int) *gate { return &gate{most: most, limit: most} }

// enter waits for a turn, first come, first served.
func (g *gate) enter(ctx context.Context) (*ticket, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	g.mu.Lock()
	if g.active < g.limit && len(g.queue) == 0 {
		g.active++
		t := &ticket{g.epoch}
		g.mu.Unlock()
		return t, nil
	}
	turn := make(chan struct{})
	g.queue = append(g.queue, turn)
	g.mu.Unlock()
	select {
	case <-turn:
		g.mu.Lock()
		defer g.mu.Unlock()
		return &ticket{g.epoch}, nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, q := range g.queue {
		if q == turn {
			g.queue = append(g.queue[:i], g.queue[i+1:]...)
			return nil, context.Cause(ctx)
		}
	}
	g.active-- // the turn came at the same time: pass it on
	g.admit()
	return nil, context.Cause(ctx)
}

// slow halves the bound, unless that was done since the call of t began. A nil
// ticket changes nothing.
func (g *gate) slow(t *ticket) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t == nil || t.epoch != g.epoch {
		return
	}
	g.epoch++
	t.epoch = g.epoch // the same call may be refused again after its wait
	g.limit, g.row = max(g.limit/2, 1), 0
}

// leave gives the turn back.
func (g *gate) leave(t *ticket, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.active--
	if ok && t.epoch == g.epoch && g.limit < g.most {
		if g.row++; g.row >= g.limit {
			g.limit, g.row = g.limit+1, 0
		}
	}
	g.admit()
}

// admit lets in who fits. The lock is held.
func (g *gate) admit() {
	for g.active < g.limit && len(g.queue) > 0 {
		close(g.queue[0])
		g.queue = g.queue[1:]
		g.active++
	}
}

// bound is the bound now.
func (g *gate) bound() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.limit
}
