// Package llmtest stands in for models in tests: Scripted is a provider in
// memory for tests of steps, Server an OpenAI-compatible server on loopback for
// tests of the wire and of the whole program.
//
// Both answer from a script and keep what they were asked. They never invent an
// answer: a script that is used up is an error that says so.
//
// Start with NewScripted or NewServer.
package llmtest
