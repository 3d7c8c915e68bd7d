package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
)

// cause carries the redacted words of an error and still answers errors.Is. The error behind it is not handed out,
// because its text may hold an address or a key.
type cause struct {
	text   string
	behind error
}

func (c *cause) Error() string        { return c.text }
func (c *cause) Is(target error) bool { return errors.Is(c.behind, target) }

// clean keeps err when its words are harmless, and covers it when they are not.
func (s *secrets) clean(err error) error {
	if err == nil {
		return nil
	}
	words := err.Error()
	_, hasURL := errors.AsType[*url.Error](err)
	if redacted := s.text(words); hasURL || redacted != words {
		return &cause{text: redacted, behind: err}
	}
	return err
}

// explain turns what net/http, a lane or the retry loop returned into an *Error. ctx is the caller's.
func (c *call) explain(ctx context.Context, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if late, ok := errors.AsType[*tooLate](err); ok {
		return &Error{Kind: Throttled, Final: true, Err: late, Hint: "allow more time, or a faster pace for " + c.req.Service + " if it permits one: optimistresearch config show"}
	}
	if ctx.Err() != nil {
		return &Error{Kind: Cancelled, Final: true, Err: ctx.Err()}
	}
	if stray, ok := errors.AsType[*strayRedirect](err); ok {
		return &Error{Kind: Broken, Final: true, Err: stray, Hint: stray.hint}
	}
	if errors.Is(err, ErrPrivateAddress) {
		return &Error{Kind: BadRequest, Final: true, Err: ErrPrivateAddress, Hint: "this copy cannot be fetched; open it by hand if you trust it"}
	}
	if errors.Is(err, errAttemptTimeout) {
		return &Error{Kind: Down, Err: &cause{text: "no whole answer within " + c.timeout.String(), behind: context.DeadlineExceeded}}
	}
	return c.explainNetwork(err)
}

// explainNetwork words a failure between the two machines, without addresses: they would differ from run to run.
func (c *call) explainNetwork(err error) *Error {
	down := func(text string, final bool) *Error {
		return &Error{Kind: Down, Final: final, Err: &cause{text: text, behind: err}}
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		// "No such host" is also what a machine without network says; either way another try changes nothing.
		if dns.IsNotFound {
			return down("no such host, or no network", true)
		}
		return down("the name of the host could not be looked up", false)
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return down("its TLS certificate is not trusted", true)
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok || errors.Is(err, http.ErrSchemeMismatch) {
		return down("it does not speak TLS; the base URL may need http:// instead of https://", true)
	}
	for _, known := range []struct {
		is   error
		text string
	}{
		{syscall.ECONNREFUSED, "connection refused"},
		{syscall.ECONNRESET, "the connection was reset"},
		{syscall.EPIPE, "the connection was reset"},
		{syscall.ENETUNREACH, "the network is unreachable"},
		{syscall.EHOSTUNREACH, "the host is unreachable"},
		{io.ErrUnexpectedEOF, "the connection ended before the answer did"},
		{io.EOF, "the connection ended before the answer"},
	} {
		if errors.Is(err, known.is) {
			return down(known.text, false)
		}
	}
	if timed, ok := errors.AsType[net.Error](err); ok && timed.Timeout() {
		return down("the connection could not be made in time", false)
	}
	return down("the connection failed: "+c.secrets.text(innermost(err).Error()), false)
}

// innermost is the error without its wrappers, which add addresses.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
