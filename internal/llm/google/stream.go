package google

import (
	"encoding/json"

	"optimistresearch/internal/llm/internal/wire"
)

// chunk is one event of a stream: an answer with a part of the text.
type chunk struct {
	Candidates []struct {
		Content struct {
			Parts []json.RawMessage `json:"parts"`
		} `json:"content"`
		FinishReason wire.Text `json:"finishReason"`
	} `json:"candidates"`
	Feedback json.RawMessage `json:"promptFeedback"`
	Usage    json.RawMessage `json:"usageMetadata"`
}

// join makes one answer of a stream. The wire has no end mark: a stream without
// a reason to finish and without a block has been cut.
func join(body []byte) ([]byte, bool) {
	events, _ := wire.Events(body)
	if len(events) == 0 {
		return nil, false
	}
	parts := []json.RawMessage{}
	var feedback, usage json.RawMessage
	var finish wire.Text
	seen := false
	for _, raw := range events {
		if wire.HasError(raw) {
			return raw, true
		}
		var c chunk
		if json.Unmarshal(raw, &c) != nil {
			return nil, false
		}
		if c.Feedback != nil {
			feedback = c.Feedback
		}
		if c.Usage != nil {
			usage = c.Usage
		}
		for i, one := range c.Candidates {
			if i > 0 {
				break
			}
			seen = true
			parts = append(parts, one.Content.Parts...)
			if one.FinishReason != "" {
				finish = one.FinishReason
			}
		}
	}
	if finish == "" && feedback == nil {
		return nil, false
	}
	out := map[string]any{}
	if seen {
		out["candidates"] = []any{map[string]any{"content": map[string]any{"parts": parts}, "finishReason": finish}}
	}
	if feedback != nil {
		out["promptFeedback"] = feedback
	}
	if usage != nil {
		out["usageMetadata"] = usage
	}
	whole, err := json.Marshal(out)
	return whole, err == nil
}
