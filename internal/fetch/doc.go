// Package fetch is the one HTTP path of the program: scholarly sources, models and full text all pass here.
// It gives every request its identity (User-Agent with contact), its turn (a pace per service, host and key), its
// retries (the caller says whether, this room says when), its caps (time and bytes), its recording and replay, and it
// keeps keys out of everything that can be read later.
//
// It must never know what a service means: adapters decode bodies and, by Request.OK, judge them. It must never alter
// process-wide defaults of net/http, start work on a cancelled context, sleep longer than its reported cap, or let a
// key into an error, an event or a recording.
//
// Start with New, then:
//
//	resp, err := client.Do(ctx, fetch.Request{
//		Service: "openalex", Op: "search Q7",
//		Base: "https://api.openalex.org", Path: "/works", Query: url.Values{"search": {"dowsing"}},
//	})
//	switch fetch.KindOf(err) {
//	case "": // resp.Body is whole
//	case fetch.Throttled, fetch.Down: // gave up; err says what to type next
//	}
package fetch
