// Package wire is what the model providers share: options, sending a call
// through fetch, the spelling that a server takes, what a failed answer means
// in words, the JSON schema as a server wants it, streams, and how many calls
// may run at once.
//
// It must never retry or wait (internal/fetch does), never change the model or
// the mode that was asked for, and never let a key into an error. What it does
// change is spelling: where a server refuses a parameter that has another
// name, the other name is used, and where it refuses a temperature it gets
// none.
//
// A provider is a Dialect. Start with New.
package wire
