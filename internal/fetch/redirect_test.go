package fetch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// net/http keeps X-Api-Key on a redirect to another host and shows it the old address as Referer.
func TestKeyStaysBehindOnRedirects(t *testing.T) {
	const key = "sk-live-0123456789"
	var target string
	other := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/again" { // one more hop on the foreign host: the key must not come back
			http.Redirect(w, r, "/paper.pdf", http.StatusFound)
			return
		}
		fmt.Fprint(w, "%PDF-")
	})
	home := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target, http.StatusFound) })

	send := func(cross bool, to string) (*Response, error) {
		target = other.URL + to
		return newBench(t, Options{AllowPrivate: true}).Do(t.Context(), Request{
			Service: "openalex", Op: "copy of doc_0012", Base: home.URL, Path: "/content/W1",
			Query:     url.Values{"api_key": {key}},
			Header:    http.Header{"X-Api-Key": {key}, "Authorization": {"Bearer " + key}, "x-goog-api-key": {key}, "X-Custom": {"k=" + key}},
			Secrets:   []string{key},
			CrossHost: cross,
		})
	}

	_, err := send(false, "/again")
	if e := asError(t, err, Broken); other.count() != 0 || home.count() != 1 || !strings.Contains(e.Hint, "base URL") || !strings.Contains(e.Error(), "127.0.0.1") {
		t.Fatalf("refusal: %d requests at the other host, %v", other.count(), e)
	}

	if _, err := send(true, "/again"); err != nil {
		t.Fatal(err)
	}
	if other.count() != 2 {
		t.Fatalf("%d requests at the other host", other.count())
	}
	for i := range other.count() {
		r := other.request(i)
		if dump := fmt.Sprint(r.Header, r.URL); strings.Contains(dump, key) {
			t.Errorf("hop %d carries the key: %s", i, dump)
		}
		if r.Header.Get("Referer") != "" {
			t.Errorf("hop %d tells where we came from: %s", i, r.Header.Get("Referer"))
		}
		if r.Header.Get("User-Agent") == "" {
			t.Errorf("hop %d lost the identity", i)
		}
	}

	before := other.count()
	_, err = send(true, "/p?k="+url.QueryEscape(key))
	asError(t, err, Broken)
	if other.count() != before {
		t.Error("followed an address that carries the key to another host")
	}
}

func TestKeyDoesNotReturnAfterALeap(t *testing.T) {
	const key = "sk-live-0123456789"
	var home *counted
	other := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, home.URL+"/end", http.StatusFound)
	})
	home = serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 1 {
			http.Redirect(w, r, other.URL, http.StatusFound)
			return
		}
		fmt.Fprint(w, "end")
	})
	_, err := newBench(t, Options{AllowPrivate: true}).Do(t.Context(), Request{
		Service: "x", Base: home.URL, CrossHost: true, Header: http.Header{"X-Api-Key": {key}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := home.request(1).Header.Get("X-Api-Key"); got != "" {
		t.Errorf("the foreign host chose where the key went: %q", got)
	}
}

func TestRedirectsOnTheSameHost(t *testing.T) {
	// OpenAlex answers 301 for a merged id.
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/works" {
			http.Redirect(w, r, "/works/W2", http.StatusMovedPermanently)
			return
		}
		if r.Header.Get("X-Api-Key") != "k-12345678" {
			t.Error("the key is needed on the same host")
		}
		fmt.Fprint(w, "merged")
	})
	r := search(s.URL)
	r.Header = http.Header{"X-Api-Key": {"k-12345678"}}
	resp, err := newBench(t, Options{}).Do(t.Context(), r)
	if err != nil || string(resp.Body) != "merged" || resp.Attempts != 1 {
		t.Errorf("%+v, %v", resp, err)
	}

	r.Method, r.Body = "POST", []byte("{}")
	_, err = newBench(t, Options{}).Do(t.Context(), r)
	if e := asError(t, err, Broken); e.Attempts != 1 {
		t.Errorf("a POST that would become a GET: %v", e)
	}
}

func TestRedirectWithBodyToAnotherHostIsRefused(t *testing.T) {
	other := serve(t, answers("x", 200))
	home := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	_, err := newBench(t, Options{AllowPrivate: true}).Do(t.Context(), Request{
		Service: "x", Base: home.URL, CrossHost: true, Method: "POST", Body: []byte("prompt")})
	asError(t, err, Broken)
	if other.count() != 0 {
		t.Error("the body went to another host")
	}
}

func TestRedirectLoopEnds(t *testing.T) {
	s := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, fmt.Sprintf("/%d", n), http.StatusFound)
	})
	_, err := newBench(t, Options{}).Do(t.Context(), search(s.URL))
	e := asError(t, err, Broken)
	if s.count() != maxRedirects || e.Attempts != 1 {
		t.Errorf("%d requests, %d attempts", s.count(), e.Attempts)
	}
}

func TestRedirectToNonsense(t *testing.T) {
	for _, to := range []string{"http://[::1", "ftp://h/x", "file:///etc/passwd", "javascript:1", "//"} {
		s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", to)
			w.WriteHeader(302)
		})
		_, err := newBench(t, Options{MaxRetries: -1, AllowPrivate: true}).Do(t.Context(), Request{Service: "x", Base: s.URL, CrossHost: true})
		if KindOf(err) == "" {
			t.Errorf("%q was followed", to)
		}
	}
}

func TestSameHost(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"https://api.openalex.org/works", "https://API.OpenAlex.org:443/x", true},
		{"http://export.arxiv.org/api", "https://export.arxiv.org/api", true},
		{"https://export.arxiv.org/api", "http://export.arxiv.org/api", false},
		{"http://127.0.0.1:8000", "http://127.0.0.1:8001", false},
		{"https://arxiv.org", "https://export.arxiv.org", false},
		{"http://h:8080", "https://h:8443", false},
	} {
		a, _ := url.Parse(c.a)
		b, _ := url.Parse(c.b)
		if got := sameHost(a, b); got != c.want {
			t.Errorf("sameHost(%s, %s) = %v", c.a, c.b, got)
		}
	}
}

func TestUntrustedTLSCertificateIsDownAtOnce(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {}))
	s.Config.ErrorLog = quietLog()
	s.StartTLS()
	defer s.Close()
	_, err := newBench(t, Options{}).Do(t.Context(), search(s.URL))
	if e := asError(t, err, Down); e.Attempts != 1 || !strings.Contains(e.Error(), "certificate") || strings.Contains(e.Error(), "127.0.0.1") {
		t.Errorf("%v", e)
	}
	plain := serve(t, answers("x", 200))
	_, err = newBench(t, Options{}).Do(t.Context(), search(strings.Replace(plain.URL, "http:", "https:", 1)))
	if e := asError(t, err, Down); e.Attempts != 1 || !strings.Contains(e.Error(), "http://") {
		t.Errorf("%v", e)
	}
}
