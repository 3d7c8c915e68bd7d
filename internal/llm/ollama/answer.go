package ollama

import (
	"encoding/json"
	"errors"
	"fmt"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

type answer struct {
	Message *struct {
		Content wire.Text `json:"content"`
	} `json:"message"`
	Done       bool       `json:"done"`
	DoneReason wire.Text  `json:"done_reason"`
	Prompt     wire.Count `json:"prompt_eval_count"` // absent when the whole prompt was cached
	Output     wire.Count `json:"eval_count"`
}

// readAnswer decodes the body of a 200.
func readAnswer(body []byte) (wire.Answer, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return wire.Answer{}, fmt.Errorf("the answer is no chat answer: %w", err)
	}
	if a.Message == nil {
		return wire.Answer{}, errors.New("the answer holds no message")
	}
	out := wire.Answer{Text: string(a.Message.Content), Finish: llm.FinishStop}
	if a.Prompt > 0 {
		out.Usage = llm.Tokens(int(a.Prompt), 0, int(a.Output))
	}
	if a.DoneReason == "length" {
		out.Finish = llm.FinishLength
	}
	return out, nil
}
