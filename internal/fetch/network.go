package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// network is what a Client sends with: one transport for configured services and one that only reaches public
// addresses. Both are its own; nothing of net/http's process-wide defaults is used or changed.
type network struct {
	plain  http.RoundTripper
	public http.RoundTripper
	proxy  func(*http.Request) (*url.URL, error) // of the environment; nil with a given Transport
	close  func()
}

func newNetwork(given http.RoundTripper) *network {
	if given != nil {
		return &network{plain: given, public: given, close: func() {}}
	}
	plain := newTransport(&net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second})
	plain.Proxy = http.ProxyFromEnvironment
	public := newTransport(&net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second, ControlContext: publicDial})
	return &network{
		plain:  plain,
		public: public,
		proxy:  http.ProxyFromEnvironment,
		close: func() {
			plain.CloseIdleConnections()
			public.CloseIdleConnections()
		},
	}
}

func newTransport(d *net.Dialer) *http.Transport {
	return &http.Transport{
		DialContext:            d.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    15 * time.Second,
		MaxIdleConns:           64,
		MaxIdleConnsPerHost:    8,
		IdleConnTimeout:        60 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: 256 << 10,
		DisableCompression:     true, // gzip is asked for and undone in this room, under its cap
	}
}

// choose picks the transport for one hop of an address from a record, or refuses the hop.
func (n *network) choose(req *http.Request) (http.RoundTripper, error) {
	if err := checkShown(req.URL); err != nil {
		return nil, err
	}
	if n.proxy == nil {
		return n.public, nil
	}
	switch via, err := n.proxy(req); {
	case err != nil:
		return nil, &Error{Kind: BadRequest, Final: true, Err: errors.New("the proxy setting of the environment cannot be used"),
			Hint: "correct HTTPS_PROXY or HTTP_PROXY"}
	case via != nil:
		return n.plain, checkResolved(req.Context(), req.URL)
	}
	return n.public, nil
}

// errAttemptTimeout is the cause with which one attempt's own time ends.
var errAttemptTimeout = errors.New("no whole answer in the time allowed for one attempt")

// hop is the RoundTripper of one call. Every attempt and every redirect passes it, so all of them wait for their turn;
// the time-out begins only after that.
type hop struct{ *call }

func (h hop) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := h.trip(req)
	if err != nil && req.Body != nil {
		req.Body.Close() // RoundTripper's contract; a second Close is harmless
	}
	return resp, err
}

func (h hop) trip(req *http.Request) (*http.Response, error) {
	ctx, via := req.Context(), h.client.network.plain
	if h.req.foreign() && !h.client.opt.AllowPrivate {
		var err error
		if via, err = h.client.network.choose(req); err != nil {
			return nil, err
		}
	}
	h.lane = h.client.opt.Pool.lane(laneKey{h.req.Service, req.URL.Host, h.laneKey}, h.client.opt.Limits[h.req.Service])
	turn := h.client.clock
	turn.sleep = func(ctx context.Context, d time.Duration) error {
		h.tell(d, false)
		return h.client.clock.sleep(ctx, d)
	}
	leave, waited, err := h.lane.enter(ctx, turn, h.satOut)
	h.waited += waited
	if err != nil {
		return nil, err
	}
	if req.Response == nil { // not a redirect
		h.sent++
	}
	timed, cancel := context.WithTimeoutCause(ctx, h.timeout, errAttemptTimeout)
	done := func() { cancel(); leave() }
	resp, err := via.RoundTrip(req.WithContext(timed))
	if err != nil {
		err = timeoutOr(timed, err)
		done()
		return nil, err
	}
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	resp.Body = &hopBody{ReadCloser: resp.Body, ctx: timed, done: done}
	return resp, nil
}

// hopBody gives the turn back, and ends the attempt's time, when the body is closed.
type hopBody struct {
	io.ReadCloser
	ctx  context.Context
	done func()
}

func (b *hopBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = timeoutOr(b.ctx, err)
	}
	return n, err
}

func (b *hopBody) Close() error {
	err := b.ReadCloser.Close()
	b.done()
	return err
}

// timeoutOr names the attempt's own time-out, which net/http reports in several disguises, as what it is.
func timeoutOr(timed context.Context, err error) error {
	if errors.Is(context.Cause(timed), errAttemptTimeout) {
		return errAttemptTimeout
	}
	return err
}
