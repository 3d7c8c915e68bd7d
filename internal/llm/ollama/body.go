package ollama

import (
	"encoding/json"
	"fmt"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

// wire types of POST /api/chat

type request struct {
	Model    string          `json:"model"`
	Messages []message       `json:"messages"`
	Format   json.RawMessage `json:"format,omitempty"`
	Options  options         `json:"options"`
	Stream   bool            `json:"stream"`
	// Truncate and Shift false make the server say so when the prompt or the
	// answer does not fit, instead of dropping the beginning. Older servers do not
	// know them, which is why reported tokens are checked as well.
	Truncate bool `json:"truncate"`
	Shift    bool `json:"shift"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type options struct {
	Context     int      `json:"num_ctx"`
	MaxOutput   int      `json:"num_predict,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
}

// requestBody writes the call. Equal calls give equal bytes.
func requestBody(c llm.Call, sh wire.Spelling, stream bool) ([]byte, error) {
	r := request{Model: c.Model, Stream: stream, Options: options{Context: c.Context, MaxOutput: c.MaxOutput}}
	if r.Options.Context <= 0 {
		r.Options.Context = DefaultContext
	}
	if !sh.NoTemperature {
		r.Options.Temperature = c.Temperature
	}
	system := c.System
	switch c.Mode {
	case llm.ModeSchema:
		schema, _, err := wire.Schema(c.Schema.JSON, map[string]bool{"$schema": true, "$id": true}, nil)
		if err != nil {
			return nil, fmt.Errorf("reading the JSON schema %q: %w", c.Schema.Name, err)
		}
		r.Format = schema
	case llm.ModeObject:
		r.Format = json.RawMessage(`"json"`)
		system = wire.WithDemand(system, c.Schema.Demand())
	default:
		system = wire.WithDemand(system, c.Schema.Demand())
	}
	if system != "" {
		r.Messages = append(r.Messages, message{"system", system})
	}
	r.Messages = append(r.Messages, message{"user", c.User})
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("writing the request: %w", err)
	}
	return raw, nil
}
