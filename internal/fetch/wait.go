package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	shortestWait = 200 * time.Millisecond // between two attempts, whatever the service says
	longestRise  = 30 * time.Second       // where the exponential growth stops
)

// clock is the seam for time: the real one, or a test's.
type clock struct {
	now   func() time.Time
	sleep func(ctx context.Context, d time.Duration) error
}

// hold waits for d, unless the deadline of ctx comes first: then it says so at once with a *tooLate.
func (c clock) hold(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	if deadline, bounded := ctx.Deadline(); bounded {
		if left := deadline.Sub(c.now()); left < d {
			return &tooLate{wait: d, left: left}
		}
	}
	return c.sleep(ctx, d)
}

// tooLate says that a wait would pass the caller's deadline. It comes from our own pace and is no network error.
type tooLate struct{ wait, left time.Duration }

func (t *tooLate) Error() string {
	return fmt.Sprintf("the next turn is in %s, but only %s are left", t.wait.Round(time.Millisecond), max(t.left, 0).Round(time.Millisecond))
}

func (t *tooLate) Unwrap() error { return context.DeadlineExceeded }

// sleep waits for d or until ctx ends, whichever comes first.
func sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// backoff is the wait before attempt n+1 (n counts from 0): what the service asked for, but not less than the floor;
// else first·2ⁿ, at most 30 s, of which between a half and all is taken. The share is drawn from seed, request hash and
// n, so that equal runs wait equally and different requests do not come back together.
func backoff(first, asked time.Duration, n int, seed uint64, hash string) time.Duration {
	if asked > 0 {
		return max(asked, shortestWait)
	}
	rise := longestRise
	if n < 30 && float64(first)*math.Exp2(float64(n)) < float64(longestRise) {
		rise = first << n
	}
	var in [16]byte
	binary.LittleEndian.PutUint64(in[:8], seed)
	binary.LittleEndian.PutUint64(in[8:], uint64(n))
	sum := sha256.Sum256(append(in[:], hash...))
	share := float64(binary.LittleEndian.Uint64(sum[:8])>>11) / (1 << 53)
	return max(rise/2+time.Duration(share*float64(rise/2)), shortestWait)
}

// askedWait reads how long a service wants to be left alone: Retry-After-Ms (OpenAI), Retry-After in seconds (also
// "1.5", which some gateways send) or as an HTTP date. 0 means that it said nothing usable: missing, negative, zero,
// a date that has passed, or no number.
func askedWait(h http.Header, now time.Time) time.Duration {
	if d := number(h.Get("Retry-After-Ms"), time.Millisecond); d > 0 {
		return d
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if d := number(value, time.Second); d > 0 {
		return d
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// number reads a non-negative decimal in the given unit, at most a hundred days; 0 for anything else.
func number(s string, unit time.Duration) time.Duration {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(v) || v <= 0 {
		return 0
	}
	return time.Duration(min(v*float64(unit), float64(100*24*time.Hour)))
}
