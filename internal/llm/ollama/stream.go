package ollama

import (
	"bytes"
	"encoding/json"

	"optimistresearch/internal/llm/internal/wire"
)

// join makes one answer of a stream of JSON lines. An error line is the whole
// answer; a stream without a last line has been cut.
func join(body []byte) ([]byte, bool) {
	pieces := lines(body)
	if len(pieces) == 0 {
		return nil, false
	}
	text := ""
	for _, raw := range pieces {
		if wire.HasError(raw) {
			return raw, true
		}
		var a answer
		if json.Unmarshal(raw, &a) != nil || a.Message == nil {
			return nil, false
		}
		text += string(a.Message.Content)
		if a.Done {
			whole, err := json.Marshal(map[string]any{"message": message{"assistant", text}, "done": true,
				"done_reason": a.DoneReason, "prompt_eval_count": a.Prompt, "eval_count": a.Output})
			return whole, err == nil
		}
	}
	return nil, false
}

// lines lists the lines of a body that are not empty.
func lines(body []byte) (out [][]byte) {
	for line := range bytes.Lines(body) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			out = append(out, line)
		}
	}
	return out
}
