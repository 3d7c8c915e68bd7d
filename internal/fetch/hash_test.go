package fetch

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func hashOf(t testing.TB, r Request) string {
	t.Helper()
	b := newBench(t, Options{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: readCloser("x")}, nil
	}), AllowPrivate: true})
	resp, err := b.Do(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return resp.Request
}

func TestHashGolden(t *testing.T) {
	// Recordings on disk are found by this: a change makes every old run unreplayable, and needs a new format version.
	r := search("https://api.openalex.org")
	r.Method, r.Body = "POST", []byte("né")
	r.Query.Add("filter", "a:b")
	want := sha256Hex([]byte("1:1\n8:openalex\n4:POST\n0:\n6:/works\n32:filter=a%3Ab&search=dowsing+rods\n0:\n3:né\n"))
	if got := hashOf(t, r); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

func TestHashIgnores(t *testing.T) {
	base := hashOf(t, search("https://api.openalex.org"))
	form := func(body string) Request {
		return Request{Service: "pubmed", Method: "POST", Base: "http://h", Path: "/efetch", Body: []byte(body),
			Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded; charset=utf-8"}}}
	}
	for name, change := range map[string]func(*Request){
		"host and port":    func(r *Request) { r.Base = "http://127.0.0.1:34567" },
		"prefix of base":   func(r *Request) { r.Base = "http://127.0.0.1:34567/openalex/" },
		"method spelled":   func(r *Request) { r.Method = "get" },
		"api_key":          func(r *Request) { r.Query.Set("api_key", "abcdefgh") },
		"API-KEY":          func(r *Request) { r.Query.Set("API-KEY", "abcdefgh") },
		"key":              func(r *Request) { r.Query.Set("key", "abcdefgh") },
		"mailto":           func(r *Request) { r.Query.Set("mailto", "a@b.c") },
		"email and tool":   func(r *Request) { r.Query.Set("email", "a@b.c"); r.Query.Set("tool", "t") },
		"token as secret":  func(r *Request) { r.Query.Set("token", "s3cr3t-value"); r.Secrets = []string{"s3cr3t-value"} },
		"header":           func(r *Request) { r.Header = http.Header{"X-Api-Key": {"abcdefgh"}, "User-Agent": {"x"}} },
		"words, time, cap": func(r *Request) { r.Op, r.MaxBytes, r.Timeout = "other", 99, 99e9 },
	} {
		r := search("https://api.openalex.org")
		change(&r)
		if got := hashOf(t, r); got != base {
			t.Errorf("%s changes the hash", name)
		}
	}
	if hashOf(t, form("db=pubmed&id=1&api_key=abcdefgh&email=a%40b.c")) != hashOf(t, form("id=1&db=pubmed")) {
		t.Error("key and order inside a form change the hash")
	}
	key := func(k string) Request {
		return Request{Service: "x", Method: "POST", Base: "http://h", Path: "/v1/" + k + "/q", Body: []byte(`{"key":"` + k + `"}`), Secrets: []string{k}}
	}
	if hashOf(t, key("first-key-1")) != hashOf(t, key("other-key-22")) {
		t.Error("a key in path or body changes the hash")
	}
}

func TestHashTellsApart(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(*Request){
		"same":           func(*Request) {},
		"service":        func(r *Request) { r.Service = "crossref" },
		"method":         func(r *Request) { r.Method = "POST" },
		"path":           func(r *Request) { r.Path = "/authors" },
		"query":          func(r *Request) { r.Query.Set("page", "2") },
		"paging token":   func(r *Request) { r.Query.Set("token", "NEXT") }, // Semantic Scholar bulk search
		"cursor":         func(r *Request) { r.Query.Set("cursor", "abc==") },
		"body":           func(r *Request) { r.Body = []byte("x") },
		"accept":         func(r *Request) { r.Header = http.Header{"Accept": {"application/x-bibtex"}} },
		"host from data": func(r *Request) { r.CrossHost = true },
		"other host":     func(r *Request) { r.Base = "https://other.org"; r.Untrusted = true },
		"other port":     func(r *Request) { r.Base = "https://other.org:444"; r.Untrusted = true },
	} {
		r := search("https://api.openalex.org")
		change(&r)
		h := hashOf(t, r)
		if other, taken := seen[h]; taken {
			t.Errorf("%s and %s share a hash", name, other)
		}
		seen[h] = name
	}
	a, b := identity{Service: "ab", Method: "c"}, identity{Service: "a", Method: "bc"}
	if a.hash() == b.hash() {
		t.Error("parts run into each other")
	}
}

func TestHashOfAddressesFromRecords(t *testing.T) {
	at := func(base string) Request {
		return Request{Service: "fulltext", Base: base, CrossHost: true, Untrusted: true}
	}
	if hashOf(t, at("https://a.org/download?key=1&x=2")) == hashOf(t, at("https://a.org/download?key=2&x=2")) {
		t.Error("two papers behind one path share a hash")
	}
	if hashOf(t, at("http://127.0.0.1:1000/1.pdf")) != hashOf(t, at("http://localhost:2000/1.pdf")) {
		t.Error("the port of this machine changes the hash")
	}
	split := at("https://a.org")
	split.Path, split.Query = "/download", url.Values{"key": {"1"}, "x": {"2"}}
	if hashOf(t, split) != hashOf(t, at("https://a.org/download?x=2&key=1")) {
		t.Error("one address, given whole or in parts, has two hashes")
	}
}

func TestHashIsIndependentOfKeyAndPort(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		key := func(label string) string { return rapid.StringMatching(`[A-Za-z0-9_\-/+%=]{8,40}`).Draw(rt, label) }
		value := rapid.String().Draw(rt, "value")
		ask := func(k string, port string) identity {
			r := &Request{Service: "s", Base: "http://127.0.0.1:" + port, Path: "/p",
				Query:   url.Values{"q": {value}, "api_key": {k}},
				Header:  http.Header{"Authorization": {"Bearer " + k}},
				Body:    []byte(value + " " + url.QueryEscape(k)),
				Secrets: []string{k}}
			u, err := r.url()
			if err != nil {
				rt.Fatal(err)
			}
			return identify(r, u, collectSecrets(r, u))
		}
		a, b := key("a"), key("b")
		for _, k := range []string{a, b} {
			if placeholders[strings.ToLower(k)] || strings.Contains(value, k) {
				rt.Skip()
			}
		}
		if x, y := ask(a, "1000"), ask(b, "2000"); x.hash() != y.hash() {
			rt.Fatalf("%q and %q give different hashes: %+v %+v", a, b, x, y)
		}
	})
}

