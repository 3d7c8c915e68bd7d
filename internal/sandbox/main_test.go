package sandbox

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shared is the built-in library, loaded once for all tests.
var shared = sync.OnceValues(Builtin)

// client keeps no connection open, so that no goroutine outlives its test.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// start starts a server over the built-in library, or the one in opts.
func start(t testing.TB, opts Options) *Server {
	t.Helper()
	if opts.Library == nil {
		lib, err := shared()
		if err != nil {
			t.Fatal(err)
		}
		opts.Library = lib
	}
	s, err := Start(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// get asks a service; params are pairs of name and value.
func get(t testing.TB, s *Server, source, path string, params ...string) answer {
	t.Helper()
	q := url.Values{}
	for i := 0; i+1 < len(params); i += 2 {
		q.Add(params[i], params[i+1])
	}
	address := s.URL(source) + path
	if len(q) > 0 {
		address += "?" + q.Encode()
	}
	return fetch(t, http.MethodGet, address, "", "")
}

func fetch(t testing.TB, method, address, kind, body string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return answer{resp.StatusCode, resp.Header, string(b)}
}

// decode reads JSON into a value.
func decode(t testing.TB, body string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(body), v); err != nil {
		t.Fatalf("%v in %.300s", err, body)
	}
}

// recorded reads a recording of the live service. The test is skipped where
// the recordings are not at hand.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the package")
		}
		dir = filepath.Dir(dir)
	}
	b, err := os.ReadFile(filepath.Join(dir, "..", "shared", "data", "recorded", filepath.FromSlash(name)))
	if err != nil {
		t.Skip("the recordings of the live services are not here")
	}
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if b, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// jsonPaths are the paths of all members of a JSON text, such as
// results[].ids.doi. Below an open member every name is the same path.
func jsonPaths(t testing.TB, body []byte, open ...string) map[string]bool {
	t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%v in %.300s", err, body)
	}
	paths := map[string]bool{}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, inner := range v {
				if slices.Contains(open, at) {
					name = "*"
				}
				p := strings.TrimPrefix(at+"."+name, ".")
				paths[p] = true
				walk(p, inner)
			}
		case []any:
			for _, inner := range v {
				walk(at+"[]", inner)
			}
		}
	}
	walk("", v)
	return paths
}

// xmlPaths are the paths of all elements and attributes of an XML text.
func xmlPaths(t testing.TB, body []byte) map[string]bool {
	t.Helper()
	paths := map[string]bool{}
	dec := xml.NewDecoder(bytes.NewReader(body))
	var at []string
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			return paths
		}
		if err != nil {
			t.Fatalf("%v in %.300s", err, body)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			at = append(at, tok.Name.Space+" "+tok.Name.Local)
			p := strings.Join(at, "/")
			paths[p] = true
			for _, a := range tok.Attr {
				paths[p+"@"+a.Name.Local] = true
			}
		case xml.EndElement:
			at = at[:len(at)-1]
		}
	}
}

// within reports the paths that are served but in no recording.
func within(t testing.TB, served map[string]bool, recordings ...map[string]bool) {
	t.Helper()
	var strange []string
	for p := range served {
		if !slices.ContainsFunc(recordings, func(r map[string]bool) bool { return r[p] }) {
			strange = append(strange, p)
		}
	}
	slices.Sort(strange)
	if len(strange) > 0 {
		t.Errorf("served, but in no recording: %s", strings.Join(strange, ", "))
	}
}

// members lists the names of a JSON object in the order in which they stand.
func members(t testing.TB, body []byte) []string {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(body))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		t.Fatalf("no object: %.200s", body)
	}
	var names []string
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tok.(string))
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// inOrder reports the first member that does not stand where the recording has
// it.
func inOrder(t testing.TB, served, recording []string) {
	t.Helper()
	last := -1
	for _, name := range served {
		at := slices.Index(recording, name)
		if at < 0 {
			continue
		}
		if at < last {
			t.Errorf("%s stands in another place than in the recording: %v against %v", name, served, recording)
			return
		}
		last = at
	}
}

// decodeXML reads XML into a value.
func decodeXML(t testing.TB, body string, v any) {
	t.Helper()
	if err := xml.Unmarshal([]byte(body), v); err != nil {
		t.Fatalf("%v in %.300s", err, body)
	}
}
