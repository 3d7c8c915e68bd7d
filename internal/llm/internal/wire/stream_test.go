package wire

import (
	"fmt"
	"testing"
)

func TestEvents(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want string
		done bool
	}{
		"none":              {"{\"a\":1}", "[]", false},
		"named, with ping":  {"event: x\ndata: {\"a\":1}\n\n: keep alive\n\nevent: ping\ndata: {}\n\n", `[{"a":1} {}]`, false},
		"end mark":          {"data: 1\n\ndata: [DONE]\n\n", "[1]", true},
		"Windows lines":     {"data: 1\r\n\r\ndata:2\r\n", "[1 2]", false},
		"over two lines":    {"data: {\ndata: }\n\n", "[{\n}]", false},
		"without last line": {"data: 1", "[1]", false},
	} {
		data, done := Events([]byte(c.body))
		if got := fmt.Sprintf("%s", data); got != c.want || done != c.done {
			t.Errorf("%s: %q, %v; want %q, %v", name, got, done, c.want, c.done)
		}
	}
}
