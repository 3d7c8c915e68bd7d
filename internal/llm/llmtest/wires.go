package llmtest

import (
	"encoding/json"
	"net/http"
	"strings"

	"optimistresearch/internal/llm"
)

type object = map[string]any

// whole is an answer in one piece.
func whole(r Request, a said, b Bill) object {
	text := ""
	if a.text != nil {
		text = *a.text
	}
	switch r.Wire {
	case Anthropic:
		return object{"id": "msg_test", "type": "message", "role": "assistant", "model": r.Model(),
			"content": anthropicBlocks(a), "stop_reason": anthropicStop(a), "usage": anthropicUsage(b)}
	case Google:
		c := object{"finishReason": googleStop(a), "index": 0}
		parts := []any{object{"text": "I think first.", "thought": true}}
		switch {
		case a.refusal != "":
			parts = append(parts, object{"text": a.refusal})
		case a.text != nil:
			parts = append(parts, object{"text": text})
		case a.tool != "":
			parts = append(parts, object{"text": a.args})
		}
		if len(parts) > 1 {
			c["content"] = object{"role": "model", "parts": parts}
		} else {
			c["content"] = object{"role": "model"} // without parts, as after a limit
		}
		return object{"candidates": []any{c}, "usageMetadata": googleUsage(b)}
	case Ollama:
		if a.text == nil {
			text = a.refusal + a.args
		}
		return object{"model": r.Model(), "message": object{"role": "assistant", "content": text}, "done": true, "done_reason": ollamaStop(a),
			"total_duration": 1000, "prompt_eval_count": b.Prompt, "eval_count": b.Output}
	}
	return object{"id": "chatcmpl-test", "object": "chat.completion", "created": 1767225600, "model": r.Model(),
		"choices": []any{object{"index": 0, "message": openaiMessage(a), "finish_reason": openaiStop(a)}}, "usage": openaiUsage(b)}
}

func openaiMessage(a said) object {
	m := object{"role": "assistant", "content": a.text, "refusal": nil}
	if a.refusal != "" {
		m["refusal"] = a.refusal
	}
	if a.tool != "" {
		m["tool_calls"] = []any{object{"id": "call_1", "type": "function", "function": object{"name": a.tool, "arguments": a.args}}}
	}
	return m
}

func openaiStop(a said) string {
	switch {
	case a.finish == llm.FinishLength:
		return "length"
	case a.finish == llm.FinishFilter:
		return "content_filter"
	case a.tool != "":
		return "tool_calls"
	}
	return "stop"
}

func openaiUsage(b Bill) object {
	return object{"prompt_tokens": b.Prompt, "completion_tokens": b.Output, "total_tokens": b.Prompt + b.Output,
		"prompt_tokens_details": object{"cached_tokens": b.Cached}}
}

func anthropicBlocks(a said) []any {
	out := []any{}
	switch {
	case a.refusal != "":
		out = append(out, object{"type": "text", "text": a.refusal})
	case a.tool != "":
		var input any = object{}
		if json.Valid([]byte(a.args)) {
			input = json.RawMessage(a.args)
		}
		out = append(out, object{"type": "tool_use", "id": "toolu_test", "name": a.tool, "input": input})
	case a.text != nil:
		out = append(out, object{"type": "text", "text": *a.text})
	}
	return out
}

func anthropicStop(a said) string {
	switch {
	case a.finish == llm.FinishLength:
		return "max_tokens"
	case a.finish == llm.FinishRefusal, a.finish == llm.FinishFilter:
		return "refusal"
	case a.tool != "":
		return "tool_use"
	}
	return "end_turn"
}

// anthropicUsage counts cached tokens apart from the others, as the wire does.
func anthropicUsage(b Bill) object {
	return object{"input_tokens": b.Prompt - b.Cached, "cache_creation_input_tokens": 0, "cache_read_input_tokens": b.Cached, "output_tokens": b.Output}
}

func googleStop(a said) string {
	switch a.finish {
	case llm.FinishLength:
		return "MAX_TOKENS"
	case llm.FinishFilter, llm.FinishRefusal:
		return "SAFETY"
	}
	return "STOP"
}

// googleUsage counts thoughts apart from the answer, as the wire does.
func googleUsage(b Bill) object {
	return object{"promptTokenCount": b.Prompt, "cachedContentTokenCount": b.Cached, "candidatesTokenCount": b.Output - b.Output/2,
		"thoughtsTokenCount": b.Output / 2, "totalTokenCount": b.Prompt + b.Output}
}

