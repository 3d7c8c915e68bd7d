package ollama

import (
	"fmt"
	"net/http"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

// DefaultBase is where a server on this machine listens.
const DefaultBase = "http://127.0.0.1:11434"

// DefaultContext is the window in tokens of a call that names none.
const DefaultContext = 16_384

// Options of a Provider.
type Options = wire.Options

// Provider implements llm.Provider.
type Provider = wire.Client

// New checks the options.
func New(o Options) (*Provider, error) { return wire.New(dialect(), o) }

// Modes lists the modes of structured output that the wire has.
func Modes() []string { return []string{llm.ModeSchema, llm.ModeObject, llm.ModePrompt} }

func dialect() wire.Dialect {
	version := ""
	return wire.Dialect{
		Name: "ollama", Base: DefaultBase, Version: &version, Modes: Modes(),
		Key: func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
		Request: func(c llm.Call, sh wire.Spelling, stream bool) (wire.Outgoing, error) {
			body, err := requestBody(c, sh, stream)
			return wire.Outgoing{Path: "/api/chat", Body: body}, err
		},
		Read: func(body []byte, _ llm.Call) (wire.Answer, error) { return readAnswer(body) },
		Join: join,
		Hint: func(c llm.Call, f wire.Fault, _ llm.Kind) string {
			if f.Status == http.StatusNotFound {
				return fmt.Sprintf("fetch the model with: ollama pull %s", c.Model)
			}
			return ""
		},
	}
}
