// Package sourcetest is the conformance suite that every adapter under
// sources passes. It runs the adapter against scripted answers, then repeats
// each operation with every failure that a service is known for, at every
// request of the operation, and checks what the caller is told.
//
// It must never touch the network, and it must never know a particular
// service: what the service answers is the adapter's to say, in Cases. It is
// imported by tests only.
//
// An adapter calls it once:
//
//	func TestConformance(t *testing.T) {
//		sourcetest.Run(t, func(t *testing.T, do sourcetest.Doer) sources.Source {
//			return New(do, Config{Key: sourcetest.Key, Contact: sourcetest.Contact})
//		}, sourcetest.Cases{
//			Search: sourcetest.Scenario{
//				Request: sources.Request{Query: "graph", Limit: 10, Op: "search Q1"},
//				Answers: []sourcetest.Answer{{Path: "/works", Body: page}},
//				Total:   120, Records: 9, Skips: 1,
//			},
//			Zero: sourcetest.Scenario{…},
//		})
//	}
//
// Beside Run there are Dialect, which checks a Boolean query language against a
// grammar; Recordings and Row, for a table of what becomes of every recorded
// answer; and Play, for services that a table of answers cannot describe.
//
// What an adapter must do to pass, beyond what package sources says:
//
//   - send everything through the Doer that it was given, and nothing on a
//     context that is done; the error of a cancelled call satisfies
//     errors.Is(err, context.Canceled);
//   - return an *sources.Error with its own name for every failure: 401 and 403
//     are Refused (with a Hint), 429 without end is Throttled, 500 without end
//     and a broken connection are Down, and a 200 with HTML, with nothing, with
//     half a body or (in a search) with an empty object is Broken;
//   - never show the key, in an error or in a result, even when the service
//     echoes it;
//   - account for every entry of an answer, as a record or as a counted skip;
//   - give at most Request.Limit records, with distinct keys, also when the
//     service sends more than was asked for;
//   - write queries that are not empty (when there is a word to send), whose
//     quotation marks and parentheses balance, and that Clean leaves alone;
//   - write an exclusion so that it differs from a wanted term, or leave it out;
//     a query that only excludes is empty; a field changes no word;
//   - send Request.Query as it is (Result.Sent holds it), however wrong: only
//     Clean changes a query;
//   - send each of Request.Types and Request.Languages as a filter, or name it
//     (the very word) in Result.Notes; the same for words that do not exist;
//   - give keywords, subjects, ISSN and ISBN as plain text, each once, and no
//     grant without a word;
//   - in a look-up, name in Notes or Skips the identifier of every work that was
//     asked for and did not come back;
//   - keep the key out of recordings and of the call log (fetch.Request.Secrets);
//   - with Cases.Limit: keep to that pace when searches run side by side;
//   - with Cases.Pager: give as many records as Request.Limit asks for, in an
//     order that does not depend on it; end on a total that is too high or too
//     low and on a page or cursor that repeats, after 60 requests at most, and say in
//     Capped or Notes why there are fewer than Total; set Capped where the
//     service gives no more, and only when records that were wanted are missing.
package sourcetest

