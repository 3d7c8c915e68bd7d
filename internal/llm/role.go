package llm

// Role is a job that a model can be given. Each role is routed on its own.
type Role string

// The roles of the method.
const (
	Planner     Role = "planner"
	Intent      Role = "intent"
	Query       Role = "query"
	Screener    Role = "screener"
	Reader      Role = "reader"
	Verifier    Role = "verifier"
	Synthesizer Role = "synthesizer"
	Critic      Role = "critic"
	Writer      Role = "writer"
	Researcher  Role = "researcher"
	Finalizer   Role = "finalizer"
)

// Roles lists every role in the order in which a review needs them.
func Roles() []Role {
	return []Role{
		Planner, Intent, Query, Screener, Reader, Verifier,
		Synthesizer, Critic, Writer, Researcher, Finalizer,
	}
}
