package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
)

const (
	errorBodyRead = 1 << 20 // of an answer that is no success, more is not read
	errorBodyKept = 4 << 10 // of that, what an Error shows
)

// answer is one answer as read, before and after judging.
type answer struct {
	status int
	header http.Header // steady, redacted
	body   []byte      // decoded, redacted
	whole  bool        // read to its end
}

// neverRetried are the statuses that another attempt cannot change, whatever an adapter thinks.
var neverRetried = map[int]bool{400: true, 401: true, 403: true, 404: true}

// passing are the statuses that another attempt may change.
var passing = map[int]Kind{
	408: Down, 425: Down, 429: Throttled, 500: Down, 502: Down, 503: Down, 504: Down, 529: Down,
}

// kindOf is the verdict of the status alone; final says that no other attempt can change it.
func kindOf(status int) (k Kind, final bool) {
	if k, ok := passing[status]; ok {
		return k, false
	}
	switch {
	case status == http.StatusPartialContent: // never asked for
		return Broken, true
	case status >= 200 && status < 300:
		return "", true
	case status == 401 || status == 402 || status == 403 || status == 407:
		return Refused, true
	case status == 404 || status == 410:
		return NotFound, true
	case status >= 400 && status < 500:
		return BadRequest, true
	case status >= 500 && status < 600:
		return Down, true
	}
	return Broken, true
}

// read takes the whole body, undoes gzip and redacts. The *Error says what was wrong with the body; nil if nothing was,
// or if the status is no success, where the status speaks and a damaged body is only incomplete.
func (c *call) read(ctx context.Context, resp *http.Response) (*answer, *Error) {
	kind, _ := kindOf(resp.StatusCode)
	limit := c.maxBytes
	if kind != "" {
		limit = min(limit, errorBodyRead)
	}
	a := &answer{status: resp.StatusCode, header: cleanHeader(resp.Header, c.secrets, true)}
	body, err := c.readBody(resp, limit)
	a.body = c.secrets.bytes(body)
	a.whole = err == nil
	if err == nil || kind != "" {
		return a, nil
	}
	var fail *Error
	switch {
	case errors.Is(err, errTooLong):
		fail = &Error{Kind: Broken, Final: true, Err: fmt.Errorf("the body is larger than %s", bytesText(limit)),
			Hint: c.largerHint()}
	case errors.Is(err, errEncoding):
		fail = &Error{Kind: Broken, Final: true, Err: err}
	case errors.Is(err, io.ErrUnexpectedEOF):
		fail = &Error{Kind: Broken, Err: fmt.Errorf("the body was cut short after %s: %w", bytesText(int64(len(body))), io.ErrUnexpectedEOF)}
	case errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader):
		fail = &Error{Kind: Broken, Err: fmt.Errorf("the compressed body is damaged: %w", err)}
	default:
		if fail = c.explain(ctx, err); fail.Kind == Down && !errors.Is(err, errAttemptTimeout) {
			fail.Kind = Broken // the service is there, its answer was cut
		}
	}
	return a, fail
}

// largerHint names the setting that the cap on a body comes from. A cap that a request brings along is no setting.
func (c *call) largerHint() string {
	if c.req.MaxBytes > 0 {
		return "ask for less at once"
	}
	return fmt.Sprintf("raise max_response_mb if you want it: --set max_response_mb=%d", 4*max(c.maxBytes>>20, 1))
}

var (
	errTooLong  = errors.New("body too long")
	errEncoding = errors.New("the body has an encoding that was not asked for")
)

// readBody reads at most limit decoded bytes. With an error it returns what it has.
func (c *call) readBody(resp *http.Response, limit int64) ([]byte, error) {
	if resp.ContentLength > limit {
		head, _ := io.ReadAll(io.LimitReader(resp.Body, errorBodyKept))
		return head, errTooLong
	}
	var from io.Reader = resp.Body
	switch strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))) {
	case "", "identity":
	case "gzip", "x-gzip":
		if c.req.method() == http.MethodHead {
			break
		}
		unzipped, err := gzip.NewReader(resp.Body)
		if err == io.EOF { // empty is empty, compressed or not
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		from = unzipped
	default:
		return nil, errEncoding
	}
	body, err := io.ReadAll(io.LimitReader(from, limit))
	if err != nil {
		return body, err
	}
	if n, err := io.ReadFull(from, make([]byte, 1)); n == 1 {
		return body, errTooLong
	} else if err != io.EOF {
		return body, err
	}
	return body, nil
}

// judge says whether a whole answer is usable: nil, or why not.
func (c *call) judge(a *answer) *Error {
	kind, final := kindOf(a.status)
	contentType := a.header.Get("Content-Type")
	var fail *Error
	switch {
	case kind != "":
		fail = &Error{Kind: kind, Final: final}
	case len(bytes.TrimSpace(a.body)) == 0 && a.status != http.StatusNoContent && c.req.method() != http.MethodHead:
		fail = &Error{Kind: Broken, Err: errors.New("the body is empty")}
	case !c.wanted(contentType):
		fail = &Error{Kind: Broken, Err: fmt.Errorf("it is %s instead of %s",
			oneLine(c.secrets.text(contentType)), strings.Join(c.req.Types, " or "))}
	}
	usable := fail == nil || kind != "" // a broken success is not shown to the adapter
	if c.req.OK != nil && usable {
		if err := c.req.OK(a.status, a.header, a.body); err != nil {
			fail = c.overrule(err, fail)
		}
	}
	if fail != nil {
		setDefault(&fail.After, askedWait(a.header, c.client.clock.now()))
		// OpenAI and Anthropic say so for an exhausted quota, where waiting is no use (September 2026).
		fail.Final = fail.Final || a.header.Get("X-Should-Retry") == "false"
	}
	return fail
}

// overrule takes what an adapter said about an answer in place of the verdict of its status.
func (c *call) overrule(err error, status *Error) *Error {
	said, ok := errors.AsType[*Error](err)
	if !ok {
		return &Error{Kind: Broken, Err: c.secrets.clean(err)}
	}
	if said == nil {
		return status
	}
	out := &Error{Kind: said.Kind, After: said.After, Final: said.Final, Hint: c.secrets.text(said.Hint), Err: c.secrets.clean(said.Err)}
	setDefault(&out.Kind, Broken)
	return out
}

// wanted compares a content type with Request.Types.
func (c *call) wanted(contentType string) bool {
	if len(c.req.Types) == 0 || contentType == "" || c.req.method() == http.MethodHead {
		return true
	}
	got, _, err := mime.ParseMediaType(contentType)
	if err != nil && got == "" {
		got = strings.ToLower(strings.TrimSpace(strings.Split(contentType, ";")[0]))
	}
	return slices.ContainsFunc(c.req.Types, func(want string) bool {
		if main, ok := strings.CutSuffix(want, "/*"); ok {
			return strings.HasPrefix(got, main+"/")
		}
		if strings.HasPrefix(want, "+") {
			return strings.HasSuffix(got, want)
		}
		return got == want
	})
}

// recordable reports whether asking again would give the same answer: a success, or a 4xx that blames the request.
func recordable(a *answer, fail *Error) bool {
	if !a.whole {
		return false
	}
	if kind, final := kindOf(a.status); !final || kind != "" && kind != NotFound && kind != BadRequest {
		return false
	}
	return fail == nil || fail.Kind == NotFound || fail.Kind == BadRequest
}

// bytesText writes a size for people.
func bytesText(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.4g MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.4g KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
