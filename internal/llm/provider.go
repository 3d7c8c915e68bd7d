package llm

import "context"

// The ways to make a model answer in JSON. Which one works depends on the
// server, so it is a setting of the route.
const (
	ModeSchema = "json_schema" // the server constrains the output to the schema (default)
	ModeObject = "json_object" // the server promises JSON; the schema stands in the prompt
	ModeTool   = "tool"        // the schema is the parameter of a tool that must be called
	ModePrompt = "prompt"      // the schema stands in the prompt, nothing is promised
)

// Modes lists the valid modes, the default first.
func Modes() []string { return []string{ModeSchema, ModeObject, ModeTool, ModePrompt} }

// Call is one request in no provider's dialect.
type Call struct {
	Role   Role   // for logs and tests; never sent
	Prompt string // name of the prompt, for logs and tests; never sent

	Model  string
	System string
	User   string
	// StablePrefix is the number of leading bytes of User that are the same in
	// every call of this prompt; a provider may mark the place for its cache.
	StablePrefix int

	Schema Schema
	Mode   string // one of Modes; "" = ModeSchema

	MaxOutput   int      // tokens; 0 = the server's default
	Context     int      // context window to ask for, in tokens; 0 = unknown
	Temperature *float64 // nil = the server's default
}

// Completion is what came back.
type Completion struct {
	Text   string // the answer: JSON as text, also when it came as the input of a tool
	Finish string // one of the Finish constants
	// Usage of this one call as made by Tokens. Price is added by Structured.
	Usage         Usage
	Request, Raw  string // hashes of the request and of the raw response, "" if unknown
	FromRecording bool   // answered from a recording: nothing was sent
}

// Why a completion ended.
const (
	FinishStop    = "stop"    // the model was done
	FinishLength  = "length"  // the output allowance was used up: Text may be half an answer
	FinishRefusal = "refusal" // the model declined; Text says why
	FinishFilter  = "filter"  // the server withheld the answer
)

// Provider speaks one wire.
//
// Complete sends the call once as far as the caller can see: waiting and
// retrying belong beneath it. It is safe for concurrent use and returns soon
// after ctx ends. Every error it returns is an *Error with one of the kinds
// MissingKey, Unreachable, Refused, Throttled, Quota, BadRequest,
// ContextLength, Invalid, Cancelled or Offline; the Completion beside an error
// holds the hashes if there was a response. An answer that is no JSON, that
// is cut (FinishLength), declined (FinishRefusal) or withheld (FinishFilter) is
// not an error of the provider. No key or other secret may appear in an error.
type Provider interface {
	Name() string
	Complete(ctx context.Context, c Call) (Completion, error)
}
