package fetch

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func zipped(t testing.TB, plain []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if _, err := z.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// go-retryablehttp by itself returns before the body is read, so a cut body is never retried there.
func TestBodyCutShortIsRetried(t *testing.T) {
	packed := zipped(t, bytes.Repeat([]byte("abstract "), 5000))
	for name, cut := range map[string]func(http.ResponseWriter){
		"length": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"results":[`)
		},
		"chunked": func(w http.ResponseWriter) {
			fmt.Fprint(w, `{"results":[`)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		},
		"reset": func(w http.ResponseWriter) {
			fmt.Fprint(w, `{"results":[`)
			w.(http.Flusher).Flush()
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_ = conn.(*net.TCPConn).SetLinger(0)
			conn.Close()
		},
		"gzip": func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed[:len(packed)/2])
		},
		"gzip checksum": func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			damaged := bytes.Clone(packed)
			damaged[len(damaged)-6] ^= 0xff
			_, _ = w.Write(damaged)
		},
		"no gzip at all": func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, "plain text, not zipped")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) {
				if n < 3 {
					cut(w)
					return
				}
				fmt.Fprint(w, "whole")
			})
			resp, err := newBench(t, Options{}).Do(t.Context(), search(s.URL))
			if err != nil {
				t.Fatal(err)
			}
			if string(resp.Body) != "whole" || resp.Attempts != 3 {
				t.Errorf("%q after %d attempts", resp.Body, resp.Attempts)
			}

			s = serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) { cut(w) })
			kept := &MemoryRecorder{}
			resp, err = newBench(t, Options{Recorder: kept, MaxRetries: 1}).Do(t.Context(), search(s.URL))
			if e := asError(t, err, Broken); e.Attempts != 2 || e.Status != 200 {
				t.Errorf("%+v", e)
			}
			if resp != nil || len(kept.Hashes()) != 0 {
				t.Errorf("half an answer was handed on (%v) or recorded (%v)", resp, kept.Hashes())
			}
		})
	}
}

func TestConnectionClosedWithoutAnswer(t *testing.T) {
	s := serve(t, func(int, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, err := newBench(t, Options{MaxRetries: 1}).Do(t.Context(), search(s.URL))
	if e := asError(t, err, Down); e.Attempts != 2 || strings.Contains(e.Error(), s.URL) {
		t.Errorf("%v", e)
	}
}

func TestEmptySuccessIsBroken(t *testing.T) {
	for _, body := range []string{"", " \n"} {
		s := serve(t, answers(body, 200))
		_, err := newBench(t, Options{}).Do(t.Context(), search(s.URL))
		if e := asError(t, err, Broken); e.Attempts != 5 {
			t.Errorf("%d attempts, want 5", e.Attempts)
		}
	}
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) { // empty and said to be zipped
		w.Header().Set("Content-Encoding", "gzip")
	})
	_, err := newBench(t, Options{}).Do(t.Context(), search(s.URL))
	asError(t, err, Broken)
}

func TestEmptyIsFineWhereNothingIsExpected(t *testing.T) {
	s := serve(t, answers("", 204))
	if _, err := newBench(t, Options{}).Do(t.Context(), search(s.URL)); err != nil {
		t.Errorf("204: %v", err)
	}
	s = serve(t, answers("", 200))
	r := search(s.URL)
	r.Method = "HEAD"
	if _, err := newBench(t, Options{}).Do(t.Context(), r); err != nil {
		t.Errorf("HEAD: %v", err)
	}
	s = serve(t, answers("", 404)) // Europe PMC answers so for a text that is not open
	_, err := newBench(t, Options{}).Do(t.Context(), search(s.URL))
	asError(t, err, NotFound)
}

func TestOversizeIsFinal(t *testing.T) {
	big := bytes.Repeat([]byte("x"), 5000)
	for name, h := range map[string]http.HandlerFunc{
		"announced": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5000")
			_, _ = w.Write(big)
		},
		"not announced": func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			_, _ = w.Write(big)
		},
		"gzip bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(zipped(t, make([]byte, 20<<20))) // 20 kB on the wire
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) { h(w, r) })
			b := newBench(t, Options{MaxBytes: 4096})
			_, err := b.Do(t.Context(), search(s.URL))
			e := asError(t, err, Broken)
			if s.count() != 1 || !strings.Contains(e.Error(), "4 KiB; raise max_response_mb") || len(e.Body) > errorBodyKept {
				t.Errorf("%d requests, %d bytes kept, %v", s.count(), len(e.Body), e)
			}
			r := search(s.URL)
			r.MaxBytes = 32 << 20
			if _, err := b.Do(t.Context(), r); err != nil {
				t.Errorf("the cap of the request does not replace that of the client: %v", err)
			}
		})
	}
}

func TestExactlyAtTheCap(t *testing.T) {
	s := serve(t, answers(strings.Repeat("x", 100), 200))
	resp, err := newBench(t, Options{MaxBytes: 100}).Do(t.Context(), search(s.URL))
	if err != nil || len(resp.Body) != 100 {
		t.Errorf("a body of exactly the cap: %v", err)
	}
}

func TestGzipIsUndone(t *testing.T) {
	s := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			t.Errorf("Accept-Encoding %q", r.Header.Get("Accept-Encoding"))
		}
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(zipped(t, []byte("plain")))
	})
	r := search(s.URL)
	r.Header = http.Header{"Accept-Encoding": {"br"}} // the caller cannot ask for what this room does not read
	resp, err := newBench(t, Options{}).Do(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if string(resp.Body) != "plain" || resp.Header.Get("Content-Encoding") != "" || resp.Raw != sha256Hex([]byte("plain")) {
		t.Errorf("%+v", resp)
	}
}

func TestUnknownEncodingIsFinal(t *testing.T) {
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		fmt.Fprint(w, "??")
	})
	_, err := newBench(t, Options{}).Do(t.Context(), search(s.URL))
	asError(t, err, Broken)
	if s.count() != 1 {
		t.Errorf("%d requests", s.count())
	}
}

func TestContentTypes(t *testing.T) {
	for _, c := range []struct {
		got  string
		want []string
		ok   bool
	}{
		{"application/json", []string{"application/json"}, true},
		{"Application/JSON; charset=utf-8", []string{"application/json"}, true},
		{"application/vnd.crossref+json", []string{"+json"}, true},
		{"text/xml", []string{"application/xml", "text/*"}, true},
		{"text/html; charset=utf-8", []string{"application/json"}, false},
		{"text/html; =broken", []string{"application/json"}, false},
		{"text/html", nil, true},
		{"", []string{"application/json"}, true},
	} {
		got := &http.Response{StatusCode: 200, Header: http.Header{}, Body: nil}
		if c.got != "" {
			got.Header.Set("Content-Type", c.got)
		}
		b := newBench(t, Options{MaxRetries: -1, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			got.Body = readCloser("<html>")
			return got, nil
		})})
		r := search("https://api.example.org")
		r.Types = c.want
		_, err := b.Do(t.Context(), r)
		if (err == nil) != c.ok {
			t.Errorf("%q for %q: %v", c.got, c.want, err)
		}
		if !c.ok {
			if e := asError(t, err, Broken); !strings.Contains(e.Error(), "text/html") || !strings.Contains(e.Error(), "application/json") {
				t.Errorf("the message names neither form: %v", e)
			}
		}
	}
}

// Crossref answers 429 and 504 with HTML pages.
func TestHTMLErrorBodyIsTold(t *testing.T) {
	page := "<!DOCTYPE html><html><head><title>504 Gateway\nTime-out</title></head><body>" + strings.Repeat("<p>x</p>", 2000) + "</body></html>"
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(504)
		fmt.Fprint(w, page)
	})
	r := search(s.URL)
	r.Types = []string{"application/json"} // says nothing about errors
	_, err := newBench(t, Options{}).Do(t.Context(), r)
	e := asError(t, err, Down)
	if !strings.Contains(e.Error(), "504 Gateway Time-out") || strings.Contains(e.Error(), "<p>") {
		t.Errorf("message: %v", e)
	}
	if len(e.Body) != errorBodyKept || string(e.Body) != page[:errorBodyKept] {
		t.Errorf("%d bytes of the body kept, want the first %d", len(e.Body), errorBodyKept)
	}
}

func TestHugeErrorBodyIsNotReadWhole(t *testing.T) {
	s := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(404)
		_, _ = w.Write(make([]byte, 3<<20))
	})
	kept := &MemoryRecorder{}
	resp, err := newBench(t, Options{Recorder: kept}).Do(t.Context(), search(s.URL))
	asError(t, err, NotFound)
	if resp != nil || len(kept.Hashes()) != 0 {
		t.Error("a part of an answer was recorded")
	}
}

func TestResponseBesideAnError(t *testing.T) {
	s := serve(t, answers(`{"message":"no such work"}`, 404))
	resp, err := newBench(t, Options{}).Do(t.Context(), search(s.URL))
	e := asError(t, err, NotFound)
	if resp == nil || string(resp.Body) != string(e.Body) || resp.Raw == "" || resp.Request == "" {
		t.Errorf("%+v", resp)
	}
}

func TestOddTransports(t *testing.T) {
	for name, f := range map[string]roundTrip{
		"no body":        func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200}, nil },
		"strange status": func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 999}, nil },
		"zero status":    func(*http.Request) (*http.Response, error) { return &http.Response{}, nil },
	} {
		_, err := newBench(t, Options{Transport: f}).Do(t.Context(), search("http://api.example.org"))
		if KindOf(err) != Broken {
			t.Errorf("%s: %v", name, err)
		}
	}
	odd := errors.New("odd")
	_, err := newBench(t, Options{MaxRetries: -1, Transport: roundTrip(func(*http.Request) (*http.Response, error) { return nil, odd })}).
		Do(t.Context(), search("http://api.example.org"))
	if asError(t, err, Down); !errors.Is(err, odd) {
		t.Error("the cause is lost")
	}
}

// Bodies are closed whatever happens, or connections and turns leak.
func TestBodiesAreClosed(t *testing.T) {
	var open int
	b := newBench(t, Options{Limits: map[string]Limit{"openalex": {Concurrent: 1}}, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		open++
		status := map[string]int{"/ok": 200, "/503": 503, "/404": 404, "/big": 200, "/empty": 200}[r.URL.Path]
		body := map[string]string{"/big": strings.Repeat("x", 99), "/empty": ""}[r.URL.Path]
		if r.URL.Path == "/ok" {
			body = "ok"
		}
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: &closeCounter{Reader: strings.NewReader(body), open: &open}}, nil
	})})
	for _, path := range []string{"/ok", "/503", "/404", "/big", "/empty"} {
		_, err := b.Do(t.Context(), Request{Service: "openalex", Base: "http://h", Path: path, MaxBytes: 50})
		if open != 0 {
			t.Errorf("%s (%v): %d bodies left open", path, err, open)
		}
	}
}

func readCloser(s string) io.ReadCloser { return io.NopCloser(strings.NewReader(s)) }

type closeCounter struct {
	io.Reader
	open *int
	done bool
}

func (c *closeCounter) Close() error {
	if !c.done {
		c.done = true
		*c.open--
	}
	return nil
}
