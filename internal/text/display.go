package text

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// Truncate gives s if it has at most n characters, else its beginning and "…",
// together at most n characters. It cuts between grapheme clusters, at the last
// space if one is near. n < 1 gives "".
func Truncate(s string, n int) string {
	if n < 1 {
		return ""
	}
	if len(s) <= n {
		return s
	}
	count, end, state := 0, 0, -1
	for rest := s; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		count += len([]rune(cluster))
		if count > n {
			break
		}
		if count <= n-1 {
			end += len(cluster)
		}
	}
	if count <= n {
		return s
	}
	cut := s[:end]
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)*4/5 {
		cut = cut[:i]
	}
	return strings.TrimRightFunc(cut, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }) + "…"
}

// OneLine makes outside text safe to print on one line of a terminal or a log:
// white space collapsed, control characters and invisible direction marks
// removed, invalid bytes replaced.
func OneLine(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	return foldSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069,
			r == 0x200B, r == 0x200E, r == 0x200F, r == 0xFEFF:
			return -1
		}
		return r
	}, s))
}
