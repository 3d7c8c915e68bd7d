package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
)

// Doer sends a request: *fetch.Client, or a fake.
type Doer interface {
	Do(ctx context.Context, r fetch.Request) (*fetch.Response, error)
}

// DefaultTimeout is the time for one attempt. A local server may have to load
// the model first, a reasoning model may think for minutes.
const DefaultTimeout = 10 * time.Minute

// Options of a Provider.
type Options struct {
	Name       string        // names the provider in specs, recordings and errors, "" = "openai"
	Base       string        // base URL with its version: https://api.openai.com/v1
	Key        string        // bearer key, "" = none is sent
	KeySetting string        // name of the setting that holds the key, for messages
	NeedKey    bool          // without a key every call is MissingKey
	Timeout    time.Duration // one attempt, 0 = DefaultTimeout
	Doer       Doer
}

// Provider implements llm.Provider. It is safe for concurrent use.
type Provider struct {
	opt Options

	mu     sync.Mutex
	shapes map[string]shape // by model: the spelling that worked last
}

// New checks the options.
func New(o Options) (*Provider, error) {
	if o.Name == "" {
		o.Name = "openai"
	}
	o.Key = strings.TrimSpace(o.Key)
	o.Base = strings.TrimRight(strings.TrimSpace(o.Base), "/")
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	u, err := url.Parse(o.Base)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("%s: the base URL must look like https://host/v1", o.Name)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%s: the base URL must end with the path, without ? or #", o.Name)
	case o.Timeout < 0:
		return nil, fmt.Errorf("%s: the time-out is negative; set it to 0 for the default of %s", o.Name, DefaultTimeout)
	case o.Doer == nil:
		return nil, fmt.Errorf("%s: no client to send with", o.Name)
	}
	return &Provider{opt: o, shapes: map[string]shape{}}, nil
}

// Name returns the provider's name.
func (p *Provider) Name() string { return p.opt.Name }

// Complete sends the call. See llm.Provider for what it returns.
func (p *Provider) Complete(ctx context.Context, c llm.Call) (llm.Completion, error) {
	if c.Mode == "" {
		c.Mode = llm.ModeSchema
	}
	switch {
	case p.opt.NeedKey && p.opt.Key == "":
		return llm.Completion{}, &llm.Error{Kind: llm.MissingKey, Err: fmt.Errorf("%s has no key", p.opt.Name), Hint: p.setKey()}
	case c.Model == "":
		return llm.Completion{}, &llm.Error{Kind: llm.BadRequest, Err: errors.New("no model is named"), Hint: "write it as " + p.opt.Name + ":model"}
	case !slices.Contains(llm.Modes(), c.Mode):
		return llm.Completion{}, &llm.Error{Kind: llm.BadRequest, Err: fmt.Errorf("the mode %q is unknown", c.Mode),
			Hint: "use one of " + strings.Join(llm.Modes(), ", ")}
	}
	sh := p.shape(c.Model)
	done, err := p.try(ctx, c, sh)
	for range shapeCount {
		if err == nil {
			p.remember(c.Model, sh)
			return done, nil
		}
		next, changed := sh.after(err, c)
		if !changed {
			break
		}
		sh = next
		done, err = p.try(ctx, c, sh)
	}
	if fetch.KindOf(err) == fetch.Offline {
		return p.recorded(ctx, c, sh, done, err)
	}
	return done, p.explain(c, err)
}

// recorded looks for a recording under the other spellings. Which of them was
// recorded depends on whether the server's refusal was known by then, and so on
// the order of calls in the recorded run.
func (p *Provider) recorded(ctx context.Context, c llm.Call, tried shape, done llm.Completion, err error) (llm.Completion, error) {
	for _, sh := range shapesFor(c) {
		if sh == tried {
			continue
		}
		other, otherErr := p.try(ctx, c, sh)
		if fetch.KindOf(otherErr) == fetch.Offline {
			continue
		}
		if _, changed := sh.after(otherErr, c); changed {
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
func (p *Provider) try(ctx context.Context, c llm.Call, sh shape) (llm.Completion, error) {
	body, err := requestBody(c, sh)
	if err != nil {
		return llm.Completion{}, &llm.Error{Kind: llm.BadRequest, Err: err}
	}
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	var secrets []string
	if p.opt.Key != "" {
		header.Set("Authorization", "Bearer "+p.opt.Key)
		secrets = []string{p.opt.Key}
	}
	op := "chat"
	if c.Prompt != "" {
		op = "prompt " + c.Prompt
	}
	resp, err := p.opt.Doer.Do(ctx, fetch.Request{
		Service: p.opt.Name, Op: op,
		Method: http.MethodPost, Base: p.opt.Base, Path: "/chat/completions",
		Header: header, Body: body, Timeout: p.opt.Timeout, Secrets: secrets, OK: judge,
	})
	var done llm.Completion
	if resp != nil {
		done.Request, done.Raw, done.FromRecording = resp.Request, resp.Raw, resp.FromRecording
	}
	if err != nil {
		return done, withBody(err, resp)
	}
	if resp == nil {
		return done, &llm.Error{Kind: llm.Unreachable, Err: errors.New("the client returned neither an answer nor an error")}
	}
	answer, err := readAnswer(resp.Body, c.Schema.Name)
	if err != nil {
		return done, &llm.Error{Kind: llm.Invalid, Err: err}
	}
	done.Text, done.Finish, done.Usage = answer.text, answer.finish, answer.usage
	return done, nil
}

func (p *Provider) shape(model string) shape {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shapes[model]
}

func (p *Provider) remember(model string, sh shape) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shapes[model] = sh
}
