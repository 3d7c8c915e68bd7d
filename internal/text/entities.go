package text

import (
	"html"
	"strings"
)

// longestEntity bounds the look-ahead for a semicolon; the longest name in HTML
// is CounterClockwiseContourIntegral.
const longestEntity = 33

const referenceChars = "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// decodeEntities replaces character references that end in a semicolon. A
// reference that was escaped again, as Crossref and RIS exports do
// ("&amp;amp;lt;"), is followed to its end in the same pass. With mapped, pos
// gives for each byte of out the offset of the reference it came from.
func decodeEntities(s string, mapped bool) (out string, pos []int) {
	if strings.IndexByte(s, '&') < 0 {
		return s, nil
	}
	var b strings.Builder
	b.Grow(len(s))
	if mapped {
		pos = make([]int, 0, len(s))
	}
	for i := 0; i < len(s); {
		from, to, n := i, s[i:i+1], 1
		if s[i] == '&' {
			to, n = reference(s[i:])
		}
		b.WriteString(to)
		if mapped {
			for range len(to) {
				pos = append(pos, from)
			}
		}
		i += n
	}
	return b.String(), pos
}

// reference decodes the reference at the start of s, which begins with '&', and
// says how many bytes it takes.
func reference(s string) (string, int) {
	n := 1
	for {
		rest := s[n:]
		switch {
		case hasFoldPrefix(rest, "amp;"):
			n += len("amp;")
		case hasFoldPrefix(rest, "#38;"):
			n += len("#38;")
		case hasFoldPrefix(rest, "#x26;"):
			n += len("#x26;")
		default:
			end := strings.IndexByte(rest[:min(len(rest), longestEntity)], ';')
			if end <= 0 || strings.Trim(rest[:end], referenceChars) != "" {
				return "&", n
			}
			name := "&" + rest[:end+1]
			if got := html.UnescapeString(name); got != name && !strings.HasSuffix(got, ";") {
				return got, n + end + 1
			}
			return "&", n
		}
	}
}

func hasFoldPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
