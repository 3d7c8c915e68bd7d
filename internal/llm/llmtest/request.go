package llmtest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// The wires of a Server.
const (
	OpenAI    = "openai"
	Anthropic = "anthropic"
	Google    = "google"
	Ollama    = "ollama"
)

// Wires lists them.
func Wires() []string { return []string{Anthropic, Google, Ollama, OpenAI} }

// Request is one request as the server got it.
type Request struct {
	Method, Path string
	Wire         string // one of Wires, "" = the path belongs to none
	Header       http.Header
	Raw          []byte
	Body         map[string]any // nil if Raw is no JSON object
}

// wireOf tells the wire by the path.
func wireOf(path string) string {
	switch {
	case path == "/v1/chat/completions":
		return OpenAI
	case path == "/v1/messages":
		return Anthropic
	case path == "/api/chat":
		return Ollama
	case strings.HasPrefix(path, "/v1beta/models/") && (strings.HasSuffix(path, ":generateContent") || strings.HasSuffix(path, ":streamGenerateContent")):
		return Google
	}
	return ""
}

// Key returns the key that came with the request, "" if none did.
func (r Request) Key() string {
	switch r.Wire {
	case Anthropic:
		return r.Header.Get("X-Api-Key")
	case Google:
		return r.Header.Get("X-Goog-Api-Key")
	}
	key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return key
}

// Stream tells whether the answer shall come in pieces.
func (r Request) Stream() bool {
	if r.Wire == Google {
		return strings.HasSuffix(r.Path, ":streamGenerateContent")
	}
	on, _ := r.Body["stream"].(bool)
	return on
}

// Message is one message of the conversation; the system prompt is one of role
// "system" on every wire.
type Message struct{ Role, Content string }

// Has tells whether the body holds the parameter, at the top or where the wire
// keeps its options.
func (r Request) Has(param string) bool {
	for _, place := range []string{"", "generationConfig", "options"} {
		if _, ok := r.at(place)[param]; ok {
			return true
		}
	}
	return false
}

// at returns an object of the body, the body itself for "".
func (r Request) at(path ...string) map[string]any {
	here := r.Body
	for _, p := range path {
		if p != "" {
			here, _ = here[p].(map[string]any)
		}
	}
	return here
}

// Model returns the model that was asked for.
func (r Request) Model() string {
	if r.Wire == Google {
		name, _, _ := strings.Cut(strings.TrimPrefix(r.Path, "/v1beta/models/"), ":")
		if plain, err := url.PathUnescape(name); err == nil {
			return plain
		}
		return name
	}
	s, _ := r.Body["model"].(string)
	return s
}

// Messages returns the messages whose content is text.
func (r Request) Messages() []Message {
	var out []Message
	key := "messages"
	switch r.Wire {
	case Anthropic:
		if s := content(r.Body["system"]); s != "" {
			out = append(out, Message{"system", s})
		}
	case Google:
		key = "contents"
		if s := content(r.at("systemInstruction")["parts"]); s != "" {
			out = append(out, Message{"system", s})
		}
	}
	list, _ := r.Body[key].([]any)
	for _, e := range list {
		m, _ := e.(map[string]any)
		role, _ := m["role"].(string)
		text := content(m["content"])
		if r.Wire == Google {
			text = content(m["parts"])
		}
		out = append(out, Message{Role: role, Content: text})
	}
	return out
}

// content is a string, or the texts of a list of parts.
func content(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, p := range v {
			part, _ := p.(map[string]any)
			s, _ := part["text"].(string)
			b.WriteString(s)
		}
		return b.String()
	}
	return ""
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

// Format returns response_format.type of the OpenAI wire, "" if absent.
func (r Request) Format() string {
	s, _ := r.at("response_format")["type"].(string)
	return s
}

// Schema returns the JSON schema that constrains the answer, nil if none does.
func (r Request) Schema() map[string]any {
	var s map[string]any
	switch r.Wire {
	case Anthropic:
		if s = r.at("output_config", "format", "schema"); s == nil {
			s = r.tool("input_schema")
		}
	case Google:
		s = r.at("generationConfig", "responseJsonSchema")
	case Ollama:
		s = r.at("format")
	default:
		if s = r.at("response_format", "json_schema", "schema"); s == nil {
			s = r.tool("parameters")
		}
	}
	return s
}

func (r Request) tool(key string) map[string]any {
	tools, _ := r.Body["tools"].([]any)
	if len(tools) == 0 {
		return nil
	}
	t, _ := tools[0].(map[string]any)
	if f, ok := t["function"].(map[string]any); ok {
		t = f
	}
	s, _ := t[key].(map[string]any)
	return s
}

// Properties lists the properties at the top of the schema, sorted.
func (r Request) Properties() []string {
	props, _ := r.Schema()["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(props))
}

// Tool returns the name of the tool that must be called, "" if none must.
func (r Request) Tool() string {
	choice := r.at("tool_choice")
	if f, ok := choice["function"].(map[string]any); ok {
		choice = f
	}
	s, _ := choice["name"].(string)
	return s
}