func ollamaStop(a said) string {
	if a.finish == llm.FinishLength {
		return "length"
	}
	return "stop"
}

// stream is an answer in pieces; without end it stops before its last one.
func stream(r Request, a said, b Bill, end bool) Response {
	res := Response{Status: http.StatusOK, Header: map[string]string{"Content-Type": "text/event-stream; charset=utf-8"}, bill: b}
	var out strings.Builder
	event := func(name string, v any) {
		if name != "" {
			out.WriteString("event: " + name + "\n")
		}
		out.WriteString("data: " + encode(v) + "\n\n")
	}
	switch r.Wire {
	case Anthropic:
		event("message_start", object{"type": "message_start", "message": object{"type": "message", "content": []any{}, "usage": anthropicUsage(Bill{Prompt: b.Prompt, Cached: b.Cached, Output: 1})}})
		for i, block := range anthropicBlocks(a) {
			one, _ := block.(object)
			text, _ := one["text"].(string)
			kind, key := "text_delta", "text"
			start := object{"type": one["type"], "text": ""}
			if a.tool != "" && a.refusal == "" {
				text, kind, key = a.args, "input_json_delta", "partial_json"
				start = object{"type": "tool_use", "id": "toolu_test", "name": a.tool, "input": object{}}
			}
			event("content_block_start", object{"type": "content_block_start", "index": i, "content_block": start})
			event("ping", object{"type": "ping"})
			for _, piece := range pieces(text) {
				event("content_block_delta", object{"type": "content_block_delta", "index": i, "delta": object{"type": kind, key: piece}})
			}
			if end {
				event("content_block_stop", object{"type": "content_block_stop", "index": i})
			}
		}
		if end {
			event("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": anthropicStop(a)}, "usage": object{"output_tokens": b.Output}})
			event("message_stop", object{"type": "message_stop"})
		}
	case Google:
		text := a.refusal + a.args
		if a.text != nil {
			text = *a.text
		}
		list := pieces(text)
		for i, piece := range list {
			c := object{"content": object{"role": "model", "parts": []any{object{"text": piece}}}, "index": 0}
			chunk := object{"candidates": []any{c}, "usageMetadata": googleUsage(b)}
			if end && i == len(list)-1 {
				c["finishReason"] = googleStop(a)
			}
			event("", chunk)
		}
	case Ollama:
		res.Header["Content-Type"] = "application/x-ndjson"
		text := a.refusal + a.args
		if a.text != nil {
			text = *a.text
		}
		for _, piece := range pieces(text) {
			out.WriteString(encode(object{"model": r.Model(), "message": object{"role": "assistant", "content": piece}, "done": false}) + "\n")
		}
		if end {
			out.WriteString(encode(object{"model": r.Model(), "message": object{"role": "assistant", "content": ""}, "done": true, "done_reason": ollamaStop(a),
				"prompt_eval_count": b.Prompt, "eval_count": b.Output}) + "\n")
		}
	default:
		delta := func(d object, finish any) {
			event("", object{"object": "chat.completion.chunk", "choices": []any{object{"index": 0, "delta": d, "finish_reason": finish}}, "usage": nil})
		}
		delta(object{"role": "assistant", "content": ""}, nil)
		switch {
		case a.refusal != "":
			delta(object{"refusal": a.refusal}, nil)
		case a.tool != "":
			delta(object{"tool_calls": []any{object{"index": 0, "id": "call_1", "function": object{"name": a.tool, "arguments": ""}}}}, nil)
			for _, piece := range pieces(a.args) {
				delta(object{"tool_calls": []any{object{"index": 0, "function": object{"arguments": piece}}}}, nil)
			}
		case a.text != nil:
			for _, piece := range pieces(*a.text) {
				delta(object{"content": piece}, nil)
			}
		}
		if end {
			delta(object{}, openaiStop(a))
			event("", object{"object": "chat.completion.chunk", "choices": []any{}, "usage": openaiUsage(b)})
			out.WriteString("data: [DONE]\n\n")
		}
	}
	res.Body = out.String()
	return res
}

// pieces cuts a text in three, at least one.
func pieces(text string) []string {
	runes := []rune(text)
	if len(runes) < 3 {
		return []string{text}
	}
	n := len(runes) / 3
	return []string{string(runes[:n]), string(runes[n : 2*n]), string(runes[2*n:])}
}
