package fetch

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestRedact(t *testing.T) {
	for _, c := range []struct {
		in, want string
		secrets  []string
	}{
		{"key sk-abc123 is wrong", "key REDACTED is wrong", []string{"sk-abc123"}},
		{"a%2Fb%3Dc%2b", "REDACTED", []string{"a/b=c+"}},
		{"a%252Fb=c%252B!", "REDACTED!", []string{"a/b=c+"}},
		{`{"k":"a\/b\u003dc\u002b"}`, `{"k":"REDACTED"}`, []string{"a/b=c+"}},
		{"p+q%20r s", "REDACTED", []string{"p q r s"}},
		{"a&amp;b&lt;c", "REDACTED", []string{"a&b<c"}},
		{`caf\u00e9-key caf%C3%A9-key café-key`, "REDACTED REDACTED REDACTED", []string{"café-key"}},
		{`x\ud83d\udd11yz`, "REDACTED", []string{"x🔑yz"}},
		{`c:\\dir c:\dir`, "REDACTED REDACTED", []string{`c:\dir`}},
		{"longer-secret and longer", "REDACTED and REDACTED", []string{"longer", "longer-secret"}},
		{"100%41bc", "REDACTED", []string{"100%41bc"}},
		{"sk-ab sk-abc12", "sk-ab sk-abc12", []string{"sk-abc123"}},
		{"none of the papers, abc", "none of the papers, abc", []string{"none", "abc", "", "  "}},
		{"GET https://h/x?api_key=zz&q=1: refused", "GET https://h/x?api_key=REDACTED&q=1: refused", nil},
		{"https://me:pw@proxy:1/", "https://REDACTED@proxy:1/", nil},
		{"Authorization: Bearer abcdefghijklmnopqrst", "Authorization: Bearer REDACTED", nil},
		{"the bearer token is missing; monkey=1", "the bearer token is missing; monkey=1", nil},
		{"100% of \\ %", "100% of \\ %", []string{"sk-abc123"}},
		{"", "", []string{"sk-abc123"}},
	} {
		if got := Redact(c.in, c.secrets...); got != c.want {
			t.Errorf("Redact(%q, %q) = %q, want %q", c.in, c.secrets, got, c.want)
		}
	}
}

var hexEscape = regexp.MustCompile("%[0-9A-F]{2}")

// forms are the ways in which a service may echo a secret.
var forms = []func(string) string{
	func(s string) string { return s },
	url.QueryEscape,
	url.PathEscape,
	func(s string) string { return hexEscape.ReplaceAllStringFunc(url.QueryEscape(s), strings.ToLower) },
	func(s string) string { return url.QueryEscape(url.QueryEscape(s)) },
	html.EscapeString,
	func(s string) string { b, _ := json.Marshal(s); return string(b[1 : len(b)-1]) },
	func(s string) string { return strings.ReplaceAll(s, "/", `\/`) },
	func(s string) string {
		var b strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
		return b.String()
	},
}

func TestRedactLaw(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		secret := rapid.StringMatching(`[!-~]{6,40}`).Draw(rt, "secret")
		if placeholders[strings.ToLower(secret)] || strings.Contains(mark, secret) {
			rt.Skip()
		}
		form := rapid.IntRange(0, len(forms)-1).Draw(rt, "form")
		shown := forms[form](secret)
		in := rapid.String().Draw(rt, "before") + shown + rapid.String().Draw(rt, "after")
		out := Redact(in, secret)
		if strings.Contains(out, secret) || shown != mark && strings.Contains(out, shown) {
			rt.Fatalf("Redact(%q, %q) = %q", in, secret, out)
		}
		if again := Redact(out, secret); again != out {
			rt.Fatalf("not idempotent: %q, then %q", out, again)
		}
	})
}

func TestRedactLeavesOthersAlone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := rapid.SliceOf(rapid.Byte()).Draw(rt, "in")
		s := newSecrets("sk-0123456789-ABCDEFG")
		if got := s.bytes(in); string(got) != string(in) {
			rt.Fatalf("%q became %q", in, got)
		}
	})
}

