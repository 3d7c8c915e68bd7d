package sandbox

import (
	"strconv"
	"sync"
	"time"
)

// What services without a configured limit announce: more than anybody asks.
const (
	announcedPerSecond = 1000
	announcedCredits   = 1_000_000
)

// budget counts requests and credits.
type budget struct {
	limits map[string]Limit
	mu     sync.Mutex
	second map[string]int64     // the second that is counted
	asked  map[string]int       // in that second
	last   map[string]time.Time // the latest request that was answered
	tries  map[string]int       // of each request to a shared pool
	day    string
	spent  int
}

func newBudget(opts Options) *budget {
	return &budget{limits: opts.Limits, second: map[string]int64{}, asked: map[string]int{},
		last: map[string]time.Time{}, tries: map[string]int{}}
}

// allow counts a request. If it comes too soon, or OpenAlex's budget is used
// up, it says how long to wait.
func (b *budget) allow(c *call) (wait time.Duration, exhausted, ok bool) {
	limit := b.limits[c.source]
	b.mu.Lock()
	defer b.mu.Unlock()
	if c.source == OpenAlex {
		if today := c.now.UTC().Format(time.DateOnly); today != b.day {
			b.day, b.spent = today, 0
		}
		if cost := openAlexCost(c); limit.Credits > 0 && b.spent+cost > limit.Credits {
			return untilMidnight(c.now), true, false
		}
	}
	if now := c.now.Unix(); now != b.second[c.source] {
		b.second[c.source], b.asked[c.source] = now, 0
	}
	b.asked[c.source]++
	if limit.PerSecond > 0 && b.asked[c.source] > limit.PerSecond {
		return time.Second, false, false
	}
	if since := c.now.Sub(b.last[c.source]); limit.Every > 0 && !b.last[c.source].IsZero() && since < limit.Every {
		return limit.Every - since, false, false
	}
	if limit.Shared > 0 && apiKey(c) == "" {
		id := canonical(c)
		b.tries[id]++
		if float64(hash(id, "shared pool "+strconv.Itoa(b.tries[id]))) < limit.Shared*(1<<32) {
			return time.Second, false, false
		}
	}
	b.last[c.source] = c.now
	return 0, false, true
}

// spend takes credits of OpenAlex and gives what is left of how much.
func (b *budget) spend(credits int) (left, limit int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	limit = b.limits[OpenAlex].Credits
	if limit == 0 {
		limit = announcedCredits
	}
	b.spent += credits
	return max(0, limit-b.spent), limit
}

// perSecond is the announced limit of a service and what is left of it.
func (b *budget) perSecond(source string) (left, limit int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	limit = b.limits[source].PerSecond
	if limit == 0 {
		limit = announcedPerSecond
	}
	return max(0, limit-b.asked[source]), limit
}

func untilMidnight(now time.Time) time.Duration {
	now = now.UTC()
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC).Sub(now)
}

// throttled is the 429 of each service. Only OpenAlex says by itself how long
// to wait.
func (s *Server) throttled(c *call, wait time.Duration) reply {
	out := reply{status: 429, kind: jsonType}
	_, limit := s.budget.perSecond(c.source)
	switch c.source {
	case ArXiv:
		out.kind, out.body = "text/html", []byte("Rate exceeded.")
		if c.fault.Kind == "" {
			wait = 0
		}
	case OpenAlex:
		return s.openAlexThrottled(c, wait, limit)
	case Crossref:
		out.kind = "text/html"
		out.body = []byte("<html><body><h1>429 Too Many Requests</h1>\nYou have sent too many requests in a given amount of time.\n</body></html>\n")
		out.set("Cache-Control", "no-cache")
		if c.fault.Kind == "" {
			wait = 0
		}
	case EuropePMC:
		out.kind, out.body = textType, []byte("Too Many Requests")
		if c.fault.Kind == "" {
			wait = 0
		}
	case PubMed:
		who := apiKey(c)
		if who == "" {
			who = "127.0.0.1"
		}
		out.body = style{}.encode(object{{"error", "API rate limit exceeded"}, {"api-key", who},
			{"count", strconv.Itoa(limit + 1)}, {"limit", strconv.Itoa(limit)}})
		out.body = append(out.body, '\n')
		out.set("X-RateLimit-Limit", strconv.Itoa(limit))
		out.set("X-RateLimit-Remaining", "0")
		if c.fault.Kind == "" {
			wait = 0
		}
	case SemanticScholar:
		out.body = style{spaced: true}.encode(object{{"message", "Too Many Requests. Please wait and try again or apply for a key for higher rate limits. " +
			"https://www.semanticscholar.org/product/api#api-key-form"}, {"code", "429"}})
		out.set("x-amzn-ErrorType", "TooManyRequestsException")
		if c.fault.Kind == "" {
			wait = 0
		}
	}
	retryAfter(&out, wait)
	return out
}

// forbidden is the refusal of each service; status 0 means its own.
func forbidden(c *call, status int) reply {
	out := reply{status: 403, kind: jsonType}
	switch c.source {
	case ArXiv:
		out.kind, out.body = htmlType, []byte("<html><body><h1>403 Forbidden</h1></body></html>\n")
	case OpenAlex:
		out.status = 401
		out.body = []byte(`{"error":"Invalid or missing API key","message":"API key not found"}` + "\n")
	case Crossref:
		out.kind, out.body = htmlType, []byte("<html><body><h1>403 Forbidden</h1>\nRequest forbidden by administrative rules.\n</body></html>\n")
	case EuropePMC:
		out.kind, out.body = htmlType, []byte("<html><body><h1>403 Forbidden</h1></body></html>\n")
	case PubMed:
		out.status = 400
		out.body = append(style{}.encode(object{{"error", "API key invalid"}, {"api-key", apiKey(c)}}), '\n')
	case SemanticScholar:
		out.body = []byte(`{"message":"Forbidden"}`)
		out.set("x-amzn-ErrorType", "ForbiddenException")
	}
	if status != 0 {
		out.status = status
	}
	return out
}
