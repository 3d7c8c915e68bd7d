package fetch

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
)

// messageLength caps the runes of a service's own words inside an error sentence.
const messageLength = 200

var htmlTitle = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// message is what an error body says, as one short harmless line: the message field of the usual JSON shapes, the title
// of an HTML page, else the beginning of the text. It is empty when the body is.
func message(body []byte) string {
	text := strings.TrimSpace(string(body))
	if text == "" {
		return ""
	}
	if msg := jsonMessage([]byte(text)); msg != "" {
		return oneLine(msg)
	}
	if lower := strings.ToLower(text[:min(len(text), 256)]); strings.Contains(lower, "<html") || strings.Contains(lower, "<!doctype html") {
		if m := htmlTitle.FindStringSubmatch(text); m != nil && strings.TrimSpace(m[1]) != "" {
			return "an HTML page titled " + oneLine(m[1])
		}
		return "an HTML page"
	}
	return oneLine(text)
}

// jsonMessage looks into the shapes that the services really use: {"error":"…"}, {"error":{"message":"…"}},
// {"message":"…"}, {"message":[{"message":"…"}]}, {"detail":"…"}.
func jsonMessage(body []byte) string {
	var top map[string]any
	if json.Unmarshal(body, &top) != nil {
		return ""
	}
	var find func(v any, depth int) string
	find = func(v any, depth int) string {
		if depth > 3 {
			return ""
		}
		switch v := v.(type) {
		case string:
			return v
		case []any:
			if len(v) > 0 {
				return find(v[0], depth+1)
			}
		case map[string]any:
			for _, name := range []string{"message", "error", "detail"} {
				if s := find(v[name], depth+1); s != "" {
					return s
				}
			}
		}
		return ""
	}
	return find(top, 0)
}

// oneLine turns control, invisible and direction-changing characters into spaces, folds spaces and caps the length.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > messageLength {
		s = string(runes[:messageLength]) + "…"
	}
	return s
}
