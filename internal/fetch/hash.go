package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// identity is what a request asks, without who asks and where: the part that names a recording.
type identity struct {
	Service string
	Method  string
	Host    string // only for an address that comes from data; "loopback" without port for this machine
	Path    string // as given; with the base's own path for an address that comes from data
	Query   url.Values
	Accept  string // the form asked for, where the caller named one
	Body    []byte
}

// identify takes from a request what its hash and its recording are made of.
func identify(r *Request, u *url.URL, sec *secrets) identity {
	id := identity{
		Service: r.Service,
		Method:  r.method(),
		Path:    string(sec.bytes([]byte(r.Path))),
		Query:   r.cleanQuery(r.Query, sec),
		Accept:  r.Header.Get("Accept"),
		Body:    sec.bytes(r.Body),
	}
	if form := r.form(); form != nil {
		id.Body = []byte(r.cleanQuery(form, sec).Encode())
	}
	if r.foreign() {
		id.Host = placeName(u)
		id.Path = string(sec.bytes([]byte(u.EscapedPath())))
		id.Query = r.cleanQuery(u.Query(), sec)
	}
	return id
}

// hash names a request: the SHA-256 (hex) over, each with its length,
//
//   - the format version of the hash,
//   - service, method, path,
//   - the query, sorted by name, values of one name in the order given,
//   - the Accept header, if the request has one (content negotiation),
//   - the body; a URL-encoded form is sorted like a query,
//   - the host, only if CrossHost or Untrusted says that the address comes from data (this machine counts as
//     "loopback", whatever the port).
//
// Left out: base URL, host and port of a configured service (so that a run against a simulator on another port
// replays), all other headers, the parameters api_key, api-key, apikey, key, access_token, auth_token, mailto, email and
// tool (key, mailto, email and tool stay in an Untrusted address, where they may name the paper), and every parameter
// whose value is a secret. Elsewhere a secret counts as the word REDACTED. So the hash is the same with any key or none.
func (id identity) hash() string {
	h := sha256.New()
	for _, part := range []string{"1", id.Service, id.Method, id.Host, id.Path, id.Query.Encode(), id.Accept, string(id.Body)} {
		fmt.Fprintf(h, "%d:%s\n", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// address is the redacted address for events: no base URL, unless the address comes from data.
func (id identity) address(u *url.URL, foreign bool) string {
	out := id.Path
	if foreign {
		out = u.Scheme + "://" + u.Host + out
	}
	if q := id.Query.Encode(); q != "" {
		out += "?" + q
	}
	return out
}

func placeName(u *url.URL) string {
	name := strings.ToLower(u.Hostname())
	if addr, err := netip.ParseAddr(name); name == "localhost" || err == nil && addr.Unmap().IsLoopback() {
		return "loopback"
	}
	return strings.ToLower(u.Host)
}

// sha256Hex is the lower-case hex SHA-256 of b.
func sha256Hex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
