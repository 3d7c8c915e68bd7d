// Package anthropic speaks the messages wire of Anthropic.
//
// It must never retry or wait (internal/fetch does), never change the model or
// the mode that was asked for, and never let a key into an error. Tokens that
// the server reads from or writes to its cache are counted apart on this wire
// and added to the prompt here.
//
// Start with New.
package anthropic
