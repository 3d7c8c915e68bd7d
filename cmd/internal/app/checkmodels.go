package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"optimistresearch/config"
	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
	"optimistresearch/steps"
)

// What a model can do wrong in a role.
const (
	ViceOffTopic  = "keeps what is off topic"
	ViceRejects   = "rejects what is relevant"
	ViceCopies    = "copies its prompt"
	ViceInvents   = "invents"
	ViceSchema    = "breaks the schema"
	ViceContext   = "ignores the context setting"
	ViceObeys     = "follows an instruction hidden in a text"
	ViceContent   = "is content without evidence"
	ViceLeavesOut = "leaves out what was asked"
	ViceSlow      = "is slow"
)

// What becomes of a role.
const (
	ModelFit         = "fit"
	ModelDoubtful    = "doubtful"    // it does the job, with a weakness that costs time or calls
	ModelUnfit       = "unfit"       // what it answers would spoil a review
	ModelUnreachable = "unreachable" // it could not be asked
	ModelBuiltin     = "builtin"     // no model does this role
	ModelUnused      = "unused"      // no step of this version asks this role
)

// ModelFinding is one thing that a model did wrong.
type ModelFinding struct {
	Vice   string `json:"vice"`
	Detail string `json:"detail"`
	Severe bool   `json:"severe"`
}

// ModelRow is the verdict on one role.
type ModelRow struct {
	Role     string         `json:"role"`
	Model    string         `json:"model"`
	Setting  string         `json:"setting"` // that chose the model
	Verdict  string         `json:"verdict"`
	Findings []ModelFinding `json:"findings,omitempty"`
	Reason   string         `json:"reason,omitempty"` // why it was not asked
	Calls    int            `json:"calls"`
	Prompt   int            `json:"prompt_tokens"`
	Output   int            `json:"output_tokens"`
	Dollars  float64        `json:"dollars"`
	Priced   bool           `json:"priced"` // else Dollars is not the whole cost
	PriceOf  string         `json:"price_from,omitempty"`
	Slowest  float64        `json:"slowest_seconds"`
}

// ModelCheckOptions of CheckModels.
type ModelCheckOptions struct {
	Roles   []string                          // nil = all
	Model   string                            // a candidate for these roles, "" = as the settings route them
	Slow    time.Duration                     // a call that takes longer is slow, 0 = a minute
	Row     func(ModelRow)                    // told of each row as it comes; may be nil
	Waiting func(service string, seconds int) // told of waits that a person would notice; may be nil
}

// DefaultSlow is the longest time that one call should take.
const DefaultSlow = time.Minute

// CheckModels gives each routed role the real prompts and schemas on built-in
// material whose right answers are known, and judges what comes back. Nothing is
// recorded, so every check asks anew. Rows are in the order of the roles.
func CheckModels(ctx context.Context, c *config.Config, o ModelCheckOptions) ([]ModelRow, error) {
	if _, model, ok := strings.Cut(o.Model, ":"); o.Model != "" && (!ok || model == "") {
		return nil, wrong("write it as provider:model, such as ollama:MODEL", "the model %q names no provider", o.Model)
	}
	specs := c.Roles(RoleNames())
	roles := RoleNames()
	if len(o.Roles) > 0 {
		roles = o.Roles
	}
	for _, role := range roles {
		if !slices.Contains(RoleNames(), role) {
			return nil, wrong("use one of "+strings.Join(RoleNames(), ", "), "the role %q is unknown", role)
		}
		if o.Model != "" {
			specs[role] = o.Model
		}
	}
	opt := fetchOptions(c)
	opt.Break = false // each row tells its own failure
	if o.Waiting != nil {
		opt.Waiting = func(w fetch.Wait) { o.Waiting(w.Service, int(w.For.Round(time.Second).Seconds())) }
	}
	client, err := fetch.New(opt)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	routes := map[string]string{}
	for _, role := range roles {
		routes[role] = specs[role]
	}
	table, err := buildRoutes(c, client, routes, false)
	if err != nil {
		return nil, err
	}
	k := checker{config: c, slow: o.Slow, window: map[string][]ModelFinding{}, down: map[string]string{}}
	if k.slow <= 0 {
		k.slow = DefaultSlow
	}
	var rows []ModelRow
	for _, role := range roles {
		row := k.role(ctx, llm.Role(role), table)
		if err := ctx.Err(); err != nil {
			return rows, errors.Join(err)
		}
		row.Setting = c.ModelSetting(role)
		if o.Model != "" {
			row.Setting = "--model"
		}
		rows = append(rows, row)
		if o.Row != nil {
			o.Row(row)
		}
	}
	return rows, nil
}

