package llmtest

import "net/http"

// Request is one request as the server got it.
type Request struct {
	Method, Path string
	Header       http.Header
	Raw          []byte
	Body         map[string]any // nil if Raw is no JSON object
}

// Message is one message of the conversation.
type Message struct{ Role, Content string }

// Has tells whether the body holds the top-level parameter.
func (r Request) Has(param string) bool {
	_, ok := r.Body[param]
	return ok
}

// Model returns the model that was asked for.
func (r Request) Model() string {
	s, _ := r.Body["model"].(string)
	return s
}

// Messages returns the messages whose content is text.
func (r Request) Messages() []Message {
	list, _ := r.Body["messages"].([]any)
	var out []Message
	for _, e := range list {
		m, _ := e.(map[string]any)
		role, _ := m["role"].(string)
		content, _ := m["content"].(string)
		out = append(out, Message{Role: role, Content: content})
	}
	return out
}

// Text returns the content of the first message with that role.
func (r Request) Text(role string) string {
	for _, m := range r.Messages() {
		if m.Role == role {
			return m.Content
		}
	}
	return ""
}

// Format returns response_format.type, "" if absent.
func (r Request) Format() string {
	f, _ := r.Body["response_format"].(map[string]any)
	s, _ := f["type"].(string)
	return s
}

// Tool returns the name of the tool that must be called, "" if none must.
func (r Request) Tool() string {
	choice, _ := r.Body["tool_choice"].(map[string]any)
	function, _ := choice["function"].(map[string]any)
	s, _ := function["name"].(string)
	return s
}
