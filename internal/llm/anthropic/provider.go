package anthropic

import (
	"net/http"
	"strings"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

// DefaultBase is the vendor's own address.
const DefaultBase = "https://api.anthropic.com/v1"

// apiVersion is the version of the wire, which every request names.
const apiVersion = "2023-06-01"

// Options of a Provider.
type Options = wire.Options

// Provider implements llm.Provider.
type Provider = wire.Client

// New checks the options.
func New(o Options) (*Provider, error) { return wire.New(dialect(), o) }

// Modes lists the modes of structured output that the wire has: by
// output_config.format, by a tool that must be called, by words.
func Modes() []string { return []string{llm.ModeSchema, llm.ModeTool, llm.ModePrompt} }

func dialect() wire.Dialect {
	version := "/v1"
	return wire.Dialect{
		Name: "anthropic", Base: DefaultBase, Version: &version, Modes: Modes(),
		Key: func(h http.Header, key string) { h.Set("X-Api-Key", key) },
		Request: func(c llm.Call, sh wire.Spelling, stream bool) (wire.Outgoing, error) {
			body, err := requestBody(c, sh, stream)
			return wire.Outgoing{Path: "/messages", Body: body, Header: http.Header{"Anthropic-Version": {apiVersion}}}, err
		},
		Read:    func(body []byte, c llm.Call) (wire.Answer, error) { return readAnswer(body, c.Schema.Name) },
		Join:    join,
		Sharpen: sharpen,
	}
}

// spentPhrases mean an account without credit, which the server reports as a
// plain bad request.
var spentPhrases = []string{
	"credit balance is too low", // "Your credit balance is too low to access the Anthropic API." (2025)
	"api usage limits",          // "You have reached your specified API usage limits." (2025)
}

func sharpen(f *wire.Fault, _ []byte) {
	said := strings.ToLower(f.Message)
	for _, p := range spentPhrases {
		if strings.Contains(said, p) {
			f.Verdict = llm.Quota
		}
	}
}
