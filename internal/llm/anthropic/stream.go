package anthropic

import (
	"encoding/json"

	"optimistresearch/internal/llm/internal/wire"
)

// event is one event of a stream.
type event struct {
	Type    wire.Text `json:"type"`
	Index   int       `json:"index"`
	Message struct {
		Usage map[string]json.RawMessage `json:"usage"`
	} `json:"message"`
	Block said `json:"content_block"`
	Delta struct {
		Text       wire.Text `json:"text"`
		Partial    wire.Text `json:"partial_json"`
		StopReason wire.Text `json:"stop_reason"`
	} `json:"delta"`
	Usage map[string]json.RawMessage `json:"usage"`
}

// join makes a message of a stream. An error in the middle is the whole answer;
// a stream without message_stop and without a reason to stop is none.
func join(body []byte) ([]byte, bool) {
	events, _ := wire.Events(body)
	if len(events) == 0 {
		return nil, false
	}
	type part struct {
		Type  wire.Text       `json:"type"`
		Text  string          `json:"text,omitempty"`
		Name  wire.Text       `json:"name,omitempty"`
		Input json.RawMessage `json:"input,omitempty"`
	}
	var parts []part
	partial := map[int]string{}
	usage := map[string]json.RawMessage{}
	var stop wire.Text
	ended := false
	for _, raw := range events {
		if wire.HasError(raw) {
			return raw, true
		}
		var e event
		if json.Unmarshal(raw, &e) != nil {
			return nil, false
		}
		for k, v := range e.Message.Usage {
			usage[k] = v
		}
		for k, v := range e.Usage {
			usage[k] = v
		}
		switch e.Type {
		case "content_block_start":
			if e.Index != len(parts) {
				return nil, false
			}
			parts = append(parts, part{Type: e.Block.Type, Text: string(e.Block.Text), Name: e.Block.Name})
		case "content_block_delta":
			if e.Index < 0 || e.Index >= len(parts) {
				return nil, false
			}
			parts[e.Index].Text += string(e.Delta.Text)
			partial[e.Index] += string(e.Delta.Partial)
		case "message_delta":
			if e.Delta.StopReason != "" {
				stop = e.Delta.StopReason
			}
		case "message_stop":
			ended = true
		}
	}
	if !ended && stop == "" {
		return nil, false
	}
	for i := range parts {
		if parts[i].Type != "tool_use" {
			continue
		}
		if raw := []byte(partial[i]); json.Valid(raw) {
			parts[i].Input = raw
		} else { // cut at the length limit: half a value, which the caller recognises by the reason
			parts[i] = part{Type: "text", Text: partial[i]}
		}
	}
	whole, err := json.Marshal(map[string]any{"type": "message", "content": parts, "stop_reason": stop, "usage": usage})
	return whole, err == nil
}
