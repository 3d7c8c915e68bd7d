package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// call is one Do under way. It lives in one goroutine.
type call struct {
	client   *Client
	req      *Request
	url      *url.URL
	secrets  *secrets
	id       identity
	hash     string
	laneKey  string // hash of the secrets: a service counts per key
	timeout  time.Duration
	maxBytes int64

	lane   *lane         // of the latest hop
	satOut time.Time     // end of the latest pause that this call waited for by itself
	sent   int           // requests sent, redirects not counted
	waited time.Duration // for turns and between attempts
	next   time.Duration // wait before the coming attempt
	failed int           // attempts that may be repeated
	asked  bool          // whether the service named that wait
	got    *answer       // of the latest attempt, if it had one

	fromRecording bool
}

// prepare checks a request and works out its address, secrets and name. The call is usable for an Event even when the
// request is not.
func (c *Client) prepare(r Request) (*call, *Error) {
	header := http.Header{}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		canonical := http.CanonicalHeaderKey(name)
		header[canonical] = append(header[canonical], r.Header[name]...)
	}
	r.Header = header
	u, err := r.url()
	one := &call{client: c, req: &r, url: u, timeout: r.Timeout, maxBytes: r.MaxBytes}
	setDefault(&one.timeout, c.opt.Timeout)
	setDefault(&one.maxBytes, c.opt.MaxBytes)
	one.secrets = collectSecrets(&r, u)
	one.laneKey = sha256Hex([]byte(strings.Join(one.secrets.values, "\n")))
	r.Op = one.secrets.text(r.Op)
	if err == nil {
		err = checkHeader(r.Header)
	}
	if err == nil && r.Service == "" {
		err = errors.New("the request names no service")
	}
	if err != nil {
		return one, &Error{Kind: BadRequest, Final: true, Err: err, Hint: "see where the value comes from: optimistresearch config show"}
	}
	one.id = identify(&r, u, one.secrets)
	one.hash = one.id.hash()
	return one, nil
}

// do answers from a recording or from the service, as the mode says, and saves what is final.
func (c *call) do(ctx context.Context) *Error {
	opt := c.client.opt
	recorder := opt.Recorder
	if c.req.NoRecord {
		recorder = nil
	}
	switch {
	case opt.Mode == Replay:
		return c.replay(recorder)
	case opt.Mode == Resume && recorder != nil && !c.req.Fresh:
		release, err := c.client.claim(ctx, c.hash)
		if err != nil {
			return c.explain(ctx, err)
		}
		defer release()
		if fail, err := c.recall(recorder); err == nil && (fail == nil || recordable(c.got, fail)) {
			return fail
		}
		c.got, c.fromRecording = nil, false // missing, damaged or no longer accepted: ask the service
	}
	fail := c.askUnlessBroken(ctx)
	if recorder != nil && fail != nil && ctx.Err() == nil && keepable(fail) && (c.got == nil || !recordable(c.got, fail)) {
		fail.Service = c.req.Service
		setDefault(&fail.Hint, fail.hint())
		c.saveFailure(recorder, fail)
	}
	if recorder == nil || c.got == nil || !recordable(c.got, fail) {
		return fail
	}
	if err := recorder.Save(c.hash, c.recording()); err != nil {
		return &Error{Kind: Unsaved, Final: true, Err: c.secrets.clean(err)}
	}
	return fail
}

var errNoRecording = errors.New("there is no recording")

// replay answers from a recording or not at all.
func (c *call) replay(recorder Recorder) *Error {
	if recorder == nil {
		return &Error{Kind: Offline, Final: true}
	}
	fail, err := c.recall(recorder)
	switch {
	case errors.Is(err, errNoRecording):
		if fail := c.recallFailure(recorder); fail != nil {
			return fail
		}
		return &Error{Kind: Offline, Final: true}
	case err != nil:
		return &Error{Kind: Broken, Final: true, Err: c.secrets.clean(fmt.Errorf("the recording %s cannot be used: %w", c.hash, err)),
			Hint: "restore the run directory, or run without --replay"}
	}
	return fail
}

// recall judges a recorded answer like a live one. The error says that there is none that can be used.
func (c *call) recall(recorder Recorder) (*Error, error) {
	kept, found, err := recorder.Load(c.hash)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errNoRecording
	}
	if err := kept.usable(); err != nil {
		return nil, err
	}
	c.got = &answer{status: kept.Status, header: cleanHeader(kept.Header, c.secrets, true), body: c.secrets.bytes(kept.Body), whole: true}
	c.fromRecording = true
	return c.verdict(c.judge(c.got)), nil
}

// recording is what is kept of the latest answer.
func (c *call) recording() *Recording {
	rec := &Recording{
		Version: RecordingVersion,
		Service: c.id.Service, Method: c.id.Method, Host: c.id.Host, Path: c.id.Path, Query: c.id.Query,
		Status: c.got.status, Header: c.got.header, Body: c.got.body, Raw: sha256Hex(c.got.body),
	}
	if len(c.id.Body) > 0 {
		rec.RequestSHA = sha256Hex(c.id.Body)
		if len(c.id.Body) <= keptRequestBody {
			rec.RequestBody = c.id.Body
		}
	}
	return rec
}

