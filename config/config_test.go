package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"optimistresearch/state"
)

var testSources = []string{"arxiv", "crossref", "openalex", "pubmed", "semanticscholar"}
var testRoles = []string{"planner", "screener", "reader"}

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, data := range files {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func load(dir string, env []string, flags map[string]string) (*Config, error) {
	return Load(Options{Dir: dir, Env: env, Flags: flags, Sources: testSources, Roles: testRoles})
}

func origin(t *testing.T, c *Config, key string) Entry {
	t.Helper()
	for _, e := range c.Entries() {
		if e.Key == key {
			return e
		}
	}
	t.Fatalf("there is no setting %s", key)
	return Entry{}
}

func TestLayers(t *testing.T) {
	root := tree(t, map[string]string{
		"optimistresearch.yaml":     "budgets:\n  documents: 10\n  searches: 20\nprices:\n  openai:gpt-4.1-Mini: {prompt: 0.4, output: 1.6}\n",
		"a/b/optimistresearch.yaml": "# nearer\nbudgets:\n  documents: 11\nsources: [arxiv, openalex]\n",
		"a/.env":                    "OPTIMISTRESEARCH_SOURCE_PUBMED_KEY=from-the-env-file\nOPENAI_API_KEY=sk-abcdefghijklmnop\n",
	})
	c, err := load(filepath.Join(root, "a/b"), []string{"OPTIMISTRESEARCH_BUDGETS_SEARCHES=30", "OPTIMISTRESEARCH_MODELS_DEFAULT=openai:M", "PATH=/bin"},
		map[string]string{"screening.batch": "7"})
	if err != nil {
		t.Fatal(err)
	}
	if b := c.Settings.Budgets; b.Documents != 11 || b.Searches != 30 || b.Iterations != state.DefaultSettings().Budgets.Iterations {
		t.Errorf("budgets = %+v", b)
	}
	if c.Settings.Screening.Batch != 7 || strings.Join(c.Settings.Sources, " ") != "arxiv openalex" {
		t.Errorf("batch = %d, sources = %v", c.Settings.Screening.Batch, c.Settings.Sources)
	}
	if c.Runtime.Source["pubmed"].Key != "from-the-env-file" || c.Runtime.Provider["openai"].Key != "sk-abcdefghijklmnop" {
		t.Error("a key of .env did not arrive")
	}
	if p := c.Runtime.Prices["openai:gpt-4.1-Mini"]; p.Prompt != 0.4 || p.Output != 1.6 {
		t.Errorf("prices = %+v: a key with dots and capitals must survive", c.Runtime.Prices)
	}
	if roles := c.Roles(testRoles); roles["reader"] != "openai:M" {
		t.Errorf("roles = %v", roles)
	}
	for key, want := range map[string]string{
		"budgets.documents":   "a/b/optimistresearch.yaml:3",
		"budgets.searches":    "environment OPTIMISTRESEARCH_BUDGETS_SEARCHES",
		"budgets.iterations":  "default",
		"screening.batch":     "flag or --set",
		"sources":             "a/b/optimistresearch.yaml:4",
		"source.pubmed.key":   ".env OPTIMISTRESEARCH_SOURCE_PUBMED_KEY",
		"provider.openai.key": ".env OPENAI_API_KEY",
	} {
		if got := origin(t, c, key).Origin; !strings.HasSuffix(got, want) {
			t.Errorf("%s comes from %q, want %q", key, got, want)
		}
	}
	for _, e := range c.Entries() {
		if strings.Contains(e.Value, "abcdef") || strings.Contains(e.Value, "from-the-env") {
			t.Errorf("a secret is shown: %+v", e)
		}
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for _, c := range []struct {
		name, yaml string
		env        []string
		want       []string
	}{
		{"typo", "budgets:\n  documnets: 5\n", nil, []string{"optimistresearch.yaml:2", `"budgets.documnets"`, `"budgets.documents"`}},
		{"typo at the top", "sreening:\n  batch: 5\n", nil, []string{"optimistresearch.yaml:2", `"screening.batch"`}},
		{"wrong heading", "ranking:\n  documents: 5\n", nil, []string{`"budgets.documents"`}},
		{"type", "budgets:\n  documents: many\n", nil, []string{"optimistresearch.yaml:2", `"many"`, "whole number"}},
		{"range", "screening: {relevant: 1.5}\n", nil, []string{"optimistresearch.yaml:1", "between 0 and 1"}},
		{"order", "screening: {relevant: 0.9}\n", nil, []string{"clearly_relevant"}},
		{"years", "since_year: 2025\nuntil_year: 2020\n", nil, []string{"optimistresearch.yaml:1", "since_year", "until_year"}},
		{"source", "sources: [arxiv, scholar]\n", nil, []string{`"scholar"`, "crossref"}},
		{"source runtime", "source:\n  arxive:\n    key: x\n", nil, []string{`"source.arxive.key"`, `"source.arxiv.key"`}},
		{"choice", "source:\n  arxiv: {mode: maybe}\n", nil, []string{"auto, on, off"}},
		{"model", "models: {reader: gpt}\n", nil, []string{"provider:model"}},
		{"provider", "models: {reader: 'acme:x'}\n", nil, []string{"provider.acme.base", "ollama"}},
		{"role", "models: {reeder: builtin}\n", nil, []string{`"models.reader"`}},
		{"url", "provider: {openai: {base: 'https://user:pw@h'}}\n", nil, []string{"provider.openai.base", "without user"}},
		{"duration", "timeout: soon\n", nil, []string{"timeout", "30s"}},
		{"not yaml", "budgets: [\n", nil, []string{"optimistresearch.yaml"}},
		{"not a mapping", "just text\n", nil, []string{"key: value"}},
		{"list for one", "budgets: {documents: [1, 2]}\n", nil, []string{"not a list"}},
		{"part of a value", "contact: {a: b}\n", nil, []string{"contact", `"a"`}},
		{"env", "", []string{"OPTIMISTRESEARCH_BUDGET_DOCUMENTS=1"}, []string{"OPTIMISTRESEARCH_BUDGET_DOCUMENTS", "OPTIMISTRESEARCH_BUDGETS_DOCUMENTS"}},
		{"env type", "", []string{"OPTIMISTRESEARCH_BUDGETS_DOCUMENTS=x"}, []string{"environment OPTIMISTRESEARCH_BUDGETS_DOCUMENTS", "whole number"}},
		{"negative credits", "budgets: {credits: {openalex: -1}}\n", nil, []string{"optimistresearch.yaml:1", "budgets.credits.openalex", "negative"}},
		{"negative pace", "source: {arxiv: {every: -1s}}\n", nil, []string{"source.arxiv.every", "negative"}},
		{"size", "", []string{"OPTIMISTRESEARCH_MAX_RESPONSE_MB=0"}, []string{"max_response_mb", "between 1 and 4096"}},
		{"two at once", "budgets:\n  documents: x\n  searches: y\n", nil, []string{":2", ":3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := tree(t, map[string]string{FileName: c.yaml})
			_, err := load(root, c.env, nil)
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("the error does not say %q:\n%v", w, err)
				}
			}
		})
	}
}

