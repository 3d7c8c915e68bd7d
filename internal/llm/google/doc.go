// Package google speaks the generateContent wire of Gemini.
//
// It must never retry or wait (internal/fetch does; how long the server wants
// to be left alone stands in the body on this wire, and is read here), never
// change the model or the mode that was asked for, and never let a key into an
// error.
//
// Start with New.
package google
