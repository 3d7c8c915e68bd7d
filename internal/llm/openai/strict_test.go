package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/internal/wire"
)

func TestStrictSchema(t *testing.T) {
	cases := []struct {
		name, in, out string
		strict        bool
	}{
		{"closed object", `{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer","minimum":0}},"required":["b","a"],"additionalProperties":false}`,
			`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer","minimum":0}},"required":["b","a"],"additionalProperties":false}`, true},
		{"loose keywords dropped, a property of that name kept",
			`{"$schema":"x","type":"object","properties":{"maxLength":{"type":"string","maxLength":5,"default":"x"},"tags":{"type":"array","uniqueItems":true,"maxItems":3,"items":{"type":"string","minLength":1}}},"required":["maxLength","tags"],"additionalProperties":false}`,
			`{"type":"object","properties":{"maxLength":{"type":"string"},"tags":{"type":"array","maxItems":3,"items":{"type":"string"}}},"required":["maxLength","tags"],"additionalProperties":false}`, true},
		{"nullable", `{"type":"object","properties":{"y":{"anyOf":[{"type":"integer","default":1},{"type":"null"}]}},"required":["y"],"additionalProperties":false}`,
			`{"type":"object","properties":{"y":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"required":["y"],"additionalProperties":false}`, true},
		{"optional property", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, false},
		{"open object", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, false},
		{"map inside", `{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string"}}},"required":["m"],"additionalProperties":false}`,
			`{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string"}}},"required":["m"],"additionalProperties":false}`, false},
		{"alternatives", `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, false},
		{"anything", `{"type":"object","properties":{"x":true},"required":["x"],"additionalProperties":false}`,
			`{"type":"object","properties":{"x":true},"required":["x"],"additionalProperties":false}`, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out, strict, err := strictSchema([]byte(c.in))
			if err != nil || string(out) != c.out || strict != c.strict {
				t.Errorf("got %v, %v\n%s\nwant %v\n%s", strict, err, out, c.strict, c.out)
			}
		})
	}
	for _, bad := range []string{"", "  ", "{", `{"properties":{"a":{}`, `{"anyOf":3}`, `{"required":"a"}`} {
		if _, _, err := strictSchema([]byte(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestGeneratedSchemasAreStrict(t *testing.T) {
	type item struct {
		ID     string   `json:"id"`
		Note   string   `json:"note,omitempty" jsonschema:"maxLength=200"`
		Year   *int     `json:"year" jsonschema:"nullable"`
		Stance string   `json:"stance" jsonschema:"enum=for,enum=against"`
		Tags   []string `json:"tags" jsonschema:"maxItems=3"`
	}
	s := llm.SchemaFor[struct {
		Items []item `json:"items"`
	}]("x")
	out, strict, err := strictSchema(s.JSON)
	if err != nil || !strict {
		t.Errorf("strict = %v, %v: %s", strict, err, out)
	}
	if strings.Contains(string(out), "maxLength") || !strings.Contains(string(out), `"maxItems":3`) {
		t.Errorf("keywords: %s", out)
	}
}

func FuzzStrictSchema(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"anyOf":[{"type":"null"}]}},"required":["a"],"additionalProperties":false}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		out, _, err := strictSchema(raw)
		if err != nil {
			return
		}
		again, _, err := strictSchema(out)
		if err != nil || json.Valid(raw) && !json.Valid(out) {
			t.Fatalf("%q became %q (%v)", raw, out, err)
		}
		if string(again) != string(out) {
			t.Errorf("a second pass changed %q to %q", out, again)
		}
	})
}

func TestWireName(t *testing.T) {
	for in, want := range map[string]string{
		"screen": "screen", "plan/edit v2": "plan_edit_v2", "": "answer", "検索": "answer",
		strings.Repeat("a", 90): strings.Repeat("a", 64),
	} {
		if got := wire.ToolName(in); got != want {
			t.Errorf("wire.ToolName(%q) = %q, want %q", in, got, want)
		}
	}
}
