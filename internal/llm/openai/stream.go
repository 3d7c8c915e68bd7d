package openai

import (
	"encoding/json"

	"optimistresearch/internal/llm/internal/wire"
)

// streamChunk is one event of a stream.
type streamChunk struct {
	Choices []struct {
		Delta struct {
			Content   content    `json:"content"`
			Refusal   wire.Text  `json:"refusal"`
			ToolCalls []toolCall `json:"tool_calls"`
		} `json:"delta"`
		FinishReason wire.Text `json:"finish_reason"`
	} `json:"choices"`
	Usage json.RawMessage `json:"usage"`
}

// join makes a chat completion of a stream. An error in the middle is the whole
// answer; a stream without an end mark and without a reason to finish is none.
func join(body []byte) ([]byte, bool) {
	events, done := wire.Events(body)
	if len(events) == 0 {
		return nil, false
	}
	var message struct {
		Content   string     `json:"content"`
		Refusal   string     `json:"refusal,omitempty"`
		ToolCalls []toolCall `json:"tool_calls,omitempty"`
	}
	var finish wire.Text
	var usage json.RawMessage
	var tool toolCall
	called := false
	for _, e := range events {
		if wire.HasError(e) {
			return e, true
		}
		var c streamChunk
		if json.Unmarshal(e, &c) != nil {
			return nil, false
		}
		if len(c.Usage) > 0 && string(c.Usage) != "null" {
			usage = c.Usage
		}
		if len(c.Choices) == 0 {
			continue
		}
		one := c.Choices[0]
		message.Content += string(one.Delta.Content)
		message.Refusal += string(one.Delta.Refusal)
		for _, t := range one.Delta.ToolCalls {
			called = true
			if t.Function.Name != "" {
				tool.Function.Name = t.Function.Name
			}
			tool.Function.Arguments += t.Function.Arguments
		}
		if one.FinishReason != "" {
			finish = one.FinishReason
		}
	}
	if !done && finish == "" {
		return nil, false
	}
	if called {
		message.ToolCalls = []toolCall{tool}
	}
	out := map[string]any{"choices": []any{map[string]any{"message": message, "finish_reason": finish}}}
	if usage != nil {
		out["usage"] = usage
	}
	whole, err := json.Marshal(out)
	return whole, err == nil
}
