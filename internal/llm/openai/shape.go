package openai

import (
	"errors"
	"net/http"
	"strings"

	"optimistresearch/internal/llm"
)

// shape is a spelling of the request. Servers disagree about two parameters:
// OpenAI's reasoning models refuse max_tokens and any temperature but 1, older
// compatible servers do not know max_completion_tokens.
type shape struct {
	oldLimit      bool // max_tokens instead of max_completion_tokens
	noTemperature bool
}

// shapeCount is the number of spellings.
const shapeCount = 4

// shapesFor lists the spellings that make a difference to the call.
func shapesFor(c llm.Call) []shape {
	out := []shape{{}}
	if c.MaxOutput > 0 {
		out = append(out, shape{oldLimit: true})
	}
	if c.Temperature != nil {
		for _, sh := range out {
			sh.noTemperature = true
			out = append(out, sh)
		}
	}
	return out
}

// after returns the spelling to try after err, changed if the server named a
// parameter that has another spelling. It never goes back to an earlier one.
func (s shape) after(err error, c llm.Call) (next shape, changed bool) {
	var f *refusal
	if !errors.As(err, &f) {
		return s, false
	}
	switch {
	case c.MaxOutput > 0 && !s.oldLimit && f.fault.refuses("max_completion_tokens"):
		s.oldLimit = true
		return s, true
	case c.Temperature != nil && !s.noTemperature && f.fault.refuses("temperature"):
		s.noTemperature = true
		return s, true
	}
	return s, false
}

// refuses tells whether the server rejected the request because of a parameter:
// by error.param, or where that is missing by naming it in the message, as in
// "[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), …}]"
// (vLLM, voideditor/void 128, 2024-10) and "invalid temperature: only 1 is
// allowed for this model" (Moonshot, 2026-08). A value out of range is not a
// refused parameter.
func (f fault) refuses(param string) bool {
	if f.status != http.StatusBadRequest && f.status != http.StatusUnprocessableEntity || f.code == "invalid_value" || f.tooLong() {
		return false
	}
	if f.param != "" {
		return f.param == param
	}
	return strings.Contains(f.message, param) || strings.Contains(f.upstream, param)
}
