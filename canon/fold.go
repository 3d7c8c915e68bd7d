package canon

import (
	"strings"

	"optimistresearch/internal/text"
)

// Most names and titles are plain ASCII. The functions here give for such text
// what their namesakes in internal/text give, without the passes that it does
// not need; for all other text they call them.

// plain reports whether s is ASCII without control characters and without what
// starts markup, a reference, a formula or a folded quotation mark.
func plain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c >= 0x7f:
			return false
		case c == '&' || c == '<' || c == '\\' || c == '$' || c == '{' || c == '`':
			return false
		}
	}
	return true
}

// fold is text.Fold.
func fold(s string) string {
	if s == "" {
		return ""
	}
	if !plain(s) {
		return text.Fold(s)
	}
	return strings.ToLower(collapse(s))
}

// strip is text.Strip.
func strip(s string) string {
	if s == "" {
		return ""
	}
	if !plain(s) {
		return text.Strip(s)
	}
	return collapse(s)
}

// collapse leaves single spaces between words.
func collapse(s string) string {
	if s == "" || s[0] != ' ' && s[len(s)-1] != ' ' && !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// titleKey is text.TitleKey.
func titleKey(s string) string {
	if !plain(s) {
		return text.TitleKey(s)
	}
	b := make([]byte, 0, len(s))
	gap := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		case c == '\'' && i > 0 && i+1 < len(s) && letter(s[i-1]) && letter(s[i+1]):
			continue
		default:
			gap = true
			continue
		}
		if gap && len(b) > 0 {
			b = append(b, ' ')
		}
		gap = false
		b = append(b, c)
	}
	return string(b)
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// capped cuts outside text that is longer than any honest value.
func capped(s string, n int) string {
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "")
	}
	return s
}

// compact is a key without spaces.
func compact(key string) string { return strings.ReplaceAll(key, " ", "") }

// hashing is FNV-1a, 64 bits.
type hashing uint64

const (
	hashStart hashing = 14695981039346656037
	hashPrime hashing = 1099511628211
)

func (h hashing) byte(b byte) hashing { return (h ^ hashing(b)) * hashPrime }

func (h hashing) text(s string) hashing {
	for i := range len(s) {
		h = (h ^ hashing(s[i])) * hashPrime
	}
	return h
}

// word hashes one word.
func wordHash(s string) uint64 { return uint64(hashStart.text(s)) }

// compactHash hashes a key without its spaces and counts its bytes.
func compactHash(key string) (uint64, int) {
	h, n := hashStart, 0
	for i := range len(key) {
		if key[i] != ' ' {
			h, n = h.byte(key[i]), n+1
		}
	}
	return uint64(h), n
}

// number hashes eight bytes.
func (h hashing) number(n uint64) hashing {
	for range 8 {
		h = h.byte(byte(n))
		n >>= 8
	}
	return h
}
