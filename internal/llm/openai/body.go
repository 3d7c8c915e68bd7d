package openai

import (
	"encoding/json"
	"fmt"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

// wire types of POST /chat/completions

type chatRequest struct {
	Model          string          `json:"model"`
	Messages       []chatMessage   `json:"messages"`
	ResponseFormat *responseFormat `json:"response_format,omitempty"`
	Tools          []tool          `json:"tools,omitempty"`
	ToolChoice     *toolChoice     `json:"tool_choice,omitempty"`
	NewLimit       int             `json:"max_completion_tokens,omitempty"`
	OldLimit       int             `json:"max_tokens,omitempty"`
	Temperature    *float64        `json:"temperature,omitempty"`
	Stream         bool            `json:"stream"`
	StreamOptions  *streamOptions  `json:"stream_options,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type responseFormat struct {
	Type   string      `json:"type"`
	Schema *jsonSchema `json:"json_schema,omitempty"`
}

type jsonSchema struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	Strict bool            `json:"strict"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Strict      bool            `json:"strict,omitempty"`
}

type toolChoice struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

// requestBody writes the call in the spelling of sh. Equal calls give equal
// bytes: recordings are found by them.
func requestBody(c llm.Call, sh wire.Spelling, stream bool) ([]byte, error) {
	r := chatRequest{Model: c.Model, Stream: stream}
	if stream {
		r.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if sh.OldLimit {
		r.OldLimit = c.MaxOutput
	} else {
		r.NewLimit = c.MaxOutput
	}
	if !sh.NoTemperature {
		r.Temperature = c.Temperature
	}
	system := c.System
	switch c.Mode {
	case llm.ModeSchema, llm.ModeTool:
		schema, strict, err := strictSchema(c.Schema.JSON)
		if err != nil {
			return nil, fmt.Errorf("reading the JSON schema %q: %w", c.Schema.Name, err)
		}
		name := wire.ToolName(c.Schema.Name)
		if c.Mode == llm.ModeSchema {
			r.ResponseFormat = &responseFormat{Type: "json_schema", Schema: &jsonSchema{Name: name, Schema: schema, Strict: strict}}
			break
		}
		r.Tools = []tool{{Type: "function", Function: function{
			Name: name, Description: "Takes the answer.", Parameters: schema, Strict: strict}}}
		r.ToolChoice = &toolChoice{Type: "function", Function: function{Name: name}}
	case llm.ModeObject:
		r.ResponseFormat = &responseFormat{Type: "json_object"}
		system = wire.WithDemand(system, c.Schema.Demand())
	case llm.ModePrompt:
		system = wire.WithDemand(system, c.Schema.Demand())
	}
	if system != "" {
		r.Messages = append(r.Messages, chatMessage{Role: "system", Content: system})
	}
	r.Messages = append(r.Messages, chatMessage{Role: "user", Content: c.User})
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("writing the request: %w", err)
	}
	return raw, nil
}
