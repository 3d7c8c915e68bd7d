package wire

import (
	"errors"
	"net/http"
	"strings"

	"optimistresearch/internal/llm"
)

// Spelling is a way to write a request. Servers disagree about two parameters:
// OpenAI's reasoning models refuse max_tokens and any temperature but 1, older
// compatible servers do not know max_completion_tokens, Anthropic's models from
// Opus 4.7 on refuse a temperature.
type Spelling struct {
	OldLimit      bool // the second name of the output limit
	NoTemperature bool
}

// spellings is their number.
const spellings = 4

// spellingsFor lists the spellings that make a difference to the call.
func spellingsFor(c llm.Call, limits [2]string) []Spelling {
	out := []Spelling{{}}
	if c.MaxOutput > 0 && limits[0] != "" {
		out = append(out, Spelling{OldLimit: true})
	}
	if c.Temperature != nil {
		for _, sh := range out {
			sh.NoTemperature = true
			out = append(out, sh)
		}
	}
	return out
}

// after returns the spelling to try after err, changed if the server named a
// parameter that has another spelling. It never goes back to an earlier one.
func (s Spelling) after(err error, c llm.Call, limits [2]string) (next Spelling, changed bool) {
	var f *refusal
	if !errors.As(err, &f) {
		return s, false
	}
	switch {
	case limits[0] != "" && c.MaxOutput > 0 && !s.OldLimit && f.fault.refuses(limits[0]):
		s.OldLimit = true
		return s, true
	case c.Temperature != nil && !s.NoTemperature && f.fault.refuses("temperature"):
		s.NoTemperature = true
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
func (f Fault) refuses(param string) bool {
	if f.Status != http.StatusBadRequest && f.Status != http.StatusUnprocessableEntity || f.Code == "invalid_value" || f.tooLong() {
		return false
	}
	if f.Param != "" {
		return f.Param == param
	}
	return strings.Contains(f.Message, param) || strings.Contains(f.Upstream, param)
}
