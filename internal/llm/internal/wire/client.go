package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
)

// Dialect is what one wire does in its own way.
type Dialect struct {
	Name    string  // of the provider unless Options say another
	Base    string  // the vendor's own address, "" = none
	Version *string // what the base must end in ("/v1"), nil = as given
	Modes   []string
	// Limits are the two names of the output limit, the usual one first; empty
	// = it has one name.
	Limits [2]string
	// Request writes a call in a spelling. Equal calls give equal bytes:
	// recordings are found by them.
	Request func(c llm.Call, sh Spelling, stream bool) (Outgoing, error)
	// Key puts the key into the header.
	Key func(h http.Header, key string)
	// Read decodes the body of a success.
	Read func(body []byte, c llm.Call) (Answer, error)
	// Join makes a whole answer, or an error object, of a stream; ok is false if the body is
	// no stream of this wire or the stream ended before the answer did.
	Join func(body []byte) (whole []byte, ok bool)
	// Sharpen corrects what ReadFault made of a body; nil = nothing to correct.
	Sharpen func(f *Fault, body []byte)
	// Hint says what to do about a fault in the words of this wire, "" = the
	// general advice; nil = none.
	Hint func(c llm.Call, f Fault, kind llm.Kind) string
}

// Outgoing is a request in the dialect.
type Outgoing struct {
	Path   string // escaped, begins with "/"
	Query  map[string][]string
	Header http.Header // beside Content-Type, Accept and the key
	Body   []byte
}

// Answer is what a success says.
type Answer struct {
	Text, Finish string
	Usage        llm.Usage
}

// Client implements llm.Provider for a dialect. It is safe for concurrent use.
type Client struct {
	opt  Options
	d    Dialect
	gate *gate

	mu     sync.Mutex
	spells map[string]Spelling // by model: the spelling that worked last
}

// New checks the options.
func New(d Dialect, o Options) (*Client, error) {
	o, err := o.complete(d)
	if err != nil {
		return nil, err
	}
	return &Client{opt: o, d: d, gate: newGate(o.Parallel), spells: map[string]Spelling{}}, nil
}

// Name returns the provider's name.
func (p *Client) Name() string { return p.opt.Name }

// Complete sends the call. See llm.Provider for what it returns.
func (p *Client) Complete(ctx context.Context, c llm.Call) (llm.Completion, error) {
	if c.Mode == "" {
		c.Mode = llm.ModeSchema
	}
	switch {
	case p.opt.NeedKey && p.opt.Key == "":
		return llm.Completion{}, &llm.Error{Kind: llm.MissingKey, Err: fmt.Errorf("%s has no key", p.opt.Name), Hint: p.setKey()}
	case strings.TrimSpace(c.Model) == "":
		return llm.Completion{}, &llm.Error{Kind: llm.BadRequest, Err: errors.New("no model is named"), Hint: "write it as " + p.opt.Name + ":model"}
	case !slices.Contains(p.d.Modes, c.Mode):
		return llm.Completion{}, &llm.Error{Kind: llm.BadRequest, Err: fmt.Errorf("%s does not have the mode %q", p.opt.Name, c.Mode),
			Hint: "use one of " + strings.Join(p.d.Modes, ", ")}
	}
	ticket, err := p.gate.enter(ctx)
	if err != nil {
		return llm.Completion{}, &llm.Error{Kind: llm.Cancelled, Err: fmt.Errorf("waiting for a turn: %w", err)}
	}
	sh := p.spelling(c.Model)
	done, err := p.try(ctx, c, sh, ticket)
	for range spellings {
		if err == nil {
			break
		}
		next, changed := sh.after(err, c, p.d.Limits)
		if !changed {
			break
		}
		sh = next
		done, err = p.try(ctx, c, sh, ticket)
	}
	p.gate.leave(ticket, err == nil)
	switch {
	case err == nil:
		p.remember(c.Model, sh)
		return done, nil
	case fetch.KindOf(err) == fetch.Offline:
		return p.recorded(ctx, c, sh, done, err)
	}
	return done, p.explain(c, err)
}

// recorded looks for a recording under the other spellings. Which of them was
// recorded depends on whether the server's refusal was known by then, and so on
// the order of calls in the recorded run.
func (p *Client) recorded(ctx context.Context, c llm.Call, tried Spelling, done llm.Completion, err error) (llm.Completion, error) {
	for _, sh := range spellingsFor(c, p.d.Limits) {
		if sh == tried {
			continue
		}
		other, otherErr := p.try(ctx, c, sh, nil)
		if fetch.KindOf(otherErr) == fetch.Offline {
			continue
		}
		if _, changed := sh.after(otherErr, c, p.d.Limits); changed {
			continue
		}
		if otherErr != nil {
			return other, p.explain(c, otherErr)
		}
		return other, nil
	}
	return done, p.explain(c, err)
}

// try sends one request. The error is from fetch, or an *llm.Error about the
// answer.
func (p *Client) try(ctx context.Context, c llm.Call, sh Spelling, t *ticket) (llm.Completion, error) {
	out, err := p.d.Request(c, sh, p.opt.Stream)
	if err != nil {
		return llm.Completion{}, &llm.Error{Kind: llm.BadRequest, Err: err}
	}
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	for name, values := range out.Header {
		header[name] = values
	}
	var secrets []string
	if p.opt.Key != "" {
		p.d.Key(header, p.opt.Key)
		secrets = []string{p.opt.Key}
	}
	op := "chat"
	if c.Prompt != "" {
		op = "prompt " + c.Prompt
	}
	resp, err := p.opt.Doer.Do(ctx, fetch.Request{
		Service: p.opt.Name, Op: op,
		Method: http.MethodPost, Base: p.opt.Base, Path: out.Path, Query: out.Query,
		Header: header, Body: out.Body, Timeout: p.opt.Timeout, Secrets: secrets,
		OK: func(status int, _ http.Header, body []byte) error {
			fail := p.judge(status, body)
			if slowDown(status, fail) {
				p.gate.slow(t)
			}
			return fail
		},
	})
	var done llm.Completion
	if resp != nil {
		done.Request, done.Raw, done.FromRecording = resp.Request, resp.Raw, resp.FromRecording
	}
	if err != nil {
		return done, p.withBody(err, resp)
	}
	if resp == nil {
		return done, &llm.Error{Kind: llm.Unreachable, Err: errors.New("the client returned neither an answer nor an error")}
	}
	body, _ := p.whole(resp.Body)
	answer, err := p.d.Read(body, c)
	if err != nil {
		return done, &llm.Error{Kind: llm.Invalid, Err: err}
	}
	done.Text, done.Finish, done.Usage = answer.Text, answer.Finish, answer.Usage
	return done, nil
}

// slowDown tells whether an attempt was refused because there are too many:
// 429, and the 503 and 529 of a service that says it is overloaded.
func slowDown(status int, fail error) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, 529:
		var e *fetch.Error
		return !errors.As(fail, &e) || !e.Final
	}
	return fetch.KindOf(fail) == fetch.Throttled
}

func (p *Client) spelling(model string) Spelling {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spells[model]
}

func (p *Client) remember(model string, sh Spelling) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spells[model] = sh
}
