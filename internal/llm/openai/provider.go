package openai

import (
	"errors"
	"net/http"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

// Options of a Provider. Base is needed: there is no own address, since the
// wire belongs to many servers.
type Options = wire.Options

// Provider implements llm.Provider.
type Provider = wire.Client

// New checks the options.
func New(o Options) (*Provider, error) { return wire.New(dialect(), o) }

func dialect() wire.Dialect {
	return wire.Dialect{
		Name:   "openai",
		Modes:  llm.Modes(),
		Limits: [2]string{"max_completion_tokens", "max_tokens"},
		Key:    func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
		Request: func(c llm.Call, sh wire.Spelling, stream bool) (wire.Outgoing, error) {
			body, err := requestBody(c, sh, stream)
			return wire.Outgoing{Path: "/chat/completions", Body: body}, err
		},
		Read: func(body []byte, c llm.Call) (wire.Answer, error) { return readAnswer(body, c.Schema.Name) },
		Join: join,
	}
}

// looseKeywords are dropped from the schema as sent: strict structured output
// refuses them. The answer is validated against the full schema all the same.
var looseKeywords = map[string]bool{
	"$schema": true, "$id": true, "default": true, "examples": true,
	"minLength": true, "maxLength": true, "uniqueItems": true,
}

// neverStrict are keywords that strict structured output cannot express.
var neverStrict = map[string]bool{
	"allOf": true, "oneOf": true, "not": true, "if": true, "then": true, "else": true,
	"patternProperties": true, "dependentRequired": true, "dependentSchemas": true,
}

// strictSchema rewrites a JSON Schema for the wire and tells whether it may be
// sent as strict.
func strictSchema(raw []byte) (out []byte, strict bool, err error) {
	return wire.Schema(raw, looseKeywords, neverStrict)
}

var errNoChoices = errors.New("the answer holds no choices")
