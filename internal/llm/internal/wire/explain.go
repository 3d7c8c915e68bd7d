package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
)

// readFault is ReadFault with what the dialect knows better.
func (p *Client) readFault(status int, body []byte) (Fault, bool) {
	f, found := ReadFault(status, body)
	if found && p.d.Sharpen != nil {
		p.d.Sharpen(&f, body)
	}
	return f, found
}

// whole returns the body of one answer: as it is, or joined if it came in
// pieces. ok is false if it is neither.
func (p *Client) whole(body []byte) (out []byte, ok bool) {
	if json.Valid(body) {
		return body, true
	}
	if p.d.Join != nil {
		if joined, ok := p.d.Join(body); ok {
			return joined, true
		}
	}
	return body, false
}

// judge is the verdict on a whole answer that fetch asks for. It lets the status
// speak, except for what only the body tells: an account without credit, a key
// that is refused and a prompt that is too long, which no waiting cures
// whatever the status; how long to wait; an error object under HTTP 200; and a
// 200 that is no completion. A model that is not there is no fault of the
// request: it must not be recorded as the final answer to it, since it may be
// there when the run is resumed.
func (p *Client) judge(status int, body []byte) error {
	ok := true
	if status >= 200 && status < 300 {
		body, ok = p.whole(body)
	}
	f, found := p.readFault(status, body)
	if !found {
		if status < 200 || status >= 300 || ok {
			return nil
		}
		page := bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
		return &fetch.Error{Kind: fetch.Broken, Final: page, Err: errors.New("the answer is not JSON"),
			Hint: "check that the provider's base URL leads to " + p.server()}
	}
	kind := f.verdict()
	out := &fetch.Error{Final: true, After: f.After, Err: errors.New(f.words())}
	switch {
	case kind == llm.Quota:
		out.Kind = fetch.Refused
	case kind == llm.ContextLength:
		out.Kind = fetch.BadRequest
	case status == http.StatusNotFound:
		out.Kind = fetch.Broken
	case kind == llm.Refused && (status < 400 || status == http.StatusBadRequest):
		out.Kind = fetch.Refused
	case kind == llm.Throttled && (status < 400 || f.After > 0):
		out.Kind, out.Final = fetch.Throttled, false
	case status >= 400:
		return nil
	case kind == llm.Unreachable:
		out.Kind, out.Final = fetch.Down, false
	default:
		out.Kind = fetch.BadRequest
	}
	return out
}

// server names what should be at the base URL.
func (p *Client) server() string {
	if p.d.Name == "openai" {
		return "an OpenAI-compatible server; it ends in /v1 for most"
	}
	return "a server that speaks the protocol of " + p.d.Name
}

// refusal is a failed request with what the server said about it.
type refusal struct {
	fault Fault
	found bool
	err   *fetch.Error
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// withBody reads the fault behind an error of fetch.
func (p *Client) withBody(err error, resp *fetch.Response) error {
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
		if status < 300 {
			body, _ = p.whole(body)
		}
		out.fault, out.found = p.readFault(status, body)
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
func (p *Client) explain(c llm.Call, err error) error {
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
func (p *Client) hint(c llm.Call, f Fault, kind llm.Kind, fallback string) string {
	if p.d.Hint != nil {
		if said := p.d.Hint(c, f, kind); said != "" {
			return said
		}
	}
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
		if f.Status == http.StatusNotFound {
			if p.d.Version != nil {
				return fmt.Sprintf("check the model's name %q and the provider's base URL", c.Model)
			}
			return fmt.Sprintf("check the model's name %q and the provider's base URL, which ends in /v1 for most servers", c.Model)
		}
		if f.blamesMode() {
			return fmt.Sprintf("the server does not take the mode %s of structured output: set another one (%s)", c.Mode, strings.Join(p.d.Modes, ", "))
		}
	}
	return fallback
}

// modeWords name, in the words of the wires, what constrains an answer.
var modeWords = []string{"response_format", "json_schema", "tool", "output_config", "output_format", "responseJsonSchema", "response_schema", "responseMimeType"}

func (f Fault) blamesMode() bool {
	about := f.Param + " " + f.Message + " " + f.Upstream
	return slices.ContainsFunc(modeWords, func(w string) bool { return strings.Contains(about, w) })
}

func (p *Client) setKey() string {
	if p.opt.KeySetting == "" {
		return "set a valid key for " + p.opt.Name
	}
	return "set a valid key for " + p.opt.Name + " in " + p.opt.KeySetting
}

// clean takes the key out of a server's words.
func (p *Client) clean(words string) string {
	if p.opt.Key == "" {
		return words
	}
	return fetch.Redact(words, p.opt.Key)
}

const maxWords = 300 // runes of a server's words in an error

// words is what the server said, on one line without a full stop.
func (f Fault) words() string {
	said := f.Message
	if f.Upstream != "" {
		said += " (" + f.Upstream + ")"
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
