package wire

import (
	"context"
	"testing"
	"time"
)

func enter(t *testing.T, g *gate) *ticket {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	k, err := g.enter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A burst of refusals halves the bound once, the next burst again, never below
// one; successes raise it step by step to where it was.
func TestGateAdapts(t *testing.T) {
	g := newGate(8)
	var burst []*ticket
	for range 8 {
		burst = append(burst, enter(t, g))
	}
	for _, k := range burst {
		g.slow(k)
	}
	if g.bound() != 4 {
		t.Errorf("after one burst: %d, want 4", g.bound())
	}
	for _, k := range burst {
		g.leave(k, true)
	}
	for range 2 {
		k := enter(t, g)
		g.slow(k)
		g.leave(k, false)
	}
	if g.bound() != 1 {
		t.Errorf("after two more: %d, want 1", g.bound())
	}
	k := enter(t, g)
	g.slow(k)
	g.leave(k, false)
	if g.bound() != 1 {
		t.Errorf("below one: %d", g.bound())
	}
	n := 0
	for ; g.bound() < 8 && n < 1000; n++ {
		g.leave(enter(t, g), true)
	}
	if g.bound() != 8 || n != 1+2+3+4+5+6+7 {
		t.Errorf("back at %d after %d successes", g.bound(), n)
	}
	for range 20 {
		g.leave(enter(t, g), true)
	}
	if g.bound() != 8 {
		t.Errorf("above the most: %d", g.bound())
	}
}

// Who gives up while waiting takes no turn with them.
func TestGateGivesUpCleanly(t *testing.T) {
	g := newGate(1)
	held := enter(t, g)
	ctx, cancel := context.WithCancel(context.Background())
	gone := make(chan error)
	go func() { _, err := g.enter(ctx); gone <- err }()
	for {
		g.mu.Lock()
		n := len(g.queue)
		g.mu.Unlock()
		if n == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-gone; err == nil {
		t.Error("a turn for who gave up")
	}
	g.leave(held, true)
	g.leave(enter(t, g), true)
	if g.active != 0 || len(g.queue) != 0 {
		t.Errorf("%d active, %d waiting", g.active, len(g.queue))
	}
	if _, err := g.enter(ctx); err == nil {
		t.Error("a turn in a context that has ended")
	}
}
