// Package all lists the wires that models are spoken to. It must never hold
// what only one of them needs. Start with Build.
package all

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/anthropic"
	"optimistresearch/internal/llm/google"
	"optimistresearch/internal/llm/ollama"
	"optimistresearch/internal/llm/openai"
)

// Config of one provider.
type Config struct {
	Name       string // of the provider: "openai", "acme"
	API        string // one of APIs
	Base       string
	Key        string
	KeySetting string // for messages
	NeedKey    bool
	Timeout    time.Duration // one attempt, 0 = ten minutes
	Parallel   int           // the most calls at once, 0 = eight
	Stream     bool
}

// wires holds what differs, by the name of the wire.
var wires = map[string]struct {
	build   func(openai.Options) (llm.Provider, error)
	modes   []string
	context int
}{
	"openai":    {func(o openai.Options) (llm.Provider, error) { return openai.New(o) }, llm.Modes(), 0},
	"anthropic": {func(o openai.Options) (llm.Provider, error) { return anthropic.New(o) }, anthropic.Modes(), 0},
	"google":    {func(o openai.Options) (llm.Provider, error) { return google.New(o) }, google.Modes(), 0},
	"ollama":    {func(o openai.Options) (llm.Provider, error) { return ollama.New(o) }, ollama.Modes(), ollama.DefaultContext},
}

// APIs lists the wires: openai stands for every compatible server.
func APIs() []string { return []string{"anthropic", "google", "ollama", "openai"} }

// Modes lists the modes of structured output that a wire has, the default
// first; none for an unknown wire.
func Modes(api string) []string { return slices.Clone(wires[api].modes) }

// DefaultContext is the context window in tokens that a wire asks for where no
// setting says another, 0 = it does not ask.
func DefaultContext(api string) int { return wires[api].context }

// Build makes the provider.
func Build(do *fetch.Client, c Config) (llm.Provider, error) {
	w, ok := wires[c.API]
	if !ok {
		return nil, fmt.Errorf("%s: the protocol %q is unknown; use one of %s", c.Name, c.API, strings.Join(APIs(), ", "))
	}
	return w.build(openai.Options{Name: c.Name, Base: c.Base, Key: c.Key, KeySetting: c.KeySetting, NeedKey: c.NeedKey,
		Timeout: c.Timeout, Parallel: c.Parallel, Stream: c.Stream, Doer: do})
}
