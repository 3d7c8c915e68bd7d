package sandbox

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Kind of a Fault.
type Kind string

const (
	Throttle    Kind = "throttle"     // 429 in the service's own words
	Refuse      Kind = "refuse"       // 401 or 403; the service's own status, or Status
	ServerError Kind = "server-error" // Status (503) with an HTML page
	CutBody     Kind = "cut-body"     // half of the body, then the connection breaks
	WrongType   Kind = "wrong-type"   // 200 with an HTML page in place of the answer
	EmptyBody   Kind = "empty-body"   // 200 with no body
	Slow        Kind = "slow"         // the healthy answer after Wait
	EmptyPage   Kind = "empty-page"   // no record on the page, the total as it is
	DropRecords Kind = "drop-records" // the last Drop records of the page are missing
	Shuffle     Kind = "shuffle"      // the records of the page in another order

	BodyError    Kind = "body-error"    // an error in the service's words, inside a 200
	DailyBudget  Kind = "daily-budget"  // 429 that asks to wait for hours (RetryAfter, or until the day is over)
	ControlChars Kind = "control-chars" // raw control characters in the text of the answer
	RenameField  Kind = "rename-field"  // every member or element Field has another name
	RetypeField  Kind = "retype-field"  // every member or element Field has a value of another type
	DropField    Kind = "drop-field"    // every member or element Field is missing
	RepeatCursor Kind = "repeat-cursor" // the first page and the same cursor, whatever page is asked for
	LyingTotal   Kind = "lying-total"   // a total more than ten times too high
)

// Kinds lists all of them.
func Kinds() []Kind {
	return []Kind{Throttle, Refuse, ServerError, CutBody, WrongType, EmptyBody, Slow, EmptyPage, DropRecords, Shuffle,
		BodyError, DailyBudget, ControlChars, RenameField, RetypeField, DropField, RepeatCursor, LyingTotal}
}

// ofField are the kinds that need Fault.Field.
func ofField(k Kind) bool { return k == RenameField || k == RetypeField || k == DropField }

// Fault is something that goes wrong with an answer.
type Fault struct {
	Kind Kind
	// Times is how often in a row the same request meets the fault; 0 = once,
	// negative = always.
	Times int
	// Rate is the share of requests that meet the fault, from 0 to 1, picked by
	// a hash of the request, so that they are the same in every run; 0 = all.
	Rate       float64
	Path       string        // only requests whose path contains it; "" = all
	Status     int           // of Refuse and ServerError; 0 = the usual one
	RetryAfter time.Duration // of Throttle, ServerError and DailyBudget: the header in whole seconds; 0 = no header
	Wait       time.Duration // of Slow
	Drop       int           // of DropRecords; 0 = one
	Field      string        // of RenameField, RetypeField and DropField: a JSON member or an XML element
}

// Faults are the faults of each service, in the order in which a request meets
// them: the first for its Times, then the second, and so on; after the last
// the service is healthy. Requests are counted one by one, each by its
// canonical form, so it does not matter in which order different requests
// arrive, and a request that is sent again often enough succeeds.
type Faults map[string][]Fault

func checkFaults(faults Faults) error {
	for _, source := range Sources() {
		for i, f := range faults[source] {
			if !slices.Contains(Kinds(), f.Kind) {
				return fmt.Errorf("sandbox: fault %d of %s is of the kind %q; the kinds are %v", i+1, source, f.Kind, Kinds())
			}
			if f.RetryAfter < 0 || f.Wait < 0 || f.Drop < 0 {
				return fmt.Errorf("sandbox: fault %d of %s has a negative time or number", i+1, source)
			}
			if !(f.Rate >= 0 && f.Rate <= 1) {
				return fmt.Errorf("sandbox: fault %d of %s has the rate %v; use one from 0 to 1", i+1, source, f.Rate)
			}
			if ofField(f.Kind) != (f.Field != "") {
				return fmt.Errorf("sandbox: fault %d of %s is %s with the field %q; field=NAME goes with rename-field, retype-field and drop-field, and with them only", i+1, source, f.Kind, f.Field)
			}
			if f.Status != 0 && (f.Status < 400 || f.Status > 599) {
				return fmt.Errorf("sandbox: fault %d of %s has status %d; use one from 400 to 599", i+1, source, f.Status)
			}
		}
	}
	return nil
}

// faultState counts how often each request came.
type faultState struct {
	faults Faults
	mu     sync.Mutex
	seen   map[string]int
}

