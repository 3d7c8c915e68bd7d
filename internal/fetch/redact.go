package fetch

import (
	"bytes"
	"cmp"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mark stands where a secret was.
const mark = "REDACTED"

// shortestSecret is the length in bytes from which a value is looked for in texts and bodies. A shorter one is no key,
// and replacing it would only spoil text; it is still dropped wherever its header or parameter name gives it away.
const shortestSecret = 4

// placeholders are words that people set as "key" for servers that want none; replacing them would damage answers.
var placeholders = map[string]bool{
	"none": true, "null": true, "nil": true, "empty": true, "dummy": true, "test": true, "local": true, "true": true,
	"false": true, "ollama": true, "no-key": true, "nokey": true, "not-needed": true, "placeholder": true,
	"anonymous": true, "lm-studio": true, "redacted": true, "sk-no-key-required": true, "unused": true,
}

// Patterns of secrets that are known by their surroundings; used for short texts, never for bodies.
var (
	namedSecret    = regexp.MustCompile(`(?i)\b(api[_-]?key|key|access[_-]?token|auth[_-]?token|mailto|email)=[^&\s"'<>]+`)
	bearerSecret   = regexp.MustCompile(`(?i)\b(bearer)\s+[A-Za-z0-9._~+/=-]{16,}`)
	userinfoSecret = regexp.MustCompile(`://[^/\s@"']*@`)
)

// Redact replaces in s every one of the secrets by REDACTED: verbatim, percent-encoded (any depth, either case), JSON-
// or HTML-escaped; also values of key-like URL parameters, bearer tokens and URL user names. Secrets of fewer than 4
// bytes and placeholder words such as "none" are left alone.
func Redact(s string, secrets ...string) string {
	return newSecrets(secrets...).text(s)
}

// secrets are the values of one request that nobody may read later, longest first.
type secrets struct {
	values []string
	first  [256]bool // bytes with which an occurrence can begin
}

func newSecrets(values ...string) *secrets {
	s := &secrets{}
	for _, v := range values {
		v = strings.TrimSpace(v)
		if len(v) < shortestSecret || placeholders[strings.ToLower(v)] {
			continue
		}
		s.values = append(s.values, v)
		if escaped := html.EscapeString(v); escaped != v {
			s.values = append(s.values, escaped)
		}
	}
	slices.SortFunc(s.values, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	s.values = slices.Compact(s.values)
	for _, v := range s.values {
		s.first[v[0]] = true
		s.first['%'], s.first['\\'] = true, true
		if v[0] == ' ' {
			s.first['+'] = true
		}
	}
	return s
}

// text redacts a short text: values first, then what names give away.
func (s *secrets) text(in string) string {
	out := string(s.bytes([]byte(in)))
	out = namedSecret.ReplaceAllString(out, "${1}="+mark)
	out = bearerSecret.ReplaceAllString(out, "${1} "+mark)
	return userinfoSecret.ReplaceAllString(out, "://"+mark+"@")
}

// bytes redacts a body: values only. It returns in itself when nothing was found.
func (s *secrets) bytes(in []byte) []byte {
	if len(s.values) == 0 {
		return in
	}
	for range 4 { // a replacement may, with its neighbours, form another secret
		out := s.pass(in)
		if bytes.Equal(out, in) {
			break
		}
		in = out
	}
	return in
}

func (s *secrets) pass(in []byte) []byte {
	var out []byte
	kept := 0
	for i := 0; i < len(in); {
		n := 0
		if s.first[in[i]] {
			for _, v := range s.values {
				if n = matchLen(in[i:], v); n > 0 {
					break
				}
			}
		}
		if n == 0 {
			i++
			continue
		}
		out = append(append(out, in[kept:i]...), mark...)
		i += n
		kept = i
	}
	if kept == 0 {
		return in
	}
	return append(out, in[kept:]...)
}

// deepestPercent is how many times over a secret may be percent-encoded (an address inside an address inside …).
const deepestPercent = 3

// matchLen is the number of bytes of in that spell secret from the start: verbatim, or with JSON escapes, or with any of
// its characters percent-encoded once, twice or three times; 0 if in does not start with it. Of several readings the
// longest counts, so that "a%" takes the whole of its encoded form "a%25".
func matchLen(in []byte, secret string) int {
	longest := 0
	if len(in) >= len(secret) && string(in[:len(secret)]) == secret {
		longest = len(secret)
	}
	for depth := range deepestPercent + 1 {
		longest = max(longest, matchEncoded(in, secret, depth))
	}
	return longest
}

// matchEncoded is matchLen for one depth of percent-encoding; 0 means that % stands for itself.
func matchEncoded(in []byte, secret string, depth int) int {
	j := 0
	for k := 0; k < len(secret); {
		if j >= len(in) {
			return 0
		}
		taken, spelled := 0, 1
		switch c := in[j]; {
		case c == '\\':
			taken, spelled = escaped(in[j:], secret[k:])
		case c == '%' && depth > 0:
			if taken = percent(in[j:], secret[k], depth); taken == 0 {
				return 0
			}
		case c == '+' && secret[k] == ' ':
			taken = 1
		}
		if taken == 0 && in[j] == secret[k] {
			taken, spelled = 1, 1
		}
		if taken == 0 {
			return 0
		}
		j += taken
		k += spelled
	}
	return j
}

// escaped matches a JSON escape at the start of in with the start of secret: bytes taken of in, bytes spelled of secret.
func escaped(in []byte, secret string) (taken, spelled int) {
	if len(in) < 2 {
		return 0, 0
	}
	if in[1] == secret[0] && strings.IndexByte(`"\/`, in[1]) >= 0 {
		return 2, 1
	}
	want, size := utf8.DecodeRuneInString(secret)
	r, n := unicodeEscape(in)
	if n > 0 && utf16.IsSurrogate(r) {
		if low, m := unicodeEscape(in[n:]); m > 0 {
			r, n = utf16.DecodeRune(r, low), n+m
		}
	}
	if n > 0 && r == want {
		return n, size
	}
	return 0, 0
}

// unicodeEscape decodes \uXXXX at the start of in.
func unicodeEscape(in []byte) (r rune, n int) {
	if len(in) < 6 || in[0] != '\\' || in[1] != 'u' {
		return 0, 0
	}
	v, err := strconv.ParseUint(string(in[2:6]), 16, 16)
	if err != nil {
		return 0, 0
	}
	return rune(v), 6
}

// percent returns the bytes taken by want, percent-encoded depth times (%XX, %25XX, %2525XX), at the start of in, else 0.
func percent(in []byte, want byte, depth int) int {
	n := 1 + 2*depth
	if len(in) < n {
		return 0
	}
	for p := 1; p < n-2; p += 2 {
		if in[p] != '2' || in[p+1] != '5' {
			return 0
		}
	}
	if v, err := strconv.ParseUint(string(in[n-2:n]), 16, 8); err != nil || byte(v) != want {
		return 0
	}
	return n
}
