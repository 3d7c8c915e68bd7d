package fetch

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
)

// ErrPrivateAddress is the cause when a CrossHost or Untrusted request would reach this machine or its network.
var ErrPrivateAddress = errors.New("the address belongs to this machine or a private network, which an address found in a record may not reach")

// closedNets are the ranges, besides those that netip names itself, that no public paper lives in: shared and special
// IPv4 space (RFC 6890), where clouds also keep metadata services, documentation ranges, and IPv6 forms that embed
// such addresses or belong to a site.
var closedNets = mustPrefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"240.0.0.0/4", "::/96", "64:ff9b:1::/48", "100::/64", "2001::/32", "2001:db8::/32", "fec0::/10",
)

func mustPrefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, t := range texts {
		out[i] = netip.MustParsePrefix(t)
	}
	return out
}

var (
	nat64    = netip.MustParsePrefix("64:ff9b::/96")
	sixToFor = netip.MustParsePrefix("2002::/16")
)

// publicAddress reports whether an address found in a record may be contacted.
func publicAddress(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	switch {
	case nat64.Contains(a):
		b := a.As16()
		return publicAddress(netip.AddrFrom4([4]byte(b[12:16])))
	case sixToFor.Contains(a):
		b := a.As16()
		return publicAddress(netip.AddrFrom4([4]byte(b[2:6])))
	}
	if !a.IsGlobalUnicast() || a.IsPrivate() { // excludes loopback, link-local, multicast, unspecified, broadcast
		return false
	}
	for _, p := range closedNets {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// publicDial is the Control of the dialer for untrusted addresses: it sees the address after name resolution, so a name
// that changes its address between check and use gains nothing.
func publicDial(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !publicAddress(at.Addr()) {
		return ErrPrivateAddress
	}
	return nil
}

// checkShown refuses what the URL itself shows to be private: literal addresses and names of this machine. Names are
// left to publicDial.
func checkShown(u *url.URL) error {
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return ErrPrivateAddress
	}
	if a, err := netip.ParseAddr(name); err == nil && !publicAddress(a) {
		return ErrPrivateAddress
	}
	return nil
}

// checkResolved is the best that can be done when a proxy makes the connection: it refuses a name that this machine
// resolves to a private address, and leaves one that only the proxy can resolve to the proxy.
func checkResolved(ctx context.Context, u *url.URL) error {
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	if err != nil {
		return ctx.Err()
	}
	for _, a := range addrs {
		if !publicAddress(a) {
			return ErrPrivateAddress
		}
	}
	return nil
}