// checker remembers what holds for a model whatever its role.
type checker struct {
	config *config.Config
	slow   time.Duration
	window map[string][]ModelFinding // spec → what the look at its context window found
	down   map[string]string         // spec → why it cannot be asked
}

// tap is a provider that keeps what passes.
type tap struct {
	llm.Provider
	mu      sync.Mutex
	texts   []string // of the answers
	system  string
	user    string
	slowest time.Duration
}

func (t *tap) Complete(ctx context.Context, c llm.Call) (llm.Completion, error) {
	began := time.Now()
	done, err := t.Provider.Complete(ctx, c)
	took := time.Since(began)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.slowest = max(t.slowest, took)
	t.system, t.user = c.System, t.user+"\n"+c.User
	if err == nil {
		t.texts = append(t.texts, done.Text)
	}
	return done, err
}

// role checks one role.
func (k *checker) role(ctx context.Context, role llm.Role, table map[llm.Role]llm.Route) ModelRow {
	route, routed := table[role]
	row := ModelRow{Role: string(role), Model: llm.Builtin, Verdict: ModelBuiltin, Priced: true}
	if !routed {
		return row
	}
	row.Model = route.Spec
	if _, from, ok := k.config.PriceOf(route.Spec); ok {
		row.PriceOf = from
	}
	probes := probesOf(role)
	if len(probes) == 0 {
		row.Verdict, row.Reason = ModelUnused, "no step of this version asks this role"
		return row
	}
	if why := k.down[route.Spec]; why != "" {
		row.Verdict, row.Reason = ModelUnreachable, why
		return row
	}
	for _, p := range probes {
		if !k.probe(ctx, role, route, p, &row) {
			return row
		}
	}
	if _, known := k.window[route.Spec]; !known {
		if !k.look(ctx, role, route, &row) {
			return row
		}
	}
	row.Findings = append(row.Findings, k.window[route.Spec]...)
	if took := time.Duration(row.Slowest * float64(time.Second)); took > k.slow {
		row.Findings = append(row.Findings, ModelFinding{Vice: ViceSlow, Detail: fmt.Sprintf("one call took %s, more than %s", took.Round(time.Millisecond), k.slow)})
	}
	row.Verdict = ModelFit
	for _, f := range row.Findings {
		if f.Severe {
			row.Verdict = ModelUnfit
			break
		}
		row.Verdict = ModelDoubtful
	}
	return row
}

// probe runs one probe through the step that asks this role. It is false when the
// model could not be asked.
func (k *checker) probe(ctx context.Context, role llm.Role, route llm.Route, p probe, row *ModelRow) bool {
	t := &tap{Provider: route.Provider}
	route.Provider = t
	var calls []steps.Call
	part, err := p.run(ctx, steps.Models{Router: llm.NewRouter(map[llm.Role]llm.Route{role: route}), Observe: func(c steps.Call) { calls = append(calls, c) }})
	if err != nil {
		row.Verdict, row.Reason = ModelUnreachable, err.Error()
		return false
	}
	for _, c := range calls {
		k.account(row, c.Result, t)
		switch kind := llm.KindOf(c.Err); kind {
		case "":
			if slices.ContainsFunc(c.Result.Notes, func(n string) bool { return strings.HasPrefix(n, "repaired") }) {
				row.add(ViceSchema, p.name+": it had to be asked again", false)
			}
		case llm.Invalid, llm.Truncated:
			row.add(ViceSchema, p.name+": "+c.Err.Error(), true)
		case llm.ContextLength:
			row.add(ViceContext, p.name+": "+c.Err.Error(), true)
		default:
			k.down[route.Spec] = c.Err.Error()
			row.Verdict, row.Reason = ModelUnreachable, c.Err.Error()
			return false
		}
		if c.Err != nil {
			return true // the built-in method answered: nothing of the model is there to judge
		}
	}
	for _, f := range p.judge(part, t) {
		f.Detail = p.name + ": " + f.Detail
		row.Findings = append(row.Findings, f)
	}
	if words := copied(t, p.copyLength); words != "" {
		row.add(ViceCopies, fmt.Sprintf("%s: it says %q, which stands in its instructions and not in the material", p.name, words), true)
	}
	return true
}

