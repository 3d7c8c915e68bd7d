package google

import (
	"encoding/json"
	"fmt"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

// wire types of POST /models/{model}:generateContent

type request struct {
	System   *content         `json:"systemInstruction,omitempty"`
	Contents []content        `json:"contents"`
	Config   generationConfig `json:"generationConfig"`
}

type content struct {
	Role  string `json:"role,omitempty"`
	Parts []part `json:"parts"`
}

type part struct {
	Text string `json:"text"`
}

type generationConfig struct {
	MIME        string          `json:"responseMimeType,omitempty"`
	Schema      json.RawMessage `json:"responseJsonSchema,omitempty"`
	MaxOutput   int             `json:"maxOutputTokens,omitempty"`
	Temperature *float64        `json:"temperature,omitempty"`
}

// unknownKeywords are dropped from the schema as sent. The answer is validated
// against the full schema all the same.
var unknownKeywords = map[string]bool{
	"$schema": true, "default": true, "examples": true, "minLength": true, "maxLength": true, "pattern": true,
	"uniqueItems": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
}

// requestBody writes the call. Equal calls give equal bytes.
func requestBody(c llm.Call, sh wire.Spelling) ([]byte, error) {
	r := request{Contents: []content{{Role: "user", Parts: []part{{c.User}}}}, Config: generationConfig{MaxOutput: c.MaxOutput}}
	if !sh.NoTemperature {
		r.Config.Temperature = c.Temperature
	}
	system := c.System
	switch c.Mode {
	case llm.ModeSchema:
		schema, _, err := wire.Schema(c.Schema.JSON, unknownKeywords, nil)
		if err != nil {
			return nil, fmt.Errorf("reading the JSON schema %q: %w", c.Schema.Name, err)
		}
		r.Config.MIME, r.Config.Schema = "application/json", schema
	case llm.ModeObject:
		r.Config.MIME = "application/json"
		system = wire.WithDemand(system, c.Schema.Demand())
	default:
		system = wire.WithDemand(system, c.Schema.Demand())
	}
	if system != "" {
		r.System = &content{Parts: []part{{system}}}
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("writing the request: %w", err)
	}
	return raw, nil
}
