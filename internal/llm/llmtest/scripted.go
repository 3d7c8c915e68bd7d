package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"optimistresearch/internal/llm"
)

// Reply is one answer of a Scripted provider. The zero Finish is "stop".
type Reply struct {
	Text                   string
	Finish                 string
	Prompt, Cached, Output int // reported tokens; Prompt 0 = as many as estimated, NoUsage = none
	NoUsage                bool
	Err                    error // returned instead of an answer
	Hang                   bool  // wait until the caller gives up
	FromRecording          bool
}

// JSON is the Reply whose text is v as JSON. A v that has no JSON form gives a
// Reply with that error.
func JSON(v any) Reply {
	raw, err := json.Marshal(v)
	if err != nil {
		return Reply{Err: &llm.Error{Kind: llm.BadRequest, Err: fmt.Errorf("writing the scripted answer: %w", err)}}
	}
	return Reply{Text: string(raw)}
}

// Text is the Reply with that text.
func Text(s string) Reply { return Reply{Text: s} }

// Fail is the Reply that is an error of that kind.
func Fail(kind llm.Kind) Reply {
	return Reply{Err: &llm.Error{Kind: kind, Err: fmt.Errorf("scripted failure: %s", kind)}}
}

// Scripted is an llm.Provider in memory. Replies are given per role in order,
// then the common ones in order, then by the function of Func. It is safe for
// concurrent use; calls of one role that run at the same time take its replies
// in no certain order, so such tests use Func.
type Scripted struct {
	mu     sync.Mutex
	common []Reply
	byRole map[llm.Role][]Reply
	answer func(llm.Call) Reply
	calls  []llm.Call
}

// NewScripted makes a provider that gives these replies in order to any role.
func NewScripted(replies ...Reply) *Scripted {
	return &Scripted{common: replies, byRole: map[llm.Role][]Reply{}}
}

// On appends replies for one role. It returns s.
func (s *Scripted) On(role llm.Role, replies ...Reply) *Scripted {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byRole[role] = append(s.byRole[role], replies...)
	return s
}

// Func sets what answers when no reply is left. It returns s. answer must be
// safe for concurrent use.
func (s *Scripted) Func(answer func(llm.Call) Reply) *Scripted {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
	return s
}

// Calls returns every call so far in the order of arrival.
func (s *Scripted) Calls() []llm.Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]llm.Call(nil), s.calls...)
}

// Left returns how many replies were not used.
func (s *Scripted) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.common)
	for _, r := range s.byRole {
		n += len(r)
	}
	return n
}

// Router routes the roles, or all roles if none is named, to s at a price of one
// dollar per million prompt tokens and two per million answer tokens.
func (s *Scripted) Router(roles ...llm.Role) *llm.Router {
	if len(roles) == 0 {
		roles = llm.Roles()
	}
	routes := map[llm.Role]llm.Route{}
	for _, role := range roles {
		routes[role] = llm.Route{Spec: "scripted:test", Provider: s, Model: "test", Price: &llm.Price{Prompt: 1, Output: 2}}
	}
	return llm.NewRouter(routes)
}

// Name returns "scripted".
func (s *Scripted) Name() string { return "scripted" }

// Complete gives the next reply for the call's role.
func (s *Scripted) Complete(ctx context.Context, c llm.Call) (llm.Completion, error) {
	reply, n := s.next(c)
	if reply.Hang {
		<-ctx.Done()
	}
	if err := ctx.Err(); err != nil {
		return llm.Completion{}, &llm.Error{Kind: llm.Cancelled, Err: fmt.Errorf("waiting for the scripted answer: %w", err)}
	}
	if reply.Err != nil {
		return llm.Completion{}, reply.Err
	}
	done := llm.Completion{
		Text: reply.Text, Finish: reply.Finish, FromRecording: reply.FromRecording,
		Request: fmt.Sprintf("request-%d", n), Raw: fmt.Sprintf("raw-%d", n),
	}
	if done.Finish == "" {
		done.Finish = llm.FinishStop
	}
	if reply.NoUsage {
		return done, nil
	}
	prompt, output := reply.Prompt, reply.Output
	if prompt == 0 {
		prompt = llm.EstimateTokens(c.System + "\n" + c.User)
	}
	if output == 0 {
		output = llm.EstimateTokens(reply.Text)
	}
	done.Usage = llm.Tokens(prompt, reply.Cached, output)
	return done, nil
}

func (s *Scripted) next(c llm.Call) (Reply, int) {
	s.mu.Lock()
	s.calls = append(s.calls, c)
	n := len(s.calls)
	var r Reply
	answer := s.answer
	switch own := s.byRole[c.Role]; {
	case len(own) > 0:
		r, s.byRole[c.Role] = own[0], own[1:]
		answer = nil
	case len(s.common) > 0:
		r, s.common = s.common[0], s.common[1:]
		answer = nil
	case answer == nil:
		r = Reply{Err: &llm.Error{Kind: llm.BadRequest, Err: fmt.Errorf("the script has no answer left for call %d (%s, prompt %q)", n, c.Role, c.Prompt)}}
	}
	s.mu.Unlock()
	if answer != nil {
		r = answer(c)
	}
	return r, n
}
