package anthropic

import (
	"encoding/json"
	"fmt"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

// DefaultMaxOutput is the output limit of a call that sets none: the wire
// wants one. It leaves room for a model that thinks first.
const DefaultMaxOutput = 16_000

// cacheFrom is the length in tokens from which the shared part of a prompt is
// marked for the cache. The server ignores the mark on shorter ones.
const cacheFrom = 1024

// wire types of POST /messages

type request struct {
	Model        string        `json:"model"`
	MaxTokens    int           `json:"max_tokens"`
	System       []block       `json:"system,omitempty"`
	Messages     []message     `json:"messages"`
	OutputConfig *outputConfig `json:"output_config,omitempty"`
	Tools        []tool        `json:"tools,omitempty"`
	ToolChoice   *toolChoice   `json:"tool_choice,omitempty"`
	Temperature  *float64      `json:"temperature,omitempty"`
	Stream       bool          `json:"stream,omitempty"`
}

type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

type block struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Cache *cache `json:"cache_control,omitempty"`
}

type cache struct {
	Type string `json:"type"`
}

type outputConfig struct {
	Format format `json:"format"`
}

type format struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"schema"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type toolChoice struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

// unknownKeywords are dropped from the schema as sent: structured output
// refuses them. The answer is validated against the full schema all the same.
var unknownKeywords = map[string]bool{
	"$schema": true, "$id": true, "default": true, "examples": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"minLength": true, "maxLength": true, "minItems": true, "maxItems": true, "uniqueItems": true,
}

// requestBody writes the call. Equal calls give equal bytes.
func requestBody(c llm.Call, sh wire.Spelling, stream bool) ([]byte, error) {
	r := request{Model: c.Model, MaxTokens: c.MaxOutput, Stream: stream}
	if r.MaxTokens <= 0 {
		r.MaxTokens = DefaultMaxOutput
		if c.Context > 0 {
			r.MaxTokens = min(r.MaxTokens, max(c.Context/2, 1))
		}
	}
	if !sh.NoTemperature {
		r.Temperature = c.Temperature
	}
	system := c.System
	switch c.Mode {
	case llm.ModePrompt:
		system = wire.WithDemand(system, c.Schema.Demand())
	default:
		schema, _, err := wire.Schema(c.Schema.JSON, unknownKeywords, nil)
		if err != nil {
			return nil, fmt.Errorf("reading the JSON schema %q: %w", c.Schema.Name, err)
		}
		if c.Mode == llm.ModeSchema {
			r.OutputConfig = &outputConfig{format{Type: "json_schema", Schema: schema}}
			break
		}
		name := wire.ToolName(c.Schema.Name)
		r.Tools = []tool{{Name: name, Description: "Takes the answer.", InputSchema: schema}}
		r.ToolChoice = &toolChoice{Type: "tool", Name: name}
	}
	if system != "" {
		r.System = []block{{Type: "text", Text: system}}
	}
	user := []block{{Type: "text", Text: c.User}}
	if n := c.StablePrefix; n >= 0 && n < len(c.User) && llm.EstimateTokens(system+c.User[:n]) >= cacheFrom {
		mark := &cache{Type: "ephemeral"}
		if n > 0 {
			user = []block{{Type: "text", Text: c.User[:n], Cache: mark}, {Type: "text", Text: c.User[n:]}}
		} else {
			r.System[0].Cache = mark
		}
	}
	r.Messages = []message{{Role: "user", Content: user}}
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("writing the request: %w", err)
	}
	return raw, nil
}