// visible is everything that a reader may ever see of one call.
func visible(err error, resp *Response, events []Event, kept *MemoryRecorder) string {
	var b strings.Builder
	for e := err; e != nil; e = errors.Unwrap(e) {
		fmt.Fprintf(&b, "%v\n%+v\n", e, e)
	}
	if e, ok := errors.AsType[*Error](err); ok {
		fmt.Fprintf(&b, "%s\n%v\n%s\n%s\n%v\n", e.Body, e.Header, e.Hint, e.Op, e.Err)
	}
	for _, e := range events {
		e.Time = time.Time{}
		fmt.Fprintf(&b, "%+v\n", e)
	}
	if resp != nil {
		fmt.Fprintf(&b, "%v\n%s\n", resp.Header, resp.Body)
	}
	for _, h := range kept.Hashes() {
		rec, _, _ := kept.Load(h)
		fmt.Fprintf(&b, "%s %s %v %v\n%s\n%s\n", rec.Host, rec.Path, rec.Query, rec.Header, rec.Body, rec.RequestBody)
	}
	return b.String()
}

// FuzzSecretNeverShows sends one secret in every place where a key can be, to services that echo it everywhere.
func FuzzSecretNeverShows(f *testing.F) {
	for i := range 8 {
		f.Add("sk-live/0123+456=", "before ", " after", uint8(i), uint8(i))
	}
	f.Add("a b%41&<c>", "{\"error\":\"", "\"}", uint8(2), uint8(3))
	f.Add("AAAA", "AAA", "A", uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, secret, before, after string, place, form uint8) {
		trimmed := strings.TrimSpace(secret)
		if len(trimmed) < shortestSecret || placeholders[strings.ToLower(trimmed)] || strings.Contains(mark, trimmed) {
			return
		}
		for _, r := range secret {
			if r <= ' ' || r > '~' { // keys are printable ASCII
				return
			}
		}
		echoed(t, "another-secret-0", "b", "a", place, form, func(shown string) {
			if len(trimmed) < 8 || strings.Contains(shown, trimmed) {
				t.Skip("part of the program's own words")
			}
		})
		echoed(t, secret, before, after, place, form, func(shown string) {
			basic := base64.StdEncoding.EncodeToString([]byte("user:" + trimmed))
			for _, hidden := range []string{trimmed, url.QueryEscape(trimmed), basic} {
				if strings.Contains(shown, hidden) {
					t.Fatalf("%q shows in:\n%s", hidden, shown)
				}
			}
		})
	})
}

// echoed sends a request with the secret in every place to a service that echoes it, and hands over all that shows.
func echoed(t *testing.T, secret, before, after string, place, form uint8, check func(shown string)) {
	trimmed := strings.TrimSpace(secret)
	echo := before + forms[int(form)%len(forms)](trimmed) + after
	status := []int{200, 400, 401, 404, 429, 500, 302, 0}[place%8]
	transport := roundTrip(func(r *http.Request) (*http.Response, error) {
		if status == 0 {
			return nil, &url.Error{Op: "Get", URL: r.URL.String(), Err: errors.New(echo)}
		}
		h := http.Header{"Content-Type": {"text/plain"}, "X-Echo": {echo}, "X-Api-Key": {trimmed}, "Location": {"http://other.example/" + url.QueryEscape(echo)}}
		return &http.Response{StatusCode: status, Header: h, Body: readCloser("x" + echo)}, nil
	})
	kept := &MemoryRecorder{}
	b := newBench(t, Options{Recorder: kept, Transport: transport})
	for _, cross := range []bool{false, true} {
		resp, err := b.Do(context.Background(), Request{
			Service: "svc", Op: "ask " + trimmed, Method: "POST",
			Base: "https://user:" + url.PathEscape(trimmed) + "@api.example.org", Path: "/v1/" + url.PathEscape(trimmed),
			Query:     url.Values{"api_key": {trimmed}, "other": {trimmed, "x" + trimmed}},
			Header:    http.Header{"authorization": {"Bearer " + trimmed}, "X-Api-Key": {trimmed}},
			Body:      []byte(`{"k":` + fmt.Sprintf("%q", trimmed) + `}`),
			Secrets:   []string{secret},
			CrossHost: cross,
			OK: func(status int, _ http.Header, body []byte) error {
				if status == 200 && form%2 == 0 {
					return fmt.Errorf("adapter says %s about %s", trimmed, body)
				}
				return nil
			},
		})
		check(visible(err, resp, b.events, kept))
	}
}

func BenchmarkRedactBody(b *testing.B) {
	body := []byte(strings.Repeat(`{"title":"Dowsing 100% \"rods\" \u003cand\u003e water","abstract":"no effect was found"},`, 10000))
	s := newSecrets("sk-live-0123456789abcdef", "another-secret-value")
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		s.bytes(body)
	}
}
