package fetch

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// secretParams are URL and form parameters that carry a key: left out of the request hash, of events and of
// recordings, and their values are treated as secrets. "token" is not among them: Semantic Scholar's bulk search and
// others page with it; one that is a key must stand in Request.Secrets, which removes it by value.
var secretParams = map[string]bool{
	"api_key": true, "api-key": true, "apikey": true, "key": true, "access_token": true, "auth_token": true,
}

// identityParams say who asks, not what is asked: left out like secrets, but their values are not hunted for in bodies.
var identityParams = map[string]bool{"mailto": true, "email": true, "tool": true}

// secretHeaders and the endings below name headers that carry keys or cookies, in requests and in answers.
var secretHeaders = map[string]bool{
	"Authorization": true, "Proxy-Authorization": true, "Cookie": true, "Set-Cookie": true, "Set-Cookie2": true,
	"X-Api-Key": true, "X-Goog-Api-Key": true, "Api-Key": true, "Apikey": true, "X-Els-Apikey": true,
}

var secretHeaderEndings = []string{"-token", "-apikey", "-api-key", "-secret"}

// volatileHeaders differ from answer to answer without saying anything about it. They are dropped from recordings and,
// so that a replay equals the first run, from Response.Header as well. Rate-limit headers are kept: adapters read them.
var volatileHeaders = map[string]bool{
	"Age": true, "Alt-Svc": true, "Connection": true, "Content-Encoding": true, "Content-Length": true, "Date": true,
	"Expires": true, "Keep-Alive": true, "Nel": true, "Report-To": true, "Reporting-Endpoints": true, "Request-Id": true,
	"Server": true, "Server-Timing": true, "Strict-Transport-Security": true, "Traceparent": true, "Trailer": true,
	"Transfer-Encoding": true, "Via": true, "X-Cache": true, "X-Cache-Hits": true, "X-Request-Id": true,
	"X-Runtime": true, "X-Served-By": true, "X-Timer": true, "X-Trace-Id": true, "X-Varnish": true,
}

var volatileHeaderStarts = []string{"Cf-", "X-Amz", "Openai-Processing", "X-B3-", "X-Envoy-"}

// isSecretHeader wants the canonical form of the name.
func isSecretHeader(name string) bool {
	if secretHeaders[name] {
		return true
	}
	lower := strings.ToLower(name)
	return slices.ContainsFunc(secretHeaderEndings, func(end string) bool { return strings.HasSuffix(lower, end) })
}

// isVolatileHeader wants the canonical form of the name.
func isVolatileHeader(name string) bool {
	return volatileHeaders[name] ||
		slices.ContainsFunc(volatileHeaderStarts, func(start string) bool { return strings.HasPrefix(name, start) })
}

// isSecretParam reports whether a parameter of this request carries a key. In an address from a record "key" may just as
// well name the paper.
func (r *Request) isSecretParam(name string) bool {
	name = strings.ToLower(name)
	return secretParams[name] && !(r.Untrusted && name == "key")
}

// cleanHeader is a copy without secret headers, with secrets in other values redacted and, if steady, without volatile
// headers.
func cleanHeader(h http.Header, sec *secrets, steady bool) http.Header {
	out := http.Header{}
	for _, given := range slices.Sorted(maps.Keys(h)) {
		name, values := http.CanonicalHeaderKey(given), h[given]
		if isSecretHeader(name) || steady && isVolatileHeader(name) {
			continue
		}
		for _, v := range values {
			out.Add(name, string(sec.bytes([]byte(v))))
		}
	}
	return out
}

// cleanQuery is a copy without parameters that carry a key or an identity, and without those whose value is a secret.
func (r *Request) cleanQuery(q url.Values, sec *secrets) url.Values {
	out := url.Values{}
	for _, name := range slices.Sorted(maps.Keys(q)) {
		values := q[name]
		if r.isSecretParam(name) || !r.Untrusted && identityParams[strings.ToLower(name)] {
			continue
		}
		for _, v := range values {
			if redacted := string(sec.bytes([]byte(v))); redacted != mark {
				out.Add(string(sec.bytes([]byte(name))), redacted)
			}
		}
	}
	return out
}

// collectSecrets gathers every value of a request that must stay unreadable: the named ones, those of secret headers
// (with and without their scheme word), those of key parameters in the query or in a form, and a password in the URL.
func collectSecrets(r *Request, u *url.URL) *secrets {
	values := slices.Clone(r.Secrets)
	for name, vs := range r.Header {
		if !isSecretHeader(http.CanonicalHeaderKey(name)) {
			continue
		}
		for _, v := range vs {
			values = append(values, v)
			if _, token, found := strings.Cut(v, " "); found {
				values = append(values, token)
			}
		}
	}
	queries := []url.Values{r.Query, r.form()}
	if u != nil {
		queries = append(queries, u.Query())
		if pass, ok := u.User.Password(); ok {
			values = append(values, pass, base64.StdEncoding.EncodeToString([]byte(u.User.Username()+":"+pass)))
		}
	}
	for _, q := range queries {
		for name, vs := range q {
			if r.isSecretParam(name) {
				values = append(values, vs...)
			}
		}
	}
	return newSecrets(values...)
}
