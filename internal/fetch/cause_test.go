package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
)

// Failures between the machines are told by type, without addresses, which would differ from run to run.
func TestNetworkFailures(t *testing.T) {
	at := &net.TCPAddr{IP: net.IPv4(203, 0, 113, 9), Port: 4711}
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Addr: at, Err: err} }
	call := func(name string, errno syscall.Errno) error { return dial(os.NewSyscallError(name, errno)) }
	for _, c := range []struct {
		name  string
		err   error
		words string
		sent  int
	}{
		{"unknown name", dial(&net.DNSError{Err: "no such host", Name: "api.exmaple.org", IsNotFound: true}), "no such host", 1},
		{"name server silent", dial(&net.DNSError{Err: "timeout", Name: "api.example.org", IsTimeout: true, IsTemporary: true}), "looked up", 3},
		{"refused", call("connect", syscall.ECONNREFUSED), "connection refused", 3},
		{"reset", call("read", syscall.ECONNRESET), "was reset", 3},
		{"broken pipe", call("write", syscall.EPIPE), "was reset", 3},
		{"no network", call("connect", syscall.ENETUNREACH), "network is unreachable", 3},
		{"no route", call("connect", syscall.EHOSTUNREACH), "host is unreachable", 3},
		{"closed", io.EOF, "ended before the answer", 3},
		{"cut header", io.ErrUnexpectedEOF, "ended before the answer did", 3},
		{"slow connect", dial(os.ErrDeadlineExceeded), "in time", 3},
		{"unknown", dial(errors.New("something at https://h/?api_key=zzz")), "api_key=REDACTED", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, Options{MaxRetries: 2, Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, c.err })})
			_, err := b.Do(t.Context(), search("http://api.example.org"))
			e := asError(t, err, Down)
			if text := e.Error(); !strings.Contains(text, c.words) || strings.Contains(text, "203.0.113.9") || strings.Contains(text, "example.org") {
				t.Errorf("message: %s", text)
			}
			if e.Attempts != c.sent {
				t.Errorf("%d attempts, want %d", e.Attempts, c.sent)
			}
			if !errors.Is(err, innermost(c.err)) {
				t.Error("errors.Is no longer finds the cause")
			}
		})
	}
}

func TestCleanKeepsHarmlessErrors(t *testing.T) {
	s := newSecrets("sk-0123456789")
	plain := fmt.Errorf("decode: %w", io.ErrUnexpectedEOF)
	if got := s.clean(plain); got != plain {
		t.Errorf("changed to %v", got)
	}
	for _, leaky := range []error{
		fmt.Errorf("key sk-0123456789: %w", context.Canceled),
		&url.Error{Op: "Get", URL: "https://h/?api_key=sk-0123456789", Err: context.Canceled},
	} {
		got := s.clean(leaky)
		if strings.Contains(got.Error(), "0123456789") || !errors.Is(got, context.Canceled) || errors.Unwrap(got) != nil {
			t.Errorf("%v", got)
		}
	}
	if s.clean(nil) != nil {
		t.Error("nil became an error")
	}
}
