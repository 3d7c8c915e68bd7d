package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
)

// judge is the verdict on a whole answer that fetch asks for. It lets the status
// speak, except for what only the body tells: an account without credit and a
// prompt that is too long, which no waiting cures whatever the status; an error
// object under HTTP 200; and a 200 that is no completion.
func judge(status int, _ http.Header, body []byte) error {
	f, found := readFault(status, body)
	if !found {
		if status < 200 || status >= 300 || json.Valid(body) {
			return nil
		}
		page := bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
		return &fetch.Error{Kind: fetch.Broken, Final: page, Err: errors.New("the answer is not JSON"),
			Hint: "check that the provider's base URL leads to an OpenAI-compatible server; it ends in /v1 for most"}
	}
	kind := f.verdict()
	if status >= 400 && kind != llm.Quota && kind != llm.ContextLength {
		return nil
	}
	out := &fetch.Error{Final: true, Err: errors.New(f.words())}
	switch kind {
	case llm.Throttled:
		out.Kind, out.Final = fetch.Throttled, false
	case llm.Unreachable:
		out.Kind, out.Final = fetch.Down, false
	case llm.Quota, llm.Refused:
		out.Kind = fetch.Refused
	default:
		out.Kind = fetch.BadRequest
	}
	return out
}

// refusal is a failed request with what the server said about it.
type refusal struct {
	fault fault
	found bool
	err   *fetch.Error
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// withBody reads the fault behind an error of fetch.
func withBody(err error, resp *fetch.Response) error {
	var e *fetch.Error
	if !errors.As(err, &e) {
		return err
	}
	out := &refusal{err: e}
	status, body := e.Status, e.Body
	if resp != nil { // whole, where the error has only its beginning
		status, body = resp.Status, resp.Body
	}
	if status > 0 {
		out.fault, out.found = readFault(status, body)
	}
	return out
}

// fetchKinds are the kinds of failures without an answer, and of those where the
// answer says nothing.
var fetchKinds = map[fetch.Kind]llm.Kind{
	fetch.Throttled: llm.Throttled, fetch.Refused: llm.Refused, fetch.BadRequest: llm.BadRequest, fetch.NotFound: llm.BadRequest,
	fetch.Offline: llm.Offline, fetch.Cancelled: llm.Cancelled,
}

// explain turns what try returned into an *llm.Error.
func (p *Provider) explain(c llm.Call, err error) error {
	var done *llm.Error
	if errors.As(err, &done) {
		return done
	}
	var r *refusal
	if !errors.As(err, &r) {
		kind := llm.KindOf(err)
		if kind == "" {
			kind = llm.Unreachable
		}
		return &llm.Error{Kind: kind, Err: err}
	}
	said := *r.err
	out := &llm.Error{Kind: llm.Unreachable, Err: &said, Hint: said.Hint}
	if kind, ok := fetchKinds[said.Kind]; ok {
		out.Kind = kind
	}
	if r.found && said.Kind != fetch.Cancelled {
		out.Kind = r.fault.verdict()
		out.Hint = p.hint(c, r.fault, out.Kind, said.Hint)
		if words := r.fault.words(); words != "" {
			said.Err = errors.New(p.clean(words))
		}
		said.Body = nil // said once
	}
	said.Hint = "" // stands in the llm.Error
	return out
}

// hint says what to do about a fault; fallback is what fetch advises.
func (p *Provider) hint(c llm.Call, f fault, kind llm.Kind, fallback string) string {
	switch kind {
	case llm.Refused:
		return p.setKey()
	case llm.Quota:
		return "add credit to the account, or route the role to another model"
	case llm.ContextLength:
		return "send less at once, or route the role to a model with a larger window"
	case llm.Invalid:
		return "the content filter of the server refused the prompt"
	case llm.BadRequest:
		if f.status == http.StatusNotFound {
			return fmt.Sprintf("check the model's name %q and the provider's base URL, which ends in /v1 for most servers", c.Model)
		}
		if about := f.param + " " + f.message + " " + f.upstream; strings.Contains(about, "response_format") || strings.Contains(about, "json_schema") || strings.Contains(about, "tool") {
			return fmt.Sprintf("the server does not take the mode %s of structured output: set another one (%s)", c.Mode, strings.Join(llm.Modes(), ", "))
		}
	}
	return fallback
}

func (p *Provider) setKey() string {
	if p.opt.KeySetting == "" {
		return "set a valid key for " + p.opt.Name
	}
	return "set a valid key for " + p.opt.Name + " in " + p.opt.KeySetting
}

// clean takes the key out of a server's words.
func (p *Provider) clean(words string) string {
	if p.opt.Key == "" {
		return words
	}
	return fetch.Redact(words, p.opt.Key)
}

const maxWords = 300 // runes of a server's words in an error

// words is what the server said, on one line without a full stop.
func (f fault) words() string {
	said := f.message
	if f.upstream != "" {
		said += " (" + f.upstream + ")"
	}
	said = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.In(r, unicode.Cc, unicode.Cf) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(said, "\ufffd"))
	said = strings.TrimRight(strings.Join(strings.Fields(said), " "), ".")
	if runes := []rune(said); len(runes) > maxWords {
		said = string(runes[:maxWords]) + "…"
	}
	return said
}
