// Package ollama speaks Ollama's own chat wire. Its OpenAI-compatible one
// cannot set the context window.
//
// It must never retry or wait (internal/fetch does), never change the model or
// the mode that was asked for, and never send a call without a context window:
// left to itself the server takes a small one and drops the beginning of a
// longer prompt without a word.
//
// Start with New.
package ollama
