package app

import (
	"fmt"
	"os"

	"optimistresearch/internal/llm/llmtest"
)

// SandboxModels starts a simulated model server that speaks the wire of every
// provider, and returns its address for each. script is a file of rules, see
// llmtest.Rule; what no rule answers, and all if there is none, is answered
// without any judgement, see llmtest.Oblige.
func SandboxModels(addr, script string) (bases map[string]string, stop func(), err error) {
	var rules []llmtest.Rule
	if script != "" {
		f, err := os.Open(script)
		if err != nil {
			return nil, nil, &InputError{err}
		}
		defer f.Close()
		if rules, err = llmtest.ReadScript(f); err != nil {
			return nil, nil, &InputError{fmt.Errorf("%s: %w", script, err)}
		}
	}
	server, err := llmtest.Listen(addr)
	if err != nil {
		return nil, nil, &InputError{err}
	}
	server.Func(llmtest.Play(rules, llmtest.Oblige))
	bases = map[string]string{}
	for _, wire := range llmtest.Wires() {
		bases[wire] = server.BaseOf(wire)
	}
	return bases, server.Close, nil
}