// askUnlessBroken asks the service, unless it is left alone for its failures, or this very request has failed before:
// then it fails the same way, as it will when the run is replayed from its recordings. Addresses that come from data belong to
// many services and are always asked.
func (c *call) askUnlessBroken(ctx context.Context) *Error {
	if !c.client.opt.Break || c.req.foreign() {
		return c.ask(ctx)
	}
	now := c.client.clock.now
	if fail := c.client.breakers.before(c.hash); fail != nil {
		return fail
	}
	if fail := c.client.breakers.refuse(c.req.Service, now()); fail != nil {
		c.client.breakers.remember(c.hash, fail)
		return fail
	}
	fail := c.ask(ctx)
	if ctx.Err() == nil {
		c.client.breakers.count(c.req.Service, fail, now())
		c.client.breakers.remember(c.hash, fail)
	}
	return fail
}

// ask is the retry loop. go-retryablehttp drives it; what to retry, how long to wait and the reading of the body are
// ours, because by itself it sleeps for any Retry-After, loops without a pause on "Retry-After: 0", drops the last
// answer, never sees a body that is cut short, and repeats the address in its errors and log lines.
func (c *call) ask(ctx context.Context) *Error {
	loop := retryablehttp.Client{
		HTTPClient:     &http.Client{Transport: hop{c}, CheckRedirect: c.checkRedirect},
		RetryMax:       c.client.opt.MaxRetries,
		RequestLogHook: func(retryablehttp.Logger, *http.Request, int) { c.got = nil },
		CheckRetry:     c.checkRetry,
		Backoff:        func(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return 0 }, // PrepareRetry waits
		PrepareRetry:   func(r *http.Request) error { return c.waitForRetry(r.Context()) },
		ErrorHandler:   retryablehttp.PassthroughErrorHandler,
	}
	var body any
	if len(c.req.Body) > 0 {
		body = c.req.Body
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, c.req.method(), c.url.String(), body)
	if err != nil {
		return &Error{Kind: BadRequest, Final: true, Err: c.secrets.clean(err)}
	}
	req.Header = c.req.Header.Clone()
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", c.client.opt.UserAgent)
	}
	req.Header.Set("Accept-Encoding", "gzip")
	req.SetResponseHandler(func(resp *http.Response) error {
		defer resp.Body.Close()
		a, fail := c.read(ctx, resp)
		c.got = a
		if fail == nil {
			fail = c.judge(a)
		}
		if fail == nil {
			return nil
		}
		return c.verdict(fail)
	})
	resp, err := loop.Do(req)
	if err == nil {
		return nil
	}
	if resp != nil { // closed by the handler or by net/http already; once more costs nothing
		resp.Body.Close()
	}
	return c.explain(ctx, err)
}

// verdict adds to a failure what the answer says.
func (c *call) verdict(fail *Error) *Error {
	if fail == nil {
		return nil
	}
	fail.Status, fail.Header = c.got.status, c.got.header
	fail.Body = bytes.Clone(c.got.body[:min(len(c.got.body), errorBodyKept)])
	return fail
}

// checkRetry decides after each attempt. Without an error it lets the response handler look first.
func (c *call) checkRetry(ctx context.Context, _ *http.Response, err error) (bool, error) {
	if err == nil {
		return false, nil
	}
	fail := c.explain(ctx, err)
	if !fail.retryable() {
		return false, fail
	}
	opt := c.client.opt
	if fail.After > opt.RetryAfterCap {
		fail.Kind, fail.Final = Throttled, true
		setDefault(&fail.Hint, fmt.Sprintf("%s asks to wait %s, longer than the cap of %s: wait, then try again, or raise retry_after_cap",
			c.req.Service, fail.After.Round(time.Second), opt.RetryAfterCap))
		return false, fail
	}
	c.next = backoff(opt.RetryWait, fail.After, c.failed, opt.Seed, c.hash)
	c.asked = fail.After > 0
	c.failed++
	if deadline, bounded := ctx.Deadline(); bounded {
		if left := deadline.Sub(c.client.clock.now()); left < c.next {
			setDefault(&fail.Hint, fmt.Sprintf("the next attempt would be in %s, but only %s are left: allow more time, then try again",
				c.next.Round(time.Millisecond), max(left, 0).Round(time.Millisecond)))
			return false, fail
		}
	}
	return true, fail
}

// tell announces a wait that a person would notice.
func (c *call) tell(d time.Duration, retry bool) {
	if d >= noticed {
		c.client.opt.Waiting(Wait{Service: c.req.Service, Op: c.req.Op, For: d, Retry: retry})
	}
}

// waitForRetry sits out the wait that checkRetry chose. When the service asked for it, the others who share its pace
// hold back too.
func (c *call) waitForRetry(ctx context.Context) error {
	if c.asked && c.lane != nil {
		c.satOut = c.client.clock.now().Add(c.next)
		c.lane.pause(c.satOut)
	}
	c.waited += c.next
	c.tell(c.next, true)
	return c.client.clock.sleep(ctx, c.next)
}