import (
	"context"
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// What newSource configures where the service knows a key or a contact. The
// key stands in every scripted failure, and must appear nowhere else.
const (
	Key     = "k3y-that+must/not=appear"
	Contact = "librarian@example.org"
)

// Doer is the one HTTP path as an adapter sees it.
type Doer interface {
	Do(context.Context, fetch.Request) (*fetch.Response, error)
}

// Cases is what the suite has to know about one service.
type Cases struct {
	// Search is a healthy search that gives two records or more.
	Search Scenario
	// Zero is a healthy search without a hit.
	Zero Scenario
	// Lookup, References and Citing are healthy calls, each giving a record
	// or more; nil where the adapter does not implement the call.
	Lookup     *Scenario
	References *Scenario
	Citing     *Scenario
	// NoReferences and NoCiting are calls for works that the service knows
	// but has no list of; the error must be of kind NoList.
	NoReferences *Scenario
	NoCiting     *Scenario
	// Failures are the service's own ways to fail, replayed for Search.
	Failures []Failure
	// Queries are more strings for Clean, beside those that the suite has.
	Queries []string
	// Limit is the pace that the adapter asks for; zero = it has none.
	Limit fetch.Limit
	// Pager plays the service with many hits; nil = it is not checked whether
	// the search goes deep.
	Pager *Pager
}

// Scenario is one call, the answers of the service and the right result.
type Scenario struct {
	Answers []Answer

	Request sources.Request // of Search
	IDs     []state.IDs     // of Lookup
	Seed    sources.Seed    // of References and Citing
	Limit   int             // of References and Citing; 0 = 100

	Total   int // of Search: the hits that the result reports
	Records int // that the result holds
	Skips   int // sum of the counts of the result's skips
}

// Failure is an answer that is one of the service's own ways to fail.
type Failure struct {
	Name    string
	Answers []Answer
	Outcome state.Outcome
	Says    string // must occur in the error: the service's own words
}

// Answer is what the service gives to the requests that it fits. The first
// fitting answer of a scenario is taken; a request without one fails the test.
type Answer struct {
	Method string            // "" = any
	Path   string            // the request's path ends in this; "" = any
	Query  map[string]string // parameters, in the URL or in a form body, with these values
	Times  int               // serve this often, then look on; 0 = always

	Status int         // 0 = 200
	Header http.Header // Content-Type is guessed from Body where it is absent
	Body   string
}

// Run checks a source. newSource is called for every check with the Doer that
// the source must send through; it sets pauses of the source's own to nothing.
// The suite runs no check in parallel and finishes in well under a second for
// a source that does not sleep.
func Run(t *testing.T, newSource func(t *testing.T, do Doer) sources.Source, cases Cases) {
	t.Helper()
	already := goleak.IgnoreCurrent()
	before := processWide()

	for _, check := range checks {
		t.Run(check.name, func(t *testing.T) {
			check.run(suite{t, newSource, cases}, t)
		})
	}

	if after := processWide(); after != before {
		t.Errorf("the source altered what belongs to the whole process: %+v before, %+v after", before, after)
	}
	if err := goleak.Find(already); err != nil {
		t.Errorf("the source left goroutines behind: %v", err)
	}
}

// global is what of net/http a source could be tempted to change.
type global struct {
	client, transport any
	timeout           time.Duration
	jar, redirect     bool
	keepAlivesOff     bool
	perHost           int
	header            time.Duration
}

func processWide() global {
	g := global{
		client: http.DefaultClient, transport: http.DefaultTransport,
		timeout: http.DefaultClient.Timeout, jar: http.DefaultClient.Jar != nil,
		redirect: http.DefaultClient.CheckRedirect != nil,
	}
	if tr, ok := http.DefaultTransport.(*http.Transport); ok {
		g.keepAlivesOff, g.perHost, g.header = tr.DisableKeepAlives, tr.MaxConnsPerHost, tr.ResponseHeaderTimeout
	}
	return g
}

// checks are the parts of the suite, in the order in which they run.
var checks = []struct {
	name string
	run  func(suite, testing.TB)
}{
	{"queries", suite.queries},
	{"healthy", suite.healthy},
	{"limit", suite.limit},
	{"depth", suite.depth},
	{"limits", suite.limits},
	{"untouched", suite.untouched},
	{"concurrent", suite.concurrent},
	{"pace", suite.pace},
	{"secrets", suite.secrets},
	{"nothing to send", suite.nothingToSend},
	{"no list", suite.noList},
	{"faults", suite.faults},
	{"own failures", suite.ownFailures},
	{"cancelled", suite.cancelled},
}

// suite is what the checks work on. They report to a testing.TB of their own,
// so that the suite can be tested with sources that fail it.
type suite struct {
	t         *testing.T
	newSource func(t *testing.T, do Doer) sources.Source
	cases     Cases
}

// source is a new source that sends through do.
func (s suite) source(do Doer) sources.Source { return s.newSource(s.t, do) }

// operation is one call of a source on a scenario.
type operation struct {
	name     string
	scenario Scenario
	call     func(context.Context, sources.Source, Scenario) (sources.Result, error)
}

// operations are the healthy calls that the cases describe.
func (s suite) operations(t testing.TB) []operation {
	t.Helper()
	source := s.source(NewService(t, nil).Doer())
	_, resolver := source.(sources.Resolver)
	citer, citing := source.(sources.Citer)
	references := citing
	if citing {
		references, citing = citer.Cites()
	}
	ops := []operation{{"search", s.cases.Search, search}}
	for _, o := range []struct {
		name     string
		has      bool
		scenario *Scenario
		call     func(context.Context, sources.Source, Scenario) (sources.Result, error)
	}{
		{"lookup", resolver, s.cases.Lookup, lookup},
		{"references", references, s.cases.References, referencesOf},
		{"citing", citing, s.cases.Citing, citingOf},
	} {
		switch {
		case o.has && o.scenario == nil:
			t.Errorf("the source has %s, but Cases has no scenario for it", o.name)
		case !o.has && o.scenario != nil:
			t.Errorf("Cases has a scenario for %s, but the source says that it cannot", o.name)
		case o.has:
			ops = append(ops, operation{o.name, *o.scenario, o.call})
		}
	}
	return ops
}

func search(ctx context.Context, s sources.Source, c Scenario) (sources.Result, error) {
	return s.Search(ctx, c.Request)
}

func lookup(ctx context.Context, s sources.Source, c Scenario) (sources.Result, error) {
	return s.(sources.Resolver).Lookup(ctx, c.IDs)
}

func referencesOf(ctx context.Context, s sources.Source, c Scenario) (sources.Result, error) {
	return s.(sources.Citer).References(ctx, c.Seed, c.limit())
}

func citingOf(ctx context.Context, s sources.Source, c Scenario) (sources.Result, error) {
	return s.(sources.Citer).Citing(ctx, c.Seed, c.limit())
}

func (c Scenario) limit() int {
	if c.Limit > 0 {
		return c.Limit
	}
	return 100
}
