package fetch

import (
	"context"
	"sync"
)

// Client sends requests. It is safe for concurrent use; one per process is enough, several should share a Pool.
type Client struct {
	opt     Options
	clock   clock
	network *network

	mu      sync.Mutex
	flights map[string]chan struct{} // by hash: closed when the request is answered

	breakers breakers
}

// New checks the options and returns a Client. Close it when done.
func New(o Options) (*Client, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Client{
		opt:     o,
		clock:   clock{now: o.Now, sleep: o.Sleep},
		network: newNetwork(o.Transport),
		flights: map[string]chan struct{}{},
	}, nil
}

// Do sends one request, waits its turn, retries what may pass, and returns the whole answer.
//
// The error is an *Error (see KindOf); it is nil only for a 2xx that Request.OK accepts, and for that alone. Beside an
// error the Response is nil, unless a whole answer was read, which is then given for its hashes. A context that has
// ended already starts nothing.
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	began := c.clock.now()
	one, fail := c.prepare(r)
	if err := ctx.Err(); err != nil {
		fail = one.explain(ctx, err)
	} else if fail == nil {
		fail = one.do(ctx)
	}
	event := Event{
		Time: began, Service: r.Service, Op: one.req.Op, Method: r.method(), Attempts: one.sent, Waited: one.waited,
		Elapsed: c.clock.now().Sub(began), FromRecording: one.fromRecording, Request: one.hash,
	}
	if one.hash != "" {
		event.URL = one.id.address(one.url, r.foreign())
	}
	var resp *Response
	if a := one.got; a != nil {
		event.Status, event.Bytes, event.Raw = a.status, len(a.body), sha256Hex(a.body)
		if a.whole {
			resp = &Response{
				Status: a.status, Header: a.header, Body: a.body, Request: one.hash, Raw: event.Raw,
				FromRecording: one.fromRecording, Attempts: one.sent, Waited: one.waited, Elapsed: event.Elapsed,
			}
		}
	}
	if fail == nil {
		c.opt.Observe(event)
		return resp, nil
	}
	fail.Service, fail.Op, fail.Attempts, fail.Waited = r.Service, one.req.Op, one.sent, one.waited
	setDefault(&fail.Hint, fail.hint())
	event.Kind = fail.Kind
	c.opt.Observe(event)
	return resp, fail
}

// Close gives idle connections back. Requests under way end by their context.
func (c *Client) Close() { c.network.close() }

// claim makes sure that equal requests are under way only once: the later ones wait and then find the recording.
func (c *Client) claim(ctx context.Context, hash string) (release func(), err error) {
	for {
		c.mu.Lock()
		busy, taken := c.flights[hash]
		if !taken {
			done := make(chan struct{})
			c.flights[hash] = done
			c.mu.Unlock()
			return func() {
				c.mu.Lock()
				delete(c.flights, hash)
				c.mu.Unlock()
				close(done)
			}, nil
		}
		c.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
