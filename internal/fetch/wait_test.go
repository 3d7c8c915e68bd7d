package fetch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestAskedWait(t *testing.T) {
	now := time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		value string
		want  time.Duration
	}{
		{"", 0}, {"0", 0}, {"-1", 0}, {"120", 2 * time.Minute}, {" 5 ", 5 * time.Second}, {"1.5", 1500 * time.Millisecond},
		{"86400", 24 * time.Hour}, {"1e300", 100 * 24 * time.Hour}, {"99999999999999999999", 100 * 24 * time.Hour},
		{"Inf", 100 * 24 * time.Hour}, {"NaN", 0}, {"soon", 0}, {"Tue, 15 Sep 2026 12:00:30 GMT", 30 * time.Second},
		{"Tuesday, 15-Sep-26 12:01:00 GMT", time.Minute}, {"Tue, 15 Sep 2026 11:00:00 GMT", 0},
	} {
		if got := askedWait(http.Header{"Retry-After": {c.value}}, now); got != c.want {
			t.Errorf("Retry-After %q = %s, want %s", c.value, got, c.want)
		}
	}
	if got := askedWait(http.Header{"Retry-After": {"1"}, "Retry-After-Ms": {"250"}}, now); got != 250*time.Millisecond {
		t.Errorf("the finer statement counts: %s", got)
	}
}

func TestBackoffLaws(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		first := time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(rt, "first"))
		asked := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(rt, "asked"))
		n := rapid.IntRange(0, 1000).Draw(rt, "n")
		seed, hash := rapid.Uint64().Draw(rt, "seed"), rapid.String().Draw(rt, "hash")
		d := backoff(first, asked, n, seed, hash)
		switch {
		case d < shortestWait:
			rt.Fatalf("%s is under the floor", d)
		case d < asked:
			rt.Fatalf("%s is less than the %s asked for", d, asked)
		case asked == 0 && d > longestRise:
			rt.Fatalf("%s is over the ceiling", d)
		case d != backoff(first, asked, n, seed, hash):
			rt.Fatal("not deterministic")
		}
	})
}

func TestBackoffSpreads(t *testing.T) {
	seen := map[time.Duration]bool{}
	for i := range 100 {
		seen[backoff(time.Second, 0, 3, 0, fmt.Sprint(i))] = true
	}
	if len(seen) < 95 {
		t.Errorf("only %d different waits for 100 requests", len(seen))
	}
	if backoff(time.Second, 0, 3, 1, "x") == backoff(time.Second, 0, 3, 2, "x") {
		t.Error("the seed changes nothing")
	}
}

func TestSleepEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(5*time.Millisecond, cancel)
	began := time.Now()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) || time.Since(began) > time.Minute {
		t.Errorf("%v", err)
	}
	if err := sleep(context.Background(), 0); err != nil {
		t.Error(err)
	}
}
