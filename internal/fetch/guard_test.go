package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

func TestPublicAddress(t *testing.T) {
	for _, a := range []string{
		"127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "0.1.2.3", "::", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
		"169.254.169.254", "100.100.100.200", "192.0.0.192", "224.0.0.1", "239.1.1.1", "255.255.255.255", "240.0.0.1", "198.18.0.1",
		"192.0.2.1", "198.51.100.7", "203.0.113.7", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "fec0::1",
		"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1",
		"2002:7f00:1::", "2002:c0a8:101::1", "2001::1", "2001:db8::1", "100::1",
	} {
		if publicAddress(netip.MustParseAddr(a)) {
			t.Errorf("%s counts as public", a)
		}
	}
	for _, a := range []string{"1.1.1.1", "8.8.8.8", "172.32.0.1", "193.168.1.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::5", "64:ff9b::808:808", "::ffff:8.8.8.8"} {
		if !publicAddress(netip.MustParseAddr(a)) {
			t.Errorf("%s counts as private", a)
		}
	}
}

func TestPrivateAddressesFromRecordsAreRefused(t *testing.T) {
	s := serve(t, answers("secret of this machine", 200))
	at, _ := url.Parse(s.URL)
	for _, host := range []string{"127.0.0.1", "localhost", "LOCALHOST.", "x.localhost", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "0.0.0.0"} {
		for name, r := range map[string]Request{"cross": {CrossHost: true}, "untrusted": {Untrusted: true}} {
			r.Service, r.Base = "fulltext", "http://"+host+":"+at.Port()+"/"
			_, err := newBench(t, Options{}).Do(t.Context(), r)
			if e := asError(t, err, BadRequest); !errors.Is(err, ErrPrivateAddress) || e.Attempts != 0 {
				t.Errorf("%s %s: %v", name, host, e)
			}
		}
	}
	if s.count() != 0 {
		t.Errorf("%d requests came through", s.count())
	}
	for name, c := range map[string]struct {
		o Options
		r Request
	}{
		"configured base":   {Options{}, Request{}},
		"allowed by option": {Options{AllowPrivate: true}, Request{CrossHost: true, Untrusted: true}},
	} {
		c.r.Service, c.r.Base = "fulltext", s.URL
		if _, err := newBench(t, c.o).Do(t.Context(), c.r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The check is made on the address that is dialled, so a name that resolves to this machine gains nothing.
func TestNameThatResolvesToThisMachine(t *testing.T) {
	s := serve(t, answers("secret of this machine", 200))
	b := newBench(t, Options{MaxRetries: -1})
	public := b.network.public.(*http.Transport)
	guarded := public.DialContext
	at, _ := url.Parse(s.URL)
	public.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return guarded(ctx, network, at.Host) // what a resolver under foreign control would answer
	}
	_, err := b.Do(t.Context(), Request{Service: "fulltext", Base: "http://papers.example.org/1.pdf", Untrusted: true})
	if asError(t, err, BadRequest); !errors.Is(err, ErrPrivateAddress) || s.count() != 0 {
		t.Errorf("%v, %d requests", err, s.count())
	}
}

func TestRedirectIntoThePrivateNetwork(t *testing.T) {
	var sent []string
	b := newBench(t, Options{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		sent = append(sent, r.URL.Host)
		return &http.Response{StatusCode: 302, Header: http.Header{"Location": {"http://169.254.169.254/latest/meta-data/"}}, Body: http.NoBody}, nil
	})})
	_, err := b.Do(t.Context(), Request{Service: "fulltext", Base: "https://papers.example.org/1.pdf", CrossHost: true, Untrusted: true})
	asError(t, err, BadRequest)
	if len(sent) != 1 || b.lastEvent(t).URL != "https://papers.example.org/1.pdf" {
		t.Errorf("sent to %v", sent)
	}
}

// Behind a proxy the proxy resolves names; what this machine can see is still refused.
func TestGuardBehindAProxy(t *testing.T) {
	var through []string
	proxy := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		through = append(through, r.URL.Host)
		_, _ = w.Write([]byte("copy"))
	})
	via, _ := url.Parse(proxy.URL)
	b := newBench(t, Options{MaxRetries: -1})
	b.network.proxy = http.ProxyURL(via)
	b.network.plain.(*http.Transport).Proxy = http.ProxyURL(via)
	ask := func(base string) error {
		_, err := b.Do(t.Context(), Request{Service: "fulltext", Base: base, Untrusted: true})
		return err
	}
	if err := ask("http://8.8.8.8/1.pdf"); err != nil {
		t.Errorf("public address: %v", err)
	}
	for _, base := range []string{"http://10.0.0.1/", "http://localhost/", "http://169.254.169.254/"} {
		if err := ask(base); !errors.Is(err, ErrPrivateAddress) {
			t.Errorf("%s: %v", base, err)
		}
	}
	if len(through) != 1 {
		t.Errorf("through the proxy: %v", through)
	}
	b.network.proxy = func(*http.Request) (*url.URL, error) { return nil, errors.New("bad") }
	if e := asError(t, ask("http://8.8.8.8/"), BadRequest); !strings.Contains(e.Hint, "HTTPS_PROXY") {
		t.Errorf("%v", e)
	}
}
