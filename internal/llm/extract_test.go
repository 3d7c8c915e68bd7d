package llm

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

type echo struct {
	ID     string `json:"id"`
	Action string `json:"action" jsonschema:"enum=search,enum=read"`
	N      int    `json:"n"`
}

func echoValidator(t testing.TB, into *echo) *validator {
	t.Helper()
	v, err := compile(SchemaFor[echo]("echo"), func(raw []byte) error { return json.Unmarshal(raw, into) })
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestJudge(t *testing.T) {
	const good = `{"id":"RQ1","action":"search","n":3}`
	want := echo{"RQ1", "search", 3}
	cases := []struct {
		name, text string
		cut        bool
		want       echo // zero = refused
		note       string
	}{
		{"bare", good, false, want, ""},
		{"white space and byte order mark", "\ufeff\n " + good + "\n", false, want, ""},
		{"think block", "<think>maybe {\"id\":\"RQ9\",\"action\":\"read\",\"n\":1}</think>" + good, false, want, noteThink},
		{"thinking in capitals over lines", "<THINKING>\na\nb\n</THINKING>\n\n" + good, false, want, noteThink},
		{"think block without its start", "I should search.\n</think>\n" + good, false, want, noteThink},
		{"two think blocks", "<think>a</think><think>b</think>" + good, false, want, noteThink},
		{"bracketed thinking", "[THINK]a {b}[/THINK]" + good, false, want, noteThink},
		{"think block without its end", "<think>so the answer is " + good, false, want, noteNoEnd},
		{"think block after the answer", good + "<think>was that right? {}", false, want, noteNoEnd},
		{"the word inside a string", `{"id":"<think>x</think>","action":"read","n":1}`, false, echo{"<think>x</think>", "read", 1}, ""},
		{"fenced, with the word inside a string", "```json\n{\"id\":\"emits <think> tokens\",\"action\":\"read\",\"n\":1}\n```", false, echo{"emits <think> tokens", "read", 1}, noteFence},
		{"a closed block inside a string, after prose", `So: {"id":"<think>x</think>","action":"read","n":1}`, false, echo{"<think>x</think>", "read", 1}, noteProse},
		{"fence inside reasoning only", "<think>```json\n{}\n```</think>" + good, false, want, noteThink},
		{"code fence", "```json\n" + good + "\n```", false, want, noteFence},
		{"code fence with prose", "Here you are:\n```\n" + good + "\n```\nGood luck!", false, want, noteFence},
		{"leading prose", "Sure! The set {x | x > 0} aside, here is it: " + good, false, want, noteProse},
		{"trailing prose", good + "\nI hope this helps {really}.", false, want, noteProse},
		{"draft, then answer", `{"id":"draft","action":"read","n":1} or rather ` + good, false, want, noteProse},
		{"braces in strings", `ok {"id":"a } b { c \" }","action":"read","n":1}`, false, echo{`a } b { c " }`, "read", 1}, noteProse},
		{"JSON in a JSON string", `"{\"id\":\"RQ1\",\"action\":\"search\",\"n\":3}"`, false, want, noteQuoted},
		{"enum echoed with a label", `{"id":"RQ1","action":"action-search","n":3}`, false, want, `read "action-search" as "search"`},
		{"unknown properties", `{"why":"because","id":"RQ1","action":"search","n":3,"also":[1]}`, false, want, "ignored what the schema does not have: also, why"},
		{"wrapped", `{"answer":` + good + `}`, false, want, "took the answer out of a wrapper"},
		{"list of one", `[` + good + `]`, false, want, "took the answer out of a wrapper"},
		{"tool call as text", `{"name":"echo","arguments":` + good + `}`, false, want, "took the answer out of a wrapper"},
		{"integer with a point", `{"id":"RQ1","action":"search","n":3.0}`, false, want, ""},
		{"complete at the limit", good, true, want, ""},
		{"complete at the limit, then prose", good + " And now I wi", true, want, noteProse},

		{"empty", " \n", false, echo{}, "empty"},
		{"prose", "I cannot find anything.", false, echo{}, "no complete JSON"},
		{"cut", `{"id":"RQ1","action":"sea`, false, echo{}, "no complete JSON"},
		{"cut inside, an inner value fits", `{"list":[` + good + `,{"id`, true, echo{}, "no complete JSON"},
		{"missing property", `{"id":"RQ1","action":"search"}`, false, echo{}, "missing property 'n'"},
		{"wrong type", `{"id":"RQ1","action":"search","n":"three"}`, false, echo{}, "at '/n': got string, want integer"},
		{"unknown enum value", `{"id":"RQ1","action":"delete","n":3}`, false, echo{}, "at '/action'"},
		{"negated enum value", `{"id":"RQ1","action":"do not search","n":3}`, false, echo{}, "at '/action'"},
		{"fraction", `{"id":"RQ1","action":"search","n":3.5}`, false, echo{}, "/n"},
		{"too large for the type", `{"id":"RQ1","action":"search","n":1e300}`, false, echo{}, "does not fit"},
		{"null", `{"id":null,"action":"search","n":3}`, false, echo{}, "at '/id': got null, want string"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got echo
			v := echoValidator(t, &got).judge(c.text, c.cut)
			if v.ok != (c.want != echo{}) {
				t.Fatalf("ok = %v, problem %q", v.ok, v.problem)
			}
			if !v.ok {
				if !strings.Contains(v.problem, c.note) {
					t.Errorf("problem %q does not say %q", v.problem, c.note)
				}
				return
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if notes := strings.Join(v.notes, "; "); notes != c.note && !strings.HasPrefix(notes, c.note+"; ") || c.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
		})
	}
}

// A hostile answer must not cost more than a glance.
func TestJudgeHostileAnswers(t *testing.T) {
	for name, text := range map[string]string{
		"open brackets":   strings.Repeat("[", 1<<18),
		"open braces":     strings.Repeat(`{"a":`, 1<<16),
		"think tags":      strings.Repeat("<think>", 1<<17) + strings.Repeat("</think>", 1<<17),
		"open thinking":   strings.Repeat("<think>", 1<<18),
		"closed thinking": strings.Repeat("</think>", 1<<18),
		"values between":  strings.Repeat("<think>{}</think>", 1<<17),
		"tiny values":     strings.Repeat("{}", 1<<18),
	} {
		start := time.Now()
		var got echo
		if v := echoValidator(t, &got).judge(text, false); v.ok {
			t.Errorf("%s: accepted", name)
		}
		if d := time.Since(start); d > 30*time.Second {
			t.Errorf("%s: took %v", name, d)
		}
	}
}

func FuzzJudge(f *testing.F) {
	f.Add(`<think>{</think>{"id":"RQ1","action":"search","n":3}`, false)
	f.Add("```json\n{\"id\":\"\\ud800\"}\n```", true)
	f.Add(`[[{"name":"x","arguments":{}}]]`, false)
	f.Fuzz(func(t *testing.T, text string, cut bool) {
		var got echo
		v := echoValidator(t, &got).judge(text, cut)
		if v.ok && got.Action != "search" && got.Action != "read" {
			t.Errorf("accepted what the schema refuses: %+v from %q", got, text)
		}
		if v.ok == (v.problem != "") {
			t.Errorf("ok = %v with problem %q", v.ok, v.problem)
		}
	})
}
