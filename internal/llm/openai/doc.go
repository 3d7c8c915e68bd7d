// Package openai speaks the chat completions wire: OpenAI itself and every
// server that is compatible with it (vLLM, llama.cpp, LM Studio, Ollama's /v1,
// OpenRouter and other gateways), chosen by base URL.
//
// It must never retry or wait (internal/fetch does), never change the model or
// the mode that was asked for, and never let a key into an error. What it does
// change is spelling: where a server refuses max_completion_tokens it gets
// max_tokens, where it refuses a temperature it gets none.
//
// Start with New:
//
//	p, err := openai.New(openai.Options{
//		Name: "openai", Base: "https://api.openai.com/v1",
//		Key: key, KeySetting: "OPENAI_API_KEY", NeedKey: true, Doer: client,
//	})
package openai