func (k *checker) account(row *ModelRow, r llm.Result, t *tap) {
	row.Calls += r.Usage.Calls
	row.Prompt += r.Usage.Prompt
	row.Output += r.Usage.Output
	row.Dollars += float64(r.Usage.Micros) / 1e6
	row.Priced = row.Priced && (r.Usage.PriceKnown || r.Usage.Calls == 0)
	t.mu.Lock()
	row.Slowest = max(row.Slowest, t.slowest.Seconds())
	t.mu.Unlock()
}

func (r *ModelRow) add(vice, detail string, severe bool) {
	r.Findings = append(r.Findings, ModelFinding{Vice: vice, Detail: detail, Severe: severe})
}

// Bounds of the look at the context window.
const (
	lookShare   = 0.6    // of the window that is filled
	lookMost    = 12_000 // tokens
	lookUnknown = 8_192  // tokens of window to assume where it is not known
	firstWord   = "amber-falcon-27"
	lastWord    = "quiet-harbour-64"
)

type codeWords struct {
	First string `json:"first"`
	Last  string `json:"last"`
}

// look fills a good part of the context window and asks for what stands at its
// beginning. It is false when the model could not be asked.
func (k *checker) look(ctx context.Context, role llm.Role, route llm.Route, row *ModelRow) bool {
	window := route.Context
	if window == 0 {
		window = lookUnknown
	}
	t := &tap{Provider: route.Provider}
	route.Provider = t
	size := min(int(float64(window)*lookShare), lookMost)
	prompt := llm.Prompt{Name: "code-words", Version: "1",
		System: "The text holds two code words, one at its beginning and one at its end. Return both exactly as they stand there.",
		Stable: "The first code word is " + firstWord + ".", Input: filler(size) + "\nThe last code word is " + lastWord + ".", MaxOutput: min(2000, window/8)}
	v, res, err := llm.Structured[codeWords](ctx, llm.NewRouter(map[llm.Role]llm.Route{role: route}), role, prompt)
	k.account(row, res, t)
	found := []ModelFinding{}
	about := fmt.Sprintf("a prompt of about %d tokens", size)
	switch kind := llm.KindOf(err); {
	case kind == llm.Truncated || kind == llm.ContextLength:
		found = append(found, ModelFinding{ViceContext, about + ": " + err.Error(), true})
	case kind == llm.Invalid:
		found = append(found, ModelFinding{ViceSchema, about + ": " + err.Error(), true})
	case err != nil:
		row.Verdict, row.Reason = ModelUnreachable, err.Error()
		return false
	case !strings.Contains(v.First, firstWord) || !strings.Contains(v.Last, lastWord):
		found = append(found, ModelFinding{ViceContext, fmt.Sprintf("%s: it read %q at the beginning and %q at the end instead of %q and %q", about, shortened(v.First), shortened(v.Last), firstWord, lastWord), true})
	}
	k.window[route.Spec] = found
	return true
}

// filler is a text of about so many tokens in which nothing matters.
func filler(tokens int) string {
	var b strings.Builder
	for i := 1; llmTokens(&b) < tokens; i++ {
		fmt.Fprintf(&b, "Line %d of the protocol records nothing that anyone needs to know.\n", i)
	}
	return b.String()
}

// llmTokens is four bytes a token, as plain English has.
func llmTokens(b *strings.Builder) int { return b.Len() / 4 }

func shortened(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}
