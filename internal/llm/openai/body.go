package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	"optimistresearch/internal/llm"
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
func requestBody(c llm.Call, sh shape) ([]byte, error) {
	r := chatRequest{Model: c.Model}
	if sh.oldLimit {
		r.OldLimit = c.MaxOutput
	} else {
		r.NewLimit = c.MaxOutput
	}
	if !sh.noTemperature {
		r.Temperature = c.Temperature
	}
	system := c.System
	switch c.Mode {
	case llm.ModeSchema, llm.ModeTool:
		schema, strict, err := strictSchema(c.Schema.JSON)
		if err != nil {
			return nil, fmt.Errorf("reading the JSON schema %q: %w", c.Schema.Name, err)
		}
		name := wireName(c.Schema.Name)
		if c.Mode == llm.ModeSchema {
			r.ResponseFormat = &responseFormat{Type: "json_schema", Schema: &jsonSchema{Name: name, Schema: schema, Strict: strict}}
			break
		}
		r.Tools = []tool{{Type: "function", Function: function{
			Name: name, Description: "Takes the answer.", Parameters: schema, Strict: strict}}}
		r.ToolChoice = &toolChoice{Type: "function", Function: function{Name: name}}
	case llm.ModeObject:
		r.ResponseFormat = &responseFormat{Type: "json_object"}
		system = withDemand(system, c.Schema)
	case llm.ModePrompt:
		system = withDemand(system, c.Schema)
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

func withDemand(system string, s llm.Schema) string {
	return strings.TrimSpace(system + "\n\n" + s.Demand())
}

// wireName keeps what the wire allows in the name of a schema or tool:
// letters, digits, _ and -, at most 64.
func wireName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if b.Len() == 64 {
			break
		}
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	if strings.Trim(b.String(), "_") == "" {
		return "answer"
	}
	return b.String()
}
