// Package llm is the contract for everything that a language model does here:
// one structured call with validation, a router from role to model, and an
// account of tokens and money.
//
// It never talks to a network itself (a Provider does), never decides what a
// role falls back to (the step does), never trusts an answer that its schema
// refuses, and never shows an unknown price as a price of zero.
//
// Start with Structured:
//
//	type verdict struct {
//		Relevant bool   `json:"relevant"`
//		Note     string `json:"note" jsonschema_description:"one line"`
//	}
//	v, res, err := llm.Structured[verdict](ctx, router, llm.Screener, llm.Prompt{
//		Name: "screen", Version: "1", System: rules,
//		Stable: subquestions, Input: llm.Fence("abstract", abstract),
//		MaxOutput: 800,
//	})
//
// res holds the usage of every attempt, also when err is not nil.
package llm