func TestKeyInSettingsFileWarns(t *testing.T) {
	root := tree(t, map[string]string{FileName: "source:\n  openalex:\n    key: abc\n"})
	c, err := load(root, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "OPTIMISTRESEARCH_SOURCE_OPENALEX_KEY") || strings.Contains(c.Warnings[0], "abc") {
		t.Errorf("warnings = %q", c.Warnings)
	}
}

// Every setting is shown, also one that nobody has set: with what holds for it.
func TestUnsetIsShown(t *testing.T) {
	root := tree(t, map[string]string{FileName: "models: {reader: 'ollama:r'}\nsource: {pubmed: {mode: off}}\n"})
	o := Options{Dir: root, Sources: testSources, Roles: testRoles, Bases: map[string]string{"arxiv": "https://arxiv.example", "pubmed": "https://pubmed.example"}}
	show := func(flags map[string]string, want map[string]Entry) {
		t.Helper()
		o.Flags = flags
		c, err := Load(o)
		if err != nil {
			t.Fatal(err)
		}
		for key, w := range want {
			w.Key = key
			if got := origin(t, c, key); got.Value != w.Value || !strings.HasSuffix(got.Origin, w.Origin) {
				t.Errorf("%s: %+v, want %+v", key, got, w)
			}
		}
	}
	show(nil, map[string]Entry{
		"models.default": {Value: "builtin", Origin: "default"}, "models.planner": {Value: "builtin", Origin: "default"},
		"models.reader":     {Value: "ollama:r", Origin: FileName + ":1"},
		"source.arxiv.base": {Value: "https://arxiv.example", Origin: "default"}, "source.arxiv.key": {Value: "", Origin: "default"},
		"source.arxiv.mode": {Value: "auto", Origin: "default"}, "source.arxiv.every": {Value: "0s", Origin: "default"},
		"source.pubmed.mode": {Value: "off", Origin: FileName + ":2"}, "source.pubmed.base": {Value: "https://pubmed.example", Origin: "default"},
		"budgets.credits.openalex": {Value: "0", Origin: "default"}, "max_response_mb": {Value: "32", Origin: "default"},
	})
	show(map[string]string{"models.default": "ollama:d"}, map[string]Entry{
		"models.default": {Value: "ollama:d", Origin: "flag or --set"}, "models.planner": {Value: "ollama:d", Origin: "models.default, flag or --set"},
		"models.reader": {Value: "ollama:r", Origin: FileName + ":1"},
	})
}