func TestURL(t *testing.T) {
	for _, c := range []struct {
		base, path string
		query      url.Values
		want, err  string
	}{
		{"https://api.crossref.org", "/works/10.1002%2F(SICI)1097%3C1%3A%3AAID%3E3.0.CO%3B2-%23", nil, "https://api.crossref.org/works/10.1002%2F(SICI)1097%3C1%3A%3AAID%3E3.0.CO%3B2-%23", ""},
		{"http://127.0.0.1:8080/openalex/", "/works", url.Values{"b": {"2"}, "a": {"1 2"}}, "http://127.0.0.1:8080/openalex/works?a=1+2&b=2", ""},
		{"https://h/a?x=%2F&y=1#frag", "", nil, "https://h/a?x=%2F&y=1", ""},
		{"https://h/a?x=1", "", url.Values{"k": {"2"}}, "https://h/a?x=1&k=2", ""},
		{"https://h", "", nil, "https://h", ""},
		{"", "/x", nil, "", "base URL"},
		{"h:80", "/x", nil, "", "base URL"},
		{"ftp://h", "/x", nil, "", "base URL"},
		{"http://", "/x", nil, "", "base URL"},
		{"http://h\x7f", "/x", nil, "", "base URL"},
		{"http://h", "/10.1002/a?b#c", nil, "", "unescaped"},
		{"http://h", "works", nil, "", "begin with /"},
		{"http://h", "/%zz", nil, "", "percent"},
	} {
		r := Request{Base: c.base, Path: c.path, Query: c.query}
		u, err := r.url()
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q %q: %v, want %q", c.base, c.path, err, c.err)
			}
			continue
		}
		if err != nil || u.String() != c.want {
			t.Errorf("%q %q = %v, %v, want %s", c.base, c.path, u, err, c.want)
		}
	}
}
