package fetch

import (
	"fmt"
	"sync"
	"time"
)

// A service that fails one request after the other is left alone for a while: what follows fails at once with the same
// kind, and says that it was not asked. Otherwise a service that hangs costs a time-out and all retries for each of a
// run's queries, and one that has refused the key is asked with it thirty times.
//
// How many failures in a row open the breaker; a failure has had its retries already.
var trips = map[Kind]int{
	Refused:   2,
	Throttled: 2,
	Down:      3,
	Broken:    5, // may be the query's fault
}

// breakFor is how long a service is left alone before one request tries again. A service that named a longer wait is
// left alone for that.
const breakFor = 5 * time.Minute

// breakers hold one breaker for each service.
type breakers struct {
	mu     sync.Mutex
	all    map[string]*breaker
	failed map[string]Error // by hash of the request
}

// before returns how the same request failed before, nil if it did not.
func (b *breakers) before(hash string) *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if fail, ok := b.failed[hash]; ok {
		return &fail
	}
	return nil
}

// remember keeps how a request failed.
func (b *breakers) remember(hash string, fail *Error) {
	if fail == nil || !keepable(fail) {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed == nil {
		b.failed = map[string]Error{}
	}
	b.failed[hash] = *fail
}

// breaker counts failures in a row, whatever their kinds; the latest one decides how many are enough.
type breaker struct {
	row   int
	last  Error     // a copy
	until time.Time // open before
}

// refuse returns the failure of a request that is not sent because its service is left alone; nil means: send it.
func (b *breakers) refuse(service string, now time.Time) *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	one := b.all[service]
	if one == nil || !now.Before(one.until) {
		return nil
	}
	before := "the request before it failed like this"
	if one.row > 1 {
		before = fmt.Sprintf("%d requests before it failed one after the other, the last like this", one.row)
	}
	return &Error{Kind: one.last.Kind, Final: true, After: one.last.After, Hint: one.last.Hint,
		Err: fmt.Errorf("not asked, because %s: %s", before, one.last.why())}
}

// count takes note of how a request that was sent ended; nil is success.
func (b *breakers) count(service string, fail *Error, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.all == nil {
		b.all = map[string]*breaker{}
	}
	one := b.all[service]
	if one == nil {
		one = &breaker{}
		b.all[service] = one
	}
	if fail == nil || !keepable(fail) { // success, or the fault is the request's: the service answers
		*one = breaker{}
		return
	}
	one.row++
	one.last = *fail
	one.last.Service = service
	setDefault(&one.last.Hint, one.last.hint())
	if one.row >= trips[fail.Kind] || fail.After > breakFor {
		one.until = now.Add(max(breakFor, fail.After))
	}
}
