package config

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed models.yaml
var modelsYAML []byte

// known is what the program knows about models of others.
type known struct {
	Date     string                                  `yaml:"date"`
	Prices   map[string]knownModel                   `yaml:"prices"`
	Profiles map[string]map[string]map[string]string `yaml:"profiles"` // profile → provider → role → model
}

type knownModel struct {
	Prompt  float64 `yaml:"prompt"`
	Cached  float64 `yaml:"cached"`
	Written float64 `yaml:"written"`
	Output  float64 `yaml:"output"`
	Context int     `yaml:"context"`

	LongFrom    int     `yaml:"long_from"`
	LongPrompt  float64 `yaml:"long_prompt"`
	LongCached  float64 `yaml:"long_cached"`
	LongWritten float64 `yaml:"long_written"`
	LongOutput  float64 `yaml:"long_output"`
}

// readKnown reads the table that ships with the program.
func readKnown() (known, error) {
	var k known
	if err := yaml.UnmarshalWithOptions(modelsYAML, &k, yaml.Strict()); err != nil {
		return known{}, fmt.Errorf("reading the table of models that ships with the program: %w", err)
	}
	return k, nil
}

// BuiltinProfile is the profile without models.
const BuiltinProfile = "builtin"

// dated is the end of a model's name that fixes its version.
var dated = regexp.MustCompile(`(-\d{8}|-\d{4}-\d{2}-\d{2}|-latest)$`)

// model finds a model in the table, also by its dated name, if its provider's
// base is the vendor's own: another server has other prices.
func (c *Config) model(spec string) (knownModel, bool) {
	provider, _, _ := strings.Cut(spec, ":")
	if own := DefaultRuntime().Provider[provider].Base; own == "" || strings.TrimRight(c.Runtime.Provider[provider].Base, "/") != own {
		return knownModel{}, false
	}
	if m, ok := c.known.Prices[spec]; ok {
		return m, true
	}
	m, ok := c.known.Prices[dated.ReplaceAllString(spec, "")]
	return m, ok
}

// PriceOf is the price of a model and where it is from: the settings, or the
// table that ships with the program and its date. ok is false if it is not
// known.
func (c *Config) PriceOf(spec string) (p Price, from string, ok bool) {
	if p, ok := c.Runtime.Prices[spec]; ok {
		return p, "prices." + spec, true
	}
	m, ok := c.model(spec)
	if !ok {
		return Price{}, "", false
	}
	p = Price{Prompt: m.Prompt, Cached: m.Cached, Written: m.Written, Output: m.Output}
	if m.LongFrom > 0 {
		p.LongFrom = m.LongFrom
		p.Long = &Price{Prompt: m.LongPrompt, Cached: m.LongCached, Written: m.LongWritten, Output: m.LongOutput}
	}
	return p, "price table of " + c.known.Date, true
}

// ContextOf is the context window of a model in tokens, 0 = unknown.
func (c *Config) ContextOf(spec string) int {
	if n := c.Runtime.Contexts[spec]; n > 0 {
		return n
	}
	m, _ := c.model(spec)
	return m.Context
}

// ModelSetting names the setting that chose a role's model.
func (c *Config) ModelSetting(role string) string {
	switch {
	case c.Settings.Models[role] != "":
		return "models." + role
	case c.Settings.Models["default"] != "":
		return defaultModel
	case len(c.profile) > 0:
		return "profile"
	}
	return "models." + role
}

// chooseProfile finds the models of the profile that is set. The vendor is the
// one that profile_provider names, or else the only one that has a key:
// nothing is sent to a vendor that no setting names.
func (l *loader) chooseProfile() map[string]string {
	r := &l.doc.Runtime
	if r.Profile == "" || r.Profile == BuiltinProfile {
		if r.ProfileProvider != "" && l.table.vendors()[r.ProfileProvider] == 0 {
			l.bad("profile_provider", "is %q and must be one of %s", r.ProfileProvider, strings.Join(sortedKeys(l.table.vendors()), ", "))
		}
		return nil
	}
	by, ok := l.table.Profiles[r.Profile]
	if !ok {
		l.bad("profile", "is %q and must be one of %s", r.Profile, strings.Join(l.table.profiles(), ", "))
		return nil
	}
	vendors := sortedKeys(by)
	vendor := r.ProfileProvider
	if vendor == "" {
		var keyed []string
		for _, v := range vendors {
			if len(vendors) == 1 || r.Provider[v].Key != "" {
				keyed = append(keyed, v)
			}
		}
		switch len(keyed) {
		case 1:
			vendor = keyed[0]
		case 0:
			l.bad("profile", "is %s, which takes the models of one of %s, and none of them has a key: set %s, or choose another profile", r.Profile, strings.Join(vendors, ", "), keyNames(vendors))
			return nil
		default:
			l.bad("profile", "is %s and there are keys of %s: set profile_provider to the one to use", r.Profile, strings.Join(keyed, " and of "))
			return nil
		}
	}
	models, ok := by[vendor]
	if !ok {
		l.bad("profile_provider", "is %q, which has no models for the profile %s; use one of %s", vendor, r.Profile, strings.Join(vendors, ", "))
		return nil
	}
	out := map[string]string{}
	for role, model := range models {
		out[role] = vendor + ":" + model
	}
	return out
}

func keyNames(vendors []string) string {
	var out []string
	for _, v := range vendors {
		out = append(out, envName([]string{"provider", v, "key"}))
	}
	return strings.Join(out, " or ")
}

// vendors counts the profiles of each provider.
func (k known) vendors() map[string]int {
	out := map[string]int{}
	for _, by := range k.Profiles {
		for v := range by {
			out[v]++
		}
	}
	return out
}

// profiles lists the valid profiles.
func (k known) profiles() []string {
	return append(sortedKeys(k.Profiles), BuiltinProfile)
}

// WellKnownKey is the variable of other tools that holds a provider's key, ""
// if there is none.
func WellKnownKey(provider string) string {
	for _, name := range sortedKeys(wellKnown) {
		if slices.Equal(wellKnown[name], []string{"provider", provider, "key"}) {
			return name
		}
	}
	return ""
}
