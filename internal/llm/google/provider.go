package google

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

// DefaultBase is the vendor's own address.
const DefaultBase = "https://generativelanguage.googleapis.com/v1beta"

// Options of a Provider.
type Options = wire.Options

// Provider implements llm.Provider.
type Provider = wire.Client

// New checks the options.
func New(o Options) (*Provider, error) { return wire.New(dialect(), o) }

// Modes lists the modes of structured output that the wire has.
func Modes() []string { return []string{llm.ModeSchema, llm.ModeObject, llm.ModePrompt} }

func dialect() wire.Dialect {
	version := "/v1beta"
	return wire.Dialect{
		Name: "google", Base: DefaultBase, Version: &version, Modes: Modes(),
		Key: func(h http.Header, key string) { h.Set("X-Goog-Api-Key", key) },
		Request: func(c llm.Call, sh wire.Spelling, stream bool) (wire.Outgoing, error) {
			body, err := requestBody(c, sh)
			out := wire.Outgoing{Path: "/models/" + url.PathEscape(strings.TrimPrefix(c.Model, "models/")), Body: body}
			if stream {
				out.Path += ":streamGenerateContent"
				out.Query = url.Values{"alt": {"sse"}}
			} else {
				out.Path += ":generateContent"
			}
			return out, err
		},
		Read:    func(body []byte, _ llm.Call) (wire.Answer, error) { return readAnswer(body) },
		Join:    join,
		Sharpen: sharpen,
	}
}

// details are the parts of an error that say why.
type details struct {
	Error struct {
		Details []struct {
			Reason     wire.Text `json:"reason"`
			RetryDelay wire.Text `json:"retryDelay"` // "37s"
			Violations []struct {
				ID    wire.Text `json:"quotaId"`
				Value wire.Text `json:"quotaValue"`
			} `json:"violations"`
		} `json:"details"`
	} `json:"error"`
}

// sharpen reads what stands in the details: a bad key comes as a plain bad
// request, a wait only there, and whether a quota is one of the minute (wait) or of
// the day (stop) as well. (google-gemini/gemini-cli 14811 and 14831, 2025-12)
func sharpen(f *wire.Fault, body []byte) {
	var d details
	if json.Unmarshal(body, &d) != nil {
		return
	}
	for _, one := range d.Error.Details {
		if strings.HasPrefix(string(one.Reason), "API_KEY_") {
			f.Verdict = llm.Refused
		}
		if wait, err := time.ParseDuration(string(one.RetryDelay)); err == nil && wait > 0 {
			f.After = wait
		}
		for _, v := range one.Violations {
			if strings.Contains(string(v.ID), "PerDay") || v.Value == "0" {
				f.Verdict = llm.Quota
			}
		}
	}
}
