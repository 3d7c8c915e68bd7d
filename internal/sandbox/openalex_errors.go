package sandbox

import (
	"fmt"
	"strconv"
	"time"
)

func dollars(credits int) float64 { return float64(credits) / creditsPerDollar }

// failure is an error in OpenAlex's words.
func failure(status int, kind, message string) reply {
	return reply{status: status, kind: jsonType, body: append(style{}.encode(object{{"error", kind}, {"message", message}}), '\n')}
}

func badParameter(message string) reply {
	return failure(400, "Invalid query parameters error.", message)
}

func badPage(message string) reply { return failure(400, "Pagination error.", message) }

// edge is a refusal before the request reaches the service.
func edge(kind, message, rule string) reply {
	out := reply{status: 400, kind: jsonType}
	out.body = append(style{}.encode(object{{"error", kind}, {"error_source", "openalex-api-proxy"}, {"message", message}}), '\n')
	out.set("x-openalex-edge-reject", rule)
	return out
}

// notFoundPage is the HTML with which OpenAlex answers for an unknown work.
func notFoundPage() reply {
	return reply{status: 404, kind: htmlType, body: []byte("<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n" +
		"<p>The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.</p>\n")}
}

// openAlexThrottled is the 429 for haste; a wait of more than two minutes is
// the budget of the day.
func (s *Server) openAlexThrottled(c *call, wait time.Duration, perSecond int) reply {
	if wait > 2*time.Minute {
		return s.creditless(c, wait)
	}
	cost := openAlexCost(c)
	left, limit := s.budget.spend(0)
	out := reply{status: 429, kind: jsonType}
	seconds := max(1, int((wait+time.Second-1)/time.Second))
	out.body = append(style{}.encode(object{{"error", "Rate limit exceeded"},
		{"message", fmt.Sprintf("Rate limit exceeded: %d requests per second. Please slow down.", perSecond)}, {"retryAfter", seconds},
		{"costUsd", dollars(cost)}, {"dailyRemainingUsd", dollars(left)}, {"prepaidRemainingUsd", 0},
		{"creditsRequired", cost}, {"creditsRemaining", left}, {"onetimeCreditsRemaining", 0}}), '\n')
	retryAfter(&out, wait)
	out.set("X-RateLimit-Limit", itoa(limit))
	out.set("X-RateLimit-Remaining", itoa(left))
	out.set("X-RateLimit-Credits-Required", itoa(cost))
	return out
}

// creditless is the 429 when the budget of the day is used up.
func (s *Server) creditless(c *call, wait time.Duration) reply {
	cost := max(1, openAlexCost(c))
	_, limit := s.budget.spend(0)
	out := reply{status: 429, kind: jsonType}
	out.body = append(style{}.encode(object{{"error", "Rate limit exceeded"},
		{"message", fmt.Sprintf("Insufficient budget. This request costs $%s but you only have $0 remaining. Resets at midnight UTC. "+
			"Need more? Add funds at https://openalex.org/pricing", strconv.FormatFloat(dollars(cost), 'f', -1, 64))},
		{"retryAfter", int(wait / time.Second)}, {"costUsd", dollars(cost)}, {"dailyRemainingUsd", 0}, {"prepaidRemainingUsd", 0},
		{"creditsRequired", cost}, {"creditsRemaining", 0}, {"onetimeCreditsRemaining", 0}}), '\n')
	retryAfter(&out, wait)
	out.set("X-RateLimit-Limit", itoa(limit))
	out.set("X-RateLimit-Remaining", "0")
	out.set("X-RateLimit-Credits-Required", itoa(cost))
	out.set("X-RateLimit-Reset", itoa(int(wait/time.Second)))
	return out
}
