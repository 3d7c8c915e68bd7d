package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

// Wire types of an answer, read leniently: a field of another type than usual
// counts as absent, unknown fields are ignored.

type chatAnswer struct {
	Choices []chatChoice `json:"choices"`
	Usage   *chatUsage   `json:"usage"`
}

type chatChoice struct {
	Message      chatReply `json:"message"`
	FinishReason wire.Text `json:"finish_reason"`
}

type chatReply struct {
	Content   content    `json:"content"`
	Refusal   wire.Text  `json:"refusal"`
	ToolCalls []toolCall `json:"tool_calls"`
}

type toolCall struct {
	Function struct {
		Name      wire.Text `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

type chatUsage struct {
	Prompt  wire.Count `json:"prompt_tokens"` // cached tokens included
	Output  wire.Count `json:"completion_tokens"`
	Details struct {
		Cached wire.Count `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CacheHit wire.Count `json:"prompt_cache_hit_tokens"` // DeepSeek
	Cached   wire.Count `json:"cached_tokens"`           // Moonshot
}

// readAnswer decodes the body of a 200. schema names the tool whose call is the
// answer; with none of that name the first call is.
func readAnswer(body []byte, schema string) (wire.Answer, error) {
	var a chatAnswer
	if err := json.Unmarshal(body, &a); err != nil {
		return wire.Answer{}, fmt.Errorf("the answer is no chat completion: %w", err)
	}
	if len(a.Choices) == 0 {
		return wire.Answer{}, errNoChoices
	}
	var out wire.Answer
	if u := a.Usage; u != nil {
		out.Usage = llm.Tokens(int(u.Prompt), int(max(u.Details.Cached, u.CacheHit, u.Cached)), int(u.Output))
	}
	c := a.Choices[0]
	out.Text = string(c.Message.Content)
	if strings.TrimSpace(out.Text) == "" {
		out.Text = toolText(c.Message.ToolCalls, wire.ToolName(schema))
	}
	out.Finish = finish(string(c.FinishReason))
	if r := string(c.Message.Refusal); strings.TrimSpace(r) != "" {
		out.Text, out.Finish = r, llm.FinishRefusal
	}
	return out, nil
}

func toolText(calls []toolCall, name string) string {
	for _, c := range calls {
		if string(c.Function.Name) == name {
			return string(c.Function.Arguments)
		}
	}
	if len(calls) > 0 {
		return string(calls[0].Function.Arguments)
	}
	return ""
}

// finish maps finish_reason. Reasons of other servers (eos, end_turn, null) mean
// that the model was done; the schema has the last word anyway.
func finish(reason string) string {
	switch reason {
	case "length", "max_tokens":
		return llm.FinishLength
	case "content_filter", "safety":
		return llm.FinishFilter
	case "refusal":
		return llm.FinishRefusal
	}
	return llm.FinishStop
}

// content is a string or a list of parts, of which those of type text count.
type content string

func (c *content) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*c = content(s)
		return nil
	}
	var parts []struct {
		Type wire.Text `json:"type"`
		Text wire.Text `json:"text"`
	}
	if json.Unmarshal(raw, &parts) == nil {
		var b strings.Builder
		for _, p := range parts {
			if p.Type == "text" || p.Type == "output_text" {
				b.WriteString(string(p.Text))
			}
		}
		*c = content(b.String())
	}
	return nil
}

// arguments are JSON in a string, or the bare object of a careless server.
type arguments string

func (a *arguments) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*a = arguments(s)
	} else {
		*a = arguments(raw)
	}
	return nil
}
