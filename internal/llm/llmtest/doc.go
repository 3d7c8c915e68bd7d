// Package llmtest stands in for models in tests: Scripted is a provider in
// memory for tests of steps, Server a model server on loopback for tests of the
// wires and of the whole program. It speaks four wires at once, told apart by
// the path: OpenAI's chat completions, Anthropic's messages, Gemini's
// generateContent and Ollama's chat, each whole or as a stream.
//
// Both answer from a script and keep what they were asked. They never invent an
// answer: a script that is used up is an error that says so.
//
// Start with NewScripted or NewServer.
package llmtest
