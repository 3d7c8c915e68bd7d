// Package config reads the settings of a run: method parameters, which go
// into the state, and runtime parameters (keys, base URLs, paces), which go to
// the client that needs them and nowhere else.
//
// Four layers, the lowest first: the defaults in code; optimistresearch.yaml
// files along the path from the root to the working directory, merged key by
// key; .env, for secrets; the environment (OPTIMISTRESEARCH_…), which
// command-line flags set as well. Every value remembers the layer, file and
// line it came from, and every mistake is reported with them and with what
// would be right.
//
// The layers are merged here and not by a library: what a user needs is the
// line of every value, and the libraries that merge lose it. The YAML itself
// is read by goccy/go-yaml, which keeps positions and the case of keys.
//
// The package must never be imported by anything but the assembly, and never
// print a secret. Start with Load.
package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"optimistresearch/state"
)

// FileName is the name of a settings file.
const FileName = "optimistresearch.yaml"

// EnvPrefix begins the name of every environment variable of the program.
const EnvPrefix = "OPTIMISTRESEARCH_"

// Config is the merged settings.
type Config struct {
	Settings state.Settings
	Runtime  Runtime
	Warnings []string // for the user, such as a key in a settings file

	origins map[string]string
}

// Runtime parameters never enter the state, logs or recordings.
type Runtime struct {
	Contact       string                    `yaml:"contact"`         // e-mail address sent to the services, as they ask
	Timeout       time.Duration             `yaml:"timeout"`         // of one attempt
	Retries       int                       `yaml:"retries"`         // after the first attempt
	RetryAfterCap time.Duration             `yaml:"retry_after_cap"` // the longest wait a service may ask for
	Parallel      int                       `yaml:"parallel"`        // tasks at a time
	Source        map[string]SourceConfig   `yaml:"source"`
	Provider      map[string]ProviderConfig `yaml:"provider"`
	Prices        map[string]Price          `yaml:"prices"`   // by "provider:model"
	Contexts      map[string]int            `yaml:"contexts"` // context window in tokens, by "provider:model"
}

// SourceConfig configures the client of one source.
type SourceConfig struct {
	Base  string        `yaml:"base"`
	Key   string        `yaml:"key" secret:"true"`
	Mode  string        `yaml:"mode" choices:"auto,on,off"` // auto: Semantic Scholar only with a key, every other source on
	Every time.Duration `yaml:"every"`                      // pace; 0 = as the service allows
}

// ProviderConfig configures one model server that speaks the OpenAI protocol.
type ProviderConfig struct {
	Base string `yaml:"base"`
	Key  string `yaml:"key" secret:"true"`
	Mode string `yaml:"mode" choices:"json_schema,json_object,tool,prompt"`
}

// Price of a model in dollars per million tokens.
type Price struct {
	Prompt float64 `yaml:"prompt"`
	Cached float64 `yaml:"cached"`
	Output float64 `yaml:"output"`
}

// DefaultRuntime returns the defaults of the runtime parameters.
func DefaultRuntime() Runtime {
	return Runtime{
		Timeout: 60 * time.Second, Retries: 4, RetryAfterCap: 2 * time.Minute, Parallel: 4,
		Source: map[string]SourceConfig{}, Prices: map[string]Price{}, Contexts: map[string]int{},
		Provider: map[string]ProviderConfig{
			"openai":     {Base: "https://api.openai.com/v1", Mode: "json_schema"},
			"openrouter": {Base: "https://openrouter.ai/api/v1", Mode: "json_schema"},
			"ollama":     {Base: "http://127.0.0.1:11434/v1", Mode: "json_schema"},
		},
	}
}

// Options say where to look.
type Options struct {
	Dir     string            // working directory
	Env     []string          // as os.Environ
	Flags   map[string]string // setting → value, from the command line
	Sources []string          // the names of all sources
	Roles   []string          // the names of all model roles
}

// document is the shape of a settings file.
type document struct {
	state.Settings `yaml:",inline"`
	Runtime        `yaml:",inline"`
}

// Load merges the layers. An error lists every mistake that was found, one a
// line.
func Load(o Options) (*Config, error) {
	l := &loader{opt: o, doc: document{Settings: state.DefaultSettings(), Runtime: DefaultRuntime()}, origins: map[string]string{}}
	for _, name := range settingsFiles(o.Dir) {
		l.file(name)
	}
	l.dotenv(o.Dir)
	l.environment(o.Env, "environment ")
	for _, key := range state.Keys(o.Flags) {
		l.set(strings.Split(key, "."), o.Flags[key], "flag or --set")
	}
	l.check()
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	return &Config{Settings: l.doc.Settings, Runtime: l.doc.Runtime, Warnings: l.warnings, origins: l.origins}, nil
}

// settingsFiles lists the existing settings files from the root down to dir.
func settingsFiles(dir string) []string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	var out []string
	for {
		name := filepath.Join(abs, FileName)
		if _, err := os.Stat(name); err == nil {
			out = append(out, name)
		}
		parent := filepath.Dir(abs)
		if parent == abs {
			break
		}
		abs = parent
	}
	slices.Reverse(out)
	return out
}

// Entry is one effective value.
type Entry struct {
	Key    string `json:"key"`
	Value  string `json:"value"` // secrets are masked
	Origin string `json:"origin"`
}

// Entries lists every effective value and where it came from, by key.
func (c *Config) Entries() []Entry {
	var out []Entry
	doc := document{Settings: c.Settings, Runtime: c.Runtime}
	walk(&doc, func(key, value string, secret bool) {
		origin := c.origins[key]
		if origin == "" {
			origin = "default"
		}
		if secret && value != "" {
			value = Mask(value)
		}
		out = append(out, Entry{Key: key, Value: value, Origin: origin})
	})
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// Mask shows that a secret is set without giving it away.
func Mask(secret string) string {
	if n := len(secret); n > 12 {
		return fmt.Sprintf("set (%d characters, ends in %s)", n, secret[n-2:])
	}
	return "set"
}
