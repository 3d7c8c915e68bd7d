package all

import (
	"context"
	"slices"
	"strings"
	"testing"

	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/llmtest"
	"optimistresearch/internal/llm/llmtest/conform"
)

// Every wire is built by its name, under any provider's name, and begins with
// the mode that constrains the answer.
func TestBuild(t *testing.T) {
	if !slices.Equal(APIs(), llmtest.Wires()) {
		t.Errorf("wires %q, the fake server speaks %q", APIs(), llmtest.Wires())
	}
	server := llmtest.NewServer()
	defer server.Close()
	server.Func(func(llmtest.Request) llmtest.Step { return llmtest.Answer(conform.Yes) })
	client, err := fetch.New(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, api := range APIs() {
		p, err := Build(client, Config{Name: "acme", API: api, Base: server.BaseOf(api)})
		if err != nil || p.Name() != "acme" {
			t.Fatalf("%s: %v", api, err)
		}
		if done, err := p.Complete(context.Background(), conform.Call(Modes(api)[0])); err != nil || done.Text != conform.Yes || Modes(api)[0] != llm.ModeSchema {
			t.Errorf("%s: %+v, %v", api, done, err)
		}
		if asks := DefaultContext(api) > 0; asks != (api == "ollama") {
			t.Errorf("%s asks for a context window: %v", api, asks)
		}
	}
	if _, err := Build(client, Config{Name: "acme", API: "telex"}); err == nil || !strings.Contains(err.Error(), "anthropic, google, ollama, openai") {
		t.Errorf("an unknown wire: %v", err)
	}
	if _, err := Build(client, Config{Name: "acme", API: "openai"}); err == nil {
		t.Error("a compatible server without an address was taken")
	}
}
