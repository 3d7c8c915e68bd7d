package llmtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// Rule is one line of a script: when it applies, how often, and what the server
// does then. The first rule that applies and is not used up counts.
type Rule struct {
	When struct {
		Wire     string `json:"wire"`     // one of Wires, "" = any
		Model    string `json:"model"`    // "" = any
		Property string `json:"property"` // of the schema that constrains the answer: "scores", "items"…
		Contains string `json:"contains"` // somewhere in the messages
	} `json:"when"`
	Times int `json:"times"` // 0 = always

	// One of these.
	Answer json.RawMessage `json:"answer"` // JSON
	Text   *string         `json:"text"`
	Fail   string          `json:"fail"` // one of Failures
	Status int             `json:"status"`

	// More about it.
	Finish string `json:"finish"`        // of text: length, refusal, filter
	Wrap   string `json:"wrap"`          // of answer: think, fence
	Prompt int    `json:"prompt_tokens"` // of answer: report so many
	WaitMS int    `json:"wait_ms"`       // of fail: throttled
	Body   string `json:"body"`          // of status
}

// Failures lists what fail may be.
func Failures() []string {
	return []string{"cut", "garbage", "half_stream", "hang", "mid_stream", "null", "page", "quota", "throttled", "too_long", "unauthorized"}
}

// ReadScript reads rules from JSON lines; empty lines and lines that begin with
// # are left out. An error names the line.
func ReadScript(r io.Reader) ([]Rule, error) {
	var out []Rule
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		var rule Rule
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&rule); err != nil {
			return nil, fmt.Errorf("line %d is no rule: %w", n, err)
		}
		if err := rule.check(); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, rule)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the script: %w", err)
	}
	return out, nil
}

func (r Rule) check() error {
	given := 0
	for _, is := range []bool{r.Answer != nil, r.Text != nil, r.Fail != "", r.Status != 0} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return fmt.Errorf("it needs exactly one of answer, text, fail, status and has %d", given)
	case r.Fail != "" && !slices.Contains(Failures(), r.Fail):
		return fmt.Errorf("fail is %q and must be one of %s", r.Fail, strings.Join(Failures(), ", "))
	case r.When.Wire != "" && !slices.Contains(Wires(), r.When.Wire):
		return fmt.Errorf("when.wire is %q and must be one of %s", r.When.Wire, strings.Join(Wires(), ", "))
	case r.Finish != "" && !slices.Contains([]string{"length", "refusal", "filter"}, r.Finish):
		return fmt.Errorf("finish is %q and must be length, refusal or filter", r.Finish)
	case r.Wrap != "" && r.Wrap != "think" && r.Wrap != "fence":
		return fmt.Errorf("wrap is %q and must be think or fence", r.Wrap)
	case r.Status != 0 && (r.Status < 200 || r.Status > 599):
		return fmt.Errorf("status is %d and must be between 200 and 599", r.Status)
	case r.Times < 0:
		return fmt.Errorf("times is %d and must not be negative", r.Times)
	}
	return nil
}

func (r Rule) applies(q Request) bool {
	if r.When.Wire != "" && r.When.Wire != q.Wire || r.When.Model != "" && r.When.Model != q.Model() ||
		r.When.Property != "" && !slices.Contains(q.Properties(), r.When.Property) {
		return false
	}
	if r.When.Contains == "" {
		return true
	}
	return slices.ContainsFunc(q.Messages(), func(m Message) bool { return strings.Contains(m.Content, r.When.Contains) })
}

func (r Rule) step() Step {
	switch {
	case r.Answer != nil:
		text := string(r.Answer)
		switch {
		case r.Wrap == "think":
			return Think(text)
		case r.Wrap == "fence":
			return Fenced(text)
		case r.Prompt > 0:
			return PromptCount(r.Prompt, text)
		}
		return Answer(text)
	case r.Text != nil:
		switch r.Finish {
		case "length":
			return Length(*r.Text)
		case "refusal":
			return Refusal(*r.Text)
		case "filter":
			return Filtered()
		}
		return plain(*r.Text)
	case r.Status != 0:
		if r.Body != "" {
			return Raw(r.Status, r.Body)
		}
		return Down(r.Status)
	}
	switch r.Fail {
	case "cut":
		return Cut("{}")
	case "garbage":
		return Garbage()
	case "half_stream":
		return HalfStream("{}")
	case "hang":
		return Hang()
	case "mid_stream":
		return MidStream()
	case "null":
		return Null()
	case "page":
		return Page()
	case "quota":
		return Quota()
	case "throttled":
		return Throttled(r.WaitMS)
	case "too_long":
		return TooLong()
	}
	return Unauthorized()
}

// Play makes the answering function of a Server: by the rules, else by
// otherwise.
func Play(rules []Rule, otherwise func(Request) Step) func(Request) Step {
	var mu sync.Mutex
	used := make([]int, len(rules))
	return func(q Request) Step {
		mu.Lock()
		defer mu.Unlock()
		for i, r := range rules {
			if r.Times > 0 && used[i] >= r.Times || !r.applies(q) {
				continue
			}
			used[i]++
			return r.step()
		}
		return otherwise(q)
	}
}
