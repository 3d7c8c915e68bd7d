package fetch

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

const maxRedirects = 10

// strayRedirect ends a call whose service sends us elsewhere.
type strayRedirect struct{ reason, hint string }

func (s *strayRedirect) Error() string { return s.reason }

// checkRedirect is the policy for one more hop. net/http by itself keeps X-Api-Key on the way to another host (it drops
// only Authorization and Cookie) and tells the new host the old address, query key included, as Referer.
func (c *call) checkRedirect(next *http.Request, via []*http.Request) error {
	next.Header.Del("Referer")
	if len(via) >= maxRedirects {
		return &strayRedirect{reason: fmt.Sprintf("it redirects more than %d times", maxRedirects)}
	}
	if next.Method != via[0].Method {
		return &strayRedirect{
			reason: "it redirects in a way that would drop the request body",
			hint:   "correct the base URL of " + c.req.Service + ": optimistresearch config show",
		}
	}
	left := !sameHost(via[0].URL, next.URL)
	for _, before := range via {
		left = left || !sameHost(via[0].URL, before.URL)
	}
	if !left {
		return nil
	}
	switch {
	case !c.req.CrossHost:
		return &strayRedirect{
			reason: "it redirects to another host (" + c.secrets.text(next.URL.Hostname()) + "), which is not followed",
			hint:   "if that is its new address, set it as the base URL of " + c.req.Service + ": optimistresearch config show",
		}
	case next.Method != http.MethodGet && next.Method != http.MethodHead:
		return &strayRedirect{reason: "it redirects a request with a body to another host, which is not followed"}
	case string(c.secrets.bytes([]byte(next.URL.String()))) != next.URL.String():
		return &strayRedirect{reason: "it redirects to another host with the key in the address, which is not followed"}
	}
	for name := range next.Header {
		if isSecretHeader(name) || string(c.secrets.bytes([]byte(next.Header.Get(name)))) != next.Header.Get(name) {
			next.Header.Del(name)
		}
	}
	return nil
}

// sameHost compares what may keep a key: the same scheme, name and port, or the step from http to https on the usual
// ports.
func sameHost(a, b *url.URL) bool {
	if !strings.EqualFold(a.Hostname(), b.Hostname()) {
		return false
	}
	if a.Scheme == b.Scheme {
		return port(a) == port(b)
	}
	return a.Scheme == "http" && b.Scheme == "https" && port(a) == "80" && port(b) == "443"
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}