func newFaultState(faults Faults) *faultState {
	return &faultState{faults: faults, seen: map[string]int{}}
}

// next counts a request and gives the fault that it meets, the zero Fault if
// none.
func (s *faultState) next(c *call) Fault {
	if len(s.faults[c.source]) == 0 {
		return Fault{}
	}
	id := canonical(c)
	s.mu.Lock()
	n := s.seen[id]
	s.seen[id]++
	s.mu.Unlock()
	for _, f := range s.faults[c.source] {
		if !strings.Contains(c.path, f.Path) || f.Rate > 0 && !picked(id, f) {
			continue
		}
		times := f.Times
		if times == 0 {
			times = 1
		}
		if times < 0 || n < times {
			return f
		}
		n -= times
	}
	return Fault{}
}

// picked reports whether a request is of the share that meets a fault.
func picked(id string, f Fault) bool {
	return float64(hash(id, "fault "+string(f.Kind)+" "+f.Field)) < f.Rate*(1<<32)
}

// canonical is what makes two requests the same: the service, the path, the
// parameters in any order without identity, and the body. arXiv's page size is
// left out, because a client that asks an empty page again may ask for one
// record more to tell its requests apart.
func canonical(c *call) string {
	query := url.Values{}
	for name, values := range c.form {
		switch name {
		case "api_key", "api-key", "mailto", "email", "tool":
		case "max_results":
			if c.source != ArXiv {
				query[name] = values
			}
		default:
			query[name] = values
		}
	}
	body := ""
	if len(c.form) == len(c.query) {
		body = string(c.body)
	}
	return c.source + " " + c.method + " " + c.path + "?" + query.Encode() + " " + body
}

// page gives the records of a page as the fault leaves them.
func page[T any](c *call, records []T) []T {
	switch c.fault.Kind {
	case EmptyPage:
		return nil
	case DropRecords:
		return records[:max(0, len(records)-max(1, c.fault.Drop))]
	case Shuffle:
		if len(records) < 2 {
			return records
		}
		out := slices.Clone(records)
		slices.Reverse(out)
		if len(out) == 2 {
			return out
		}
		// Not merely reversed: the first of them goes to the middle.
		mid := len(out) / 2
		return slices.Concat(out[1:mid+1], out[:1], out[mid+1:])
	}
	return records
}

// refuse gives the answer of a fault, a limit or a wrong key, if there is one.
func (s *Server) refuse(c *call) (reply, bool) {
	switch c.fault.Kind {
	case Throttle:
		return s.throttled(c, c.fault.RetryAfter), true
	case DailyBudget:
		wait := c.fault.RetryAfter
		if wait == 0 {
			wait = untilMidnight(c.now)
		}
		if c.source == OpenAlex {
			return s.creditless(c, wait), true
		}
		return s.throttled(c, wait), true
	case BodyError:
		return bodyError(c), true
	case Refuse:
		return forbidden(c, c.fault.Status), true
	case ServerError:
		status := c.fault.Status
		if status == 0 {
			status = 503
		}
		out := reply{status: status, kind: htmlType, body: []byte(fmt.Sprintf(
			"<html>\n<head><title>%d</title></head>\n<body>\n<center><h1>%d Service Error</h1></center>\n</body>\n</html>\n", status, status))}
		retryAfter(&out, c.fault.RetryAfter)
		return out, true
	}
	if given := apiKey(c); given != "" {
		if accepted, listed := s.opts.Keys[c.source]; listed && !slices.Contains(accepted, given) {
			return forbidden(c, 0), true
		}
	}
	if wait, exhausted, ok := s.budget.allow(c); !ok {
		if exhausted {
			return s.creditless(c, wait), true
		}
		return s.throttled(c, wait), true
	}
	return reply{}, false
}

func retryAfter(out *reply, wait time.Duration) {
	if wait > 0 {
		out.set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	}
}

// apiKey is the key of a request, in the places where the services take it.
func apiKey(c *call) string {
	switch c.source {
	case SemanticScholar:
		return c.header.Get("x-api-key")
	case Crossref:
		return strings.TrimPrefix(c.header.Get("Crossref-Plus-API-Token"), "Bearer ")
	case OpenAlex:
		for _, name := range []string{"api_key", "api-key"} {
			if v := c.param(name); v != "" {
				return v
			}
			if v := c.header.Get(name); v != "" {
				return v
			}
		}
		return strings.TrimPrefix(c.header.Get("Authorization"), "Bearer ")
	case PubMed:
		return c.param("api_key")
	}
	return ""
}
