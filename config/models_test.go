package config

import (
	"slices"
	"strings"
	"testing"
	"time"
)

var allRoles = []string{"planner", "screener", "reader", "critic", "writer"}

func loadRoles(t *testing.T, flags map[string]string, env ...string) (*Config, error) {
	t.Helper()
	return Load(Options{Dir: t.TempDir(), Flags: flags, Env: env, Sources: testSources, Roles: allRoles})
}

// The table that ships is dated, its prices are sane, and every profile's
// models have a price, but for those of this machine, which nobody bills.
func TestTheTableOfModels(t *testing.T) {
	k, err := readKnown()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := time.Parse(time.DateOnly, k.Date); err != nil {
		t.Error(err)
	}
	for spec, m := range k.Prices {
		if m.Prompt <= 0 || m.Output < m.Prompt || m.Cached <= 0 || m.Cached >= m.Prompt || m.Written != 0 && m.Written < m.Prompt {
			t.Errorf("%s: %+v", spec, m)
		}
		if m.LongFrom > 0 && (m.LongPrompt <= m.Prompt || m.LongOutput <= m.Output || m.LongCached <= m.Cached) {
			t.Errorf("%s: long prompts: %+v", spec, m)
		}
	}
	for profile, by := range k.Profiles {
		for vendor, models := range by {
			if models["default"] == "" {
				t.Errorf("%s of %s has no default", profile, vendor)
			}
			for role, model := range models {
				if _, priced := k.Prices[vendor+":"+model]; !priced && profile != "local" {
					t.Errorf("%s of %s: the price of %s, for the role %s, is unknown", profile, vendor, model, role)
				}
			}
		}
	}
}

func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		name   string
		flags  map[string]string
		env    []string
		reader string // spec, or what the error says
		screen string
		fails  bool
	}{
		{"none", nil, []string{"OPENAI_API_KEY=k"}, "builtin", "builtin", false}, // a key alone sends nothing anywhere
		{"builtin", map[string]string{"profile": "builtin"}, []string{"OPENAI_API_KEY=k"}, "builtin", "builtin", false},
		{"the vendor with a key", map[string]string{"profile": "balanced"}, []string{"ANTHROPIC_API_KEY=k"}, "anthropic:claude-sonnet-5-5", "anthropic:claude-haiku-5-5", false},
		{"by variable", nil, []string{"OPTIMISTRESEARCH_PROFILE=cheap", "OPTIMISTRESEARCH_PROVIDER_GOOGLE_KEY=k"}, "google:gemini-3.5-flash-lite", "google:gemini-3.5-flash-lite", false},
		{"a role of its own", map[string]string{"profile": "cheap", "models.reader": "ollama:m"}, []string{"OPENAI_API_KEY=k"}, "ollama:m", "openai:gpt-6-luna", false},
		{"models.default stands above", map[string]string{"profile": "cheap", "models.default": "builtin", "models.reader": "ollama:m"}, []string{"OPENAI_API_KEY=k"}, "ollama:m", "builtin", false},
		{"local needs no key", map[string]string{"profile": "local"}, nil, "ollama:qwen3:8b", "ollama:qwen3:8b", false},
		{"named vendor", map[string]string{"profile": "best", "profile_provider": "openai"}, []string{"ANTHROPIC_API_KEY=k", "OPENAI_API_KEY=k"}, "openai:gpt-6.2-astra", "openai:gpt-6.2-sol", false},
		{"named vendor without a key is for the calls to say", map[string]string{"profile": "best", "profile_provider": "openai"}, nil, "openai:gpt-6.2-astra", "openai:gpt-6.2-sol", false},
		{"two keys", map[string]string{"profile": "best"}, []string{"ANTHROPIC_API_KEY=k", "OPENAI_API_KEY=k"}, "profile_provider", "", true},
		{"no key", map[string]string{"profile": "best"}, nil, "OPTIMISTRESEARCH_PROVIDER_ANTHROPIC_KEY", "", true},
		{"unknown", map[string]string{"profile": "luxury"}, nil, "cheap, local, builtin", "", true},
		{"vendor without models", map[string]string{"profile": "cheap", "profile_provider": "groq"}, nil, "anthropic, google, openai", "", true},
		{"vendor that is none", map[string]string{"profile_provider": "acme"}, nil, "profile_provider", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg, err := loadRoles(t, c.flags, c.env...)
			if (err != nil) != c.fails {
				t.Fatal(err)
			}
			if err != nil {
				if !strings.Contains(err.Error(), c.reader) {
					t.Errorf("%q does not say %q", err, c.reader)
				}
				return
			}
			if got := cfg.Roles(allRoles); got["reader"] != c.reader || got["screener"] != c.screen {
				t.Errorf("reader %s, screener %s", got["reader"], got["screener"])
			}
		})
	}
	cfg, err := loadRoles(t, map[string]string{"profile": "cheap", "models.critic": "ollama:m"}, "OPENAI_API_KEY=k")
	if err != nil {
		t.Fatal(err)
	}
	if got := origin(t, cfg, "models.reader"); got.Value != "openai:gpt-6-luna" || got.Origin != "profile, flag or --set" {
		t.Errorf("%+v", got)
	}
	if a, b := cfg.ModelSetting("reader"), cfg.ModelSetting("critic"); a != "profile" || b != "models.critic" {
		t.Errorf("chosen by %s and %s", a, b)
	}
}

