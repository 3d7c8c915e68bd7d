package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"optimistresearch/config"
	"optimistresearch/internal/llm"
	"optimistresearch/sources/all"
)

// ErrUnreachable is the kind of an error that says that nothing a run needs
// can be reached.
var ErrUnreachable = errors.New("unreachable")

// dialTimeout bounds the look at one service before a run starts.
const dialTimeout = 5 * time.Second

// preflight looks whether a connection to the run's services opens at all, so
// that a machine without network says so at once and not after a report's
// worth of retries. One reachable source is enough: what the others do during
// the run is told apart there. A model server that is routed to must answer.
func preflight(ctx context.Context, c *config.Config) error {
	targets := map[string]string{}
	for _, name := range c.Settings.Sources {
		sc := c.Runtime.Source[name]
		if off(name, sc) != "" {
			continue
		}
		base := sc.Base
		if base == "" {
			base = all.DefaultBase(name)
		}
		targets[name] = base
	}
	if len(targets) == 0 {
		return fmt.Errorf("%w: every source of the settings is switched off or lacks a key; see `optimistresearch config show`", ErrUnreachable)
	}
	failed := reach(ctx, targets)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(failed) == len(targets) {
		return fmt.Errorf("%w: no source can be reached (%s); check the network, or try the demonstration with --sandbox", ErrUnreachable, list(failed))
	}
	servers := map[string]string{}
	for _, spec := range c.Roles(RoleNames()) {
		if name, _, ok := strings.Cut(spec, ":"); ok && spec != llm.Builtin {
			servers[name] = c.Runtime.Provider[name].Base
		}
	}
	if down := reach(ctx, servers); len(down) > 0 {
		return fmt.Errorf("%w: a model server cannot be reached (%s); start it, correct provider.NAME.base, or route the roles to builtin", ErrUnreachable, list(down))
	}
	return nil
}

func list(failed map[string]string) string {
	var out []string
	for _, name := range keys(failed) {
		out = append(out, name+": "+failed[name])
	}
	return strings.Join(out, "; ")
}

// reach opens a connection to each address, or to the proxy that leads there,
// and returns why those that failed did.
func reach(ctx context.Context, targets map[string]string) map[string]string {
	var (
		mu     sync.Mutex
		wg     sync.WaitGroup
		failed = map[string]string{}
	)
	for name, base := range targets {
		wg.Go(func() {
			if err := dial(ctx, base); err != nil {
				mu.Lock()
				failed[name] = err.Error()
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return failed
}

func dial(ctx context.Context, base string) error {
	u, err := url.Parse(base)
	if err != nil {
		return fmt.Errorf("its address is not a URL")
	}
	if proxy, err := http.ProxyFromEnvironment(&http.Request{URL: u}); err == nil && proxy != nil {
		u = proxy
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	d := net.Dialer{Timeout: dialTimeout}
	conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		var dns *net.DNSError
		var op *net.OpError
		switch {
		case errors.As(err, &dns):
			return fmt.Errorf("the name %s cannot be resolved", u.Hostname())
		case errors.As(err, &op):
			return op.Err
		}
		return err
	}
	return conn.Close()
}

func keys(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
