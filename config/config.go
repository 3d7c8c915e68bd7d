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
	"cmp"
	"errors"
	"fmt"
	"maps"
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

	opt     Options
	origins map[string]string
	known   known
	profile map[string]string // role or "default" → spec, of the profile that is set
}

// Runtime parameters never enter the state, logs or recordings.
type Runtime struct {
	Contact       string        `yaml:"contact"`         // e-mail address sent to the services, as they ask
	Timeout       time.Duration `yaml:"timeout"`         // of one attempt
	Retries       int           `yaml:"retries"`         // after the first attempt
	RetryAfterCap time.Duration `yaml:"retry_after_cap"` // the longest wait a service may ask for
	MaxResponseMB int           `yaml:"max_response_mb"` // the largest answer that is read, in MiB
	Parallel      int           `yaml:"parallel"`        // tasks at a time
	// Profile chooses models for the roles that neither models.ROLE nor
	// models.default names.
	Profile         string `yaml:"profile"`
	ProfileProvider string `yaml:"profile_provider"` // whose models, "" = the only vendor with a key

	Source   map[string]SourceConfig   `yaml:"source"`
	Provider map[string]ProviderConfig `yaml:"provider"`
	Prices   map[string]Price          `yaml:"prices"`   // by "provider:model"
	Contexts map[string]int            `yaml:"contexts"` // context window in tokens, by "provider:model"

	// Embeddings is the provider:model that embeds records for screening; "" = none.
	Embeddings string `yaml:"embeddings"`
}

// SourceConfig configures the client of one source.
type SourceConfig struct {
	Base  string        `yaml:"base"`
	Key   string        `yaml:"key" secret:"true"`
	Mode  string        `yaml:"mode" choices:"auto,on,off"` // auto: Semantic Scholar only with a key, every other source on
	Every time.Duration `yaml:"every"`                      // pace; 0 = as the service allows
}

// ProviderConfig configures one model server.
type ProviderConfig struct {
	API      string `yaml:"api" choices:"anthropic,google,ollama,openai"` // the protocol; openai stands for every compatible server, "" = openai
	Base     string `yaml:"base"`
	Key      string `yaml:"key" secret:"true"`
	Mode     string `yaml:"mode" choices:"json_schema,json_object,tool,prompt"`
	Parallel int    `yaml:"parallel"` // the most calls at once; fewer while the server asks to be slower; 0 = eight
	Stream   bool   `yaml:"stream"`   // ask for the answer in pieces, for gateways that close silent connections
}

// Protocol is the protocol of a provider.
func (p ProviderConfig) Protocol() string { return cmp.Or(p.API, "openai") }

// Price of a model in dollars per million tokens. Cached and Written 0 mean "as
// Prompt".
type Price struct {
	Prompt  float64 `yaml:"prompt"`
	Cached  float64 `yaml:"cached"`
	Written float64 `yaml:"written"` // to the server's cache, where that is charged for
	Output  float64 `yaml:"output"`

	// A prompt of more than LongFrom tokens costs Long; only the table that ships
	// with the program says such.
	LongFrom int    `yaml:"-"`
	Long     *Price `yaml:"-"`
}

// DefaultRuntime returns the defaults of the runtime parameters.
func DefaultRuntime() Runtime {
	return Runtime{
		Timeout: 60 * time.Second, Retries: 4, RetryAfterCap: 2 * time.Minute, MaxResponseMB: 32, Parallel: 4,
		Source: map[string]SourceConfig{}, Prices: map[string]Price{}, Contexts: map[string]int{},
		Profile: BuiltinProfile,
		Provider: map[string]ProviderConfig{
			"anthropic":  {API: "anthropic", Base: "https://api.anthropic.com/v1", Mode: "json_schema"},
			"deepseek":   {API: "openai", Base: "https://api.deepseek.com/v1", Mode: "json_object"},
			"google":     {API: "google", Base: "https://generativelanguage.googleapis.com/v1beta", Mode: "json_schema"},
			"groq":       {API: "openai", Base: "https://api.groq.com/openai/v1", Mode: "json_schema"},
			"mistral":    {API: "openai", Base: "https://api.mistral.ai/v1", Mode: "json_schema"},
			"ollama":     {API: "ollama", Base: "http://127.0.0.1:11434", Mode: "json_schema"},
			"openai":     {API: "openai", Base: "https://api.openai.com/v1", Mode: "json_schema"},
			"openrouter": {API: "openai", Base: "https://openrouter.ai/api/v1", Mode: "json_schema"},
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
	Bases   map[string]string // source → its own address, which holds where none is set
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
	table, err := readKnown()
	if err != nil {
		return nil, err
	}
	l.table = table
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
	return &Config{Settings: l.doc.Settings, Runtime: l.doc.Runtime, Warnings: l.warnings, opt: o, origins: l.origins, known: l.table, profile: l.profile}, nil
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

// Entries lists every effective value and where it came from, by key: also
// those that nobody has set, with what holds for them.
func (c *Config) Entries() []Entry {
	var out []Entry
	doc := document{Settings: c.Settings, Runtime: c.Runtime}
	doc.Source, doc.Models, doc.Budgets.Credits = c.everySource(), c.everyRole(), c.everyCredit()
	walk(&doc, func(key, value string, secret bool) {
		if secret && value != "" {
			value = Mask(value)
		}
		out = append(out, Entry{Key: key, Value: value, Origin: c.origin(key)})
	})
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// origin names the layer of a value. A role that is not set takes its model
// from models.default.
func (c *Config) origin(key string) string {
	if o := c.origins[key]; o != "" {
		return o
	}
	if o := c.origins[defaultModel]; o != "" && strings.HasPrefix(key, "models.") {
		return defaultModel + ", " + o
	}
	if strings.HasPrefix(key, "models.") && len(c.profile) > 0 {
		return "profile, " + cmp.Or(c.origins["profile"], "default")
	}
	return "default"
}

const defaultModel = "models.default"

// everySource fills in what holds for the sources where nothing is set.
func (c *Config) everySource() map[string]SourceConfig {
	out := maps.Clone(c.Runtime.Source)
	if out == nil {
		out = map[string]SourceConfig{}
	}
	for _, name := range c.opt.Sources {
		s := out[name]
		s.Base, s.Mode = cmp.Or(s.Base, c.opt.Bases[name]), cmp.Or(s.Mode, "auto")
		out[name] = s
	}
	return out
}

// everyCredit is the cap of every source, 0 where there is none.
func (c *Config) everyCredit() map[string]int {
	out := map[string]int{}
	for _, name := range c.opt.Sources {
		out[name] = 0
	}
	maps.Copy(out, c.Settings.Budgets.Credits)
	return out
}

// everyRole is the model of every role.
func (c *Config) everyRole() map[string]string {
	return c.Roles(append([]string{"default"}, c.opt.Roles...))
}

// Mask shows that a secret is set without giving it away.
func Mask(secret string) string {
	if n := len(secret); n > 12 {
		return fmt.Sprintf("set (%d characters, ends in %s)", n, secret[n-2:])
	}
	return "set"
}