func TestPricesAndContexts(t *testing.T) {
	cfg, err := loadRoles(t, map[string]string{"prices.acme:m.prompt": "1", "contexts.anthropic:claude-opus-5": "9000", "provider.acme.base": "http://127.0.0.1:1/v1"})
	if err != nil {
		t.Fatal(err)
	}
	for spec, want := range map[string]struct {
		prompt  float64
		from    string
		context int
	}{
		"acme:m": {1, "prices.acme:m", 0}, "acme:other": {0, "", 0}, "ollama:qwen3:8b": {0, "", 0},
		"anthropic:claude-opus-5":             {5, "price table of ", 9000},
		"anthropic:claude-haiku-4-5-20251001": {1, "price table of ", 200_000},
	} {
		p, from, ok := cfg.PriceOf(spec)
		if p.Prompt != want.prompt || !strings.HasPrefix(from, want.from) || ok != (want.from != "") || cfg.ContextOf(spec) != want.context {
			t.Errorf("%s: %+v from %q, context %d", spec, p, from, cfg.ContextOf(spec))
		}
	}
	// Another server of the same name has other prices.
	cfg, err = loadRoles(t, map[string]string{"provider.openai.base": "http://127.0.0.1:1/v1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok := cfg.PriceOf("openai:gpt-5"); ok {
		t.Error("a server of one's own has the vendor's price")
	}
}

func TestProviders(t *testing.T) {
	cfg, err := loadRoles(t, map[string]string{"models.reader": "acme:m"}, "OPTIMISTRESEARCH_PROVIDER_ACME_BASE=http://127.0.0.1:1", "OPTIMISTRESEARCH_PROVIDER_ACME_API=anthropic",
		"OPTIMISTRESEARCH_PROVIDER_ACME_STREAM=true", "OPTIMISTRESEARCH_PROVIDER_ACME_PARALLEL=2")
	if err != nil {
		t.Fatal(err)
	}
	if p := cfg.Runtime.Provider["acme"]; p.Protocol() != "anthropic" || !p.Stream || p.Parallel != 2 || (ProviderConfig{}).Protocol() != "openai" {
		t.Errorf("%+v", p)
	}
	for setting, says := range map[string]string{"provider.acme.api": "anthropic, google, ollama, openai", "provider.acme.parallel": "between 0 and 64"} {
		if _, err := loadRoles(t, map[string]string{setting: "99"}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", setting, err)
		}
	}
	if _, err := loadRoles(t, map[string]string{"models.reader": "nobody:m"}); err == nil || !strings.Contains(err.Error(), "provider.nobody.base") {
		t.Errorf("a provider without an address: %v", err)
	}
	names := []string{WellKnownKey("anthropic"), WellKnownKey("openai"), WellKnownKey("acme")}
	if !slices.Equal(names, []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", ""}) {
		t.Errorf("%q", names)
	}
}