// A broken line of .env may hold a key: the error must not repeat it.
func TestBrokenEnvFileKeepsItsSecret(t *testing.T) {
	root := tree(t, map[string]string{".env": "OPENAI_API_KEY=\"sk-verysecretvalue\nX Y Z sk-verysecretvalue"})
	_, err := load(root, nil, nil)
	if err == nil || strings.Contains(err.Error(), "verysecret") {
		t.Errorf("error = %v, want one without the key", err)
	}
}

// The defaults pass their own checks, and the example file names every setting
// with its default.
func TestDefaultsAndExample(t *testing.T) {
	c, err := load(t.TempDir(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Runtime.Timeout != 60*time.Second {
		t.Errorf("timeout = %s", c.Runtime.Timeout)
	}
	example, err := os.ReadFile("../" + FileName)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range c.Entries() {
		last := e.Key[strings.LastIndex(e.Key, ".")+1:]
		if strings.HasPrefix(e.Key, "models.") || strings.HasPrefix(e.Key, "budgets.credits.") {
			last = e.Key[:strings.LastIndex(e.Key, ".")] // any of its names
			last = last[strings.LastIndex(last, ".")+1:]
		}
		if !strings.Contains(string(example), last+":") {
			t.Errorf("the example settings file does not show %s", e.Key)
		}
	}
	// Uncommented, the example is what the defaults are.
	var lines []string
	for _, l := range strings.Split(string(example), "\n") {
		if rest, ok := strings.CutPrefix(l, "#: "); ok {
			l = rest
		}
		lines = append(lines, l)
	}
	root := tree(t, map[string]string{FileName: strings.Join(lines, "\n")})
	full, err := load(root, nil, nil)
	if err != nil {
		t.Fatalf("the uncommented example: %v", err)
	}
	a, b := c.Entries(), full.Entries()
	if len(a) != len(b) {
		t.Fatalf("%d settings by default, %d in the example", len(a), len(b))
	}
	for i := range a {
		if a[i].Key != b[i].Key || a[i].Value != b[i].Value {
			t.Errorf("%s is %q by default and %s is %q in the example", a[i].Key, a[i].Value, b[i].Key, b[i].Value)
		}
	}
}

func FuzzFile(f *testing.F) {
	f.Add("budgets:\n  documents: 5\n")
	f.Add("sources: [a, b]\nmodels: {reader: 'x:y'}\n")
	f.Add("a: &x 1\nb: *x\n")
	f.Fuzz(func(t *testing.T, data string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, FileName), []byte(data), 0o600); err != nil {
			t.Skip()
		}
		if c, err := load(dir, nil, nil); err == nil && c == nil {
			t.Error("no settings and no error")
		}
	})
}
