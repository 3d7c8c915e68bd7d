package google

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
	Candidates []candidate `json:"candidates"`
	Feedback   struct {
		BlockReason wire.Text `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *answerUsage `json:"usageMetadata"`
}

type candidate struct {
	Content struct {
		Parts []answerPart `json:"parts"` // may be absent
	} `json:"content"`
	FinishReason wire.Text `json:"finishReason"`
}

type answerPart struct {
	Text    wire.Text `json:"text"`
	Thought bool      `json:"thought"`
}

type answerUsage struct {
	Prompt   wire.Count `json:"promptTokenCount"` // cached tokens included
	Cached   wire.Count `json:"cachedContentTokenCount"`
	Output   wire.Count `json:"candidatesTokenCount"`
	Thoughts wire.Count `json:"thoughtsTokenCount"` // beside Output
}

// readAnswer decodes the body of a 200.
func readAnswer(body []byte) (wire.Answer, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return wire.Answer{}, fmt.Errorf("the answer is not one of generateContent: %w", err)
	}
	var out wire.Answer
	if u := a.Usage; u != nil {
		out.Usage = llm.Tokens(int(u.Prompt), int(u.Cached), int(u.Output+u.Thoughts))
	}
	if len(a.Candidates) == 0 {
		if a.Feedback.BlockReason == "" {
			return wire.Answer{}, errors.New("the answer holds no candidates")
		}
		out.Finish = llm.FinishFilter
		return out, nil
	}
	c := a.Candidates[0]
	var text strings.Builder
	for _, p := range c.Content.Parts {
		if !p.Thought {
			text.WriteString(string(p.Text))
		}
	}
	out.Text, out.Finish = text.String(), finish(string(c.FinishReason))
	return out, nil
}

// finish maps finishReason. Unknown reasons mean that the model was done; the
// schema has the last word anyway.
func finish(reason string) string {
	switch reason {
	case "MAX_TOKENS":
		return llm.FinishLength
	case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY":
		return llm.FinishFilter
	}
	return llm.FinishStop
}
