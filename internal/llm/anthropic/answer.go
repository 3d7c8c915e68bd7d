package anthropic

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

// wire types of an answer, read leniently

type answer struct {
	Type       wire.Text    `json:"type"`
	Content    []said       `json:"content"`
	StopReason wire.Text    `json:"stop_reason"`
	Usage      *answerUsage `json:"usage"`
}

type said struct {
	Type  wire.Text       `json:"type"` // text, tool_use, thinking, redacted_thinking
	Text  wire.Text       `json:"text"`
	Name  wire.Text       `json:"name"`
	Input json.RawMessage `json:"input"`
}

type answerUsage struct {
	Input   wire.Count `json:"input_tokens"` // without the two below
	Read    wire.Count `json:"cache_read_input_tokens"`
	Written wire.Count `json:"cache_creation_input_tokens"`
	Output  wire.Count `json:"output_tokens"`
}

// tokens adds up what the wire counts apart.
func (u answerUsage) tokens() llm.Usage {
	out := llm.Tokens(int(u.Input+u.Read+u.Written), int(u.Read), int(u.Output))
	out.Written = int(u.Written)
	return out
}

// readAnswer decodes the body of a 200. schema names the tool whose input is the
// answer; with none of that name the first one's is.
func readAnswer(body []byte, schema string) (wire.Answer, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return wire.Answer{}, fmt.Errorf("the answer is no message: %w", err)
	}
	if a.Type != "message" && len(a.Content) == 0 {
		return wire.Answer{}, errors.New("the answer is no message: it holds no content")
	}
	var out wire.Answer
	if a.Usage != nil {
		out.Usage = a.Usage.tokens()
	}
	var text strings.Builder
	var input []byte
	own := false
	for _, b := range a.Content {
		switch b.Type {
		case "text":
			text.WriteString(string(b.Text))
		case "tool_use":
			if ours := string(b.Name) == wire.ToolName(schema); input == nil || ours && !own {
				input, own = b.Input, ours
			}
		}
	}
	if out.Text = text.String(); strings.TrimSpace(out.Text) == "" || own {
		if input != nil {
			out.Text = string(input)
		}
	}
	out.Finish = finish(string(a.StopReason))
	return out, nil
}

func finish(reason string) string {
	switch reason {
	case "max_tokens", "model_context_window_exceeded":
		return llm.FinishLength
	case "refusal":
		return llm.FinishRefusal
	}
	return llm.FinishStop
}
